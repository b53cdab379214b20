//! The cells that may differ.

use std::fs;

use serde::Deserialize;

use crate::conformance::cells::{Cells, Different};
use crate::conformance::observation::{Observation, directory};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    difference: Vec<Allowed>,
}

/// Cells of a runtime that may differ for one reason.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Allowed {
    runtime: String,
    cases: Vec<String>,
    cell: String,
    reason: String,
}

impl Allowed {
    fn covers(&self, runtime: &str, case: &str, different: &Different) -> bool {
        self.runtime == runtime && self.cell == different.cell && case == different.case
    }
}

/// Returns the differences that are not allowed, and the entries that are not needed or allow too much.
pub(crate) fn unexpected(compared: &[(&Observation, Cells)]) -> Vec<String> {
    let text = fs::read_to_string(directory().join("differences.toml")).unwrap();
    let File { difference: allowed } = toml::from_str(&text).unwrap();
    let mut faults = Vec::new();
    for (observation, cells) in compared {
        let runtime = &observation.runtime;
        let mut used = 0;
        for different in &cells.different {
            let Different { case, cell, what, is_loss } = different;
            let entry =
                allowed.iter().any(|allowed| allowed.cases.iter().any(|name| allowed.covers(runtime, name, different)));
            match (entry, is_loss) {
                (true, false) => used += 1,
                (true, true) => faults.push(format!("{runtime} {case}: {cell}: an entry cannot allow this: {what}")),
                (false, _) => faults.push(format!("{runtime} {case}: {cell}: {what}")),
            }
        }
        if used * 100 > cells.count {
            faults.push(format!("{runtime}: {used} of {} cells are excused; the limit is 1 %", cells.count));
        }
    }
    for entry in &allowed {
        assert!(!entry.reason.is_empty(), "an entry for {} has no reason", entry.runtime);
        for case in &entry.cases {
            let is_used = compared.iter().any(|(observation, cells)| {
                cells.different.iter().any(|different| entry.covers(&observation.runtime, case, different))
            });
            if !is_used {
                faults.push(format!("{} {case}: {}: the entry is not needed", entry.runtime, entry.cell));
            }
        }
    }
    faults
}
