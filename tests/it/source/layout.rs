//! Special files in the Git directory: rejected before they are opened.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs::{self, File};
use std::path::Path;

use skilltree_git::{Environment, Revision};
use skilltree_skills::source::{Damage, Error};

use crate::source::repository::{Repository, pipe};
use crate::source::shown::{BOUNDS, default_roots};

fn head() -> Revision {
    Revision::Tree("HEAD".into())
}

/// A repository with one skill, the files of a linked working tree, and a remote.
fn plain() -> Repository {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    repository
}

/// Why a repository cannot be read: when it is opened, or later.
fn failure(repository: &Repository, revision: &Revision) -> Option<Error> {
    match repository.try_open(revision) {
        Ok(source) => source.read(&default_roots(), BOUNDS).err(),
        Err(error) => Some(error),
    }
}

/// A sparse file that is larger than any disk.
fn endless(path: &Path) {
    File::create(path).and_then(|file| file.set_len(8 << 30)).expect("a file can have holes");
}

#[test]
fn limits_size_of_repository_files() {
    for name in [
        "HEAD",
        "commondir",
        "gitdir",
        "config",
        "config.worktree",
        "packed-refs",
        "shallow",
        "info/exclude",
        "objects/info/alternates",
    ] {
        for (make, words) in [(pipe as fn(&Path), "is not a regular file"), (endless, "is larger than")] {
            let repository = plain();
            let path = repository.path().join(".git").join(name);
            let _ = fs::remove_file(&path);
            make(&path);
            for revision in [head(), Revision::Index, Revision::WorkTree] {
                let Some(Error::Repository { reason, .. }) = failure(&repository, &revision) else { panic!("{name}") };
                let name = name.strip_prefix("objects/").unwrap_or(name);
                assert!(reason.starts_with(&format!("`{name}` {words}")), "{reason}");
            }
        }
    }
}

#[test]
fn rejects_special_files_as_packs() {
    for name in ["pack-x.idx", "pack-x.pack", "multi-pack-index"] {
        let repository = plain();
        pipe(&repository.path().join(".git/objects/pack").join(name));
        let Some(Error::Repository { reason, .. }) = failure(&repository, &head()) else { panic!("{name}") };
        assert_eq!(reason, format!("`objects/pack/{name}` is not a regular file"));
    }
}

#[test]
fn limits_size_of_index() {
    for (make, reason) in [
        (pipe as fn(&Path), "it is not a regular file"),
        (endless, "it is larger than 128 MiB"),
        (dangling, "its file cannot be accessed"),
    ] {
        let repository = plain();
        let path = repository.path().join(".git/index");
        fs::remove_file(&path).expect("it is there");
        make(&path);
        for revision in [Revision::Index, Revision::WorkTree] {
            assert_eq!(failure(&repository, &revision), Some(Error::Index { reason }));
        }
        assert_eq!(failure(&repository, &head()), None, "a tree is read without the index");
    }
}

fn dangling(path: &Path) {
    std::os::unix::fs::symlink("nowhere", path).expect("a link can be made");
}

#[test]
fn rejects_special_file_as_shared_index() {
    for make in [pipe as fn(&Path), endless, |_| ()] {
        let repository = plain();
        repository.git(&["update-index", "--split-index"]);
        let git_dir = repository.path().join(".git");
        let is_shared = |name: &str| name.starts_with("sharedindex.");
        let names = fs::read_dir(&git_dir).expect("it is a directory");
        let mut names = names.map(|entry| entry.expect("it can be listed").path());
        let shared = names.find(|path| is_shared(&path.file_name().expect("it has one").to_string_lossy()));
        let shared = shared.expect("the index is split");
        fs::remove_file(&shared).expect("it is there");
        make(&shared);
        let Some(Error::Index { reason }) = failure(&repository, &Revision::Index) else {
            panic!("it is not an index")
        };
        assert!(reason.starts_with("its shared index "), "{reason}");
    }
}

#[test]
fn reads_references_without_blocking_on_pipe() {
    let repository = plain();
    let git_dir = repository.path().join(".git");
    pipe(&git_dir.join("refs/heads/pipe"));
    let open = |name: &str| repository.try_open(&Revision::Tree(name.into())).err();
    let Some(Error::Unreadable { path, .. }) = open("pipe~1") else { panic!("it is opened") };
    assert_eq!(path, "refs/heads/pipe");
    // Neither the nearest names nor the other references need it.
    assert_eq!(open("pip"), Some(Error::Revision { revision: "pip".into(), nearest: vec![] }));
    assert_eq!(open("mai"), Some(Error::Revision { revision: "mai".into(), nearest: vec!["main".into()] }));
    assert_eq!(open("main"), None);
    // A search through the reflog may return any of them.
    assert!(matches!(open("main@{0}"), Some(Error::Unreadable { .. })));
    fs::remove_file(git_dir.join("refs/heads/pipe")).expect("it is there");
    assert_eq!(open("main@{0}"), None);
    fs::write(git_dir.join("HEAD"), "ref: refs/heads/pipe\n").expect("it can be written");
    pipe(&git_dir.join("refs/heads/pipe"));
    assert!(matches!(open("HEAD"), Some(Error::Unreadable { .. })));
    fs::remove_file(git_dir.join("logs/HEAD")).expect("it is there");
    pipe(&git_dir.join("logs/HEAD"));
    assert!(matches!(open("@{-1}"), Some(Error::Unreadable { .. })));
}

#[test]
fn rejects_cyclic_or_invalid_reference() {
    let repository = plain();
    let git_dir = repository.path().join(".git");
    fs::write(git_dir.join("refs/heads/a"), "ref: refs/heads/b\n").expect("it can be written");
    fs::write(git_dir.join("refs/heads/b"), "ref: refs/heads/a\n").expect("it can be written");
    fs::write(git_dir.join("refs/heads/c"), "no reference\n").expect("it can be written");
    endless(&git_dir.join("refs/heads/d"));
    for name in ["a", "c", "d"] {
        let error = repository.try_open(&Revision::Tree(name.into())).err();
        assert!(matches!(error, Some(Error::Unreadable { .. })), "{name}: {error:?}");
    }
    // The target of a link in its place is not a reference and is not shown.
    let secret = repository.write("secret", "the secret\n");
    fs::remove_file(git_dir.join("HEAD")).expect("it is there");
    std::os::unix::fs::symlink(&secret, git_dir.join("HEAD")).expect("a link can be made");
    let error = repository.try_open(&head()).err().expect("it is not a HEAD");
    assert!(!format!("{error} {:?}", error.help()).contains("the secret"), "{error}");
}

#[test]
fn rejects_special_file_as_loose_object() {
    let repository = plain();
    let blob = repository.git(&["rev-parse", "HEAD:.agent/skills/a/SKILL.md"]);
    let path = repository.path().join(".git/objects").join(&blob[..2]).join(&blob[2..]);
    fs::remove_file(&path).expect("it is there");
    pipe(&path);
    for revision in [head(), Revision::Index] {
        let Some(Error::Objects(bad)) = failure(&repository, &revision) else { panic!("it is read") };
        assert_eq!(bad[0].damage, Damage::Undecodable);
    }
}

#[test]
fn reads_repository_made_of_links() {
    let repository = plain();
    let elsewhere = tempfile::tempdir().expect("a directory can be made");
    for name in ["config", "objects", "refs", "index"] {
        let (inside, outside) = (repository.path().join(".git").join(name), elsewhere.path().join(name));
        fs::rename(&inside, &outside).expect("it can be moved");
        std::os::unix::fs::symlink(outside, inside).expect("a link can be made");
    }
    for revision in [head(), Revision::Index, Revision::WorkTree] {
        assert_eq!(failure(&repository, &revision), None);
    }
}

#[test]
fn checks_files_of_linked_working_tree() {
    let repository = plain();
    let linked = tempfile::tempdir().expect("a directory can be made");
    let place = linked.path().join("w");
    repository.git(&["worktree", "add", "-q", "--detach", &place.display().to_string()]);
    let open = || skilltree_git::open(&place, &Revision::Index, &Environment::default()).err();
    assert_eq!(open(), None);
    let private = repository.path().join(".git/worktrees/w");
    for name in ["HEAD", "commondir"] {
        let path = private.join(name);
        let text = fs::read(&path).expect("it is there");
        fs::remove_file(&path).expect("it is there");
        pipe(&path);
        let Some(Error::Repository { reason, .. }) = open() else { panic!("{name}") };
        assert_eq!(reason, format!("`{name}` is not a regular file"));
        fs::remove_file(&path).expect("it is there");
        fs::write(&path, text).expect("it can be written");
    }
    fs::write(place.join(".git"), "gitdir: /nowhere\n").expect("it can be written");
    let Some(Error::Repository { reason, .. }) = open() else { panic!("there is no repository") };
    assert_eq!(reason, "its `.git` file does not point to a repository");
}
