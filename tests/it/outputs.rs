//! Output files: an existing file stays intact unless the new one is complete.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use crate::common::{self, Repository, Run};

const OLD: &str = "the old report\n";

/// A repository with one good skill, forty broken ones, and an existing report.
fn repository() -> Repository {
    let repository = Repository::new();
    for number in 0..40 {
        repository.write(&format!(".agent/skills/skill-{number}/SKILL.md"), "no front matter\n");
    }
    repository.skill(".agent/skills", "good").commit();
    repository.write("old.sarif", OLD);
    repository
}

/// Runs skilltree in a shell, with `$0` as the program and `$@` as its arguments.
fn shell(repository: &Repository, script: &str, arguments: &[&str]) -> Run {
    let mut command = Command::new("bash");
    common::isolate(&mut command).args(["-c", script]).arg(common::program()).args(arguments);
    let output = command.current_dir(repository.path()).output().unwrap();
    Run {
        status: output.status.code().expect("the program ends by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Names of the entries of a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn replaces_regular_files_only() {
    let repository = repository();
    let place = |name: &str| repository.path().join(name);
    fs::create_dir(place("directory")).unwrap();
    symlink("old.sarif", place("link")).unwrap();
    symlink("nowhere", place("dangling")).unwrap();
    symlink("directory", place("link-to-directory")).unwrap();
    assert!(Command::new("mkfifo").arg(place("pipe")).status().unwrap().success());
    let before = names(repository.path());
    let cases = [
        ("directory", "is a directory"),
        ("link", "is a symbolic link"),
        ("dangling", "is a symbolic link"),
        ("link-to-directory", "is a symbolic link"),
        ("pipe", "is not a regular file"),
        ("/dev/null", "is not a regular file"),
        ("/dev/full", "is not a regular file"),
        ("nowhere/", "is a directory name"),
        ("nowhere/x", "cannot be written: no such file or directory"),
        ("old.sarif/x", "cannot be written: not a directory"),
        ("old.sarif/", "cannot be written: not a directory"),
    ];
    for (path, words) in cases {
        // The first output could be written; it is not, because the second cannot be.
        let output = format!("sarif={path}");
        let run = repository.skilltree(&["check", "--output", "json=first.json", "--output", &output]);
        assert_eq!(run.status, 2, "{path}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{path}: findings were said before it was known that they can be written");
        assert!(run.stderr.contains(words) && run.stderr.contains("help: "), "{path}: {}", run.stderr);
        assert_eq!(names(repository.path()), before, "{path}");
        assert_eq!(fs::read_to_string(place("old.sarif")).unwrap(), OLD, "{path}");
    }
}

#[test]
fn tree_cannot_redirect_output() {
    let repository = repository();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("skills.json"), OLD).unwrap();
    symlink(outside.path(), repository.path().join("lnk")).unwrap();
    symlink("skills", repository.path().join(".agent/inner")).unwrap();
    repository.write("skilltree.toml", "edition = \"2026\"\n").commit();
    let skill = fs::read(repository.path().join(".agent/skills/good/SKILL.md")).unwrap();
    let index = fs::read(repository.path().join(".git/index")).unwrap();
    let top = repository.path().display().to_string();
    let cases: &[(&[&str], &str)] = &[
        (&["prompt", "--out", "lnk"], "lnk` is a symbolic link in the working tree"),
        (&["prompt", "--out", "lnk/deeper"], "lnk` is a symbolic link in the working tree"),
        (&["prompt", "--out", "lnk/../x"], "lnk` is a symbolic link in the working tree"),
        (&["prompt", "--rev", "HEAD", "--out", "lnk"], "lnk` is a symbolic link in the working tree"),
        (&["prompt", "--per-root", "--out", "lnk"], "lnk` is a symbolic link in the working tree"),
        (&["check", "--output", "json=lnk/skills.json"], "lnk` is a symbolic link in the working tree"),
        (&["check", "--output", &format!("json={top}/lnk/skills.json")], "lnk` is a symbolic link in the working tree"),
        (&["check", "--output", "json=.agent/inner/x.json"], "inner` is a symbolic link in the working tree"),
        (&["check", "--output", "json=.git/index"], "it is inside the Git directory"),
        (&["check", "--output", "json=.agent/../.git/new"], "it is inside the Git directory"),
        (&["prompt", "--out", ".git/prompt"], "it is inside the Git directory"),
        (
            &["prompt", "--out", ".agent/skills"],
            "it is inside the skills directory `.agent/skills` that it is built from",
        ),
        (
            &["prompt", "--rev", "HEAD", "--out", ".agent/skills/good"],
            "it is inside the skills directory `.agent/skills`",
        ),
        (&["prompt", "--per-root", "--out", "."], "it is inside the skills directory `.agent/skills`"),
        (&["check", "--output", "json=.agent/skills/good/SKILL.md"], "it is one of the checked files"),
        (&["check", "--staged", "--output", "json=./.agent/skills/good/SKILL.md"], "it is one of the checked files"),
        (&["check", "--output", "json=skilltree.toml"], "it is one of the checked files"),
        (&["check", "--output", "json=aa", "--output", "sarif=./aa"], "two outputs have the path"),
        (&["check", "--output", "json=aa", "--output", &format!("sarif={top}/aa")], "two outputs have the path"),
    ];
    for (arguments, words) in cases {
        let run = repository.skilltree(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(words) && run.stderr.contains("help: "), "{arguments:?}: {}", run.stderr);
        assert_eq!(fs::read_to_string(outside.path().join("skills.json")).unwrap(), OLD, "{arguments:?}");
    }
    assert_eq!(names(outside.path()), ["skills.json"]);
    assert_eq!(fs::read(repository.path().join(".agent/skills/good/SKILL.md")).unwrap(), skill);
    assert_eq!(fs::read(repository.path().join(".git/index")).unwrap(), index);
    assert_eq!(repository.git(&["status", "--porcelain"]), "");

    // The caller decides about a link outside the working tree.
    symlink(repository.path(), outside.path().join("repository")).unwrap();
    symlink(".", outside.path().join("here")).unwrap();
    let place = outside.path().display();
    let output = format!("json={place}/repository/new.json");
    assert_eq!(repository.skilltree(&["check", "--exit-zero", "--output", &output]).status, 0);
    assert_eq!(repository.skilltree(&["prompt", "--out", &format!("{place}/here/prompt")]).status, 0);
    assert!(repository.path().join("new.json").is_file() && outside.path().join("prompt/skills.json").is_file());
}

#[test]
fn hard_links_keep_existing_content() {
    let repository = repository();
    fs::hard_link(repository.path().join("old.sarif"), repository.path().join("other")).unwrap();
    let run = repository.skilltree(&["check", "--output", "sarif=old.sarif"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(fs::read_to_string(repository.path().join("old.sarif")).unwrap().starts_with('{'));
    assert_eq!(fs::read_to_string(repository.path().join("other")).unwrap(), OLD);
    assert_eq!(fs::metadata(repository.path().join("old.sarif")).unwrap().nlink(), 1);
}

#[test]
fn accepts_output_path_with_unusual_bytes() {
    let repository = repository();
    let run = repository.skilltree(&["check", "--output", "json=a\nb \x1b[31m=c"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(repository.path().join("a\nb \x1b[31m=c").is_file());
    let run = repository.skilltree(&["check", "--output", "json=no\nwhere/\x1b[31mx"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.starts_with("error: `no\\nwhere/\\u{1b}[31mx` cannot be written"), "{}", run.stderr);
    assert!(!run.stderr.contains('\x1b'));
}

#[test]
fn file_size_limit_keeps_existing_file() {
    let repository = repository();
    // `ulimit -f` counts blocks of 1,024 bytes.
    let check = ["check", "--format=concise", "--output", "sarif=old.sarif"];
    let run = shell(&repository, "ulimit -f 4 && exec \"$0\" \"$@\"", &check);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("`old.sarif` cannot be written: file too large"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(repository.path().join("old.sarif")).unwrap(), OLD);
    assert!(names(repository.path()).iter().all(|name| !name.starts_with(".skilltree-")));
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_keeps_existing_file() {
    common::require("unshare", "util-linux");
    let repository = repository();
    // A disk of 16 KiB, in a separate mount namespace.
    let disk = tempfile::tempdir().unwrap();
    let small = format!(
        "mount -t tmpfs -o size=16k none '{0}' && cd '{0}' && echo old > old.sarif && mkdir out && echo old > out/skills.json &&
         \"$0\" \"$@\"; status=$?; cat old.sarif out/skills.json && ls -A . out && exit $status",
        disk.path().display()
    );
    let is_root = common::is_root();
    let user = if is_root { "" } else { "--user --map-root-user " };
    let script = format!("exec unshare {user}--mount bash -c '{}' \"$0\" \"$@\"", small.replace('\'', "'\\''"));
    let place = repository.path().to_str().unwrap();
    let namespace = shell(&repository, &format!("unshare {user}--mount true"), &[]);
    if !is_root && namespace.status != 0 {
        return; // The kernel denies user namespaces to this user.
    }
    assert_eq!(namespace.status, 0, "{}", namespace.stderr);
    let output = format!("sarif={}/old.sarif", disk.path().display());
    let run = shell(&repository, &script, &["-C", place, "check", "--format=concise", "--output", &output]);
    assert_eq!(run.status, 2, "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.contains("old.sarif` cannot be written: no space left on device"), "{}", run.stderr);
    assert_eq!(run.stdout, "old\nold\n.:\nold.sarif\nout\n\nout:\nskills.json\n");
}

#[test]
fn full_standard_output_fails_every_command() {
    let repository = repository();
    let commands: &[&[&str]] = &[
        &["check"],
        &["check", "--format=json"],
        &["prompt"],
        &["prompt", "--format=json"],
        &["list"],
        &["list", "--format=json"],
        &["show", "good"],
        &["show", "good", "--format=json"],
        &["explain"],
        &["explain", "empty-body"],
        &["schema"],
        &["schema", "report"],
        &["completions", "bash"],
        &["man"],
        &["--help"],
        &["check", "--help"],
        &["--version"],
    ];
    for command in commands {
        let run = shell(&repository, "exec \"$0\" \"$@\" > /dev/full", command);
        assert_eq!(run.status, 2, "{command:?}: {}", run.stderr);
        assert!(
            run.stderr.contains("error: standard output cannot be written: no space"),
            "{command:?}: {}",
            run.stderr
        );
    }
    let check = ["check", "--format=json", "--output", "sarif=old.sarif"];
    let run = shell(&repository, "exec \"$0\" \"$@\" > /dev/full", &check);
    assert!(run.stderr.starts_with("error: standard output cannot be written: no space left"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(repository.path().join("old.sarif")).unwrap(), OLD);
}

#[test]
fn closed_stream_keeps_exit_status() {
    let repository = repository();
    let commands: &[(&[&str], i32)] = &[
        (&["check"], 1),
        (&["check", "--format=sarif"], 1),
        (&["check", "--format=html"], 1),
        (&["check", ".agent/skills/good"], 0),
        (&["check", "--rev=nowhere"], 2),
        (&["prompt"], 0),
        (&["list"], 0),
        (&["show", "good"], 0),
        (&["explain"], 0),
        (&["man"], 0),
        (&["--help"], 0),
    ];
    // The reader closes the pipe before the first output, and the streams are closed: no message can be shown.
    let streams = ["> >(exec true)", "2> >(exec true)", ">&-", "2>&-", ">&- 2>&-", "<&-", "2>/dev/full"];
    for (command, status) in commands {
        for stream in streams {
            let script = format!("trap '' PIPE; \"$0\" \"$@\" {stream}");
            let run = shell(&repository, &script, command);
            assert_eq!(run.status, *status, "{command:?} {stream}: {}", run.stderr);
            assert!(!run.stderr.contains("panicked"), "{command:?} {stream}: {}", run.stderr);
        }
    }
}

#[test]
fn refuses_directory_with_foreign_files() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    let prompt = || repository.skilltree(&["prompt", "--out", out.to_str().unwrap()]);
    assert_eq!(prompt().status, 0);
    fs::write(out.join("comment.md"), "stale").unwrap();
    assert_eq!(prompt().status, 0, "{}", prompt().stderr);
    assert!(!out.join("comment.md").exists(), "a comment next to an index of skilltree is a prompt artifact");
    for (name, text) in [("skills.json", "{\"mine\": 1}\n"), ("comment.md", "my notes\n")] {
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
        fs::write(out.join(name), text).unwrap();
        let run = prompt();
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        assert!(run.stderr.contains("was not written by skilltree and would be overwritten"), "{}", run.stderr);
        assert_eq!(fs::read_to_string(out.join(name)).unwrap(), text);
        assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    }
}

#[test]
fn removes_leftovers_of_killed_runs() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one");
    assert_eq!(repository.skilltree(&["prompt", "--out", "out"]).status, 0);
    let two_hours_ago = SystemTime::now() - Duration::from_secs(7_200);
    for name in [".skilltree-abc123", ".skilltree-notes.md", "notes.md"] {
        repository.write(&format!("out/{name}"), "x");
        let file = File::options().append(true).open(repository.path().join("out").join(name)).unwrap();
        file.set_modified(two_hours_ago).unwrap();
    }
    repository.write("out/.skilltree-def456", "x");
    assert_eq!(repository.skilltree(&["prompt", "--out", "out"]).status, 0);
    let is_there = |name: &str| repository.path().join("out").join(name).exists();
    assert!(!is_there(".skilltree-abc123"));
    assert!(is_there(".skilltree-def456"), "another run may still write it");
    assert!(is_there(".skilltree-notes.md") && is_there("notes.md"), "other files stay");
    let left = File::options().append(true).open(repository.path().join("out/.skilltree-def456")).unwrap();
    left.set_modified(two_hours_ago).unwrap();
    assert_eq!(repository.skilltree(&["check", "--output=sarif=out/findings.sarif"]).status, 0);
    assert!(is_there("findings.sarif") && !is_there(".skilltree-def456"));
}
