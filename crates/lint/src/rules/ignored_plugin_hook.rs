//! Reports hooks of a plugin that a runtime leaves out.

use super::manifests::{self, Fault, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{HookFault, Wrong};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ignored-plugin-hook",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime leaves out a hook of a plugin",
    why: "the check or the command that the author relies on never runs, and nothing says so",
    explanation: include_str!("ignored_plugin_hook.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut faults = manifests::faults(catalog, facts);
    faults.retain(|fault| fault.without_package.is_empty() && matches!(fault.what, Wrong::Hook(_)));
    for fault in &faults {
        let message = |fault: &Fault<'_>| {
            let is_one = fault.without_entry.len() == 1;
            let loses = match &fault.what {
                Wrong::Hook(HookFault::Script(_)) => "cannot run a hook",
                what if is_about_all(what) && is_one => "runs no hook",
                what if is_about_all(what) => "run no hook",
                _ if is_one => "leaves out hooks",
                _ => "leave out hooks",
            };
            format!("{} {loses} of this plugin: {}", titles(&fault.without_entry), fault.what)
        };
        if let Some(finding) = manifests::report(&[fault], message, sink)
            && !fault.is_meant
        {
            finding.at_most(Level::Note);
        }
    }
}

/// Returns whether a fault costs every hook of its file.
fn is_about_all(what: &Wrong) -> bool {
    matches!(what, Wrong::Hook(HookFault::Unread(_) | HookFault::NoEvents | HookFault::Wrapped))
}
