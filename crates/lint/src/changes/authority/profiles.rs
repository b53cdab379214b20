//! Permission profiles of Codex: what each lets commands write, and reach.

use std::collections::BTreeMap;

use serde_json::Value;

use super::project::written;
use skilltree_skills::skill::Power;

/// The key of the profiles.
pub(super) const KEY: &str = "permissions";

/// Values that grant nothing that the usual profiles do not.
const SAFE: [&str; 7] = ["none", "deny", "read", "false", "limited", ":read-only", ":workspace"];
/// Values that protect.
const PROTECTING: [&str; 2] = ["none", "deny"];

/// The key of a profile that grants nothing.
const TEXT: &str = "description";

/// A rule: the profile, and the path of keys in it, such as `filesystem./etc`.
type Rule = (String, String);

/// Adds what profiles newly allow, and what they no longer deny. A profile that is gone allows nothing.
pub(super) fn changes(after: Option<&Value>, before: Option<&Value>, powers: &mut Vec<Power>) {
    let (own, old) = (rules(after), rules(before));
    let shown = |(profile, path): &Rule, value: &str| format!("{profile}.{path} = {value}");
    for (rule, value) in own.iter().filter(|(rule, value)| old.get(*rule) != Some(value)) {
        if !SAFE.contains(&value.as_str()) && rule.1 != TEXT {
            powers.push(Power::Setting { key: KEY, value: shown(rule, value) });
        }
    }
    let has_profile = |(profile, _): &Rule| after.is_some_and(|after| after.get(profile).is_some());
    for (rule, value) in old.iter().filter(|(rule, _)| has_profile(rule)) {
        let now = own.get(rule).map(String::as_str);
        // A rule that allows something is reported as such.
        let is_known = now.is_some_and(|now| PROTECTING.contains(&now) || !SAFE.contains(&now));
        if PROTECTING.contains(&value.as_str()) && !is_known {
            powers.push(Power::Unset { key: KEY, value: shown(rule, value) });
        }
    }
}

/// Returns the rules of all profiles, each with its value.
fn rules(profiles: Option<&Value>) -> BTreeMap<Rule, String> {
    fn add(profile: &str, path: &str, value: &Value, rules: &mut BTreeMap<Rule, String>) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    add(profile, &path, value, rules);
                }
            }
            value => drop(rules.insert((profile.to_owned(), path.to_owned()), written(value))),
        }
    }
    let mut rules = BTreeMap::new();
    for (name, profile) in profiles.and_then(Value::as_object).into_iter().flatten() {
        add(name, "", profile, &mut rules);
    }
    rules
}
