//! What stands below the table: why, and what is listed.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bstr::ByteSlice;
use unicode_width::UnicodeWidthStr;

use super::{shown_name, table};
use crate::catalog::Catalog;
use crate::forecast::{Fate, Forecast, RootForecast, Trim, plural};
use crate::profile::Said;
use crate::render::{Look, count, escape};
use crate::skill::SkillId;

/// Names that are shown of a list.
const SHOWN_NAMES: usize = 10;

/// Who says what: the runtimes by how they tell.
type Tellers<'a> = BTreeMap<&'static str, Vec<&'a str>>;

/// Writes each reason once, and below it the skills with the runtimes that have it.
pub(super) fn write_reasons(
    catalog: &Catalog,
    forecasts: &[Forecast],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut reasons: BTreeMap<(u8, &str, String), BTreeMap<Tellers<'_>, Vec<SkillId>>> = BTreeMap::new();
    for (id, _) in catalog.skills() {
        let mut own: BTreeMap<(u8, &str, String), Tellers<'_>> = BTreeMap::new();
        for forecast in forecasts {
            let told = forecast.skill(id);
            let Some(reason) = &told.reason else { continue };
            let tellers = own.entry((rank(told.fate), told.fate.word(), reason.to_string())).or_default();
            tellers.entry(told.said.map_or("unknown", Said::word)).or_default().push(&forecast.profile);
        }
        for (reason, tellers) in own {
            reasons.entry(reason).or_default().entry(tellers).or_default().push(id);
        }
    }
    for ((_, fate, reason), groups) in reasons {
        writeln!(out)?;
        write_wrapped("", &format!("{fate}: {}", escape::text(&reason)), look, out)?;
        for (tellers, skills) in groups {
            let names = skills.iter().map(|&id| table::name(catalog, catalog.root(catalog.skill(id).root), id));
            write_wrapped("  ", &format!("{}: {}", some(names), told(&tellers)), look, out)?;
        }
    }
    Ok(())
}

/// Where the reasons of a fate stand: the worst first.
fn rank(fate: Fate) -> u8 {
    match fate {
        Fate::Dropped => 0,
        Fate::Altered => 1,
        Fate::Unknown => 2,
        Fate::Loads => 3,
    }
}

fn told(tellers: &Tellers<'_>) -> String {
    let manner = |said: &str| match said {
        "error" => "an error in",
        "log" => "logged by",
        "nothing" => "without a word by",
        // Whether it is told at all is not known, so nothing is said of it.
        _ => "in",
    };
    let part = |(said, ids): (&&str, &Vec<&str>)| {
        let ids: Vec<String> = ids.iter().map(|id| escape::text(id)).collect();
        format!("{} {}", manner(said), ids.join(", "))
    };
    tellers.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// Writes for each root what each runtime lists of it.
pub(super) fn write_budgets(
    catalog: &Catalog,
    forecasts: &[Forecast],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (number, root) in catalog.parsed.roots.iter().enumerate() {
        writeln!(out, "\nlisted of {}", escape::shown_path(root.path.as_bstr()))?;
        let mut unlimited: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for forecast in forecasts {
            let told = &forecast.roots[number];
            let id = escape::text(&forecast.profile);
            if told.budget.is_none() && told.shortened.is_empty() && told.lost.is_empty() {
                unlimited.entry(told.listed.len()).or_default().push(id);
                continue;
            }
            let names = told.lost.iter().map(|&skill| listed_name(catalog, forecast, skill));
            let lost = if told.lost.is_empty() { String::new() } else { format!("{}: {}", order(told), some(names)) };
            write_wrapped("  ", &format!("{id}: {}{lost}", counts(told)), look, out)?;
            if let Some(trim) = &told.trim {
                write_wrapped("    ", &advice(catalog, forecast, told, trim), look, out)?;
            }
        }
        for (listed, ids) in unlimited {
            let line = format!("no limit is known, {listed} listed whole: {}", ids.join(", "));
            write_wrapped("  ", &line, look, out)?;
        }
    }
    Ok(())
}

fn counts(told: &RootForecast) -> String {
    let listed =
        format!("{} listed whole, {} shortened, {} lost", told.listed.len(), told.shortened.len(), told.lost.len());
    let window = told.window.map_or(String::new(), |window| format!(" (for a window of {window} tokens)"));
    match (told.budget, told.unit) {
        (Some(budget), Some(unit)) => format!("{} of {budget} {}{window}, {listed}", told.wanted, plural(unit)),
        _ => listed,
    }
}

/// What is to be known of the order in which names are lost.
fn order(told: &RootForecast) -> &'static str {
    if told.is_ordered { "" } else { " (by name: its own order is not known)" }
}

/// What to take away so that all the rest is listed whole.
fn advice(catalog: &Catalog, forecast: &Forecast, told: &RootForecast, trim: &Trim) -> String {
    let mut steps = Vec::new();
    let all = told.listed.len() + told.shortened.len() + told.lost.len();
    if trim.remove > 0 {
        let over = match told.most_skills {
            Some(most) if trim.to.is_some() || trim.remove as u64 == (all as u64).saturating_sub(most) => {
                format!("{most} are listed at most")
            }
            _ => "the names leave no room for their descriptions".to_owned(),
        };
        steps.push(format!("take {} of {all} skills out of the root ({over})", trim.remove));
    }
    if let Some(to) = trim.to {
        let named = |&(skill, chars): &(SkillId, u64)| format!("{} ({chars})", listed_name(catalog, forecast, skill));
        let names = some(trim.descriptions.iter().map(named));
        let characters = count(usize::try_from(trim.cut).unwrap_or(usize::MAX), "character");
        steps.push(format!("cut {characters} from the descriptions, the longest first, to {to} each: {names}"));
    }
    let instead = match trim.to {
        Some(_) => format!("; or take {} of {all} skills out of the root", trim.instead),
        None => String::new(),
    };
    format!("for all that stay to be listed whole, {}{instead}", steps.join(", then "))
}

/// The name of a skill as a list for people shows it.
fn listed_name(catalog: &Catalog, forecast: &Forecast, skill: SkillId) -> String {
    escape::text(&shown_name(catalog, forecast.skill(skill), skill))
}

/// The first names of a list, and how many follow.
fn some(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(SHOWN_NAMES);
    let shown: Vec<String> = names.take(SHOWN_NAMES).collect();
    if more == 0 { shown.join(", ") } else { format!("{} and {more} more", shown.join(", ")) }
}

/// Writes a text in lines that fit, broken between words; those after the first stand two columns further in.
pub(super) fn write_wrapped(indent: &str, text: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut line = indent.to_owned();
    let mut is_empty = true;
    for word in text.split(' ') {
        if !is_empty && line.width() + 1 + word.width() > look.width {
            writeln!(out, "{line}")?;
            line = format!("{indent}  ");
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    writeln!(out, "{line}")
}
