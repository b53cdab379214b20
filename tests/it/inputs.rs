//! Invalid arguments and environment variables: skilltree exits with status 2 and reports why, or ignores the variable.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{self, Repository, Run};

/// Arguments of arbitrary bytes.
fn bytes(word: &[u8]) -> OsString {
    OsString::from_vec(word.to_vec())
}

/// Runs skilltree with arguments and variables of arbitrary bytes.
fn skilltree(directory: &Path, arguments: &[&OsStr], variables: &[(&str, &OsStr)]) -> Run {
    let mut command = Command::new(common::program());
    common::isolate(&mut command).args(arguments).envs(variables.iter().copied()).current_dir(directory);
    let output = command.stdin(Stdio::null()).output().unwrap();
    Run {
        status: output.status.code().expect("the program ends by itself"),
        stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("output is UTF-8"),
    }
}

/// A repository with one good skill.
fn repository() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "good").commit();
    assert!(Command::new("mkfifo").arg(repository.path().join("pipe")).status().unwrap().success());
    fs::write(repository.path().join("file"), "no index, no repository\n").unwrap();
    repository
}

#[test]
fn rejects_and_escapes_invalid_arguments() {
    let repository = repository();
    let cases: &[(&[&[u8]], &str)] = &[
        (&[b"--rev", b"\xff"], "not valid UTF-8"),
        (&[b"--rev", b""], "a value is required"),
        (&[b"--rev="], "a value is required"),
        (&[b"--base", b""], "a value is required"),
        (&[b"--config-from", b""], "a value is required"),
        (&[b"--rev", b"no\nsuch\x1b[31m"], "`no\\nsuch\\u{1b}[31m` is not a commit"),
        (&[b"--rev", b"HEAD~9999999999"], "is not a commit"),
        (&[b"--rev", b"HEAD^{/.*("], "searches the history, which is not supported"),
        (&[b"--rev", b"0000000000000000000000000000000000000000"], "0000000000000000000000000000000000000000"),
        (&[b"--rev", b"-1"], "'-1'"),
        (&[b"--rev", b"HEAD:.agent/skills/good/SKILL.md"], "is not a commit, tag or tree"),
        (&[b"--base", b"nowhere"], "`nowhere` is not a commit"),
        (&[b"--base", b" "], "` ` is not a commit"),
        (&[b"--range", b"nowhere"], "A..B"),
        (&[b"--range", b".."], "the start of the range is empty"),
        (&[b"--range", b"..HEAD"], "the start of the range is empty"),
        (&[b"--range", b"HEAD.."], "the end of the range is empty"),
        (&[b"--range", b"HEAD..."], "the end of the range is empty"),
        (&[b"\xff"], "there is no skill at `\u{fffd}`"),
        (&[b"no\nsuch\x1b[31m"], "there is no skill at `no\\nsuch\\u{1b}[31m`"),
        (&[b"-C", b"\xff"], "is not a directory"),
        (&[b"-C", b"file"], "`file` is not a directory"),
        (&[b"-C", b"pipe"], "`pipe` is not a directory"),
        (&[b"--config", b"pipe"], "it is not a regular file"),
        (&[b"--config", b"/dev/zero"], "it is not a regular file"),
        (&[b"--config", b"."], "it is not a regular file"),
        (&[b"--config", b"file/x"], "not a directory"),
        (&[b"--config", b"file"], "is not valid TOML"),
        (&[b"--root", b"\xff"], "not valid UTF-8"),
        (&[b"--root", b"../x"], "is not a path below"),
        (&[b"--root", b""], "the path is empty"),
        (&[b"--root", b"a="], "there is no profile"),
        (&[b"--today", b"\xff"], "not valid UTF-8"),
    ];
    for (words, expected) in cases {
        let words: Vec<OsString> = words.iter().map(|word| bytes(word)).collect();
        let mut arguments = vec![OsStr::new("check")];
        arguments.extend(words.iter().map(OsString::as_os_str));
        let run = skilltree(repository.path(), &arguments, &[]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{words:?}: {}", run.stderr);
        assert!(!run.stderr.contains('\x1b'), "{words:?}: {}", run.stderr);
    }
}

#[test]
fn reports_deleted_current_directory() {
    let parent = tempfile::tempdir().unwrap();
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" \"$@\"";
    for (arguments, words) in [
        (&["check"][..], "is not in a Git repository"),
        (&["check", "--staged"], "is not in a Git repository"),
        (&["check", "skills"], "no such file or directory: `skills`"),
        (&["prompt"], "is not in a Git repository"),
    ] {
        let mut command = Command::new("sh");
        common::isolate(&mut command).args(["-c", script]).arg(common::program()).args(arguments);
        let output = command.current_dir(parent.path()).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
}

/// A variable and its error message; without a message, the variable has no effect.
type Odd = (&'static str, &'static [u8], Option<&'static str>);

const VARIABLES: &[Odd] = &[
    ("GIT_DIR", b"", None),
    ("GIT_DIR", b"file", Some("is not in a Git repository")),
    ("GIT_DIR", b"pipe", Some("is not in a Git repository")),
    ("GIT_DIR", b"/dev/zero", Some("is not in a Git repository")),
    ("GIT_DIR", b"\xff\n", Some("is not in a Git repository")),
    ("GIT_DIR", b".git", None),
    ("GIT_INDEX_FILE", b"", None),
    ("GIT_INDEX_FILE", b".git/index", None),
    ("GIT_INDEX_FILE", b"file", Some("the index cannot be read")),
    ("GIT_INDEX_FILE", b".", Some("the index cannot be read: it is not a regular file")),
    ("GIT_INDEX_FILE", b"pipe", Some("the index cannot be read: it is not a regular file")),
    ("GIT_INDEX_FILE", b"/dev/zero", Some("the index cannot be read: it is not a regular file")),
    ("GIT_INDEX_FILE", b"file/x", Some("the index cannot be read")),
    ("GIT_OBJECT_DIRECTORY", b"", None),
    ("GIT_OBJECT_DIRECTORY", b"file", Some("error: ")),
    ("GIT_OBJECT_DIRECTORY", b"pipe", Some("error: ")),
    ("GIT_OBJECT_DIRECTORY", b"\xff\n", Some("error: ")),
    ("GIT_OBJECT_DIRECTORY", b".git/objects", None),
    ("GIT_ALTERNATE_OBJECT_DIRECTORIES", b"::\xff:\n:/dev/zero", None),
    ("GIT_CEILING_DIRECTORIES", b"::\xff:\n:/dev/zero", None),
    ("GIT_CONFIG_COUNT", b"x", None),
    ("GIT_CONFIG_PARAMETERS", b"'core.bare=true'", None),
    ("GIT_CONFIG_GLOBAL", b"pipe", None),
    ("HOME", b"/dev/null", None),
    ("XDG_CONFIG_HOME", b"\xff", None),
    ("TMPDIR", b"/dev/null/none", None),
    ("PRE_COMMIT_TO_REF", b"\xff", Some("`\u{fffd}` is not a commit")),
    ("PRE_COMMIT_TO_REF", b"nowhere", Some("`nowhere` is not a commit")),
    ("PRE_COMMIT_TO_REF", b"", None),
    ("COLUMNS", b"-1", None),
    ("TERM", b"\xff", None),
    ("LC_ALL", b"\xff", None),
    ("RUST_BACKTRACE", b"full", None),
    ("RAYON_NUM_THREADS", b"100000", None),
];

#[test]
fn rejects_or_ignores_invalid_variables() {
    let repository = repository();
    for (name, value, expected) in VARIABLES {
        // A hook is about the index, so that the state is named: only the variable differs.
        let revision = if name.starts_with("PRE_COMMIT") { "--verbose" } else { "--staged" };
        let arguments = [OsStr::new("check"), OsStr::new(revision)];
        let with = skilltree(repository.path(), &arguments, &[(name, OsStr::from_bytes(value))]);
        let shown = format!("{name}={:?}", OsStr::from_bytes(value));
        match expected {
            Some(words) => {
                assert_eq!((with.status, with.stdout.as_str()), (2, ""), "{shown}: {}", with.stderr);
                assert!(with.stderr.contains(words), "{shown}: {}", with.stderr);
            }
            None => {
                let without = skilltree(repository.path(), &arguments, &[]);
                assert_eq!((with.status, with.stdout), (0, without.stdout), "{shown}: {}", with.stderr);
                assert_eq!(with.stderr, without.stderr, "{shown}");
            }
        }
    }
}

#[test]
fn every_source_reports_missing_repository() {
    let anywhere = tempfile::tempdir().unwrap();
    for arguments in [
        &["check"][..],
        &["check", "--staged"],
        &["check", "--worktree"],
        &["check", "--rev", "HEAD"],
        &["check", "--range", "A..B"],
        &["prompt"],
        &["list"],
        &["show", "pdf"],
    ] {
        let run = common::skilltree(anywhere.path(), arguments, &[]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("is not in a Git repository"), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("help: run `git init`"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn rejects_file_system_root_as_skills_directory() {
    let run = skilltree(tempfile::tempdir().unwrap().path(), &["check".as_ref(), "/".as_ref()], &[]);
    assert_eq!(run.status, 2);
    assert!(
        run.stderr.contains("`/` is the root of the file system") && run.stderr.contains("pass the skills directory"),
        "{}",
        run.stderr
    );
}
