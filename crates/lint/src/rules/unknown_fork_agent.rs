//! Reports skills that name a misspelled agent to run in.

use super::acting;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys;
use skilltree_skills::name;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-fork-agent",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a skill names a misspelled agent to run in",
    why: "the runtime starts its general agent instead, with other tools and instructions, and says nothing",
    explanation: include_str!("unknown_fork_agent.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (_, skill) in catalog.skills() {
        let Some(field) = skill.field("agent") else { continue };
        let forks = skill.field("context").and_then(|field| field.value.scalar()) == Some("fork");
        let Some(agent) = field.value.scalar().filter(|_| forks) else { continue };
        let runtimes = acting::runtimes(skill, facts, |profile: &Profile| !profile.loads.fork_agents.is_empty());
        let Some(profile) = runtimes.first() else { continue };
        let known = || profile.loads.fork_agents.iter().chain(&catalog.parsed.agents.names);
        if known().any(|name| name == agent) {
            continue;
        }
        // Another name may be that of the user's agent, or of one in a plugin.
        let is_near = |known: &&String| name::is_variant(agent, known) || keys::is_slip(agent, known);
        let Some(near) = known().find(is_near) else { continue };
        let shown = text::shortened(agent, 64);
        sink.about(Subject::Tree)
            .report(field.value.place, format!("{} has no agent `{shown}`, and starts its general one", profile.title))
            .help(format!("write `{near}`"))
            .unsafe_edit(field.value.place, near.as_str());
    }
}
