//! A skill that a runtime does not load in which it must work.

use crate::catalog::Catalog;
use crate::forecast::{Fate, Reason, plural};
use crate::rule::{Check, E2026, Facts, Group, Level, Outlook, Rule, Sink, Subject};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "target-drops-skill",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a runtime of `targets` would not load a skill",
    why: "`targets` names the runtimes that the skills must work in, and there this one does not exist",
    explanation: include_str!("target_drops_skill.md"),
    check: Check::Target(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, outlook: &Outlook<'_>, sink: &mut Sink) {
    for lost in outlook.lost(catalog, Fate::Dropped) {
        let message = format!("{} would not load the skill: {}", lost.titles(), lost.reason);
        let finding = sink.about(Subject::Skill(lost.skill)).report(lost.place(catalog.skill(lost.skill)), message);
        finding.losses = lost.losses();
        for evidence in lost.targets.iter().filter_map(|(target, _)| target.evidence(lost.reason)) {
            finding.note(format!("known of {evidence}"));
        }
        finding.help(format!("{}, or take {} out of the targets", edit(lost.reason), lost.words()));
    }
}

/// The edit that mends a reason.
fn edit(reason: &Reason) -> String {
    match reason {
        Reason::Missing(field) => format!("write a value for `{field}`"),
        Reason::WrongType(field, _) => format!("write `{field}` as a text"),
        Reason::Malformed(field) => format!("write `{field}` as every target takes it"),
        Reason::UnknownKey(key) => format!("move `{key}` below `metadata`"),
        Reason::FlowCollection => "write the list or map without brackets, an entry a line".to_owned(),
        Reason::DiffersFromDirectory => "give the skill the name of its directory".to_owned(),
        Reason::TooDeep(_) => "move the skill up".to_owned(),
        Reason::TooLong { unit, most, .. } => format!("shorten it to {most} {}", plural(*unit)),
        Reason::EmptyBody => "write what the agent is to do".to_owned(),
        Reason::Link => "put a file in the place of the link".to_owned(),
        _ => "mend it".to_owned(),
    }
}
