//! What a hook judges is what git will commit: through real hooks of a real repository.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test makes what it judges, and fails by panicking"
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

/// Tries to commit; gives whether git did, and what was said.
fn commit(repository: &Repository, arguments: &[&str]) -> (bool, String) {
    commit_in(repository.path(), arguments)
}

fn commit_in(directory: &Path, arguments: &[&str]) -> (bool, String) {
    let words: Vec<&str> = ["commit", "--quiet", "--message", "Try"].iter().chain(arguments).copied().collect();
    let output = git(directory, &words, &[]);
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn a_broken_staged_skill_is_found_although_the_work_tree_is_repaired() {
    let repository = hooked();
    repository.write(SKILL, BROKEN).git(&["add", "--all"]);
    repository.write(SKILL, good("pdf"));
    let staged = repository.skilltree(&["check", "--staged", "--format", "concise"]);
    assert_eq!(staged.status, 1);
    assert!(staged.stdout.starts_with(".agent/skills/pdf/SKILL.md:3:27: error[invalid-yaml] "), "{}", staged.stdout);
    assert_eq!(repository.skilltree(&["check", "--worktree"]).status, 0);
    let (committed, said) = commit(&repository, &[]);
    assert!(!committed);
    assert!(said.contains("SKILL.md:3:27: error[invalid-yaml]"), "{said}");
}

#[test]
fn a_repaired_staged_skill_is_committed_although_the_work_tree_is_broken() {
    let repository = hooked();
    repository.write(SKILL, format!("{}\nMore.\n", good("pdf"))).git(&["add", "--all"]);
    repository.write(SKILL, BROKEN);
    let (committed, said) = commit(&repository, &[]);
    assert!(committed, "{said}");
}

#[test]
fn commit_all_is_judged_by_the_index_that_it_makes() {
    let repository = hooked();
    repository.write(SKILL, BROKEN);
    let (committed, said) = commit(&repository, &["--all"]);
    assert!(!committed, "the index before `commit -a` is clean, the one that it makes is not");
    assert!(said.contains("error[invalid-yaml]"), "{said}");
}

#[test]
fn commit_of_a_path_is_judged_without_what_else_is_staged() {
    let repository = hooked();
    repository.write(SKILL, BROKEN).git(&["add", "--all"]);
    repository.write("README.md", "# Another title\n");
    let (committed, said) = commit(&repository, &["--", "README.md"]);
    assert!(committed, "the broken skill is staged, but it is not part of this commit: {said}");
    let (committed, said) = commit(&repository, &["--", SKILL]);
    assert!(!committed, "{said}");
}

#[test]
fn a_commit_in_a_linked_worktree_is_judged_by_its_own_index() {
    let repository = hooked();
    let linked = tempfile::tempdir().unwrap();
    let path = linked.path().join("linked");
    repository.git(&["worktree", "add", "--quiet", path.to_str().unwrap()]);
    fs::write(path.join(SKILL), BROKEN).unwrap();
    let (committed, said) = commit_in(&path, &["--all"]);
    assert!(!committed);
    assert!(said.contains("error[invalid-yaml]"), "{said}");
    assert_eq!(repository.skilltree(&["check", "--staged"]).status, 0);
}

#[test]
fn deleting_the_last_good_twin_is_judged_too() {
    let repository = hooked();
    repository
        .write("skilltree.toml", "[rules]\nno-skills-found = \"error\"\n\n[[root]]\npath = \".agent/skills\"\n")
        .commit();
    repository.git(&["rm", "--quiet", "-r", ".agent"]);
    let (committed, said) = commit(&repository, &[]);
    assert!(!committed, "a commit that only deletes runs the hook: {said}");
    assert!(said.contains("no-skills-found"), "{said}");
}
