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
fn compares_a_thousand_commands_and_counts_the_others() {
    let repository = Repository::new();
    let commands = |count: usize| "!`git status`\n".repeat(count);
    let find = |rule: &str| found(&repository, rule, &["--target", "claude-code"]);
    let body = commands(999) + "!`make x`\n" + &commands(5);
    repository.write(".claude/skills/mail/SKILL.md", with_body("mail", &body)).add();
    let at = ".claude/skills/mail/SKILL.md";
    let text = "`allowed-tools` does not allow `make x`: Claude Code stops the skill";
    let more = "the first 1,000 commands are compared, and 5 more are not";
    let expected = [("note".to_owned(), format!("{at}: {more}")), ("warning".to_owned(), format!("{at}: {text}"))];
    let mut all = find("command-needs-approval");
    all.sort();
    assert_eq!(all, expected);
    repository.write(at, with_body("mail", &(commands(20) + "!`cat missing.md`"))).add();
    assert_eq!(find("command-needs-approval"), []);
    assert_eq!(find("command-without-file").len(), 1);
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
    // All readers take the file for a skill: it is not checked.
    let one = found(&repository, "flat-skill-file", &["--target", "pi"]);
    assert_eq!(one.len(), 1, "{one:?}");
    let both = found(&repository, "flat-skill-file", &["--target", "pi", "--target", "codex"]);
    assert_eq!(both.len(), 1, "{both:?}");
}

/// The forecast of a runtime as text.
fn forecast(repository: &Repository, target: &str) -> String {
    repository.skilltree(&["forecast", target]).stdout
}

#[test]
fn names_setting_that_hides_a_skill() {
    let repository = Repository::new();
    let settings = "{\n  \"skillOverrides\": {\n    \"off\": \"off\",\n    \"people\": \"user-invocable-only\",\n    \"name\": \"name-only\",\n    \"on\": \"on\",\n    \"gone\": \"off\"\n  }\n}\n";
    repository.write(".claude/settings.json", settings);
    for name in ["off", "people", "name", "on"] {
        repository.skill(".claude/skills", name);
    }
    repository.add();
    let text = forecast(&repository, "claude-code");
    for (name, line, what) in [("off", 3, "it"), ("people", 4, "it"), ("name", 5, "its description")] {
        let reason = format!(
            ".claude/skills/{name}\n  loaded by Claude Code: line {line} of `.claude/settings.json` excludes {what} from the list"
        );
        assert!(text.contains(&reason), "{text}");
    }
    assert!(!text.contains(".claude/skills/on\n"), "{text}");
    let told = |what: &str| {
        ("note".to_owned(), format!(".claude/settings.json: Claude Code is told to hide {what} from its model"))
    };
    let expected = [told("`off`"), told("`people`"), told("the description of `name`")];
    assert_eq!(found(&repository, "hidden-skills", &[]), expected);
    assert_eq!(found(&repository, "hidden-skills", &["--target", "codex"]), []);
}

#[test]
fn applies_settings_to_the_skills_next_to_them() {
    let repository = Repository::new();
    repository.write("web/.claude/settings.json", "{\"skillOverrides\": {\"a\": \"off\", \"a\": \"name-only\"}}");
    repository.skill(".claude/skills", "a").skill("web/.claude/skills", "a").add();
    let text = forecast(&repository, "claude-code");
    assert!(text.contains("line 1 of `web/.claude/settings.json` excludes its description from the list"), "{text}");
    assert!(!text.contains("excludes it from the list"), "{text}");
    let message = "web/.claude/settings.json: Claude Code is told to hide the description of `a` from its model";
    assert_eq!(found(&repository, "hidden-skills", &[]), [("note".to_owned(), message.to_owned())]);
}

#[test]
fn reads_settings_with_other_values_without_findings() {
    for settings in
        ["{\"skillOverrides\": []}", "{\"skillOverrides\": {\"a\": 5}}", "{\"skillOverrides\": {\"a\": \"OFF\"}}", "{"]
    {
        let repository = Repository::new();
        repository.write(".claude/settings.json", settings).skill(".claude/skills", "a").add();
        assert!(!forecast(&repository, "claude-code").contains("excludes"), "{settings}");
        assert_eq!(found(&repository, "hidden-skills", &[]), [], "{settings}");
    }
}

#[test]
fn shows_policy_file_that_hides_a_skill() {
    let repository = Repository::new();
    let policy = "policy:\n  allow_implicit_invocation: false\n";
    repository.write(".agents/skills/a/agents/openai.yaml", policy).skill(".agents/skills", "a").add();
    let text = forecast(&repository, "codex");
    assert!(text.contains("loaded by Codex: `agents/openai.yaml` excludes it from the list"), "{text}");
}

#[test]
fn says_what_an_upload_refuses() {
    let repository = Repository::new();
    let skill = "---\nname: a\ndescription: Sorts <b>mail</b>. Use when mail arrives.\n---\nSort it.\n";
    repository.write("skills/a/SKILL.md", skill).write("skills/b/SKILL.md", with_body("b", "Sort it.")).add();
    let text = forecast(&repository, "claude-api");
    assert!(text.starts_with("Claude API  1 of 2 loaded: a rejected\n"), "{text}");
    assert!(text.contains("`description` contains the XML tag `<b>`"), "{text}");
    let check = repository.skilltree(&["check"]);
    assert!(!check.stdout.contains("Claude API") && !check.stdout.contains("XML"), "{}", check.stdout);
}

#[cfg(unix)]
#[test]
fn warns_about_linked_file_that_codex_drops() {
    let repository = Repository::new();
    let link = |directory: &str| {
        repository.write("lib/a.md", with_body("a", "Sort it.")).write(&format!("{directory}/a/note.md"), "A note.");
        let path = repository.path().join(directory).join("a/SKILL.md");
        std::os::unix::fs::symlink("../../../lib/a.md", path).unwrap();
        repository.add();
        let found = found(&repository, "linked-skill", &[]);
        found.into_iter().map(|(severity, _)| severity).collect::<Vec<_>>()
    };
    assert_eq!(link(".claude/skills"), ["note"]);
    assert_eq!(link(".agents/skills"), ["warning", "note"]);
    let run = repository.skilltree(&["check", "--target", "codex"]);
    assert!(run.stdout.contains("help: link the skill directory instead, or remove `codex`"), "{}", run.stdout);
    assert!(!run.stdout.contains("replace the link with a file"), "{}", run.stdout);
}

#[test]
fn writes_tools_in_a_list_as_one_string() {
    for (list, edit) in [
        ("[Read, Grep]", "Read Grep"),
        ("[Bash(git *), Read]", "Bash(git *) Read"),
        ("[\"Bash(a: b)\", Read]", "\"Bash(a: b) Read\""),
    ] {
        let repository = Repository::new();
        let skill = format!(
            "---\nname: a\ndescription: Sorts mail. Use when mail arrives.\nallowed-tools: {list}\n---\nSort it.\n"
        );
        repository.write("skills/a/SKILL.md", &skill).add();
        let run = repository.skilltree(&["fix", "--target", "gh-skill"]);
        let fixed = std::fs::read_to_string(repository.path().join("skills/a/SKILL.md")).unwrap();
        assert!(fixed.contains(&format!("allowed-tools: {edit}\n")), "{fixed}{}", run.stderr);
        let run = repository.add().skilltree(&["check", "--target", "gh-skill"]);
        assert!(!run.stdout.contains("target-drops-skill"), "{}", run.stdout);
    }
}

#[test]
fn warns_about_copies_that_a_target_lists_twice() {
    let repository = Repository::new();
    repository.skill(".agents/skills", "a").skill(".codex/skills", "a").skill(".pi/skills", "a").add();
    let message = ".codex/skills/a/SKILL.md: `a` is already the name of `.agents/skills/a/SKILL.md`";
    let expected = ("warning".to_owned(), message.to_owned());
    assert_eq!(found(&repository, "duplicate-name", &["--target", "codex"]), [expected]);
    let run = repository.skilltree(&["check", "--target", "codex"]);
    assert!(run.stdout.contains("Codex loads both skills"), "{}", run.stdout);
    assert_eq!(found(&repository, "duplicate-name", &["--target", "pi"]), [], "pi keeps one");
    assert_eq!(found(&repository, "duplicate-name", &[]), [], "a copy for each runtime is usual");
}
