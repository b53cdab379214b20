//! Outputs in JSON: each names a schema, matches it, and is safe in the log of a runner. Schemas allow additional members.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::Repository;
use jsonschema::Validator;
use regex::Regex;
use serde_json::{Value, json};

/// A description that a runner would obey, if it were printed as it is.
const COMMAND: &str = "Fills ##[add-mask]x and ##vso[task.x] in forms. Use when asked.";

/// A repository whose texts are commands of a runner, with a rejected skill, a thread and shared knowledge.
fn repository() -> Repository {
    let repository = Repository::new();
    let skill = |name: &str| {
        format!(
            "---\nname: {name}\ndescription: \"{COMMAND}\"\ntags: [forms]\n---\n\n::add-mask::x\n##[group]y\n\n# Read\n"
        )
    };
    for name in ["pdf", "csv"] {
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), skill(name));
        repository.write(&format!(".camel/skills/{name}/SKILL.md"), skill(name));
    }
    repository.write(".agent/skills/memo/SKILL.md", skill("memo"));
    repository.write(".agent/skills/bad/SKILL.md", "---\ndescription: '##[error]x'\n---\n::error::x\n");
    repository.commit();
    let run = repository.skilltree(&["agent", "thread", "bind", "pdf", "--thread", "7"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let mut add = vec!["agent", "knowledge", "add", "--category", "pattern", "--scope", "global", "--contributor", "r"];
    add.extend(["--content", "Forms ##[warning] need retries."]);
    assert_eq!(repository.skilltree(&add).status, 0);
    repository
}

/// The commands that print JSON, with their schemas.
const OUTPUTS: &[(&str, &[&str])] = &[
    ("catalog", &["prompt", "--profile=swarm", "--bodies"]),
    ("report", &["check", "--format=json"]),
    ("statistics", &["check", "--statistics", "--format=json"]),
    ("cost", &["cost", "--format=json"]),
    ("diff", &["diff", "--base=0000000000000000000000000000000000000000", "--format=json"]),
    ("fleet", &["fleet"]),
    ("forecast", &["forecast", "--format=json"]),
    ("graph", &["show", "memo", "--graph", "--format=json"]),
    ("knowledge-query", &["agent", "knowledge", "query", "retries for forms", "--format=json"]),
    ("list", &["list", "--format=json"]),
    ("profiles", &["profiles", "--format=json"]),
    ("profiles", &["profiles", "codex", "--format=json"]),
    ("prompt-index", &["prompt", "--format=json"]),
    ("prompt-index", &["prompt", "--profile=swarm", "--task=Fill forms", "--format=json"]),
    ("prompt-index", &["prompt", "--profile=amacs", "--thread=7", "--format=json"]),
    ("prompt-index", &["prompt", "--profile=majordomo", "--skill=pdf", "--format=json"]),
    ("prompt-index", &["prompt", "--profile=camel", "--mention=$pdf", "--format=json"]),
    ("rules", &["explain", "--format=json"]),
    ("show", &["show", "memo", "--format=json"]),
    ("thread-list", &["agent", "thread", "list", "--format=json"]),
];

/// Returns what a command prints, or the file that it writes.
fn output(repository: &Repository, name: &str, arguments: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let list = directory.path().join("list");
    fs::write(&list, repository.path().to_str().unwrap()).unwrap();
    let out = directory.path().join("out");
    let out = ["--out", out.to_str().unwrap(), "--repos", list.to_str().unwrap()];
    let more = match name {
        "catalog" => &out[..2],
        "fleet" => &out[..],
        _ => &[],
    };
    let run = repository.skilltree(&[arguments, more].concat());
    assert!(run.status < 2, "{arguments:?}: {}", run.stderr);
    let file = directory.path().join(format!("out/{name}.json"));
    if more.is_empty() { run.stdout } else { fs::read_to_string(file).unwrap() }
}

fn schema(repository: &Repository, name: &str) -> Validator {
    let run = repository.skilltree(&["schema", name]);
    assert_eq!(run.status, 0, "{name}: {}", run.stderr);
    jsonschema::validator_for(&serde_json::from_str(&run.stdout).unwrap()).unwrap()
}

/// Adds a member to every object with members of fixed names, as a later release may do.
fn extended(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let is_map = |key: &str| {
                matches!(
                    key,
                    "tag_index"
                        | "role_index"
                        | "threads"
                        | "renderings"
                        | "fragments"
                        | "cli"
                        | "loads"
                        | "prompt"
                        | "cells"
                        | "tables"
                )
            };
            let extend = |(key, value): (&String, &Value)| {
                let value = if is_map(key) { value.clone() } else { extended(value) };
                (key.clone(), value)
            };
            let more = ("added_later".to_owned(), json!({ "a": 1 }));
            Value::Object(members.iter().map(extend).chain([more]).collect())
        }
        Value::Array(items) => items.iter().map(extended).collect(),
        other => other.clone(),
    }
}

#[test]
fn outputs_match_their_schemas_today_and_extended() {
    let repository = repository();
    for (name, arguments) in OUTPUTS {
        let output: Value = serde_json::from_str(&output(&repository, name, arguments)).unwrap();
        assert_eq!(output["schema"], format!("skilltree/{name}/v1"), "{arguments:?}");
        let schema = schema(&repository, name);
        for output in [&output, &extended(&output)] {
            let errors: Vec<String> =
                schema.iter_errors(output).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert_eq!(errors, [""; 0], "{arguments:?}");
        }
        let mut renamed = output.clone();
        renamed["schema"] = "skilltree/other/v1".into();
        assert!(!schema.is_valid(&renamed), "{arguments:?}: the schema checks its name");
    }
}

/// Each name of a schema in the code has a file, and each output above.
#[test]
fn named_schemas_exist() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = Regex::new(r#""skilltree/([a-z-]+)/v1""#).unwrap();
    let mut named = BTreeSet::new();
    let mut directories = vec![top.join("src"), top.join("crates")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(path).unwrap();
                named.extend(name.captures_iter(&text).map(|found| found[1].to_owned()));
            }
        }
    }
    assert!(named.len() >= 10, "{named:?}");
    for name in named {
        let path = top.join(format!("schema/{name}.json"));
        let schema: Value = serde_json::from_slice(&fs::read(&path).unwrap_or_default()).unwrap_or_default();
        assert_eq!(schema["properties"]["schema"]["const"], format!("skilltree/{name}/v1"), "{}", path.display());
        assert!(OUTPUTS.iter().any(|(known, _)| *known == name), "{name} is validated");
        let text = schema.to_string();
        assert!(
            !text.contains("\"additionalProperties\":false"),
            "{name} forbids members that a later release may add"
        );
    }
}

#[test]
fn json_is_safe_in_log_of_runner() {
    let repository = repository();
    let messages: &[&[&str]] = &[
        &["prompt", "--format=messages"],
        &["prompt", "--profile=camel", "--mention=$pdf $csv"],
        &["prompt", "--format=messages", "--skill=pdf"],
    ];
    let command = Regex::new(r"##[A-Za-z0-9]*\[").unwrap();
    let messages = messages.iter().map(|arguments| ("messages", *arguments));
    for (name, arguments) in OUTPUTS.iter().copied().chain(messages) {
        let stdout = output(&repository, name, arguments);
        assert!(!stdout.is_empty(), "{arguments:?}");
        assert!(!command.is_match(&stdout), "{arguments:?}: {stdout}");
        assert!(stdout.lines().all(|line| !line.trim_start().starts_with("::")), "{arguments:?}: {stdout}");
    }
    let run = repository.skilltree(&["prompt", "--format=messages", "--skill=pdf"]);
    let message: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(message["content"].as_str().unwrap().contains("\n::add-mask::x\n##[group]y\n"), "{message}");
}
