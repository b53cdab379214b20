//! Repositories that belong to somebody else.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test makes what it reads, and says when it cannot"
)]

use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;

use skilltree::source::{self, Environment, Error, Revision};

use crate::repository::Repository;

/// Somebody else: nobody's number on most systems.
const OTHER: u32 = 65_534;

/// Gives a file or directory to somebody else; only who may do anything can. Says so where this is not possible.
fn give(path: &Path) -> bool {
    let given = chown(path, Some(OTHER), None).is_ok() && path.metadata().is_ok_and(|metadata| metadata.uid() == OTHER);
    if !given {
        eprintln!("skipped: this user cannot give files to another one");
    }
    given
}

#[test]
fn a_repository_of_somebody_else_is_not_opened() {
    for part in [".git", "."] {
        let repository = Repository::new();
        repository.write(".agent/skills/a/SKILL.md", "a");
        repository.commit();
        // What the repository says of itself has no part in it.
        repository.git(&["config", "safe.directory", "*"]);
        if !give(&repository.path().join(part)) {
            return;
        }
        for revision in [Revision::Tree("HEAD".into()), Revision::Index, Revision::WorkTree] {
            let error = repository.try_open(&revision).err();
            assert_eq!(error, Some(Error::Untrusted { place: repository.path().to_owned() }), "{part}");
            let help = error.and_then(|error| error.help()).expect("there is something to do");
            assert!(help.contains("exactly this repository") && !help.contains('*'), "{help}");
        }
    }
}

#[test]
fn a_linked_work_tree_of_somebody_elses_repository_is_not_opened() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let directory = tempfile::tempdir().expect("a directory can be made");
    let place = directory.path().join("w");
    repository.git(&["worktree", "add", "-q", "--detach", &place.display().to_string()]);
    if give(&repository.path().join(".git")) {
        let error = source::open(&place, &Revision::Index, &Environment::default()).err();
        assert_eq!(error, Some(Error::Untrusted { place }));
    }
}
