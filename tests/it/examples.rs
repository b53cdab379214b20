//! Runs the examples: dispatchers in other languages read the artifact, and the skills with tools have no findings.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{self, Repository, isolate, require};
use tempfile::TempDir;

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(path)
}

/// The dispatchers and their interpreters.
fn dispatchers() -> [(&'static str, PathBuf); 2] {
    require("python3", "python3");
    require("node", "nodejs");
    [("python3", example("dispatchers/dispatch.py")), ("node", example("dispatchers/dispatch.mjs"))]
}

/// A repository of three skills, and the artifact of its commit.
fn artifact() -> (Repository, TempDir) {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").skill(".agent/skills", "two");
    repository.write(".symphony/skills/three/SKILL.md", common::good("three").replace("mentions three", "sagt „drei“"));
    repository.commit();
    let out = tempfile::tempdir().unwrap();
    let run = repository.skilltree(&["prompt", "--rev=HEAD", "--out", out.path().to_str().unwrap()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    // A dispatcher reads the commit, not the working tree.
    fs::remove_dir_all(repository.path().join(".agent")).unwrap();
    (repository, out)
}

fn dispatch(program: &str, script: &Path, out: &Path, repository: &Repository, names: &[&str]) -> Output {
    let mut command = Command::new(program);
    isolate(&mut command).arg(script).arg(out).arg(repository.path()).args(names).output().unwrap()
}

#[test]
fn dispatchers_select_fragments_and_read_bodies() {
    let (repository, out) = artifact();
    for (program, script) in dispatchers() {
        let output = dispatch(program, &script, out.path(), &repository, &["three", "two"]);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(printed.starts_with("## Available skills\n"), "{program}: {printed}");
        assert!(printed.contains("\n- three — The task sagt „drei“.\n"), "{program}: {printed}");
        assert!(printed.contains("\n- two — The task mentions two.\n"), "{program}: {printed}");
        assert!(!printed.contains("- one — "), "{program}: {printed}");
        assert!(printed.contains("# three\n\nDo it.\n"), "{program}: {printed}");
    }
}

#[test]
fn dispatchers_read_skills_that_git_does_not_have() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "new");
    let out = tempfile::tempdir().unwrap();
    assert_eq!(repository.skilltree(&["prompt", "--out", out.path().to_str().unwrap()]).status, 0);
    for (program, script) in dispatchers() {
        let output = dispatch(program, &script, out.path(), &repository, &["new"]);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(printed.contains("- new — ") && printed.ends_with("# new\n\nDo it.\n"), "{program}: {printed}");
    }
    repository.write(".agent/skills/new/SKILL.md", common::good("new").replace("Do it.", "Do evil."));
    for (program, script) in dispatchers() {
        let output = dispatch(program, &script, out.path(), &repository, &["new"]);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{program}: {message}");
        assert!(message.contains("differs from the checked file"), "{program}: {message}");
    }
}

#[test]
fn dispatchers_reject_modified_block() {
    let (repository, out) = artifact();
    let block = out.path().join("available-skills.md");
    let changed = fs::read_to_string(&block).unwrap().replace("two", "twu");
    fs::write(&block, changed).unwrap();
    for (program, script) in dispatchers() {
        let output = dispatch(program, &script, out.path(), &repository, &[]);
        assert!(!output.status.success() && output.stdout.is_empty(), "{program}");
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(messages.contains("the block does not match skills.json"), "{program}: {messages}");
    }
}

#[test]
fn command_of_the_list_of_examples_shows_skills_with_tools() {
    let list = fs::read_to_string(example("README.md")).unwrap();
    let (_, command) = list.split_once("merge the tools of skills: `skilltree ").unwrap();
    let words: Vec<&str> = command.split('`').next().unwrap().split(' ').collect();
    let run = common::skilltree(Path::new(env!("CARGO_MANIFEST_DIR")), &words, &[]);
    assert!(
        run.status == 0 && run.stdout.contains("clock_now") && run.stdout.contains("calc_evaluate"),
        "{}",
        run.stderr
    );
}

#[test]
fn example_skills_have_tools_and_no_findings() {
    let repository = Repository::new();
    for root in [".agent/skills", "examples/skills"] {
        for name in ["clock", "calc"] {
            let text = fs::read_to_string(example(&format!("skills/{name}/SKILL.md"))).unwrap();
            repository.write(&format!("{root}/{name}/SKILL.md"), text);
        }
    }
    repository.add();
    for path in [".agent", "examples"] {
        let check = repository.skilltree(&["check", "--fail-on=note", path]);
        assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
    }
    let prompt =
        repository.skilltree(&["prompt", "--profile=majordomo", "--skill=clock", "--skill=calc", "--format=json"]);
    assert_eq!(prompt.status, 0, "{}", prompt.stderr);
    let index: serde_json::Value = serde_json::from_str(&prompt.stdout).unwrap();
    let tools: Vec<&serde_json::Value> = index["skills"].as_array().unwrap().iter().map(|s| &s["tools"]).collect();
    assert_eq!(tools, [&serde_json::json!(["clock_now", "clock_between"]), &serde_json::json!(["calc_evaluate"])]);
    fs::remove_dir_all(repository.path().join(".agent")).unwrap();
    let asked = repository.skilltree(&["prompt", "--profile=majordomo", "--root=examples/skills", "--skill=calc"]);
    assert_eq!(asked.status, 0, "{}", asked.stderr);
    assert!(!asked.stdout.is_empty(), "a root that is asked for with a profile is one of its roots");
}
