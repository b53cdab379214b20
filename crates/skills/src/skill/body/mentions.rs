//! Paths of the skill that a text names without a link, in prose or in a code span: `scripts/x.py`, `@references/y.md`.
//!
//! Most paths in a skill are examples or files that the skill creates. Only a path whose first directory exists in the skill, on
//! a line without a word such as "create" or "example", is taken for a file of the skill.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::{BString, ByteSlice};

use super::bases::Bases;
use super::calls;
use super::markdown::Structure;
use super::variables::{self, Variable};
use crate::skill::links::{Call, End, Link, Way};
use skilltree_front_matter::text::Place;

/// Extensions of files that skills contain.
const EXTENSIONS: [&str; 24] = [
    "bash", "cjs", "css", "csv", "docx", "html", "ipynb", "js", "json", "jsonl", "jsx", "md", "mjs", "ps1", "py", "rb",
    "sh", "sql", "toml", "ts", "tsx", "txt", "yaml", "yml",
];

/// Parts of words on a line whose paths may be examples, or files that do not exist yet, or files of another place.
const QUIET: [&str; 44] = [
    "add ",
    "added",
    "append",
    "copy",
    "creat",
    "delet",
    "deprecat",
    "e.g.",
    "emit",
    "example",
    "export",
    "generat",
    "if ",
    "install",
    "legacy",
    "like",
    "may ",
    "might",
    "mkdir",
    "move",
    "name",
    "new ",
    "old ",
    "optional",
    "output",
    "placeholder",
    "produc",
    "project",
    "propos",
    "record",
    "remov",
    "renam",
    "repo",
    "sav",
    "should",
    "store",
    "such as",
    "template",
    "wip",
    "will",
    "would",
    "writ",
    "wrote",
    "your",
];

/// Parts of the names of files that stand in an example.
const PLACEHOLDERS: [&str; 14] =
    ["...", "bar", "baz", "example", "file.", "foo", "my-", "my_", "name", "path", "sample", "xxx", "your", "yyyy"];

/// Maximum length of a path that is checked, in bytes.
const PATH_BYTES: usize = 200;

/// Maximum number of missing paths per text whose lines are searched for words.
const LOOKED: usize = 4_096;

/// Maximum length of a line that is searched for words, in bytes on each side of the path.
const LINE_BYTES: usize = 400;

/// Returns the paths of a text that may name missing files of the skill, those that may be files around it, and the commands that run its
/// scripts; at most `most` of each.
pub(super) fn find<F: FnOnce() -> Structure>(
    text: &str,
    start: usize,
    bases: &Bases<'_>,
    structure: &LazyCell<Structure, F>,
    most: usize,
) -> (Vec<Link>, Vec<Way>, Vec<Call>) {
    let (mut mentions, mut ways, mut calls) = (Vec::new(), Vec::new(), Vec::new());
    // A command that runs an existing script of the skill is no example.
    let has_examples = bases.is_about_skills();
    let mut looked = 0;
    for range in words(text, start) {
        let variable = text[..range.start].strip_suffix('/').and_then(|before| variables::at_end(before.as_bytes()));
        let (kind, length) = (variable.map(|(variable, _)| variable), variable.map_or(0, |(_, length)| length + 1));
        if calls.len() < most
            && !matches!(kind, Some(Variable::Home | Variable::Project))
            && let Some(call) = calls::find(text, &range, bases, structure)
        {
            calls.push(call);
            continue;
        }
        let written = &text[range.clone()];
        if has_examples || !is_file(written) {
            continue;
        }
        let (paths, way) = match kind {
            None => (bases.missing(written), bases.installed(written).or_else(|| bases.around(written))),
            Some(Variable::Home) => (None, bases.installed(written)),
            Some(variable) => (bases.missing_at(variable, written), None),
        };
        if paths.is_none() && way.is_none() {
            continue;
        }
        looked += 1;
        if looked > LOOKED {
            break;
        }
        // With the variable, the path is that of no other skill.
        let whole = range.start - length..range.end;
        if is_quiet_line(text, &whole) || structure.is_html(range.start) {
            continue;
        }
        if structure.is_block(range.start) && !calls::is_command(text, &range, structure) {
            continue;
        }
        let range = whole;
        let written = &text[range.clone()];
        let (place, written) = (Place::new(bases.file(), range), written.to_owned());
        ways.extend(way.map(|to| Way { place, written: written.clone(), to }));
        if let Some(paths) = paths {
            mentions.push(Link { place, written, end: End::Unknown { paths, leaves: false } });
        }
        if mentions.len() == most || ways.len() == most {
            break;
        }
    }
    (mentions, ways, calls)
}

/// Returns the ranges of the paths of files in a text.
pub(super) fn paths(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    words(text, start).filter(|range| is_file(&text[range.clone()]))
}

/// Returns whether a path is that of a file which skills contain, by its extension.
pub(super) fn is_file(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, extension)| EXTENSIONS.contains(&extension))
}

/// Returns the ranges of the paths in a text that are those of files by their extension, or have none.
fn words(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    let mut from = start;
    std::iter::from_fn(move || {
        loop {
            let slash = from + text.as_bytes().get(from..)?.find_byte(b'/')?;
            let range = variables::cut(text.as_bytes(), token(text.as_bytes(), slash, start));
            from = range.end.max(slash + 1);
            if let Some(path) = path(text, &range) {
                return Some(path);
            }
        }
    })
}

/// Returns the range of the characters of a path around an offset.
pub(super) fn token(text: &[u8], at: usize, start: usize) -> Range<usize> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./".contains(byte);
    let before = text[start..at].iter().rev().take(PATH_BYTES).take_while(|byte| is_part(byte)).count();
    let after = text[at..].iter().take(PATH_BYTES).take_while(|byte| is_part(byte)).count();
    at - before..at + after
}

/// Returns the range of the path in a token, without `./` and the end of a sentence; `None` if it is part of something else.
fn path(text: &str, token: &Range<usize>) -> Option<Range<usize>> {
    let is_alone = is_alone(text, token);
    let is_below_variable = variables::at_end(&text.as_bytes()[..token.start]).is_some();
    let token = if is_below_variable { token.start + 1..token.end } else { token.clone() };
    let written = text.get(token.clone())?;
    let short = written.trim_end_matches('.');
    let short = short.strip_prefix("./").unwrap_or(short);
    let start = token.start + (written.len() - written.strip_prefix("./").unwrap_or(written).len());
    // Most slashes of a text are not in the path of a file: the cheap questions come first.
    let name = match short.rsplit_once('/') {
        Some((_, name)) => name,
        None if is_below_variable => short,
        None => return None,
    };
    let has_stem = name.rsplit_once('.').is_none_or(|(stem, _)| !stem.is_empty() && is_file(name));
    if !(is_alone && has_stem) || short.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return None;
    }
    (!is_placeholder(short)).then(|| start..start + short.len())
}

/// Returns whether a path has a part that stands for something else.
pub(super) fn is_placeholder(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| lower.contains(word))
}

/// Returns whether a token is a word of its own or below a variable, and no part of a link.
pub(super) fn is_alone(text: &str, token: &Range<usize>) -> bool {
    let (before, after) = (&text.as_bytes()[..token.start], &text.as_bytes()[token.end..]);
    let is_import = before.last() == Some(&b'@');
    let outer = if is_import { &before[..before.len() - 1] } else { before };
    let opens = outer.last().is_none_or(|byte| byte.is_ascii_whitespace() || b"`\"'(".contains(byte));
    let closes = after.first().is_none_or(|byte| byte.is_ascii_whitespace() || b"`\"'),;:!?.".contains(byte));
    let is_link =
        before.ends_with(b"](") || after.starts_with(b"](") || after.starts_with(b"`](") || is_defined(before);
    (opens || variables::at_end(before).is_some()) && closes && !is_link
}

/// Returns whether the text before a path is the label of a link definition: `[label]: path`. The rule about links reports it.
fn is_defined(before: &[u8]) -> bool {
    before.trim_ascii_end().ends_with(b"]:")
}

/// Returns whether the line around a path has a word that makes it something else than a file of the skill.
pub(super) fn is_quiet_line(text: &str, range: &Range<usize>) -> bool {
    let bytes = text.as_bytes();
    let before = &bytes[range.start.saturating_sub(LINE_BYTES)..range.start];
    let before = &before[before.rfind_byte(b'\n').map_or(0, |newline| newline + 1)..];
    let after = &bytes[range.end..bytes.len().min(range.end + LINE_BYTES)];
    let after = &after[..after.find_byte(b'\n').unwrap_or(after.len())];
    let line = BString::from([before, b" ", after].concat().to_ascii_lowercase());
    line.trim_start().starts_with(b">")
        || QUIET.iter().any(|word| line.contains_str(word))
        || line.contains_str("->")
        || line.contains_str("\u{2192}")
}
