//! The updates of a push, as Git passes them to hooks on standard input.

use std::io::{BufRead, Read};

use super::HookName;
use crate::failure::Failure;
use crate::file;

/// The limit of references in one push (ours).
const LINES: usize = 100_000;
/// The limit of a line in bytes: two ids and a reference, whose name a file system limits to 4,096 bytes.
const LINE_BYTES: usize = 4_096;

/// A pushed object and what its reference pointed to before.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Update {
    /// The reference: a branch or a tag by its short name.
    pub(super) name: String,
    pub(super) new: String,
    /// `None` for a new reference.
    pub(super) old: Option<String>,
}

/// Reads the updates without deletions.
///
/// # Errors
/// When the input is not what Git passes to the hook.
pub(super) fn read(name: HookName, mut input: impl BufRead) -> Result<Vec<Update>, Failure> {
    // `local-reference local-object remote-reference remote-object`, and `old new reference` (githooks(5)).
    let (old, new) = if name == HookName::Push { (3, 1) } else { (0, 1) };
    let invalid = |why: &str| {
        Failure::new(format!("standard input is not what Git passes to {}: {why}", name.as_str()))
            .help("let Git run this command, as the hook with that name")
    };
    let mut updates = Vec::new();
    let mut line = Vec::new();
    for number in 0.. {
        line.clear();
        let read = input.by_ref().take(LINE_BYTES as u64 + 1).read_until(b'\n', &mut line);
        read.map_err(|error| invalid(&file::reason(&error)))?;
        match line.len() {
            0 => break,
            length if length > LINE_BYTES => return Err(invalid("a line has more than 4,096 bytes")),
            _ if number >= LINES => return Err(invalid("too many lines")),
            _ => {}
        }
        let text = String::from_utf8_lossy(&line);
        let words: Vec<&str> = text.trim_end_matches('\n').split(' ').collect();
        let object = |column: usize| words.get(column).copied().filter(|word| is_object(word));
        let (Some(old), Some(new)) = (object(old), object(new)) else {
            return Err(invalid("a line has no object id"));
        };
        // A null id deletes a reference: there is nothing to check.
        if !is_null(new) {
            let name = words.get(2).copied().unwrap_or_default();
            let old = Some(old.to_owned()).filter(|old| !is_null(old));
            updates.push(Update { name: short(name).to_owned(), new: new.to_owned(), old });
        }
    }
    Ok(updates)
}

/// Returns a reference as people call it.
fn short(reference: &str) -> &str {
    let is_branch_or_tag = |prefix: &&str| reference.starts_with(*prefix);
    let prefix = ["refs/heads/", "refs/tags/"].into_iter().find(is_branch_or_tag).unwrap_or_default();
    &reference[prefix.len()..]
}

fn is_object(word: &str) -> bool {
    matches!(word.len(), 40 | 64) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn is_null(object: &str) -> bool {
    object.bytes().all(|byte| byte == b'0')
}
