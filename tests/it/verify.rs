//! `prompt --verify DIR` without other options builds with the options that DIR records, and refuses hostile ones.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::Path;

use crate::common::{self, Repository};
use serde_json::{Value, json};

fn repository() -> Repository {
    let repository = Repository::new();
    for (name, role) in [("api-docs", "builder"), ("api-tests", "reviewer"), ("deploy", "builder")] {
        let skill = common::good(name).replacen("---\n", &format!("---\ntags: [api]\nroles: [{role}]\n"), 1);
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), skill);
    }
    repository.skill(".symphony/skills", "land").skill("packages/a/skills", "inner");
    repository
        .write(".agent/threads.json", r#"{"active-thread": "7", "threads": {"7": {"bound-skills": ["deploy"]}}}"#);
    repository.write("block.md", "{% macro skill(skill) %}* {{ skill.name }}\n{% endmacro %}");
    repository.commit();
    repository
}

fn options(index: &Path) -> Vec<String> {
    let index: Value = serde_json::from_slice(&fs::read(index).unwrap()).unwrap();
    serde_json::from_value(index["recipe"]["options"].clone()).unwrap()
}

/// Replaces the recorded options.
fn record(index: &Path, options: &Value) {
    let mut value: Value = serde_json::from_slice(&fs::read(index).unwrap()).unwrap();
    value["recipe"]["options"] = options.clone();
    fs::write(index, value.to_string()).unwrap();
}

#[test]
fn verifies_with_recorded_options() {
    let repository = repository();
    let recipes: &[&[&str]] = &[
        &[],
        &["--profile=swarm", "--task=an api\n--top=1", "--role=builder", "--top=2", "--matcher=bm25", "--task-id=9"],
        &["--profile=swarm", "--task=--no-config api", "--no-knowledge", "--bodies"],
        &["--skill=deploy", "--skill=api-docs", "--budget-skills=1", "--each-tokens=900"],
        &["--profile=amacs", "--thread"],
        &["--profile=amacs", "--thread=7", "--budget-bytes=9000", "--budget-chars=8000", "--budget-tokens=2000"],
        &["--mention=$deploy", "--today=2030-01-01", "--preview", "--no-config"],
        &["--template=block.md", "--root=packages/*/skills", "--config-from=HEAD"],
    ];
    for recipe in recipes {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().to_str().unwrap();
        let run = repository.skilltree(&[&["prompt", "--out", path], *recipe].concat());
        assert_eq!(run.status, 0, "{recipe:?}: {}", run.stderr);
        let recorded = options(&out.path().join("skills.json"));
        let mut expected: Vec<&str> = recipe.to_vec();
        let mut found: Vec<&str> = recorded.iter().map(String::as_str).collect();
        expected.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, expected);
        for source in [&[][..], &["--staged"], &["--rev=HEAD"]] {
            let run = repository.skilltree(&[&["prompt", "--verify", path], source].concat());
            assert_eq!(run.status, 0, "{recipe:?} {source:?}: {}", run.stderr);
        }
        let block = out.path().join("available-skills.md");
        fs::write(&block, [fs::read(&block).unwrap(), b"x".to_vec()].concat()).unwrap();
        assert_eq!(repository.skilltree(&["prompt", "--verify", path]).status, 1, "{recipe:?}");
    }
}

#[test]
fn given_options_replace_recorded_ones() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let path = out.path().to_str().unwrap();
    let verify = |options: &[&str]| repository.skilltree(&[&["prompt", "--verify", path], options].concat()).status;
    assert_eq!(repository.skilltree(&["prompt", "--out", path, "--profile=swarm", "--task=api"]).status, 0);
    assert_eq!(verify(&[]), 0);
    assert_eq!(verify(&["--profile=swarm", "--task=api"]), 0);
    assert_eq!(verify(&["--profile=swarm"]), 1, "the options are the whole recipe");
    assert_eq!(verify(&["--budget-skills=9"]), 1);
}

#[test]
fn finds_artifacts_of_each_root() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let path = out.path().to_str().unwrap();
    let verify = || repository.skilltree(&["prompt", "--verify", path]);
    assert_eq!(repository.skilltree(&["prompt", "--out", path, "--per-root", "--budget-skills=2"]).status, 0);
    assert_eq!(options(&out.path().join(".agent/skills/skills.json")), ["--budget-skills=2", "--per-root"]);
    assert_eq!(verify().status, 0);
    repository.skill(".symphony/skills", "more");
    let run = verify();
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains(".symphony/skills"), "{}", run.stderr);
}

#[test]
fn refuses_hostile_recorded_options() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let path = out.path().to_str().unwrap();
    assert_eq!(repository.skilltree(&["prompt", "--out", path]).status, 0);
    let index = out.path().join("skills.json");
    let outside = tempfile::tempdir().unwrap();
    let external = format!("--external={}", outside.path().display());
    let hostile = [
        json!([external]),
        json!(["--user"]),
        json!(["--config=/etc/passwd"]),
        json!(["-C", "/"]),
        json!(["--out=elsewhere"]),
        json!(["--rev=HEAD~1"]),
        json!(["--task=x", "--matcher=words"]),
        json!(["--task=-"]),
        json!(["--mention=-"]),
        json!(["--help"]),
        json!(["--top"]),
        json!(["--top=-1"]),
        json!(["--top=1"]),
        json!(["--budget-skills=99999999999999999999"]),
        json!(["--task=x", "--task=y"]),
        json!(["--task=x", "--skill=deploy"]),
        json!(["--profile"]),
        json!(["--bodies=yes"]),
        json!(["--prof=swarm"]),
        json!(["deploy"]),
        json!(["--"]),
        json!([""]),
    ];
    for options in hostile {
        record(&index, &options);
        let run = repository.skilltree(&["prompt", "--verify", path]);
        assert_eq!(run.status, 2, "{options}: {}", run.stderr);
        assert!(run.stderr.contains("records options that cannot be used"), "{options}: {}", run.stderr);
    }
    for options in [json!("--preview"), json!([1]), json!({"a": 1})] {
        record(&index, &options);
        let run = repository.skilltree(&["prompt", "--verify", path]);
        assert_eq!(run.status, 2, "{options}: {}", run.stderr);
        assert!(run.stderr.contains("is not an index"), "{options}: {}", run.stderr);
    }
    fs::write(&index, "[".repeat(100_000)).unwrap();
    assert_eq!(repository.skilltree(&["prompt", "--verify", path]).status, 2);
    record_profile(&repository, path, &index);
}

/// A profile that does not exist is refused as on the command line, and its name is escaped.
fn record_profile(repository: &Repository, path: &str, index: &Path) {
    assert_eq!(repository.skilltree(&["prompt", "--out", path]).status, 2, "a damaged index is not overwritten");
    fs::remove_file(index).unwrap();
    assert_eq!(repository.skilltree(&["prompt", "--out", path]).status, 0);
    record(index, &json!(["--profile=\u{1b}[2Jx"]));
    let run = repository.skilltree(&["prompt", "--verify", path]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("there is no profile") && !run.stderr.contains('\u{1b}'), "{}", run.stderr);
}
