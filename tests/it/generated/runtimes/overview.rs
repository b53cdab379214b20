//! The tables that compare all runtimes, each narrow enough to be read.

use super::costs::Cost;
use super::words::{self, cell, code};
use super::{Runtime, table};
use skilltree_front_matter::text::grouped as number;
use skilltree_runtimes::forecast::{Outcome, plural};
use skilltree_runtimes::profile::loads::{Root, Scope};
use skilltree_runtimes::profile::{Kind, Reported};

/// Runtimes side by side in a table of faults.
const COLUMNS: usize = 6;

/// A table that compares runtimes: heading, lead, and the columns after the runtime, each with a head and the path of a cell.
struct Comparison {
    heading: &'static str,
    lead: &'static str,
    columns: &'static [(&'static str, &'static str)],
}

const COMPARISONS: [Comparison; 5] = [
    Comparison {
        heading: "Files",
        lead: "",
        columns: &[
            ("file name", "loads.files.name"),
            ("hidden directories", "loads.files.hidden"),
            ("skills inside a skill directory", "loads.files.below-skill"),
            ("SKILL.md directly in the skills directory", "loads.files.in-root"),
        ],
    },
    Comparison {
        heading: "Symbolic links",
        lead: "",
        columns: &[
            ("skill directory", "loads.links.directory"),
            ("SKILL.md", "loads.links.file"),
            ("target outside the skills directory", "loads.links.escape"),
        ],
    },
    Comparison {
        heading: "Skill names",
        lead: "",
        columns: &[
            ("name comes from", "loads.identity.by"),
            ("names are compared", "loads.identity.equal"),
            ("name differs from the directory", "loads.identity.differs-from-directory"),
        ],
    },
    Comparison {
        heading: "Duplicate names",
        lead: "\nWhich skill the runtime keeps: by path in one skills directory, by precedence across several.\n",
        columns: &[
            ("in one skills directory", "loads.duplicates.same-root"),
            ("across skills directories", "loads.duplicates.across-roots"),
            ("the other skill", "loads.duplicates.loser"),
        ],
    },
    Comparison {
        heading: "What the model sees",
        lead: "",
        columns: &[
            ("fields", "loads.listing.shown"),
            ("order", "loads.listing.order"),
            ("escaping", "loads.listing.escape"),
            ("bodies", "loads.listing.bodies"),
        ],
    },
];

fn kind(runtime: &Runtime<'_>) -> &'static str {
    match runtime.profile.kind {
        Kind::Runtime => "runtime",
        Kind::Design => "design",
        Kind::Specification => "specification",
        Kind::Installer => "installer",
    }
}

pub(super) fn write(page: &mut String, runtimes: &[Runtime<'_>], costs: &[Vec<Cost>]) {
    let row = |runtime: &Runtime<'_>| vec![runtime.link(), kind(runtime).to_owned(), cell(&runtime.profile.about)];
    page.push_str("\n## The runtimes\n");
    table(page, &["runtime", "kind", "description"], &runtimes.iter().map(row).collect::<Vec<_>>());

    page.push_str("\n## Skills directories\n\nIn the order of precedence. The depth counts directories below a skills directory.\n");
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
    page.push_str("\n## Limits\n\nThe limits of single values, and the budget of the whole list.\n");
    let row = |runtime: &Runtime<'_>| {
        let limits = runtime.profile.loads.limits.iter().map(|limit| {
            let (of, maximum) = words::limit(limit);
            format!("{of}: {maximum}; longer: {}", words::verdict(limit.over_limit))
        });
        let limits: Vec<String> = limits.collect();
        let limits = if limits.is_empty() { runtime.words("loads.limits") } else { limits.join("<br>") };
        vec![runtime.link(), limits, budget(runtime)]
    };
    table(page, &["runtime", "limits", "budget of the list"], &runtimes.iter().map(row).collect::<Vec<_>>());
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

fn write_telling(page: &mut String, runtimes: &[Runtime<'_>]) {
    page.push_str(
        "\n## Mentions and reports\n\nHow a text mentions a skill, and how the runtime reports skills that it drops.\n",
    );
    let row = |runtime: &Runtime<'_>| {
        let forms: Vec<String> = runtime.profile.loads.mentions.forms.iter().map(|form| code(form)).collect();
        let forms = if forms.is_empty() { runtime.words("loads.mentions.forms") } else { forms.join(", ") };
        vec![runtime.link(), forms, runtime.words("loads.reports")]
    };
    table(page, &["runtime", "mention", "reports"], &runtimes.iter().map(row).collect::<Vec<_>>());
}

fn write_costs(page: &mut String, runtimes: &[Runtime<'_>], costs: &[Vec<Cost>]) {
    page.push_str(
        "\n## Effects of faults\n\n✓ loads, ~ loads with changes, ✗ drops (**✗** silently), ? unknown. The section of the runtime gives the reason \
         and the kind of report.\n",
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
    match (cost.outcome, cost.reported) {
        (Outcome::Loads, _) => "✓",
        (Outcome::Changes, _) => "~",
        (Outcome::Drops, Some(Reported::Nothing)) => "**✗**",
        (Outcome::Drops, _) => "✗",
        (Outcome::Unknown | Outcome::NotRead, _) => "?",
    }
}
