//! `list`: the skills that may enter a prompt, and what keeps the others out.

use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;
use skilltree::excerpt::Excerpts;
use skilltree::render::{self, escape};
use skilltree::rule::Finding;
use skilltree::{Report, text};

use super::Status;
use super::args::{Common, List, ReadFormat};
use super::environment;
use super::failure::Failure;
use super::output;
use super::session::{Request, Session};

/// The JSON of `list`.
#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    skills: Vec<Entry>,
    errors: Vec<Problem>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    description: String,
    root: String,
    path: String,
}

#[derive(Serialize)]
struct Problem {
    path: String,
    rule: &'static str,
    message: String,
    line: u32,
    column: u32,
}

pub(super) fn run(common: &Common, list: &List) -> Result<Status, Failure> {
    let session = Session::open(common, &list.source, &Request::default())?;
    let listing = Listing {
        schema: "skilltree/list/v1",
        skills: entries(&session.report),
        errors: problems(&session.report, &session.excerpts()?),
    };
    output::stdout(common, |out| match list.format {
        ReadFormat::Json => render::write_pretty(&listing, out),
        ReadFormat::Text => write_text(out, &listing),
    })?;
    if let ReadFormat::Text = list.format {
        output::Stderr::new(common).say(&summary(&listing, &session.words()?));
    }
    Ok(Status::Clean)
}

fn entries(report: &Report) -> Vec<Entry> {
    let catalog = &report.catalog;
    let entry = |(id, skill): (_, &skilltree::skill::Skill)| Entry {
        name: skill.name().unwrap_or_default().to_owned(),
        description: skill.scalar("description").unwrap_or_default().to_owned(),
        root: text::lossless(catalog.root(skill.root).path.as_ref()),
        path: text::lossless(catalog.path(id)),
    };
    report.accepted().iter().map(entry).collect()
}

fn problems(report: &Report, excerpts: &Excerpts) -> Vec<Problem> {
    let problem = |finding: &Finding| {
        let start = excerpts.get(finding.place).start;
        Problem {
            path: text::lossless(report.path(finding)),
            rule: finding.rule.id,
            message: finding.message.clone(),
            line: start.line,
            column: start.column,
        }
    };
    report.findings.iter().filter(|finding| Report::rejects(finding)).map(problem).collect()
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
    let mut paths: Vec<&str> = listing.errors.iter().map(|problem| problem.path.as_str()).collect();
    paths.dedup();
    match paths.len() {
        0 => format!("{skills} in {source}"),
        out => format!("{skills} in {source}; {} kept out, `skilltree check` says why", render::count(out, "file")),
    }
}
