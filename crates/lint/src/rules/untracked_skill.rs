//! Skills that exist only in the working tree.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_front_matter::text::Place;
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::State;

/// See the page next to this file.
pub static RULE: Rule = Rule {
    id: "untracked-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "Git does not track a skill of the working tree",
    why: "the skill exists only on this machine, so clones and dispatchers do not have it",
    explanation: include_str!("untracked_skill.md"),
    check: Check::Skill(check),
    one_source: true,
    reads: Reads::Index,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let file = facts.file(skill.file);
    let (message, help) = match file.state {
        State::Tracked => return,
        State::Untracked => ("the file is untracked", "add it with `git add`"),
        State::Ignored => (
            "the file is ignored by Git",
            "change the ignore pattern, which `git check-ignore --verbose` shows, or move the skill",
        ),
    };
    sink.report(Place::whole(skill.file), message).help(help);
}
