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

/// A plugin whose skill `fill-forms` is used everywhere.
fn plugin() -> Repository {
    let own = "\nStart with `/fill-forms FILE` or /tools:fill-forms, not /other:fill-forms. See `../fill-forms/references/a.md`.\n\n\
        ```bash\n\"${CLAUDE_PLUGIN_ROOT}/skills/fill-forms/run.sh\"\n$CLAUDE_PLUGIN_ROOT/skills/fill-forms/run.sh\n```\n";
    let hooks = r#"{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "${CLAUDE_PLUGIN_ROOT}/skills/fill-forms/run.sh" }] }] } }"#;
    let repository = Repository::new();
    repository
        .write("skills/fill-forms/SKILL.md", good("fill-forms") + own)
        .write("skills/fill-forms/references/a.md", "# A\n\n[up](../../fill-forms/SKILL.md), `/tools:fill-forms`\n")
        .write("skills/fill-forms/run.sh", "")
        .write("skills/fill-forms/agents/openai.yaml", "interface:\n  default_prompt: Use $fill-forms here.\n")
        .write("skills/csv/SKILL.md", good("csv") + "\nUse /fill-forms first.\n")
        .write(
            "skills/csv/references/x.md",
            "# X\n\n[a](../../fill-forms/references/a.md), fill-forms-2, /x/fill-forms/y\n",
        )
        .write(".claude-plugin/plugin.json", "{ \"name\": \"tools\", \"description\": \"fill-forms\" }\n")
        .write("hooks/hooks.json", hooks)
        .write("README.md", "# Skills\n\n- [fill-forms](skills/fill-forms/SKILL.md)\n")
        .write("CLAUDE.md", "Read @skills/fill-forms/SKILL.md.\n")
        .write(".claude/agents/a.md", "---\nname: fill-forms\ndescription: A.\nskills: fill-forms, csv\n---\n")
        .write(".claude/settings.json", "{ \"permissions\": { \"allow\": [\"Skill(fill-forms)\"] } }\n")
        .add();
    repository.write("AGENTS.md", "Run `/fill-forms`. It is not added yet.\n");
    repository
}

#[test]
fn renames_in_texts_of_the_whole_tree() {
    let repository = plugin();
    let top = repository.path().canonicalize().unwrap();
    let mut client = Client::new(repository.path());
    let fill = skill(&repository, "fill-forms");
    let text = std::fs::read_to_string(top.join("skills/fill-forms/SKILL.md")).unwrap();
    client.open(&fill, &text);
    client.codes(&fill, 1);
    let edit = rename(&mut client, &fill, "forms").unwrap();
    let files = [
        ("skills/fill-forms/SKILL.md", "other:fill-forms"),
        ("skills/fill-forms/references/a.md", ""),
        ("skills/fill-forms/agents/openai.yaml", ""),
        ("skills/csv/SKILL.md", ""),
        ("skills/csv/references/x.md", "fill-forms-2, /x/fill-forms/y"),
        (".claude-plugin/plugin.json", "\"fill-forms\""),
        ("hooks/hooks.json", ""),
        ("README.md", ""),
        ("CLAUDE.md", ""),
        ("AGENTS.md", ""),
        (".claude/agents/a.md", "name: fill-forms"),
        (".claude/settings.json", ""),
    ];
    for (path, kept) in files {
        let text = std::fs::read_to_string(top.join(path)).unwrap();
        let expected = text.replace(kept, "KEPT").replace("fill-forms", "forms").replace("KEPT", kept);
        let expected = if kept.is_empty() { text.replace("fill-forms", "forms") } else { expected };
        assert_eq!(edited(&edit, &uri(&top.join(path)), &text), expected, "{path}");
    }
    let moved = json!({ "oldUri": uri(&top.join("skills/fill-forms")), "newUri": uri(&top.join("skills/forms")) });
    let will = client.request("workspace/willRenameFiles", json!({ "files": [moved] })).unwrap();
    let readme = std::fs::read_to_string(top.join("README.md")).unwrap();
    assert_eq!(edited(&will, &uri(&top.join("README.md")), &readme), readme.replace("fill-forms", "forms"));
    assert_eq!(client.shown, [""; 0]);
}

#[test]
fn leaves_the_name_of_another_skill() {
    let repository = Repository::new();
    for plugin in ["a", "b"] {
        repository
            .write(&format!("{plugin}/.claude-plugin/plugin.json"), format!("{{ \"name\": \"{plugin}\" }}"))
            .write(&format!("{plugin}/skills/fill-forms/SKILL.md"), good("fill-forms"))
            .write(&format!("{plugin}/README.md"), "Run /fill-forms in skills/fill-forms.\n");
    }
    repository.write("README.md", "/fill-forms, /a:fill-forms, /b:fill-forms, a/skills/fill-forms\n").add();
    let top = repository.path().canonicalize().unwrap();
    let mut client = Client::new(repository.path());
    let fill = uri(&top.join("a/skills/fill-forms/SKILL.md"));
    client.open(&fill, &good("fill-forms"));
    client.codes(&fill, 1);
    let edit = rename(&mut client, &fill, "forms").unwrap();
    let after = |path: &str| {
        let text = std::fs::read_to_string(top.join(path)).unwrap();
        edited(&edit, &uri(&top.join(path)), &text)
    };
    assert_eq!(after("a/README.md"), "Run /forms in skills/forms.\n");
    assert_eq!(after("b/README.md"), "Run /fill-forms in skills/fill-forms.\n");
    assert_eq!(after("README.md"), "/fill-forms, /a:forms, /b:fill-forms, a/skills/forms\n");
    assert_eq!(
        client.shown,
        ["skilltree: another skill is named `fill-forms` too: the name is unchanged in README.md"]
    );
}

#[test]
fn refuses_half_an_edit() {
    let repository = repository();
    let pdf = skill(&repository, "pdf");
    for edit in [json!({}), json!({ "documentChanges": true }), json!({ "resourceOperations": ["rename"] })] {
        let capabilities = json!({ "workspace": { "workspaceEdit": edit } });
        let mut client = Client::with_capabilities(repository.path(), json!(null), capabilities);
        client.open(&pdf, &good("pdf"));
        client.codes(&pdf, 1);
        let refused = rename(&mut client, &pdf, "forms").unwrap_err();
        assert!(refused.contains("cannot rename the directory"), "{refused}");
        // Without a directory to move, no operation is needed.
        client.change(&pdf, 2, &good("pdf").replace("name: pdf", "name: other"));
        client.codes(&pdf, 2);
        rename(&mut client, &pdf, "forms").unwrap();
    }
}

#[test]
fn says_that_not_all_texts_were_searched() {
    let repository = Repository::new();
    repository.skill("skills", "pdf");
    for number in 0..2_001 {
        repository.write(&format!("docs/{number:04}.md"), "Run `/pdf`.\n");
    }
    repository.add();
    let mut client = Client::new(repository.path());
    let pdf = skill(&repository, "pdf");
    client.open(&pdf, &good("pdf"));
    client.codes(&pdf, 1);
    let edit = rename(&mut client, &pdf, "forms").unwrap();
    assert!(edit["documentChanges"].as_array().unwrap().len() > 1_900);
    let said = "skilltree: the old name was searched for in at most 2,000 Markdown files outside of skills";
    assert_eq!(client.shown, [said]);
}
