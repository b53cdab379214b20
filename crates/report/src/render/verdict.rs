//! The verdict: what the most used runtimes in scope load, worst first, in a line each.

use std::cmp::Reverse;

use bstr::ByteSlice;
use unicode_width::UnicodeWidthStr;

use super::{Commands, escape};
use skilltree_front_matter::text::grouped;
use skilltree_lint::lint::Report;
use skilltree_lint::rule::{Loaded, Lot, Phrase, listed};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Outcome;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Number of runtimes with a line each.
const SHOWN: usize = 5;

/// Maximum number of skills directories that a line names.
const DIRECTORIES: usize = 2;

/// A line: the runtime, or what the line is about, and the result.
pub(super) struct Line {
    pub(super) label: String,
    pub(super) text: String,
    /// Whether it ends with a command, which has a line of its own rather than being cut.
    pub(super) has_command: bool,
}

/// Returns the verdict, indented and at most `width` columns wide. Empty if no runtime is in scope.
pub fn verdict(report: &Report, commands: &Commands, width: usize) -> Vec<String> {
    block(&lines(report, commands), "  ", width)
}

/// Returns lines with their results in one column, at most `width` columns wide.
pub(super) fn block(lines: &[Line], indent: &str, width: usize) -> Vec<String> {
    let label = lines.iter().filter(|line| !line.text.is_empty()).map(|line| line.label.width()).max().unwrap_or(0);
    let shown = |line: &Line| match line.text.as_str() {
        "" => format!("{indent}{}", line.label),
        text => {
            let blanks = label.saturating_sub(line.label.width()) + 2;
            format!("{indent}{}{:blanks$}{text}", line.label, "")
        }
    };
    let fitting = |line: &Line| {
        let whole = shown(line);
        match whole.split_once(": ").filter(|_| line.has_command && whole.width() > width) {
            Some((fact, command)) => vec![cut(&format!("{fact}:"), width), format!("{indent}  {command}")],
            None => vec![cut(&whole, width)],
        }
    };
    lines.iter().flat_map(fitting).collect()
}

/// Returns the lines of the most used runtimes, the worst first, and one about the others.
pub(super) fn lines(report: &Report, commands: &Commands) -> Vec<Line> {
    let (shown, others) = report.loaded.split_at(report.loaded.len().min(SHOWN));
    let all = report.reported.unwrap_or_else(|| report.catalog.skill_count());
    let mut lines = Vec::new();
    if shown.iter().all(|loaded| loaded.is_whole() && loaded.skills == all) {
        lines.extend(whole(shown, others, all));
    } else {
        let mut worst: Vec<&Loaded> = shown.iter().collect();
        worst.sort_by_key(|loaded| Reverse(loaded.badness()));
        lines.extend(worst.into_iter().map(|loaded| line(&report.catalog, loaded)));
    }
    let is_told = lines.len() == 1 && others.iter().all(Loaded::is_whole) && lines[0].text.is_empty();
    if !is_told {
        lines.extend(self::others(others.iter(), &commands.forecast));
    }
    lines
}

/// Returns the line of a runtime.
pub(super) fn line(catalog: &Catalog, loaded: &Loaded) -> Line {
    Line { label: escape::text(&loaded.runtime.title), text: result(catalog, loaded), has_command: false }
}

/// Returns the line about runtimes that are not shown, and the command that shows them.
pub(super) fn others<'a>(others: impl ExactSizeIterator<Item = &'a Loaded> + Clone, command: &str) -> Option<Line> {
    let one = others.len() == 1;
    let losing = match others.clone().filter(|loaded| loaded.dropped() > 0).count() {
        0 if others.clone().all(Loaded::is_whole) => {
            format!("{} all that {}: ", if one { "loads" } else { "load" }, if one { "it reads" } else { "they read" })
        }
        0 => format!("{} none: ", if one { "drops" } else { "drop" }),
        _ if one => "drops skills: ".to_owned(),
        1 => "1 of them drops skills: ".to_owned(),
        losing if losing == others.len() => "drop skills: ".to_owned(),
        losing => format!("{} of them drop skills: ", grouped(losing)),
    };
    let label = format!("{} more", grouped(others.len()));
    (others.len() > 0).then(|| Line { label, text: format!("{losing}{command}"), has_command: true })
}

/// Returns the line for runtimes that load all skills. Of others that do, too, it says the number.
fn whole(shown: &[Loaded], others: &[Loaded], all: usize) -> Option<Line> {
    let mut names: Vec<String> = shown.iter().map(|loaded| escape::text(&loaded.runtime.title)).collect();
    if !others.is_empty() && others.iter().all(Loaded::is_whole) {
        names.truncate(SHOWN - 1);
        names.push(format!("{} more", grouped(shown.len() + others.len() - names.len())));
    }
    let skills = if all == 1 { "the skill" } else { "every skill" };
    let load = if names.len() == 1 { "loads" } else { "load" };
    let label = format!("{} {load} {skills}", listed(&names));
    (!names.is_empty()).then(|| Line { label, text: String::new(), has_command: false })
}

/// Describes the result of a runtime: `1 of 2 loaded: pdf rejected`.
fn result(catalog: &Catalog, loaded: &Loaded) -> String {
    if loaded.unknown.count == loaded.skills {
        return "unknown".to_owned();
    }
    let mut facts: Vec<String> =
        loaded.lost.iter().map(|(phrase, lot)| format!("{} {}", names(catalog, lot), effect(*phrase))).collect();
    if loaded.unknown.count > 0 {
        facts.push(format!("{} unknown", names(catalog, &loaded.unknown)));
    }
    facts.extend(unread(catalog, loaded));
    facts.extend(
        loaded.hidden.iter().map(|(words, lot)| format!("{} hidden {}", names(catalog, lot), escape::text(words))),
    );
    if loaded.files > 0 {
        let files = if loaded.files == 1 { "Markdown file" } else { "Markdown files" };
        facts.push(format!("{} {files} not checked", grouped(loaded.files)));
    }
    if loaded.omitted > 0 {
        facts.push(format!("{} not listed", grouped(loaded.omitted)));
    }
    if loaded.shortened > 0 {
        facts.push(format!("{} without their full description", grouped(loaded.shortened)));
    }
    if loaded.together > loaded.shortened {
        facts.push(format!("with all plugins {} not in full", grouped(loaded.together)));
    }
    let facts = if facts.is_empty() { String::new() } else { format!(": {}", facts.join(", ")) };
    format!("{} of {} loaded{facts}", grouped(loaded.count()), grouped(loaded.skills))
}

/// Names the skills directories that a runtime does not read: `2 in .agents/skills and 1 in .codex/skills not read`.
fn unread(catalog: &Catalog, loaded: &Loaded) -> Option<String> {
    let (named, others) = loaded.unread.split_at(loaded.unread.len().min(DIRECTORIES));
    let path = |root| escape::path(catalog.root(root).shown_path());
    let is_all = loaded.unread() == loaded.skills;
    let part = |&(root, skills): &(RootId, usize)| match is_all {
        true => path(root),
        false => format!("{} in {}", grouped(skills), path(root)),
    };
    let mut parts: Vec<String> = named.iter().map(part).collect();
    if !others.is_empty() {
        let skills: usize = others.iter().map(|(_, skills)| skills).sum();
        let directories = if others.len() == 1 { "directory" } else { "directories" };
        parts.push(format!("{} in {} more {directories}", grouped(skills), grouped(others.len())));
    }
    (!parts.is_empty()).then(|| format!("{} not read", listed(&parts)))
}

/// Names some skills: `pdf, csv, docx and 2 more`.
fn names(catalog: &Catalog, lot: &Lot) -> String {
    let mut names: Vec<String> = lot.first.iter().map(|&id| name(catalog, id)).collect();
    let more = lot.count - names.len();
    if more > 0 {
        names.push(format!("{} more", grouped(more)));
    }
    listed(&names)
}

/// Describes what a runtime does with skills: `silently dropped`, `with changes`.
fn effect(phrase: Phrase) -> &'static str {
    let effect = phrase.effect();
    match phrase.outcome() {
        Outcome::Drops => effect,
        _ => effect.strip_prefix("loaded ").unwrap_or(effect),
    }
}

/// Returns the name of a skill's directory; of a skill that is a whole repository, its own name.
fn name(catalog: &Catalog, id: SkillId) -> String {
    let skill = catalog.skill(id);
    match skill.directory.is_empty() {
        true => skill.name().map_or_else(|| "SKILL.md".to_owned(), escape::text),
        false => escape::path(skill.directory.as_bstr()),
    }
}

/// Cuts a line to a number of columns after a word, with three dots if something is missing. A first word that is too long is cut.
fn cut(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    let mut cut = String::new();
    for character in line.chars() {
        let with = cut.width() + character.to_string().width();
        if with + 3 > width {
            break;
        }
        cut.push(character);
    }
    let in_word = !cut.ends_with(' ') && !line[cut.len()..].starts_with(' ');
    let end = if in_word && cut.trim_start().contains(' ') { cut.rfind(' ') } else { None };
    let whole = cut[..end.unwrap_or(cut.len())].trim_end_matches([' ', ',', ':']);
    format!("{whole}...")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_after_a_word() {
        assert_eq!(cut("Codex  1 of 2 loaded: pdf rejected", 34), "Codex  1 of 2 loaded: pdf rejected");
        assert_eq!(cut("Codex  1 of 2 loaded: pdf rejected", 33), "Codex  1 of 2 loaded: pdf...");
        assert_eq!(cut("Codex  1 of 2 loaded: pdf rejected", 27), "Codex  1 of 2 loaded...");
        assert_eq!(cut("  unbreakable", 10), "  unbre...");
        let line = Line { label: "9 more".into(), text: "drop skills: skilltree forecast".into(), has_command: true };
        assert_eq!(block(&[line], "", 12), ["9 more...", "  skilltree forecast"]);
        let line = Line { label: "9 more".into(), text: "drop skills: skilltree forecast".into(), has_command: true };
        assert_eq!(block(&[line], "", 24), ["9 more  drop skills:", "  skilltree forecast"]);
    }
}
