//! Hooks check what git is about to commit. Uses real hooks of real repositories.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

mod common;

use common::{Repository, git, good, program};

const SKILL: &str = ".agent/skills/pdf/SKILL.md";
const BROKEN: &str = "---\nname: pdf\ndescription: Build for AWS: ECS\n---\n\nDo it.\n";

/// A repository whose pre-commit hook runs skilltree, with one good skill committed.
fn hooked() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write("README.md", "# A project\n").commit();
    let hook = repository.path().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    let program = program();
    fs::write(&hook, format!("#!/bin/sh\nexec '{}' check --format concise\n", program.display())).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    repository
}

/// Tries to commit; returns whether it succeeded, and the messages.
fn commit(repository: &Repository, arguments: &[&str]) -> (bool, String) {
    commit_in(repository.path(), arguments)
}

fn commit_in(directory: &Path, arguments: &[&str]) -> (bool, String) {
    let words: Vec<&str> = ["commit", "--quiet", "--message", "Try"].iter().chain(arguments).copied().collect();
    let output = git(directory, &words, &[]);
    let messages = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&messages).into_owned())
}

#[test]
fn reports_staged_error_fixed_in_working_tree() {
    let repository = hooked();
    repository.write(SKILL, BROKEN).git(&["add", "--all"]);
    repository.write(SKILL, good("pdf"));
    let staged = repository.skilltree(&["check", "--staged", "--format", "concise"]);
    assert_eq!(staged.status, 1);
    assert!(staged.stdout.starts_with(".agent/skills/pdf/SKILL.md:3:27: error[invalid-yaml] "), "{}", staged.stdout);
    assert_eq!(repository.skilltree(&["check", "--worktree"]).status, 0);
    let (committed, messages) = commit(&repository, &[]);
    assert!(!committed);
    assert!(messages.contains("SKILL.md:3:27: error[invalid-yaml]"), "{messages}");
}

#[test]
fn accepts_staged_fix_broken_in_working_tree() {
    let repository = hooked();
    repository.write(SKILL, format!("{}\nMore.\n", good("pdf"))).git(&["add", "--all"]);
    repository.write(SKILL, BROKEN);
    let (committed, messages) = commit(&repository, &[]);
    assert!(committed, "{messages}");
}

#[test]
fn commit_all_checks_its_temporary_index() {
    let repository = hooked();
    repository.write(SKILL, BROKEN);
    let (committed, messages) = commit(&repository, &["--all"]);
    assert!(!committed, "the index before `commit -a` is clean, the index that it creates is not");
    assert!(messages.contains("error[invalid-yaml]"), "{messages}");
}

#[test]
fn commit_of_path_ignores_other_staged_changes() {
    let repository = hooked();
    repository.write(SKILL, BROKEN).git(&["add", "--all"]);
    repository.write("README.md", "# Another title\n");
    let (committed, messages) = commit(&repository, &["--", "README.md"]);
    assert!(committed, "the broken skill is staged, but it is not part of this commit: {messages}");
    let (committed, messages) = commit(&repository, &["--", SKILL]);
    assert!(!committed, "{messages}");
}

#[test]
fn linked_worktree_checks_its_own_index() {
    let repository = hooked();
    let linked = tempfile::tempdir().unwrap();
    let path = linked.path().join("linked");
    repository.git(&["worktree", "add", "--quiet", path.to_str().unwrap()]);
    fs::write(path.join(SKILL), BROKEN).unwrap();
    let (committed, messages) = commit_in(&path, &["--all"]);
    assert!(!committed);
    assert!(messages.contains("error[invalid-yaml]"), "{messages}");
    assert_eq!(repository.skilltree(&["check", "--staged"]).status, 0);
}

#[test]
fn checks_commit_that_only_deletes() {
    let repository = hooked();
    repository
        .write("skilltree.toml", "[rules]\nno-skills-found = \"error\"\n\n[[root]]\npath = \".agent/skills\"\n")
        .commit();
    repository.git(&["rm", "--quiet", "-r", ".agent"]);
    let (committed, messages) = commit(&repository, &[]);
    assert!(!committed, "a commit that only deletes runs the hook: {messages}");
    assert!(messages.contains("no-skills-found"), "{messages}");
}
