//! Reports YAML that some parsers accept and others reject.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::Place;
use skilltree_front_matter::{Dispute, FaultKind, What};
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "disputed-yaml",
    group: Group::Fences,
    since: E2026,
    level: Level::Warning,
    faults: &[FaultKind::Disputed],
    summary: "some YAML parsers accept the front matter and others reject it",
    why: "whether the skill loads depends on the YAML library of the runtime",
    explanation: include_str!("disputed_yaml.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        if let What::Disputed(how) = fault.what {
            sink.report(fault.place, format!("not every YAML parser accepts this: {how}")).help(help(
                skill,
                how,
                fault.place,
            ));
        }
    }
}

fn help(skill: &Skill, how: Dispute, place: Place) -> &'static str {
    match how {
        Dispute::ShallowFlow => "write one entry per line, without brackets, or indent the closing bracket",
        Dispute::Tab => "replace the tab with spaces, or put the value in quotes",
        Dispute::EmptyKey => "write a key before the colon, or put the text in quotes",
        Dispute::ListKey | Dispute::MapKey => "put the value in quotes, or write a plain key",
        // Half of a character that JSON writes as two escapes.
        Dispute::Libyaml if skill.source(place).to_lowercase().contains_str(r"\ud") => {
            "write the character itself instead of its escapes"
        }
        Dispute::Libyaml => {
            "use block style: one plain key per line, nested keys indented by two spaces, tabs only in quotes"
        }
    }
}
