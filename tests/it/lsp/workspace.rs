//! Folders, files that an editor cannot show as they are, and configurations that are not in force.

use serde_json::json;

use super::client::{Client, edited, uri};
use super::{skill, with_name};
use crate::common::{Repository, good};

#[test]
fn clears_diagnostics_of_removed_folder() {
    let (repository, other) = (Repository::new(), Repository::new());
    repository.write("skills/pdf/SKILL.md", "no front matter").add();
    other.write("skills/csv/SKILL.md", "no front matter").add();
    let mut client = Client::new(repository.path());
    let (pdf, csv) = (skill(&repository, "pdf"), skill(&other, "csv"));
    client.wait("its findings", |client| !client.codes_of(&pdf).is_empty());
    let folder = |repository: &Repository| json!([{ "uri": uri(repository.path()), "name": "x" }]);
    let changed = |added, removed| json!({ "event": { "added": added, "removed": removed } });
    client.notify("workspace/didChangeWorkspaceFolders", changed(folder(&other), folder(&repository)));
    client.wait("the other folder", |client| client.codes_of(&pdf).is_empty() && !client.codes_of(&csv).is_empty());
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    client.open(&csv, &good("csv"));
    client.wait("a check", |client| client.codes_of(&csv).is_empty());
    assert_eq!(client.codes_of(&pdf), [""; 0], "it is not checked any more");
    client.notify("workspace/didChangeWorkspaceFolders", changed(folder(&repository), json!([])));
    client.wait("the folder again", |client| !client.codes_of(&pdf).is_empty());
}

#[test]
fn clears_diagnostics_with_the_last_document_outside_of_folders() {
    let (repository, other) = (Repository::new(), Repository::new());
    repository.skill("skills", "pdf").add();
    other.write("skills/csv/SKILL.md", "no front matter").write("skills/pdf/SKILL.md", "no front matter").add();
    let mut client = Client::new(repository.path());
    let (pdf, csv) = (skill(&other, "pdf"), skill(&other, "csv"));
    client.open(&csv, "no front matter");
    client.wait("the findings", |client| !client.codes_of(&pdf).is_empty());
    client.close(&csv);
    client.wait("none", |client| client.codes_of(&pdf).is_empty() && client.codes_of(&csv).is_empty());
}

#[test]
fn keeps_error_of_open_file_that_is_not_utf8() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let bytes = good("pdf").replace("Use when", "Use, na\u{ef}ve, when");
    let latin: Vec<u8> = bytes.chars().map(|character| character as u8).collect();
    let path = repository.path().join("skills/pdf/SKILL.md");
    std::fs::write(&path, &latin).unwrap();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &String::from_utf8_lossy(&latin));
    assert_eq!(client.codes(&pdf, 1), ["not-utf-8"]);
    std::fs::write(&path, bytes).unwrap();
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": pdf } }));
    client.change(&pdf, 2, &good("pdf"));
    assert_eq!(client.codes(&pdf, 2), [""; 0]);
}

#[test]
fn publishes_nothing_at_a_directory() {
    let repository = Repository::new();
    let settings = "targets = [\"goose\"]\n\n[[root]]\npath = \"gone\"\n\n[[root]]\npath = \"skills\"\n";
    repository.skill("skills", "pdf").write("skilltree.toml", settings).add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &with_name(&good("pdf"), "Pdf"));
    let codes = client.codes(&pdf, 1);
    for address in client.published.keys() {
        let path = address.strip_prefix("file://").unwrap();
        assert!(std::path::Path::new(path).is_file(), "{:#?}", client.published);
    }
    assert!(codes.contains(&"unread-root".to_owned()), "{codes:?}");
    let message = client.published[&pdf].1.iter().find(|one| one["code"] == "unread-root").unwrap();
    assert!(message["message"].as_str().unwrap().starts_with("skills: "), "{message}");
}

#[test]
fn checks_with_defaults_next_to_a_configuration_that_was_never_good() {
    for (settings, message) in [
        ("extends = \"org.toml\"\n", "the policy `org.toml` that `extends` names does not exist"),
        ("extends = \"org.toml\n", ""),
    ] {
        let repository = Repository::new();
        repository.skill("skills", "pdf").write("skilltree.toml", settings).add();
        let mut client = Client::new(repository.path());
        let toml = uri(&repository.path().canonicalize().unwrap().join("skilltree.toml"));
        let pdf = skill(&repository, "pdf");
        let text = good("pdf").replace("what pdf says.", "what: pdf says.");
        client.open(&pdf, &text);
        assert_eq!(client.codes(&pdf, 1), ["invalid-yaml"]);
        client.wait("its finding", |client| client.codes_of(&toml) == ["invalid-configuration"]);
        let found = &client.published[&toml].1[0]["message"];
        assert!(found.as_str().unwrap().starts_with(message), "{found}");
        let actions = client.actions(&pdf, 0..0, Some("source.fixAll"));
        assert!(edited(&actions[0]["edit"], &pdf, &text).contains("\"Does what: pdf"), "{actions:?}");
        repository.write("skilltree.toml", "[rules]\ninvalid-yaml = \"off\"\n");
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
        client
            .wait("the configuration", |client| client.codes_of(&toml).is_empty() && client.codes_of(&pdf).is_empty());
    }
}
