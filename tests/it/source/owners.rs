//! Repositories that belong to another user.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "a test creates the files that it reads")]

use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use skilltree_git::{Environment, Revision};
use skilltree_skills::source::Error;

use crate::source::repository::Repository;

/// User id of another user: `nobody` on most systems.
const OTHER: u32 = 65_534;

/// Changes the owner of a file or directory. Returns false without root: only root can do this.
fn give(path: &Path) -> bool {
    let uid = std::process::Command::new("id").arg("-u").output().expect("`id` is in the Debian package `coreutils`");
    if uid.stdout != b"0\n" {
        return false;
    }
    chown(path, Some(OTHER), None).unwrap();
    assert_eq!(path.metadata().unwrap().uid(), OTHER);
    true
}

#[test]
fn rejects_foreign_repository() {
    for part in [".git", "."] {
        let repository = Repository::new();
        repository.write(".agent/skills/a/SKILL.md", "a");
        repository.commit();
        // The configuration of the repository cannot declare it safe.
        repository.git(&["config", "safe.directory", "*"]);
        if !give(&repository.path().join(part)) {
            return;
        }
        for revision in [Revision::Tree("HEAD".into()), Revision::Index, Revision::WorkTree] {
            let error = repository.try_open(&revision).err();
            assert_eq!(error, Some(Error::Untrusted { place: repository.path().to_owned() }), "{part}");
            let help = error.and_then(|error| error.help()).expect("the error has a help text");
            assert!(help.contains("exactly this repository") && !help.contains('*'), "{help}");
        }
    }
}

#[test]
fn rejects_linked_working_tree_of_foreign_repository() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let directory = tempfile::tempdir().expect("a directory can be made");
    let place = directory.path().join("w");
    repository.git(&["worktree", "add", "-q", "--detach", &place.display().to_string()]);
    if give(&repository.path().join(".git")) {
        let error = skilltree_git::open(&place, &Revision::Index, &Environment::default()).err();
        assert_eq!(error, Some(Error::Untrusted { place }));
    }
}
