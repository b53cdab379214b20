//! What users of other servers complain about, one test each.

use std::time::{Duration, Instant};

use serde_json::json;

use super::client::{Client, uri};
use super::{skill, with_name};
use crate::common::{Repository, good};

fn repository() -> Repository {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    repository
}

/// Editors mark fields as unknown that a runtime reads.
#[test]
fn no_field_of_a_runtime_is_unknown() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let fields = "---\nargument-hint: FILE\nuser-invocable: true\nmodel: opus\n";
    client.open(&pdf, &good("pdf").replacen("---\n", fields, 1));
    let codes = client.codes(&pdf, 1);
    let is_error = |diagnostic: &serde_json::Value| diagnostic["severity"] == 1;
    assert!(!client.published[&pdf].1.iter().any(is_error), "{codes:?}");
}

/// Nothing reports invalid YAML.
#[test]
fn invalid_yaml_is_reported() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, "---\nname: pdf\ndescription: Use this: when a form is filled in\n---\nText.\n");
    let codes = client.codes(&pdf, 1);
    assert!(codes.iter().any(|code| code.contains("colon") || code.contains("yaml")), "{codes:?}");
}

/// A schema is not used for front matter in Markdown.
#[test]
fn the_language_of_a_document_does_not_matter() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    for language in ["skill", "markdown", "yaml", ""] {
        let item = json!({ "uri": pdf, "languageId": language, "version": 7, "text": with_name(&good("pdf"), "PDF") });
        client.published.clear();
        client.notify("textDocument/didOpen", json!({ "textDocument": item }));
        assert!(!client.codes(&pdf, 7).is_empty(), "{language}");
        client.close(&pdf);
        client.wait("the file on disk", |client| client.codes_of(&pdf).is_empty());
    }
}

/// A client without pull gets nothing, or something stale.
#[test]
fn findings_are_pushed_to_a_client_without_capabilities() {
    let repository = repository();
    let mut client = Client::with_capabilities(repository.path(), json!(null), json!({}));
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &with_name(&good("pdf"), "PDF"));
    assert!(!client.codes(&pdf, 1).is_empty());
    assert_eq!(client.published[&pdf].1[0]["relatedInformation"], json!(null));
    // `:edit` of Vim: closed and opened again, with the same text and version.
    client.close(&pdf);
    client.wait("the file on disk", |client| client.codes_of(&pdf).is_empty());
    client.open(&pdf, &with_name(&good("pdf"), "PDF"));
    client.wait("the findings again", |client| !client.codes_of(&pdf).is_empty());
    assert!(client.asked.is_empty(), "nothing is asked of a client that cannot do it");
}

/// A new file that is not saved has no findings.
#[test]
fn untitled_documents_are_checked() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    client.open("untitled:Untitled-1", "hello");
    client.change("untitled:Untitled-1", 2, "---\nname: Bad Name\ndescription: x\n---\nText.\n");
    let codes = client.codes("untitled:Untitled-1", 2);
    assert!(codes.contains(&"malformed-name".to_owned()), "{codes:?}");
    assert!(!codes.iter().any(|code| code.contains("directory")), "it has none: {codes:?}");
    let actions = client.actions("untitled:Untitled-1", 1..2, Some("quickfix"));
    assert!(!actions.is_empty());
}

/// Nested folders and their configuration are confused.
#[test]
fn a_repository_in_another_one_has_its_own_configuration() {
    let repository = repository();
    repository.write("skilltree.toml", "[rules]\nmalformed-name = \"off\"\nname-differs-from-directory = \"off\"\n");
    let inner = repository.path().canonicalize().unwrap().join("inner");
    crate::common::git(repository.path(), &["init", "-q", "inner"], &[]);
    repository.write("inner/skills/csv/SKILL.md", good("csv"));
    let mut client = Client::new(repository.path());
    let (pdf, csv) = (skill(&repository, "pdf"), uri(&inner.join("skills/csv/SKILL.md")));
    client.open(&pdf, &with_name(&good("pdf"), "Pdf"));
    client.open(&csv, &with_name(&good("csv"), "Csv"));
    let is_about_names = |code: &String| code == "malformed-name";
    assert!(!client.codes(&pdf, 1).iter().any(is_about_names));
    assert!(client.codes(&csv, 1).iter().any(is_about_names));
}

/// Changes by Git are not seen.
#[test]
fn changes_by_git_are_seen() {
    let repository = repository();
    repository.commit();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    repository.write("skills/pdf/SKILL.md", "no front matter");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": pdf, "type": 2 }] }));
    client.wait("a finding", |client| !client.codes_of(&pdf).is_empty());
    repository.git(&["checkout", "-q", "skills"]);
    let index = uri(&repository.path().join(".git/index"));
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": index, "type": 2 }] }));
    client.wait("no finding", |client| client.codes_of(&pdf).is_empty());
}

/// The program downloads something at start, or needs a library that is not there: it starts without an environment.
#[test]
fn the_program_needs_no_environment() {
    let program = env!("CARGO_BIN_EXE_skilltree");
    let mut child = std::process::Command::new(program)
        .args(["lsp", "--stdio"])
        .env_clear()
        .current_dir("/")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let message = |text: &str| format!("Content-Length: {}\r\n\r\n{text}", text.len());
    let input = [
        message(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#),
        message(r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#),
        message(r#"{"jsonrpc":"2.0","id":2,"method":"shutdown"}"#),
        message(r#"{"jsonrpc":"2.0","method":"exit"}"#),
    ];
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.concat().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("\"serverInfo\"") && text.contains("\"id\":2"), "{text}");
}

/// Columns are bytes, or two encodings are mixed.
#[test]
fn columns_are_utf16() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    let text = format!("{}\n\u{1f600}\u{e9} [a](references/gone.md)\n", good("pdf"));
    client.open(&pdf, &text);
    assert_eq!(client.codes(&pdf, 1), ["broken-link"]);
    let line = text.lines().count() - 1;
    let start = &client.published[&pdf].1[0]["range"]["start"];
    assert_eq!(*start, json!({ "line": line, "character": 8 }), "{start}");
}

/// A server watches files itself and takes the processor.
#[test]
fn an_idle_server_does_nothing() {
    let repository = repository();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    client.published.clear();
    repository.write("skills/pdf/SKILL.md", "no front matter");
    let start = Instant::now();
    client.listen(Duration::from_millis(500));
    assert!(client.published.is_empty() && start.elapsed() >= Duration::from_millis(500), "it watches no file itself");
}
