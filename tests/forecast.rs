//! `forecast`: what becomes of skills that some runtimes load and others do not.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test makes what it judges, and fails by panicking"
)]

mod common;

use common::{Repository, good};
use serde_json::Value;
use snapbox::assert_data_eq;
use snapbox::file;

const ROOT: &str = ".agent/skills";

/// Four skills that runtimes disagree about, and one that they do not.
fn disputed() -> Repository {
    let repository = Repository::new();
    let skill = |name: &str, text: String| {
        repository.write(&format!("{ROOT}/{name}/SKILL.md"), text);
    };
    let described =
        |name: &str, text: &str| format!("---\nname: {name}\ndescription: {text}\n---\n# {name}\n\nDo it.\n");
    let usual = |name: &str| described(name, &format!("Does {name}. Use when {name} is wanted."));
    skill("bom", format!("\u{feff}{}", usual("bom")));
    skill("colon", described("colon", "Build for AWS: ECS"));
    skill("fence", usual("fence").replacen("---\n", "--- \n", 1));
    skill("good", usual("good"));
    skill("long", described("long", &"a".repeat(1_025)));
    repository
}

fn json(repository: &Repository, arguments: &[&str]) -> Value {
    let run = repository.skilltree(&[&["forecast", "--format", "json"], arguments].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let schema = serde_json::from_str(include_str!("../schema/forecast.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "the schema holds it");
    document
}

#[test]
fn the_table_shows_what_becomes_of_each() {
    let run = disputed().skilltree(&["forecast"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 120), "{}", run.stdout);
    assert_data_eq!(run.stdout, file!["forecast/disputed.txt"].raw());
}

#[test]
fn the_json_keeps_to_its_schema() {
    let document = json(&disputed(), &[]);
    assert_eq!(document["source"], "the work tree");
    let skills = document["skills"].as_array().unwrap();
    let paths: Vec<&str> = skills.iter().map(|skill| skill["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["bom", "colon", "fence", "good", "long"].map(|name| format!("{ROOT}/{name}/SKILL.md")));
    let profiles = skilltree::profile::Profiles::default();
    for skill in skills {
        let targets: Vec<&str> =
            skill["forecasts"].as_array().unwrap().iter().map(|told| told["target"].as_str().unwrap()).collect();
        assert_eq!(targets, profiles.ids().collect::<Vec<_>>(), "{}", skill["path"]);
    }
    let codex = json(&disputed(), &["--target", "codex"]);
    let colon = &codex["skills"][1]["forecasts"][0];
    assert_eq!(colon["reason"].as_str().map(|reason| reason.ends_with("a colon in a plain value")), Some(true));
    assert_eq!(codex["skills"][3]["forecasts"][0]["outcome"], "loads");
}

#[test]
fn the_targets_of_the_configuration_are_meant_unless_others_are_named() {
    let repository = disputed();
    repository.write("skilltree.toml", "targets = ['pi', 'codex']\n");
    let targets = |arguments: &[&str]| -> Vec<String> {
        let document = json(&repository, arguments);
        let told = document["roots"][0]["targets"].as_array().unwrap().clone();
        told.iter().map(|told| told["target"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(targets(&[]), ["codex", "pi"]);
    assert_eq!(targets(&["--target", "roo"]), ["roo"]);
}

#[test]
fn a_runtime_that_nobody_knows_is_an_error_with_the_nearest_one() {
    let run = disputed().skilltree(&["forecast", "--target", "codecs"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("there is no profile `codecs`") && run.stderr.contains("`codex`"), "{}", run.stderr);
}

#[test]
fn nothing_of_the_tree_acts_on_a_terminal() {
    let repository = Repository::new();
    repository.write(&format!("{ROOT}/a\u{202e}b/SKILL.md"), good("a"));
    let run = repository.skilltree(&["forecast"]);
    assert!(run.stdout.contains("a\\u{202e}b") && !run.stdout.contains('\u{202e}'), "{}", run.stdout);
}
