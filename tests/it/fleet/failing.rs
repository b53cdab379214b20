//! Repositories that cannot be read: each is a row that says why, and changes no other row.

use std::fs;

use skilltree::Table;

use super::mirrors::{Mirrors, good, read, text};

/// Makes a mirror that fails in one of ten ways, and returns what its row must say.
fn fail(mirrors: &Mirrors, way: usize, name: &str) -> &'static str {
    let path = mirrors.mirror(name);
    match way {
        0 => {
            fs::create_dir(&path).unwrap();
            return "is not in a Git repository";
        }
        1 => {
            fs::create_dir(&path).unwrap();
            fs::write(path.join("HEAD"), "ref: refs/heads/main\n").unwrap();
            return "is not in a Git repository";
        }
        _ => mirrors.commit(name, &[good("one")], "2026-11-20"),
    }
    match way {
        2 => {
            fs::write(path.join("HEAD"), "ref: refs/heads/gone\n").unwrap();
            "has no commit yet"
        }
        3 => {
            fs::write(path.join("refs/heads/main"), "0123456789012345678901234567890123456789\n").unwrap();
            "missing"
        }
        4 => {
            mirrors.remove_blobs(name);
            "missing"
        }
        5 => {
            let commit = mirrors.git(name, &["rev-parse", "main"]);
            fs::remove_dir_all(path.join("objects")).unwrap();
            fs::create_dir_all(path.join("objects").join(&commit[..2])).unwrap();
            fs::write(path.join("objects").join(&commit[..2]).join(&commit[2..]), "damaged").unwrap();
            "cannot be decoded"
        }
        6 => {
            fs::write(path.join("config"), "[core]\n\trepositoryformatversion = 9\n").unwrap();
            "unknown format"
        }
        7 => {
            mirrors.commit(
                name,
                &[good("one"), ("skilltree.toml".to_owned(), "edition = [\n".to_owned())],
                "2026-11-20",
            );
            "skilltree.toml:"
        }
        8 => {
            fs::write(path.join("config"), "[core\n").unwrap();
            "cannot be opened"
        }
        9 => {
            fs::remove_file(path.join("HEAD")).unwrap();
            fs::create_dir(path.join("HEAD")).unwrap();
            "HEAD"
        }
        _ => unreachable!("there are ten ways"),
    }
}

#[test]
fn each_failure_is_a_row_that_says_why() {
    let mirrors = Mirrors::many(20);
    assert_eq!(mirrors.fleet(&[]).status, 0);
    let healthy = mirrors.tables();
    let expected: Vec<(String, &str)> = (0..20)
        .map(|number| (format!("x{number:02}.git"), number % 10))
        .map(|(name, way)| (name.clone(), fail(&mirrors, way, &name)))
        .collect();
    for _ in 0..2 {
        let run = mirrors.fleet(&[]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("error: 20 of 40 repositories could not be read\n"), "{}", run.stderr);
        assert!(run.stderr.contains("  15 more\n"), "{}", run.stderr);
        let failed: Vec<_> =
            read(&mirrors.out(), Table::Runs).into_iter().filter(|row| row["status"] == "failed").collect();
        assert_eq!(failed.len(), 20);
        for (name, reason) in &expected {
            let row = failed.iter().find(|row| text(row, "repository") == name).expect(name);
            assert!(text(row, "error").contains(reason), "{reason}: {row}");
            assert!(!text(row, "error").contains(mirrors.path().to_str().unwrap()), "{row}");
        }
        for (before, after) in healthy.iter().zip(mirrors.tables()) {
            let after: Vec<String> = after.into_iter().filter(|row| !row.contains("\"x")).collect();
            assert_eq!(*before, after);
        }
    }
    // What is readable again loses its error.
    fs::remove_dir_all(mirrors.mirror("x00.git")).unwrap();
    mirrors.commit("x00.git", &[good("one")], "2026-11-20");
    assert!(mirrors.fleet(&[]).stderr.contains("error: 19 of 40"));
}

#[test]
fn repository_without_commits_is_empty_and_not_failed() {
    let mirrors = Mirrors::many(1);
    fs::create_dir(mirrors.mirror("new.git")).unwrap();
    mirrors.git("new.git", &["init", "--quiet", "--bare"]);
    for expected in ["2 repositories: 2 read, 0 unchanged, 0 failed", "2 repositories: 0 read, 2 unchanged, 0 failed"] {
        let run = mirrors.fleet(&[]);
        assert_eq!((run.status, run.stderr.trim_end()), (0, expected));
    }
    let rows = read(&mirrors.out(), Table::Runs);
    assert_eq!(rows.iter().map(|row| text(row, "status")).collect::<Vec<_>>(), ["empty", "read"]);
}

#[test]
fn repository_over_its_time_is_a_row() {
    let mirrors = Mirrors::new();
    let skills: Vec<_> = (0..500).map(|number| good(&format!("skill-{number}"))).collect();
    mirrors.commit("large.git", &skills, "2026-11-20");
    let run = mirrors.fleet(&["--max-repo-time", "1ms"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("  large.git: stopped after 1ms\n"), "{}", run.stderr);
    let rows = read(&mirrors.out(), Table::Runs);
    assert_eq!(text(&rows[0], "error"), "stopped after 1ms");
    assert_eq!(mirrors.fleet(&[]).status, 0);
    assert_eq!(read(&mirrors.out(), Table::Skills).len(), 500);
}

#[cfg(unix)]
#[test]
fn link_to_nothing_and_a_path_that_does_not_exist_are_rows() {
    let mirrors = Mirrors::many(1);
    std::os::unix::fs::symlink("nowhere", mirrors.mirror("gone.git")).unwrap();
    let run = mirrors.fleet(&["--jsonl"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("2 repositories: 1 read, 0 unchanged, 1 failed"), "{}", run.stderr);
    assert!(run.stderr.contains("gone.git` does not exist"), "{}", run.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn two_repositories_with_the_same_name_are_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let mirrors = Mirrors::new();
    for name in [&b"c\xff.git"[..], b"c\\xff.git"] {
        fs::create_dir(mirrors.path().join("mirrors").join(std::ffi::OsStr::from_bytes(name))).unwrap();
    }
    let run = mirrors.fleet(&["--jsonl"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("two repositories are called `c\\xff.git` in the tables"), "{}", run.stderr);
}

/// Otherwise a misspelled revision would empty all tables.
#[test]
fn revision_that_no_repository_has_changes_nothing() {
    let mirrors = Mirrors::new();
    for name in ["a.git", "b.git"] {
        mirrors.commit(name, &[good("pdf")], "2026-11-20");
    }
    assert_eq!(mirrors.fleet(&[]).status, 0);
    let before = read(&mirrors.out(), Table::Skills);
    let run = mirrors.fleet(&["--rev", "mian"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("none of 2 repositories has the revision `mian`"), "{}", run.stderr);
    assert_eq!(read(&mirrors.out(), Table::Skills), before);
    // One repository has it: the other one is named, and has no rows.
    mirrors.git("a.git", &["branch", "topic", "main"]);
    let run = mirrors.fleet(&["--rev", "topic"]);
    assert!(run.status == 2 && run.stderr.contains("b.git: `topic` is not a commit"), "{}", run.stderr);
    assert_eq!(read(&mirrors.out(), Table::Skills).len(), 1);
}
