//! A thread binds more than there is room for.

use bstr::ByteSlice;

use super::amacs;
use crate::accept::Accepted;
use crate::prompt::{self, Contents, Recipe};
use crate::records::{Thread, Threads};
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::select::{self, Reason, Selection};
use crate::skill::Skill;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "thread-over-budget",
    group: Group::Records,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a thread binds more than a prompt has room for",
    why: "what has no room is left out of the prompt whole, or takes the place of the work that the agent is to think about",
    explanation: include_str!("thread_over_budget.md"),
    check: Check::Set(check),
};

/// Estimated tokens of the skill that is always in the system prompt (IMP-023, Token Budget).
const CORE_TOKENS: usize = 2_000;

fn check(accepted: &Accepted<'_>, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(threads) = &accepted.catalog.parsed.records.threads else { return };
    let Some(recipe) = amacs::recipe(facts) else { return };
    judge_core(accepted, &recipe, sink);
    judge_threads(accepted, threads, &recipe, sink);
}

fn judge_core(accepted: &Accepted<'_>, recipe: &Recipe, sink: &mut Sink) {
    for (_, skill) in accepted.iter().filter(|&(id, _)| recipe.covers(accepted.catalog, id)) {
        let name = select::name(skill);
        let tokens = text::tokens(skill.body.as_ref().map_or(0, |body| body.chars as usize));
        if recipe.reserved.iter().any(|reserved| *reserved == name) && tokens > CORE_TOKENS {
            let message =
                format!("`{name}` is in every prompt and has {tokens} estimated tokens; {CORE_TOKENS} are allowed");
            sink.about(Subject::Root(skill.root))
                .report(select::name_place(skill), message)
                .extent(tokens)
                .help("move what is not always needed to a file beside it, or to a skill of its own");
        }
    }
}

fn judge_threads(accepted: &Accepted<'_>, threads: &Threads, recipe: &Recipe, sink: &mut Sink) {
    sink.about(Subject::Config);
    for thread in &threads.threads {
        let recipe = Recipe { selection: bound(thread), ..recipe.clone() };
        let wanted = prompt::wanted(accepted, &recipe);
        // The bodies were dropped: as many characters stand in for them.
        let stand_in = |skill: &Skill| {
            [&skill.header[..], &b"x".repeat(skill.body.as_ref().map_or(0, |body| body.chars as usize))].concat()
        };
        let skills = accepted.iter().filter(|(_, skill)| wanted.contains(&skill.file));
        let contents: Contents = skills.map(|(_, skill)| (skill.file, stand_in(skill))).collect();
        let selected = prompt::choose(accepted, &recipe, &contents);
        for dropped in selected.dropped.iter().filter(|dropped| dropped.reason == Reason::Budget) {
            let skill = accepted.catalog.skill(dropped.skill);
            let name = select::name(skill);
            let is_it =
                |bound: &&text::Spanned<String>| bound.value == name || skill.directory.as_bstr() == bound.value;
            let Some(bound) = thread.bound.iter().find(is_it) else { continue };
            let (id, name) = (text::shortened(&thread.id.value, 64), text::shortened(&name, 64));
            sink.report(bound.place, format!("the thread `{id}` has no room for `{name}`: {}", dropped.detail))
                .related(select::name_place(skill), "the skill")
                .help("bind fewer skills, or shorten this one: what is needed now and then goes to a file beside it");
        }
    }
}

fn bound(thread: &Thread) -> Selection {
    let names = thread.bound.iter().map(|name| name.value.clone()).collect();
    Selection::Bound { thread: thread.id.value.clone(), names }
}
