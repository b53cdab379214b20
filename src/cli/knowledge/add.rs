//! `knowledge add`: one line more, whoever else writes and whenever somebody is killed.
#![allow(clippy::disallowed_methods, reason = "the clock is read, for entries alone")]

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use skilltree::records::{KNOWLEDGE, Knowledge, New, Refusal, SECONDS_BETWEEN, torn};
use skilltree::render::escape;
use skilltree::source::{self, KNOWLEDGE_BYTES, Revision};
use skilltree::text::FileId;

use crate::cli::Status;
use crate::cli::args::Common;
use crate::cli::args::records::KnowledgeAdd;
use crate::cli::failure::Failure;
use crate::cli::output::Stderr;
use crate::cli::place::Place;
use crate::cli::tree::{self, Appended, Lock};

/// Where a line goes that a writer did not finish.
const UNFINISHED: &str = ".agent/knowledge.jsonl.torn";

pub(super) fn run(common: &Common, arguments: &KnowledgeAdd) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let place = Place::typed_in(common)?;
    let source = match source::open(&place, &Revision::WorkTree, &place.environment) {
        Err(source::Error::NoRepository { .. }) => source::top(&place),
        opened => opened?,
    };
    let Some(top) = source.directory() else {
        return Err(Failure::new("there is no work tree to write knowledge to").help("run it in a checkout"));
    };
    let new = New {
        content: arguments.content.clone(),
        category: arguments.category.clone(),
        contributor: arguments.contributor.clone(),
        scope: arguments.scope.clone(),
        task_ref: arguments.task_ref.clone(),
        created_at: now(arguments)?,
    };
    let line = new.line().ok_or_else(|| Failure::new("the clock is in no year that a calendar has"))?;
    let below = Path::new(KNOWLEDGE);
    let lock = tree::lock(top, below)?;
    let bytes = tree::current(top, below, KNOWLEDGE_BYTES)?.unwrap_or_default();
    if bytes.len() + line.len() > KNOWLEDGE_BYTES as usize {
        return Err(Failure::new(format!("`{KNOWLEDGE}` would have more than {KNOWLEDGE_BYTES} bytes"))
            .help("move it away, and begin a new one"));
    }
    let knowledge = Knowledge::parse(FileId(0), &bytes);
    if let Some(refusal) = new.refusal(&knowledge) {
        stderr.line(&format!("not added: {}", words(refusal)));
        return Ok(Status::Found);
    }
    let appended = match torn(&bytes) {
        None => Appended { keep: bytes.len(), text: line },
        // Only the line's end is missing: it comes in front of the new line, in the same write.
        Some((_, true)) => Appended { keep: bytes.len(), text: format!("\n{line}") },
        Some((start, false)) => {
            put_aside(&lock, top, &bytes[start..])?;
            stderr.say(&format!("moved a line that a writer did not finish to {UNFINISHED}"));
            Appended { keep: start, text: line }
        }
    };
    tree::cut_and_append(&lock, top, below, &appended)?;
    stderr.say(&format!("added to {KNOWLEDGE}: {}", escape::text(&new.content)));
    Ok(Status::Clean)
}

/// Writes an unfinished line where it can be looked at. Whoever was killed while doing so left one there without an end: the
/// two are not joined.
fn put_aside(lock: &Lock, top: &Path, unfinished: &[u8]) -> Result<(), Failure> {
    let below = Path::new(UNFINISHED);
    let before = tree::current(top, below, KNOWLEDGE_BYTES)?.unwrap_or_default();
    let end: &[u8] = if torn(&before).is_some() { b"\n" } else { b"" };
    tree::append(lock, top, below, &[end, unfinished, b"\n"].concat())
}

fn words(refusal: Refusal) -> String {
    match refusal {
        Refusal::Duplicate { line } => format!("line {line} has the same content and scope"),
        Refusal::TooFrequent { line, seconds } => {
            format!(
                "line {line} is {seconds} seconds from it, by the same contributor; {SECONDS_BETWEEN} lie between two at least"
            )
        }
    }
}

/// The seconds from 1970 to now, or to what is said to be now.
fn now(arguments: &KnowledgeAdd) -> Result<i64, Failure> {
    match &arguments.now {
        None => {
            let since =
                SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| Failure::new("the clock is before 1970"))?;
            Ok(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
        }
        Some(time) => time
            .parse::<jiff::Timestamp>()
            .map(jiff::Timestamp::as_second)
            .map_err(|_| Failure::new(format!("`{time}` is not a time")).help("write it as 2026-11-20T12:00:00Z")),
    }
}
