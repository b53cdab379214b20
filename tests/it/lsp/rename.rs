//! Renaming of a skill in the files that name it.

use serde_json::{Value, json};

use super::client::{Client, edited, uri};
use super::skill;
use crate::common::{Repository, good};

const README: &str =
    "# Skills\n\n[pdf](skills/pdf/SKILL.md), [csv](skills/csv/SKILL.md)\n\n- pdf\n- csv\n- pdf-tools\n";

const SETTINGS: &str = r#"
[[listing]]
file = 'README.md'
pattern = '\]\(([^)]+)\)'

[[listing]]
file = 'README.md'
pattern = '(?m)^- (.+)$'
paths = ['skills/csv', 'skills/pdf']

[[listing]]
file = '.claude-plugin/marketplace.json'
pattern = '"one", "source": "\./(skills/[^"]+)"'

[[route]]
task = 'pdf'
skills = ['pdf', 'skills/pdf', 'csv'] # 'pdf'

[[ignore]]
rule = 'empty-body'
path = 'skills/pdf/**'
reason = 'pdf'
"#;

const MARKET: &str = r#"{
  "name": "pdf",
  "owner": { "name": "pdf" },
  "plugins": [
    { "name": "all", "source": "./", "strict": false, "skills": ["./skills/pdf", "./skills/csv"] },
    { "name": "pdf", "source": "./plugins/x", "skills": ["./skills/pdf"] },
    { "name": "one", "source": "./skills/pdf" }
  ]
}
"#;

/// Renames a skill, and returns the edit.
fn rename(client: &mut Client, uri: &str, new: &str) -> Result<Value, String> {
    let position = json!({ "line": 1, "character": 7 });
    let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": new });
    client.request("textDocument/rename", params)
}

fn repository() -> Repository {
    let repository = Repository::new();
    let using = format!("{}\nRun `/pdf`, then `$pdf`. Not `/pdf-tools`, and not $pdf.\n", good("csv"));
    repository
        .skill("skills", "pdf")
        .write("skills/csv/SKILL.md", using)
        .write("plugins/x/skills/pdf/SKILL.md", good("pdf"))
        .write("README.md", README)
        .write(".claude-plugin/marketplace.json", MARKET)
        .write("skilltree.toml", SETTINGS)
        .add();
    repository
}

#[test]
fn renames_in_lists_settings_manifests_and_invocations() {
    let repository = repository();
    let top = repository.path().canonicalize().unwrap();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    let edit = rename(&mut client, &pdf, "forms").unwrap();
    let after = |path: &str| {
        let text = std::fs::read_to_string(top.join(path)).unwrap();
        edited(&edit, &uri(&top.join(path)), &text)
    };
    assert_eq!(after("README.md"), README.replace("(skills/pdf/", "(skills/forms/").replace("- pdf\n", "- forms\n"));
    let settings = SETTINGS.replace("['pdf', ", "['forms', ").replace("'skills/pdf", "'skills/forms");
    assert_eq!(after("skilltree.toml"), settings);
    let market = MARKET.replace("\"./skills/pdf\", \"./", "\"./skills/forms\", \"./");
    assert_eq!(
        after(".claude-plugin/marketplace.json"),
        market.replace("source\": \"./skills/pdf", "source\": \"./skills/forms")
    );
    let csv = after("skills/csv/SKILL.md");
    assert!(csv.contains("Run `/forms`, then `$forms`. Not `/pdf-tools`, and not $pdf."), "{csv}");
    let moved = json!({ "oldUri": uri(&top.join("skills/pdf")), "newUri": uri(&top.join("skills/forms")) });
    let will = client.request("workspace/willRenameFiles", json!({ "files": [moved] })).unwrap();
    assert_eq!(edited(&will, &uri(&top.join("skilltree.toml")), SETTINGS), settings);
    assert_eq!(edited(&will, &uri(&top.join("README.md")), README), after("README.md"));
}

#[test]
fn refuses_to_rename_next_to_a_malformed_configuration() {
    let repository = repository();
    repository.write("skilltree.toml", "[[route\n");
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    let refused = rename(&mut client, &pdf, "forms").unwrap_err();
    assert!(refused.contains("correct skilltree.toml first"), "{refused}");
}
