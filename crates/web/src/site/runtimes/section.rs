//! The page of one runtime: every value with its source.

use toml::Value;

use super::costs::Cost;
use super::matrix;
use super::words::{self, cell, code};
use super::{Runtime, described, table};
use skilltree_report::render::count;
use skilltree_runtimes::forecast::Outcome;
use skilltree_runtimes::profile::Reported;
use skilltree_runtimes::profile::loads::Scope;

/// What writes a part of the page of a runtime.
type Write = fn(&mut String, &Runtime<'_>);

/// The cells with names, in order. Cells without names have separate tables.
const LABELS: [(&str, &str); 30] = [
    ("loads.depth", "depth below a skills directory"),
    ("loads.files.name", "file name"),
    ("loads.files.hidden", "hidden directories"),
    ("loads.files.below-skill", "skills inside a skill directory"),
    ("loads.files.in-root", "SKILL.md directly in the skills directory"),
    ("loads.links.directory", "skill directory that is a symbolic link"),
    ("loads.links.file", "SKILL.md that is a symbolic link"),
    ("loads.links.escape", "symbolic link to outside the skills directory"),
    ("loads.text.byte-order-mark", "byte order mark (BOM)"),
    ("loads.text.not-utf8", "bytes that are not UTF-8"),
    ("loads.text.line-endings", "line endings"),
    ("loads.fence.absent", "no front matter found"),
    ("loads.yaml.family", "YAML library"),
    ("loads.yaml.refused", "YAML that does not parse"),
    ("loads.yaml.not-a-mapping", "YAML that is not a mapping"),
    ("loads.keys.known", "keys that the runtime reads"),
    ("loads.keys.unlists", "key that hides a skill from the model"),
    ("loads.commands", "commands in the body that it runs"),
    ("loads.expands", "placeholders in the body that it replaces"),
    ("loads.empty-body", "empty body"),
    ("loads.identity.by", "name comes from"),
    ("loads.identity.differs-from-directory", "name differs from the directory"),
    ("loads.duplicates.same-root", "duplicate names in one skills directory"),
    ("loads.duplicates.across-roots", "duplicate names across skills directories"),
    ("loads.duplicates.upwards", "duplicate names in directories above the working directory"),
    ("loads.duplicates.loser", "the other skill"),
    ("loads.listing.shown", "fields that the model sees"),
    ("loads.listing.order", "order of the list"),
    ("loads.listing.escape", "escaping"),
    ("loads.listing.bodies", "bodies"),
];

/// Cells that are code.
const CODE: [(&str, &str); 3] = [
    ("loads.fence.pattern", "pattern of the front matter"),
    ("loads.listing.entry", "list entry"),
    ("loads.mentions.forms", "mention"),
];

/// Irregularities of a field, in the order of a profile.
const DEMANDS: [&str; 11] =
    ["missing", "null", "blank", "empty", "text", "number", "boolean", "date", "list", "mapping", "malformed"];

/// Returns the page.
pub(super) fn page(runtime: &Runtime<'_>, costs: &[Cost]) -> String {
    let profile = runtime.profile;
    let about = format!("What {} does with a SKILL.md: {}.", profile.actor(), profile.about);
    let mut page = format!("{}# {}\n\n{}.\n", described(&about), profile.title, cell(&capitalized(&profile.about)));
    if let Some(basis) = skilltree_runtimes::profile::Basis::of(profile) {
        page.push_str(&format!("\n{}.\n", cell(&basis.to_string())));
    }
    let id = &profile.id;
    page.push_str(&format!(
        "\n- Check for it: `skilltree check --target {id}`, or `targets = [\"{id}\"]` in skilltree.toml\n\
         - See what it loads: `skilltree forecast {id}`\n\
         - [Compare it with another runtime](compare.md?a={id})\n\
         - [Its profile]({}{id}.toml)\n",
        super::REPOSITORY
    ));
    if !profile.notes.is_empty() {
        page.push_str("\n## Notes\n\n");
        profile.notes.iter().for_each(|note| page.push_str(&format!("- {}\n", note.replace('<', "&lt;"))));
    }
    let parts: [(&str, Write); 4] = [
        ("Skills directories", write_roots),
        ("How it loads a skill", write_values),
        ("Fields", write_fields),
        ("Limits", write_limits),
    ];
    for (heading, write) in parts {
        section(&mut page, heading, |page| write(page, runtime));
    }
    section(&mut page, "Effects of faults", |page| write_costs(page, runtime, costs));
    section(&mut page, "Sources", |page| write_sources(page, runtime));
    page
}

/// Writes a section, unless it is empty.
fn section(page: &mut String, heading: &str, write: impl FnOnce(&mut String)) {
    let before = page.len();
    page.push_str(&format!("\n## {heading}\n"));
    let empty = page.len();
    write(page);
    if page.len() == empty {
        page.truncate(before);
    }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or(String::new(), |first| first.to_uppercase().chain(characters).collect())
}

/// The number of the source of a value.
fn source(runtime: &Runtime<'_>, path: &str) -> String {
    let known = runtime.profile.evidence(path);
    let number = runtime.profile.evidence.values().position(|evidence| Some(evidence) == known);
    number.map_or(String::new(), |number| (number + 1).to_string())
}

fn write_roots(page: &mut String, runtime: &Runtime<'_>) {
    let scope = |scope| match scope {
        Scope::Repository => "repository",
        Scope::User => "user",
        Scope::System => "machine",
        Scope::Bundled => "bundled",
    };
    let row = |(number, root): (usize, &skilltree_runtimes::profile::loads::Root)| {
        let mut when = root.when.clone().unwrap_or_default();
        if root.from != skilltree_runtimes::profile::loads::Start::Top {
            when = format!("{}{}{when}", words::from(root.from), if when.is_empty() { "" } else { "; " });
        }
        vec![
            (number + 1).to_string(),
            code(&root.path),
            scope(root.scope).to_owned(),
            cell(&when),
            source(runtime, "loads.roots"),
        ]
    };
    let rows: Vec<_> = runtime.profile.loads.roots.iter().enumerate().map(row).collect();
    page.push_str(&table(&["", "skills directory", "scope", "condition", "source"], &rows));
}

/// Returns label and value of each cell, in the same order for all runtimes.
pub(super) fn values(runtime: &Runtime<'_>) -> Vec<(String, String)> {
    cells(runtime).into_iter().map(|(label, words, _)| (label.to_owned(), words)).collect()
}

/// Returns label, value and path of each cell.
fn cells(runtime: &Runtime<'_>) -> Vec<(&'static str, String, &'static str)> {
    let mut cells: Vec<_> = LABELS.map(|(path, label)| (label, runtime.words(path), path)).into();
    for (path, label) in CODE {
        let quoted = |value: &Value| match value {
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(code).collect::<Vec<_>>().join(", "),
            other => code(other.as_str().unwrap_or_default()),
        };
        cells.push((label, runtime.value(path).map_or_else(|| runtime.words(path), quoted), path));
    }
    let repair = match &runtime.profile.loads.repair {
        Some(repair) => {
            let method = runtime.words("loads.repair.method");
            let patterns = [Some(&repair.line), repair.repaired.as_ref(), repair.repaired_unless_yaml.as_ref()];
            let patterns: Vec<String> = patterns.into_iter().flatten().map(|pattern| code(pattern.source())).collect();
            format!("{method}, by {}", patterns.join(", "))
        }
        None => runtime.words("loads.repair"),
    };
    cells.push(("repair of invalid YAML", repair, "loads.repair"));
    cells.push(("budget of the list", matrix::budget(runtime), "loads.budget"));
    cells.push(("reports", runtime.words("loads.reports"), "loads.reports"));
    cells
}

fn write_values(page: &mut String, runtime: &Runtime<'_>) {
    let row = |(label, words, path): (&str, String, &str)| {
        let from = if words == "unknown" { String::new() } else { source(runtime, path) };
        vec![label.to_owned(), words, from]
    };
    let rows: Vec<_> = cells(runtime).into_iter().map(row).collect();
    page.push_str(&table(&["", "value", "source"], &rows));
}

/// Requirements of fields: one column per field.
fn write_fields(page: &mut String, runtime: &Runtime<'_>) {
    let Some(fields) = runtime.value("loads.fields").and_then(Value::as_table) else { return };
    let keys: Vec<&String> = fields.keys().collect();
    let value = |key: &str, demand: &str| fields.get(key).and_then(|field| field.get(demand));
    let demanded = DEMANDS.iter().filter(|demand| keys.iter().any(|key| value(key, demand).is_some()));
    let row = |demand: &&str| {
        let words = |key: &&String| value(key, demand).map_or(String::new(), |value| words::of(demand, value));
        [demanded_of(demand).to_owned()].into_iter().chain(keys.iter().map(words)).collect()
    };
    let rows: Vec<Vec<String>> = demanded.map(row).collect();
    let heads: Vec<String> = keys.iter().map(|key| code(key)).collect();
    let heads: Vec<&str> = ["field is"].into_iter().chain(heads.iter().map(String::as_str)).collect();
    page.push_str(&table(&heads, &rows));
}

/// A row of the table of fields.
fn demanded_of(demand: &str) -> &str {
    match demand {
        "blank" => "only whitespace",
        "text" => "string",
        "map" => "mapping",
        "malformed" => "not a match of the pattern",
        other => other,
    }
}

fn write_limits(page: &mut String, runtime: &Runtime<'_>) {
    let row = |limit: &skilltree_runtimes::profile::listing::Limit| {
        let (of, maximum) = words::limit(limit);
        vec![of.to_owned(), maximum, words::verdict(limit.over_limit), source(runtime, "loads.limits")]
    };
    let rows: Vec<_> = runtime.profile.loads.limits.iter().map(row).collect();
    page.push_str(&table(&["limit of", "limit", "if it is exceeded", "source"], &rows));
}

/// The faults that a runtime does not simply load.
fn write_costs(page: &mut String, runtime: &Runtime<'_>, costs: &[Cost]) {
    let is_known = |cost: &&Cost| matches!(cost.outcome, Outcome::Changes | Outcome::Drops);
    let row = |cost: &Cost| {
        let report = match cost.reported {
            Some(Reported::Error) => "error",
            Some(Reported::Log) => "log",
            Some(Reported::Nothing) => "none",
            None => "unknown",
        };
        let reason = cost.reason.as_deref().unwrap_or_default();
        vec![cost.fault.to_owned(), cost.outcome.word().to_owned(), cell(reason), report.to_owned()]
    };
    let rows: Vec<_> = costs.iter().filter(is_known).map(row).collect();
    page.push_str(&table(&["fault", "forecast", "reason", "report"], &rows));
    let unknown = costs.iter().filter(|cost| cost.outcome == Outcome::Unknown).count();
    let loads = costs.iter().filter(|cost| cost.outcome == Outcome::Loads).count();
    let observed = count(runtime.profile.cases.len(), "observed case");
    page.push_str(&format!(
        "\nOf {}, {loads} load unchanged and {unknown} are unknown. Tests check this profile against {observed}.\n",
        count(costs.len(), "fault")
    ));
}

fn write_sources(page: &mut String, runtime: &Runtime<'_>) {
    let row = |(number, evidence): (usize, &skilltree_runtimes::profile::Evidence)| {
        let text = |text: &Option<String>| text.as_deref().map_or(String::new(), cell);
        let version = evidence.version.as_deref().map_or("unknown".to_owned(), cell);
        vec![(number + 1).to_string(), cell(&evidence.source), version, text(&evidence.note)]
    };
    let rows: Vec<_> = runtime.profile.evidence.values().enumerate().map(row).collect();
    page.push_str(&table(&["source", "where", "version", "note"], &rows));
}

#[cfg(test)]
mod tests {
    use super::*;
    use skilltree_runtimes::profile::cells::CELLS;

    #[test]
    fn every_cell_has_its_place() {
        let elsewhere = [
            "loads.roots",
            "loads.repair",
            "loads.fields.name",
            "loads.fields.description",
            "loads.limits",
            "loads.budget",
            "loads.reports",
        ];
        for cell in CELLS {
            let mut shown = LABELS.iter().chain(&CODE).map(|(path, _)| *path).chain(elsewhere);
            assert!(shown.any(|path| path == cell), "docs/runtimes.md does not show `{cell}`");
        }
    }
}
