//! Forecasts: text for people, JSON for programs.

use std::borrow::Cow;
use std::io::{self, Write};

use bstr::ByteSlice;
use serde::Serialize;

use super::escape;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, ListForecast, ListScope, RootForecast, plural};
#[cfg(feature = "html")]
use skilltree_runtimes::forecast::{Outcome, SkillForecast};
use skilltree_runtimes::profile::{Profile, Reported};
use skilltree_skills::json;
use skilltree_skills::parallel;
use skilltree_skills::roots::{self, Root};
use skilltree_skills::skill::{Skill, SkillId};

mod below;
pub mod cost;
mod lists;
mod packages;
mod sources;
mod text_format;

#[cfg(feature = "html")]
pub(super) use lists::{advice as list_advice, counts as list_size, listed_name};
pub use text_format::{View, write as write_text};

/// Name of the schema.
const SCHEMA: &str = "skilltree/forecast/v1";

/// A runtime and its forecast.
#[derive(Clone, Copy)]
pub(super) struct Column<'a> {
    profile: &'a Profile,
    forecast: &'a Forecast,
}

/// Number of lines rendered before they are written (ours: 512; a line may have tens of kilobytes).
const BLOCK: usize = 512;

#[derive(Serialize)]
struct SkillEntry<'a> {
    path: String,
    root: String,
    forecasts: Vec<OutcomeEntry<'a>>,
}

#[derive(Serialize)]
struct OutcomeEntry<'a> {
    target: &'a str,
    outcome: &'static str,
    name: Option<Cow<'a, str>>,
    description: Option<Cow<'a, str>>,
    reason: Option<String>,
    reported: Option<&'static str>,
}

#[derive(Serialize)]
struct RootEntry<'a> {
    path: String,
    targets: Vec<Listed<'a>>,
}

#[derive(Serialize)]
struct Listed<'a> {
    target: &'a str,
    limit: Option<u64>,
    unit: Option<&'static str>,
    window: Option<u64>,
    most_skills: Option<u64>,
    wanted: Option<u64>,
    own: Option<u64>,
    bundled: Option<u64>,
    listed: usize,
    shortened: usize,
    lost: Vec<Cow<'a, str>>,
    trim: Option<TrimEntry<'a>>,
}

/// A list that a runtime shows: see [`Listed`], over several roots.
#[derive(Serialize)]
struct ListEntry<'a> {
    /// The package or the marketplace whose skills are listed; `null` for skills directories.
    package: Option<String>,
    marketplace: Option<String>,
    /// Whether the skills of the project are listed with those of the marketplace.
    with_project: bool,
    roots: Vec<String>,
    #[serde(flatten)]
    list: Listed<'a>,
}

#[derive(Serialize)]
struct TrimEntry<'a> {
    remove: usize,
    instead: usize,
    cut: u64,
    to: Option<u64>,
    descriptions: Vec<Long<'a>>,
}

#[derive(Serialize)]
struct Long<'a> {
    name: Cow<'a, str>,
    characters: u64,
}

/// Writes forecasts as JSON by schema/forecast.json: one line per wanted skill, one per root and one per list. `source` is the checked
/// source, as in [`Options::source`](super::Options::source).
///
/// # Errors
///
/// Returns the errors of the writer.
pub fn write_json(
    catalog: &Catalog,
    forecasts: &[Forecast],
    is_wanted: &dyn Fn(SkillId) -> bool,
    source: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{{\"schema\":\"{SCHEMA}\",\n\"source\":")?;
    json::write_value(source, out)?;
    out.write_all(b",\n\"skills\":[")?;
    let skills: Vec<(SkillId, &Skill)> = catalog.skills().filter(|&(id, _)| is_wanted(id)).collect();
    write_lines(&skills, out, |&(id, skill)| SkillEntry {
        path: text::lossless(catalog.path(id)),
        root: text::lossless(catalog.root(skill.root).path.as_ref()),
        forecasts: forecasts.iter().map(|forecast| outcome_entry(catalog, forecast, id)).collect(),
    })?;
    out.write_all(b"\n],\n\"roots\":[")?;
    let roots: Vec<(usize, &Root)> = catalog.parsed.roots.iter().enumerate().collect();
    write_lines(&roots, out, |&(number, root)| RootEntry {
        path: text::lossless(root.shown_path()),
        targets: forecasts.iter().map(|forecast| listing_entry(catalog, forecast, &forecast.roots[number])).collect(),
    })?;
    out.write_all(b"\n],\n\"packages\":[")?;
    write_lines(&packages::entries(catalog, forecasts), out, |entry| entry)?;
    out.write_all(b"\n],\n\"lists\":[")?;
    let lists = forecasts.iter().flat_map(|forecast| forecast.lists.iter().map(move |list| (forecast, list)));
    let lists: Vec<(&Forecast, &ListForecast)> = lists.filter(|(_, list)| list.listing.reads).collect();
    write_lines(&lists, out, |(forecast, list)| list_entry(catalog, forecast, list))?;
    out.write_all(b"\n]}\n")
}

fn list_entry<'a>(catalog: &'a Catalog, forecast: &'a Forecast, list: &'a ListForecast) -> ListEntry<'a> {
    ListEntry {
        package: match list.scope {
            ListScope::Package(number) => Some(text::lossless(forecast.found.all[number].shown_directory())),
            _ => None,
        },
        marketplace: list.scope.marketplace().map(|number| catalog.manifest_path(number)),
        with_project: matches!(list.scope, ListScope::ProjectWith(_)),
        roots: list.roots.iter().map(|&root| text::lossless(catalog.root(root).shown_path())).collect(),
        list: listing_entry(catalog, forecast, &list.listing),
    }
}

/// Writes the items of an array, one per line. Blocks of lines are rendered in parallel and written one after another.
fn write_lines<'a, T: Sync, E: Serialize + 'a>(
    items: &'a [T],
    out: &mut dyn Write,
    entry: impl Fn(&'a T) -> E + Sync,
) -> io::Result<()> {
    let mut before = "\n";
    for block in items.chunks(BLOCK) {
        let lines = parallel::map(block, |item| {
            let mut line = Vec::new();
            json::write_value(&entry(item), &mut line).map(|()| line)
        });
        for line in lines {
            out.write_all(before.as_bytes())?;
            out.write_all(&line?)?;
            before = ",\n";
        }
    }
    Ok(())
}

fn outcome_entry<'a>(catalog: &'a Catalog, forecast: &'a Forecast, id: SkillId) -> OutcomeEntry<'a> {
    let (skill, found) = (catalog.skill(forecast.best(id)), forecast.skill(id));
    let read = Some(found).filter(|found| found.reads_root);
    OutcomeEntry {
        target: &forecast.profile,
        outcome: found.outcome().word(),
        name: read.and_then(|read| Some(read.name.as_ref()?.text(skill, "name"))),
        description: read.and_then(|read| Some(read.description.as_ref()?.text(skill, "description"))),
        reason: read.and_then(|read| read.reason.as_ref().map(ToString::to_string)),
        reported: read.and_then(|read| read.reported).map(Reported::word),
    }
}

fn listing_entry<'a>(catalog: &'a Catalog, forecast: &'a Forecast, listing: &'a RootForecast) -> Listed<'a> {
    let name = |id| shown_name(catalog, forecast, id);
    let long = |&(id, characters): &(SkillId, u64)| Long { name: name(id), characters };
    Listed {
        target: &forecast.profile,
        limit: listing.budget,
        unit: listing.budget.and(listing.unit).map(plural),
        window: listing.window,
        most_skills: listing.most_skills,
        wanted: listing.budget.map(|_| listing.wanted),
        own: listing.budget.map(|_| listing.own()),
        bundled: listing.budget.map(|_| listing.bundled),
        listed: listing.listed.len(),
        shortened: listing.shortened.len(),
        lost: listing.lost.iter().map(|&id| name(id)).collect(),
        trim: listing.trim.as_ref().map(|trim| TrimEntry {
            remove: trim.remove,
            instead: trim.instead,
            cut: trim.cut,
            to: trim.to,
            descriptions: trim.descriptions.iter().map(long).collect(),
        }),
    }
}

/// Returns the listed name of a skill at its path, or its directory if the name is unknown.
fn shown_name<'a>(catalog: &'a Catalog, forecast: &'a Forecast, id: SkillId) -> Cow<'a, str> {
    let skill = catalog.skill(id);
    match &forecast.skills[id.index()].name {
        Some(name) => name.text(skill, "name"),
        None => Cow::Owned(text::lossless(skill.directory.as_ref())),
    }
}

/// Returns the mark of an outcome, and a word for it.
#[cfg(feature = "html")]
pub(super) fn outcome(forecast: &SkillForecast) -> (&'static str, &'static str) {
    let outcome = forecast.outcome();
    (mark(outcome), outcome.word())
}

/// Returns the mark of an outcome.
#[cfg(feature = "html")]
fn mark(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Loads => "+",
        Outcome::Changes => "~",
        Outcome::Drops => "x",
        Outcome::Unknown => "?",
        Outcome::NotRead => "-",
    }
}

/// Returns the path of a skill below its root, without a trailing `SKILL.md`.
pub(super) fn skill_path(catalog: &Catalog, root: &Root, skill: SkillId) -> String {
    let path = catalog.path(skill);
    let below = roots::relative(path, root.path.as_bstr()).unwrap_or(path);
    escape::path(below.strip_suffix(b"/SKILL.md").unwrap_or(below).as_bstr())
}
