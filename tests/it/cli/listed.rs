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
