//! A description and a `when_to_use` that are too long together.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "listing-entry-too-long",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a description and its when_to_use are longer than the limit together",
    why: "Claude Code joins both in its listing and cuts what is beyond 1,536 characters: the end of `when_to_use` is what the model never reads",
    explanation: include_str!("listing_entry_too_long.md"),
    check: Check::Skill(check),
};

/// What Claude Code puts between the two, in code points: a hyphen with a space on each side.
const SEPARATOR: u64 = 3;

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let (Some(description), Some(when)) = (skill.text("description"), skill.text("when_to_use")) else { return };
    let Some(limit) = facts.limits.listing_entry_chars.filter(|_| !when.value.is_empty()) else { return };
    let chars = |text| text::length(text).chars as u64;
    let (first, second) = (chars(description.value), chars(when.value));
    let joined = first + SEPARATOR + second;
    if joined > limit {
        let message = format!("description and when_to_use have {joined} characters in a listing; {limit} are allowed");
        let over = joined - limit;
        sink.report(when.place, message)
            .related(description.place, format!("{first} characters of description"))
            .note(format!("{second} characters of when_to_use, and {SEPARATOR} that join them"))
            .help(format!("shorten the two by {over} or more: a listing cuts the end of when_to_use"));
    }
}
