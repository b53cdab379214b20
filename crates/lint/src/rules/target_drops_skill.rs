//! Skills that a target does not load.

use crate::rule::{Check, E2026, Facts, Group, Level, Outlook, Rule, Sink, Subject};
use crate::rules::rarely_used;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Outcome, Reason, plural};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "target-drops-skill",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    summary: "a runtime in scope would drop a skill",
    why: "the runtime is in `targets` or reads the skills directory, but would not load the skill",
    explanation: include_str!("target_drops_skill.md"),
    check: Check::Target(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, outlook: &Outlook<'_>, sink: &mut Sink) {
    let fact = |titles: &str, skills: &str| format!("{titles} would drop {skills}");
    for lost in rarely_used::report(catalog, outlook, Outcome::Drops, sink, fact) {
        let message = format!("{} would drop the skill: {}", lost.titles(), lost.reason);
        let finding = sink.about(Subject::Skill(lost.skill)).report(lost.place(catalog.skill(lost.skill)), message);
        finding.losses = lost.losses();
        for evidence in lost.targets.iter().filter_map(|(target, _)| target.evidence(lost.reason)) {
            finding.note(format!("source: {evidence}"));
        }
        let edit = edit(lost.reason);
        if outlook.is_explicit() {
            finding.help(format!("{edit}, or remove {} from `targets`", lost.words()));
        } else {
            finding.help(format!("{edit}, or {}", rarely_used::HELP));
        }
    }
}

/// Returns the edit that removes a reason.
fn edit(reason: &Reason) -> String {
    match reason {
        Reason::Missing(field) => format!("write a value for `{field}`"),
        Reason::WrongType(field, _) => format!("write `{field}` as a string"),
        Reason::Malformed(field) => format!("write `{field}` in a form that every target accepts"),
        Reason::UnknownKey(key) => format!("move `{key}` under `metadata`"),
        Reason::FlowCollection => "write the list or mapping without brackets, one entry per line".to_owned(),
        Reason::DiffersFromDirectory => "rename the skill to match its directory".to_owned(),
        Reason::TooDeep(_) => "move the skill to a higher directory".to_owned(),
        Reason::TooLong { unit, most, .. } => format!("shorten it to {} {}", text::grouped(most), plural(*unit)),
        Reason::EmptyBody => "add instructions for the agent".to_owned(),
        Reason::Link => "replace the link with a file".to_owned(),
        _ => "fix the cause".to_owned(),
    }
}
