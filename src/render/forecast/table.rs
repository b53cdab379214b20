//! The table: skills down, runtimes across, in as many groups of columns as the width asks for.

use std::io::{self, Write};

use bstr::ByteSlice;
use unicode_width::UnicodeWidthStr;

use super::lists;
use crate::catalog::Catalog;
use crate::forecast::{Fate, Forecast};
use crate::render::{Look, escape};
use crate::roots::{Root, RootId};
use crate::skill::SkillId;

/// Letters of a runtime's id that a column's head has at least.
const HEAD_CHARS: usize = 3;
/// Columns between two columns of the table.
const GAP: usize = 2;
/// Columns between two texts of the legend.
const BESIDE: usize = 3;

/// A row: a root, or a skill below it.
struct Row {
    label: String,
    of: Of,
}

#[derive(Clone, Copy)]
enum Of {
    Root(RootId),
    Skill(SkillId),
}

/// Writes forecasts for people: the table, the reasons below it, and what each runtime lists of each root.
///
/// # Errors
/// What the writer fails with.
pub fn write(catalog: &Catalog, forecasts: &[Forecast], look: Look, out: &mut dyn Write) -> io::Result<()> {
    if catalog.parsed.skills.is_empty() {
        return writeln!(out, "no skills");
    }
    let rows = rows(catalog);
    // A long path must not push the runtimes out of sight: it stands on a line of its own.
    let room = (look.width * 2 / 5).max(16);
    let widths = rows.iter().map(|row| row.label.width());
    let label = widths.filter(|width| *width <= room).max().unwrap_or(0);
    let heads = heads(forecasts, look.width.saturating_sub(label));
    let mut first = 0;
    while first < heads.len() {
        let last = first + fitting(&heads[first..], look.width.saturating_sub(label));
        write_group(&rows, &forecasts[first..last], &heads[first..last], label, look, out)?;
        writeln!(out)?;
        first = last;
    }
    write_legend(forecasts, &heads, look, out)?;
    lists::write_reasons(catalog, forecasts, look, out)?;
    lists::write_budgets(catalog, forecasts, look, out)
}

/// The roots that have skills, each before its skills.
fn rows(catalog: &Catalog) -> Vec<Row> {
    let mut below: Vec<Vec<Row>> = catalog.parsed.roots.iter().map(|_| Vec::new()).collect();
    for (id, skill) in catalog.skills() {
        let root = catalog.root(skill.root);
        let label = format!("  {}", name(catalog, root, id));
        below[skill.root.index()].push(Row { label, of: Of::Skill(id) });
    }
    let roots = (0u32..).map(RootId).zip(&catalog.parsed.roots).zip(below).filter(|(_, skills)| !skills.is_empty());
    let with_root = |((id, root), skills): ((RootId, &Root), Vec<Row>)| {
        std::iter::once(Row { label: escape::path(root.path.as_bstr()), of: Of::Root(id) }).chain(skills)
    };
    roots.flat_map(with_root).collect()
}

/// A skill as the table names it: its path below the root, without the name of the file where that is SKILL.md.
pub(super) fn name(catalog: &Catalog, root: &Root, skill: SkillId) -> String {
    let path = catalog.path(skill).as_bytes();
    let below = path.strip_prefix(root.path.as_bytes()).unwrap_or(path);
    let below = below.strip_prefix(b"/").unwrap_or(below);
    escape::path(below.strip_suffix(b"/SKILL.md").unwrap_or(below).as_bstr())
}

/// For each runtime its id where all of them fit side by side, else the shortest beginning of it that no other shares.
fn heads(forecasts: &[Forecast], width: usize) -> Vec<String> {
    let whole: Vec<String> = forecasts.iter().map(|forecast| escape::text(&forecast.profile)).collect();
    if fitting(&whole, width) >= whole.len() {
        return whole;
    }
    let shared = |id: &str, other: &str| id.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let head = |forecast: &Forecast| {
        let id = forecast.profile.as_str();
        let others = forecasts.iter().map(|other| other.profile.as_str()).filter(|other| *other != id);
        let chars = others.map(|other| shared(id, other) + 1).max().unwrap_or(0).max(HEAD_CHARS);
        escape::text(&id.chars().take(chars).collect::<String>())
    };
    forecasts.iter().map(head).collect()
}

/// How many of the columns fit, one at least.
fn fitting(heads: &[String], width: usize) -> usize {
    let mut used = 0;
    let fits = |head: &&String| {
        used += head.width() + GAP;
        used <= width
    };
    heads.iter().take_while(fits).count().max(1)
}

fn write_group(
    rows: &[Row],
    forecasts: &[Forecast],
    heads: &[String],
    label: usize,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{:label$}", "")?;
    heads.iter().try_for_each(|head| write!(out, "{:GAP$}{head}", ""))?;
    writeln!(out)?;
    for row in rows {
        match label.checked_sub(row.label.width()) {
            Some(rest) => write!(out, "{}{:rest$}", row.label, "")?,
            None => write!(out, "{}\n{:label$}", row.label, "")?,
        }
        let mut blanks = GAP;
        for (forecast, head) in forecasts.iter().zip(heads) {
            let (mark, color) = match row.of {
                Of::Root(root) => (if forecast.root(root).reads { "yes" } else { "-" }, "2"),
                Of::Skill(skill) => mark(forecast.skill(skill).fate),
            };
            write!(out, "{:blanks$}{}", "", painted(mark, color, look))?;
            blanks = GAP + head.width().saturating_sub(mark.len());
        }
        writeln!(out)?;
    }
    Ok(())
}

/// The mark of a fate, and its colour as a terminal numbers it.
fn mark(fate: Fate) -> (&'static str, &'static str) {
    match fate {
        Fate::Loads => ("+", "32"),
        Fate::Altered => ("~", "33"),
        Fate::Dropped => ("x", "31"),
        Fate::Unknown => ("?", "2"),
    }
}

fn painted(text: &str, color: &str, look: Look) -> String {
    if look.color { format!("\x1b[{color}m{text}\x1b[0m") } else { text.to_owned() }
}

fn write_legend(forecasts: &[Forecast], heads: &[String], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let fates = [Fate::Loads, Fate::Altered, Fate::Dropped, Fate::Unknown].map(|fate| {
        let (mark, color) = mark(fate);
        (mark.len() + 1 + fate.word().len(), format!("{} {}", painted(mark, color, look), fate.word()))
    });
    write_beside(&fates, look, out)?;
    let reads = ["yes reads the root", "- does not; its skills are judged as if it did"];
    write_beside(&reads.map(|words| (words.len(), words.to_owned())), look, out)?;
    let ids = forecasts.iter().map(|forecast| escape::text(&forecast.profile)).zip(heads);
    let cut: Vec<String> = ids.filter(|(id, head)| id != *head).map(|(id, head)| format!("{head}={id}")).collect();
    if !cut.is_empty() {
        lists::write_wrapped("", &cut.join(", "), look, out)?;
    }
    Ok(())
}

/// Writes texts, each with its columns, side by side as far as they fit.
fn write_beside(texts: &[(usize, String)], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut used = 0;
    for (width, text) in texts {
        if used > 0 && used + BESIDE + width > look.width {
            writeln!(out)?;
            used = 0;
        }
        if *width > look.width {
            lists::write_wrapped("", text, look, out)?;
            continue;
        }
        let blanks = if used > 0 { BESIDE } else { 0 };
        write!(out, "{:blanks$}{text}", "")?;
        used += blanks + width;
    }
    if used > 0 { writeln!(out) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_columns_stand_side_by_side_as_fit() {
        let heads = ["cod", "opencl", "pi"].map(str::to_owned);
        let cases = [(0, 1), (5, 1), (12, 1), (13, 2), (16, 2), (17, 3), (100, 3)];
        for (width, expected) in cases {
            assert_eq!(fitting(&heads, width), expected, "{width} columns");
        }
    }

    #[test]
    fn a_head_is_the_shortest_beginning_that_no_other_shares() {
        let ids = ["codex", "copilot-cli", "openclaw", "opencode", "pi", "opencode-next"];
        let forecast = |id: &str| Forecast { profile: id.to_owned(), skills: Vec::new(), roots: Vec::new() };
        let forecasts = ids.map(forecast);
        let whole: usize = ids.iter().map(|id| id.len() + GAP).sum();
        assert_eq!(heads(&forecasts, whole), ids);
        assert_eq!(heads(&forecasts, whole - 1), ["cod", "cop", "opencl", "opencode", "pi", "opencode-"]);
    }
}
