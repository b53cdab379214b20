//! The selection of a prompt: its options, its warnings, and the table of `--explain`.

use std::collections::BTreeSet;

use skilltree_dispatch::prompt::{Artifact, Recipe};
use skilltree_dispatch::select::Score;
use skilltree_lint::Report;
use skilltree_report::render::{self, escape};

use crate::cli::args::selection as args;
use crate::cli::args::{Prompt, PromptFormat};
use crate::cli::output::Stderr;
use crate::cli::session::text;
use crate::failure::{Failure, did_you_mean};
use crate::options::{Budget, CatalogFile, Matcher, PromptOptions, Selection};
use crate::session::Session;

/// Converts the arguments to options.
pub(super) fn options(arguments: &Prompt) -> Result<PromptOptions, Failure> {
    let budget = &arguments.budget;
    Ok(PromptOptions {
        selection: selection(&arguments.selection)?,
        budget: Budget {
            skills: budget.skills,
            bytes: budget.bytes,
            chars: budget.chars,
            tokens: budget.tokens,
            each_bytes: budget.each_bytes,
            each_chars: budget.each_chars,
            each_tokens: budget.each_tokens,
        },
        template: arguments.template.clone(),
        without_knowledge: arguments.selection.no_knowledge,
        messages: arguments.format == PromptFormat::Messages,
        catalog: match arguments.out.is_some() || arguments.verify.is_some() {
            false => CatalogFile::Absent,
            true if arguments.bodies => CatalogFile::WithBodies,
            true => CatalogFile::WithoutBodies,
        },
    })
}

fn selection(selection: &args::Selection) -> Result<Selection, Failure> {
    only_for_task(selection)?;
    if let Some(task) = &selection.task {
        let text = text(task)?;
        if text.trim().is_empty() {
            return Err(Failure::new("the text of `--task` is empty, so no skill can fit it")
                .help("write the task, or omit `--task` to take all skills"));
        }
        let matcher = match selection.matcher {
            None => Matcher::Auto,
            Some(args::Matcher::Tags) => Matcher::Tags,
            Some(args::Matcher::Bm25) => Matcher::Bm25,
        };
        let (top, role, id) = (selection.top, selection.role.clone(), selection.task_id.clone());
        return Ok(Selection::Task { text, matcher, top, role, id });
    }
    if let Some(mention) = &selection.mention {
        return Ok(Selection::Mention(text(mention)?));
    }
    if let Some(thread) = &selection.thread {
        return Ok(thread.clone().map_or(Selection::ActiveThread, Selection::Thread));
    }
    Ok(if selection.names.is_empty() { Selection::All } else { Selection::Skills(selection.names.clone()) })
}

/// Fails if an option compares skills with a task that is not there.
pub(super) fn only_for_task(selection: &args::Selection) -> Result<(), Failure> {
    if selection.task.is_some() {
        return Ok(());
    }
    let given = [
        ("--role", selection.role.is_some(), "omits the skills of other roles from those that fit a task"),
        ("--top", selection.top.is_some(), "limits how many of the skills that fit a task are taken"),
        ("--matcher", selection.matcher.is_some(), "sets how skills are compared with a task"),
    ];
    match given.into_iter().find(|(_, is_given, _)| *is_given) {
        Some((option, _, effect)) => Err(Failure::new(format!("`{option}` {effect}, but there is no task"))
            .help("add `--task TEXT`, or `--task -` to read the task from standard input")),
        None => Ok(()),
    }
}

/// Warns about an unknown role. Every skill that names roles is omitted then.
pub(super) fn warn_role(stderr: &Stderr, session: &Session, selection: &args::Selection) {
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

/// Warns that `--task-id` has no effect on a block without shared knowledge.
pub(super) fn warn_task_id(stderr: &Stderr, selection: &args::Selection, recipe: &Recipe) {
    if selection.task_id.is_some() && recipe.enabled && !recipe.takes_knowledge() {
        let help = "use `--profile swarm`";
        stderr.warn("`--task-id` has no effect: this block contains no shared knowledge", Some(help));
    }
}

/// Explains why no skill is selected for a task. `accepted` is the number of accepted skills, as text.
pub(super) fn nothing_fits(scores: &[Score], accepted: &str) -> String {
    let fitting = scores.iter().filter(|score| score.points > 0).count();
    match (scores.len(), fitting) {
        (0, _) => format!("no skill has the role: {accepted} compared"),
        (compared, 0) => {
            let compared = render::count(compared, "accepted skill");
            format!("no skill fits the task: {compared} compared; use `--explain` to see how")
        }
        (_, some) => format!("no skill is selected: {} the task, but the limit is 0", fits(some)),
    }
}

fn fits(count: usize) -> String {
    format!("{} {}", render::count(count, "skill"), if count == 1 { "fits" } else { "fit" })
}

/// Renders the skills that were compared with a task, best first: points, outcome and reason.
pub(super) fn table(report: &Report, artifact: &Artifact) -> String {
    let selected = &artifact.selected;
    let outcome = |skill| match selected.dropped.iter().find(|dropped| dropped.skill == skill) {
        Some(dropped) => dropped.reason.word(),
        None => "taken",
    };
    let rows = selected.scores.iter().map(|score| {
        let name = escape::text(&report.catalog.skill(score.skill).shown_name());
        [score.points.to_string(), outcome(score.skill).to_owned(), name, escape::text(&score.reason)]
    });
    let title = ["points", "", "skill", "why"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(title).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let (points, outcome, name) = (width(0), width(1), width(2));
    let line = |[a, b, c, d]: &[String; 4]| format!("{a:>points$}  {b:outcome$}  {c:name$}  {d}\n");
    rows.iter().map(line).collect()
}
