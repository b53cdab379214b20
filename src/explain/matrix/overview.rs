//! The tables that compare all runtimes, each narrow enough to be read.

use super::costs::Cost;
use super::words::{self, cell, code, number};
use super::{Runtime, table};
use crate::forecast::{Fate, plural};
use crate::profile::Said;
use crate::profile::loads::{Root, Scope};

/// Runtimes side by side in a table of faults.
const COLUMNS: usize = 6;

/// A table that compares: its heading, its lead, and the columns behind the runtime, each a head and the path of a cell.
struct Comparison {
    heading: &'static str,
    lead: &'static str,
    columns: &'static [(&'static str, &'static str)],
}

const COMPARISONS: [Comparison; 5] = [
    Comparison {
        heading: "Which files they take",
        lead: "",
        columns: &[
            ("file", "loads.files.name"),
            ("hidden directories", "loads.files.hidden"),
            ("below a skill", "loads.files.below-skill"),
            ("SKILL.md in the root", "loads.files.in-root"),
        ],
    },
    Comparison {
        heading: "What they do with symbolic links",
        lead: "",
        columns: &[
            ("a directory", "loads.links.directory"),
            ("a SKILL.md", "loads.links.file"),
            ("out of the root", "loads.links.escape"),
        ],
    },
    Comparison {
        heading: "What a skill is called",
        lead: "",
        columns: &[
            ("its name", "loads.identity.by"),
            ("two names are one", "loads.identity.equal"),
            ("not the directory's name", "loads.identity.differs-from-directory"),
        ],
    },
    Comparison {
        heading: "Two skills of one name",
        lead: "\nWhich one stays: by path in one root, by the order of the roots across them.\n",
        columns: &[
            ("in one root", "loads.duplicates.same-root"),
            ("across roots", "loads.duplicates.across-roots"),
            ("the other", "loads.duplicates.loser"),
        ],
    },
    Comparison {
        heading: "What a model is shown",
        lead: "",
        columns: &[
            ("of each skill", "loads.listing.shown"),
            ("in the order of", "loads.listing.order"),
            ("values", "loads.listing.escape"),
            ("bodies", "loads.listing.bodies"),
        ],
    },
];

pub(super) fn write(page: &mut String, runtimes: &[Runtime<'_>], costs: &[Vec<Cost>]) {
    let row = |runtime: &Runtime<'_>| vec![runtime.link(), cell(&runtime.profile.about)];
    page.push_str("\n## The runtimes\n");
    table(page, &["runtime", "what it is"], &runtimes.iter().map(row).collect::<Vec<_>>());

    page.push_str("\n## Where they look\n\nThe roots stand in the order of precedence; a depth counts directories below a root.\n");
    let row = |runtime: &Runtime<'_>| {
        vec![
            runtime.link(),
            roots(runtime, &[Scope::Repository]),
            roots(runtime, &[Scope::User, Scope::System, Scope::Bundled]),
            runtime.words("loads.depth"),
        ]
    };
    let heads = ["runtime", "in a repository", "of the user and the machine", "depth"];
    table(page, &heads, &runtimes.iter().map(row).collect::<Vec<_>>());

    for Comparison { heading, lead, columns } in &COMPARISONS {
        page.push_str(&format!("\n## {heading}\n{lead}"));
        let heads: Vec<&str> = ["runtime"].into_iter().chain(columns.iter().map(|(head, _)| *head)).collect();
        let row = |runtime: &Runtime<'_>| {
            [runtime.link()].into_iter().chain(columns.iter().map(|(_, path)| runtime.words(path))).collect()
        };
        table(page, &heads, &runtimes.iter().map(row).collect::<Vec<_>>());
    }
    write_limits(page, runtimes);
    write_telling(page, runtimes);
    write_costs(page, runtimes, costs);
}

/// The roots of some scopes, a line each.
fn roots(runtime: &Runtime<'_>, scopes: &[Scope]) -> String {
    let known: Vec<String> =
        runtime.profile.loads.roots.iter().filter(|root| scopes.contains(&root.scope)).map(root).collect();
    match known.is_empty() {
        false => known.join("<br>"),
        true if runtime.profile.loads.roots.is_empty() => runtime.words("loads.roots"),
        true => "none known".to_owned(),
    }
}

/// A root, and from where it is looked for.
fn root(root: &Root) -> String {
    let from = words::from(root.from);
    let from = if from.is_empty() { String::new() } else { format!(", {from}") };
    let when = root.when.as_ref().map_or(String::new(), |when| format!(", {}", cell(when)));
    format!("{}{from}{when}", code(&root.path))
}

fn write_limits(page: &mut String, runtimes: &[Runtime<'_>]) {
    page.push_str("\n## How much fits\n\nLimits of one value, and the budget of the whole list.\n");
    let row = |runtime: &Runtime<'_>| {
        let limits = runtime.profile.loads.limits.iter().map(|limit| {
            let (of, most) = words::limit(limit);
            format!("{of}: {most}, beyond {}", words::verdict(limit.beyond))
        });
        let limits: Vec<String> = limits.collect();
        let limits = if limits.is_empty() { runtime.words("loads.limits") } else { limits.join("<br>") };
        vec![runtime.link(), limits, budget(runtime)]
    };
    table(page, &["runtime", "limits", "the list"], &runtimes.iter().map(row).collect::<Vec<_>>());
}

/// The budget of the list.
pub(super) fn budget(runtime: &Runtime<'_>) -> String {
    let Some(budget) = &runtime.profile.loads.budget else { return runtime.words("loads.budget") };
    let mut parts = Vec::new();
    parts.extend(budget.skills.map(|skills| format!("{} skills", number(skills))));
    if let (Some(limit), Some(unit)) = (budget.limit(), budget.unit) {
        let share = budget.window.zip(budget.window_share).filter(|_| budget.amount.is_none());
        let share = share.map_or(String::new(), |(window, share)| {
            format!(" ({} % of a window of {} tokens)", share * 100.0, number(window))
        });
        parts.push(format!("{} {}{share}", number(limit), plural(unit)));
    }
    let beyond = runtime.value("loads.budget.beyond").map_or(String::new(), |value| {
        format!("; beyond: {}", words::of("loads.budget.beyond", value).replace(", ", ", then "))
    });
    format!("{}{beyond}{}", parts.join(", "), budget.said.map_or("", words::told))
}

fn write_telling(page: &mut String, runtimes: &[Runtime<'_>]) {
    page.push_str("\n## How a skill is called, and what is said of one that is dropped\n");
    let row = |runtime: &Runtime<'_>| {
        let forms: Vec<String> = runtime.profile.loads.mentions.forms.iter().map(|form| code(form)).collect();
        let forms = if forms.is_empty() { runtime.words("loads.mentions.forms") } else { forms.join(", ") };
        vec![runtime.link(), forms, runtime.words("loads.says")]
    };
    table(page, &["runtime", "a call", "what it says"], &runtimes.iter().map(row).collect::<Vec<_>>());
}

fn write_costs(page: &mut String, runtimes: &[Runtime<'_>], costs: &[Vec<Cost>]) {
    page.push_str(
        "\n## What a fault costs\n\n✓ loads, ~ loads otherwise than it is written, ✗ is dropped (**✗** without a word), ? unknown. Why, and how it is \
         told, stands in the section of the runtime.\n",
    );
    for (runtimes, costs) in runtimes.chunks(COLUMNS).zip(costs.chunks(COLUMNS)) {
        let links: Vec<String> = runtimes.iter().map(Runtime::link).collect();
        let heads: Vec<&str> = ["fault"].into_iter().chain(links.iter().map(String::as_str)).collect();
        let faults = costs.first().map_or(0, Vec::len);
        let row = |number: usize| {
            let fault = costs[0][number].fault.to_owned();
            [fault].into_iter().chain(costs.iter().map(|costs| mark(&costs[number]).to_owned())).collect()
        };
        table(page, &heads, &(0..faults).map(row).collect::<Vec<_>>());
    }
}

fn mark(cost: &Cost) -> &'static str {
    match (cost.fate, cost.said) {
        (Fate::Loads, _) => "✓",
        (Fate::Altered, _) => "~",
        (Fate::Dropped, Some(Said::Nothing)) => "**✗**",
        (Fate::Dropped, _) => "✗",
        (Fate::Unknown, _) => "?",
    }
}
