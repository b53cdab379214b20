//! Threads that bind an unknown or reserved skill.

use super::amacs;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_dispatch::prompt::Recipe;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-bound-skill",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "a thread binds a skill that does not exist or is always in the prompt",
    why: "a binding to a missing skill is silently dropped, so the agent works without that skill",
    explanation: include_str!("unknown_bound_skill.md"),
    check: Check::Catalog(check),
    reads: Reads::Threads,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(threads) = &catalog.parsed.records.threads else { return };
    let Some(recipe) = amacs::recipe(facts) else { return };
    let covered = catalog.listed.iter().filter(|&&id| recipe.covers(catalog, id));
    let skills: Vec<_> = covered.map(|&id| catalog.skill(id)).collect();
    let bindable = |name: &str| !recipe.reserved.iter().any(|reserved| reserved == name);
    let names: Vec<String> = skills.iter().map(|skill| recipe.known_as(skill).into_owned()).collect();
    sink.about(Subject::Config);
    for thread in &threads.threads {
        for name in &thread.bound {
            let shown = text::shortened(&name.value, 64);
            let id = text::shortened(&thread.id.value, 64);
            if !bindable(&name.value) {
                sink.report(
                    name.place,
                    format!("the thread `{id}` binds `{shown}`, which is always in the system prompt"),
                )
                .help("remove it");
            } else if !names.contains(&name.value) {
                let finding = sink.report(name.place, format!("the thread `{id}` binds the unknown skill `{shown}`"));
                if let Some(path) = elsewhere(catalog, &recipe, &name.value) {
                    finding.help(format!("move `{path}` to `.agent/skills`, which AMACS reads"));
                    continue;
                }
                let near = text::nearest(&name.value, names.iter().map(String::as_str).filter(|name| bindable(name)));
                finding.help(
                    near.map_or_else(
                        || "remove it, or add the skill".to_owned(),
                        |near| format!("change it to `{near}`"),
                    ),
                );
            }
        }
    }
}

/// Returns the directory of a skill with this name that AMACS does not read.
fn elsewhere(catalog: &Catalog, recipe: &Recipe, name: &str) -> Option<String> {
    let mut others = catalog.listed.iter().filter(|&&id| !recipe.covers(catalog, id));
    let id = others.find(|&&id| recipe.known_as(catalog.skill(id)) == name)?;
    Some(text::lossless(text::parent(catalog.path(*id))))
}
