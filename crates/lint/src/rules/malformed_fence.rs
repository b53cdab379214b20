//! Reports fences with extra whitespace or dashes.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, Fence, FenceFlaw, What};
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "malformed-fence",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[
        FaultKind::OpenerTrailingBlanks,
        FaultKind::OpenerExtraDashes,
        FaultKind::OpenerIndented,
        FaultKind::CloserTrailingBlanks,
        FaultKind::CloserExtraDashes,
        FaultKind::CloserIndented,
    ],
    summary: "a fence is not exactly `---`",
    why: "a strict runtime does not recognize such a fence, so it finds no front matter or no body",
    explanation: include_str!("malformed_fence.md"),
    check: Check::Skill(check),
    explains: Some(|reason, _| matches!(reason, Reason::BodyLost)),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::MalformedFence { fence, flaw } = fault.what else { continue };
        let which = match fence {
            Fence::Opening => "opening",
            Fence::Closing => "closing",
        };
        let message = match flaw {
            FenceFlaw::TrailingBlanks => format!("the {which} `---` has trailing whitespace"),
            FenceFlaw::ExtraDashes => format!("the {which} fence has more than three dashes"),
            FenceFlaw::Indented => format!("the {which} `---` is indented"),
        };
        sink.report(fault.place, message).help("make the line exactly `---`").edit(fault.place, "---");
    }
}
