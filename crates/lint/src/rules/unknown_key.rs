//! Keys that no selected runtime knows.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::keys;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-key",
    group: Group::Fields,
    since: E2026,
    level: Level::Off,
    summary: "a key is unknown to every selected runtime",
    why: "an unknown key has no effect, and a strict validator rejects the skill",
    explanation: include_str!("unknown_key.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::UnknownKey(_))),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    // Skip runtimes whose known keys have not been established.
    let mut selected = facts.selected(skill);
    selected.retain(|profile| !profile.loads.keys.known.is_empty());
    if selected.is_empty() {
        return;
    }
    let titles: Vec<&str> = selected.iter().map(|profile| profile.title.as_str()).collect();
    for field in skill.fields() {
        let key = &field.key.value;
        let is_known = selected.iter().any(|profile| profile.loads.keys.known.contains(key));
        // Another rule reports misspelled keys.
        if !is_known && keys::correction(key).is_none() {
            let shown = text::shortened(key, 64);
            sink.report(field.key.place, format!("unknown key `{shown}` for {}", titles.join(" or ")))
                .help("move it under `metadata`, or remove it");
        }
    }
}
