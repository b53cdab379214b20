//! Reports keys that are probably misspelled.

use crate::rule::{Check, E2026, Edit, Facts, Group, Level, Precision, Rule, Sink};
use crate::rules::required;
use skilltree_front_matter::text;
use skilltree_front_matter::{Node, NodeKind};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::keys;
use skilltree_skills::limits;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misspelled-key",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a key looks like a misspelling of a known key",
    why: "runtimes ignore unknown keys, usually silently, so the value has no effect",
    explanation: include_str!("misspelled_key.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| match reason {
        // `keys::correction` never suggests the first two.
        Reason::Missing(field) => !matches!(field.as_str(), "roles" | "tags" | "name" | "description"),
        reason => matches!(reason, Reason::UnknownKey(_)),
    }),
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Keys that every skill needs.
const REQUIRED: [&str; 2] = ["name", "description"];

/// Keys that only inform people, so correcting them does not change what a skill may do.
const HARMLESS: [&str; 4] = ["argument-hint", "compatibility", "license", "metadata"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let slips: Vec<_> = skill.fields().filter_map(|field| Some((field, keys::correction(&field.key.value)?))).collect();
    for &(field, meant) in &slips {
        // A skill with both keys is written for two runtimes. A missing required key is an error of another rule.
        if skill.field(meant).is_some() || REQUIRED.contains(&meant) {
            continue;
        }
        let key = text::shortened(&field.key.value, 64);
        let finding = sink.report(field.key.place, format!("`{key}` looks like a misspelling of `{meant}`"));
        required::note_lookalikes(&field.key.value, finding);
        finding.help(format!("rename it to `{meant}`"));
        if slips.iter().filter(|(_, other)| *other == meant).count() == 1 {
            finding.edits.push(Edit {
                place: field.key.place,
                text: meant.to_owned(),
                safe: is_harmless(meant, &field.value, facts),
            });
        }
    }
}

/// Returns whether the value is valid under the correct key, so that the edit is safe.
fn is_harmless(meant: &str, value: &Node, facts: &Facts<'_>) -> bool {
    let text = value.text().map(str::trim_ascii).filter(|text| !text.is_empty());
    match meant {
        "compatibility" => {
            text.is_some_and(|text| !limits::over(facts.limits.compatibility_chars, text::length(text).chars))
        }
        "metadata" => matches!(value.kind, NodeKind::Map(_)),
        _ => HARMLESS.contains(&meant) && text.is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::profile::Profiles;

    #[test]
    fn accepts_every_key_that_a_runtime_knows() {
        let profiles = Profiles::default();
        for profile in profiles.ids().filter_map(|id| profiles.find(id)) {
            let known = &profile.loads.keys.known;
            // A runtime may know two spellings of one key.
            let has_other = |key: &str| {
                let other = if key.contains('-') { key.replace('-', "_") } else { key.replace('_', "-") };
                other != key && known.contains(&other)
            };
            for key in known.iter().filter(|key| !has_other(key)) {
                assert_eq!(keys::correction(key), None, "{} knows `{key}`", profile.id);
            }
        }
    }
}
