//! Skills of the runtime itself, which share the listing.

use std::borrow::Cow;

use super::ListEntry;
use super::template::Template;
use crate::profile::listing::Budget;
use skilltree_skills::skill::SkillId;

/// Adds the skills of the runtime to the sorted entries.
pub(super) fn add(entries: &mut Vec<ListEntry<'_>>, budget: &Budget, template: &Template<'_>) {
    for (number, bundled) in budget.bundled.iter().enumerate() {
        let entry = ListEntry {
            skill: SkillId(u32::MAX),
            name: Cow::Owned(bundled.name.clone()),
            chars: bundled.description,
            first_line: bundled.description,
            whole: template.sized(&bundled.name, bundled.description, bundled.path),
            short: template.sized(&bundled.name, 0, bundled.path),
            in_line: 0,
            bundled_path: Some(bundled.path),
        };
        let is_before = |other: &ListEntry<'_>| other.name.to_lowercase() <= bundled.name;
        let at = if budget.bundled_first { number } else { entries.partition_point(is_before) };
        entries.insert(at, entry);
    }
}
