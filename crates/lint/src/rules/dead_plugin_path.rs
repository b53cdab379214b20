//! Reports paths of manifests whose skills a runtime loses.

use super::manifests::{self, Fault, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Wrong;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "dead-plugin-path",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a manifest names a path from which a runtime loads no skill",
    why: "what the path names does not load",
    explanation: include_str!("dead_plugin_path.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut faults = manifests::faults(catalog, facts);
    faults.retain(|fault| fault.without_package.is_empty() && !fault.what.is_about_part());
    for group in manifests::alike(&faults) {
        let message = |fault: &Fault<'_>| {
            let verb = if fault.without_entry.len() == 1 { "loads" } else { "load" };
            format!("{} {verb} nothing from this path: {}", titles(&fault.without_entry), fault.what)
        };
        let (Some(fault), Some(finding)) = (group.first(), manifests::report(&group, message, sink)) else { continue };
        // A path that leads nowhere loses nothing that exists.
        let level = match fault.what {
            _ if fault.emptied => Level::Error,
            _ if !fault.is_meant => Level::Note,
            Wrong::Gone(..) | Wrong::NoPlace(..) | Wrong::Empty(_) | Wrong::Nothing(_) => Level::Warning,
            _ => Level::Error,
        };
        finding.at_most(level);
    }
}
