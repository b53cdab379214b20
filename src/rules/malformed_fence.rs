//! A fence with blanks or dashes too many.

use crate::front_matter::{FaultKind, Fence, FenceFlaw, What};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "malformed-fence",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[
        FaultKind::OpenerTrailingBlanks,
        FaultKind::OpenerExtraDashes,
        FaultKind::OpenerIndented,
        FaultKind::CloserTrailingBlanks,
        FaultKind::CloserExtraDashes,
        FaultKind::CloserIndented,
    ],
    summary: "a fence is not exactly `---`",
    why: "Gemini CLI drops a skill whose opening fence has a blank behind it and loses the body behind such a closing one; Codex and CAMEL see no front matter where the closing one has four dashes",
    explanation: include_str!("malformed_fence.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        let What::MalformedFence { fence, flaw } = fault.what else { continue };
        let which = match fence {
            Fence::Opening => "opening",
            Fence::Closing => "closing",
        };
        let message = match flaw {
            FenceFlaw::TrailingBlanks => format!("blanks stand behind the {which} `---`"),
            FenceFlaw::ExtraDashes => format!("the {which} fence has more than three dashes"),
            FenceFlaw::Indented => format!("blanks stand before the {which} `---`"),
        };
        sink.report(fault.place, message).help("make the line exactly `---`").edit(fault.place, "---");
    }
}
