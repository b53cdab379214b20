//! Texts that show the most severe findings only: no file of another finding is read again.
#![allow(clippy::disallowed_methods, reason = "a test makes what it judges")]

use std::fs;

use crate::common::{Repository, Run, good};

/// A repository with notes in the first files, errors in the last, and a file that its configuration accepts.
fn notes_and_errors(settings: &str) -> Repository {
    let repository = Repository::new();
    for number in 0..6 {
        let name = format!("a{number}");
        let note = good(&name).replace(&format!("Use when {name} is wanted."), "");
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), note);
        let name = format!("z{number}");
        repository
            .write(&format!(".agent/skills/{name}/SKILL.md"), good(&name).replace("description:", "description: x:"));
    }
    repository.write("skilltree.toml", settings).add();
    repository
}

/// Checks in a format, alone and next to JSON, for which all places are read.
fn alone_and_with_json(repository: &Repository, format: &str, options: &[&str]) -> [Run; 2] {
    let alone = repository.skilltree(&[&["check", "--format", format], options].concat());
    let json = repository.path().join("all.json");
    let output = format!("--output=json={}", json.display());
    let with_json = repository.skilltree(&[&["check", "--format", format, &output], options].concat());
    assert!(fs::read_to_string(json).expect("the run writes it").contains("z5"));
    [alone, with_json]
}

#[test]
fn text_is_the_same_if_all_places_are_read() {
    for limit in [0, 3, 8, 100] {
        let repository = notes_and_errors(&format!("[limits]\nshown-findings = {limit}\n"));
        for format in ["full", "concise"] {
            for options in [&[][..], &["--min-severity", "error"], &[".agent/skills/a1", ".agent/skills/z5"]] {
                let [alone, with_json] = alone_and_with_json(&repository, format, options);
                assert_eq!((alone.status, with_json.status), (1, 1), "{limit} {format} {options:?}: {}", alone.stderr);
                assert_eq!(alone.stdout, with_json.stdout, "{limit} {format} {options:?}");
                assert!(alone.stdout.contains("z5/SKILL.md:3:"), "an error is always shown: {}", alone.stdout);
            }
        }
    }
}

#[test]
fn finding_that_is_always_shown_keeps_its_place() {
    let settings = "min-severity = \"error\"\n[limits]\nshown-findings = 1\n";
    let repository = notes_and_errors(settings);
    repository.commit();
    repository.write("skilltree.toml", format!("{settings}[rules]\nmissing-description = \"off\"\n"));
    // More new warnings than are shown: they are hidden, and must not take the room.
    for name in ["b0", "b1"] {
        let text = good(name).replace("when_to_use:", "when-to-use:") + "<!-- skilltree: ignore[empty-body] -->\n";
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), text);
    }
    repository.add();
    let shown = repository.skilltree(&["check", "--base", "HEAD", "--format", "concise", "--min-severity", "warning"]);
    assert!(shown.stdout.matches("b0/SKILL.md:").count() > 0, "{}", shown.stdout);
    let [alone, with_json] = alone_and_with_json(&repository, "concise", &["--base", "HEAD"]);
    assert_eq!(alone.stdout, with_json.stdout);
    assert!(alone.stdout.contains("skilltree.toml:5:"), "{}{}", alone.stdout, alone.stderr);
}

#[test]
fn skill_is_chosen_by_its_path() {
    let repository = Repository::new();
    repository
        .skill(".claude/skills", "pdf")
        .write(".agents/skills/pdf/SKILL.md", good("pdf").replace("Do it.", "Other."));
    repository.add();
    let run = repository.skilltree(&["show", "pdf"]);
    assert!(run.status == 2 && run.stderr.contains("choose one by its path"), "{}", run.stderr);
    for path in [".agents/skills/pdf", ".agents/skills/pdf/", ".agents/skills/pdf/SKILL.md"] {
        let run = repository.skilltree(&["show", path]);
        assert!(run.status == 0 && run.stdout.contains("Other."), "{path}: {}", run.stderr);
    }
    let below = crate::common::skilltree(&repository.path().join(".claude/skills"), &["show", "pdf/SKILL.md"], &[]);
    assert!(below.stdout.contains("Do it."), "{}", below.stderr);
}

#[test]
fn rejected_files_are_skills() {
    let repository = Repository::new();
    repository.skill(".agents/skills", "pdf").write("skilltree.toml", "mirrors = 1\n[limits]\nname-chars = 0\n");
    repository.write("skilltree.toml", "[limits]\nname-chars = 0\n").add();
    let run = repository.skilltree(&["list"]);
    assert!(run.stderr.contains("1 skill in the working tree\n"), "{}", run.stderr);
}

/// `check` knows why there are no skills, and the other commands say the same.
#[test]
fn commands_explain_why_there_are_no_skills() {
    let repository = Repository::new();
    repository.skill(".claude/skill", "pdf").add();
    let cases = [
        ("", "nothing is checked: `.claude/skill` (1)", "rename `.claude/skill` to `.claude/skills`"),
        ("exclude = [\".claude\"]\n", "`exclude` in skilltree.toml covers 1 SKILL.md file", ""),
        ("[[root]]\npath = \".claude/skils\"\n", "nothing is checked", "write `path = \".claude/skill\"`"),
    ];
    for (settings, fact, edit) in cases {
        repository.write("skilltree.toml", settings);
        let check = repository.skilltree(&["check", "--format", "concise"]);
        assert!([check.stdout, check.stderr].concat().contains(fact), "{settings}");
        for command in ["list", "forecast", "cost"] {
            let run = repository.skilltree(&[command]);
            assert!(run.stderr.contains(fact) && run.stderr.contains(edit), "{settings}{command}: {}", run.stderr);
            assert!(!run.stderr.contains("rejected"), "{settings}{command}: {}", run.stderr);
        }
    }
}
