//! `skilltree lsp`, with a client in the same process.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test reads its files and fails by panicking")]

mod client;
mod complaints;
mod completion;
mod hostile;
mod rename;
mod requests;
mod workspace;

use std::time::Duration;

use serde_json::json;

use self::client::{Client, uri};
use crate::common::{Repository, good};

fn skill(repository: &Repository, name: &str) -> String {
    uri(&repository.path().canonicalize().unwrap().join(format!("skills/{name}/SKILL.md")))
}

fn with_name(text: &str, name: &str) -> String {
    let rest: Vec<&str> = text.lines().filter(|line| !line.starts_with("name:")).skip(1).collect();
    format!("---\nname: {name}\n{}\n", rest.join("\n"))
}

#[test]
fn publishes_findings_with_versions_and_clears_them() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    assert_eq!(client.codes(&pdf, 1), [""; 0]);
    client.change(&pdf, 2, &with_name(&good("pdf"), "Pdf"));
    assert!(client.codes(&pdf, 2).contains(&"malformed-name".to_owned()), "{:?}", client.published);
    let diagnostic = &client.published[&pdf].1[0];
    assert_eq!(diagnostic["source"], "skilltree");
    assert_eq!(diagnostic["range"]["start"], json!({ "line": 1, "character": 6 }));
    assert!(diagnostic["codeDescription"]["href"].as_str().unwrap().starts_with("https://"), "{diagnostic}");
    client.change(&pdf, 3, &good("pdf"));
    assert_eq!(client.codes(&pdf, 3), [""; 0]);
    assert!(client.end());
}

#[test]
fn two_files_with_one_name_both_get_it_and_both_lose_it() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").skill("skills", "csv").add();
    let mut client = Client::new(repository.path());
    let (pdf, csv) = (skill(&repository, "pdf"), skill(&repository, "csv"));
    client.open(&pdf, &good("pdf"));
    client.open(&csv, &good("csv"));
    client.codes(&csv, 1);
    client.change(&csv, 2, &with_name(&good("csv"), "pdf"));
    assert!(client.codes(&csv, 2).contains(&"duplicate-name".to_owned()), "{:?}", client.published);
    client.wait("the other file", |client| client.codes_of(&pdf).contains(&"duplicate-name".to_owned()));
    let related =
        &client.published[&csv].1.iter().find(|one| one["code"] == "duplicate-name").unwrap()["relatedInformation"];
    assert_eq!(related[0]["location"]["uri"], pdf.as_str(), "{related}");
    client.change(&csv, 3, &good("csv"));
    assert_eq!(client.codes(&csv, 3), [""; 0]);
    client.wait("the other file", |client| client.codes_of(&pdf).is_empty());
}

#[test]
fn files_that_are_not_open_get_findings_too() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skills/csv/SKILL.md", "no front matter").add();
    let mut client = Client::new(repository.path());
    let csv = skill(&repository, "csv");
    client.wait("a file that is not open", |client| !client.codes_of(&csv).is_empty());
    assert_eq!(client.published[&csv].0, None, "it has no version");
    repository.skill("skills", "csv");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": csv, "type": 2 }] }));
    client.wait("the change on disk", |client| client.codes_of(&csv).is_empty());
    assert!(client.asked.contains(&"client/registerCapability".to_owned()));
}

#[test]
fn checks_new_files_that_are_not_saved() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let new = skill(&repository, "new");
    client.open(&new, &good("pdf"));
    let codes = client.codes(&new, 1);
    assert!(codes.contains(&"duplicate-name".to_owned()), "{codes:?}");
    let settings = uri(&repository.path().canonicalize().unwrap().join("skilltree.toml"));
    client.open(&settings, "[rules]\nduplicate-name = \"off\"\nname-differs-from-directory = \"off\"\n");
    client.wait("the new settings", |client| client.codes_of(&new).is_empty());
    client.close(&settings);
    client.wait("without them", |client| client.codes_of(&new).contains(&"duplicate-name".to_owned()));
    client.close(&new);
    client.wait("without the file", |client| client.codes_of(&new).is_empty());
}

#[test]
fn drops_stale_results() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    for version in 2..40 {
        client.change(&pdf, version, &with_name(&good("pdf"), &format!("pdf-{version}")));
    }
    client.change(&pdf, 40, &good("pdf"));
    let mut seen = Vec::new();
    client.wait("the last version", |client| client.published[&pdf].0 == Some(40));
    seen.extend(client.codes_of(&pdf));
    assert_eq!(seen, [""; 0]);
    client.listen(Duration::from_millis(400));
    assert_eq!(client.published[&pdf].0, Some(40), "nothing older comes later");
}

/// The states of a new skill that is typed, each with a pause: what is said about them.
#[test]
fn says_nothing_premature_about_a_typed_skill() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let mut client = Client::new(repository.path());
    let new = skill(&repository, "csv-tables");
    client.open(&new, "");
    client.codes(&new, 1);
    let text = good("csv-tables") + "\n```sh\ncut -f1 x\n```\n\n~~~\nx\n~~~\n";
    let mut said = Vec::new();
    let mut version = 1;
    for (end, _) in text.char_indices().filter(|(at, _)| at % 3 == 0).chain([(text.len(), ' ')]) {
        version += 1;
        client.change(&new, version, &text[..end]);
        let codes = client.codes(&new, version);
        if said.last().is_none_or(|(_, last)| *last != codes) {
            said.push((text[..end].replace('\n', "|"), codes));
        }
    }
    assert_eq!(said, [(String::new(), Vec::new())], "what an unsaved file merely lacks is no finding");
    // The same text on disk is finished.
    repository.write("skills/csv-tables/SKILL.md", "---\nname: csv-tables\n---\n");
    client.change(&new, version + 1, "---\nname: csv-tables\n---\n");
    client.codes(&new, version + 1);
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": new } }));
    client.wait("what it lacks", |client| client.codes_of(&new).contains(&"missing-description".to_owned()));
}
