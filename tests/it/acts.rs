//! What runtimes act on in a body, where a page cannot show it: other findings are next to it.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use crate::common::Repository;
use serde_json::Value;

/// A skill with a body.
fn with_body(name: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: Sorts mail for {name}. Use when mail arrives.\n---\n{body}\n")
}

/// The findings of a rule as `PATH: MESSAGE`, with the severity.
fn found(repository: &Repository, rule: &str, arguments: &[&str]) -> Vec<(String, String)> {
    let run = repository.skilltree(&[&["check", "--format", "json"], arguments].concat());
    let document: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    let findings = document["findings"].as_array().unwrap().iter().filter(|finding| finding["rule"] == rule);
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    findings
        .map(|finding| {
            let shown = format!("{}: {}", text(finding, "path"), text(finding, "message"));
            (text(finding, "severity"), shown)
        })
        .collect()
}

#[test]
fn reports_directory_of_plugin_only_where_runtime_finds_the_skill() {
    let repository = Repository::new();
    let body = with_body("post", "Read `${CLAUDE_PLUGIN_ROOT}/words.txt`.");
    repository.write("plugins/mail/skills/post/SKILL.md", &body).write(".claude/skills/post/SKILL.md", &body).add();
    let expected = (
        "warning".to_owned(),
        ".claude/skills/post/SKILL.md: `${CLAUDE_PLUGIN_ROOT}` stays text in Claude Code".to_owned(),
    );
    assert_eq!(found(&repository, "unexpanded-placeholder", &["--target", "claude-code"]), [expected]);
}

#[test]
fn reports_arguments_as_note() {
    let repository = Repository::new();
    repository.write(".agents/skills/post/SKILL.md", with_body("post", "Sort $ARGUMENTS.")).add();
    let expected =
        ("note".to_owned(), ".agents/skills/post/SKILL.md: `$ARGUMENTS` stays text in Codex and pi".to_owned());
    assert_eq!(found(&repository, "unexpanded-placeholder", &["--target", "codex", "--target", "pi"]), [expected]);
    assert_eq!(found(&repository, "unexpanded-placeholder", &[]), [], "opencode replaces it");
}

#[test]
fn names_every_runtime_that_replaces_a_variable() {
    let repository = Repository::new();
    repository.write(".claude/skills/post/SKILL.md", with_body("post", "Run `ps | awk '{print $1}'`.")).add();
    let message = ".claude/skills/post/SKILL.md: a variable of an awk program is replaced with an argument by Claude Code, opencode, Kilo Code and Warp";
    assert_eq!(found(&repository, "replaced-variable", &[]), [("warning".to_owned(), message.to_owned())]);
    assert_eq!(found(&repository, "replaced-variable", &["--target", "codex"]), []);
}

#[test]
fn names_runtimes_that_read_a_flat_file() {
    let repository = Repository::new();
    repository.write(".pi/skills/review.md", with_body("review", "Review it.")).skill(".pi/skills", "good").add();
    assert_eq!(found(&repository, "flat-skill-file", &["--target", "pi"]), []);
    let both = found(&repository, "flat-skill-file", &["--target", "pi", "--target", "codex"]);
    assert_eq!(both.len(), 1, "{both:?}");
}
