//! Text before the front matter.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{FaultKind, What};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "text-before-front-matter",
    group: Group::Fences,
    since: E2026,
    level: Level::Error,
    faults: &[FaultKind::TextBeforeFence],
    summary: "a blank line, a comment or other text precedes the opening fence",
    why: "front matter must start at the first byte; with text before it, the file has no front matter",
    explanation: include_str!("text_before_front_matter.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

fn check(skill: &Skill, _: &Facts<'_>, sink: &mut Sink) {
    for fault in &skill.faults {
        match fault.what {
            What::TextBeforeFence { blank: true } => {
                let lines = skill.source(fault.place).lines().count();
                let which = if lines > 1 { "blank lines precede" } else { "a blank line precedes" };
                sink.report(fault.place, format!("{which} the opening `---`"))
                    .help("remove it, so that `---` is the first line")
                    .edit(fault.place, "")
            }
            What::TextBeforeFence { blank: false } => sink
                .report(fault.place, "text precedes the opening `---`")
                .help("move it below the closing `---`, so that the opening `---` is the first line"),
            _ => continue,
        };
    }
}
