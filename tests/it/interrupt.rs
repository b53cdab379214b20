//! A run that is ended from outside, or by its time: the right status, nothing temporary left, nothing half-written.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{self, Repository};

/// A repository with more findings than a pipe can buffer, and an existing report.
fn noisy() -> Repository {
    let repository = Repository::new();
    for number in 0..400 {
        repository.write(&format!(".agent/skills/skill-{number}/SKILL.md"), "no front matter\n");
    }
    repository.write("old.sarif", "the old report\n").commit();
    repository
}

/// Starts a run whose standard output is a pipe.
fn start(directory: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(common::program());
    common::isolate(&mut command).args(arguments).current_dir(directory);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Temporary files next to the outputs of a run.
fn temporaries(directory: &Path) -> usize {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    entries.filter(|name| name.to_string_lossy().starts_with(".skilltree-")).count()
}

/// Waits until the run has written its file and blocks on a full pipe.
fn wait_for_temporary(directory: &Path, child: &mut Child) {
    while temporaries(directory) == 0 {
        assert_eq!(child.try_wait().unwrap(), None, "the run ended before its output was read");
        sleep(Duration::from_millis(5));
    }
}

/// Exit status and standard error of a run.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let status = child.wait().unwrap();
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (status.code(), stderr)
}

#[test]
fn interrupt_keeps_existing_file() {
    let repository = noisy();
    for signal in ["-INT", "-TERM"] {
        let mut child = start(repository.path(), &["check", "--format=json", "--output", "sarif=old.sarif"]);
        wait_for_temporary(repository.path(), &mut child);
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let (status, stderr) = ended(child);
        assert_eq!(status, Some(130), "{signal}: {stderr}");
        assert_eq!(stderr, "error: interrupted while writing the output\n", "{signal}");
        assert_eq!(temporaries(repository.path()), 0, "{signal}");
        assert_eq!(fs::read_to_string(repository.path().join("old.sarif")).unwrap(), "the old report\n", "{signal}");
    }
}

#[test]
fn interrupt_removes_temporary_directory() {
    let repository = noisy();
    let temporary = tempfile::tempdir().unwrap();
    let entries = || fs::read_dir(temporary.path()).unwrap().count();
    // In a hook that receives a push the objects of several directories are read as one.
    let mut command = Command::new(common::program());
    common::isolate(&mut command).args(["check", "--rev=HEAD", "--format=json"]).current_dir(repository.path());
    command.env("GIT_OBJECT_DIRECTORY", ".git/objects").env("TMPDIR", temporary.path());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while entries() == 0 {
        assert_eq!(child.try_wait().unwrap(), None, "the run ended before its output was read");
        sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let (status, stderr) = ended(child);
    assert_eq!(status, Some(130), "{stderr}");
    assert_eq!(entries(), 0);
}

#[test]
fn timeout_keeps_existing_file_and_names_phase() {
    let repository = noisy();
    let arguments = ["check", "--format=json", "--output", "sarif=old.sarif", "--max-time", "5s"];
    let mut child = start(repository.path(), &arguments);
    wait_for_temporary(repository.path(), &mut child);
    let (status, stderr) = ended(child);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.starts_with("error: stopped after 5s while writing the output\n"), "{stderr}");
    assert_eq!(temporaries(repository.path()), 0);
    assert_eq!(fs::read_to_string(repository.path().join("old.sarif")).unwrap(), "the old report\n");
}

#[test]
fn timeout_ends_wait_for_standard_input() {
    let anywhere = tempfile::tempdir().unwrap();
    let mut child = start(anywhere.path(), &["--max-time=200ms", "check", "-"]);
    let _open = child.stdin.take();
    let (status, stderr) = ended(child);
    assert_eq!(status, Some(2), "{stderr}");
    assert!(stderr.starts_with("error: stopped after 200ms while opening the source\n"), "{stderr}");
}

#[test]
fn interrupt_names_phase() {
    let anywhere = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-TERM"] {
        let mut child = start(anywhere.path(), &["check", "-"]);
        let open = child.stdin.take();
        // A signal that comes before the program begins would end it too, with no status.
        sleep(Duration::from_millis(500));
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let expected = "error: interrupted while opening the source\n".to_owned();
        assert_eq!(ended(child), (Some(130), expected), "{signal}");
        drop(open);
    }
}

#[test]
fn unreached_timeout_changes_no_output() {
    let repository = noisy();
    let without = repository.skilltree(&["check"]);
    let with = repository.skilltree(&["--max-time", "24h", "check"]);
    assert_eq!((with.status, with.stdout, with.stderr), (without.status, without.stdout, without.stderr));
}

#[test]
fn accepts_durations_with_unit_only() {
    let anywhere = tempfile::tempdir().unwrap();
    for wrong in ["60", "0s", "1d", "s", "1.5m", "25h", "99999999999999999999h", "1 m", "", "٣s"] {
        let run = common::skilltree(anywhere.path(), &["schema", "--max-time", wrong], &[]);
        assert_eq!(run.status, 2, "{wrong}");
        assert!(run.stderr.contains("from 1ms to 24h") || run.stderr.contains("value is required"), "{}", run.stderr);
    }
    for right in ["90000ms", "60s", "2m", "1h"] {
        assert_eq!(common::skilltree(anywhere.path(), &["schema", "--max-time", right], &[]).status, 0, "{right}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn terminal_shows_and_clears_progress() {
    common::require("script", "bsdutils");
    // Nothing is typed at the terminal: the run waits for a skill on standard input.
    let drawn = |time: &str, options: &str, columns: usize| {
        let program = common::program();
        let line =
            format!("stty cols {columns} rows 24; exec '{}' check - --max-time {time} {options}", program.display());
        let mut command = Command::new("script");
        common::isolate(&mut command).args(["-qec", &line, "/dev/null"]).env("TERM", "xterm");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut shown = String::new();
        child.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(2), "{shown}");
        shown
    };
    let shown = drawn("3s", "--color=never", 80);
    let line = "\ropening the source\x1b[K";
    assert!(shown.starts_with(line), "{shown:?}");
    assert_eq!(
        shown.trim_start_matches(line).lines().next(),
        Some("\r\x1b[Kerror: stopped after 3s while opening the source")
    );
    for shown in [drawn("1500ms", "--color=never --quiet", 80), drawn("1500ms", "--color=never", 20)] {
        assert!(shown.starts_with("error: "), "{shown:?}");
    }
}
