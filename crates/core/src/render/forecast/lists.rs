//! Lists below the table: reasons and listings.

use std::collections::BTreeMap;
use std::io::{self, Write};

use bstr::ByteSlice;

use super::{fate_words, shown_name, skill_path};
use crate::catalog::Catalog;
use crate::forecast::{Fate, Forecast, RootForecast, Trim, plural};
use crate::profile::Said;
use crate::render::{Look, count, escape, wrap};
use crate::skill::SkillId;
use crate::text::grouped;

/// Maximum number of names in a list.
const SHOWN_NAMES: usize = 10;

/// Runtimes by the way in which they report a loss.
type Runtimes<'a> = BTreeMap<u8, Vec<&'a str>>;

/// Writes each reason once, followed by its skills and runtimes.
pub(super) fn write_reasons(
    catalog: &Catalog,
    forecasts: &[Forecast],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut reasons: BTreeMap<(u8, &str, String), BTreeMap<Runtimes<'_>, Vec<SkillId>>> = BTreeMap::new();
    for (id, _) in catalog.skills() {
        let mut own: BTreeMap<(u8, &str, String), Runtimes<'_>> = BTreeMap::new();
        for forecast in forecasts {
            let outcome = forecast.skill(id);
            let Some(reason) = &outcome.reason else { continue };
            let runtimes = own.entry((rank(outcome.fate), fate_words(outcome.fate), reason.to_string())).or_default();
            runtimes.entry(manner(outcome.said)).or_default().push(&forecast.profile);
        }
        for (reason, runtimes) in own {
            reasons.entry(reason).or_default().entry(runtimes).or_default().push(id);
        }
    }
    for ((_, fate, reason), groups) in reasons {
        writeln!(out)?;
        write_wrapped("", &format!("{fate}: {}", escape::text(&reason)), look, out)?;
        for (runtimes, skills) in groups {
            let names = skills.iter().map(|&id| skill_path(catalog, catalog.root(catalog.skill(id).root), id));
            write_wrapped("  ", &format!("{}: {}", some(names), by_manner(&runtimes)), look, out)?;
        }
    }
    Ok(())
}

/// Returns the sort order of fates, worst first.
fn rank(fate: Fate) -> u8 {
    match fate {
        Fate::Dropped => 0,
        Fate::Altered => 1,
        Fate::Unknown => 2,
        Fate::Loads => 3,
    }
}

/// How runtimes report a loss, the least visible first. If that is unknown, only the runtimes are named.
const MANNERS: [&str; 4] = ["silently by", "logged by", "with an error by", "in"];

fn manner(reported: Option<Said>) -> u8 {
    match reported {
        Some(Said::Nothing) => 0,
        Some(Said::Log) => 1,
        Some(Said::Error) => 2,
        None => 3,
    }
}

fn by_manner(runtimes: &Runtimes<'_>) -> String {
    let part = |(&manner, ids): (&u8, &Vec<&str>)| {
        let ids: Vec<String> = ids.iter().map(|id| escape::text(id)).collect();
        format!("{} {}", MANNERS[usize::from(manner)], ids.join(", "))
    };
    runtimes.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// Writes what each runtime lists of each root.
pub(super) fn write_budgets(
    catalog: &Catalog,
    forecasts: &[Forecast],
    look: Look,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (number, root) in catalog.parsed.roots.iter().enumerate() {
        writeln!(out, "\nlisted from {}", escape::shown_path(root.path.as_bstr()))?;
        let mut unlimited: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for forecast in forecasts {
            let listing = &forecast.roots[number];
            let id = escape::text(&forecast.profile);
            if listing.budget.is_none() && listing.shortened.is_empty() && listing.lost.is_empty() {
                unlimited.entry(listing.listed.len()).or_default().push(id);
                continue;
            }
            let names = listing.lost.iter().map(|&skill| listed_name(catalog, forecast, skill));
            let lost =
                if listing.lost.is_empty() { String::new() } else { format!("{}: {}", order(listing), some(names)) };
            write_wrapped("  ", &format!("{id}: {}{lost}", counts(listing)), look, out)?;
            if let Some(trim) = &listing.trim {
                write_wrapped("    ", &advice(catalog, forecast, listing, trim), look, out)?;
            }
        }
        for (listed, ids) in unlimited {
            let line = format!("no known limit, {} listed in full: {}", grouped(listed), ids.join(", "));
            write_wrapped("  ", &line, look, out)?;
        }
    }
    Ok(())
}

fn counts(listing: &RootForecast) -> String {
    let [whole, shortened, lost] =
        [&listing.listed, &listing.shortened, &listing.lost].map(|skills| grouped(skills.len()));
    let by_use = if listing.by_use { " (which ones depends on use)" } else { "" };
    let listed = format!("{whole} listed in full, {shortened} shortened{by_use}, {lost} left out");
    let window =
        listing.window.map_or(String::new(), |window| format!(" (context window: {} tokens)", grouped(window)));
    match (listing.budget, listing.unit) {
        (Some(budget), Some(unit)) => {
            format!("{} of {} {}{window}, {listed}", grouped(listing.wanted), grouped(budget), plural(unit))
        }
        _ => listed,
    }
}

/// Returns a note about the order in which names are dropped.
fn order(listing: &RootForecast) -> &'static str {
    if listing.is_ordered { "" } else { " (by name; its own order is unknown)" }
}

/// Returns advice on what to remove so that all other skills are listed in full.
fn advice(catalog: &Catalog, forecast: &Forecast, listing: &RootForecast, trim: &Trim) -> String {
    let mut steps = Vec::new();
    let all = listing.listed.len() + listing.shortened.len() + listing.lost.len();
    if trim.remove > 0 {
        let over = match listing.most_skills {
            Some(most) if trim.to.is_some() || trim.remove as u64 == (all as u64).saturating_sub(most) => {
                format!("the limit is {}", grouped(most))
            }
            _ => "the names alone use up the budget".to_owned(),
        };
        steps.push(format!("remove {} of {} skills ({over})", grouped(trim.remove), grouped(all)));
    }
    if let Some(to) = trim.to {
        let named = |&(skill, chars): &(SkillId, u64)| {
            format!("{} ({})", listed_name(catalog, forecast, skill), grouped(chars))
        };
        let names = some(trim.descriptions.iter().map(named));
        let characters = count(usize::try_from(trim.cut).unwrap_or(usize::MAX), "character");
        steps.push(format!(
            "shorten the longest descriptions to {} characters each, by {characters} in total: {names}",
            grouped(to)
        ));
    }
    let instead = match trim.to {
        Some(_) => format!("; or remove {} of {} skills", grouped(trim.instead), grouped(all)),
        None => String::new(),
    };
    format!("to list all remaining skills in full, {}{instead}", steps.join(", then "))
}

/// Returns the listed name of a skill, escaped.
fn listed_name(catalog: &Catalog, forecast: &Forecast, skill: SkillId) -> String {
    escape::text(&shown_name(catalog, forecast.skill(skill), skill))
}

/// Lists the first names and the number of others.
fn some(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(SHOWN_NAMES);
    let shown: Vec<String> = names.take(SHOWN_NAMES).collect();
    if more == 0 { shown.join(", ") } else { format!("{} and {} more", shown.join(", "), grouped(more)) }
}

/// Writes wrapped text. Lines after the first are indented by two more columns.
pub(super) fn write_wrapped(indent: &str, text: &str, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let width = look.width.saturating_sub(indent.len());
    for (number, line) in wrap::lines(text, width, width.saturating_sub(2)).iter().enumerate() {
        let deeper = if number == 0 { "" } else { "  " };
        writeln!(out, "{indent}{deeper}{line}")?;
    }
    Ok(())
}
