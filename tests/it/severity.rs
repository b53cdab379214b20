//! Severity by evidence: which findings fail a first run without configuration.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use crate::common::Repository;
use serde_json::Value;

/// A repository with some files, all of them staged.
fn repository(files: &[(&str, &str)]) -> Repository {
    let repository = Repository::new();
    for (path, text) in files {
        repository.write(path, text);
    }
    repository.add();
    repository
}

fn skill(name: &str, more: &str) -> String {
    format!(
        "---\nname: {name}\ndescription: Reads forms. Use when a form has to be read.\n{more}---\n\nRead the form.\n"
    )
}

/// The findings as `SEVERITY RULE`, and the whole document.
fn check(repository: &Repository, arguments: &[&str]) -> (Vec<String>, Value) {
    let run = repository.skilltree(&[&["check", "--format", "json"], arguments].concat());
    let document: Value = serde_json::from_str(&run.stdout).expect(&run.stderr);
    let findings = document["findings"].as_array().unwrap().iter();
    let line =
        |finding: &Value| format!("{} {}", finding["severity"].as_str().unwrap(), finding["rule"].as_str().unwrap());
    (findings.map(line).collect(), document)
}

#[test]
fn keeps_errors_that_a_widely_used_runtime_has() {
    let renamed = skill("team-forms", "");
    let listed = skill("forms", "argument-hint: [file]\n");
    let broken = skill("forms", "").replace("Reads forms. Use", "Reads forms: use");
    let conflict = skill("forms", "<<<<<<< a\nlicense: MIT\n=======\nlicense: BSD\n>>>>>>> b\n");
    let long = skill("forms", &format!("compatibility: {}\n", "a ".repeat(260).trim()));
    for (path, text, expected) in [
        // Only the validator of the specification objects.
        ("skills/forms/SKILL.md", &renamed, "warning name-differs-from-directory"),
        (".claude/skills/forms/SKILL.md", &renamed, "warning name-differs-from-directory"),
        (".claude/skills/forms/SKILL.md", &long, "warning compatibility-too-long"),
        // The design of a dispatcher decides.
        (".agent/skills/forms/SKILL.md", &renamed, "error name-differs-from-directory"),
        // A collection in groups is no loss, and a group that Claude Code does not search is one.
        ("skills/.curated/forms/SKILL.md", &skill("forms", ""), "warning target-drops-skill"),
        (".claude/skills/office/forms/SKILL.md", &skill("forms", ""), "error target-drops-skill"),
        // Copilot CLI drops it.
        (".claude/skills/forms/SKILL.md", &listed, "error target-drops-skill"),
        (".claude/skills/forms/SKILL.md", &broken, "error invalid-yaml"),
        ("skills/forms/SKILL.md", &broken, "error invalid-yaml"),
        ("skills/forms/SKILL.md", &conflict, "error invalid-yaml"),
    ] {
        let repository = repository(&[(path, text)]);
        let (found, document) = check(&repository, &[]);
        assert!(found.contains(&expected.to_owned()), "{path}: {found:?}\n{document:#}");
        let status = i32::from(found.iter().any(|found| found.starts_with("error")));
        assert_eq!(status == 1, expected.starts_with("error"), "{path}: {found:?}");
        assert_eq!(repository.skilltree(&["check"]).status, status);
    }
}

#[test]
fn specification_as_target_makes_it_an_error() {
    let repository = repository(&[("skills/forms/SKILL.md", &skill("team-forms", ""))]);
    let of = |arguments: &[&str]| check(&repository, arguments).0;
    assert_eq!(of(&["--target", "agentskills"])[0], "error name-differs-from-directory");
    assert_eq!(of(&["--rule", "name-differs-from-directory=error"])[0], "error name-differs-from-directory");
    assert_eq!(of(&["--target", "openclaw"])[0], "note name-differs-from-directory");
}

#[test]
fn counts_differing_lines_of_copies() {
    let text = skill("forms", "");
    let other = text.replace("Read the form.", "Read the form.\n\nAsk once.");
    let both = [(".agents/skills/forms/SKILL.md", &*text), (".claude/skills/forms/SKILL.md", &*other)];
    let repository = repository(&both);
    let (found, document) = check(&repository, &[]);
    assert_eq!(found, ["warning drifted-copy"]);
    let notes = document["findings"][0]["notes"].as_array().unwrap();
    assert_eq!(notes[0], "they differ in 2 lines");
    let readers =
        "VS Code Copilot, Copilot CLI, opencode and goose read both directories and load one skill of each name";
    assert_eq!(notes[1], readers);
    assert_eq!(
        notes[2],
        "`mirrors = [[\".agents/skills\", \".claude/skills\"]]` in skilltree.toml would declare that the directories are equal"
    );
    assert_eq!(
        check(&repository, &["--target", "opencode"]).0,
        ["error duplicate-name"],
        "the only target reads both directories"
    );
    let found = check(&repository, &["--target", "opencode", "--target", "claude-code"]).0;
    assert_eq!(found, ["warning drifted-copy", "note unread-root"]);
    for number in 0..9 {
        let (path, name) = (format!("skills/forms{number}/SKILL.md"), format!("forms{number}"));
        let text = skill(&name, "").replace("forms. Use", &format!("{name}. Use"));
        repository.write(&format!(".agents/{path}"), text.clone());
        repository.write(&format!(".claude/{path}"), text.replace("Read ", "Reread "));
    }
    repository.add();
    let (found, document) = check(&repository, &[]);
    assert_eq!(found, ["warning drifted-copy"]);
    assert_eq!(
        document["findings"][0]["notes"][0],
        "lines that differ: `forms` 2, `forms0` 1, `forms1` 1, `forms2` 1, `forms3` 1, `forms4` 1, `forms5` 1, `forms6` 1 and 2 more"
    );
}

#[test]
fn summarizes_what_rarely_used_runtimes_change() {
    let repository = Repository::new();
    for number in 0..21 {
        let name = format!("forms{number}");
        let text = skill(&name, "").replace("Reads forms. ", &format!("|\n  Reads {name}.\n  "));
        repository.write(&format!(".agents/skills/{name}/SKILL.md"), text);
    }
    repository.add();
    let (found, document) = check(&repository, &[]);
    let changes: Vec<&String> = found.iter().filter(|found| found.contains("target-")).collect();
    assert_eq!(changes.len(), 1, "{document:#}");
    let message = document["findings"].as_array().unwrap().iter().map(|finding| finding["message"].as_str().unwrap());
    let messages: Vec<&str> = message.collect();
    let is_summary = |message: &&str| message.contains("21 skills of `.agents/skills` with changes");
    assert!(messages.iter().any(is_summary), "{messages:?}");
}

#[test]
fn packaged_skills_and_submodules_do_not_fail() {
    let packaged = repository(&[("packages/core/assets/skills/forms/SKILL.md", &skill("forms", ""))]);
    assert_eq!(check(&packaged, &[]).0, ["warning no-skills-checked"]);
    let elsewhere = repository(&[("packages/core/forms/SKILL.md", &skill("forms", ""))]);
    assert_eq!(check(&elsewhere, &[]).0, ["error no-skills-checked"]);
    let private = repository(&[(".claude/skills/forms/SKILL.md", &skill("forms", ""))]);
    let link = format!("160000,{},.claude/skills/private", "1".repeat(40));
    private.git(&["update-index", "--add", "--cacheinfo", &link]);
    assert_eq!(check(&private, &["--staged"]).0, ["warning submodule-skill"]);
    assert_eq!(check(&private, &["--staged", "--root", ".claude/skills"]).0, ["error submodule-skill"]);
}

#[test]
#[cfg(unix)]
fn linked_skill_counts_once() {
    let repository = repository(&[(".agents/skills/forms/SKILL.md", &skill("forms", ""))]);
    std::fs::create_dir_all(repository.path().join(".claude/skills")).unwrap();
    let link = repository.path().join(".claude/skills/forms");
    std::os::unix::fs::symlink("../../.agents/skills/forms", link).unwrap();
    repository.add();
    let run = repository.skilltree(&["check"]);
    assert!(run.stderr.contains("1 note in 1 skill ("), "{}", run.stderr);
    let json = repository.skilltree(&["check", "--format", "json"]).stdout;
    assert_eq!(serde_json::from_str::<Value>(&json).unwrap()["summary"]["skills"], 1);
    let run = repository.skilltree(&["check", ".claude/skills/forms"]);
    assert!(run.stderr.contains(" in 1 skill ("), "a part is no smaller: {}", run.stderr);
    let run = repository.skilltree(&["list"]);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    assert!(run.stderr.starts_with("1 skill (also read through .claude/skills/forms/SKILL.md) in "), "{}", run.stderr);
    let json: Value = serde_json::from_str(&repository.skilltree(&["list", "--format", "json"]).stdout).unwrap();
    let listed =
        |member: &str| json["skills"].as_array().unwrap().iter().map(|one| one[member].clone()).collect::<Vec<_>>();
    assert_eq!(listed("path"), [".agents/skills/forms/SKILL.md"]);
    assert_eq!(listed("links"), [serde_json::json!([".claude/skills/forms/SKILL.md"])]);
}

#[test]
fn reads_directories_of_the_chinese_edition_of_trae() {
    let repository = repository(&[(".trae-cn/skills/forms/SKILL.md", &skill("forms", ""))]);
    assert_eq!(check(&repository, &[]).1["summary"]["skills"], 1);
}

/// No other rule checks front matter that was not read, so it never passes.
#[test]
fn front_matter_that_was_not_read_is_an_error_for_every_target() {
    let repository = Repository::new();
    let text = skill("pdf", "").replacen("---\n", &format!("---\n# {}\n", "x".repeat(66_000)), 1);
    repository.write(".claude/skills/pdf/SKILL.md", text).add();
    for arguments in [&["check"][..], &["check", "--target", "claude-code"]] {
        let run = repository.skilltree(arguments);
        assert_eq!(run.status, 1, "{}", run.stdout);
        assert!(run.stdout.contains("error[yaml-too-complex]"), "{}", run.stdout);
    }
}

/// A runtime may read front matter that skilltree cannot, and with it a key that the repository forbids.
#[test]
fn unreadable_front_matter_hides_no_rule_of_the_repository() {
    let own = |severity: &str| {
        format!(
            "targets = ['claude-code']\n[[root]]\npath = '.claude/skills'\n[[require]]\nid = 'team/tools'\n\
             severity = '{severity}'\nkey = {{ name = 'allowed-tools', forbidden = true }}\n"
        )
    };
    let text = skill("pdf", "allowed-tools: Bash\n").replace("Reads forms", "Reads: forms");
    for (settings, status) in [(own("error"), 1), (own("warning"), 0), ("targets = ['claude-code']\n".to_owned(), 0)] {
        let repository = repository(&[("skilltree.toml", &settings), (".claude/skills/pdf/SKILL.md", &text)]);
        let run = repository.skilltree(&["check"]);
        assert_eq!(run.status, status, "{settings}{}", run.stdout);
    }
}
