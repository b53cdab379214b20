//! Reports MCP servers of a plugin that a runtime leaves out.

use super::manifests::{self, Fault, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Flaw, ServerFault, Wrong};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{Manifest, Part, servers};
use skilltree_skills::roots::CLAUDE_PLUGIN;
use skilltree_skills::skill::paths::below_home;

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
    machine_paths(catalog, facts, sink);
}

/// Reports paths in servers of plugins that are in the home directory of their author.
fn machine_paths(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let reads = |profile: &&Profile| profile.loads.approval.is_some();
    if !manifests::readers(facts).iter().any(reads) {
        return;
    }
    let plugins =
        |manifest: &&Manifest| matches!(manifest.part, Some(Part::Servers)) || manifest.name == *CLAUDE_PLUGIN;
    for manifest in catalog.parsed.manifests.all.iter().filter(plugins) {
        let Ok(json) = &manifest.content else { continue };
        for server in servers(json, manifest.part.is_some()) {
            let of = |key: &str| server.value.get(key);
            let one = ["command", "cwd"].into_iter().filter_map(of);
            let many = of("args").into_iter().flat_map(Json::items);
            let variables = of("env").into_iter().flat_map(Json::members).map(|member| &member.value);
            for value in one.chain(many).chain(variables) {
                let path = value.text().and_then(|text| Some((text, below_home(text)?)));
                let Some((written, below)) = path else { continue };
                let meant = format!("${{HOME}}/{below}");
                let finding = sink.about(Subject::Tree).report(
                    Place::new(manifest.file, value.range.clone()),
                    format!("`{}` is a path on one machine", text::shortened(written, 80)),
                );
                finding.help(format!(
                    "ship the file and write `${{CLAUDE_PLUGIN_ROOT}}/{}`; or write `{}`",
                    text::shortened(text::lossless(text::file_name(below.as_bytes().into())).as_ref(), 40),
                    text::shortened(&meant, 80)
                ));
            }
        }
    }
}
