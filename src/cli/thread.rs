//! `agent thread`: bind skills to the threads of an agent (AMACS, IMP-023).

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use bstr::ByteSlice;
use serde::Serialize;
use skilltree_dispatch::prompt::{self, Recipe};
use skilltree_dispatch::select::Selection;
use skilltree_front_matter::text::FileId;
use skilltree_report::render::{self, escape};
use skilltree_skills::records::{self, THREADS, Threads};
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::Mode;
use skilltree_skills::source::CONFIG_BYTES;

use super::Status;
use super::again;
use super::args::external::External;
use super::args::records::{Binding, Thread, ThreadAction, ThreadList};
use super::args::{self, Common, ReadFormat};
use super::output::{self, Stderr};
use super::request::Request;
use super::session;
use super::tree;
use crate::failure::{Failure, did_you_mean};
use crate::prompt as dispatch;
use crate::purpose::Purpose;
use crate::session::Session;

/// The profile that has threads.
const PROFILE: &str = "amacs";

pub(super) fn run(common: &Common, thread: &Thread) -> Result<Status, Failure> {
    match &thread.action {
        ThreadAction::Bind(binding) => bind(common, binding),
        ThreadAction::Unbind(binding) => unbind(common, binding),
        ThreadAction::Activate(activation) => activate(common, &activation.thread),
        ThreadAction::List(list) => print(common, list),
    }
}

fn bind(common: &Common, binding: &Binding) -> Result<Status, Failure> {
    let session = open(common, &binding.external)?;
    let thread = &thread(common, &session, binding, "No active thread to bind skill to")?;
    let skill = bindable(common, &session, binding)?;
    let name = &binding.name;
    change(common, &session, |text| records::bind(text, thread, name))?;
    let stderr = Stderr::new(common);
    let command = |words: &str| again::here(common, Some(&binding.external), words);
    stderr.info(&format!("Bound skill '{}' to thread '{}'", escape::text(name), escape::text(thread)));
    if !session.report.accepted().skills.contains(&skill) {
        stderr.warn(
            &format!("`{name}` has an error, so prompts do not include it"),
            Some(&format!("run `{}` to see the error; prompts of the thread omit the skill", command("check"))),
        );
    }
    for (name, reason) in omitted(&session, thread, name) {
        stderr.warn(
            &format!("`{}` is bound but does not load: {}", escape::text(&name), escape::text(&reason)),
            Some(&format!("unbind a skill, or shorten the skill: `{}`", command("agent thread unbind"))),
        );
    }
    Ok(Status::Clean)
}

/// Returns the accepted skills of a thread that its section omits once a skill is bound, each with the reason.
fn omitted(session: &Session, thread: &str, bound: &str) -> Vec<(String, String)> {
    let Some(recipe) = recipe(session) else { return Vec::new() };
    let threads = session.report.catalog.parsed.records.threads.as_ref();
    let before = threads.and_then(|threads| threads.find(thread)).into_iter().flat_map(|thread| &thread.bound);
    let mut names: Vec<String> = before.map(|name| name.value.clone()).collect();
    if !names.iter().any(|name| name == bound) {
        names.insert(0, bound.to_owned());
    }
    let config = &session.config;
    let recipe = recipe.limited(&config.limits, config.dispatch.cap);
    let recipe = Recipe { selection: Selection::Bound { thread: thread.to_owned(), names }, enabled: true, ..recipe };
    let accepted = session.report.accepted();
    let contents = dispatch::contents(session, &accepted, &recipe);
    let dropped = prompt::choose(&accepted, &recipe, &contents).dropped.into_iter();
    let lost = dropped.filter(|dropped| dropped.reason.is_loss());
    lost.map(|dropped| (name(session, dropped.skill), dropped.detail)).collect()
}

fn recipe(session: &Session) -> Option<Recipe> {
    let profile = session.config.profiles.find(PROFILE)?;
    Recipe::of(profile, &session.report.catalog.parsed.roots)
}

fn unbind(common: &Common, binding: &Binding) -> Result<Status, Failure> {
    let session = open(common, &binding.external)?;
    let thread = &thread(common, &session, binding, "No active thread to unbind skill from")?;
    if !change(common, &session, |text| records::unbind(text, thread, &binding.name))? {
        return Ok(Status::Clean);
    }
    let (name, thread) = (escape::text(&binding.name), escape::text(thread));
    Stderr::new(common).info(&format!("Unbound skill '{name}' from thread '{thread}'"));
    Ok(Status::Clean)
}

fn activate(common: &Common, thread: &str) -> Result<Status, Failure> {
    let session = open(common, &External::default())?;
    if change(common, &session, |text| records::activate(text, thread))? {
        Stderr::new(common).info(&format!("The active thread is '{}'", escape::text(thread)));
    }
    Ok(Status::Clean)
}

/// Returns the id of the named thread, or of the active one.
fn thread(common: &Common, session: &Session, binding: &Binding, missing: &str) -> Result<String, Failure> {
    let id = binding.thread.as_ref().filter(|id| !id.trim().is_empty()).cloned();
    let active = || session.report.catalog.parsed.records.threads.as_ref()?.active.clone();
    let id = if binding.thread.is_some() { id } else { active() };
    let activate = again::here(common, None, "agent thread activate ID");
    let help = format!("name the thread: `--thread ID`, or run `{activate}`");
    id.ok_or_else(|| Failure::new(missing).help(help))
}

fn open(common: &Common, external: &External) -> Result<Session, Failure> {
    let (profile, purpose) = (Some(PROFILE), Purpose::Bind);
    let request =
        Request { worktree: true, here: true, external: Some(external), profile, purpose, ..Request::default() };
    let session = session::open(common, &args::Source::default(), &request)?;
    dispatch::require_threads(&session)?;
    Ok(session)
}

/// Returns the skills that a thread can bind, by skills directory and path. Reserved skills, which are always in the prompt, are
/// omitted, and so are skills that one in an earlier directory hides.
fn available(session: &Session) -> Vec<SkillId> {
    let catalog = &session.report.catalog;
    let Some(recipe) = recipe(session) else { return Vec::new() };
    let mut seen = BTreeSet::new();
    let can_be = |id: &SkillId| recipe.covers(catalog, *id) && !recipe.is_reserved(catalog.skill(*id));
    let is_first = |id: &SkillId| seen.insert(catalog.skill(*id).directory.clone());
    catalog.listed.iter().copied().filter(can_be).filter(is_first).collect()
}

/// Returns the name of a skill as AMACS lists it: its directory.
fn name(session: &Session, id: SkillId) -> String {
    session.report.catalog.skill(id).known_as(true).into_owned()
}

/// Returns whether the skill is always in the prompt.
fn is_reserved(session: &Session, name: &str) -> bool {
    let prompt = session.config.profiles.find(PROFILE).and_then(|profile| profile.prompt.as_ref());
    prompt.is_some_and(|prompt| prompt.reserved.iter().any(|reserved| reserved == name))
}

/// Finds the bindable skill with this directory.
fn bindable(common: &Common, session: &Session, binding: &Binding) -> Result<SkillId, Failure> {
    let (skills, wanted) = (available(session), &binding.name);
    let found = skills.iter().find(|&&id| name(session, id) == *wanted);
    found.copied().ok_or_else(|| {
        let list = again::here(common, Some(&binding.external), "agent thread list");
        let help = format!("run `{list}` to see which skills can be bound");
        if is_reserved(session, wanted) {
            return Failure::new(format!("`{wanted}` is always in the prompt and cannot be bound")).help(help);
        }
        let names: Vec<String> = skills.iter().map(|&id| name(session, id)).collect();
        let near = did_you_mean(wanted, names.iter().map(String::as_str));
        Failure::new(format!("Skill '{wanted}' not found{near}")).help(help)
    })
}

/// Rewrites the file of threads. Returns whether it changed.
fn change(common: &Common, session: &Session, edit: impl Fn(&str) -> Option<String>) -> Result<bool, Failure> {
    let Some(top) = session.source.directory().map(Path::to_owned) else {
        return Err(Failure::new("there is no working tree to write threads to").help("run it in a checkout"));
    };
    let below = Path::new(THREADS);
    // An empty file is not created.
    if top.join(below).symlink_metadata().is_err() && edit("").is_none_or(|text| text.is_empty()) {
        return Ok(false);
    }
    let _lock = tree::lock(&top, below)?;
    let before = tree::current(&top, below, CONFIG_BYTES)?;
    let text = before.as_deref().unwrap_or_default().to_str().ok();
    let sound = |text: &&str| text.trim().is_empty() || Threads::parse(FileId(0), text).faults.is_empty();
    let after = text.filter(sound).and_then(&edit).ok_or_else(|| {
        Failure::new(format!("`{THREADS}` was not changed: it has errors"))
            .help(format!("run `{}` to see them", again::here(common, None, "check")))
    })?;
    if text.unwrap_or_default() == after {
        return Ok(false);
    }
    match &before {
        None => tree::create(&common.watch, &top, below, after.as_bytes(), Mode::File)?,
        Some(before) => tree::rewrite(&common.watch, &Stderr::new(common), &top, below, before, after.as_bytes())?,
    }
    Ok(true)
}

/// The JSON of `agent thread list`.
#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    active: Option<String>,
    threads: Vec<Bound>,
    available: Vec<Skill>,
    errors: Vec<String>,
}

#[derive(Serialize)]
struct Bound {
    id: String,
    skills: Vec<String>,
}

#[derive(Serialize)]
struct Skill {
    name: String,
    description: String,
}

fn print(common: &Common, list: &ThreadList) -> Result<Status, Failure> {
    let external = &list.external;
    let (profile, here, purpose) = (Some(PROFILE), external.is_wanted(), Purpose::Bind);
    let request = Request { external: Some(external), profile, here, purpose, ..Request::default() };
    let session = session::open(common, &list.source, &request)?;
    dispatch::require_threads(&session)?;
    let catalog = &session.report.catalog;
    let threads = catalog.parsed.records.threads.as_ref();
    let bound = |thread: &records::Thread| Bound {
        id: thread.id.value.clone(),
        skills: thread.bound.iter().map(|name| name.value.clone()).collect(),
    };
    let skill = |id: SkillId| Skill {
        name: name(&session, id),
        description: catalog.skill(id).scalar("description").unwrap_or_default().to_owned(),
    };
    let listing = Listing {
        schema: "skilltree/thread-list/v1",
        active: threads.and_then(|threads| threads.active.clone()),
        threads: threads.iter().flat_map(|threads| &threads.threads).map(bound).collect(),
        available: available(&session).into_iter().map(skill).collect(),
        errors: threads.iter().flat_map(|threads| &threads.faults).map(|fault| fault.message.clone()).collect(),
    };
    output::stdout(common, |out| match list.format {
        ReadFormat::Json => render::write_pretty(&listing, out),
        ReadFormat::Text => write_text(out, &listing),
    })?;
    if let ReadFormat::Text = list.format {
        let stderr = Stderr::new(common);
        listing.errors.iter().for_each(|error| stderr.info(&format!("{THREADS}: {}", escape::text(error))));
        let count = render::count(listing.threads.len(), "thread");
        stderr.info(&format!("{count}; {} can be bound", render::count(listing.available.len(), "skill")));
    }
    Ok(Status::Clean)
}

fn write_text(out: &mut dyn Write, listing: &Listing) -> io::Result<()> {
    // A name starts a line: it must not be a workflow command.
    let shown = |text: &String| escape::path(text.as_bytes().as_bstr());
    for thread in &listing.threads {
        let skills: Vec<String> = thread.skills.iter().map(shown).collect();
        writeln!(out, "{}: {}", shown(&thread.id), skills.join(", "))?;
    }
    let available: Vec<String> = listing.available.iter().map(|skill| shown(&skill.name)).collect();
    writeln!(out, "can be bound: {}", available.join(", "))
}
