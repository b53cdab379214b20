//! Threads that bind more than the prompt budget allows.

use super::amacs;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Recipe};
use skilltree_dispatch::select::{Reason, Selection};
use skilltree_front_matter::text;
use skilltree_skills::records::{Thread, Threads};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "thread-over-budget",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    summary: "the skills that a thread binds exceed the prompt budget",
    why: "skills over the budget are left out of the prompt, or use context that the agent needs for its task",
    explanation: include_str!("thread_over_budget.md"),
    check: Check::Set(check),
    reads: Reads::Threads,
    ..Rule::DEFAULT
};

/// Limit of the skill that is always in the system prompt, in estimated tokens (IMP-023, Token Budget).
const CORE_TOKENS: usize = 2_000;

fn check(accepted: &Accepted<'_>, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(threads) = &accepted.catalog.parsed.records.threads else { return };
    let Some(recipe) = amacs::recipe(facts) else { return };
    check_core(accepted, &recipe, sink);
    check_threads(accepted, threads, &recipe, sink);
}

fn check_core(accepted: &Accepted<'_>, recipe: &Recipe, sink: &mut Sink) {
    for (_, skill) in accepted.iter().filter(|&(id, _)| recipe.covers(accepted.catalog, id)) {
        let name = recipe.known_as(skill);
        let tokens = text::tokens(skill.body.as_ref().map_or(0, |body| body.chars as usize));
        if recipe.is_reserved(skill) && tokens > CORE_TOKENS {
            let message = format!(
                "`{name}` is in every prompt and has about {} tokens; the limit is {}",
                text::grouped(tokens),
                text::grouped(CORE_TOKENS)
            );
            sink.about(Subject::Root(skill.root))
                .report(skill.name_place(), message)
                .extent(tokens)
                .help("move optional parts to another file of the skill, or to a separate skill");
        }
    }
}

fn check_threads(accepted: &Accepted<'_>, threads: &Threads, recipe: &Recipe, sink: &mut Sink) {
    sink.about(Subject::Config);
    for thread in &threads.threads {
        let recipe = Recipe { selection: bound(thread), ..recipe.clone() };
        let selected = prompt::choose_by_size(accepted, &recipe);
        for dropped in selected.dropped.iter().filter(|dropped| dropped.reason == Reason::Budget) {
            let skill = accepted.catalog.skill(dropped.skill);
            let name = recipe.known_as(skill);
            let is_it = |bound: &&text::Spanned<String>| bound.value == name;
            let Some(bound) = thread.bound.iter().find(is_it) else { continue };
            let (id, name) = (text::shortened(&thread.id.value, 64), text::shortened(&name, 64));
            sink.report(bound.place, format!("the prompt of thread `{id}` drops `{name}`: {}", dropped.detail))
                .related(skill.name_place(), "the skill")
                .help("bind fewer skills, or move optional parts of this one to another file of the skill");
        }
    }
}

fn bound(thread: &Thread) -> Selection {
    let names = thread.bound.iter().map(|name| name.value.clone()).collect();
    Selection::Bound { thread: thread.id.value.clone(), names }
}
