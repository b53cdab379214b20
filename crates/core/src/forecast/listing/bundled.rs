//! Skills of the runtime itself, which share the listing.

use std::borrow::Cow;

use super::ListEntry;
use super::template::Template;
use crate::forecast::measure;
use crate::profile::listing::{Budget, Unit};
use crate::skill::SkillId;

/// Adds the skills of the runtime to the sorted entries.
pub(super) fn add(entries: &mut Vec<ListEntry<'_>>, budget: &Budget, template: &Template<'_>) {
    for bundled in &budget.bundled {
        let entry = ListEntry {
            skill: SkillId(u32::MAX),
            name: Cow::Owned(bundled.name.clone()),
            chars: bundled.description,
            whole: template.sized(&bundled.name, bundled.description, bundled.path),
            short: template.sized(&bundled.name, 0, bundled.path),
            in_line: 0,
            is_bundled: true,
        };
        let is_before = |other: &ListEntry<'_>| other.name.to_lowercase() <= bundled.name;
        let at = if budget.bundled_last { entries.len() } else { entries.partition_point(is_before) };
        entries.insert(at, entry);
    }
}

/// Returns the size of such an entry with at most the given number of code points of its description. Tokens are counted
/// over the whole entry, so they are not proportional to its description.
pub(super) fn size(entry: &ListEntry<'_>, chars: u64, unit: Option<Unit>) -> u64 {
    let chars = chars.min(entry.chars);
    match unit {
        Some(Unit::Tokens) => entry.short + measure::tokens(chars),
        _ if chars == 0 => entry.short,
        _ => entry.whole - (entry.chars - chars),
    }
}
