//! Reports skills that an agent is to start with, and that its runtime does not give to it.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::agents::Agents;
use skilltree_skills::keys::{self, DISABLE_MODEL_INVOCATION};
use skilltree_skills::manifest::ENABLED;
use skilltree_skills::roots;
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-agent-skill",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "an agent names a skill that it is not given",
    why: "the agent starts without the skill, and only a debug log says so",
    explanation: include_str!("unknown_agent_skill.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let agents = &catalog.parsed.agents;
    if agents.all.is_empty() {
        return;
    }
    sink.about(Subject::Tree);
    for profile in manifests::readers(facts) {
        if let Some(bundled) = &profile.loads.agents {
            report(catalog, agents, bundled, profile, facts, sink);
        }
    }
}

fn report(
    catalog: &Catalog,
    agents: &Agents,
    bundled: &[String],
    profile: &Profile,
    facts: &Facts<'_>,
    sink: &mut Sink,
) {
    let known = known(catalog, profile, facts);
    let honors_disabled = profile.loads.keys.honors_disabled_invocation();
    let is_elsewhere =
        |name: &str| name.contains(':') || agents.commands.contains(name) || bundled.iter().any(|one| one == name);
    let all = agents.all.iter().flat_map(|agent| agent.skills.iter().map(move |skill| (agent, skill)));
    for (agent, named) in all {
        let (name, shown) = (named.value.as_str(), text::shortened(&named.value, 64));
        let (agent, title) = (text::shortened(&agent.name, 64), &profile.title);
        if let Some(&id) = known.get(name) {
            if honors_disabled && catalog.skill(id).disables_model_invocation() {
                let fact = format!(
                    "{title} does not give `{shown}` to the agent `{agent}`: it has `{DISABLE_MODEL_INVOCATION}`"
                );
                sink.report(named.place, fact)
                    .help(format!("remove `{DISABLE_MODEL_INVOCATION}` from the skill, or the name from the agent"));
            }
            continue;
        }
        let near = known.keys().find(|one| one.eq_ignore_ascii_case(name.trim_start_matches('/')));
        let near = near.or_else(|| known.keys().find(|one| keys::is_slip(name, one)));
        if near.is_none() && is_elsewhere(name) {
            continue;
        }
        let finding = sink.report(
            named.place,
            format!("{title} has no skill `{shown}` for the agent `{agent}`, which starts without it"),
        );
        match near {
            Some(near) => finding.help(format!("write `{near}`")),
            // A plugin from elsewhere can have it.
            None if enables_plugins(catalog) => {
                finding.at_most(Level::Note).help("add the skill, remove the name, or write `PLUGIN:SKILL`")
            }
            None => finding.help("add the skill, or remove the name"),
        };
    }
}

/// Returns the names that a runtime knows: those of its skills and of their directories, in packages also after that of the package.
fn known(catalog: &Catalog, profile: &Profile, facts: &Facts<'_>) -> BTreeMap<String, SkillId> {
    let packages = catalog.packages(profile);
    let mut known = BTreeMap::new();
    for (id, skill) in catalog.skills() {
        let reads = facts.scope.of(skill.root).any(|reader| reader.id == profile.id);
        let around: Vec<&str> = packages.of_skill(id).map(|(number, _)| packages.all[number].shown_name()).collect();
        if !reads && around.is_empty() {
            continue;
        }
        for name in [skill.name(), skill.directory.to_str().ok()].into_iter().flatten() {
            known.extend(around.iter().map(|package| (format!("{package}:{name}"), id)));
            known.insert(name.to_owned(), id);
        }
    }
    known
}

fn enables_plugins(catalog: &Catalog) -> bool {
    let settings = catalog.parsed.manifests.all.iter().filter(|manifest| roots::is_claude_settings(&manifest.name));
    settings.filter_map(|manifest| manifest.content.as_ref().ok()).any(|json| json.get(ENABLED).is_some())
}
