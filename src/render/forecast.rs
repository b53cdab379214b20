//! What runtimes make of skills: a table for people, JSON for programs.

use std::borrow::Cow;
use std::io::{self, Write};

use rayon::prelude::*;
use serde::Serialize;

use super::json;
use crate::catalog::Catalog;
use crate::forecast::{Forecast, SkillForecast, plural};
use crate::profile::Said;
use crate::roots::Root;
use crate::skill::{Skill, SkillId};
use crate::text;

mod lists;
mod table;

pub use table::write as write_table;

/// The name of the schema.
const SCHEMA: &str = "skilltree/forecast/v1";

/// Lines that are made before they are written (ours: 512, of which each may be some tens of kilobytes).
const BLOCK: usize = 512;

#[derive(Serialize)]
struct SkillEntry<'a> {
    path: String,
    root: String,
    forecasts: Vec<Told<'a>>,
}

#[derive(Serialize)]
struct Told<'a> {
    target: &'a str,
    reads_root: bool,
    outcome: &'static str,
    name: Option<Cow<'a, str>>,
    description: Option<Cow<'a, str>>,
    reason: Option<String>,
    said: Option<&'static str>,
}

#[derive(Serialize)]
struct RootEntry<'a> {
    path: String,
    targets: Vec<Listed<'a>>,
}

#[derive(Serialize)]
struct Listed<'a> {
    target: &'a str,
    budget: Option<u64>,
    unit: Option<&'static str>,
    window: Option<u64>,
    most_skills: Option<u64>,
    wanted: Option<u64>,
    listed: usize,
    shortened: usize,
    lost: Vec<Cow<'a, str>>,
    trim: Option<TrimEntry<'a>>,
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

/// Writes forecasts for programs, by schema/forecast.json: a line a skill, and one a root. `source` says what was read, as
/// [`Options::source`](super::Options::source) does.
///
/// # Errors
/// What the writer fails with.
pub fn write_json(catalog: &Catalog, forecasts: &[Forecast], source: &str, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{\"schema\":\"{SCHEMA}\",\n\"source\":")?;
    json::write_value(source, out)?;
    out.write_all(b",\n\"skills\":[")?;
    let skills: Vec<(SkillId, &Skill)> = catalog.skills().collect();
    write_lines(&skills, out, |&(id, skill)| SkillEntry {
        path: text::lossless(catalog.path(id)),
        root: text::lossless(catalog.root(skill.root).path.as_ref()),
        forecasts: forecasts.iter().map(|told| told_of(catalog, told, id)).collect(),
    })?;
    out.write_all(b"\n],\n\"roots\":[")?;
    let roots: Vec<(usize, &Root)> = catalog.parsed.roots.iter().enumerate().collect();
    write_lines(&roots, out, |&(number, root)| RootEntry {
        path: text::lossless(root.path.as_ref()),
        targets: forecasts.iter().map(|told| listed_of(catalog, told, number)).collect(),
    })?;
    out.write_all(b"\n]}\n")
}

/// Writes the items of an array, a line each. A block of them is made side by side, and written before the next one is made.
fn write_lines<'a, T: Sync, E: Serialize + 'a>(
    items: &'a [T],
    out: &mut dyn Write,
    entry: impl Fn(&'a T) -> E + Sync,
) -> io::Result<()> {
    let mut before = "\n";
    for block in items.chunks(BLOCK) {
        let lines: Vec<Vec<u8>> = block
            .par_iter()
            .map(|item| {
                let mut line = Vec::new();
                json::write_value(&entry(item), &mut line).map(|()| line)
            })
            .collect::<io::Result<_>>()?;
        for line in lines {
            out.write_all(before.as_bytes())?;
            out.write_all(&line)?;
            before = ",\n";
        }
    }
    Ok(())
}

fn told_of<'a>(catalog: &'a Catalog, forecast: &'a Forecast, id: SkillId) -> Told<'a> {
    let (skill, told) = (catalog.skill(id), forecast.skill(id));
    Told {
        target: &forecast.profile,
        reads_root: told.reads_root,
        outcome: told.fate.word(),
        name: told.name.as_ref().map(|name| name.text(skill, "name")),
        description: told.description.as_ref().map(|description| description.text(skill, "description")),
        reason: told.reason.as_ref().map(ToString::to_string),
        said: told.said.map(Said::word),
    }
}

fn listed_of<'a>(catalog: &'a Catalog, forecast: &'a Forecast, root: usize) -> Listed<'a> {
    let told = &forecast.roots[root];
    let name = |id| shown_name(catalog, forecast.skill(id), id);
    let long = |&(id, characters): &(SkillId, u64)| Long { name: name(id), characters };
    Listed {
        target: &forecast.profile,
        budget: told.budget,
        unit: told.budget.and(told.unit).map(plural),
        window: told.window,
        most_skills: told.most_skills,
        wanted: told.budget.map(|_| told.wanted),
        listed: told.listed.len(),
        shortened: told.shortened.len(),
        lost: told.lost.iter().map(|&id| name(id)).collect(),
        trim: told.trim.as_ref().map(|trim| TrimEntry {
            remove: trim.remove,
            instead: trim.instead,
            cut: trim.cut,
            to: trim.to,
            descriptions: trim.descriptions.iter().map(long).collect(),
        }),
    }
}

/// The name that a skill is listed by; its directory where nobody knows.
fn shown_name<'a>(catalog: &'a Catalog, told: &'a SkillForecast, id: SkillId) -> Cow<'a, str> {
    let skill = catalog.skill(id);
    match &told.name {
        Some(name) => name.text(skill, "name"),
        None => Cow::Owned(text::lossless(skill.directory.as_ref())),
    }
}
