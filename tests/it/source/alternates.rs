//! Objects in other repositories.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;
use std::path::Path;

use skilltree_git::{Environment, Revision};
use skilltree_skills::source::Error;

use crate::source::repository::{Repository, git};
use crate::source::shown::{BOUNDS, default_roots};

fn head() -> Revision {
    Revision::Tree("HEAD".into())
}

/// Clones a repository that shares its objects, by paths that are relative to the directory that names them.
fn share(from: &Path, to: &Path) {
    let parent = to.parent().expect("it is in a directory");
    git(parent, &["clone", "-q", "--bare", "--shared", &from.display().to_string(), &to.display().to_string()], &[]);
}

fn name(repository: &Path, alternates: &str) {
    fs::write(repository.join("objects/info/alternates"), alternates).expect("it can be written");
}

fn skills(place: &Path, environment: &Environment) -> Result<usize, Error> {
    let source = skilltree_git::open(place, &head(), environment)?;
    Ok(source.read(&default_roots(), BOUNDS)?.skills.len())
}

#[test]
fn follows_relative_nested_alternates() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let directory = tempfile::tempdir().expect("a directory can be made");
    let place = |name: &str| directory.path().join(name);
    fs::create_dir(place("deep")).expect("a directory can be made");
    git(directory.path(), &["clone", "-q", "--bare", &repository.path().display().to_string(), "deep/one"], &[]);
    share(&place("deep/one"), &place("deep/two"));
    share(&place("deep/two"), &place("three"));
    name(&place("deep/two"), "# a comment\n../../one/objects\n");
    name(&place("three"), "../../deep/two/objects\n");
    assert_eq!(skills(&place("three"), &Environment::default()), Ok(1));
    // The same applies to the repository of a quarantine while a push is received.
    let environment = Environment {
        object_directory: Some(place("three/objects/incoming")),
        alternates: vec![place("three/objects")],
        ..Environment::default()
    };
    fs::create_dir(place("three/objects/incoming")).expect("a directory can be made");
    assert_eq!(skills(&place("three"), &environment), Ok(1));
}

#[test]
fn rejects_endless_alternates() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let git_dir = repository.path().join(".git");
    let many: String = (0..200).map(|number| format!("{number}\n")).collect();
    for (alternates, words) in [
        ("../objects\n".to_owned(), "damaged"),
        (many, "it has more than 100 alternate object directories"),
        ("a\n".repeat(40_000), "`info/alternates` is larger than 65,536 bytes"),
    ] {
        name(&git_dir, &alternates);
        let Err(Error::Repository { reason, .. }) = skills(repository.path(), &Environment::default()) else {
            panic!("{words}")
        };
        assert!(reason.contains(words), "{reason}");
    }
    // A missing alternate is fine if no object of it is needed.
    name(&git_dir, &format!("{}/objects\n../nowhere\n\n", repository.path().join("nowhere").display()));
    assert_eq!(skills(repository.path(), &Environment::default()), Ok(1));
}
