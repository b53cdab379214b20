//! The section of one runtime: every value with its source.

use toml::Value;

use super::costs::Cost;
use super::overview;
use super::words::{self, cell, code};
use super::{Runtime, table};
use crate::forecast::Fate;
use crate::profile::loads::Scope;
use crate::render::count;

/// The cells in words, in their order. Those without words stand in tables of their own.
const LABELS: [(&str, &str); 26] = [
    ("loads.depth", "depth below a root"),
    ("loads.files.name", "name of the file"),
    ("loads.files.hidden", "hidden directories"),
    ("loads.files.below-skill", "skills below a skill"),
    ("loads.files.in-root", "a SKILL.md in the root itself"),
    ("loads.links.directory", "a directory that is a link"),
    ("loads.links.file", "a SKILL.md that is a link"),
    ("loads.links.escape", "a link out of the root"),
    ("loads.text.byte-order-mark", "a byte order mark"),
    ("loads.text.not-utf8", "bytes that are no UTF-8"),
    ("loads.text.line-ends", "line ends"),
    ("loads.fence.absent", "no front matter is found"),
    ("loads.yaml.family", "YAML library"),
    ("loads.yaml.refused", "YAML that it refuses"),
    ("loads.yaml.not-a-map", "YAML that is no map"),
    ("loads.keys.known", "keys that it reads"),
    ("loads.empty-body", "an empty body"),
    ("loads.identity.by", "a skill is called by"),
    ("loads.identity.differs-from-directory", "a name that is not the directory's"),
    ("loads.duplicates.same-root", "of two in one root stays"),
    ("loads.duplicates.across-roots", "of two in two roots stays"),
    ("loads.duplicates.loser", "the other one"),
    ("loads.listing.shown", "a model is shown"),
    ("loads.listing.order", "in the order of"),
    ("loads.listing.escape", "values are escaped"),
    ("loads.listing.bodies", "bodies"),
];

/// Cells that are code.
const CODE: [(&str, &str); 3] = [
    ("loads.fence.pattern", "the front matter is what matches"),
    ("loads.listing.entry", "an entry of the list"),
    ("loads.mentions.forms", "a call"),
];

/// What may be odd about a field, in the order of a profile.
const DEMANDS: [&str; 12] =
    ["missing", "null", "blank", "empty", "text", "number", "boolean", "date", "list", "map", "malformed", "no-word"];

pub(super) fn write(page: &mut String, runtime: &Runtime<'_>, costs: &[Cost]) {
    let profile = runtime.profile;
    page.push_str(&format!("\n## {}\n\n{}.\n", profile.title, cell(&capitalized(&profile.about))));
    if !profile.notes.is_empty() {
        page.push('\n');
        profile.notes.iter().for_each(|note| page.push_str(&format!("- {}\n", note.replace('<', "&lt;"))));
    }
    write_roots(page, runtime);
    write_values(page, runtime);
    write_fields(page, runtime);
    write_limits(page, runtime);
    write_costs(page, runtime, costs);
    write_sources(page, runtime);
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
        Scope::Repository => "the repository",
        Scope::User => "the user",
        Scope::System => "the machine",
        Scope::Bundled => "the program",
    };
    let row = |(number, root): (usize, &crate::profile::loads::Root)| {
        let mut when = root.when.clone().unwrap_or_default();
        if root.from != crate::profile::loads::Start::Top {
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
    table(page, &["", "root", "of", "where and when", "source"], &rows);
}

fn write_values(page: &mut String, runtime: &Runtime<'_>) {
    let mut rows = Vec::new();
    let mut row = |label: &str, words: String, path: &str| {
        let from = if words == "unknown" { String::new() } else { source(runtime, path) };
        rows.push(vec![label.to_owned(), words, from]);
    };
    for (path, label) in LABELS {
        row(label, runtime.words(path), path);
    }
    for (path, label) in CODE {
        let quoted = |value: &Value| match value {
            Value::Array(items) => items.iter().filter_map(Value::as_str).map(code).collect::<Vec<_>>().join(", "),
            other => code(other.as_str().unwrap_or_default()),
        };
        row(label, runtime.value(path).map_or_else(|| runtime.words(path), quoted), path);
    }
    let repair = match &runtime.profile.loads.repair {
        Some(repair) => {
            let method = runtime.words("loads.repair.method");
            let patterns = [Some(&repair.line), repair.mended.as_ref(), repair.mended_unless_yaml.as_ref()];
            let patterns: Vec<String> = patterns.into_iter().flatten().map(|pattern| code(pattern.source())).collect();
            format!("{method}, by {}", patterns.join(", "))
        }
        None => runtime.words("loads.repair"),
    };
    row("how it mends", repair, "loads.repair");
    row("budget of the list", overview::budget(runtime), "loads.budget");
    row("what it says", runtime.words("loads.says"), "loads.says");
    table(page, &["", "value", "source"], &rows);
}

/// What is demanded of fields: a column a field.
fn write_fields(page: &mut String, runtime: &Runtime<'_>) {
    let Some(fields) = runtime.value("loads.fields").and_then(Value::as_table) else { return };
    let keys: Vec<&String> = fields.keys().collect();
    let value = |key: &str, demand: &str| fields.get(key).and_then(|field| field.get(demand));
    let demanded = DEMANDS.iter().filter(|demand| keys.iter().any(|key| value(key, demand).is_some()));
    let row = |demand: &&str| {
        let words = |key: &&String| value(key, demand).map_or(String::new(), |value| words::of(demand, value));
        [(**demand).to_owned()].into_iter().chain(keys.iter().map(words)).collect()
    };
    let rows: Vec<Vec<String>> = demanded.map(row).collect();
    let heads: Vec<String> = keys.iter().map(|key| code(key)).collect();
    let heads: Vec<&str> = ["a field that is"].into_iter().chain(heads.iter().map(String::as_str)).collect();
    table(page, &heads, &rows);
}

fn write_limits(page: &mut String, runtime: &Runtime<'_>) {
    let row = |limit: &crate::profile::listing::Limit| {
        let (of, most) = words::limit(limit);
        vec![of.to_owned(), most, words::verdict(limit.beyond), source(runtime, "loads.limits")]
    };
    let rows: Vec<_> = runtime.profile.loads.limits.iter().map(row).collect();
    table(page, &["limit of", "at most", "beyond", "source"], &rows);
}

/// The faults that a runtime does not simply load.
fn write_costs(page: &mut String, runtime: &Runtime<'_>, costs: &[Cost]) {
    let is_known = |cost: &&Cost| matches!(cost.fate, Fate::Altered | Fate::Dropped);
    let row = |cost: &Cost| {
        let told = cost.said.map_or("unknown", |said| words::told(said).trim_start_matches(", "));
        let reason = cost.reason.as_deref().unwrap_or_default();
        vec![cost.fault.to_owned(), cost.fate.word().to_owned(), cell(reason), told.to_owned()]
    };
    let rows: Vec<_> = costs.iter().filter(is_known).map(row).collect();
    table(page, &["fault", "forecast", "why", "told"], &rows);
    let unknown = costs.iter().filter(|cost| cost.fate == Fate::Unknown).count();
    let loads = costs.iter().filter(|cost| cost.fate == Fate::Loads).count();
    let held = count(runtime.profile.cases.len(), "case");
    page.push_str(&format!(
        "\nOf {}, {loads} load as they are written and {unknown} are unknown. {held} of what was seen hold this profile.\n",
        count(costs.len(), "fault")
    ));
}

fn write_sources(page: &mut String, runtime: &Runtime<'_>) {
    let row = |(number, evidence): (usize, &crate::profile::Evidence)| {
        let text = |text: &Option<String>| text.as_deref().map_or(String::new(), cell);
        let version = evidence.version.as_deref().map_or("unknown".to_owned(), cell);
        vec![(number + 1).to_string(), cell(&evidence.source), version, text(&evidence.note)]
    };
    let rows: Vec<_> = runtime.profile.evidence.values().enumerate().map(row).collect();
    table(page, &["source", "where", "version", "to be known"], &rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::cells::CELLS;

    #[test]
    fn every_cell_has_its_place_on_the_page() {
        let elsewhere = [
            "loads.roots",
            "loads.repair",
            "loads.fields.name",
            "loads.fields.description",
            "loads.limits",
            "loads.budget",
            "loads.says",
        ];
        for cell in CELLS {
            let mut shown = LABELS.iter().chain(&CODE).map(|(path, _)| *path).chain(elsewhere);
            assert!(shown.any(|path| path == cell), "docs/runtimes.md does not show `{cell}`");
        }
    }
}
