//! `[[route]]`: tasks, and the skills that must rank first for them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::faults::Faults;
use super::keys;
use super::require::words;
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
    /// Number of the file in [`Config::files`](super::Config::files), and byte range in it.
    pub written: (usize, Range<usize>),
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
        faults.fatal(table.range.clone(), message, "remove some");
        return Vec::new();
    }
    tables.iter().filter_map(|table| faults.within_entry(|faults| route(table, faults))).collect()
}

fn route(table: &Table<'_>, faults: &mut Faults) -> Option<Route> {
    let before = faults.count();
    table.only(&keys::names(keys::ROUTE), faults);
    let task = table.required("task", faults);
    let role = if table.has("role") { table.required("role", faults) } else { None };
    if !table.has("skills") {
        faults.invalid(table.range.clone(), "`[[route]]` has no `skills`", "add `skills = [\"…\"]`");
    }
    let skills = words(table, "skills", faults);
    if faults.count() > before {
        return None;
    }
    let role = role.map(|role| role.value.to_owned());
    Some(Route { task: task?.value.to_owned(), skills, role, written: (faults.file, table.extent()) })
}
