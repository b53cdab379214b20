//! Findings in commands, whose text runtimes read as that of a skill, and in the front matter of agents.

use std::sync::Arc;

use crate::rule::{Check, Facts, Finding, Limited, RuleRef, Sink, Subject, Text};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::scope::Scope;
use skilltree_skills::agents::Owner;
use skilltree_skills::roots::Root;
use skilltree_skills::skill::{BodyFacts, CommandFile, Definition, Skill};

/// The skills directory whose readers and rules apply to commands.
const PLACE: &str = ".claude/skills";

/// Checks each command and each agent as the runtimes that read them would read a skill.
pub(super) fn lint(catalog: &Catalog, facts: &Facts<'_>, rules: &[RuleRef]) -> Vec<Finding> {
    let commands = &catalog.parsed.commands;
    let agents = &catalog.parsed.definitions;
    if commands.is_empty() && agents.is_empty() || rules.is_empty() {
        return Vec::new();
    }
    let readers = readers(facts);
    let Some(reader) = readers.first() else { return Vec::new() };
    let mut findings = Limited::default();
    let roots = [Root { path: PLACE.into(), profile: reader.id.clone(), ..Root::default() }];
    let targets: Vec<String> = readers.iter().map(|profile| profile.id.clone()).collect();
    let scope = Scope::with(&roots, &targets, facts.profiles, &|_| Arc::default(), &[]);
    let commands = commands.iter().map(|CommandFile { skill, plugin, .. }| {
        let text = if plugin.is_some() { Text::PluginCommand } else { Text::Command };
        (forecast::as_read(skill, reader).unwrap_or_else(|| skill.clone()), text)
    });
    let agents = agents.iter().map(of_agent);
    for (skill, text) in commands.chain(agents) {
        let facts = Facts { roots: &roots, scope: &scope, text, ..*facts };
        for rule in rules {
            let Check::Text(check) = rule.check else { continue };
            let mut sink = Sink::new(rule, Subject::Tree);
            check(&skill, &facts, &mut sink);
            findings.extend(sink.into_findings());
        }
    }
    findings.into_findings()
}

/// Returns the parts of an agent that are like those of a skill: the front matter and, if these runtimes read the agent, the placeholders in
/// its text. They run no command in it.
fn of_agent(agent: &Definition) -> (Skill, Text) {
    let text = if agent.owner == Owner::Plugin { Text::PluginAgent } else { Text::Agent };
    let is_read = matches!(agent.owner, Owner::Project | Owner::Plugin);
    let placeholders = |body: &BodyFacts| BodyFacts { placeholders: body.placeholders.clone(), ..BodyFacts::default() };
    let body = agent.skill.body.as_ref().filter(|_| is_read).map(placeholders);
    (Skill { body, ..agent.skill.clone() }, text)
}

/// Returns the runtimes that read commands and agents: the targets, or all.
fn readers<'a>(facts: &Facts<'a>) -> Vec<&'a Profile> {
    let is_asked = |id: &&str| facts.targets.is_empty() || facts.targets.iter().any(|target| target == id);
    let profiles = facts.profiles.ids().filter(is_asked).filter_map(|id| facts.profiles.find(id));
    profiles.filter(|profile| profile.loads.agents.is_some()).collect()
}
