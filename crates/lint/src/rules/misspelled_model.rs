//! Reports models whose name is probably misspelled.

use super::acting;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::agents::{Owner, meant_model};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misspelled-model",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "the name of a model looks misspelled",
    why: "the program sends the name as it is, and the service has no such model",
    explanation: include_str!("misspelled_model.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let names_models = |profile: &Profile| profile.loads.agents.is_some();
    for (_, skill) in catalog.skills() {
        let Some((meant, place)) = misspelled(skill) else { continue };
        if let Some(profile) = acting::runtimes(skill, facts, names_models).first() {
            report(skill, meant, place, profile, sink);
        }
    }
    let is_own = |profile: &&Profile| names_models(profile);
    let Some(profile) = super::manifests::readers(facts).into_iter().find(is_own) else { return };
    for definition in
        catalog.parsed.definitions.iter().filter(|one| !matches!(one.owner, Owner::Other(_) | Owner::MarkdownCommand))
    {
        if let Some((meant, place)) = misspelled(&definition.skill) {
            report(&definition.skill, meant, place, profile, sink);
        }
    }
}

fn misspelled(skill: &Skill) -> Option<(&'static str, Place)> {
    let value = &skill.field("model")?.value;
    Some((meant_model(value.scalar()?.trim())?, value.place))
}

fn report(skill: &Skill, meant: &str, place: Place, profile: &Profile, sink: &mut Sink) {
    let written = skill.field("model").and_then(|field| field.value.scalar()).unwrap_or_default();
    let message = format!("{} knows no model `{}`", profile.title, text::shortened(written, 64));
    sink.about(Subject::Tree).report(place, message).at_most(Level::Note).help(format!("write `{meant}`"));
}
