//! Reports skills that hand over to a skill which the model cannot start.

use std::collections::HashMap;

use super::acting;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject, listed};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys::DISABLE_MODEL_INVOCATION;
use skilltree_skills::roots::RootId;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "disabled-skill-reference",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "a skill names another skill that the model cannot start",
    why: "the runtime refuses to start the other skill, and the agent skips the step",
    explanation: include_str!("disabled_skill_reference.md"),
    check: Check::Catalog(check),
    reads: Reads::Links,
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut disabled = None;
    for (id, skill) in catalog.skills() {
        let mut runtimes = None;
        for partner in skill.links().flat_map(|(_, links)| &links.partners).filter(|partner| partner.is_order) {
            let disabled = disabled.get_or_insert_with(|| names(catalog));
            if disabled.get(&(skill.root, catalog::identity(&partner.name))) != Some(&true) {
                continue;
            }
            let honors = |profile: &Profile| profile.loads.keys.honors_disabled_invocation();
            let runtimes = runtimes.get_or_insert_with(|| acting::runtimes(skill, facts, honors));
            if runtimes.is_empty() {
                break;
            }
            let shown = text::shortened(&partner.name, 64);
            let names = listed(&acting::names(runtimes));
            sink.about(Subject::Skill(id))
                .report(partner.place, format!("the model of {names} cannot start `{shown}`"))
                .help(format!("ask the user to start it, or remove `{DISABLE_MODEL_INVOCATION}` from `{shown}`"));
        }
    }
}

/// Returns for each skills directory and name whether all skills with the name are kept from the model.
fn names(catalog: &Catalog) -> HashMap<(RootId, String), bool> {
    let mut names = HashMap::new();
    for (_, skill) in catalog.skills() {
        let is_disabled = skill.disables_model_invocation();
        let key = (skill.root, catalog::identity(&skill.shown_name()));
        names.entry(key).and_modify(|all| *all &= is_disabled).or_insert(is_disabled);
    }
    names
}
