//! What a person meets in the first hour: set-up, mistyped words, paths of other files, and a repository that is one skill.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests fail by panicking, and make files")]

use std::fs;

use crate::common::{Repository, good, skilltree};

const BROKEN: &str = "---\nname: b\ndescription: Broken: it is. Use when b.\n---\n# B\n";

#[test]
fn set_up_never_checks_less_than_before() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "a").commit();
    let run = repository.skilltree(&["init"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let settings = fs::read_to_string(repository.path().join("skilltree.toml")).unwrap();
    assert!(settings.contains("\nedition = ") && !settings.contains("[[root]]"), "{settings}");
    assert!(settings.contains("\n# targets = [\"claude-code\", "), "{settings}");
    repository.add();
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--fail-on", "note"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    repository.write("packages/web/.claude/skills/b/SKILL.md", BROKEN).add();
    let run = repository.skilltree(&["check"]);
    assert!(run.status == 1 && run.stdout.contains("error[invalid-yaml]"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn set_up_fits_a_screen() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "a").commit();
    let run = repository.skilltree(&["init"]);
    assert!(run.stdout.contains("`skilltree init --workflow`, which writes .github/workflows/skills.yml\n"));
    assert!(run.stdout.lines().count() <= 16, "{}", run.stdout);
}

#[test]
fn copied_skill_gets_the_name_to_write() {
    for (name, copy) in [("a", "b"), ("b", "a")] {
        let repository = Repository::new();
        repository.write(".claude/skills/a/SKILL.md", good(name)).write(".claude/skills/b/SKILL.md", good(name)).add();
        let said = repository.skilltree(&["check"]).stdout;
        let help = format!("help: write `name: {copy}` in `.claude/skills/{copy}/SKILL.md`, or remove one of the two");
        assert!(said.contains("error[duplicate-name]") && said.contains(&help), "{said}");
    }
}

#[test]
fn one_wrong_letter_in_a_root_fails_the_check() {
    let repository = Repository::new();
    repository.write(".claude/skills/b/SKILL.md", BROKEN);
    for (wrong, help) in [
        (".claude/skill", "write `path = \".claude/skills\"` in `[[root]]`"),
        ("agents/skills", "add to skilltree.toml: `[[root]]` with `path = \".claude/skills\"`"),
    ] {
        repository.write("skilltree.toml", format!("[[root]]\npath = \"{wrong}\"\n")).add();
        let run = repository.skilltree(&["check"]);
        let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(run.status == 1 && text.contains(help), "{wrong}: {} {text}", run.status);
    }
    // Next to a root with skills, too; an empty root alone is a warning.
    let two = "[[root]]\npath = \".claude/skill\"\n[[root]]\npath = \"team\"\n";
    repository.write("skilltree.toml", two).skill("team", "a").add();
    let run = repository.skilltree(&["check", "--format", "concise"]);
    assert!(
        run.status == 1 && run.stdout.contains("error[no-skills-found] the root `.claude/skill`"),
        "{}",
        run.stdout
    );
    fs::remove_dir_all(repository.path().join(".claude")).unwrap();
    let run = repository.add().skilltree(&["check", "--format", "concise"]);
    assert!(
        run.status == 0 && run.stdout.contains("warning[no-skills-found] the root `.claude/skill`"),
        "{}",
        run.stdout
    );
}

#[test]
fn misspelled_directory_gets_rename_and_no_root() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "[[root]]\npath = \"team\"\n").skill("team", "a");
    repository.skill(".claude/skils", "b").add();
    let run = repository.skilltree(&["check"]);
    assert!(run.stdout.contains("rename `.claude/skils` to `.claude/skills`"), "{}", run.stdout);
    assert!(!run.stdout.contains("[[root]]"), "{}", run.stdout);
}

#[test]
fn new_skill_goes_where_widely_used_runtimes_read() {
    let cases = [
        (None, ".agents/skills", "read by Codex, Cursor, "),
        (Some(".claude/settings.json"), ".claude/skills", "read by Claude Code, Cursor, "),
        (Some(".symphony/README.md"), ".symphony/skills", "no known runtime reads .symphony/skills"),
        (Some(".agent/README.md"), ".agent/skills", "read by Factory Droid"),
        (Some("team/skills/one/SKILL.md"), "team/skills", "people install it for Claude Code, Codex, "),
        (Some("skills/one/SKILL.md"), "skills", "people install it for Claude Code, Codex, "),
    ];
    for (file, root, readers) in cases {
        let repository = Repository::new();
        if let Some(file) = file {
            repository.write(file, if file.ends_with("SKILL.md") { good("one") } else { "{}".to_owned() });
        }
        if root.starts_with("team") {
            repository.write("skilltree.toml", "[[root]]\npath = \"team/skills\"\n");
        }
        let run = repository.skilltree(&["new", "csv-tables"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stderr.contains(&format!("wrote {root}/csv-tables/SKILL.md")), "{root}: {}", run.stderr);
        assert!(run.stderr.contains(readers), "{root}: {}", run.stderr);
        assert!(repository.add().skilltree(&["check"]).stderr.contains("1 warning"), "{root} is checked");
    }
}

#[test]
fn repository_that_is_one_skill_is_a_skill_everywhere() {
    let repository = Repository::new();
    repository.write("SKILL.md", good("one")).commit();
    let check = |arguments: &[&str]| {
        let run = repository.skilltree(&[&["check", "--fail-on", "note"], arguments].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("no findings in 1 skill "), "{}", run.stderr);
    };
    check(&["--target", "agentskills", "--no-config", "--rule", "unknown-key=off", "--rule", "target-drops-skill=off"]);
    check(&["--error-on-empty"]);
    let forecast = repository.skilltree(&["forecast", "agentskills"]).stdout;
    assert!(!forecast.contains("directory"), "{forecast}");
    repository.skilltree(&["init"]);
    repository.add();
    check(&[]);
    repository.write("skilltree.toml", "[[root]]\npath = \".\"\n").add();
    let run = repository.skilltree(&["check"]);
    assert!(!run.stdout.contains("unchecked-skills"), "{}", run.stdout);
}

#[test]
fn typed_words_of_other_linters_name_what_is_meant() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "a").add();
    let cases = [
        (&["check", "--strict"][..], "`--fail-on warning`"),
        (&["--strict"], "`--fail-on warning`"),
        (&["check", "--fix"], "`skilltree fix`"),
        (&["check", "--exclude", "x"], "`exclude = [\"GLOB\"]` in skilltree.toml"),
        (&["check", "--profile", "codex"], "`--target`"),
        (&["forecast", "--runtime", "codex"], "`--target`"),
        (&["fix", "--dry-run"], "`--diff`"),
        (&["list", "--json"], "`--format json`"),
        (&["validate"], "`skilltree check`"),
        (&["knowledge"], "`skilltree agent knowledge`"),
        (&["knowledge", "add"], "`skilltree agent knowledge add`"),
        (&["-C", ".", "knowledge", "add", "--text", "x"], "`skilltree agent knowledge add`"),
        (&["bind", "a", "--thread", "t"], "`skilltree agent thread bind`"),
        (&["agent", "add", "--text", "x"], "`skilltree agent knowledge add`"),
        (&["install"], "`skilltree hook install`"),
        (&["run", "pre-commit", "--x"], "`skilltree hook run`"),
        (&["check", "--target", "claude"], "`claude-code`"),
        (&["forecast", "copilot"], "`vscode-copilot` or `copilot-cli`"),
        (&["profiles", "gemini"], "`gemini-cli`"),
    ];
    for (typed, meant) in cases {
        let run = repository.skilltree(typed);
        assert!(run.status == 2 && run.stderr.contains(meant), "{typed:?}: {}", run.stderr);
        assert!(!run.stderr.contains("-- --") && !run.stderr.contains("--sarif-category"), "{typed:?}: {}", run.stderr);
    }
    assert_eq!(repository.skilltree(&["lint"]).status, 0);
    // A directory with the name of a command is a path.
    repository.write("knowledge/a/SKILL.md", good("a")).add();
    let run = repository.skilltree(&["knowledge", "--text", "x"]);
    assert!(run.status == 2 && !run.stderr.contains("agent knowledge"), "{}", run.stderr);
    repository.write("skilltree.toml", "edition = \"2028\"\ntargets = [\"claude\"]\n");
    let run = repository.skilltree(&["check"]);
    let text = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(run.status == 1 && text.contains("update skilltree; this version knows"), "{text}");
    assert!(text.contains("write `claude-code` or `claude-api`"), "{text}");
}

#[test]
fn paths_of_other_files_are_skipped_with_a_note() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "a").write("README.md", "# Title\n").write("src/main.rs", "fn main() {}\n");
    repository.write(".claude/skills/b/SKILL.md", BROKEN).add();
    let run = repository.skilltree(&["check", "README.md", "src", ".claude/skills/a/SKILL.md"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.starts_with("skipped, because they are in no skill: README.md, src\n"), "{}", run.stderr);
    assert!(run.stderr.contains("no findings in 1 of 2 skills"), "{}", run.stderr);
    let run = repository.skilltree(&["check", "README.md"]);
    assert!(run.status == 0 && run.stderr.contains("no findings in 0 of 2 skills"), "{}", run.stderr);
    assert!(run.stderr.starts_with("skipped, because it is in no skill: README.md\n"), "{}", run.stderr);
    let run = repository.skilltree(&["fix", "README.md"]);
    assert!(
        run.status == 0 && fs::read_to_string(repository.path().join(".claude/skills/b/SKILL.md")).unwrap() == BROKEN
    );
    // A typo and an ignored skill must not look clean.
    repository.write(".gitignore", "vendor/\n").skill("vendor/skills", "c");
    for (path, why) in [
        ("READM.md", "there is no skill at `READM.md`"),
        ("vendor", "Git ignores it"),
        ("vendor/skills/c", "Git ignores it"),
    ] {
        let run = repository.skilltree(&["check", path]);
        assert!(run.status == 2 && run.stderr.contains(why), "{path}: {}", run.stderr);
    }
}

#[test]
fn deleted_paths_are_skipped_with_a_note() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "a").skill(".claude/skills", "b").write("README.md", "# Title\n").commit();
    repository.git(&["rm", "-rq", "README.md", ".claude/skills/b"]);
    let deleted = ["README.md", ".claude/skills/b/SKILL.md"];
    let note = "skipped, because they are deleted: README.md, .claude/skills/b/SKILL.md\n";
    let skipped = |arguments: &[&str], note: &str| {
        let run = repository.skilltree(&[arguments, &deleted].concat());
        assert!(run.status == 0 && run.stderr.contains(note), "{arguments:?}: {}", run.stderr);
    };
    for arguments in [&["check"][..], &["check", "--staged"], &["fix"], &["forecast"], &["cost"]] {
        skipped(arguments, note);
    }
    let run = repository.skilltree(&["check", "--rev", "HEAD", "README.md"]);
    assert!(run.status == 0 && run.stderr.contains("it is in no skill: README.md"), "{}", run.stderr);
    repository.commit();
    skipped(&["check", "--base", "HEAD~1"], note);
    assert_eq!(repository.skilltree(&["check", "README.md"]).status, 2, "no base has it: it may be a typo");

    let bare = tempfile::tempdir().unwrap();
    repository.git(&["clone", "--quiet", "--bare", ".", bare.path().to_str().unwrap()]);
    for (arguments, status) in [(&["--rev", "main~1"][..], 0), (&["--base", "main~1"], 0), (&[], 2)] {
        let run = skilltree(bare.path(), &[&["check", "README.md"], arguments].concat(), &[]);
        assert_eq!(run.status, status, "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn hook_of_another_program_names_its_configuration() {
    let cases = [
        ("call_lefthook run \"pre-commit\" \"$@\"\n", "to lefthook.yml"),
        ("# File generated by pre-commit: https://pre-commit.com\n", "to .pre-commit-config.yaml"),
        ("make test\n", "add this line to it: `skilltree hook run pre-commit || exit $?`"),
    ];
    for (text, help) in cases {
        let repository = Repository::new();
        repository.write(".git/hooks/pre-commit", format!("#!/bin/sh\n{text}"));
        let run = repository.skilltree(&["hook", "install"]);
        assert!(run.status == 2 && run.stderr.contains(help), "{text}: {}", run.stderr);
    }
}
