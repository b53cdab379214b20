//! Skills of the runtime itself, which share the listing.

use std::borrow::Cow;

use super::ListEntry;
use super::template::Template;
use crate::profile::listing::{Budget, Bundled};
use skilltree_skills::skill::SkillId;

/// Returns the entries of the skills of the runtime, in their order.
pub(super) fn of<'a>(budget: &'a Budget, template: &Template<'_>) -> Vec<ListEntry<'a>> {
    let entry = |bundled: &'a Bundled| ListEntry {
        skill: SkillId(u32::MAX),
        name: Cow::Borrowed(&bundled.name),
        chars: bundled.description,
        first_line: bundled.description,
        whole: template.sized(&bundled.name, bundled.description, bundled.path),
        short: template.sized(&bundled.name, 0, bundled.path),
        in_line: 0,
        bundled_path: Some(bundled.path),
    };
    budget.bundled.iter().map(entry).collect()
}

/// Adds the skills of the runtime to the sorted entries.
pub(super) fn add<'a>(entries: &mut Vec<ListEntry<'a>>, bundled: &[ListEntry<'a>], is_first: bool) {
    for (number, one) in bundled.iter().enumerate() {
        let is_before = |other: &ListEntry<'_>| *other.name.to_lowercase() <= *one.name;
        let at = if is_first { number } else { entries.partition_point(is_before) };
        entries.insert(at, one.clone());
    }
}
