//! Files that the commands of a body need, which some runtimes run before the model reads it: `` !`cat docs/state.md` ``.
//!
//! Only a path without which the whole command fails is taken: a command that ends with `|| true`, or whose file only a pipe reads, succeeds.

use std::ops::Range;

use super::bases::Bases;
use super::variables::{self, Variable};
use crate::skill::links::{End, Input};
use crate::skill::{Command, CommandForm, Marks};
use skilltree_front_matter::text::Place;

/// Programs that fail if one of their arguments is a missing file.
const READERS: [&str; 9] = ["cat", "du", "head", "ls", "nl", "sort", "stat", "tail", "wc"];

/// Programs that fail if their first argument is a missing file.
const RUNNERS: [&str; 9] = ["bash", "node", "perl", "python", "python3", "ruby", "sh", "source", "zsh"];

/// Programs that print something and succeed.
const PRINTERS: [&str; 4] = ["date", "echo", "printf", "pwd"];

/// Programs whose failure some runtimes take for an empty result.
const SEARCHERS: [&str; 6] = ["[", "diff", "find", "grep", "rg", "test"];

/// Options of readers whose next word is a number.
const COUNTED: [&str; 2] = ["-n", "-c"];

/// Redirections that change nothing about files.
const HARMLESS: [&str; 4] = ["2>/dev/null", ">/dev/null", "2>&1", "&>/dev/null"];

/// Maximum length of a path that is looked up, in bytes.
const PATH_BYTES: usize = 200;

/// Returns the files that commands need and that may be missing, at most `most`.
pub(super) fn find(text: &str, commands: &Marks<Command>, bases: &Bases<'_>, most: usize) -> Vec<Input> {
    let run = commands
        .first
        .iter()
        .filter(|mark| matches!(mark.value.form, CommandForm::Span | CommandForm::Block | CommandForm::InBlock));
    let inputs = run.flat_map(|mark| {
        let range = mark.place.range();
        let command = mark.value.text.as_str();
        let start = text[range.clone()].find(command).map_or(range.start, |at| range.start + at);
        let needed = needed(command).into_iter();
        needed.filter_map(move |word| input(text, start + word.start..start + word.end, bases))
    });
    inputs.take(most).collect()
}

/// Returns the input at a range, unless it is known to exist or cannot be told.
fn input(text: &str, range: Range<usize>, bases: &Bases<'_>) -> Option<Input> {
    let written = &text[range.clone()];
    let plain = written.replace(['"', '\''], "");
    let (variable, path) = match plain.strip_prefix('$') {
        Some(_) => {
            let (variable, path) = plain.split_once('/')?;
            (Some(variables::at_end(variable.as_bytes()).filter(|(_, length)| *length == variable.len())?.0), path)
        }
        None => (None, plain.as_str()),
    };
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let is_path = !matches!(path, "" | ".")
        && path.len() <= PATH_BYTES
        && !path.starts_with(['/', '~', '-'])
        && !path.contains(['$', '*', '?', '[', '=', ':', '<', '@', '%'])
        && path.split('/').all(|part| part != "..");
    if !is_path || matches!(variable, Some(Variable::Home)) {
        return None;
    }
    let own = variable.is_none() && bases.is_own(path);
    let paths = bases.needed(variable, path, own)?;
    let end = if paths.is_empty() { End::Nothing } else { End::Unknown { paths, leaves: false } };
    let own = own.then(|| path.to_owned());
    Some(Input { place: Place::new(bases.file(), range), written: plain, end, own })
}

/// Returns the ranges of the words of a command that name files without which it fails.
fn needed(command: &str) -> Vec<Range<usize>> {
    let Some(lists) = lists(command) else { return Vec::new() };
    let is_moved = lists.iter().flatten().any(|simple| {
        simple.first().is_some_and(|word| matches!(&command[word.clone()], "cd" | "pushd" | "set" | "trap" | "exit"))
    });
    let Some(list) = lists.last().filter(|_| !is_moved) else { return Vec::new() };
    let name = |simple: &[Range<usize>]| simple.first().map_or("", |word| &command[word.clone()]);
    let is_lenient = list.last().is_some_and(|simple| SEARCHERS.contains(&name(simple)));
    if is_lenient {
        return Vec::new();
    }
    let mut found = Vec::new();
    for simple in list {
        let words = arguments(command, simple);
        let is_printer = PRINTERS.contains(&name(simple));
        found.extend(words.clone().unwrap_or_default());
        if words.is_none() && !is_printer {
            break;
        }
    }
    found
}

/// Returns the words of a simple command that it takes for files; `None` if what it does is not known.
fn arguments(command: &str, words: &[Range<usize>]) -> Option<Vec<Range<usize>>> {
    let (first, rest) = words.split_first()?;
    let word = |range: &Range<usize>| &command[range.clone()];
    let name = word(first);
    let is_option = |range: &&Range<usize>| word(range).starts_with('-');
    if READERS.contains(&name) {
        let counted = |at: usize| at > 0 && COUNTED.contains(&word(&rest[at - 1])) && matches!(name, "head" | "tail");
        let files = rest.iter().enumerate().filter(|(at, range)| !is_option(range) && !counted(*at));
        return Some(files.map(|(_, range)| range.clone()).collect());
    }
    if RUNNERS.contains(&name) {
        return Some(rest.first().filter(|range| !is_option(range)).cloned().into_iter().collect());
    }
    if matches!(name, "[" | "test") {
        let is_file = rest.first().is_some_and(|range| matches!(word(range), "-f" | "-e" | "-d" | "-s" | "-r"));
        return is_file.then(|| rest.get(1).cloned().into_iter().collect());
    }
    let plain = name.trim_start_matches(['"', '\'']);
    (plain.starts_with("./") || plain.starts_with("${CLAUDE_")).then(|| vec![first.clone()])
}

/// A list of simple commands that run one after the other as long as each succeeds: of a pipe the last.
type Chain = Vec<Vec<Range<usize>>>;

/// Splits a command into chains, each of words without their quotes; `None` if it has other syntax, or an alternative.
fn lists(command: &str) -> Option<Vec<Chain>> {
    let bytes = command.as_bytes();
    let mut lists: Vec<Chain> = vec![vec![Vec::new()]];
    let mut at = 0;
    while at < bytes.len() {
        if let Some(harmless) = HARMLESS.iter().find(|redirection| command[at..].starts_with(**redirection)) {
            at += harmless.len();
            continue;
        }
        match bytes[at] {
            b' ' | b'\t' => at += 1,
            b';' | b'\n' => {
                lists.push(vec![Vec::new()]);
                at += 1;
            }
            b'|' | b'&' => {
                let is_double = bytes.get(at + 1) == Some(&bytes[at]);
                let list = lists.last_mut()?;
                match (bytes[at], is_double) {
                    (b'&', true) => list.push(Vec::new()),
                    (b'|', false) => *list.last_mut()? = Vec::new(),
                    _ => return None,
                }
                at += if is_double { 2 } else { 1 };
            }
            _ => {
                let end = word_end(command, at)?;
                lists.last_mut()?.last_mut()?.push(unquoted(command, at..end));
                at = end;
            }
        }
    }
    let is_empty = |list: &Chain| list.iter().all(Vec::is_empty);
    while lists.last().is_some_and(is_empty) {
        lists.pop();
    }
    Some(lists)
}

/// Returns the end of the word at an offset; `None` if it has syntax other than quotes and variables in braces.
fn word_end(command: &str, start: usize) -> Option<usize> {
    let mut quote = None;
    for (at, character) in command[start..].char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (None, '"' | '\'') => quote = Some(character),
            (_, '`' | '\\') | (None, '(' | ')' | '<' | '>' | '#' | '!') => return None,
            (_, '$') if command[start + at + 1..].starts_with('(') => return None,
            (None, ' ' | '\t' | '\n' | ';' | '|' | '&') => return Some(start + at),
            _ => {}
        }
    }
    quote.is_none().then_some(command.len())
}

/// Returns the range of a word without the quotes around it.
fn unquoted(command: &str, word: Range<usize>) -> Range<usize> {
    let written = &command[word.clone()];
    let is_quoted = |quote: char| {
        written.len() > 1
            && written.starts_with(quote)
            && written.ends_with(quote)
            && written.matches(quote).count() == 2
    };
    if is_quoted('"') || is_quoted('\'') { word.start + 1..word.end - 1 } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(command: &str) -> Vec<&str> {
        needed(command).into_iter().map(|range| &command[range]).collect()
    }

    #[test]
    fn finds_files_without_which_a_command_fails() {
        // As `claude` 2.1.332 ran them without the file x: each stopped the skill.
        for command in [
            "cat x",
            "cat x 2>/dev/null",
            "cat x && echo y",
            "echo y && cat x",
            "head -5 x",
            "tail -n 20 x",
            "wc -l x",
            "ls x",
            "sh x",
            "bash \"x\" --y",
            "du -sh x",
            "sort x",
            "[ -f x ] && cat y",
            "echo y; cat x",
            "y | cat x",
            "cat 'x'",
        ] {
            assert_eq!(words(command).first(), Some(&"x"), "{command}");
        }
        assert_eq!(words("./x.sh --y z"), ["./x.sh"]);
        assert_eq!(words("\"${CLAUDE_SKILL_DIR}\"/x.sh"), ["\"${CLAUDE_SKILL_DIR}\"/x.sh"]);
        assert_eq!(words("cat a b && wc -l c"), ["a", "b", "c"]);
    }

    #[test]
    fn leaves_out_commands_that_succeed_and_other_syntax() {
        for command in [
            "cat x || true",
            "cat x | head -3",
            "cat x; echo y",
            "cat x\necho y",
            "test -f x",
            "find x -name y",
            "cat x && grep y z",
            "grep -c y x",
            "file x",
            "bash -c x",
            "python3 -m x",
            "cd x && cat y",
            "git log && cat x",
            "cat $(x)",
            "cat <x",
            "if [ -f x ]; then cat x; fi",
            "set -e; cat x",
            "cat 'x",
            "cat x & y",
            "echo x > y",
            "",
        ] {
            assert_eq!(words(command), Vec::<&str>::new(), "{command}");
        }
    }
}
