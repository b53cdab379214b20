//! Names of skills with that of their plugin: `/office:find`, "the `office:find` skill", `Skill(office:find)`.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::bases::Bases;
use super::markdown::Structure;
use super::partners::{NAME_BYTES, PLACEHOLDERS};
use crate::name;
use crate::skill::links::Qualified;
use skilltree_front_matter::text::Place;

/// Parts of names in examples, besides those of names without a plugin.
const EXAMPLES: [&str; 4] = ["agent", "command", "skill", "xxx"];

/// Parts of words on a line about a name that is no longer one, or not yet.
const QUIET: [&str; 11] = [
    "creat",
    "deprecat",
    "e.g.",
    "example",
    "former",
    "instead of",
    "legacy",
    "no longer",
    "previous",
    "remov",
    "renam",
];

/// What precedes the name in a call of the tool that starts skills.
const CALLS: [&str; 9] =
    ["Skill(", "Skill(\"", "Skill('", "skill=\"", "skill='", "skill=", "skill: \"", "skill: '", "skill: "];

/// Words that ask for a skill by its name.
const VERBS: [&str; 4] = ["Use ", "use ", "Invoke ", "invoke "];

/// Returns the names in a text; at most `most`.
pub(super) fn find<F: FnOnce() -> Structure>(
    text: &str,
    start: usize,
    bases: &Bases<'_>,
    structure: &LazyCell<Structure, F>,
    most: usize,
) -> Vec<Qualified> {
    let colons = text.as_bytes().get(start..).unwrap_or_default().find_iter(":").map(|at| start + at);
    let mut end = start;
    let found = colons.filter_map(|at| {
        let (plugin, name) = around(text, at).filter(|(plugin, _)| plugin.start >= end)?;
        let whole = plugin.start..name.end;
        end = whole.end;
        if !is_skill(text, &whole) || structure.is_block(at) || structure.is_html(at) || is_quiet(text, at) {
            return None;
        }
        let (plugin, written) = (text[plugin].to_owned(), text[name.clone()].to_owned());
        let commands = bases.commands(&plugin, &written);
        Some(Qualified { place: Place::new(bases.file(), name), plugin, name: written, commands })
    });
    found.take(most).collect()
}

/// Returns the ranges of the name of a plugin and of its part around a colon.
fn around(text: &str, at: usize) -> Option<(Range<usize>, Range<usize>)> {
    let bytes = text.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let (before, after) = (&bytes[at.saturating_sub(NAME_BYTES + 1)..at], &bytes[at + 1..]);
    let after = &after[..after.len().min(2 * NAME_BYTES)];
    let plugin = before.iter().rev().take_while(|byte| is_name(byte)).count();
    let part = after.iter().take_while(|byte| is_name(byte) || **byte == b':').count();
    let part = after[..part].trim_end_with(|character| ".:-".contains(character)).len();
    let (plugin, part) = (at - plugin..at, at + 1..at + 1 + part);
    let (name, of_plugin) = (text.get(part.clone())?, text.get(plugin.clone())?);
    let is_open = PLACEHOLDERS.iter().chain(&EXAMPLES).any(|word| name.contains(word));
    let is_written = name.split(':').all(|word| name::is_well_formed(&word.replace('_', "-")));
    (is_written && !is_open && name::is_well_formed(of_plugin)).then_some((plugin, part))
}

/// Returns whether the text around a name says that it is a skill's, or a command's.
fn is_skill(text: &str, range: &Range<usize>) -> bool {
    let (before, after) = (&text[..range.start], &text[range.end..]);
    let is_in_word = after.starts_with(|next: char| next.is_alphanumeric() || "/_-<{[*".contains(next));
    let slash = before.strip_suffix('/').is_some_and(|before| {
        before.chars().next_back().is_none_or(|last| last.is_whitespace() || "`\"'([*".contains(last))
    });
    let span = before.strip_suffix('`').zip(after.strip_prefix('`'));
    let is_named = span.is_some_and(|(before, after)| before.ends_with("kill ") || after.starts_with(" skill"));
    let is_asked = || VERBS.iter().any(|verb| before.ends_with(verb));
    !is_in_word && (slash || is_named || CALLS.iter().any(|call| before.ends_with(call)) || is_asked())
}

/// Maximum bytes of a line before a name, and after it (ours: 200). Words beyond do not count.
const LINE_BYTES: usize = 200;

/// Returns whether the line of a name is about another name, or an example.
fn is_quiet(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let before = &bytes[at.saturating_sub(LINE_BYTES)..at];
    let after = &bytes[at..bytes.len().min(at + LINE_BYTES)];
    let before = &before[before.rfind_byte(b'\n').map_or(0, |newline| newline + 1)..];
    let line = [before, after.lines().next().unwrap_or_default()].concat().to_ascii_lowercase();
    QUIET.iter().any(|word| line.contains_str(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::{Body, File, Names, Role};
    use skilltree_front_matter::text::FileId;

    #[test]
    fn finds_skills_of_plugins() {
        let file = File::new("plugins/p/skills/a/SKILL.md", Role::Skill, None, Body::NotRead);
        let text = "Run /p:one, `/p:two x` or the `p:three` skill. Skill(p:four), skill: \"p:five\" and /p:sub:six.\n\
            `p:not-one`, https://p:eight, /p:nine/x, /p:<name>, /p:my-x, /p:a-skill, x/p:ten, /p: and 10:30.\n\
            Formerly /p:eleven.\n\n    /p:in-code\n";
        let structure = LazyCell::new(|| Structure::new(text, 0));
        let bases = Bases::new(FileId(0), &file, Names::new(&[]));
        let found = find(text, 0, &bases, &structure, 10);
        let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, ["one", "two", "three", "four", "five", "sub:six"]);
        assert!(found.iter().all(|found| found.plugin == "p" && text[found.place.range()] == found.name));
        let commands: Vec<String> = found[5].commands.iter().map(ToString::to_string).collect();
        assert!(commands.contains(&"plugins/p/commands/sub/six.md".to_owned()), "{commands:?}");
        assert_eq!(find(text, 0, &bases, &structure, 2).len(), 2);
    }
}
