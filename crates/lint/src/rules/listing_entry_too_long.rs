//! Reports a description and a `when_to_use` that are together too long.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text;
use skilltree_runtimes::profile::listing::Measured;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "listing-entry-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a description and its when_to_use are together longer than the limit",
    why: "a listing joins both and truncates the result, so the model never sees the end of `when_to_use`",
    explanation: include_str!("listing_entry_too_long.md"),
    check: Check::Skill(check),
    explains: Some(|reason, limits| reason.is_too_long(&[Measured::Entry], limits.listing_entry_chars)),
    ..Rule::DEFAULT
};

/// Length of the separator ` - ` in the listing of Claude Code, in code points.
const SEPARATOR: u64 = 3;

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let (Some(description), Some(when)) = (skill.text("description"), skill.text("when_to_use")) else { return };
    let Some(limit) = facts.limits.listing_entry_chars.filter(|_| !when.value.is_empty()) else { return };
    let chars = |text| text::length(text).chars as u64;
    let (first, second) = (chars(description.value), chars(when.value));
    let joined = first + SEPARATOR + second;
    if joined > limit {
        let message = format!("the listing entry has {joined} characters; the limit is {limit}");
        let over = joined - limit;
        sink.report(when.place, message)
            .related(description.place, format!("the description has {first} characters"))
            .note(format!("`when_to_use` has {second} characters, and the separator has {SEPARATOR}"))
            .help(format!("shorten the two fields by {over} or more characters"));
    }
}
