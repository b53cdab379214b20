//! `explain` as its reader meets it: a Markdown document for people, JSON for programs.
#![allow(clippy::unwrap_used, reason = "a test creates the files that it checks, and fails by panicking")]

use skilltree_lint::rule::RuleRef;
use std::path::Path;
use std::sync::LazyLock;

use crate::common::{Run, skilltree};
use serde_json::Value;
use skilltree_lint::rules;
use skilltree_report::explain::{self, Explanation, Extent};
use skilltree_runtimes::profile::Profiles;

/// Explanations of all rules. They take seconds, so that all tests share them.
pub(crate) fn explanations() -> &'static [Explanation<'static>] {
    static RULES: LazyLock<Vec<RuleRef>> = LazyLock::new(|| rules::ALL.iter().copied().map(RuleRef::from).collect());
    static EXPLAINED: LazyLock<Vec<Explanation<'static>>> =
        LazyLock::new(|| RULES.iter().map(explain::explain).collect());
    &EXPLAINED
}

fn run(arguments: &[&str]) -> Run {
    skilltree(Path::new("."), &[&["explain"], arguments].concat(), &[])
}

/// All rules as JSON, valid by the schema.
fn catalogue(arguments: &[&str]) -> Vec<Value> {
    let run = run(&[arguments, &["--format", "json"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let catalogue: Value = serde_json::from_str(&run.stdout).unwrap();
    let schema = serde_json::from_str(include_str!("../../schema/rules.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&catalogue).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    catalogue["rules"].as_array().unwrap().clone()
}

#[test]
fn json_catalog_contains_every_rule() {
    let rules = catalogue(&["--all"]);
    let ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids, rules::ALL.iter().map(|rule| rule.id()).collect::<Vec<_>>());
    assert_eq!(catalogue(&[]), rules);
    let of = |id: &str| rules.iter().find(|rule| rule["id"] == id).unwrap();
    let edits = ["invalid-yaml", "unused-ignore", "empty-body"].map(|id| of(id)["edit"].clone());
    assert_eq!(edits, ["either".into(), "either".into(), Value::Null]);
    assert_eq!(of("invalid-yaml")["unusable"], true);
    let roo = of("invalid-yaml")["runtimes"].as_array().unwrap().iter().find(|loss| loss["profile"] == "roo").unwrap();
    assert_eq!((&roo["outcome"], &roo["reported"]), (&"drops".into(), &"log".into()));
    assert_eq!(catalogue(&["empty-body"]), [of("empty-body").clone()]);
}

#[test]
fn explanation_is_markdown() {
    for explanation in explanations() {
        let text = explain::markdown(explanation, Extent::Brief);
        for part in [
            "\n- **Severity**: ",
            "\n- **Since**: ",
            "\n## Why it matters\n",
            "\n## Evidence\n",
            "\n## Example",
            "\n## Not reported",
        ] {
            assert!(text.contains(part), "{}: {part}", explanation.rule.id());
        }
    }
    let plain = run(&["name-too-long"]);
    assert_eq!(plain.status, 0);
    assert!(plain.stdout.starts_with("# name-too-long\n") && !plain.stdout.contains('\x1b'), "{}", plain.stdout);
    assert_eq!(run(&["name-too-long", "--color", "always"]).stdout, plain.stdout);
    assert_eq!(run(&["--all"]).stdout.matches("\n## Evidence\n").count(), rules::ALL.len());
}

#[test]
fn list_groups_rules_by_chapter() {
    let list = run(&[]).stdout;
    assert!(list.starts_with("Fences and encoding\n  byte-order-mark "), "{list}");
    assert!(!list.contains('\x1b'));
    for rule in rules::ALL {
        assert!(list.contains(&format!("\n  {} ", rule.id())), "{}", rule.id());
    }
}

/// The names by which prose would call a runtime, each with the ids of the profiles that it can mean.
fn runtime_names() -> Vec<(String, Vec<String>)> {
    let short: [(&str, &[&str]); 5] = [
        ("Claude", &["claude-code"]),
        ("Copilot", &["copilot-cli", "vscode-copilot"]),
        ("Gemini", &["gemini-cli"]),
        ("Hermes", &["hermes"]),
        ("Roo", &["roo"]),
    ];
    let profiles = Profiles::default();
    // Prose may name the Agent Skills specification, but not its validator.
    let name = |id: &str| profiles.find(id).unwrap().actor().trim_start_matches("the ").to_owned();
    let titled = profiles.ids().map(|id| (name(id), vec![id.to_owned()]));
    let short = short.map(|(name, ids)| (name.to_owned(), ids.iter().map(|&id| id.to_owned()).collect()));
    titled.chain(short).collect()
}

/// Returns the prose of a page: no fences, no code spans, and no citations such as `owner/repo #123`.
fn prose(page: &str) -> String {
    let mut fence = 0;
    let mut text = String::new();
    for line in page.lines() {
        let ticks = line.bytes().take_while(|&byte| byte == b'`').count();
        match fence {
            0 if ticks >= 3 => fence = ticks,
            0 => text.extend([line, "\n"]),
            open if ticks >= open && line[ticks..].trim().is_empty() => fence = 0,
            _ => {}
        }
    }
    let quoted = regex::Regex::new(r"``[^\n]*?``|`[^`\n]*`|[\w.-]+/[\w./-]+(?:,? (?:issues? |PR )?#?\d+)*").unwrap();
    quoted.replace_all(&text, "").into_owned()
}

/// Returns the names that occur in a text as separate words.
fn named_in<'n>(text: &str, names: &'n [(String, Vec<String>)]) -> Vec<&'n (String, Vec<String>)> {
    let is_word = |at: usize, name: &str| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.into_iter().chain(after).any(char::is_alphanumeric)
    };
    names.iter().filter(|(name, _)| text.match_indices(name.as_str()).any(|(at, _)| is_word(at, name))).collect()
}

#[test]
fn summaries_and_reasons_name_no_runtime() {
    let names = runtime_names();
    let mut wrong = Vec::new();
    for rule in rules::ALL {
        for text in [rule.summary(), rule.why] {
            let found: Vec<&str> = named_in(text, &names).into_iter().map(|(name, _)| name.as_str()).collect();
            if !found.is_empty() {
                wrong.push(format!("{}: {}: {text}", rule.id(), found.join(", ")));
            }
        }
    }
    assert!(wrong.is_empty(), "runtimes come from the profiles, not from prose:\n{}", wrong.join("\n"));
}

#[test]
fn pages_name_no_runtime_that_their_example_does_not_affect() {
    let names = runtime_names();
    let mut wrong = Vec::new();
    for Explanation { rule, losses, .. } in explanations() {
        let affected: Vec<&str> = losses.iter().map(|loss| loss.profile.as_str()).collect();
        for (name, ids) in named_in(&prose(rule.explanation()), &names) {
            if !ids.iter().any(|id| affected.contains(&id.as_str())) {
                wrong.push(format!("{}: {name}", rule.id()));
            }
        }
    }
    assert!(wrong.is_empty(), "\"Affected runtimes\" of these pages does not list them:\n{}", wrong.join("\n"));
}
