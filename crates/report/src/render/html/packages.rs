//! The packages of the page: how many skills each runtime loads from each, under which names, and what it loses.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};
use serde::Serialize;

use crate::render::{count, escape};
use skilltree_front_matter::text::{self, grouped};
use skilltree_lint::rule::listed;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, SkillForecast};
use skilltree_runtimes::packages::Package;
use skilltree_runtimes::profile::Profile;

/// Maximum number of rows.
const ROWS: usize = 1_000;

/// Maximum number of names, of lost skills and of faults in a row.
const NAMES: usize = 20;

/// Maximum length of a name, in code points.
const NAME_CHARS: usize = 64;

/// Packages by directory.
#[derive(Default, Serialize)]
pub(super) struct Packages {
    rows: Vec<Row>,
    omitted: Option<String>,
}

/// A package as some runtimes read it.
#[derive(Serialize)]
struct Row {
    directory: String,
    marketplace: Option<String>,
    runtimes: String,
    loaded: String,
    names: Vec<String>,
    lost: Vec<String>,
}

/// The directory of a package, and the number of the manifest of its marketplace.
type Key<'a> = (&'a BStr, Option<usize>);

/// What a runtime makes of a package: the names of the loaded skills, and what is lost.
type Result = (Vec<String>, Vec<String>, usize);

/// Prepares the packages. Runtimes with the same result share a row.
pub(super) fn new(catalog: &Catalog, profiles: &[&Profile], forecasts: &[Forecast]) -> Packages {
    let mut packages: BTreeMap<Key<'_>, Vec<(Result, Vec<&str>)>> = BTreeMap::new();
    for (profile, forecast) in profiles.iter().zip(forecasts) {
        let title = profile.title.as_str();
        for (package, skills) in forecast.declared() {
            let result = result(catalog, package, skills);
            let key = (package.directory.as_bstr(), package.way.marketplace());
            let groups = packages.entry(key).or_default();
            match groups.iter_mut().find(|(known, _)| *known == result) {
                Some((_, titles)) if titles.last() == Some(&title) => {}
                Some((_, titles)) => titles.push(title),
                None => groups.push((result, vec![title])),
            }
        }
    }
    let rows = packages.iter().flat_map(|(&key, groups)| groups.iter().map(move |group| row(catalog, key, group)));
    let mut rows: Vec<Row> = rows.collect();
    let omitted = rows.len().saturating_sub(ROWS);
    rows.truncate(ROWS);
    let words = format!("{} not shown; `skilltree forecast --format json` lists all", count(omitted, "more row"));
    Packages { rows, omitted: (omitted > 0).then_some(words) }
}

fn result(catalog: &Catalog, package: &Package, skills: &[SkillForecast]) -> Result {
    let (mut names, mut lost) = (Vec::new(), Vec::new());
    let faults = package.faults.iter().map(|fault| fault.what.to_string());
    lost.extend(faults.map(|fault| escape::text(&fault)));
    for (member, found) in package.skills.iter().zip(skills) {
        if found.is_loaded() {
            let name = found.shown_name(catalog.skill(member.skill));
            names.push(escape::text(&text::shortened(name.as_deref().unwrap_or("without a name"), NAME_CHARS)));
        } else {
            let reason = found.reason.as_ref().map_or_else(String::new, |reason| format!(": {reason}"));
            lost.push(format!("{}{}", escape::path(catalog.path(member.skill)), escape::text(&reason)));
        }
    }
    let flat = package.flat.iter().map(|&number| &catalog.parsed.flat[number].name);
    names.extend(flat.map(|name| escape::text(&text::shortened(name, NAME_CHARS))));
    (names, lost, skills.len() + package.flat.len())
}

fn row(
    catalog: &Catalog,
    (directory, marketplace): Key<'_>,
    ((names, lost, all), titles): &(Result, Vec<&str>),
) -> Row {
    let shown = if directory.is_empty() { BStr::new(".") } else { directory };
    Row {
        directory: escape::path(shown),
        marketplace: marketplace.map(|number| escape::text(&catalog.manifest_path(number))),
        runtimes: escape::text(&listed(titles)),
        loaded: format!("{} of {}", grouped(names.len()), grouped(*all)),
        names: capped(names),
        lost: capped(lost),
    }
}

/// Returns the first texts, and how many more there are.
fn capped(texts: &[String]) -> Vec<String> {
    let more = texts.len().saturating_sub(NAMES);
    let more = (more > 0).then(|| format!("and {} more", grouped(more)));
    texts.iter().take(NAMES).cloned().chain(more).collect()
}
