//! Repositories that store their references in tables. Git wrote the tables in `reftables/`, with `make.sh`; so the Git of this
//! machine needs no support for them. `expected` is what Git finds in them.
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;
use std::path::{Path, PathBuf};

use skilltree_git::Revision;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{Error, Source};

use crate::source::repository::Repository;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/source/reftables").join(name)
}

/// Creates the repository that `make.sh` creates, with the tables of a fixture.
fn repository(name: &str, options: &[&str]) -> Repository {
    let repository = Repository::with(options);
    for number in 1..=3 {
        let blob = repository.write("file", format!("{number}\n"));
        let blob = repository.git(&["hash-object", "-w", blob.to_str().expect("a path in UTF-8")]);
        let tree = repository.tree(&[("100644", "file", &blob)]);
        let commit = repository.git(&["commit-tree", &tree, "-m", &format!("commit {number}")]);
        if number == 2 {
            repository.git(&["tag", "-a", "-m", "v1", "v1", &commit]);
        }
    }
    repository.git(&["config", "core.repositoryFormatVersion", "1"]);
    repository.git(&["config", "extensions.refStorage", "reftable"]);
    let git = repository.path().join(".git");
    fs::write(git.join("HEAD"), "ref: refs/heads/.invalid\n").expect("a file can be written");
    fs::remove_dir_all(git.join("refs")).expect("a directory can be removed");
    fs::create_dir(git.join("refs")).expect("a directory can be made");
    fs::write(git.join("refs/heads"), "this repository uses the reftable format\n").expect("a file can be written");
    copy(name, &git);
    repository
}

fn copy(name: &str, git: &Path) {
    fs::create_dir(git.join("reftable")).expect("a directory can be made");
    for entry in fs::read_dir(fixture(name)).expect("the fixture exists") {
        let path = entry.expect("it can be listed").path();
        let file = path.file_name().expect("a file has a name");
        if file != "expected" {
            fs::copy(&path, git.join("reftable").join(file)).expect("a file can be copied");
        }
    }
}

/// The lines of `expected`: a name, and an id or `-`.
fn expected(name: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(fixture(name).join("expected")).expect("the fixture has expected values");
    let pair = |line: &str| line.split_once(' ').map(|(name, id)| (name.to_owned(), id.to_owned()));
    text.lines().map(|line| pair(line).expect("a line has two words")).collect()
}

fn open(repository: &Repository, revision: &str) -> Result<Source, Error> {
    repository.try_open(&Revision::Tree(revision.to_owned()))
}

fn commit(repository: &Repository, revision: &str) -> Result<String, Error> {
    match open(repository, revision)?.origin() {
        Origin::Tree { commit: Some(commit), .. } => Ok(commit.to_string()),
        origin => panic!("{revision} is no commit: {origin:?}"),
    }
}

/// Returns the file of a fixture's only table in a repository.
fn only_table(repository: &Repository) -> PathBuf {
    let directory = repository.path().join(".git/reftable");
    let list = fs::read_to_string(directory.join("tables.list")).expect("there is a list");
    directory.join(list.lines().next_back().expect("a list has a line"))
}

/// Compares every reference of a fixture with what Git found.
fn compare(name: &str, options: &[&str]) -> Repository {
    let repository = repository(name, options);
    for (reference, id) in expected(name).iter().filter(|(_, id)| id != "-") {
        let expected = commit(&repository, id).expect("the object exists");
        assert_eq!(commit(&repository, reference), Ok(expected), "{name}: {reference}");
    }
    repository
}

#[test]
fn reads_branches_tags_and_symbolic_references() {
    let repository = compare("one", &[]);
    let main = commit(&repository, "main").expect("a short name is found");
    assert_eq!(commit(&repository, "@"), Ok(main.clone()));
    assert_eq!(commit(&repository, "origin"), commit(&repository, "refs/remotes/origin/main"));
    assert_ne!(commit(&repository, "v1"), Ok(main));
    let nearest = vec!["other".to_owned()];
    let revision = "othre".to_owned();
    assert_eq!(open(&repository, "othre").err(), Some(Error::Revision { revision, nearest }));
}

#[test]
fn newest_table_decides() {
    let repository = compare("several", &[]);
    assert!(matches!(open(&repository, "refs/heads/gone"), Err(Error::Revision { .. })), "it was deleted");
}

#[test]
fn reads_references_next_to_logs() {
    let repository = compare("logs", &[]);
    let revision = "main@{1}".to_owned();
    assert_eq!(open(&repository, "main@{1}").err(), Some(Error::Reflogs { revision }));
}

#[test]
fn reads_blocks_with_index() {
    let repository = compare("index", &[]);
    for name in ["refs/heads/a", "refs/heads/branch-1000", "refs/heads/zzz"] {
        assert!(matches!(open(&repository, name), Err(Error::Revision { .. })), "{name}");
    }
}

#[test]
fn reads_ids_of_sha256() {
    compare("sha256", &["--object-format=sha256"]);
}

#[test]
fn reads_head_without_branch() {
    compare("detached", &[]);
}

#[test]
fn reports_head_without_commits() {
    let repository = repository("empty", &[]);
    assert_eq!(open(&repository, "HEAD").err(), Some(Error::Unborn { revision: "HEAD".to_owned() }));
}

#[test]
fn linked_worktree_has_its_own_head() {
    let repository = compare("worktree-common", &[]);
    let own = repository.path().join(".git/worktrees/linked");
    fs::create_dir_all(&own).expect("a directory can be made");
    fs::write(own.join("HEAD"), "ref: refs/heads/.invalid\n").expect("a file can be written");
    fs::write(own.join("commondir"), "../..\n").expect("a file can be written");
    copy("worktree-own", &own);
    let linked = tempfile::tempdir().expect("a directory can be made");
    fs::write(linked.path().join(".git"), format!("gitdir: {}\n", own.display())).expect("a file can be written");
    fs::write(own.join("gitdir"), format!("{}\n", linked.path().join(".git").display()))
        .expect("a file can be written");
    for (name, id) in expected("worktree-own") {
        let environment = skilltree_git::Environment::default();
        let source = skilltree_git::open(linked.path(), &Revision::Tree(name.clone()), &environment);
        let expected = open(&repository, &id).expect("the object exists");
        let tree = |source: &Source| match source.origin() {
            Origin::Tree { commit, .. } => *commit,
            origin => panic!("{origin:?}"),
        };
        assert_eq!(tree(&source.expect("it can be opened")), tree(&expected), "{name}");
    }
}

/// A damaged table either has the same commit, or the run fails: no other commit, and no panic.
#[test]
fn survives_every_damaged_byte() {
    for (name, options) in [("one", &[][..]), ("logs", &[]), ("sha256", &["--object-format=sha256"])] {
        let repository = repository(name, options);
        let known: Vec<(String, String)> = expected(name);
        let table = only_table(&repository);
        let bytes = fs::read(&table).expect("the table can be read");
        let mut refused = 0;
        for at in 0..bytes.len() {
            for bit in [0x01, 0x10, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= bit;
                fs::write(&table, damaged).expect("a file can be written");
                for (reference, id) in &known {
                    let peeled = commit(&repository, id).expect("the object exists");
                    match commit(&repository, reference) {
                        Ok(found) => assert_eq!(found, peeled, "{name}: {reference} with byte {at} ^ {bit}"),
                        Err(_) => refused += 1,
                    }
                }
            }
        }
        assert!(refused > bytes.len(), "{name}: only {refused} runs failed");
        for length in 0..bytes.len() {
            fs::write(&table, &bytes[..length]).expect("a file can be written");
            assert!(open(&repository, "HEAD").is_err(), "{name}: only {length} bytes");
        }
    }
}

#[test]
fn rejects_index_that_leads_elsewhere() {
    let repository = repository("index", &[]);
    let table = only_table(&repository);
    let bytes = fs::read(&table).expect("the table can be read");
    let blocks = (0..bytes.len()).step_by(256).filter(|&at| at > 0 && bytes[at] == b'i');
    let mut number = 0;
    for block in blocks {
        number += 1;
        for at in [block + 4, block + 5, block + 8, block + 20] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x04;
            fs::write(&table, damaged).expect("a file can be written");
            let error = open(&repository, "HEAD").err();
            assert!(matches!(error, Some(Error::Unreadable { .. })), "byte {at}: {error:?}");
        }
    }
    assert!(number > 4, "the index has {number} blocks");
}

#[test]
fn rejects_malformed_stacks() {
    let reason = |change: &dyn Fn(&Path)| {
        let repository = repository("several", &[]);
        change(&repository.path().join(".git/reftable"));
        match open(&repository, "HEAD").err() {
            Some(Error::Unreadable { path, reason }) => format!("{path} {reason}"),
            error => panic!("{error:?}"),
        }
    };
    let write =
        |directory: &Path, text: &str| fs::write(directory.join("tables.list"), text).expect("it can be written");
    let list = "reftable/tables.list";
    let removed = reason(&|directory| fs::remove_file(directory.join("tables.list")).expect("it exists"));
    assert_eq!(removed, format!("{list} it is missing"));
    for odd in ["../HEAD\n", "/etc/passwd\n", "\n", ".\n", "a b\n", "\u{1b}[31m\n"] {
        assert_eq!(
            reason(&|directory| write(directory, odd)),
            format!("{list} it contains a malformed name"),
            "{odd:?}"
        );
    }
    assert_eq!(reason(&|directory| write(directory, "x.ref\n")), "reftable/x.ref it is missing");
    let many = "x.ref\n".repeat(1_001);
    assert_eq!(reason(&|directory| write(directory, &many)), format!("{list} it names more than 1,000 tables"));
    let other = reason(&|directory| {
        let sha256 = fixture("sha256");
        let text = fs::read_to_string(sha256.join("tables.list")).expect("there is a list");
        let name = text.lines().next().expect("a list has a line");
        fs::copy(sha256.join(name), directory.join("x.ref")).expect("a file can be copied");
        write(directory, "x.ref\n");
    });
    assert_eq!(other, "reftable/x.ref it has ids of another hash function than the repository");
}

#[cfg(unix)]
#[test]
fn opens_no_pipe_as_table() {
    let repository = repository("one", &[]);
    let table = only_table(&repository);
    fs::remove_file(&table).expect("it exists");
    crate::source::repository::pipe(&table);
    assert!(matches!(open(&repository, "HEAD"), Err(Error::Unreadable { .. })));
}
