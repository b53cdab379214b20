//! Commands that run a script of the skill, in shell blocks and in code spans: `./scripts/x.sh --all`, `python3 scripts/x.py`.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::bases::Bases;
use super::markdown::Structure;
use super::variables;
use crate::skill::links::Call;
use crate::skill::paths::is_script_file;
use skilltree_front_matter::text::Place;

/// Programs that run a script.
const INTERPRETERS: [&str; 12] =
    ["bash", "bun", "deno", "node", "perl", "python", "python3", "ruby", "run", "sh", "source", "zsh"];

/// Maximum length of a command before its script, in bytes.
const COMMAND_BYTES: usize = 200;

/// Returns the command that runs the script at a range.
pub(super) fn find<F: FnOnce() -> Structure>(
    text: &str,
    range: &Range<usize>,
    bases: &Bases<'_>,
    structure: &LazyCell<Structure, F>,
) -> Option<Call> {
    let written = &text[range.clone()];
    let path = is_script(written).then(|| bases.script(written))??;
    let is_direct = runs(text, range, structure)? && !is_made_executable(&text.as_bytes()[..range.start], written);
    Some(Call { place: Place::new(bases.file(), range.clone()), path, is_direct })
}

/// Returns whether a path in a code block is that of a script which a command runs.
pub(super) fn is_command<F: FnOnce() -> Structure>(
    text: &str,
    range: &Range<usize>,
    structure: &LazyCell<Structure, F>,
) -> bool {
    is_script_file(&text[range.clone()]) && runs(text, range, structure).is_some()
}

fn is_script(path: &str) -> bool {
    is_script_file(path) || !path.rsplit('/').next().unwrap_or(path).contains('.')
}

/// Returns whether a command runs the script at a range itself, or an interpreter; `None` if none does.
fn runs<F: FnOnce() -> Structure>(
    text: &str,
    range: &Range<usize>,
    structure: &LazyCell<Structure, F>,
) -> Option<bool> {
    let bytes = text.as_bytes();
    let line = &bytes[range.start.saturating_sub(COMMAND_BYTES)..range.start];
    let line = &line[line.rfind_byte(b'\n').map_or(0, |newline| newline + 1)..];
    let arguments = &bytes[range.end..];
    // Most commands are the same in a block and elsewhere, so that the text need not be parsed.
    let (in_block, in_text) = (is_direct(line, arguments, true), is_direct(line, arguments, false));
    if in_block == in_text || structure.is_shell(range.start) { in_block } else { in_text }
}

/// Maximum number of bytes before a command that are searched for `chmod`.
const SEARCHED_BYTES: usize = 4_000;

/// Maximum length of a `chmod` command, in bytes.
const CHMOD_BYTES: usize = 200;

/// Returns whether a text makes a script executable shortly before its end.
fn is_made_executable(before: &[u8], script: &str) -> bool {
    let name = script.rsplit('/').next().unwrap_or(script);
    let near = &before[before.len().saturating_sub(SEARCHED_BYTES)..];
    near.find_iter("chmod ").any(|at| {
        let line = &near[at..near.len().min(at + CHMOD_BYTES)];
        let line = &line[..line.find_byte(b'\n').unwrap_or(line.len())];
        line.contains_str(name) || line.contains(&b'*')
    })
}

/// Returns the command before the variable that a path follows.
fn variable(command: &[u8]) -> Option<&[u8]> {
    let before = command.strip_suffix(b"/")?;
    let before = &before[..before.len() - variables::at_end(before)?.1];
    Some(before.strip_suffix(b"\"").unwrap_or(before))
}

/// Returns whether the line before a script and the text after it run the script itself, or an interpreter; `None` if they run
/// nothing.
fn is_direct(line: &[u8], arguments: &[u8], is_block: bool) -> Option<bool> {
    let command = match line.rfind_byte(b'`') {
        Some(tick) if !is_block => &line[tick + 1..],
        None if !is_block => return None,
        _ => line,
    };
    let command = command.trim_ascii_start();
    let command = command.strip_prefix(b"$ ").unwrap_or(command);
    // A path below a variable, with its quote: the program is before it.
    let command = variable(command).unwrap_or(command);
    // A runtime may run the span after an exclamation mark by itself.
    let is_run = line.rfind_byte(b'`').is_some_and(|tick| line[..tick].ends_with(b"!"));
    let has_arguments = arguments.starts_with(b" -") || arguments.starts_with(b" <");
    let is_direct = (command.is_empty() && (is_block || is_run || has_arguments)) || command == b"./";
    let program = command.split(u8::is_ascii_whitespace).rev().find(|word| !word.is_empty() && !word.starts_with(b"-"));
    let is_interpreted = program.is_some_and(|program| INTERPRETERS.iter().any(|known| known.as_bytes() == program));
    let is_interpreted = is_interpreted && command.last().is_some_and(u8::is_ascii_whitespace);
    (is_direct || is_interpreted).then_some(is_direct)
}
