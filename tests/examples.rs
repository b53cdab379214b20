//! The examples do what they say: dispatchers in other languages read the artifact, and the skills with tools are sound.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test makes what it judges, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use common::{Repository, isolate};
use tempfile::TempDir;

mod common;

fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(path)
}

/// The dispatchers and what runs them, as far as this machine has it.
fn dispatchers() -> Vec<(&'static str, PathBuf)> {
    let all = [("python3", "dispatchers/dispatch.py"), ("node", "dispatchers/dispatch.mjs")];
    let (there, missing): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(program, _)| Command::new(program).arg("--version").output().is_ok());
    missing.iter().for_each(|(program, _)| println!("SKIPPED: {program} is not installed"));
    there.into_iter().map(|(program, path)| (program, example(path))).collect()
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
    // A dispatcher reads the commit, not what lies around.
    fs::remove_dir_all(repository.path().join(".agent")).unwrap();
    (repository, out)
}

fn dispatch(program: &str, script: &Path, out: &Path, repository: &Repository, names: &[&str]) -> Output {
    let mut command = Command::new(program);
    isolate(&mut command).arg(script).arg(out).arg(repository.path()).args(names).output().unwrap()
}

#[test]
fn a_dispatcher_in_another_language_takes_a_part_of_the_block_and_reads_a_body() {
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
fn a_dispatcher_refuses_a_block_that_was_changed() {
    let (repository, out) = artifact();
    let block = out.path().join("available-skills.md");
    let changed = fs::read_to_string(&block).unwrap().replace("two", "twu");
    fs::write(&block, changed).unwrap();
    for (program, script) in dispatchers() {
        let output = dispatch(program, &script, out.path(), &repository, &[]);
        assert!(!output.status.success() && output.stdout.is_empty(), "{program}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("the block is not the one that was proved"), "{program}: {said}");
    }
}

#[test]
fn clock_and_calc_are_skills_with_tools_that_nothing_is_wrong_with() {
    let repository = Repository::new();
    for root in [".agent/skills", "examples/skills"] {
        for name in ["clock", "calc"] {
            let text = fs::read_to_string(example(&format!("skills/{name}/SKILL.md"))).unwrap();
            repository.write(&format!("{root}/{name}/SKILL.md"), text);
        }
    }
    let check = repository.add().skilltree(&["check", "--fail-on=note"]);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
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
