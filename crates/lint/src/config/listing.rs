//! `[[listing]]`: files that list skills, such as README.md.

use super::faults::Faults;
use super::keys;
use super::paths;
use super::require::{patterns, skills};
use super::table::Table;
use skilltree_skills::queries::List;

/// Maximum number of entries (ours: 20).
const LISTS: usize = 20;

/// Reads the entries. One with a fault has no effect.
pub(super) fn read(file: &Table<'_>, faults: &mut Faults) -> Vec<List> {
    let tables = file.tables("listing", "`[[listing]]`", faults);
    if let Some(table) = tables.get(LISTS) {
        let message = format!("there are more than {LISTS} entries of `[[listing]]`");
        faults.fatal(table.range.clone(), message, "remove some");
        return Vec::new();
    }
    tables.iter().filter_map(|table| faults.within_entry(|faults| list(table, faults))).collect()
}

fn list(table: &Table<'_>, faults: &mut Faults) -> Option<List> {
    let before = faults.count();
    table.only(&keys::names(keys::LISTING), faults);
    let file = table.required("file", faults);
    let file = file
        .and_then(|file| paths::file(file.value).map_err(|bad| faults.invalid(file.range, bad.message, bad.help)).ok());
    let written = table.required("pattern", faults);
    let pattern = written.as_ref().and_then(|text| patterns::of_text(text, faults));
    let (paths, skills) = skills(table, faults);
    let ordered = table.boolean("ordered", faults).unwrap_or(false);
    if faults.count() > before {
        return None;
    }
    let pattern = pattern?;
    if pattern.0.captures_len() < 2 {
        let help = r"put the name or the path of the skill in parentheses, such as `\]\((skills/[^)]+)\)`";
        faults.invalid(written?.range, "the pattern has no group", help);
        return None;
    }
    Some(List { file: file?, pattern, skills, paths, ordered })
}
