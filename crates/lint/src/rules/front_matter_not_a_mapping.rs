//! Reports front matter that is a list, a string or empty.

use std::ops::Range;

use bstr::ByteSlice;

use super::required::separator_name;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink};
use skilltree_front_matter::text::Place;
use skilltree_front_matter::{FaultKind, What, odd_separators};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "front-matter-not-a-mapping",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NotAMapping],
    summary: "the front matter is not a mapping",
    why: "front matter without keys has neither a name nor a description",
    explanation: include_str!("front_matter_not_a_mapping.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::NotAMapping(what) = fault.what {
            let finding = sink
                .report(fault.place, format!("the front matter is {what}, not a mapping"))
                .help("write `name: …` and `description: …` between the fences, one per line");
            offer_colons(skill, finding);
            offer_keys(skill, finding);
        }
    }
}

/// Offers to replace what is in place of the colons: `name = pdf`.
fn offer_colons(skill: &Skill, finding: &mut Finding) {
    let Some(yaml) = skill.front_matter.as_ref().map(|front_matter| front_matter.yaml) else { return };
    let odd = odd_separators(skill.source(yaml));
    let Some((key, separator)) = odd.first() else { return };
    let place = |separator: &Range<usize>| {
        Place::new(yaml.file, yaml.range().start + separator.start..yaml.range().start + separator.end)
    };
    let (key, typed) = (key.to_str_lossy(), separator_name(skill, place(separator)));
    finding.help(format!("write a colon and a space after each key, not {typed}: `{key}: …`"));
    for (_, separator) in &odd {
        finding.unsafe_edit(place(separator), ": ");
    }
}

/// Offers to remove the dash before each key, if no line is anything else.
fn offer_keys(skill: &Skill, finding: &mut Finding) {
    let Some(yaml) = skill.front_matter.as_ref().map(|front_matter| front_matter.yaml) else { return };
    let source = skill.source(yaml);
    let is_key = |line: &[u8]| {
        let word = line.strip_prefix(b"- ").and_then(|item| item.find(": ").map(|colon| &item[..colon]));
        word.is_some_and(|word| word.iter().all(|&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')))
    };
    if source.is_empty() || !source.lines().all(is_key) {
        return;
    }
    finding.help("remove the dash before each key");
    let mut start = yaml.range().start;
    for line in source.lines_with_terminator() {
        finding.unsafe_edit(Place::new(yaml.file, start..start + 2), "");
        start += line.len();
    }
}
