//! `agent knowledge`: shared knowledge of agents, in an append-only file (RFC-009, Shared Knowledge).

use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;
use skilltree_dispatch::select;
use skilltree_report::render::{self, escape};
use skilltree_skills::records::{KNOWLEDGE, KnowledgeEntry};

use super::Status;
use super::args::external::External;
use super::args::records::{Knowledge, KnowledgeAction, KnowledgeCheck, KnowledgeQuery};
use super::args::{Check, Common, ReadFormat};
use super::check;
use super::output::{self, Stderr};
use super::request::Request;
use super::session;
use crate::failure::Failure;

mod add;

pub(super) fn run(common: &Common, knowledge: &Knowledge) -> Result<Status, Failure> {
    match &knowledge.action {
        KnowledgeAction::Add(entry) => add::run(common, entry),
        KnowledgeAction::Query(query) => print(common, query),
        KnowledgeAction::Check(arguments) => check_entries(common, arguments),
    }
}

/// Runs `check` with the rules about knowledge only.
fn check_entries(common: &Common, arguments: &KnowledgeCheck) -> Result<Status, Failure> {
    let check = Check {
        external: External::default(),
        source: arguments.source.clone(),
        base: arguments.base.clone(),
        all: false,
        range: None,
        format: arguments.format,
        outputs: Vec::new(),
        statistics: false,
        show_ignored: false,
        sarif_category: None,
        min_severity: None,
        fail_on: arguments.fail_on,
        exit_zero: false,
        error_on_empty: false,
        test_rules: false,
        test_routes: false,
        stdin_filename: None,
        typed: None,
        targets: Vec::new(),
        rules: Vec::new(),
        paths: Vec::new(),
    };
    check::entries(common, &check)
}

/// The JSON of `agent knowledge query`.
#[derive(Serialize)]
struct Listing<'a> {
    schema: &'static str,
    entries: Vec<Found<'a>>,
    errors: Vec<&'a str>,
}

#[derive(Serialize)]
struct Found<'a> {
    content: &'a str,
    category: &'a str,
    contributor: &'a str,
    scope: &'a str,
    task_ref: Option<&'a str>,
    content_hash: &'a str,
    line: usize,
    matching_words: usize,
}

fn print(common: &Common, query: &KnowledgeQuery) -> Result<Status, Failure> {
    let text = session::text(&query.text)?;
    let session = session::open(common, &query.source, &Request::default())?;
    let knowledge = session.report.catalog.parsed.records.knowledge.as_ref();
    let mut found: Vec<_> =
        knowledge.map(|knowledge| select::learned(knowledge, &text, query.task_id.as_deref())).unwrap_or_default();
    found.truncate(query.top.unwrap_or(usize::MAX));
    let faults = || knowledge.into_iter().flat_map(|knowledge| &knowledge.faults);
    output::stdout(common, |out| match query.format {
        ReadFormat::Json => {
            let entries = found.iter().map(|found| entry(found.entry, found.points)).collect();
            let errors = faults().map(|fault| fault.message.as_str()).collect();
            render::write_pretty(&Listing { schema: "skilltree/knowledge-query/v1", entries, errors }, out)
        }
        ReadFormat::Text => found.iter().try_for_each(|found| write_text(out, found.entry)),
    })?;
    if let ReadFormat::Text = query.format {
        let all = knowledge.map_or(0, |knowledge| knowledge.entries.len());
        let stderr = Stderr::new(common);
        stderr.info(&format!("found {} of {all}", render::count(found.len(), "entry")));
        if faults().next().is_some() {
            stderr.info(&format!(
                "some lines of {KNOWLEDGE} are not valid entries: run `skilltree agent knowledge check` to see them"
            ));
        }
    }
    Ok(Status::Clean)
}

fn entry(entry: &KnowledgeEntry, points: usize) -> Found<'_> {
    Found {
        content: &entry.content.value,
        category: &entry.category.value,
        contributor: &entry.contributor.value,
        scope: &entry.scope.value,
        task_ref: entry.task_ref.as_deref(),
        content_hash: &entry.content_hash.value,
        line: entry.line,
        matching_words: points,
    }
}

/// Writes an entry on one line, escaped for workflow logs.
fn write_text(out: &mut dyn Write, entry: &KnowledgeEntry) -> io::Result<()> {
    let shown = |text: &str| escape::path(text.as_bytes().as_bstr());
    let line = format!("{KNOWLEDGE}:{}", entry.line);
    let (category, contributor) = (shown(&entry.category.value), shown(&entry.contributor.value));
    writeln!(out, "{line}: {category}: {} ({contributor})", shown(&entry.content.value))
}
