//! `explain` as its reader meets it: a document for programs and people, drawn where there is a terminal.
#![allow(clippy::unwrap_used, reason = "a test makes what it judges, and fails by panicking")]

use std::path::Path;

mod common;

use common::{Run, skilltree};
use serde_json::Value;
use skilltree::explain::{self, Extent, terminal};
use skilltree::render::Look;
use skilltree::rules;

fn run(arguments: &[&str]) -> Run {
    skilltree(Path::new("."), &[&["explain"], arguments].concat(), &[])
}

/// All rules as JSON, valid by the schema.
fn catalogue(arguments: &[&str]) -> Vec<Value> {
    let run = run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let catalogue: Value = serde_json::from_str(&run.stdout).unwrap();
    let schema = serde_json::from_str(include_str!("../schema/rules.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&catalogue).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    catalogue["rules"].as_array().unwrap().clone()
}

#[test]
fn the_catalogue_holds_every_rule_for_programs() {
    let rules = catalogue(&["--all"]);
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids, rules::ALL.iter().map(|rule| rule.id).collect::<Vec<_>>());
    assert_eq!(catalogue(&[]), rules);
    let of = |id: &str| rules.iter().find(|rule| rule["id"] == id).unwrap();
    let edits = ["invalid-yaml", "unused-ignore", "empty-body"].map(|id| of(id)["edit"].clone());
    assert_eq!(edits, ["safe".into(), "either".into(), Value::Null]);
    assert_eq!(of("invalid-yaml")["unusable"], true);
    let roo = of("invalid-yaml")["runtimes"].as_array().unwrap().iter().find(|loss| loss["profile"] == "roo").unwrap();
    assert_eq!((&roo["fate"], &roo["told"]), (&"dropped".into(), &"log".into()));
    assert_eq!(catalogue(&["empty-body"]), [of("empty-body").clone()]);
}

#[test]
fn an_explanation_is_a_document_unless_a_terminal_reads_it() {
    for rule in rules::ALL {
        let text = explain::markdown(&explain::explain(rule, Look::default()), Extent::Brief);
        for part in [
            "\n- **Level**: ",
            "\n- **Since**: edition 2026\n",
            "\n## Why it matters\n",
            "\n## Evidence\n",
            "\n## Example",
            "\n## Instead",
        ] {
            assert!(text.contains(part), "{}: {part}", rule.id);
        }
        let drawn = terminal(&text, Look { width: 60, ..Look::default() });
        // An example may hold a fence of its own, which stands further in.
        assert!(!drawn.lines().any(|line| line.starts_with("```")), "{drawn}");
    }
    let plain = run(&["name-too-long"]);
    assert_eq!(plain.status, 0);
    assert!(plain.stdout.starts_with("# name-too-long\n") && !plain.stdout.contains('\x1b'), "{}", plain.stdout);
    let drawn = run(&["name-too-long", "--color", "always"]).stdout;
    assert!(drawn.starts_with("\x1b[1mname-too-long\x1b[0m\n"), "{drawn}");
    assert_eq!(run(&["--all"]).stdout.matches("\n## Evidence\n").count(), rules::ALL.len());
}

#[test]
fn the_list_names_every_rule_in_its_chapter() {
    let list = run(&[]).stdout;
    assert!(list.starts_with("Fences and encoding\n  byte-order-mark "), "{list}");
    assert!(!list.contains('\x1b'));
    for rule in rules::ALL {
        assert!(list.contains(&format!("\n  {} ", rule.id)), "{}", rule.id);
    }
}
