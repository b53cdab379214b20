//! Forecasts for people: a line per runtime in the order of use, then what is lost or changed, by skill, then the lists.

use std::io::{self, Write};

use super::{Column, below, lists, packages, sources};
use crate::render::verdict::{self, Line};
use crate::render::{Look, escape};
use skilltree_front_matter::text::grouped;
use skilltree_lint::rule::Loaded;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Forecast;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::skill::SkillId;

/// What to show of forecasts.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// Whether a skill is of interest.
    pub is_wanted: &'a dyn Fn(SkillId) -> bool,
    /// Whether the caller chose the runtimes. Otherwise a runtime has to load only what it reads.
    pub is_explicit: bool,
    /// Number of runtimes that are shown; `None` for all.
    pub most: Option<usize>,
    /// The command that shows all runtimes.
    pub all: &'a str,
    /// Whether to name the version of each runtime.
    pub verbose: bool,
    /// Appearance.
    pub look: Look,
}

/// Writes forecasts for people. `profiles` are those of the forecasts, in their order.
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write(
    catalog: &Catalog,
    profiles: &[&Profile],
    forecasts: &[Forecast],
    view: View<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let skills: Vec<SkillId> = catalog.skills().map(|(id, _)| id).filter(|&id| (view.is_wanted)(id)).collect();
    if skills.is_empty() {
        writeln!(out, "no skills")?;
        return lists::write_flat(catalog, profiles, view.look, out);
    }
    let column = |(&profile, forecast)| {
        let loaded = Loaded::of_forecast(catalog, profile, forecast, &skills, view.is_explicit);
        (Column { profile, forecast }, loaded)
    };
    let mut columns: Vec<(Column<'_>, Loaded)> = profiles.iter().zip(forecasts).map(column).collect();
    columns.sort_by_key(|(_, loaded)| loaded.order());
    let (read, unread): (Vec<_>, Vec<_>) = columns.into_iter().partition(|(_, loaded)| loaded.skills > 0);
    let (shown, others) = read.split_at(read.len().min(view.most.unwrap_or(usize::MAX)));
    let mut lines: Vec<Line> = shown.iter().map(|(_, loaded)| verdict::line(catalog, loaded)).collect();
    // `check` counts the same runtimes: a specification loads nothing, and of some only the directories are known.
    let is_known = |column: &Column<'_>| {
        let profile = column.profile;
        profile.kind != Kind::Specification && !profile.loads.is_about_directories_only()
    };
    let others: Vec<&Loaded> =
        others.iter().filter(|(column, _)| view.is_explicit || is_known(column)).map(|(_, loaded)| loaded).collect();
    lines.extend(verdict::others(others.iter().copied(), view.all));
    verdict::block(&lines, "", view.look.width).iter().try_for_each(|line| writeln!(out, "{line}"))?;
    if !unread.is_empty() {
        let names: Vec<&str> = unread.iter().map(|(column, _)| column.profile.title.as_str()).collect();
        let words = format!("{} more read no skill: {}", grouped(names.len()), names.join(", "));
        lists::write_wrapped("", &escape::text(&words), view.look, out)?;
    }
    let shown: Vec<Column<'_>> = shown.iter().map(|(column, _)| *column).collect();
    lists::write_reasons(catalog, &skills, &shown, view, out)?;
    packages::write_text(&shown, catalog, view.look, out)?;
    lists::write_budgets(catalog, &shown, view.look, out)?;
    below::write(catalog, &skills, &shown, view.look, out)?;
    let profiles: Vec<&Profile> = shown.iter().map(|column| column.profile).collect();
    lists::write_flat(catalog, &profiles, view.look, out)?;
    if view.verbose {
        sources::write(catalog, shown.iter().map(|column| column.forecast), view.look, out)?;
    }
    Ok(())
}
