//! `[[route]]`: tasks, and the skills that must rank first for them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::faults::Faults;
use super::keys;
use super::table::Table;

/// Maximum number of entries (ours: 200): each one ranks all skills.
const ROUTES: usize = 200;

/// A task, and the skills that must rank first for it.
#[derive(Clone, Debug)]
pub struct Route {
    /// The text of the task.
    pub task: String,
    /// Names or directories of skills. They must have the first ranks, in any order.
    pub skills: Vec<String>,
    /// The role of the agent; `None` for all roles.
    pub role: Option<String>,
    /// Byte range in skilltree.toml.
    pub written: Range<usize>,
}

impl Route {
    /// Returns whether another route demands the same.
    pub(super) fn is_equivalent(&self, other: &Self) -> bool {
        let names = |route: &Self| route.skills.iter().cloned().collect::<BTreeSet<String>>();
        (&self.task, &self.role) == (&other.task, &other.role) && names(self) == names(other)
    }
}

/// Reads the entries. One with a fault has no effect.
pub(super) fn read(file: &Table<'_>, faults: &mut Faults) -> Vec<Route> {
    let tables = file.tables("route", "`[[route]]`", faults);
    if let Some(table) = tables.get(ROUTES) {
        let message = format!("there are more than {ROUTES} entries of `[[route]]`");
        faults.too_many(table.range.clone(), message, "remove some");
        return Vec::new();
    }
    tables.iter().filter_map(|table| faults.within_entry(|faults| route(table, faults))).collect()
}

fn route(table: &Table<'_>, faults: &mut Faults) -> Option<Route> {
    let before = faults.count();
    table.only(&keys::names(keys::ROUTE), faults);
    let task = table.required("task", faults);
    let role = table.string("role", faults);
    let mut skills: Vec<String> = Vec::new();
    match table.strings("skills", faults) {
        None if !table.has("skills") => {
            faults.invalid(table.range.clone(), "`[[route]]` has no `skills`", "add `skills = [\"…\"]`");
        }
        None => {}
        Some(names) if names.value.is_empty() => {
            faults.invalid(names.range, "`skills` lists no skill", "add the name of a skill");
        }
        Some(names) => {
            let mut seen = BTreeSet::new();
            for name in names.value {
                if !seen.insert(name.value) {
                    let message = format!("the skill `{}` is listed twice", name.value);
                    faults.invalid(name.range, message, "remove one of the two");
                }
                skills.push(name.value.to_owned());
            }
        }
    }
    if faults.count() > before {
        return None;
    }
    let role = role.map(|role| role.value.to_owned());
    Some(Route { task: task?.value.to_owned(), skills, role, written: table.extent() })
}
