//! Reports tools of a plugin's own MCP server by a name that they do not have.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::manifests;
use super::misspelled_tool::{FIELDS, names};
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Package;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{Manifests, Part, servers};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unqualified-server-tool",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a tool of the plugin's own MCP server has a longer name",
    why: "no tool has this name, so the field neither allows nor denies one, and nothing says so",
    explanation: include_str!("unqualified_server_tool.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

/// What the name of a tool of an MCP server begins with.
const PREFIX: &str = "mcp__";

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let files = Servers::new(&catalog.parsed.manifests);
    let mut seen = BTreeSet::new();
    let has_tools = |profile: &&Profile| !profile.loads.keys.tools.is_empty();
    for profile in manifests::readers(facts).into_iter().filter(has_tools) {
        let packages = catalog.packages(profile);
        let whole = packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost());
        for (package, known) in whole.map(|package| (package, files.of(package))) {
            if known.is_empty() {
                continue;
            }
            for member in package.skills.iter().filter(|member| member.lost.is_none()) {
                for found in short_names(catalog.skill(member.skill), &known) {
                    if seen.insert(found.place) {
                        found.report(profile, sink.about(Subject::Tree));
                    }
                }
            }
        }
    }
}

/// The MCP servers of a repository.
struct Servers<'a> {
    manifests: &'a Manifests,
    /// Files of servers, by the directory of their plugin.
    files: BTreeMap<&'a BStr, Vec<&'a Json>>,
}

impl<'a> Servers<'a> {
    fn new(manifests: &'a Manifests) -> Self {
        let mut files: BTreeMap<&BStr, Vec<&Json>> = BTreeMap::new();
        for file in manifests.all.iter().filter(|file| file.part == Some(Part::Servers)) {
            if let Ok(json) = &file.content {
                files.entry(file.base.as_bstr()).or_default().push(json);
            }
        }
        Self { manifests, files }
    }

    /// Returns the servers of a package: the name that they do not have in the names of tools, and the one that they have.
    fn of(&self, package: &Package) -> BTreeMap<&'a str, String> {
        let inline = package.manifest.and_then(|number| self.manifests.all[number].content.as_ref().ok());
        let files = self.files.get(package.directory.as_bstr()).into_iter().flatten();
        let all = inline.into_iter().map(|json| (json, false)).chain(files.map(|json| (*json, true)));
        let servers = all.flat_map(|(json, is_file)| servers(json, is_file));
        servers.filter_map(|server| Some((server.key.as_str(), package.server_in_tools(&server.key)?))).collect()
    }
}

/// The name of a tool without that of the plugin.
struct Short<'a> {
    name: &'a str,
    place: Place,
    server: &'a str,
    /// The name that the tool has.
    full: String,
}

/// Returns the names of a skill's fields that lack the name of the plugin. With both names in a field, it works with and without
/// the plugin.
fn short_names<'a>(skill: &'a Skill, known: &BTreeMap<&str, String>) -> Vec<Short<'a>> {
    let mut found = Vec::new();
    for field in FIELDS.iter().filter_map(|key| skill.field(key)) {
        let names = names(skill, &field.value);
        for &(name, place) in &names {
            let Some(rest) = name.strip_prefix(PREFIX) else { continue };
            let server = rest.split_once("__").map_or(rest, |(server, _)| server);
            let Some(full) = known.get(server) else { continue };
            let full = format!("{PREFIX}{full}{}", &rest[server.len()..]);
            if !names.iter().any(|(other, _)| *other == full) {
                found.push(Short { name, place, server, full });
            }
        }
    }
    found
}

impl Short<'_> {
    fn report(&self, profile: &Profile, sink: &mut Sink) {
        let short = |name| text::shortened(name, 64);
        let message = format!(
            "{} has no tool `{}`: `{}` is a server of this plugin",
            profile.title,
            short(self.name),
            short(self.server)
        );
        // Unsafe, because it allows or denies a tool.
        let finding = sink.report(self.place, message);
        finding.help(format!("write `{}`", self.full)).unsafe_edit(self.place, self.full.as_str());
    }
}
