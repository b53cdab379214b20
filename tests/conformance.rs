//! The forecast against what runtimes were seen to do: every case of a matrix, every profile that has a column there. No case
//! is known to the program by its name or its text.
//!
//! The cases lie beside the checkout, or where `SKILLTREE_CONFORMANCE` says; without them the test says so and passes.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "the test reads files and says what it skipped"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use skilltree_core::catalog::Catalog;
use skilltree_core::config::Config;
use skilltree_core::forecast::{Fate, Forecast, forecast};
use skilltree_core::front_matter::Bounds;
use skilltree_core::profile::{Profiles, Said};
use skilltree_core::skill::SkillId;
use skilltree_core::snapshot::Origin;
use skilltree_core::source::{self, Content, Entry};

/// The columns whose profile has another name.
const COLUMNS: [(&str, &str); 5] = [
    ("codex-new", "codex"),
    ("goose-old", "goose"),
    ("roo-code", "roo"),
    ("skills-ref validate", "agentskills"),
    ("swarmassistant", "swarm"),
];

#[test]
fn forecast_matches_observed_runtime() {
    let Some(place) = place() else {
        eprintln!("SKIPPED: no conformance cases beside the checkout; name them in SKILLTREE_CONFORMANCE");
        return;
    };
    let matrix = fs::read_to_string(place.join("loader-matrix.tsv")).unwrap();
    let mut rows = matrix.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let heads = rows.next().unwrap();
    let profiles = Profiles::default();
    let mut agreement: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut differences = Vec::new();
    for row in rows {
        let catalog = catalog(&place.join("cases").join(row[0]));
        for (head, cell) in heads.iter().zip(&row).skip(1) {
            let name = head.trim_end_matches('~');
            let id = COLUMNS.iter().find(|(column, _)| *column == name).map_or(name, |(_, id)| id);
            let Some(profile) = profiles.find(id) else { continue };
            let told = told(&catalog, &forecast(&catalog, profile));
            let count = agreement.entry(profile.id.as_str()).or_default();
            count.1 += 1;
            match differs(cell, &told) {
                None => count.0 += 1,
                Some(what) => differences.push(format!("{} {id}: {what}: {cell}\n    {told:?}", row[0])),
            }
        }
    }
    for (id, (equal, all)) in &agreement {
        eprintln!("{id:16} {equal:3} of {all}");
    }
    assert!(agreement.len() > 10, "the matrix has no columns that are known: {agreement:?}");
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn place() -> Option<PathBuf> {
    let named = std::env::var_os("SKILLTREE_CONFORMANCE").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    Some(named.unwrap_or(beside)).filter(|place| place.join("loader-matrix.tsv").is_file())
}

/// The skills of a case, as if they lay in a root.
fn catalog(case: &Path) -> Catalog {
    let mut entries = Vec::new();
    for directory in fs::read_dir(case).unwrap().flatten() {
        for file in fs::read_dir(directory.path()).unwrap().flatten() {
            let names = [directory.file_name(), file.file_name()].map(|name| name.into_string().unwrap());
            let path = format!(".agent/skills/{}", names.join("/")).into();
            entries.push(Entry { path, content: Content::File(fs::read(file.path()).unwrap()) });
        }
    }
    let config = Config::new();
    let bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };
    let parsed = source::memory(Origin::Memory, entries).read(&config.roots, bounds).unwrap();
    Catalog::new(parsed)
}

/// What is told of the first skill of a case.
#[derive(Debug)]
struct Told {
    fate: Fate,
    name: String,
    directory: String,
    description: String,
    cut_from: Option<u64>,
    #[allow(dead_code, reason = "it is shown where a cell differs")]
    reason: String,
    said: Option<Said>,
}

fn told(catalog: &Catalog, forecast: &Forecast) -> Told {
    let id = SkillId(0);
    let skill = catalog.skill(id);
    let told = forecast.skill(id);
    let text = |shown: &Option<skilltree_core::forecast::Shown>, key: &str| {
        shown.as_ref().map_or(String::new(), |shown| shown.text(skill, key).into_owned())
    };
    Told {
        fate: told.fate,
        name: text(&told.name, "name"),
        directory: skill.directory.to_string(),
        description: text(&told.description, "description"),
        cut_from: told.cut_from,
        reason: told.reason.as_ref().map_or(String::new(), ToString::to_string),
        said: told.said,
    }
}

/// What of a cell the forecast does not say.
fn differs(cell: &str, told: &Told) -> Option<&'static str> {
    let loads = matches!(told.fate, Fate::Loads | Fate::Altered);
    let Some(seen) = cell.strip_prefix("ok") else {
        let said = match cell {
            _ if cell.contains("(silent)") => Some(Said::Nothing),
            _ if cell.contains("(warn)") => Some(Said::Log),
            _ if cell.starts_with("ERR") || cell.starts_with("CRASH") => Some(Said::Error),
            _ => None,
        };
        if told.fate != Fate::Dropped {
            return Some("it is dropped");
        }
        return (said.is_some() && said != told.said).then_some("it is told otherwise");
    };
    if !loads {
        return Some("it loads");
    }
    let seen = seen.trim();
    let (name, shown) = seen.split_once('|')?;
    let is_named = match name.strip_prefix("dir=") {
        Some(name) => name.split(' ').next() == Some(&told.directory),
        None => unquoted(name) == told.name,
    };
    if !is_named {
        return Some("it has another name");
    }
    (!shows(shown, told)).then_some("another description is shown")
}

/// Whether a cell shows the description: `"text"`, `"the beginning..LENGTH"`, a beginning of fixed length, or a word in
/// brackets for what the runtime put in its place.
fn shows(cell: &str, told: &Told) -> bool {
    let told_text = &told.description;
    let quoted = cell.starts_with(['"', '\'']);
    if !quoted {
        return match cell {
            "<EMPTY METADATA>" | "<body para> NO-FM" | "<from body>" => told.fate == Fate::Altered,
            other => other == told_text,
        };
    }
    let end = cell.rfind(cell.chars().next().unwrap()).unwrap();
    let seen = unquoted(&cell[..=end]);
    if seen == "<body para>" || seen == "<from body>" {
        return told.fate != Fate::Dropped;
    }
    if let Some((beginning, length)) = seen.rsplit_once("..")
        && let Ok(length) = length.parse::<u64>()
    {
        let units = [told_text.chars().count() as u64, told_text.encode_utf16().count() as u64];
        return told_text.starts_with(beginning) && (units.contains(&length) || told.cut_from == Some(length));
    }
    // Two columns hold the first 24 units of a quoted text, and the first 30 characters.
    let is_cut = cell.encode_utf16().count() >= 24;
    seen == *told_text || (is_cut && told_text.starts_with(&seen))
}

/// A quoted text of JavaScript or Python.
fn unquoted(text: &str) -> String {
    let quote = text.chars().next().filter(|quote| matches!(quote, '"' | '\''));
    let Some(quote) = quote else { return text.split(' ').next().unwrap_or_default().to_owned() };
    let inside = text.strip_prefix(quote).unwrap_or(text);
    let end = inside.rfind(quote).unwrap_or(inside.len());
    inside[..end].replace("\\n", "\n").replace("\\\"", "\"").replace("\\'", "'")
}
