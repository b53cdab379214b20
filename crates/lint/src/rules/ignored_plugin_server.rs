//! Reports MCP servers of a plugin that a runtime leaves out.

use super::manifests::{self, Fault, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Flaw, ServerFault, Wrong};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ignored-plugin-server",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime leaves out an MCP server of a plugin",
    why: "the tools that the skills of the plugin call are not there, and nothing says so",
    explanation: include_str!("ignored_plugin_server.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut faults = manifests::faults(catalog, facts);
    faults.retain(|fault| fault.without_package.is_empty() && matches!(fault.what, Wrong::Server(_)));
    for fault in &faults {
        let message = |fault: &Fault<'_>| {
            let one_or_more = |one, more| if fault.without_entry.len() == 1 { one } else { more };
            let loses = match &fault.what {
                Wrong::Server(ServerFault::One(_, Flaw::Script(_))) => "cannot start a server",
                Wrong::Server(ServerFault::One(..)) => one_or_more("leaves out a server", "leave out a server"),
                _ => one_or_more("starts no server", "start no server"),
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
