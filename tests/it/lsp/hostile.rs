//! Clients that send nonsense, and repositories that are hostile: the server answers, or says what is wrong, and lives.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use skilltree_lsp::{Checked, Opened, Opener, Refusal, Repository as Checker, Texts};

use super::client::{Client, uri};
use super::{skill, with_name};
use crate::common::{Repository, good};

/// Asserts that the server still checks.
fn assert_lives(client: &mut Client, repository: &Repository, version: i64) {
    let pdf = skill(repository, "pdf");
    client.change(&pdf, version, &with_name(&good("pdf"), "PDF"));
    assert!(!client.codes(&pdf, version).is_empty());
}

#[test]
fn answers_nonsense_of_a_client() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    for method in ["textDocument/hover", "textDocument/codeAction", "textDocument/rename", "textDocument/completion"] {
        for params in [
            json!(null),
            json!([1]),
            json!({ "textDocument": 7 }),
            json!({ "textDocument": { "uri": pdf } }),
            json!({ "textDocument": { "uri": "file:///%00" }, "position": { "line": -1 } }),
            json!({ "textDocument": { "uri": pdf }, "position": { "line": u32::MAX, "character": u32::MAX } }),
            json!({ "textDocument": { "uri": "file:///etc/passwd" }, "position": { "line": 0, "character": 0 } }),
        ] {
            let answer = client.request(method, params.clone());
            assert!(!format!("{answer:?}").contains("root:"), "{method} {params}");
        }
    }
    assert!(client.request("no/method", json!({})).unwrap_err().starts_with("-32601"));
    assert!(client.request("initialize", json!({})).unwrap_err().starts_with("-32600"));
    for method in ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "$/cancelRequest", "x"] {
        client.notify(method, json!({ "textDocument": 7 }));
    }
    client.change("file:///never/opened", 1, "x");
    client.change(&pdf, 2, "\0\u{feff}---\n\u{202e}");
    client.codes(&pdf, 2);
    assert_lives(&mut client, &repository, 3);
    assert!(client.end());
}

#[test]
fn requires_initialization_and_an_orderly_end() {
    let mut client = Client::start(skilltree::serve);
    assert!(client.request("textDocument/hover", json!({})).unwrap_err().starts_with("-32002"));
    client
        .request("initialize", json!({ "capabilities": 7, "workspaceFolders": [7], "initializationOptions": [] }))
        .unwrap();
    client.request("shutdown", Value::Null).unwrap();
    assert!(client.request("textDocument/hover", json!({})).unwrap_err().starts_with("-32600"));
}

#[test]
fn says_that_a_file_is_too_large() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &format!("{}{}", good("pdf"), "x".repeat(17 << 20)));
    client.wait("a message", |client| client.shown.iter().any(|shown| shown.contains("larger than 16 MiB")));
    client.change(&pdf, 2, &format!("{}{}", good("pdf"), "x".repeat(2 << 20)));
    assert!(!client.codes(&pdf, 2).is_empty(), "over the limit of a SKILL.md");
    assert_lives(&mut client, &repository, 3);
}

#[test]
fn says_that_too_many_folders_are_open() {
    let repositories: Vec<Repository> = (0..65).map(|_| Repository::new()).collect();
    let folders: Vec<Value> =
        repositories.iter().map(|repository| json!({ "uri": uri(repository.path()), "name": "x" })).collect();
    let added = |folders: &[Value]| json!({ "event": { "added": folders, "removed": [] } });
    for (first, later) in [(&folders[..], None), (&folders[..1], Some(&folders[..]))] {
        let mut client = Client::start(skilltree::serve);
        client.request("initialize", json!({ "capabilities": {}, "workspaceFolders": first })).unwrap();
        client.notify("initialized", json!({}));
        if let Some(later) = later {
            client.notify("workspace/didChangeWorkspaceFolders", added(later));
        }
        client.wait("a message", |client| client.shown.iter().any(|shown| shown.contains("more than 64 repositories")));
    }
}

#[test]
fn keeps_the_last_good_configuration() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skilltree.toml", "[rules]\nmalformed-name = \"off\"\n").add();
    let mut client = Client::new(repository.path());
    let settings = uri(&repository.path().canonicalize().unwrap().join("skilltree.toml"));
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &with_name(&good("pdf"), "Pdf"));
    let before = client.codes(&pdf, 1);
    client.open(&settings, "[rules\n");
    assert_eq!(client.codes(&settings, 1), ["invalid-configuration"]);
    assert_eq!(client.codes_of(&pdf), before);
    client.change(&settings, 2, "[rules]\nmalformed-name = \"error\"\n");
    assert_eq!(client.codes(&settings, 2), [""; 0]);
    client.wait("the new configuration", |client| client.codes_of(&pdf).contains(&"malformed-name".to_owned()));
}

#[test]
fn reports_a_configuration_that_was_never_good() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skilltree.toml", "nonsense").add();
    let mut client = Client::new(repository.path());
    let settings = uri(&repository.path().canonicalize().unwrap().join("skilltree.toml"));
    client.wait("its finding", |client| client.codes_of(&settings) == ["invalid-configuration"]);
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    assert_ne!(client.at("textDocument/hover", &pdf, 1, 1).unwrap(), Value::Null, "the defaults are in force");
    repository.write("skilltree.toml", "");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    client.wait("no finding", |client| client.codes_of(&settings).is_empty());
}

#[test]
fn follows_no_link_out_of_the_repository() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let secret = repository.path().parent().unwrap().join("secret-of-the-test.md");
    std::fs::write(&secret, "TOP SECRET").unwrap();
    std::os::unix::fs::symlink(&secret, repository.path().join("skills/pdf/secret.md")).unwrap();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &format!("{}\n[s](secret.md)\n", good("pdf")));
    client.codes(&pdf, 1);
    for method in ["textDocument/hover", "textDocument/definition", "textDocument/references"] {
        let answer = format!("{:?}", client.at(method, &pdf, 0, 0));
        assert!(!answer.contains("TOP SECRET"), "{answer}");
    }
    std::fs::remove_file(secret).unwrap();
}

/// Opens repositories whose check panics.
struct Panicking;

impl Opener for Panicking {
    fn open(&self, _: &Path) -> Result<Opened, Refusal> {
        Err(Refusal { is_outside: true, ..Refusal::default() })
    }

    fn open_directory(&self, _: &Path) -> Opened {
        unreachable!("no file is opened")
    }

    fn untitled(&self) -> Box<dyn Checker> {
        Box::new(Self)
    }
}

impl Checker for Panicking {
    fn check(&mut self, texts: &Texts) -> Result<Arc<Checked>, Refusal> {
        match texts.values().any(|text| text.ends_with(b"panic")) {
            true => panic!("as the test wants"),
            false => Err(Refusal { message: "refused".to_owned(), ..Refusal::default() }),
        }
    }

    fn forget(&mut self) {}
}

#[test]
fn survives_a_panic() {
    let mut client = Client::start(|connection| skilltree_lsp::serve(connection, Box::new(Panicking)));
    client.request("initialize", json!({ "capabilities": {} })).unwrap();
    client.open("untitled:a", "---\nname: a\npanic");
    client.wait("a message", |client| {
        client.shown.iter().any(|shown| shown.contains("bug") && shown.contains("as the test wants"))
    });
    assert_eq!(client.at("textDocument/hover", "untitled:a", 0, 0).unwrap(), Value::Null);
    client.change("untitled:a", 2, "---\nname: a\n");
    client.wait("another message", |client| client.shown.iter().any(|shown| shown.contains("refused")));
    assert!(client.end());
}
