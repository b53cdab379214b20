//! From the words of the command line to what a recipe takes, and the table that explains it.

use std::collections::{BTreeMap, BTreeSet};

use skilltree::Report;
use skilltree::prompt::{Artifact, Recipe};
use skilltree::records::Records;
use skilltree::render::{self, escape};
use skilltree::select::{Caps, Matcher, Score, Selection, Task, name};

use crate::cli::args::selection::{self as args, Budget};
use crate::cli::failure::{Failure, did_you_mean};
use crate::cli::output::Stderr;
use crate::cli::session::{self, Session};

/// The recipe with what the command line says of selection and budget.
pub(super) fn apply(
    recipe: Recipe,
    selection: &args::Selection,
    budget: &Budget,
    records: &Records,
) -> Result<Recipe, Failure> {
    Ok(Recipe {
        selection: chosen(selection, recipe.top, records)?,
        budget: Caps {
            skills: budget.skills.or(recipe.budget.skills),
            bytes: budget.bytes.or(recipe.budget.bytes),
            chars: budget.chars.or(recipe.budget.chars),
            tokens: budget.tokens.or(recipe.budget.tokens),
        },
        each: Caps {
            skills: None,
            bytes: budget.each_bytes.or(recipe.each.bytes),
            chars: budget.each_chars.or(recipe.each.chars),
            tokens: budget.each_tokens.or(recipe.each.tokens),
        },
        ..recipe
    })
}

fn chosen(selection: &args::Selection, top: Option<usize>, records: &Records) -> Result<Selection, Failure> {
    if let Some(task) = &selection.task {
        let matcher = match selection.matcher {
            args::Matcher::Tags => Matcher::Tags,
            args::Matcher::Bm25 => Matcher::Bm25,
            // What it finds is asked when the skills are known.
            args::Matcher::Qmd => Matcher::Qmd(BTreeMap::new()),
        };
        let top = selection.top.or(top);
        let (id, role) = (selection.task_id.clone(), selection.role.clone());
        return Ok(Selection::Task(Task { text: text(task)?, id, role, top, matcher }));
    }
    if let Some(mention) = &selection.mention {
        return Ok(Selection::Mentioned(text(mention)?));
    }
    if let Some(thread) = &selection.thread {
        let found = records.threads.as_ref().and_then(|threads| threads.find(thread));
        let names = found.map(|found| found.bound.iter().map(|name| name.value.clone()).collect()).unwrap_or_default();
        return Ok(Selection::Bound { thread: thread.clone(), names });
    }
    Ok(if selection.names.is_empty() { Selection::All } else { Selection::Named(selection.names.clone()) })
}

/// Says on standard error that nobody knows the role that is asked for: the block lacks every skill that names its roles.
pub(super) fn tell_role(stderr: &Stderr, session: &Session, selection: &args::Selection) {
    let Some(role) = &selection.role else { return };
    let (profiles, catalog) = (&session.config.profiles, &session.report.catalog);
    let rules = profiles.ids().filter_map(|id| profiles.find(id)?.loads.fields.get("roles"));
    let words = rules.flat_map(|rule| rule.words.iter().map(String::as_str));
    let named = catalog.listed.iter().flat_map(|&skill| catalog.skill(skill).words("roles"));
    let known: BTreeSet<&str> = words.chain(named).collect();
    if !known.iter().any(|known| known.eq_ignore_ascii_case(role)) {
        let near = did_you_mean(role, known.iter().copied());
        let help = format!("the roles are {}", known.iter().copied().collect::<Vec<_>>().join(", "));
        stderr.warn(&format!("no skill and no profile has the role `{role}`{near}"), Some(&help));
    }
}

/// Says on standard error that the id of a task changes nothing, because the block takes nothing that agents learned.
pub(super) fn tell_task_id(stderr: &Stderr, selection: &args::Selection, recipe: &Recipe) {
    if selection.task_id.is_some() && recipe.enabled && !recipe.takes_knowledge() {
        let help = "`--profile swarm` takes it";
        stderr.warn("`--task-id` changes nothing: this block takes no shared knowledge", Some(help));
    }
}

/// A text of the command line, or standard input for `-`.
fn text(word: &str) -> Result<String, Failure> {
    if word != "-" {
        return Ok(word.to_owned());
    }
    String::from_utf8(session::standard_input()?).map_err(|_| Failure::new("standard input is not UTF-8"))
}

/// Why no skill is taken for a task; `accepted` says how many skills there are.
pub(super) fn nothing_fits(scores: &[Score], accepted: &str) -> String {
    let fitting = scores.iter().filter(|score| score.points > 0).count();
    match (scores.len(), fitting) {
        (0, _) => format!("no skill serves the role: {accepted}"),
        (compared, 0) => {
            let compared = render::count(compared, "accepted skill");
            format!("no skill fits the task: {compared} compared, and `--explain` shows how")
        }
        (_, some) => format!("no skill is taken: {} the task, and the most that are taken is 0", fits(some)),
    }
}

fn fits(count: usize) -> String {
    format!("{} {}", render::count(count, "skill"), if count == 1 { "fits" } else { "fit" })
}

/// The skills that were compared with a task, the best first: points, what became of them, and where the points come from.
pub(super) fn table(report: &Report, artifact: &Artifact) -> String {
    let selected = &artifact.selected;
    let fate = |skill| match selected.dropped.iter().find(|dropped| dropped.skill == skill) {
        Some(dropped) => dropped.reason.word(),
        None => "taken",
    };
    let rows = selected.scores.iter().map(|score| {
        let name = escape::text(&name(report.catalog.skill(score.skill)));
        [score.points.to_string(), fate(score.skill).to_owned(), name, escape::text(&score.reason)]
    });
    let title = ["points", "", "skill", "why"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(title).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (points, fate, name) = (width(0), width(1), width(2));
    let line = |[a, b, c, d]: &[String; 4]| format!("{a:>points$}  {b:fate$}  {c:name$}  {d}\n");
    rows.iter().map(line).collect()
}
