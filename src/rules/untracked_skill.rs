//! A skill that only the work tree has.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::snapshot::State;
use crate::text::Place;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "untracked-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "git does not know a skill of the work tree",
    why: "it is on this machine only: nobody who clones the repository has the skill, and no dispatcher sees it",
    explanation: include_str!("untracked_skill.md"),
    check: Check::Skill(check),
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let file = facts.file(skill.file);
    let (message, help) = match file.state {
        State::Tracked => return,
        State::Untracked => ("the file is not yet added to git", "add it with `git add`"),
        State::Ignored => (
            "an ignore file keeps the file out of git",
            "change the pattern that matches it, which `git check-ignore --verbose` names, or keep the skill elsewhere",
        ),
    };
    sink.report(Place::whole(skill.file), message).help(help);
}
