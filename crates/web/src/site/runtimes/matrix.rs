//! The table of all runtimes.

use super::costs::{self, Cost};
use super::words::{self, cell, code};
use super::{Runtime, table as written};
use skilltree_front_matter::text::grouped as number;
use skilltree_runtimes::forecast::{Outcome, plural};
use skilltree_runtimes::profile::listing::Measured;
use skilltree_runtimes::profile::loads::{Root, Scope};
use skilltree_runtimes::profile::{Basis, Kind, Reported};

/// The fault of the column about YAML.
const BAD_YAML: &str = "`description: Build for AWS: ECS`";

const HEADS: [&str; 10] = [
    "runtime",
    "kind",
    "skills directories",
    "name comes from",
    "limit of the description",
    "bad YAML",
    "unknown keys",
    "budget of the list",
    "reports",
    "evidence",
];

/// Returns the table.
pub(super) fn table(runtimes: &[Runtime<'_>], link: &dyn Fn(&str) -> String) -> String {
    let row = |runtime: &Runtime<'_>| {
        let profile = runtime.profile;
        vec![
            format!("[{}]({})", profile.title, link(&profile.id)),
            kind(runtime).to_owned(),
            roots(runtime),
            runtime.words("loads.identity.by"),
            description(runtime),
            costs::of(profile).iter().find(|cost| cost.fault == BAD_YAML).map_or("unknown", effect).to_owned(),
            keys(runtime),
            budget(runtime),
            cell(runtime.profile.loads.reports.as_deref().unwrap_or("unknown")),
            Basis::of(profile).map_or_else(String::new, |basis| evidence(&basis, &profile.title)),
        ]
    };
    written(&HEADS, &runtimes.iter().map(row).collect::<Vec<_>>())
}

/// Returns version and month of the evidence, without the title of the runtime.
fn evidence(basis: &Basis, title: &str) -> String {
    let text = basis.to_string();
    cell(text.strip_prefix(title).unwrap_or(&text).trim_start_matches([',', ' ']))
}

fn kind(runtime: &Runtime<'_>) -> &'static str {
    match runtime.profile.kind {
        Kind::Runtime => "runtime",
        Kind::Design => "design",
        Kind::Specification => "specification",
        Kind::Installer => "installer",
    }
}

/// Returns the directories in a repository, a line each.
fn roots(runtime: &Runtime<'_>) -> String {
    let is_in_repository = |root: &&Root| root.scope == Scope::Repository;
    let mut known: Vec<String> = Vec::new();
    for path in runtime.profile.loads.roots.iter().filter(is_in_repository).map(|root| code(&root.path)) {
        // A directory that is searched from several places.
        if !known.contains(&path) {
            known.push(path);
        }
    }
    match (known.is_empty(), runtime.profile.loads.roots.is_empty()) {
        (false, _) => known.join("<br>"),
        (true, false) => "none".to_owned(),
        (true, true) => runtime.words("loads.roots"),
    }
}

fn description(runtime: &Runtime<'_>) -> String {
    let limit = runtime.profile.loads.limits.iter().find(|limit| limit.of == Measured::Description);
    limit.map_or_else(String::new, |limit| {
        let (_, maximum) = words::limit(limit);
        format!("{maximum}; longer: {}", words::verdict(limit.over_limit))
    })
}

fn keys(runtime: &Runtime<'_>) -> String {
    let known = runtime.profile.loads.keys.known.len();
    if known == 0 { "unknown".to_owned() } else { runtime.words("loads.keys.unknown") }
}

/// Describes the effect of a fault.
pub(super) fn effect(cost: &Cost) -> &'static str {
    match (cost.outcome, cost.reported) {
        (Outcome::Loads, _) => "loads",
        (Outcome::Changes, _) => "loads with changes",
        (Outcome::Drops, Some(Reported::Nothing)) => "silently drops",
        (Outcome::Drops, Some(Reported::Log)) => "logs and drops",
        (Outcome::Drops, Some(Reported::Error)) => "rejects",
        (Outcome::Drops, None) => "drops",
        (Outcome::Unknown | Outcome::NotRead, _) => "unknown",
    }
}

/// The budget of the list.
pub(super) fn budget(runtime: &Runtime<'_>) -> String {
    let Some(budget) = &runtime.profile.loads.budget else { return runtime.words("loads.budget") };
    let mut parts = Vec::new();
    parts.extend(budget.skills.map(|skills| format!("{} skills", number(skills))));
    if let (Some(limit), Some(unit)) = (budget.limit(), budget.unit) {
        let share = budget.window.zip(budget.window_share).filter(|_| budget.amount.is_none());
        let share = share.map_or(String::new(), |(window, share)| {
            format!(" ({} % of a context window of {} tokens)", share * 100.0, number(window))
        });
        parts.push(format!("{} {}{share}", number(limit), plural(unit)));
    }
    let over_limit = runtime.value("loads.budget.over-limit").map_or(String::new(), |value| {
        format!("; if it is exceeded: {}", words::of("loads.budget.over-limit", value).replace(", ", ", then "))
    });
    format!("{}{over_limit}{}", parts.join(", "), budget.reported.map_or("", words::reported))
}
