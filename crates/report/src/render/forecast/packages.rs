//! Packages in a forecast: who reads each, under which names, and what is lost.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};

use bstr::{BStr, ByteSlice};
use serde::Serialize;

use super::{Column, lists};
use crate::render::{Look, escape};
use skilltree_front_matter::text::{self, grouped};
use skilltree_lint::rule::listed;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, SkillForecast};
use skilltree_runtimes::packages::{Costs, Package};
use skilltree_skills::skill::SkillId;

/// Maximum number of packages that a text lists: about a screen.
const SHOWN: usize = 40;

/// Maximum length of a name in a line, in code points.
const NAMED: usize = 64;

/// A directory that at least one runtime takes for a package.
#[derive(Serialize)]
pub(super) struct PackageEntry<'a> {
    directory: String,
    readers: Vec<Reader<'a>>,
}

#[derive(Serialize)]
struct Reader<'a> {
    target: &'a str,
    format: &'a str,
    way: &'static str,
    manifest: Option<String>,
    marketplace: Option<String>,
    name: Option<&'a str>,
    loads: bool,
    faults: Vec<FaultEntry>,
    skills: Vec<MemberEntry<'a>>,
    flat: Vec<FlatEntry<'a>>,
}

/// A Markdown file without a skill directory that the runtime takes for a skill.
#[derive(Serialize)]
struct FlatEntry<'a> {
    path: String,
    name: &'a str,
}

#[derive(Serialize)]
struct FaultEntry {
    path: String,
    start: usize,
    end: usize,
    message: String,
    costs: &'static str,
}

#[derive(Serialize)]
struct MemberEntry<'a> {
    path: String,
    outcome: &'static str,
    name: Option<Cow<'a, str>>,
    label: Option<&'a str>,
    listed: bool,
    description: Option<Cow<'a, str>>,
    reason: Option<String>,
}

/// Returns the packages, by directory, with the runtimes that read them in the order of the forecasts.
pub(super) fn entries<'a>(catalog: &'a Catalog, forecasts: &'a [Forecast]) -> Vec<PackageEntry<'a>> {
    let mut by_directory: BTreeMap<&BStr, Vec<Reader<'a>>> = BTreeMap::new();
    for forecast in forecasts {
        for (package, found) in forecast.found.all.iter().zip(&forecast.packages) {
            let reader = reader(catalog, &forecast.profile, package, &found.skills);
            by_directory.entry(package.directory.as_bstr()).or_default().push(reader);
        }
    }
    let entries = by_directory.into_iter();
    entries.map(|(directory, readers)| PackageEntry { directory: text::lossless(directory), readers }).collect()
}

fn reader<'a>(catalog: &'a Catalog, target: &'a str, package: &'a Package, skills: &'a [SkillForecast]) -> Reader<'a> {
    let faults = package.faults.iter().map(|fault| FaultEntry {
        path: catalog.manifest_path(fault.manifest),
        start: fault.range.start,
        end: fault.range.end,
        message: fault.what.to_string(),
        costs: if fault.costs == Costs::Package { "package" } else { "entry" },
    });
    let members =
        package.skills.iter().zip(skills).map(|(member, forecast)| member_entry(catalog, member.skill, forecast));
    Reader {
        target,
        format: &package.format.id,
        way: package.way.word(),
        manifest: package.manifest.map(|number| catalog.manifest_path(number)),
        marketplace: package.way.marketplace().map(|number| catalog.manifest_path(number)),
        name: package.name.as_deref(),
        loads: !package.is_lost(),
        faults: faults.collect(),
        skills: members.collect(),
        flat: package.flat.iter().map(|&number| flat_entry(catalog, number)).collect(),
    }
}

fn flat_entry(catalog: &Catalog, number: usize) -> FlatEntry<'_> {
    let flat = &catalog.parsed.flat[number];
    FlatEntry { path: text::lossless(catalog.file(flat.file).path.as_ref()), name: &flat.name }
}

fn member_entry<'a>(catalog: &'a Catalog, id: SkillId, forecast: &'a SkillForecast) -> MemberEntry<'a> {
    let skill = catalog.skill(id);
    MemberEntry {
        path: text::lossless(catalog.path(id)),
        outcome: forecast.outcome().word(),
        name: forecast.shown_name(skill),
        label: forecast.label.as_deref(),
        listed: forecast.listed,
        description: forecast.description.as_ref().map(|text| text.text(skill, "description")),
        reason: forecast.reason.as_ref().map(ToString::to_string),
    }
}

/// Runtimes that load the same number of skills of a package under the same names.
struct Group<'a> {
    titles: Vec<&'a str>,
    loaded: usize,
    all: usize,
    /// The first name of a loaded skill.
    name: Option<Cow<'a, str>>,
}

/// Writes one line for each package: how many of its skills each runtime loads, and under which names.
pub(super) fn write_text(columns: &[Column<'_>], catalog: &Catalog, look: Look, out: &mut dyn Write) -> io::Result<()> {
    let mut packages: BTreeMap<&BStr, Vec<Group<'_>>> = BTreeMap::new();
    for column in columns {
        let forecast = column.forecast;
        for (package, found) in forecast.declared() {
            let mut names = package.skills.iter().zip(found).filter(|(_, found)| found.is_loaded());
            let name = names.next().and_then(|(member, found)| found.shown_name(catalog.skill(member.skill)));
            let loaded = found.iter().filter(|found| found.is_loaded()).count() + package.flat.len();
            let all = found.len() + package.flat.len();
            let groups = packages.entry(package.directory.as_bstr()).or_default();
            let title = column.profile.title.as_str();
            match groups.iter_mut().find(|group| (group.loaded, group.all, &group.name) == (loaded, all, &name)) {
                Some(group) if group.titles.last() == Some(&title) => {}
                Some(group) => group.titles.push(title),
                None => groups.push(Group { titles: vec![title], loaded, all, name }),
            }
        }
    }
    if packages.is_empty() {
        return Ok(());
    }
    writeln!(out, "\npackages:")?;
    for (directory, groups) in packages.iter().take(SHOWN) {
        let shown = if directory.is_empty() { BStr::new(".") } else { directory };
        let groups: Vec<String> = groups.iter().map(described).collect();
        lists::write_wrapped("  ", &format!("{}: {}", escape::path(shown), groups.join("; ")), look, out)?;
    }
    if packages.len() > SHOWN {
        writeln!(out, "  and {} more: see `--format json`", grouped(packages.len() - SHOWN))?;
    }
    Ok(())
}

/// Describes a group: `2 of 3 in Codex and Qoder, as mailer:post`.
fn described(group: &Group<'_>) -> String {
    let runtimes = listed(&group.titles);
    let count = match (group.loaded, group.all) {
        (0, _) => return escape::text(&format!("nothing in {runtimes}")),
        (loaded, all) if loaded == all => format!("all {}", grouped(all)),
        (loaded, all) => format!("{} of {}", grouped(loaded), grouped(all)),
    };
    let name = group.name.as_deref().map_or(String::new(), |name| format!(", as {}", text::shortened(name, NAMED)));
    let more = if group.name.is_some() && group.loaded > 1 { " …" } else { "" };
    escape::text(&format!("{count} in {runtimes}{name}{more}"))
}
