//! `check --test-routes`: ranks the skills for the tasks of the repository. No model is asked.

use std::collections::BTreeMap;

use skilltree_dispatch::accept::Accepted;
use skilltree_dispatch::prompt::{self, Contents, Recipe};
use skilltree_dispatch::select::Score;
use skilltree_front_matter::text::shortened;
use skilltree_lint::config::Route;
use skilltree_lint::rule::listed;
use skilltree_report::render::{count, escape};
use skilltree_skills::skill::SkillId;

use super::Status;
use super::args::{Check, Common};
use super::configuration;
use super::external;
use super::output::{self, Stderr};
use super::request::{self, Request};
use super::session;
use super::trials;
use crate::failure::{Failure, did_you_mean};
use crate::options::{Matcher, PromptOptions, Selection};
use crate::prompt as dispatch;
use crate::purpose::Purpose;

/// Maximum characters of a task in the output.
const SHOWN: usize = 80;

pub(super) fn run(common: &Common, check: &Check) -> Result<Status, Failure> {
    let request = Request {
        rules: &check.rules,
        targets: &check.targets,
        external: Some(&check.external),
        purpose: Purpose::Prompt,
        ..Request::default()
    };
    let session = session::open(common, &check.source, &request)?;
    let stderr = Stderr::new(common);
    trials::refuse_faults(&session.config)?;
    external::report(&stderr, &session.report.catalog, &[], &session.unread, common.verbose);
    let options = request::options(&check.source, &request);
    let accepted = session.report.accepted();
    let mut contents = None;
    let mut lines = Vec::new();
    let mut wrong = 0;
    for route in &session.config.routes {
        let wanted = PromptOptions { selection: selection(route), ..PromptOptions::default() };
        let recipe = dispatch::recipe(&session, &options, &wanted)?;
        // All tasks are compared with the same texts.
        let contents = contents.get_or_insert_with(|| dispatch::contents(&session, &accepted, &recipe));
        let (file, range) = &route.written;
        let place = configuration::place(&session.config.files[*file], range.start);
        let task = escape::text(&shortened(&route.task.split_whitespace().collect::<Vec<_>>().join(" "), SHOWN));
        let problems = problems(&accepted, &recipe, contents, route);
        if problems.is_empty() {
            lines.push(format!("ok: {task}"));
        } else {
            wrong += 1;
            lines.extend(problems.into_iter().map(|problem| format!("{place}: wrong: {task}: {problem}")));
        }
    }
    output::stdout(common, |out| {
        lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
        writeln!(out, "{} tested: {wrong} with other skills first", count(session.config.routes.len(), "route"))
    })?;
    if session.config.routes.is_empty() {
        stderr.info("there is no `[[route]]` in skilltree.toml: add one with a `task` and its `skills`");
    }
    Ok(if wrong > 0 { Status::Found } else { Status::Clean })
}

fn selection(route: &Route) -> Selection {
    let (text, role) = (route.task.clone(), route.role.clone());
    Selection::Task { text, matcher: Matcher::Auto, top: None, role, id: None }
}

/// Returns why the skills of a route do not have the first ranks; nothing if they have.
fn problems(accepted: &Accepted<'_>, recipe: &Recipe, contents: &Contents, route: &Route) -> Vec<String> {
    let scores = prompt::choose(accepted, recipe, contents).scores;
    let fitting = &scores[..scores.partition_point(|score| score.points > 0)];
    let ranks: BTreeMap<u32, usize> = (0..).zip(fitting).map(|(rank, score)| (score.skill.0, rank)).collect();
    let wanted: Vec<(&String, Vec<SkillId>)> =
        route.skills.iter().map(|name| (name, named(accepted, recipe, name))).collect();
    let is_wanted = |score: &Score| wanted.iter().any(|(_, skills)| skills.contains(&score.skill));
    let problem = |(name, skills): &(&String, Vec<SkillId>)| {
        let shown = escape::text(name);
        if skills.is_empty() {
            let known = accepted.iter().filter(|(id, _)| recipe.covers(accepted.catalog, *id));
            let near = did_you_mean(name, known.filter_map(|(_, skill)| skill.name()));
            return Some(format!("no accepted skill is named `{shown}`{}", escape::text(&near)));
        }
        let Some(rank) = skills.iter().filter_map(|skill| ranks.get(&skill.0)).min().copied() else {
            let compared = scores.iter().find(|score| skills.contains(&score.skill));
            let reason = compared.map_or("it is for other roles", |score| score.reason.as_str());
            return Some(format!("`{shown}` does not fit: {}", escape::text(reason)));
        };
        let before = fitting[..rank]
            .iter()
            .filter(|score| !is_wanted(score))
            .map(|score| format!("`{}`", escape::text(&recipe.known_as(accepted.catalog.skill(score.skill)))));
        let before: Vec<String> = before.collect();
        (!before.is_empty()).then(|| format!("`{shown}` ranks {} after {}", rank + 1, listed(&before)))
    };
    wanted.iter().filter_map(problem).collect()
}

/// Returns the accepted skills with a name, or with this directory if none has the name.
fn named(accepted: &Accepted<'_>, recipe: &Recipe, name: &str) -> Vec<SkillId> {
    let covered = || accepted.iter().filter(|(id, _)| recipe.covers(accepted.catalog, *id));
    let found: Vec<SkillId> = covered().filter(|(_, skill)| recipe.known_as(skill) == name).map(|(id, _)| id).collect();
    match found.is_empty() {
        true => covered().filter(|(_, skill)| skill.directory == name).map(|(id, _)| id).collect(),
        false => found,
    }
}
