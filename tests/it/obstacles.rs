//! Unusual repositories, configurations and outputs: the program ends, reports why and changes nothing.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use crate::common::{Repository, good, skilltree_with_input};

fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().expect("a pipe is in a directory")).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// A repository with one good skill.
fn plain() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    repository
}

#[test]
fn reports_pipe_without_blocking() {
    for (path, status, words) in [
        (".agent/skills/f/SKILL.md", 1, "`SKILL.md` is a pipe, a socket or a device, not a file"),
        (".symphony/skills", 1, "the skills directory `.symphony/skills` is a pipe, a socket or a device"),
        ("WORKFLOW.md", 1, "WORKFLOW.md is a pipe, a socket or a device"),
        ("skilltree.toml", 2, "skilltree.toml is a pipe, a socket or a device"),
        (".gitignore", 2, "`.gitignore` cannot be read: it is not a regular file"),
        (".agent/.gitignore", 2, "`.agent/.gitignore` cannot be read: it is not a regular file"),
    ] {
        let repository = plain();
        pipe(&repository.path().join(path));
        // Files that git does not track: whether they are ignored has to be asked, in every directory by any of them.
        repository.skill(".agent/skills", "new");
        for untracked in ["0", ".0", "z", ".agent/0", ".agent/z"] {
            repository.write(untracked, "");
        }
        let run = repository.skilltree(&["check", "--worktree"]);
        assert_eq!(run.status, status, "{path}: {}{}", run.stdout, run.stderr);
        assert!((run.stdout + &run.stderr).contains(words), "{path}");
        let index = repository.skilltree(&["check", "--staged"]);
        assert_eq!(index.status, 0, "{path}: git knows no pipe: {}", index.stderr);
    }
}

#[test]
fn stops_reading_endless_configuration() {
    let repository = plain();
    fs::File::create(repository.path().join("long.toml")).unwrap().set_len(1 << 40).unwrap();
    for (path, words) in [("/dev/zero", "it is not a regular file"), ("long.toml", "is larger than 1 MiB")] {
        let run = repository.skilltree(&["check", "--config", path]);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains(words), "{path}: {}", run.stderr);
    }
}

#[test]
fn writes_artifact_atomically() {
    let repository = plain();
    repository.write(".agent/skills/bad/SKILL.md", "---\nname: 1\n---\n").commit();
    let directory: fn(&Path) = |path| fs::create_dir(path).unwrap();
    let link: fn(&Path) = |path| symlink("elsewhere", path).unwrap();
    let obstacles =
        [("skills.json", directory), ("skills.json", link), ("skills.json", pipe), ("comment.md", directory)];
    for (name, obstruct) in obstacles {
        let directory = tempfile::tempdir().unwrap();
        let block = directory.path().join("available-skills.md");
        fs::write(&block, "old").unwrap();
        obstruct(&directory.path().join(name));
        let path = directory.path().to_str().unwrap();
        for revision in ["--worktree", "--rev=HEAD~1"] {
            let run = repository.skilltree(&["prompt", revision, "--out", path]);
            assert_eq!(run.status, 2, "{name}: {}", run.stderr);
            assert_eq!(fs::read_to_string(&block).unwrap(), "old", "{name} {revision}");
            let left = fs::read_dir(directory.path()).unwrap().count();
            assert_eq!(left, 2, "{name}: nothing temporary is left");
        }
    }
}

#[test]
fn verify_rejects_special_file() {
    let repository = plain();
    for make in [(|path| pipe(path)) as fn(&Path), |path| symlink("/dev/zero", path).unwrap()] {
        let directory = tempfile::tempdir().unwrap();
        make(&directory.path().join("skills.json"));
        let run = repository.skilltree(&["prompt", "--verify", directory.path().to_str().unwrap()]);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains("it is not a regular file"), "{}", run.stderr);
    }
}

#[test]
fn json_contains_no_workflow_commands() {
    let repository = Repository::new();
    for (directory, name) in [("a", "::error::x"), ("b", "##vso[task.x]y"), ("c", "c\\u009b31m")] {
        let text = good("x").replace("name: x", &format!("name: \"{name}\"")).replace("Does", "It##[error]Does");
        repository.write(&format!(".agent/skills/{directory}/SKILL.md"), text);
    }
    repository.write(
        "skilltree.toml",
        "[rules]\nmalformed-name = \"off\"\nname-differs-from-directory = \"off\"\ncontrol-character = \"off\"\n",
    );
    repository.commit();
    for arguments in [
        &["list"][..],
        &["list", "--format", "json"],
        &["show", "a", "--format", "json"],
        &["check", "--format", "json", "--rule", "malformed-name=warning"],
        &["check", "--format", "sarif", "--rule", "malformed-name=warning"],
    ] {
        let run = repository.skilltree(arguments);
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
        assert!(!run.stdout.is_empty());
        for forbidden in ["##[", "##vso[", "\u{9b}"] {
            assert!(!run.stdout.contains(forbidden), "{arguments:?} {forbidden:?}: {}", run.stdout);
        }
        assert!(!run.stdout.lines().any(|line| line.trim_start().starts_with("::")), "{}", run.stdout);
    }
    let list = repository.skilltree(&["list", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&list.stdout).unwrap();
    let names: Vec<_> =
        list["skills"].as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["::error::x", "##vso[task.x]y", "c\u{9b}31m"], "a reader of JSON sees the names as they are");
}

#[test]
fn sarif_context_exceeds_region() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "---").commit();
    let run = repository.skilltree(&["check", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(!results.is_empty());
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        assert_ne!(place["region"], place["contextRegion"], "{result}");
    }
}

#[test]
fn long_name_reports_length_only() {
    for length in [200, 300, 5_000] {
        let text = good(&"a".repeat(length));
        let run = skilltree_with_input(Path::new("/"), &["check", "-", "--format", "concise"], &[], text.as_bytes());
        assert_eq!(run.status, 1, "{length}: {}", run.stderr);
        assert!(run.stdout.contains("error[name-too-long]"), "{length}: {}", run.stdout);
    }
}

#[test]
fn summary_names_at_most_eight_trees() {
    let repository = Repository::new();
    for package in 'a'..='l' {
        repository.skill(&format!("packages/{package}/.agent/skills"), "pdf");
    }
    repository.commit();
    for revision in ["--staged", "--rev=HEAD"] {
        let run = repository.skilltree(&["check", "-v", revision, "--root", "packages/*/.agent/skills"]);
        assert_eq!(run.status, 0, "{}", run.stdout);
        assert!(run.stderr.contains(" and 4 more)"), "{}", run.stderr);
    }
}

#[test]
fn stops_expensive_patterns() {
    let repository = Repository::new();
    for directory in 0..1_200 {
        repository.write(&format!("{directory}/x"), "");
    }
    let roots = (0..1_900).map(|root| format!("[[root]]\npath = \"**/r{root}\"\nprofile = \"agentskills\"\n"));
    repository.write("skilltree.toml", roots.collect::<String>()).commit();
    let run = repository.skilltree(&["check", "--staged"]);
    assert_eq!(run.status, 2, "{}", run.stdout);
    assert!(run.stderr.contains("search more than 2,000,000 directories"), "{}", run.stderr);
}
