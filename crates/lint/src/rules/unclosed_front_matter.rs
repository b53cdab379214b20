//! Front matter without a closing fence.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{FaultKind, IntendedFence, What};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unclosed-front-matter",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::Unclosed],
    summary: "front matter has no closing fence",
    why: "without a closing `---`, a parser cannot separate the keys from the instructions",
    explanation: include_str!("unclosed_front_matter.md"),
    check: Check::Skill(check),
    // A runtime may read a later line as the fence, or the line with text.
    explains: Some(|reason, _| matches!(reason, Reason::Yaml(_) | Reason::Repaired(_))),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::Unclosed { intended: meant } = &fault.what else { continue };
        let finding = sink.report(fault.place, "the front matter has no closing `---`");
        match *meant {
            Some((place, IntendedFence::WithText)) => split_line(skill, place, finding),
            Some((place, fence)) => {
                let label = match fence {
                    IntendedFence::Dots => "`...` ends a YAML document, but not front matter",
                    IntendedFence::OtherDashes | IntendedFence::WithText => {
                        "this line is not a closing fence, but was probably intended as one"
                    }
                };
                finding.related(place, label).help("change this line to `---`").unsafe_edit(place, "---");
            }
            None => {
                finding.help("put `---` on its own line after the last key");
                if !split_value(skill, finding) {
                    offer_fence(skill, finding);
                }
            }
        }
    }
}

/// Offers to move the text after a closing fence to its own line.
fn split_line(skill: &Skill, place: Place, finding: &mut Finding) {
    let line = skill.source(place).to_str_lossy();
    let text = line.strip_prefix("---").unwrap_or_default().trim();
    let line_ending = if skill.header.contains_str("\r\n") { "\r\n" } else { "\n" };
    finding
        .related(place, "text follows the closing `---`, so it is not a fence")
        .help(format!("write `---`, and `{}` on the next line", text::shortened(text, 64)))
        .unsafe_edit(place, format!("---{line_ending}{text}"));
}

/// Offers to move three dashes at the end of the last value to their own line. Returns whether there are such dashes.
fn split_value(skill: &Skill, finding: &mut Finding) -> bool {
    let Some(yaml) = skill.front_matter.as_ref().map(|front_matter| front_matter.yaml) else { return false };
    let keys = skill.source(yaml).trim_ascii_end();
    let Some(value) = keys.strip_suffix(b"---").filter(|value| !value.ends_with(b"-") && !value.ends_with(b"\n"))
    else {
        return false;
    };
    let (start, end) = (yaml.range().start + value.trim_ascii_end().len(), yaml.range().start + keys.len());
    let line_ending = if skill.header.contains_str("\r\n") { "\r\n" } else { "\n" };
    finding
        .related(Place::new(yaml.file, start..end), "these dashes belong to the value")
        .help("put the `---` at the end of the last value on its own line")
        .unsafe_edit(Place::new(yaml.file, start..end), format!("{line_ending}---"));
    true
}

/// Offers to insert the closing fence after the last key, with the line ending of the opening one.
fn offer_fence(skill: &Skill, finding: &mut Finding) {
    let Some(yaml) = skill.front_matter.as_ref().map(|front_matter| front_matter.yaml) else { return };
    let keys = skill.source(yaml);
    if keys.trim().is_empty() {
        return;
    }
    let line_ending = if skill.header.contains_str("\r\n") { "\r\n" } else { "\n" };
    let first = if keys.ends_with(b"\n") { "" } else { line_ending };
    let end = yaml.range().end;
    finding.unsafe_edit(Place::new(yaml.file, end..end), format!("{first}---{line_ending}"));
}
