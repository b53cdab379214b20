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

use crate::common::{self, Repository, git, good, program, write_script};

const SKILL: &str = ".agent/skills/pdf/SKILL.md";
const BROKEN: &str = "---\nname: pdf\ndescription: Build for AWS: ECS\n---\n\nDo it.\n";

/// A repository whose pre-commit hook runs skilltree, with one good skill committed.
fn hooked() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write("README.md", "# A project\n").commit();
    let hook = repository.path().join(".git/hooks/pre-commit");
    write_script(&hook, &format!("#!/bin/sh\nexec '{}' check --format concise\n", program().display()));
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

/// A repository with 26 existing errors, committed, and the installed hooks.
fn with_existing_errors() -> Repository {
    let repository = Repository::new();
    for number in 0..26 {
        repository.write(&skill(&format!("old-{number}")), misnamed(&format!("old-{number}")));
    }
    repository.write("README.md", "# A project\n").commit();
    assert_eq!(repository.skilltree(&["hook", "install"]).status, 0);
    repository
}

fn skill(name: &str) -> String {
    format!(".agent/skills/{name}/SKILL.md")
}

/// A skill whose name is not the name of its directory.
fn misnamed(name: &str) -> String {
    good(name).replacen(&format!("name: {name}"), &format!("name: {name}-x"), 1)
}

/// The number of frames with an error.
fn frames(messages: &str) -> usize {
    messages.lines().filter(|line| line.starts_with("error[")).count()
}

#[test]
fn installed_hook_blocks_only_new_findings() {
    let repository = with_existing_errors();
    repository.write(".agent/skills/old-0/notes.txt", "Notes\n").add();
    let (committed, messages) = commit(&repository, &[]);
    assert!(committed, "{messages}");
    assert_eq!(frames(&messages), 0, "{messages}");
    let line = "no new findings in 26 skills (index); 26 existing: skilltree check --staged";
    assert_eq!(messages.lines().filter(|found| *found == line).count(), 1, "{messages}");
    // An amended message and an empty commit add nothing.
    for arguments in [&["--amend"][..], &["--allow-empty"]] {
        let (committed, messages) = commit(&repository, arguments);
        assert!(committed, "{arguments:?}: {messages}");
    }
    repository.write(&skill("new"), misnamed("new")).add();
    let (committed, messages) = commit(&repository, &[]);
    assert!(!committed);
    assert_eq!(frames(&messages), 1, "{messages}");
    assert!(messages.contains("new/SKILL.md:2:") && !messages.contains("old-"), "{messages}");
}

#[test]
fn everything_counts_without_changes_or_with_all() {
    let repository = with_existing_errors();
    let hook = |words: &[&str]| repository.skilltree(&[&["hook", "run", "pre-commit"], words].concat());
    // A workflow runs the hook on a clean checkout.
    let run = hook(&[]);
    assert_eq!((run.status, frames(&run.stdout)), (1, 26), "{}", run.stderr);
    assert!(!run.stderr.contains("existing"), "{}", run.stderr);
    repository.write("README.md", "# Another title\n");
    assert_eq!(hook(&[]).status, 1, "a change that is not staged is not in the next commit");
    repository.add();
    assert_eq!(hook(&[]).status, 0);
    let run = hook(&["--", "--all"]);
    assert_eq!((run.status, frames(&run.stdout)), (1, 26), "{}", run.stderr);
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--all"]);
    assert_eq!((run.status, frames(&run.stdout)), (1, 26), "{}", run.stderr);
}

#[test]
fn staged_tree_equals_commit_in_every_layout() {
    let repository = with_existing_errors();
    repository.write("a.txt", "a\n").write("a/b/c.txt", "c\n").write("a/b.txt", "b\n").write("ab", "").commit();
    std::os::unix::fs::symlink("a.txt", repository.path().join("a-link")).unwrap();
    fs::set_permissions(repository.path().join("ab"), fs::Permissions::from_mode(0o755)).unwrap();
    repository.git(&["commit", "--all", "--quiet", "--no-verify", "--message", "modes"]);
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--no-verify", "--message", "link"]);
    let status = || repository.skilltree(&["hook", "run", "pre-commit"]).status;
    assert_eq!(status(), 1);
    repository.write("later/d.txt", "").git(&["add", "--intent-to-add", "later/d.txt"]);
    assert_eq!(status(), 1, "a commit does not record it");
    repository.git(&["add", "later/d.txt"]);
    assert_eq!(status(), 0);
    repository.git(&["reset", "--quiet", "--hard"]);
    for words in [
        &["sparse-checkout", "set", "--cone", "--sparse-index", ".agent"][..],
        &["update-index", "--index-version", "4"],
    ] {
        repository.git(words);
        assert_eq!(status(), 1, "{words:?}");
    }
}

#[test]
fn first_commit_counts_everything() {
    let repository = Repository::new();
    assert_eq!(repository.skilltree(&["hook", "install"]).status, 0);
    repository.write(&skill("pdf"), misnamed("pdf")).add();
    let (committed, messages) = commit(&repository, &[]);
    assert!(!committed);
    assert!(!messages.contains("warning") && !messages.contains("HEAD"), "{messages}");
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD"]);
    assert!(run.stderr.contains("warning: `HEAD` has no commit yet, so every finding counts"), "{}", run.stderr);
    assert!(!run.stderr.contains("help"), "the index was requested: {}", run.stderr);
    repository.write(&skill("pdf"), good("pdf")).add();
    assert!(commit(&repository, &[]).0);
}

#[test]
fn merge_counts_only_what_neither_parent_has() {
    for resolves in [false, true] {
        let repository = with_existing_errors();
        let bad = |name: &str| {
            repository.write(&skill(name), misnamed(name)).write("notes.md", name).add().git(&[
                "commit",
                "--quiet",
                "--no-verify",
                "--message",
                name,
            ])
        };
        repository.git(&["switch", "--quiet", "--create", "side"]);
        bad("side");
        repository.git(&["switch", "--quiet", "main"]);
        bad("main");
        // Both sides changed a file, so `git merge` stops and the commit is `git commit`; else it commits by itself.
        if !resolves {
            repository.write("notes.md", "side").git(&["add", "--all"]);
            repository.git(&["commit", "--quiet", "--no-verify", "--message", "same notes"]);
        }
        let merged = git(repository.path(), &["merge", "--quiet", "--no-edit", "side"], &[]);
        assert_eq!(merged.status.success(), !resolves, "{}", String::from_utf8_lossy(&merged.stderr));
        if resolves {
            repository.write("notes.md", "both").add();
            let (committed, messages) = commit(&repository, &[]);
            assert!(committed, "{messages}");
        }
    }
}

#[test]
fn merge_that_brings_duplicate_is_refused() {
    let repository = with_existing_errors();
    repository.git(&["switch", "--quiet", "--create", "side"]);
    repository.write(".agent/skills/nested/pdf/SKILL.md", good("pdf")).commit();
    repository.git(&["switch", "--quiet", "main"]);
    repository.skill(".agent/skills", "pdf").commit();
    let merged = git(repository.path(), &["merge", "--quiet", "--no-edit", "side"], &[]);
    let messages = String::from_utf8_lossy(&merged.stdout).into_owned() + &String::from_utf8_lossy(&merged.stderr);
    assert!(!merged.status.success(), "{messages}");
    assert!(messages.contains("error[duplicate-name]"), "{messages}");
    assert_eq!(frames(&messages), 1, "{messages}");
}

#[test]
fn damaged_merge_head_counts_as_nothing() {
    let repository = with_existing_errors();
    repository.write(".agent/skills/old-0/notes.txt", "Notes\n").add();
    let run = || repository.skilltree(&["hook", "run", "pre-commit"]);
    for text in ["nonsense\n".to_owned(), "0".repeat(39), "x".repeat(70_000)] {
        repository.write(".git/MERGE_HEAD", text);
        assert_eq!(run().status, 0, "{}", run().stderr);
    }
    let merge_head = repository.path().join(".git/MERGE_HEAD");
    fs::remove_file(&merge_head).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&merge_head).status().unwrap().success());
    assert_eq!(repository.skilltree(&["--max-time", "20s", "hook", "run", "pre-commit"]).status, 0);
    fs::remove_file(&merge_head).unwrap();
    repository.write(".git/MERGE_HEAD", "1".repeat(40));
    let run = run();
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("warning: a merged commit cannot be checked, so its findings count"), "{}", run.stderr);
}

#[test]
fn hook_follows_commits_that_pre_commit_names() {
    let repository = with_existing_errors();
    repository.write(&skill("new"), misnamed("new")).git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--no-verify", "--message", "new"]);
    let run =
        |variables: &[(&str, &str)]| common::skilltree(repository.path(), &["hook", "run", "pre-commit"], variables);
    let named = run(&[("PRE_COMMIT", "1"), ("PRE_COMMIT_FROM_REF", "HEAD~1"), ("PRE_COMMIT_TO_REF", "HEAD")]);
    assert_eq!((named.status, frames(&named.stdout)), (1, 1), "{}", named.stderr);
    let earlier = run(&[("PRE_COMMIT_FROM_REF", "HEAD~1"), ("PRE_COMMIT_TO_REF", "HEAD~1")]);
    assert_eq!(earlier.status, 0, "{}", earlier.stderr);
    assert_eq!(run(&[("PRE_COMMIT_TO_REF", "HEAD~1")]).status, 1);
}
