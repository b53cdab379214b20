//! Reports tools of a plugin's own MCP server by a name that they do not have.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::manifests;
use super::misspelled_tool::names;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject, Text};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Package;
use skilltree_runtimes::profile::Profile;
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
    let servers = Servers::new(&catalog.parsed.manifests);
    let mut seen = BTreeSet::new();
    let mut commands: BTreeMap<&BStr, Vec<&Skill>> = BTreeMap::new();
    for command in &catalog.parsed.commands {
        let of_plugin = command.plugin.iter().map(|plugin| plugin.as_bstr());
        of_plugin.for_each(|plugin| commands.entry(plugin).or_default().push(&command.skill));
    }
    let has_tools = |profile: &&Profile| !profile.loads.keys.tools.is_empty();
    for profile in manifests::readers(facts).into_iter().filter(|profile| !servers.is_empty() && has_tools(profile)) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let members = package.skills.iter().filter(|member| member.lost.is_none());
            let skills = members.map(|member| catalog.skill(member.skill));
            let commands = commands.get(package.directory.as_bstr()).filter(|_| profile.loads.agents.is_some());
            for skill in skills.chain(commands.into_iter().flatten().copied()) {
                for found in short_names(skill, package, &servers) {
                    if seen.insert(found.place) {
                        found.report(profile, sink.about(Subject::Tree));
                    }
                }
            }
        }
    }
}

/// The names of the MCP servers of plugins.
struct Servers<'a> {
    /// Of manifests, by their number.
    of_manifests: BTreeMap<usize, BTreeSet<&'a str>>,
    /// Of files of servers, by the directory of their plugin.
    of_files: BTreeMap<&'a BStr, BTreeSet<&'a str>>,
}

impl<'a> Servers<'a> {
    fn new(manifests: &'a Manifests) -> Self {
        let (mut of_manifests, mut of_files) = (BTreeMap::new(), BTreeMap::<&BStr, BTreeSet<&str>>::new());
        for (number, file) in manifests.all.iter().enumerate() {
            let Ok(json) = &file.content else { continue };
            let names = |is_file| servers(json, is_file).map(|server| server.key.as_str());
            match file.part {
                Some(Part::Servers) => of_files.entry(file.base.as_bstr()).or_default().extend(names(true)),
                Some(_) => {}
                None => {
                    let names: BTreeSet<&str> = names(false).collect();
                    if !names.is_empty() {
                        of_manifests.insert(number, names);
                    }
                }
            }
        }
        Self { of_manifests, of_files }
    }

    fn is_empty(&self) -> bool {
        self.of_manifests.is_empty() && self.of_files.is_empty()
    }

    fn has(&self, package: &Package, server: &str) -> bool {
        let inline = package.manifest.and_then(|number| self.of_manifests.get(&number));
        let files = self.of_files.get(package.directory.as_bstr());
        inline.into_iter().chain(files).any(|names| names.contains(server))
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
fn short_names<'a>(skill: &'a Skill, package: &Package, servers: &Servers<'_>) -> Vec<Short<'a>> {
    let mut found = Vec::new();
    for field in Text::Skill.tool_fields().iter().filter_map(|key| skill.field(key)) {
        let names = names(skill, &field.value);
        let all: BTreeSet<&str> = names.iter().map(|(name, _)| *name).collect();
        for (name, place) in names {
            let Some(rest) = name.strip_prefix(PREFIX) else { continue };
            let server = rest.split_once("__").map_or(rest, |(server, _)| server);
            let known = package.server_in_tools(server).filter(|_| servers.has(package, server));
            let full = known.map(|known| format!("{PREFIX}{known}{}", &rest[server.len()..]));
            if let Some(full) = full.filter(|full| !all.contains(full.as_str())) {
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
