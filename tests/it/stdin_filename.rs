//! `check - --stdin-filename PATH`: the text of an editor in place of a file.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test reads its files and fails by panicking")]

use crate::common::{self, Repository, good, skilltree_with_input};

const ARGUMENTS: [&str; 6] = ["check", "-", "--stdin-filename", "skills/pdf/SKILL.md", "--format", "concise"];

fn typed(repository: &Repository, text: &str) -> common::Run {
    skilltree_with_input(repository.path(), &ARGUMENTS, &[], text.as_bytes())
}

#[test]
fn checks_the_text_at_the_place_of_the_file() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").skill("skills", "csv").add();
    assert_eq!(typed(&repository, &good("pdf")).stdout, "");
    let renamed = typed(&repository, &good("pdx")).stdout;
    assert!(
        renamed.starts_with("skills/pdf/SKILL.md:2:7: ") && renamed.contains("[name-differs-from-directory]"),
        "{renamed}"
    );
    let same = good("csv");
    let duplicate = typed(&repository, &same).stdout;
    assert!(duplicate.contains("[duplicate-name]"), "other skills are known: {duplicate}");
    repository.write("skilltree.toml", "[rules]\nname-differs-from-directory = \"off\"\n");
    assert_eq!(typed(&repository, &good("pdx")).stdout, "", "the configuration applies");
}

#[test]
fn changes_no_file_and_reports_no_other() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skills/csv/SKILL.md", "no front matter").add();
    let run = typed(&repository, "---\nname: pdf\n---\n");
    assert!(run.stdout.contains("[missing-description]") && !run.stdout.contains("csv"), "{}", run.stdout);
    assert_eq!(std::fs::read_to_string(repository.path().join("skills/pdf/SKILL.md")).unwrap(), good("pdf"));
}

#[test]
fn refuses_other_paths() {
    let repository = Repository::new();
    repository.skill("skills", "pdf");
    let run = repository.skilltree(&["check", "skills", "--stdin-filename", "skills/pdf/SKILL.md"]);
    assert!(run.status == 2 && run.stderr.contains("--stdin-filename"), "{}", run.stderr);
    for path in ["../no/SKILL.md", "skills/pdf/SKILL.md/SKILL.md"] {
        let run = skilltree_with_input(repository.path(), &["check", "-", "--stdin-filename", path], &[], b"x");
        assert_eq!(run.status, 2, "{path}: {}", run.stdout);
    }
    let other = skilltree_with_input(repository.path(), &["check", "-", "--stdin-filename", "README.md"], &[], b"x");
    assert!(other.status == 0 && other.stderr.contains("README.md"), "a file of no skill is skipped: {}", other.stderr);
}

#[test]
fn checks_a_file_that_does_not_exist() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").add();
    let checked = |path: &str, text: &str| {
        let arguments = ["check", "-", "--stdin-filename", path, "--format", "concise"];
        skilltree_with_input(repository.path(), &arguments, &[], text.as_bytes())
    };
    assert_eq!(checked("skills/csv/SKILL.md", &good("csv")).stdout, "");
    let duplicate = checked("skills/csv/SKILL.md", &good("pdf")).stdout;
    assert!(
        duplicate.starts_with("skills/csv/SKILL.md:2:7: ") && duplicate.contains("[duplicate-name]"),
        "{duplicate}"
    );
    let elsewhere = checked(".claude/skills/csv/SKILL.md", "x").stdout;
    assert!(elsewhere.starts_with(".claude/skills/csv/SKILL.md:1:1: "), "in a new skills directory: {elsewhere}");
    let settings = checked("skilltree.toml", "[rules]\nnonsense = \"off\"\n").stdout;
    assert!(settings.contains("[unknown-rule]") || settings.starts_with("skilltree.toml:2:"), "{settings}");
    assert!(!repository.path().join("skills/csv").exists() && !repository.path().join("skilltree.toml").exists());
}
