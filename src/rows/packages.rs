//! The rows of the tables `packages` and `packaged_skills`: what each runtime in scope makes of the plugins, extensions and entries of
//! marketplaces.

use bstr::ByteSlice;
use skilltree_front_matter::text;
use skilltree_report::render::redact;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, SkillForecast};
use skilltree_runtimes::packages::Package;
use skilltree_skills::skill::SkillId;

use super::integer;
use skilltree_fleet::tables::{Row, Value};

/// The columns that the rows of a package and a runtime begin with.
struct Found<'a> {
    package: &'a Package,
    skills: &'a [SkillForecast],
    directory: Value,
    runtime: Value,
    name: Value,
    marketplace: Value,
}

/// Returns each package with the runtimes that find it.
fn found<'a>(catalog: &Catalog, forecasts: &'a [Forecast]) -> Vec<Found<'a>> {
    let mut all = Vec::new();
    for forecast in forecasts {
        let runtime = Value::of(&forecast.profile);
        all.extend(forecast.declared().map(|(package, skills)| Found {
            package,
            skills,
            directory: Value::of(text::lossless(package.directory.as_bstr())),
            runtime: runtime.clone(),
            name: Value::maybe(package.name.as_deref().map(redact::text)),
            marketplace: Value::maybe(package.way.marketplace().map(|number| catalog.manifest_path(number))),
        }));
    }
    all
}

/// Returns the rows of the table `packages`.
pub(super) fn rows(catalog: &Catalog, forecasts: &[Forecast], repository: &Value, commit: &Value) -> Vec<Row> {
    let row = |found: Found<'_>| {
        let loaded = found.skills.iter().filter(|skill| skill.is_loaded()).count();
        vec![
            repository.clone(),
            commit.clone(),
            found.directory,
            found.runtime,
            found.name,
            Value::of(&found.package.format.id),
            Value::of(found.package.way.word()),
            Value::maybe(found.package.manifest.map(|number| catalog.manifest_path(number))),
            found.marketplace,
            Value::Boolean(!found.package.is_lost()),
            integer(found.package.faults.len()),
            integer(found.skills.len()),
            integer(loaded),
        ]
    };
    found(catalog, forecasts).into_iter().map(row).collect()
}

/// Returns the rows of the table `packaged_skills`. `path` returns the path of a skill.
pub(super) fn skills(
    catalog: &Catalog,
    forecasts: &[Forecast],
    repository: &Value,
    path: impl Fn(SkillId) -> Value,
) -> Vec<Row> {
    let mut rows = Vec::new();
    for found in found(catalog, forecasts) {
        for (member, skill) in found.package.skills.iter().zip(found.skills) {
            let reason = skill.reason.as_ref().map(ToString::to_string);
            rows.push(vec![
                repository.clone(),
                found.directory.clone(),
                found.runtime.clone(),
                found.name.clone(),
                found.marketplace.clone(),
                path(member.skill),
                Value::of(skill.outcome().word()),
                Value::maybe(skill.shown_name(catalog.skill(member.skill)).as_deref().map(redact::text)),
                Value::Boolean(skill.listed),
                Value::maybe(reason.as_deref().map(redact::text)),
            ]);
        }
    }
    rows
}
