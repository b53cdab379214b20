//! `list`: the skills that may enter a prompt, and what keeps the others out.

use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;
use skilltree::catalog::Catalog;
use skilltree::excerpt::Excerpts;
use skilltree::render::{self, escape};
use skilltree::roots::Owner;
use skilltree::rule::{Finding, Subject};
use skilltree::select::Shadowed;
use skilltree::skill::SkillId;
use skilltree::{Report, text};

use super::Status;
use super::args::{Common, List, ReadFormat};
use super::beside;
use super::configuration;
use super::environment;
use super::failure::Failure;
use super::output;
use super::session::{Request, Session};

/// The JSON of `list`.
#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    skills: Vec<Entry>,
    shadowed: Vec<Hidden>,
    errors: Vec<Problem>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    description: String,
    root: String,
    path: String,
}

/// A skill outside of the repository that another of the same name stands before.
#[derive(Serialize)]
struct Hidden {
    name: String,
    path: String,
    by: String,
}

/// Why a file is left out: what a rule says of a place, or why it could not be read.
#[derive(Serialize)]
struct Problem {
    path: String,
    rule: Option<&'static str>,
    message: String,
    line: Option<u32>,
    column: Option<u32>,
    /// Whether it is told in words: what is the machine's alone is quiet.
    #[serde(skip)]
    is_told: bool,
}

pub(super) fn run(common: &Common, list: &List) -> Result<Status, Failure> {
    let request = Request { beside: Some(&list.beside), ..Request::default() };
    let session = Session::open(common, &list.source, &request)?;
    let stderr = output::Stderr::new(common);
    configuration::tell(&stderr, &session);
    beside::tell_home(&stderr, &list.beside, None);
    let (skills, shadowed) = beside::visible(&session.report.accepted());
    let catalog = &session.report.catalog;
    let listing = Listing {
        schema: "skilltree/list/v1",
        skills: skills.iter().map(|&id| entry(catalog, id)).collect(),
        shadowed: shadowed.iter().map(|shadowed| hidden(catalog, *shadowed)).collect(),
        errors: problems(&session, &session.excerpts()?, common.verbose),
    };
    beside::tell(&stderr, catalog, &shadowed, &session.unread, common.verbose);
    output::stdout(common, |out| match list.format {
        ReadFormat::Json => render::write_pretty(&listing, out),
        ReadFormat::Text => write_text(out, &listing),
    })?;
    if let ReadFormat::Text = list.format {
        stderr.say(&summary(&listing, &session.words()?));
    }
    Ok(Status::Clean)
}

fn entry(catalog: &Catalog, id: SkillId) -> Entry {
    let skill = catalog.skill(id);
    Entry {
        name: skill.name().unwrap_or_default().to_owned(),
        description: skill.scalar("description").unwrap_or_default().to_owned(),
        root: text::lossless(catalog.root(skill.root).path.as_ref()),
        path: text::lossless(catalog.path(id)),
    }
}

fn hidden(catalog: &Catalog, shadowed: Shadowed) -> Hidden {
    Hidden {
        name: catalog.skill(shadowed.skill).name().unwrap_or_default().to_owned(),
        path: text::lossless(catalog.path(shadowed.skill)),
        by: text::lossless(catalog.path(shadowed.by)),
    }
}

fn problems(session: &Session, excerpts: &Excerpts, verbose: bool) -> Vec<Problem> {
    let report = &session.report;
    let is_told = |owner: Owner| verbose || owner != Owner::System;
    let problem = |finding: &Finding| {
        let start = excerpts.get(finding.place).start;
        let owner = match finding.subject {
            Subject::Skill(skill) => beside::owner(&report.catalog, skill),
            Subject::Root(root) => report.catalog.root(root).owner,
            Subject::Tree | Subject::Config => Owner::Repository,
        };
        Problem {
            path: text::lossless(report.path(finding)),
            rule: Some(finding.rule.id),
            message: finding.message.clone(),
            line: Some(start.line),
            column: Some(start.column),
            is_told: is_told(owner),
        }
    };
    let unread = session.unread.iter().map(|unread| Problem {
        path: text::lossless(unread.path.as_bstr()),
        rule: None,
        message: unread.message.clone(),
        line: None,
        column: None,
        is_told: is_told(unread.owner),
    });
    report.findings.iter().filter(|finding| Report::rejects(finding)).map(problem).chain(unread).collect()
}

fn write_text(out: &mut dyn Write, listing: &Listing) -> io::Result<()> {
    // A rule about names may be off: a name starts a line, and a workflow log must not obey it.
    let names: Vec<String> = listing.skills.iter().map(|skill| escape::path(skill.name.as_bytes().as_bstr())).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    for (name, skill) in names.iter().zip(&listing.skills) {
        let description = skill.description.split_whitespace().collect::<Vec<_>>().join(" ");
        let room = environment::width().saturating_sub(width + 2).max(20);
        writeln!(out, "{name:width$}  {}", escape::text(&shorten(&description, room)))?;
    }
    Ok(())
}

/// The first `room` code points of a text, the last of them an ellipsis when something was cut.
fn shorten(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room.saturating_sub(1)).chain(['…']).collect()
}

fn summary(listing: &Listing, source: &str) -> String {
    let skills = render::count(listing.skills.len(), "skill");
    let source = escape::text(source);
    let mut paths: Vec<&str> =
        listing.errors.iter().filter(|problem| problem.is_told).map(|problem| problem.path.as_str()).collect();
    paths.dedup();
    match paths.len() {
        0 => format!("{skills} in {source}"),
        out => format!("{skills} in {source}; {} kept out, `skilltree check` says why", render::count(out, "file")),
    }
}
