//! Discovery of the repository and of its working tree.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;
use std::path::{Path, PathBuf};

use skilltree_git::{Environment, Revision};
use skilltree_skills::source::Error;

use crate::source::repository::{Repository, git};
use crate::source::shown::{BOUNDS, default_roots, shown};

/// Contents of the working tree at a place.
fn work_tree(place: &Path, environment: &Environment) -> Result<String, Error> {
    let source = skilltree_git::open(place, &Revision::WorkTree, environment)?;
    Ok(shown(&source.read(&default_roots(), BOUNDS)?))
}

fn one() -> String {
    "root   .agent/skills\nskill  .agent/skills/one/SKILL.md Untracked\n".to_owned()
}

/// A directory with a skill.
fn skills(place: &Path, name: &str) {
    let directory = place.join(".agent/skills").join(name);
    fs::create_dir_all(&directory).expect("a directory can be made");
    fs::write(directory.join("SKILL.md"), name).expect("a file can be written");
}

fn at(git_dir: PathBuf) -> Environment {
    Environment { git_dir: Some(git_dir), ..Environment::default() }
}

#[test]
fn git_dir_uses_current_directory_as_working_tree() {
    let repository = Repository::new();
    skills(repository.path(), "here");
    let elsewhere = tempfile::tempdir().expect("a directory can be made");
    skills(elsewhere.path(), "one");
    let environment = at(repository.path().join(".git"));
    assert_eq!(work_tree(elsewhere.path(), &environment), Ok(one()));
    // From a subdirectory too: git takes it for the top.
    skills(&repository.path().join("sub"), "one");
    assert_eq!(work_tree(&repository.path().join("sub"), &environment), Ok(one()));
    let named = Environment { work_tree: Some(elsewhere.path().to_owned()), ..environment };
    assert_eq!(work_tree(Path::new("/"), &named), Ok(one()));
    let found = Environment { work_tree: Some(elsewhere.path().to_owned()), ..Environment::default() };
    assert_eq!(work_tree(repository.path(), &found), Ok(one()), "GIT_WORK_TREE alone is enough");
}

#[test]
fn ignores_core_worktree() {
    let elsewhere = tempfile::tempdir().expect("a directory can be made");
    skills(elsewhere.path(), "one");
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let nowhere = elsewhere.path().join("nowhere").display().to_string();
    for target in [elsewhere.path().display().to_string(), "/".to_owned(), "../..".to_owned(), nowhere] {
        repository.git(&["config", "core.worktree", &target]);
        for environment in [Environment::default(), at(repository.path().join(".git"))] {
            assert_eq!(work_tree(repository.path(), &environment), Err(Error::WorkTreeElsewhere), "{target}");
            let index = skilltree_git::open(repository.path(), &Revision::Index, &environment)
                .expect("the index has no part in it");
            assert_eq!(index.read(&default_roots(), BOUNDS).expect("it can be read").skills.len(), 1);
        }
    }
    let named = Environment { work_tree: Some(elsewhere.path().to_owned()), ..Environment::default() };
    assert_eq!(work_tree(repository.path(), &named), Ok(one()), "the caller may");
    repository.git(&["config", "core.worktree", ".."]);
    let here = "root   .agent/skills\nskill  .agent/skills/a/SKILL.md\n";
    assert_eq!(work_tree(repository.path(), &Environment::default()).as_deref(), Ok(here));
    repository.git(&["config", "core.bare", "true"]);
    assert_eq!(work_tree(repository.path(), &Environment::default()), Err(Error::NoWorkTree));
}

#[test]
fn submodule_has_separate_working_tree() {
    let inner = Repository::new();
    inner.write("README.md", "inner");
    inner.commit();
    let outer = Repository::new();
    outer.write("README.md", "outer");
    outer.commit();
    let from = inner.path().display().to_string();
    outer.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &from, "sub"]);
    let sub = outer.path().join("sub");
    skills(&sub, "one");
    assert!(fs::read_to_string(sub.join(".git")).expect("it is a file").starts_with("gitdir: "));
    assert_eq!(work_tree(&sub, &Environment::default()), Ok(one()));
    assert_eq!(work_tree(&sub.join(".agent"), &Environment::default()), Ok(one()));
    // Variables that git sets for a hook of a submodule.
    assert_eq!(work_tree(&sub, &at(outer.path().join(".git/modules/sub"))), Ok(one()));
}

#[test]
fn bare_repository_has_linked_working_trees() {
    let repository = Repository::new();
    repository.write("README.md", "x");
    repository.commit();
    let directory = tempfile::tempdir().expect("a directory can be made");
    git(directory.path(), &["clone", "-q", "--bare", &repository.path().display().to_string(), "bare.git"], &[]);
    let bare = directory.path().join("bare.git");
    git(&bare, &["worktree", "add", "-q", "--detach", "../w"], &[]);
    let linked = directory.path().join("w");
    skills(&linked, "one");
    assert_eq!(work_tree(&linked, &Environment::default()), Ok(one()));
    assert_eq!(work_tree(&linked, &at(bare.join("worktrees/w"))), Ok(one()));
    assert_eq!(work_tree(&bare, &Environment::default()), Err(Error::NoWorkTree));
}

#[test]
fn discovery_stops_at_ceiling() {
    let repository = Repository::new();
    skills(repository.path(), "one");
    let deep = repository.path().join("a/b/c");
    fs::create_dir_all(&deep).expect("a directory can be made");
    let ceiling = |path: PathBuf| Environment { ceilings: vec![path], ..Environment::default() };
    assert_eq!(work_tree(&deep, &Environment::default()), Ok(one()));
    assert_eq!(work_tree(&deep, &ceiling(deep.clone())), Ok(one()), "the place itself is always looked at");
    assert_eq!(work_tree(&deep, &ceiling(repository.path().join("x"))), Ok(one()));
    let none = Err(Error::NoRepository { place: deep.clone() });
    assert_eq!(work_tree(&deep, &ceiling(repository.path().join("a"))), none);
    assert_eq!(work_tree(&deep, &ceiling(repository.path().to_owned())), none);
    fs::create_dir(deep.join(".git")).expect("a directory can be made");
    fs::write(repository.path().join("a/b/HEAD"), "text").expect("a file can be written");
    assert_eq!(work_tree(&deep, &Environment::default()), Ok(one()), "neither is a repository");
    fs::write(repository.path().join("a/.git"), "text").expect("a file can be written");
    let error = work_tree(&deep, &Environment::default()).expect_err("git stops there");
    assert!(matches!(error, Error::Repository { .. }), "{error:?}");
}

#[test]
fn resolves_links_of_start_directory() {
    let repository = Repository::new();
    skills(repository.path(), "one");
    fs::create_dir_all(repository.path().join("sub")).expect("a directory can be made");
    let elsewhere = tempfile::tempdir().expect("a directory can be made");
    let link = elsewhere.path().join("link");
    std::os::unix::fs::symlink(repository.path().join("sub"), &link).expect("a link can be made");
    assert_eq!(work_tree(&link, &Environment::default()), Ok(one()));
    let top = elsewhere.path().join("top");
    std::os::unix::fs::symlink(repository.path(), &top).expect("a link can be made");
    let source = skilltree_git::open(&top, &Revision::WorkTree, &Environment::default()).expect("it opens");
    let path = source.repository_path(&top.join(".agent/skills/one"));
    assert_eq!(path.map(|path| path.to_string()).as_deref(), Some(".agent/skills/one"));
}
