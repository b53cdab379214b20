//! Changes as text.

use std::io::{self, Write};

use bstr::{BStr, ByteSlice};

use super::{Between, named, shown_patch, sizes, widened};
use crate::render::{Look, escape};
use skilltree_front_matter::text::grouped;
use skilltree_lint::changes::{Affected, Changes, Kind, SkillChange, SkillState};
use skilltree_lint::rule::listed;

/// Maximum number of skills that are named.
const SKILLS: usize = 200;
/// Maximum number of runtimes and of the skills of each that are named.
const AFFECTED: usize = 10;
const RUNTIMES: usize = 100;

/// Maximum number of things that are named of one skill that lets an agent do more.
pub(super) const POWERS: usize = 20;

/// Writes the summary, what an agent may newly do, the runtimes, the skills, and the diff of the prompt block.
pub(super) fn write(changes: &Changes, between: &Between, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", escape::text(&changes.summary()))?;
    section(out, &changes.authority, SKILLS, |authority| format!("{}\n", widened(authority, POWERS)))?;
    let impacts = changes.impacts();
    section(out, &impacts, RUNTIMES, |(words, impact)| {
        let skill = |skill: &Affected| match &skill.reason {
            Some(reason) => format!("{} ({})", escape::text(&skill.name), escape::text(reason)),
            None => escape::text(&skill.name),
        };
        format!("{}: {}\n", escape::text(words), named(impact, AFFECTED, skill))
    })?;
    section(out, &changes.skills, SKILLS, skill)?;
    if !changes.patch.is_empty() {
        writeln!(out)?;
        shown_patch(changes).split_inclusive('\n').try_for_each(|line| write_line(line, between.look, out))?;
    }
    Ok(())
}

/// Writes a blank line and the first items.
fn section<T>(out: &mut dyn Write, items: &[T], most: usize, entry: impl Fn(&T) -> String) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    items.iter().take(most).try_for_each(|item| out.write_all(entry(item).as_bytes()))?;
    match items.len().saturating_sub(most) {
        0 => Ok(()),
        more => writeln!(out, "and {} more (`--format json` lists all)", grouped(more)),
    }
}

fn skill(change: &SkillChange) -> String {
    let kind = change.kind();
    let mut text = format!("{} {}", change.word(), escape::shown_path(change.path()));
    if let (Some(before), Some(after)) = (&change.before, &change.after)
        && kind == Kind::Renamed
    {
        text = format!("{} {}", kind.word(), moved(before, after));
    }
    text.push_str(&format!(": {}\n", sizes(change)));
    for Text { is_new, key, runtimes, text: value } in texts(change) {
        let sign = if is_new { '+' } else { '-' };
        text.push_str(&format!("  {sign} {key}{runtimes}: {}\n", shown(value)));
    }
    text
}

/// Formats a text of a skill; front matter that cannot be read has none.
fn shown(text: &str) -> String {
    if text.is_empty() { "(none)".to_owned() } else { escape::text(text) }
}

/// Describes a rename: the paths, or the names if only those differ.
fn moved(before: &SkillState, after: &SkillState) -> String {
    let path = |path: &BStr| escape::shown_path(path);
    let names = || format!("{} to {}", escape::text(&before.name), escape::text(&after.name));
    match (before.path == after.path, before.name == after.name) {
        (true, _) => format!("{} ({})", path(after.path.as_bstr()), names()),
        (false, true) => format!("{} to {}", path(before.path.as_bstr()), path(after.path.as_bstr())),
        (false, false) => {
            format!("{} to {} ({})", path(before.path.as_bstr()), path(after.path.as_bstr()), names())
        }
    }
}

/// A text of a skill that the change adds or removes.
pub(super) struct Text<'a> {
    pub(super) is_new: bool,
    pub(super) key: &'static str,
    /// The runtimes that read the text, if others read another one: ` for Codex`.
    pub(super) runtimes: String,
    pub(super) text: &'a str,
}

/// Returns the texts that differ: of each key, the old ones and the new ones. Of a new skill, it is the description.
pub(super) fn texts(change: &SkillChange) -> Vec<Text<'_>> {
    let Some(after) = &change.after else { return Vec::new() };
    let Some(before) = &change.before else { return descriptions(after, true) };
    let mut texts = Vec::new();
    if (&before.description, &before.readings) != (&after.description, &after.readings) {
        texts.extend(descriptions(before, false));
        texts.extend(descriptions(after, true));
    }
    if before.when_to_use != after.when_to_use {
        for (state, is_new) in [(before, false), (after, true)] {
            let text = state.when_to_use.as_deref().unwrap_or_default();
            texts.push(Text { is_new, key: "when_to_use", runtimes: String::new(), text });
        }
    }
    texts
}

/// Returns the description of a skill, one per reading if runtimes differ.
fn descriptions(state: &SkillState, is_new: bool) -> Vec<Text<'_>> {
    let of = |runtimes: String, text| Text { is_new, key: "description", runtimes, text };
    if state.readings.is_empty() {
        return vec![of(String::new(), &state.description)];
    }
    let readings = state.readings.iter();
    readings.map(|one| of(format!(" for {}", listed(&one.runtimes)), &one.description)).collect()
}

/// Writes a line of the diff, in color on a terminal.
fn write_line(line: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let color = match line.as_bytes().first() {
        Some(b'+') => "32",
        Some(b'-') => "31",
        Some(b'@') => "36",
        _ => "",
    };
    match line.strip_suffix('\n') {
        Some(content) if look.color && !color.is_empty() => writeln!(out, "\x1b[{color}m{content}\x1b[0m"),
        _ => out.write_all(line.as_bytes()),
    }
}
