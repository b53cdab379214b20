//! Packages in a forecast: who reads each, under which names, and what is lost.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};
use serde::Serialize;

use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, SkillForecast};
use skilltree_runtimes::packages::{Costs, Package, Way};
use skilltree_skills::manifest;
use skilltree_skills::skill::SkillId;

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

/// Returns the path of a manifest.
pub(super) fn path(catalog: &Catalog, number: usize) -> String {
    let manifest = &catalog.parsed.manifests.all[number];
    text::lossless(manifest::join(manifest.base.as_bstr(), manifest.name).as_ref())
}

fn reader<'a>(catalog: &'a Catalog, target: &'a str, package: &'a Package, skills: &'a [SkillForecast]) -> Reader<'a> {
    let (way, market) = match &package.way {
        Way::Directory => ("directory", None),
        Way::Bare => ("bare", None),
        Way::Entry(market, _) => ("entry", Some(*market)),
        Way::Project => ("project", None),
        Way::Installer => ("installer", None),
    };
    let faults = package.faults.iter().map(|fault| FaultEntry {
        path: path(catalog, fault.manifest),
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
        way,
        manifest: package.manifest.map(|number| path(catalog, number)),
        marketplace: market.map(|number| path(catalog, number)),
        name: package.name.as_deref(),
        loads: !package.is_lost(),
        faults: faults.collect(),
        skills: members.collect(),
    }
}

fn member_entry<'a>(catalog: &'a Catalog, id: SkillId, forecast: &'a SkillForecast) -> MemberEntry<'a> {
    let skill = catalog.skill(id);
    MemberEntry {
        path: text::lossless(catalog.path(id)),
        outcome: forecast.outcome().word(),
        name: forecast.name.as_ref().map(|name| name.text(skill, "name")),
        label: forecast.label.as_deref(),
        listed: forecast.listed,
        description: forecast.description.as_ref().map(|text| text.text(skill, "description")),
        reason: forecast.reason.as_ref().map(ToString::to_string),
    }
}
