//! `thread`: bind skills to the threads of an agent (AMACS, IMP-023).

use std::io::{self, Write};
use std::path::Path;

use bstr::ByteSlice;
use serde::Serialize;
use skilltree_core::prompt::Recipe;
use skilltree_core::records::{self, THREADS, Threads};
use skilltree_core::render::{self, escape};
use skilltree_core::select;
use skilltree_core::skill::SkillId;
use skilltree_core::snapshot::Mode;
use skilltree_core::source::CONFIG_BYTES;
use skilltree_core::text::FileId;

use super::Status;
use super::args::records::{Binding, Thread, ThreadAction, ThreadList};
use super::args::{self, Common, ReadFormat};
use super::output::{self, Stderr};
use super::request::Request;
use super::session;
use super::tree;
use crate::failure::{Failure, did_you_mean};
use crate::session::Session;

/// The profile that has threads.
const PROFILE: &str = "amacs";

pub(super) fn run(common: &Common, thread: &Thread) -> Result<Status, Failure> {
    match &thread.action {
        ThreadAction::Bind(binding) => bind(common, binding),
        ThreadAction::Unbind(binding) => unbind(common, binding),
        ThreadAction::List(list) => print(common, list),
    }
}

fn bind(common: &Common, binding: &Binding) -> Result<Status, Failure> {
    let thread = thread(binding, "No active thread to bind skill to")?;
    let session = open(common)?;
    let skill = bindable(&session, &binding.name)?;
    let name = select::name(session.report.catalog.skill(skill)).into_owned();
    change(common, &session, |text| records::bind(text, thread, &name))?;
    let stderr = Stderr::new(common);
    stderr.info(&format!("Bound skill '{}' to thread '{}'", escape::text(&name), escape::text(thread)));
    if !session.report.accepted().skills.contains(&skill) {
        stderr.warn(
            &format!("`{name}` has an error, so prompts do not include it"),
            Some("run `skilltree check` to see the error; prompts of the thread omit the skill"),
        );
    }
    Ok(Status::Clean)
}

fn unbind(common: &Common, binding: &Binding) -> Result<Status, Failure> {
    let thread = thread(binding, "No active thread to unbind skill from")?;
    if !change(common, &open(common)?, |text| records::unbind(text, thread, &binding.name))? {
        return Ok(Status::Clean);
    }
    let (name, thread) = (escape::text(&binding.name), escape::text(thread));
    Stderr::new(common).info(&format!("Unbound skill '{name}' from thread '{thread}'"));
    Ok(Status::Clean)
}

/// Returns the id of the thread. There is no active thread by default, so the caller must name it.
fn thread<'a>(binding: &'a Binding, missing: &str) -> Result<&'a str, Failure> {
    let id = binding.thread.as_deref().filter(|id| !id.trim().is_empty());
    id.ok_or_else(|| Failure::new(missing).help("name the thread: `--thread ID`"))
}

fn open(common: &Common) -> Result<Session, Failure> {
    let request = Request { worktree: true, here: true, ..Request::default() };
    session::open(common, &args::Source::default(), &request)
}

/// Returns the skills that a thread can bind, by skills directory and path. Reserved skills, which are always in the prompt, are
/// omitted.
fn available(session: &Session) -> Vec<SkillId> {
    let catalog = &session.report.catalog;
    let profile = session.config.profiles.find(PROFILE);
    let Some(recipe) = profile.and_then(|profile| Recipe::of(profile, &catalog.parsed.roots)) else {
        return Vec::new();
    };
    let can_be = |id: &SkillId| {
        let name = select::name(catalog.skill(*id));
        recipe.covers(catalog, *id) && !recipe.reserved.iter().any(|reserved| *reserved == name)
    };
    catalog.listed.iter().copied().filter(can_be).collect()
}

/// Returns whether the skill is always in the prompt.
fn is_reserved(session: &Session, name: &str) -> bool {
    let prompt = session.config.profiles.find(PROFILE).and_then(|profile| profile.prompt.as_ref());
    prompt.is_some_and(|prompt| prompt.reserved.iter().any(|reserved| reserved == name))
}

/// Finds the bindable skill with this name or directory.
fn bindable(session: &Session, wanted: &str) -> Result<SkillId, Failure> {
    let catalog = &session.report.catalog;
    let skills = available(session);
    let named = |id: &&SkillId| select::name(catalog.skill(**id)) == wanted;
    let of_directory = |id: &&SkillId| catalog.skill(**id).directory.as_bstr() == wanted;
    let found = skills.iter().find(named).or_else(|| skills.iter().find(of_directory));
    found.copied().ok_or_else(|| {
        const HELP: &str = "run `skilltree thread list` to see which skills can be bound";
        if is_reserved(session, wanted) {
            return Failure::new(format!("`{wanted}` is always in the prompt and cannot be bound")).help(HELP);
        }
        let names: Vec<String> = skills.iter().map(|&id| select::name(catalog.skill(id)).into_owned()).collect();
        let near = did_you_mean(wanted, names.iter().map(String::as_str));
        Failure::new(format!("Skill '{wanted}' not found{near}")).help(HELP)
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
        Failure::new(format!("`{THREADS}` was not changed: it has errors")).help("run `skilltree check` to see them")
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

/// The JSON of `thread list`.
#[derive(Serialize)]
struct Listing {
    schema: &'static str,
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
    let session = session::open(common, &list.source, &Request::default())?;
    let catalog = &session.report.catalog;
    let threads = catalog.parsed.records.threads.as_ref();
    let bound = |thread: &records::Thread| Bound {
        id: thread.id.value.clone(),
        skills: thread.bound.iter().map(|name| name.value.clone()).collect(),
    };
    let skill = |id: SkillId| Skill {
        name: select::name(catalog.skill(id)).into_owned(),
        description: catalog.skill(id).scalar("description").unwrap_or_default().to_owned(),
    };
    let listing = Listing {
        schema: "skilltree/thread-list/v1",
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
