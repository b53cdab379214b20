//! The table: skills in rows, runtimes in columns, split into groups that fit the width.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr;

use super::{Column, lists, outcome_words, skill_path, sources};
use crate::render::{Look, escape};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, Outcome};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::roots::Root;
use skilltree_skills::skill::SkillId;

/// Minimum length of a shortened id in a column head.
const HEAD_CHARS: usize = 3;
/// Gap between two columns.
const GAP: usize = 2;
/// Gap between two entries of the legend.
const LEGEND_GAP: usize = 3;

/// A row: a root, or a skill below it.
struct Row {
    label: String,
    /// The skill; `None` for a root.
    skill: Option<SkillId>,
}

/// Writes forecasts for people: the legend, the table, the reasons, and the lists that models see. `profiles` are those of
/// the forecasts, in their order.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write(
    catalog: &Catalog,
    profiles: &[&Profile],
    forecasts: &[Forecast],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    if catalog.parsed.skills.is_empty() {
        return writeln!(out, "no skills");
    }
    let column = |(&profile, forecast)| Column { profile, forecast };
    let columns: Vec<Column<'_>> = profiles.iter().zip(forecasts).map(column).collect();
    let rows = rows(catalog);
    // A long path gets a separate line, so that the columns of the runtimes remain visible.
    let room = (look.width * 2 / 5).max(16);
    let widths = rows.iter().map(|row| row.label.width());
    let label = widths.filter(|width| *width <= room).max().unwrap_or(0);
    let names = columns.iter().map(|column| (column.profile.title.as_str(), column.profile.id.as_str()));
    let names: Vec<(&str, &str)> = names.collect();
    let width = look.width.saturating_sub(label);
    let mut heads = heads(&names, width);
    write_legend(&names, &heads, look, out)?;
    let alike = if fitting(&heads, width) < heads.len() { alike(&rows, &columns) } else { Vec::new() };
    write_alike(&alike, &mut heads, look, out)?;
    let shown: Vec<usize> = match alike.as_slice() {
        [] => (0..columns.len()).collect(),
        groups => groups.iter().map(|group| group[0]).collect(),
    };
    let heads: Vec<String> = shown.iter().map(|&number| heads[number].clone()).collect();
    let mut first = 0;
    while first < heads.len() {
        let last = first + fitting(&heads[first..], width);
        let part: Vec<&Column<'_>> = shown[first..last].iter().map(|&number| &columns[number]).collect();
        writeln!(out)?;
        write_group(&rows, &part, &heads[first..last], label, look, out)?;
        first = last;
    }
    lists::write_reasons(catalog, &columns, look, out)?;
    lists::write_budgets(catalog, &columns, look, out)?;
    sources::write(catalog, forecasts, look, out)
}

/// Groups the runtimes that have the same marks in all rows.
fn alike(rows: &[Row], columns: &[Column<'_>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Vec<&str>, Vec<usize>)> = Vec::new();
    for (number, column) in columns.iter().enumerate() {
        let skills = rows.iter().filter_map(|row| row.skill);
        let marks: Vec<&str> = skills.map(|skill| cell(column, skill).0).collect();
        match groups.iter_mut().find(|(known, _)| *known == marks) {
            Some((_, group)) => group.push(number),
            None => groups.push((marks, vec![number])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Lists the runtimes that share a column, and adds their number to its head: `codex+2`.
fn write_alike(alike: &[Vec<usize>], heads: &mut [String], look: Look, out: &mut dyn Write) -> io::Result<()> {
    for group in alike.iter().filter(|group| group.len() > 1) {
        let others: Vec<&str> = group[1..].iter().map(|&number| heads[number].as_str()).collect();
        let others = others.join(", ");
        let head = format!("{}+{}", heads[group[0]], group.len() - 1);
        lists::write_wrapped("", &format!("{head}: like {}: {others}", heads[group[0]]), look, out)?;
        heads[group[0]] = head;
    }
    Ok(())
}

/// Returns the mark of a runtime for a skill, and its color code.
fn cell(column: &Column<'_>, skill: SkillId) -> (&'static str, &'static str) {
    mark(column.forecast.skill(skill).outcome())
}

/// Returns the roots that have skills, each followed by its skills.
fn rows(catalog: &Catalog) -> Vec<Row> {
    let mut below: Vec<Vec<Row>> = catalog.parsed.roots.iter().map(|_| Vec::new()).collect();
    for (id, skill) in catalog.skills() {
        let root = catalog.root(skill.root);
        let label = format!("  {}", skill_path(catalog, root, id));
        below[skill.root.index()].push(Row { label, skill: Some(id) });
    }
    let roots = catalog.parsed.roots.iter().zip(below).filter(|(_, skills)| !skills.is_empty());
    let with_root = |(root, skills): (&Root, Vec<Row>)| {
        std::iter::once(Row { label: escape::path(root.shown_path()), skill: None }).chain(skills)
    };
    roots.flat_map(with_root).collect()
}

/// Returns the titles of the runtimes if they all fit, else their ids, else the shortest unique prefixes of those.
fn heads(names: &[(&str, &str)], width: usize) -> Vec<String> {
    let titles: Vec<String> = names.iter().map(|(title, _)| escape::text(title)).collect();
    let ids: Vec<String> = names.iter().map(|(_, id)| escape::text(id)).collect();
    if let Some(whole) = [titles, ids].into_iter().find(|heads| fitting(heads, width) >= heads.len()) {
        return whole;
    }
    let shared = |id: &str, other: &str| id.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let head = |(_, id): &(&str, &str)| {
        let others = names.iter().map(|(_, other)| *other).filter(|other| other != id);
        let chars = others.map(|other| shared(id, other) + 1).max().unwrap_or(0).max(HEAD_CHARS);
        escape::text(&id.chars().take(chars).collect::<String>())
    };
    names.iter().map(head).collect()
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
    columns: &[&Column<'_>],
    heads: &[String],
    label: usize,
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{:label$}", "")?;
    heads.iter().try_for_each(|head| write!(out, "{:GAP$}{head}", ""))?;
    writeln!(out)?;
    for row in rows {
        let Some(skill) = row.skill else {
            writeln!(out, "{}", row.label)?;
            continue;
        };
        match label.checked_sub(row.label.width()) {
            Some(rest) => write!(out, "{}{:rest$}", row.label, "")?,
            None => write!(out, "{}\n{:label$}", row.label, "")?,
        }
        let mut blanks = GAP;
        for (column, head) in columns.iter().zip(heads) {
            let (mark, color) = cell(column, skill);
            write!(out, "{:blanks$}{}", "", painted(mark, color, look))?;
            blanks = GAP + head.width().saturating_sub(mark.len());
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Returns the mark of an outcome, and its color code for terminals.
pub(super) fn mark(outcome: Outcome) -> (&'static str, &'static str) {
    match outcome {
        Outcome::Loads => ("+", "32"),
        Outcome::Changes => ("~", "33"),
        Outcome::Drops => ("x", "31"),
        Outcome::Unknown => ("?", "2"),
        Outcome::NotRead => ("-", "2"),
    }
}

fn painted(text: &str, color: &str, look: Look) -> String {
    if look.color { format!("\x1b[{color}m{text}\x1b[0m") } else { text.to_owned() }
}

fn write_legend(names: &[(&str, &str)], heads: &[String], look: Look, out: &mut dyn Write) -> io::Result<()> {
    let all = [Outcome::Loads, Outcome::Changes, Outcome::Drops, Outcome::Unknown, Outcome::NotRead];
    let marks = all.map(|outcome| {
        let ((mark, color), words) = (mark(outcome), outcome_words(outcome));
        (mark.len() + 1 + words.len(), format!("{} {words}", painted(mark, color, look)))
    });
    write_columns(&marks, look, out)?;
    let full = |(title, id): &(&str, &str)| [escape::text(title), escape::text(id)];
    let cut = names.iter().zip(heads).filter(|(name, head)| !full(name).contains(head));
    let cut: Vec<String> = cut.map(|((_, id), head)| format!("{head}={}", escape::text(id))).collect();
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
        let names = ids.map(|id| (if id == "codex" { "OpenAI Codex" } else { id }, id));
        let whole: usize = ids.iter().map(|id| id.len() + GAP).sum();
        assert_eq!(heads(&names, whole + 7), names.map(|(title, _)| title));
        assert_eq!(heads(&names, whole), ids);
        assert_eq!(heads(&names, whole - 1), ["cod", "cop", "opencl", "opencode", "pi", "opencode-"]);
    }
}
