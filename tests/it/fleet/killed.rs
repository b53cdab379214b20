//! Runs that are ended: the output is valid, and the next run makes the same tables.
#![cfg(unix)]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use skilltree::Table;

use super::mirrors::{Mirrors, good, read, text};
use crate::common;

fn start(mirrors: &Mirrors) -> Child {
    let mut command = Command::new(common::program());
    common::isolate(&mut command).args(["fleet", "--jobs", "2", "--repos", "mirrors", "--out", "out"]);
    command.current_dir(mirrors.path()).stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap()
}

fn parts(mirrors: &Mirrors) -> usize {
    fs::read_dir(mirrors.out().join("runs")).map_or(0, |files| {
        files.filter(|file| !file.as_ref().unwrap().file_name().to_string_lossy().starts_with('.')).count()
    })
}

/// Each run is killed at another moment, from the start to the end of a whole run.
#[test]
fn killed_runs_are_resumed_with_the_same_tables() {
    let mirrors = Mirrors::many(80);
    let begun = Instant::now();
    assert_eq!(mirrors.fleet(&["--jobs", "2"]).status, 0);
    let (whole, expected) = (begun.elapsed(), mirrors.tables());
    let mut interrupted = 0;
    for moment in 0..8u32 {
        if moment % 4 == 0 {
            fs::remove_dir_all(mirrors.out()).unwrap();
        }
        let mut child = start(&mirrors);
        sleep(whole * moment / 8);
        child.kill().unwrap();
        interrupted += usize::from(child.wait().unwrap().code().is_none());
        if moment % 4 == 3 {
            assert_eq!(mirrors.fleet(&[]).status, 0, "moment {moment}");
            assert_eq!(mirrors.tables(), expected, "moment {moment}");
        }
    }
    assert!(interrupted >= 3, "{interrupted} runs were killed before their end");
}

/// A run that replaces rows is killed, too: no repository has rows twice after the next one.
#[test]
fn killed_updates_leave_no_duplicates() {
    let mirrors = Mirrors::many(70);
    assert_eq!(mirrors.fleet(&[]).status, 0);
    for moment in 0..6u64 {
        for number in 0..70 {
            if number % 9 == moment as usize % 3 {
                let skills = [good(&format!("skill-{moment}")), good("other")];
                mirrors.commit(&format!("r{number:03}.git"), &skills, "2026-11-21");
            }
        }
        let mut child = start(&mirrors);
        sleep(Duration::from_millis(40 * moment));
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert_eq!(mirrors.fleet(&[]).status, 0);
    let updated = mirrors.tables();
    fs::remove_dir_all(mirrors.out()).unwrap();
    assert_eq!(mirrors.fleet(&[]).status, 0);
    assert_eq!(updated, mirrors.tables());
}

#[test]
fn interrupted_run_leaves_whole_parts() {
    let mirrors = Mirrors::many(300);
    for signal in ["-INT", "-TERM"] {
        let mut child = start(&mirrors);
        while parts(&mirrors) == 0 {
            assert_eq!(child.try_wait().unwrap(), None, "the run ended before it was interrupted");
            sleep(Duration::from_millis(1));
        }
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(130), "{stderr}");
        assert!(stderr.starts_with("error: interrupted while reading the repositories ("), "{stderr}");
        let runs = read(&mirrors.out(), Table::Runs);
        assert!((64..300).contains(&runs.len()), "{} repositories have rows", runs.len());
        let read_names: Vec<&str> = runs.iter().map(|row| text(row, "repository")).collect();
        assert!(read(&mirrors.out(), Table::Skills).iter().all(|row| read_names.contains(&text(row, "repository"))));
        fs::remove_dir_all(mirrors.out()).unwrap();
    }
}

#[test]
fn second_run_into_the_same_directory_is_refused() {
    let mirrors = Mirrors::many(70);
    let mut child = start(&mirrors);
    while parts(&mirrors) == 0 {
        assert_eq!(child.try_wait().unwrap(), None, "the run ended before the second began");
        sleep(Duration::from_millis(1));
    }
    assert!(Command::new("kill").args(["-STOP", &child.id().to_string()]).status().unwrap().success());
    let run = mirrors.fleet(&[]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("another run writes to"), "{}", run.stderr);
    assert!(Command::new("kill").args(["-CONT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
