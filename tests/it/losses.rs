//! Losses that a run could hide: an unchecked limit, a skipped skill, a setting that breaks a later run.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use crate::common::{Repository, good};

/// A repository with a skill in `.claude/skills` and settings.
fn repository(settings: &str) -> Repository {
    let repository = Repository::new();
    repository.skill(".claude/skills", "pdf").write("skilltree.toml", settings).add();
    repository
}

/// Returns the findings of a check, one per line.
fn findings(repository: &Repository, arguments: &[&str]) -> String {
    repository.skilltree(&[&["check", "--quiet", "--format", "concise"], arguments].concat()).stdout
}

#[test]
fn cost_fails_on_invalid_limit() {
    assert_eq!(repository("[limits]\nlist-tokens = 100000\n").skilltree(&["cost"]).status, 0);
    for settings in ["[limits]\nlist-tokns = 1\n", "[limits]\nentry-tokens = 0\n"] {
        let run = repository(settings).skilltree(&["cost"]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stderr.contains("skilltree.toml:2"), "{}", run.stderr);
    }
}

#[test]
fn check_reports_missing_and_binary_template() {
    let missing = repository("[prompt]\ntemplate = \"no.md\"\n");
    let expected = "skilltree.toml:2:13: error[invalid-configuration] the template `no.md` does not exist, so no prompt block can be built";
    assert_eq!(findings(&missing, &[]).trim(), expected);
    let binary = repository("[prompt]\ntemplate = \"block.md\"\n");
    binary.write("block.md", b"\xff".as_slice()).add();
    assert!(findings(&binary, &[]).contains("the template `block.md` is not UTF-8"));
}

#[test]
fn condition_on_files_sees_the_skill_file() {
    let rule = |file: &str| format!("[[require]]\nid = \"acme/f\"\nfile = {{ {file} }}\n");
    let count = |file: &str| findings(&repository(&rule(file)), &[]).lines().count();
    assert_eq!(count("path = \"SKILL.md\", required = true"), 0);
    assert_eq!(count("path = \"*.md\", required = true"), 0);
    assert_eq!(count("path = \"LICENSE\", required = true"), 1);
    assert_eq!(count("path = \"SKILL.md\", forbidden = true"), 1);
    assert_eq!(count("path = \"**\", max-bytes = 10"), 1);
    assert_eq!(count("path = \"**\", max-bytes = 10000"), 0);
}

#[test]
fn repeated_policy_rule_is_not_loosened() {
    let policy = |name: &str| {
        format!("[[require]]\nid = \"acme/x\"\nkey = {{ name = \"{name}\", required = true }}\nseverity = \"note\"\n")
    };
    let repository = repository("extends = \"policy/org.toml\"\n");
    repository.write("policy/org.toml", policy("license")).write("other.toml", policy("version")).add();
    let loosened = |policy: &str| findings(&repository, &["--policy", policy]).matches("loosened-policy").count();
    assert_eq!(loosened("policy/org.toml"), 0);
    assert_eq!(loosened("other.toml"), 1);
}

#[test]
fn prompt_names_skipped_and_shadowed_skills() {
    let repository = repository("");
    let disabled = |value: &str| {
        good("plan").replacen("name: plan\n", &format!("name: plan\ndisable-model-invocation: {value}\n"), 1)
    };
    repository.skill(".agents/skills", "pdf").write(".claude/skills/plan/SKILL.md", disabled("true")).add();
    let run = repository.skilltree(&["prompt"]);
    assert_eq!(run.stderr.matches("skipped `plan`: `disable-model-invocation` is true").count(), 1, "{}", run.stderr);
    assert_eq!(run.stderr.matches("shadowed").count(), 0, "a copy loses nothing: {}", run.stderr);
    repository.write(".agents/skills/pdf/SKILL.md", format!("{}\nMore.\n", good("pdf"))).add();
    let run = repository.skilltree(&["prompt"]);
    assert_eq!(run.stderr.matches("shadowed pdf").count(), 1, "{}", run.stderr);
    // Claude Code reads `1` as true.
    repository.write(".claude/skills/plan/SKILL.md", disabled("1")).add();
    assert!(!repository.skilltree(&["prompt"]).stdout.contains("plan"));
}

#[test]
fn rejects_skill_as_external_directory() {
    let other = Repository::new();
    other.skill("skills", "csv");
    let skill = other.path().join("skills/csv");
    let run = repository("").skilltree(&["prompt", "--external", skill.to_str().unwrap()]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("is a skill, not a skills directory"), "{}", run.stderr);
}

/// Returns the help of each finding of a rule, with its directory.
fn help(repository: &Repository, rule: &str) -> Vec<String> {
    let run = repository.skilltree(&["check", "--quiet", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = document["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == rule);
    findings.map(|finding| finding["help"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn manifest_edits_start_at_the_package_or_marketplace() {
    let grouped = Repository::new();
    grouped.skill("skills/eng", "pdf").skill("skills/eng", "csv");
    grouped.write(".claude-plugin/plugin.json", "{\"name\": \"p\", \"skills\": [\"./skills/eng/\"]}").add();
    let edit = "add the directory of each skill to the list: `./skills/eng/csv`, `./skills/eng/pdf`";
    grouped.write("skilltree.toml", "targets = [\"qwen-code\"]\n").add();
    assert_eq!(help(&grouped, "hidden-skills"), [edit]);

    let shared = Repository::new();
    shared.skill("skills", "a").skill("skills", "b").skill("skills", "c");
    let entry =
        |name: &str| format!(r#"{{"name": "{name}", "source": "./", "strict": false, "skills": ["./skills/{name}"]}}"#);
    let market = |entries: &str| format!(r#"{{"name": "m", "owner": {{"name": "A"}}, "plugins": [{entries}]}}"#);
    let entries = [entry("a"), entry("b")].join(", ");
    shared.write(".claude-plugin/marketplace.json", market(&entries)).add();
    let edits = help(&shared, "hidden-skills");
    assert!(!edits.is_empty() && edits.iter().all(|edit| edit.ends_with("to the list: `./skills/c`")), "{edits:?}");

    let outside = Repository::new();
    outside.skill("plugins/p/skills", "a").write("plugins/p/.claude-plugin/plugin.json", "{\"name\": \"p\"}");
    let entry = r#"{"name": "p", "source": "../plugins/p"}"#;
    outside.write(".claude-plugin/marketplace.json", market(entry)).add();
    assert_eq!(help(&outside, "unusable-plugin-manifest"), ["write `./plugins/p`; sources start at the marketplace"]);
}

#[test]
fn skill_of_another_plugin_is_copied() {
    let repository = Repository::new();
    let market = r#"{"name": "m", "owner": {"name": "A"}, "plugins": [{"name": "x", "source": "./plugins/x"}]}"#;
    repository.skill("plugins/x/skills", "pdf").write("gemini-extension.json", r#"{"name": "m", "version": "1.0.0"}"#);
    repository.add();
    assert_eq!(help(&repository, "skill-outside-plugin"), ["move it to `skills/pdf`"]);
    repository.write(".claude-plugin/marketplace.json", market).add();
    assert_eq!(help(&repository, "skill-outside-plugin"), ["copy it to `skills/pdf`"]);
    repository.write("skilltree.toml", "targets = [\"gemini-cli\"]\n").add();
    assert_eq!(help(&repository, "skill-outside-plugin"), ["copy it to `skills/pdf`"]);
}
