//! The table: skills in rows, runtimes in columns, split into groups that fit the width.

use std::io::{self, Write};

use bstr::ByteSlice;
use unicode_width::UnicodeWidthStr;

use super::{fate_words, lists, skill_path, sources};
use crate::catalog::Catalog;
use crate::forecast::{Fate, Forecast};
use crate::render::{Look, escape};
use crate::roots::{Root, RootId};
use crate::skill::SkillId;

/// Minimum length of a shortened id in a column head.
const HEAD_CHARS: usize = 3;
/// Gap between two columns.
const GAP: usize = 2;
/// Gap between two entries of the legend.
const LEGEND_GAP: usize = 3;

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

/// Writes forecasts for people: the table, the reasons, and what each runtime lists of each root.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write(catalog: &Catalog, forecasts: &[Forecast], look: Look, out: &mut dyn Write) -> io::Result<()> {
    if catalog.parsed.skills.is_empty() {
        return writeln!(out, "no skills");
    }
    let rows = rows(catalog);
    // A long path gets a separate line, so that the columns of the runtimes remain visible.
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
    lists::write_budgets(catalog, forecasts, look, out)?;
    sources::write(catalog, forecasts, look, out)
}

/// Returns the roots that have skills, each followed by its skills.
fn rows(catalog: &Catalog) -> Vec<Row> {
    let mut below: Vec<Vec<Row>> = catalog.parsed.roots.iter().map(|_| Vec::new()).collect();
    for (id, skill) in catalog.skills() {
        let root = catalog.root(skill.root);
        let label = format!("  {}", skill_path(catalog, root, id));
        below[skill.root.index()].push(Row { label, of: Of::Skill(id) });
    }
    let roots = (0u32..).map(RootId).zip(&catalog.parsed.roots).zip(below).filter(|(_, skills)| !skills.is_empty());
    let with_root = |((id, root), skills): ((RootId, &Root), Vec<Row>)| {
        std::iter::once(Row { label: escape::path(root.path.as_bstr()), of: Of::Root(id) }).chain(skills)
    };
    roots.flat_map(with_root).collect()
}

/// Returns the ids of the runtimes if they all fit, or their shortest unique prefixes.
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

/// Returns the number of columns that fit, at least one.
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

/// Returns the mark of a fate, and its color code for terminals.
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
        (mark.len() + 1 + fate_words(fate).len(), format!("{} {}", painted(mark, color, look), fate_words(fate)))
    });
    write_columns(&fates, look, out)?;
    let reads = ["yes reads the skills directory", "- does not read it; forecast as if it did"];
    write_columns(&reads.map(|words| (words.len(), words.to_owned())), look, out)?;
    let ids = forecasts.iter().map(|forecast| escape::text(&forecast.profile)).zip(heads);
    let cut: Vec<String> = ids.filter(|(id, head)| id != *head).map(|(id, head)| format!("{head}={id}")).collect();
    if !cut.is_empty() {
        lists::write_wrapped("", &cut.join(", "), look, out)?;
    }
    Ok(())
}

/// Writes texts with given widths, as many per line as fit.
fn write_columns(texts: &[(usize, String)], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut used = 0;
    for (width, text) in texts {
        if used > 0 && used + LEGEND_GAP + width > look.width {
            writeln!(out)?;
            used = 0;
        }
        if *width > look.width {
            lists::write_wrapped("", text, look, out)?;
            continue;
        }
        let blanks = if used > 0 { LEGEND_GAP } else { 0 };
        write!(out, "{:blanks$}{text}", "")?;
        used += blanks + width;
    }
    if used > 0 { writeln!(out) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fits_as_many_columns_as_the_width_allows() {
        let heads = ["cod", "opencl", "pi"].map(str::to_owned);
        let cases = [(0, 1), (5, 1), (12, 1), (13, 2), (16, 2), (17, 3), (100, 3)];
        for (width, expected) in cases {
            assert_eq!(fitting(&heads, width), expected, "{width} columns");
        }
    }

    #[test]
    fn shortens_heads_to_unique_prefixes() {
        let ids = ["codex", "copilot-cli", "openclaw", "opencode", "pi", "opencode-next"];
        let forecast =
            |id: &str| Forecast { profile: id.to_owned(), basis: None, skills: Vec::new(), roots: Vec::new() };
        let forecasts = ids.map(forecast);
        let whole: usize = ids.iter().map(|id| id.len() + GAP).sum();
        assert_eq!(heads(&forecasts, whole), ids);
        assert_eq!(heads(&forecasts, whole - 1), ["cod", "cop", "opencl", "opencode", "pi", "opencode-"]);
    }
}
