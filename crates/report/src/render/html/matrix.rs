//! The matrix of the page: skills in rows, the runtimes that read one in columns.

use std::collections::HashMap;

use serde::Serialize;

use crate::render::{count, escape, forecast};
use skilltree_front_matter::text::{self, FileId, grouped};
use skilltree_lint::lint::Report;
use skilltree_lint::rule::Severity;
use skilltree_runtimes::forecast::{Forecast, SkillForecast};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::skill::SkillId;

/// Maximum number of skills.
const SKILLS: usize = 5_000;
/// Maximum number of bytes of reasons. After them, marks have no reason.
const REASONS: usize = 1 << 20;
/// Maximum number of code points of a description.
const DESCRIPTION_CHARS: usize = 400;

/// Skills and runtimes.
#[derive(Default, Serialize)]
pub(super) struct Matrix<'r> {
    columns: Vec<Column>,
    rows: Vec<Row<'r>>,
    omitted: Option<String>,
}

#[derive(Serialize)]
struct Column {
    title: String,
    id: String,
    basis: String,
}

#[derive(Serialize)]
struct Row<'r> {
    path: String,
    name: String,
    description: String,
    tokens: String,
    errors: usize,
    others: usize,
    cells: Vec<Cell<'r>>,
}

/// Outcome of a skill in a runtime: its class, its mark, and its reason.
#[derive(Serialize)]
struct Cell<'r> {
    class: &'r str,
    mark: &'r str,
    reason: String,
}

/// Prepares the skills, those with errors first, then those with other findings, and then in their order.
pub(super) fn new<'r>(report: &Report, profiles: &[&Profile], forecasts: &[Forecast]) -> Matrix<'r> {
    let mut found: HashMap<FileId, (usize, usize)> = HashMap::new();
    for finding in report.active() {
        let (errors, others) = found.entry(finding.place.file).or_default();
        *(if finding.severity == Severity::Error { errors } else { others }) += 1;
    }
    let mut skills: Vec<(SkillId, (usize, usize))> =
        report.catalog.skills().map(|(id, skill)| (id, found.get(&skill.file).copied().unwrap_or_default())).collect();
    let omitted = skills.len().saturating_sub(SKILLS);
    skills.sort_by_key(|(_, counts)| std::cmp::Reverse(*counts));
    skills.truncate(SKILLS);
    let mut left = REASONS;
    let rows = skills.into_iter().map(|(id, counts)| row(report, forecasts, id, counts, &mut left)).collect();
    let column = |(profile, forecast): (&&Profile, &Forecast)| Column {
        title: escape::text(&profile.title),
        id: escape::text(&profile.id),
        basis: forecast.basis.as_ref().map_or_else(String::new, |basis| escape::text(&basis.to_string())),
    };
    let words = format!("{} not shown; `skilltree forecast --format json` lists all", count(omitted, "more skill"));
    Matrix {
        columns: profiles.iter().zip(forecasts).map(column).collect(),
        rows,
        omitted: (omitted > 0).then_some(words),
    }
}

fn row<'r>(
    report: &Report,
    forecasts: &[Forecast],
    id: SkillId,
    (errors, others): (usize, usize),
    left: &mut usize,
) -> Row<'r> {
    let catalog = &report.catalog;
    let skill = catalog.skill(id);
    let description = skill.scalar("description").unwrap_or_default();
    let chars = skill.body.as_ref().map_or(0, |body| body.chars as usize);
    Row {
        path: escape::path(catalog.file(skill.file).reported_path().as_ref()),
        name: skill.name().map_or_else(|| escape::path(skill.directory.as_ref()), escape::text),
        description: escape::text(&text::shortened(description, DESCRIPTION_CHARS)),
        tokens: grouped(text::tokens(chars)),
        errors,
        others,
        cells: forecasts.iter().map(|forecast| cell(forecast.skill(id), left)).collect(),
    }
}

fn cell<'r>(outcome: &SkillForecast, left: &mut usize) -> Cell<'r> {
    let (mark, class) = forecast::outcome(outcome);
    let reason = outcome.reason.as_ref().filter(|_| outcome.reads_root).map(|reason| escape::text(&reason.to_string()));
    let reason = reason.filter(|reason| reason.len() <= *left).unwrap_or_default();
    *left -= reason.len();
    Cell { class, mark, reason }
}
