//! `cost`: the tokens of skills, lists and packages, the limits, and what to cut.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use serde_json::{Value, json};

use crate::common::Repository;

/// A skill with a description and a body of these code points, each of two bytes.
fn skill(name: &str, description: usize, body: usize) -> String {
    format!("---\nname: {name}\ndescription: {}\n---\n{}\n", "é".repeat(description), "ü".repeat(body))
}

/// In the list of Claude Code, an entry is `- NAME: DESCRIPTION` and a line break: 81 code points of `pdf`, 33 of `csv`.
fn small() -> Repository {
    let repository = Repository::new();
    repository.write(".claude/skills/pdf/SKILL.md", skill("pdf", 73, 403));
    repository.write(".claude/skills/pdf/references/forms.md", "é".repeat(41));
    repository.write(".claude/skills/pdf/references/more.md", "é".repeat(40));
    repository.write(".claude/skills/csv/SKILL.md", skill("csv", 25, 3));
    repository
}

/// The JSON of a run, which matches the schema, and its exit status.
fn cost(repository: &Repository, arguments: &[&str]) -> (i32, Value) {
    let run = repository.skilltree(&[&["cost", "--format", "json"], arguments].concat());
    let document: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let schema = serde_json::from_str(include_str!("../../schema/cost.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "the output matches the schema");
    (run.status, document)
}

/// The text of a run without its line breaks, and its exit status.
fn text(repository: &Repository, arguments: &[&str]) -> (i32, String) {
    let run = repository.skilltree(&[&["cost"], arguments].concat());
    (run.status, run.stdout.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn counts_entry_body_and_references() {
    let (status, document) = cost(&small(), &["claude-code"]);
    assert_eq!(status, 0);
    let entry = |tokens: u64| json!({ "target": "claude-code", "tokens": tokens });
    let pdf = json!({
        "path": ".claude/skills/pdf/SKILL.md", "always_on": entry(21), "body_tokens": 101, "reference_tokens": 11 + 10,
        "references": 2, "unread_references": 0, "entries": [entry(21)],
    });
    let csv = json!({
        "path": ".claude/skills/csv/SKILL.md", "always_on": entry(9), "body_tokens": 1, "reference_tokens": 0,
        "references": 0, "unread_references": 0, "entries": [entry(9)],
    });
    assert_eq!(document["skills"], json!([pdf, csv]), "the larger entry is first");
    let list = &document["lists"][0];
    assert_eq!((&list["skills"], &list["tokens"], &list["own"]), (&json!(2), &json!(29), &json!(114)), "{list}");
    assert_eq!(list["own"].as_u64().unwrap() + list["bundled"].as_u64().unwrap(), list["wanted"].as_u64().unwrap());
    assert_eq!(document["over"], json!([]));
}

#[test]
fn text_has_a_line_per_skill_and_the_parts_of_the_list() {
    let run = small().skilltree(&["cost", "claude-code"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let table = [
        "always on  on load  with references",
        "       21      101              122  .claude/skills/pdf",
        "        9        1                1  .claude/skills/csv",
        "       30      102              123  all 2 skills",
        "",
    ];
    assert_eq!(lines[..5], table);
    assert!(
        lines[5].starts_with("Claude Code lists .claude/skills: 2 skills in about 29 tokens; yours 114 + bundled ")
    );
    assert!(run.stdout.contains("estimated tokens: one per four characters"), "{}", run.stdout);
    let (_, only) = text(&small(), &["claude-code", ".claude/skills/csv"]);
    assert!(only.contains(".claude/skills/csv") && !only.contains("skills/pdf"), "{only}");
}

#[test]
fn plugin_has_its_own_list_and_its_prefix_counts() {
    let repository = small();
    repository.write("plugins/post/.claude-plugin/plugin.json", r#"{"name": "post"}"#);
    repository.write("plugins/post/skills/send/SKILL.md", skill("send", 84, 8));
    let (_, document) = cost(&repository, &["claude-code"]);
    let lists = document["lists"].as_array().unwrap();
    let package = lists.iter().find(|list| list["package"] == "plugins/post").unwrap();
    // `- post:send: ` and a line break are 14 code points.
    assert_eq!((&package["tokens"], &package["own"]), (&json!(25), &json!(98)), "{package}");
    let (_, text) = text(&repository, &["claude-code"]);
    assert!(
        text.contains("Claude Code lists plugin post (plugins/post): 1 skill in about 25 tokens; yours 98 "),
        "{text}"
    );
}

#[test]
fn fails_over_a_limit_only() {
    let repository = small();
    let limits = |entry: u64, list: u64, skill: u64| {
        let text = format!("[limits]\nentry-tokens = {entry}\nlist-tokens = {list}\nskill-tokens = {skill}\n");
        repository.write("skilltree.toml", text);
    };
    limits(21, 29, 122);
    assert_eq!(text(&repository, &["claude-code"]).0, 0);
    limits(20, 28, 121);
    let (status, document) = cost(&repository, &["claude-code"]);
    assert_eq!(status, 1);
    let path = ".claude/skills/pdf/SKILL.md";
    let over = json!([
        { "limit": "skill-tokens", "most": 121, "tokens": 122, "path": path, "target": null, "roots": [] },
        { "limit": "list-tokens", "most": 28, "tokens": 29, "path": null, "target": "claude-code", "roots": [".claude/skills"] },
        { "limit": "entry-tokens", "most": 20, "tokens": 21, "path": path, "target": null, "roots": [] },
    ]);
    assert_eq!(document["over"], over, "the largest first");
    let (status, words) = text(&repository, &["claude-code"]);
    let line = "over limits.list-tokens: about 29 tokens in the list of .claude/skills in Claude Code; the limit is 28";
    assert!(status == 1 && words.contains(line), "{words}");
    let (status, words) = text(&repository, &["claude-code", ".claude/skills/csv"]);
    assert!(status == 1 && words.contains("limits.list-tokens") && !words.contains("limits.skill-tokens"), "{words}");
    assert_eq!(repository.skilltree(&["check", "-q"]).status, 0, "no rule knows these limits");
}

#[test]
fn says_what_to_cut_and_what_is_not_shown() {
    let repository = Repository::new();
    for number in 100..300 {
        repository.write(&format!(".claude/skills/s{number}/SKILL.md"), skill(&format!("s{number}"), 900, 8));
    }
    let (status, words) = text(&repository, &["claude-code"]);
    assert!(status == 0 && words.contains("to list all remaining skills in full, shorten"), "{words}");
    assert!(words.contains("180 more skills: skilltree cost --all") && words.contains("all 200 skills"), "{words}");
    let (_, words) = text(&repository, &["claude-code", "--all"]);
    assert!(words.contains(".claude/skills/s299") && !words.contains("more skills"), "{words}");
}

#[test]
fn names_reference_files_that_are_not_read() {
    let repository = small();
    repository.write("skilltree.toml", "[limits]\nreference-file-bytes = 81\n");
    let (_, document) = cost(&repository, &["claude-code"]);
    let pdf = &document["skills"][0];
    assert_eq!((&pdf["reference_tokens"], &pdf["unread_references"]), (&json!(10), &json!(1)));
    let (_, words) = text(&repository, &["claude-code"]);
    assert!(words.contains(".claude/skills/pdf (1 reference file not read)"), "{words}");
}

#[cfg(unix)]
#[test]
fn counts_a_linked_skill_once() {
    let repository = Repository::new();
    repository.skill("shared", "pdf").skill(".claude/skills", "csv");
    std::os::unix::fs::symlink("../../shared/pdf", repository.path().join(".claude/skills/pdf")).unwrap();
    std::fs::create_dir_all(repository.path().join(".agents")).unwrap();
    std::os::unix::fs::symlink("../.claude/skills", repository.path().join(".agents/skills")).unwrap();
    repository.skill(".cursor/skills", "own");
    std::os::unix::fs::symlink("../../shared/pdf", repository.path().join(".cursor/skills/pdf")).unwrap();
    repository.add();
    let (_, document) = cost(&repository, &[]);
    let skills = document["skills"].as_array().unwrap().iter();
    let paths: Vec<&str> = skills.map(|one| one["path"].as_str().unwrap()).collect();
    assert_eq!(paths.iter().filter(|path| path.contains("pdf")).count(), 1, "{paths:?}");
    assert_eq!(paths.len(), 3, "{paths:?}");
}
