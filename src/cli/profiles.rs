//! `profiles`: list the runtime profiles, or print one.

use std::io::{self, Write};

use serde::Serialize;
use skilltree_lint::config;
use skilltree_report::render::{self, escape};
use skilltree_runtimes::profile::{self, Basis, Profiles, cells, meant};
use toml::Table;

use super::Status;
use super::args::{self, Common, ReadFormat};
use super::{output, session};
use crate::failure::{Failure, did_you_mean};

/// The JSON of `profiles`.
#[derive(Serialize)]
struct Listing {
    schema: &'static str,
    profiles: Vec<ListedProfile>,
}

#[derive(Serialize)]
struct ListedProfile {
    unknown: Vec<&'static str>,
    #[serde(flatten)]
    profile: Table,
}

pub(super) fn run(common: &Common, arguments: &args::Profiles) -> Result<Status, Failure> {
    let (profiles, today) = session::profiles(common, &arguments.source)?;
    if let Some(name) = &arguments.name
        && !profiles.contains(name)
    {
        let near = match meant(name) {
            [] => did_you_mean(name, profiles.ids()),
            meant => format!("; did you mean `{}`?", meant.join("` or `")),
        };
        let unknown = || Failure::new(format!("there is no profile `{name}`{near}"));
        return Err(config::faulty(&profiles, name)
            .map_or_else(|| unknown().help("run `skilltree profiles` to list the profiles"), Failure::from));
    }
    output::stdout(common, |out| match (arguments.format, &arguments.name) {
        (ReadFormat::Json, name) => render::write_pretty(&listing(&profiles, name.as_deref()), out),
        (ReadFormat::Text, Some(name)) => one(out, &profiles, name),
        (ReadFormat::Text, None) => all(out, &profiles, today),
    })?;
    Ok(Status::Clean)
}

fn listing(profiles: &Profiles, name: Option<&str>) -> Listing {
    let ids = profiles.ids().filter(|id| name.is_none_or(|name| name == *id));
    let entry = |profile: Table| ListedProfile { unknown: cells::unknown(&profile), profile };
    Listing { schema: "skilltree/profiles/v1", profiles: ids.filter_map(|id| profiles.table(id)).map(entry).collect() }
}

fn all(out: &mut dyn Write, profiles: &Profiles, today: Option<i64>) -> io::Result<()> {
    let width = profiles.ids().map(str::len).max().unwrap_or(0);
    for id in profiles.ids() {
        let Some(profile) = profiles.find(id) else { continue };
        writeln!(out, "{id:width$}  {}", escape::text(&profile.about))?;
        if let Some(basis) = Basis::of(profile) {
            writeln!(out, "{:width$}  {}", "", escape::text(&basis.describe(today)))?;
        }
    }
    Ok(())
}

/// Prints a profile as TOML. A built-in profile is its source file, so that it can be copied.
fn one(out: &mut dyn Write, profiles: &Profiles, id: &str) -> io::Result<()> {
    let table = profiles.table(id).unwrap_or_default();
    match profile::source(id).filter(|_| !profiles.own.contains_key(id)) {
        Some(source) => out.write_all(source.as_bytes())?,
        None => {
            let written = toml::to_string_pretty(&table).map_err(io::Error::other)?;
            for line in written.lines() {
                writeln!(out, "{}", escape::text(line))?;
            }
        }
    }
    let unknown = cells::unknown(&table);
    if !unknown.is_empty() {
        writeln!(out, "\n# Unknown: {}.", unknown.join(", "))?;
    }
    Ok(())
}
