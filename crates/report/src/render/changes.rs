//! Changes between two states: text for people, Markdown for a comment, JSON for programs.

use std::io::{self, Write};

use super::{Look, escape, redact};
use skilltree_front_matter::text::grouped;
use skilltree_lint::changes::{Affected, Authority, Changes, Impact, SkillChange, SkillState};

mod json;
pub(super) mod markdown;
mod text;

/// Output format of changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Text for people; ends with the diff of the prompt block, which `patch` and `git apply` read.
    Text,
    /// Markdown for a comment on a pull request.
    Markdown,
    /// JSON with schema/diff.json.
    Json,
}

/// The two sides of a comparison, and the appearance of the text.
#[derive(Clone, Debug, Default)]
pub struct Between {
    /// The base, as the end of a sentence; `None` if there is none.
    pub base: Option<String>,
    /// The head, as the end of a sentence.
    pub head: String,
    /// Addresses that the files of the base and of the head are below, see [`Options::links`](super::Options::links).
    pub links: [Option<String>; 2],
    /// Appearance of text.
    pub look: Look,
}

/// Writes changes in a format.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write(format: Format, changes: &Changes, between: &Between, out: &mut dyn Write) -> io::Result<()> {
    match format {
        Format::Text => text::write(changes, between, out),
        Format::Markdown => markdown::write(changes, between, out),
        Format::Json => json::write(changes, between, out),
    }
}

impl Between {
    /// Describes both sides in one line, escaped.
    pub fn summary(&self) -> String {
        escape::text(&self.sentence())
    }

    /// Describes both sides: `the index, compared with main at 3f2c1ab`.
    fn sentence(&self) -> String {
        match &self.base {
            Some(base) => format!("{}, compared with {base}", self.head),
            None => format!("{}; there is no base", self.head),
        }
    }
}

/// Returns the diff of the prompt blocks for display: hidden characters and workflow commands are escaped, secrets redacted.
fn shown_patch(changes: &Changes) -> String {
    let patch = String::from_utf8_lossy(&changes.patch);
    let lines = patch.split_inclusive('\n').map(redact::text);
    let redacted: String = lines.collect();
    String::from_utf8_lossy(&escape::patch(redacted.as_bytes())).into_owned()
}

/// Returns the size of the entry in a list and of the body, before and after: `entry 61 tokens, body 120 to 140 tokens`. A skill
/// that no runtime lists has no entry.
fn tokens(change: &SkillChange) -> String {
    let of = |what: &str, size: fn(&SkillState) -> usize| {
        let [before, after] = [&change.before, &change.after].map(|state| state.as_ref().map(size));
        match (before, after) {
            (Some(before), Some(after)) if before != after => {
                format!("{what} {} to {} tokens", grouped(before), grouped(after))
            }
            (_, Some(tokens)) | (Some(tokens), None) => format!("{what} {} tokens", grouped(tokens)),
            (None, None) => String::new(),
        }
    };
    let is_listed = [&change.before, &change.after].into_iter().flatten().any(|state| state.always_on > 0);
    let entry = is_listed.then(|| of("entry", |state| state.always_on));
    entry.into_iter().chain([of("body", |state| state.body_tokens)]).collect::<Vec<_>>().join(", ")
}

/// Returns the words about the tokens of a skill and its other files: `entry 61 tokens, body 120 tokens, 2 other files`.
fn sizes(change: &SkillChange) -> String {
    match change.files {
        0 => tokens(change),
        files => format!("{}, {} changed", tokens(change), super::count(files, "other file")),
    }
}

/// Returns what a subject newly lets an agent do, as a sentence without hidden characters and secrets.
fn widened(authority: &Authority, most: usize) -> String {
    escape::text(&redact::text(&authority.sentence(most)))
}

/// Returns the first skills of an impact, each formatted, and the number of others.
fn named(impact: &Impact, most: usize, format: impl Fn(&Affected) -> String) -> String {
    let mut names: Vec<String> = impact.skills.iter().take(most).map(format).collect();
    match impact.count - names.len() {
        _ if impact.skills.is_empty() => names.push("which ones depends on use".to_owned()),
        0 => {}
        more => names.push(format!("{} more", grouped(more))),
    }
    names.join(", ")
}
