//! A key that no selected runtime knows.

use crate::keys;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unknown-key",
    group: Group::Fields,
    since: E2026,
    level: Level::Off,
    unusable: false,
    faults: &[],
    summary: "a key is not known to any selected runtime",
    why: "the runtimes ignore it, so what it says reaches nobody; the reference validator refuses the skill",
    explanation: include_str!("unknown_key.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    // Of a runtime whose keys nobody has looked up nothing can be said.
    let mut selected = facts.selected(skill, |_| true);
    selected.retain(|profile| !profile.loads.keys.known.is_empty());
    if selected.is_empty() {
        return;
    }
    let titles: Vec<&str> = selected.iter().map(|profile| profile.title.as_str()).collect();
    for field in skill.fields() {
        let key = &field.key.value;
        let is_known = selected.iter().any(|profile| profile.loads.keys.known.contains(key));
        // A misspelling is another finding.
        if !is_known && keys::meant(key).is_none() {
            let shown = text::shortened(key, 64);
            sink.report(field.key.place, format!("`{shown}` is no key of {}", titles.join(" or ")))
                .help("move it below `metadata`, or remove it");
        }
    }
}
