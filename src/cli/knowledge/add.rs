//! `agent knowledge add`: append one line. Concurrent writers and killed processes never corrupt other lines.
#![allow(clippy::disallowed_methods, reason = "an entry contains the time")]

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use skilltree_front_matter::text::{FileId, grouped};
use skilltree_git::Revision;
use skilltree_report::render::escape;
use skilltree_skills::records::{KNOWLEDGE, Knowledge, New, Refusal, SECONDS_BETWEEN, torn};
use skilltree_skills::source::{self, KNOWLEDGE_BYTES};

use crate::cli::Status;
use crate::cli::args::Common;
use crate::cli::args::records::KnowledgeAdd;
use crate::cli::output::Stderr;
use crate::cli::session;
use crate::cli::tree::{self, Appended, Lock};
use crate::failure::Failure;

/// The file that incomplete lines are moved to.
const INCOMPLETE: &str = ".agent/knowledge.jsonl.torn";

pub(super) fn run(common: &Common, arguments: &KnowledgeAdd) -> Result<Status, Failure> {
    let stderr = Stderr::new(common);
    let place = session::typed_in(common)?;
    let source = match skilltree_git::open(&place, &Revision::WorkTree, &place.environment) {
        Err(source::Error::NoRepository { .. }) => skilltree_git::top(&place),
        opened => opened?,
    };
    let Some(top) = source.directory() else {
        return Err(Failure::new("there is no working tree to write knowledge to").help("run it in a checkout"));
    };
    let new = New {
        content: content(&arguments.content)?,
        category: arguments.category.clone(),
        contributor: arguments.contributor.clone(),
        scope: arguments.scope.clone(),
        task_ref: arguments.task_ref.clone(),
        created_at: now(arguments)?,
    };
    let line = new.line().ok_or_else(|| Failure::new("the date of the system clock is out of range"))?;
    let below = Path::new(KNOWLEDGE);
    let lock = tree::lock(top, below)?;
    let bytes = tree::current(top, below, KNOWLEDGE_BYTES)?.unwrap_or_default();
    if bytes.len() + line.len() > KNOWLEDGE_BYTES as usize {
        return Err(Failure::new(format!("`{KNOWLEDGE}` would have more than {} bytes", grouped(KNOWLEDGE_BYTES)))
            .help("move it away and start a new one"));
    }
    let knowledge = Knowledge::parse(FileId(0), &bytes);
    if let Some(refusal) = new.refusal(&knowledge) {
        if let Refusal::Duplicate { line } = refusal {
            stderr.info(&format!("line {line} has the same content and scope"));
            return Ok(Status::Clean);
        }
        stderr.line(&format!("not added: {}", words(refusal)));
        return Ok(Status::Found);
    }
    let appended = match torn(&bytes) {
        None => Appended { keep: bytes.len(), text: line },
        // Only the line break is missing: the same write adds it before the new line.
        Some((_, true)) => Appended { keep: bytes.len(), text: format!("\n{line}") },
        Some((start, false)) => {
            set_aside(&lock, top, &bytes[start..])?;
            stderr.info(&format!("moved an incomplete line to {INCOMPLETE}"));
            Appended { keep: start, text: line }
        }
    };
    tree::truncate_and_append(&lock, top, below, &appended)?;
    stderr.info(&format!("added to {KNOWLEDGE}: {}", escape::text(&new.content)));
    Ok(Status::Clean)
}

/// Returns the content, or standard input for `-`.
fn content(word: &str) -> Result<String, Failure> {
    if word != "-" {
        return Ok(word.to_owned());
    }
    match session::text(word)?.trim() {
        "" => Err(Failure::new("the content is empty").help("write what was learned")),
        text => Ok(text.to_owned()),
    }
}

/// Appends an incomplete line to the file for such lines. If that file also ends in an incomplete line, a line break separates
/// the two.
fn set_aside(lock: &Lock, top: &Path, incomplete: &[u8]) -> Result<(), Failure> {
    let below = Path::new(INCOMPLETE);
    let before = tree::current(top, below, KNOWLEDGE_BYTES)?.unwrap_or_default();
    let end: &[u8] = if torn(&before).is_some() { b"\n" } else { b"" };
    tree::append(lock, top, below, &[end, incomplete, b"\n"].concat())
}

fn words(refusal: Refusal) -> String {
    match refusal {
        Refusal::Duplicate { line } => format!("line {line} has the same content and scope"),
        Refusal::TooFrequent { line, seconds } => {
            format!(
                "line {line} has the same contributor and is {seconds} seconds apart; the minimum is {SECONDS_BETWEEN}"
            )
        }
    }
}

/// Returns the time of the clock, or of `--now`, in seconds since 1970.
fn now(arguments: &KnowledgeAdd) -> Result<i64, Failure> {
    match &arguments.now {
        None => {
            let since = SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_err(|_| Failure::new("the date of the system clock is before 1970"))?;
            Ok(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
        }
        Some(time) => time.parse::<jiff::Timestamp>().map(jiff::Timestamp::as_second).map_err(|_| {
            Failure::new(format!("`{time}` is not a valid time")).help("write it as 2026-11-20T12:00:00Z")
        }),
    }
}
