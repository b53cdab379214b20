//! The names of rules and the keys of profiles: they follow the table "Words we use" of CONTRIBUTING.md, and a key has users.
#![allow(clippy::unwrap_used, reason = "the test reads the built-in profiles")]

use std::collections::{BTreeMap, BTreeSet};

use skilltree_lint::rules;
use skilltree_runtimes::profile::{self, Profiles};
use toml::{Table, Value};

/// Words that the table forbids as a part of a name, and the word to use.
const FORBIDDEN: [(&str, &str); 21] = [
    ("alters", "changes"),
    ("altered", "changes"),
    ("behind", "after"),
    ("beside", "other or next to"),
    ("beyond", "over-limit"),
    ("blanks", "whitespace"),
    ("capital", "uppercase"),
    ("closer", "closing-fence"),
    ("dropped", "drops"),
    ("fate", "outcome"),
    ("line-end", "line-ending"),
    ("line-ends", "line-endings"),
    ("map", "mapping"),
    ("most", "maximum"),
    ("opener", "opening-fence"),
    ("room", "limit"),
    ("said", "reported"),
    ("says", "reports"),
    ("small", "lowercase"),
    ("told", "reported"),
    ("white-space", "whitespace"),
];

/// Maximum number of keys of all profiles.
const KEYS: usize = 150;

/// Keys that fewer than three profiles use and that are no strategy: metadata of a profile, settings that a repository
/// overrides, and the designs of dispatchers, which have a profile each.
const RARE: [&str; 31] = [
    "cases.path",
    "documented.version",
    "extends",
    "loads.budget.skills",
    "loads.budget.window",
    "loads.budget.window-share",
    "loads.commands",
    "loads.empty-body",
    "loads.faults.*",
    "loads.fields.*.forbidden",
    "loads.identity.reserved",
    "loads.links.outside",
    "loads.roots.in-prompt",
    "loads.roots.otherwise",
    "prompt.budget.chars",
    "prompt.budget.skills",
    "prompt.budget.tokens",
    "prompt.each.tokens",
    "prompt.hidden",
    "prompt.links",
    "prompt.mentioned",
    "prompt.merges-tools",
    "prompt.modes.phase",
    "prompt.modes.role",
    "prompt.modes.tools.mode",
    "prompt.modes.tools.mode-option",
    "prompt.modes.tools.model-option",
    "prompt.modes.tools.tool",
    "prompt.requires-role",
    "prompt.reserved",
    "prompt.top",
];

/// Tables whose keys are free names.
const FREE: [&str; 4] = ["cases.other-files", "evidence", "loads.faults", "loads.fields"];

/// Returns the dotted keys of all built-in profiles, with the profiles that use each. A table and a list of tables count by
/// their keys, a handling with its report is one value, and `*` stands for a free name.
fn keys() -> BTreeMap<String, BTreeSet<String>> {
    let mut keys = BTreeMap::new();
    for id in Profiles::default().ids() {
        let table: Table = profile::source(id).unwrap().parse().unwrap();
        add(&mut keys, id, "", &table);
    }
    keys
}

fn add(keys: &mut BTreeMap<String, BTreeSet<String>>, id: &str, path: &str, table: &Table) {
    for (key, value) in table {
        let key = if FREE.contains(&path) { "*" } else { key };
        let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        match value {
            Value::Table(below) if !below.contains_key("handling") => add(keys, id, &path, below),
            Value::Array(items) if items.iter().any(Value::is_table) => {
                items.iter().filter_map(Value::as_table).for_each(|item| add(keys, id, &path, item));
            }
            _ => drop(keys.entry(path).or_default().insert(id.to_owned())),
        }
    }
}

/// Returns what is wrong with a name whose parts are separated by hyphens.
fn fault(name: &str) -> Option<String> {
    let has = |word: &str| format!("-{name}-").contains(&format!("-{word}-"));
    let (word, better) = FORBIDDEN.iter().find(|(word, _)| has(word))?;
    Some(format!("`{name}`: use {better} for {word}"))
}

#[test]
fn rule_ids_use_the_words_of_the_glossary() {
    let faults: Vec<String> = rules::ALL.iter().filter_map(|rule| fault(rule.id())).collect();
    assert_eq!(faults, [""; 0]);
}

#[test]
fn profile_keys_and_words_use_those_of_the_glossary() {
    let keys = keys();
    let parts: BTreeSet<&str> = keys.keys().flat_map(|path| path.split('.')).collect();
    let faults: Vec<String> = parts.into_iter().filter_map(fault).collect();
    assert_eq!(faults, [""; 0]);
    let names: Vec<String> = profile::faults::NAMES.iter().filter_map(|(name, _)| fault(name)).collect();
    assert_eq!(names, [""; 0]);
}

#[test]
fn finds_planted_words() {
    assert_eq!(fault("mixed-line-ends").as_deref(), Some("`mixed-line-ends`: use line-endings for line-ends"));
    assert!(fault("front-matter-not-a-map").is_some() && fault("white-space").is_some());
    assert_eq!(fault("mapping"), None);
    assert_eq!(fault("mixed-line-endings"), None);
}

#[test]
fn profiles_have_few_keys_and_each_has_users() {
    let keys = keys();
    assert!(keys.len() <= KEYS, "{} keys: use a strategy for what one program does", keys.len());
    let rare: Vec<&str> =
        keys.iter().filter(|(_, profiles)| profiles.len() < 3).map(|(path, _)| path.as_str()).collect();
    assert_eq!(rare, RARE, "a key with fewer than three users is a strategy (crates/runtimes/src/profile/strategy.rs)");
    assert!(keys["loads.depth"].len() > 30 && keys["loads.fields.*.missing"].contains("codex"), "{keys:?}");
}
