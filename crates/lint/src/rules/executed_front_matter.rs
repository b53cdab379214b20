//! Reports front matter that a runtime runs as code.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::FaultKind;
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::skill::{Language, Skill};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "executed-front-matter",
    group: Group::Security,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[FaultKind::NoFence],
    summary: "the opening fence makes the front matter JavaScript",
    why: "a runtime that supports the tag runs the code at every start, when it lists the skills, without asking",
    explanation: include_str!("executed_front_matter.md"),
    check: Check::Skill(check),
    keeps_level: true,
    ..Rule::DEFAULT
};

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some((Language::JavaScript, fence)) = skill.language() else { return };
    let mut running: Vec<&Profile> =
        facts.profiles.ids().filter_map(|id| facts.profiles.find(id)).filter(runs_code).collect();
    running.sort_by_key(|profile| profile.usage_rank);
    let names: Vec<&str> = running.iter().map(|profile| profile.title.as_str()).collect();
    sink.report(Place::new(skill.file, fence), format!("{} run this front matter as JavaScript", text::joined(&names)))
        .help("make the first line exactly `---`, and write `name: …` and `description: …` as YAML");
}

/// Returns whether a program was observed that selects a parser by the tag of a fence.
fn runs_code(profile: &&Profile) -> bool {
    profile.observed.is_some() && profile.loads.fence.as_ref().is_some_and(|fence| fence.engines)
}
