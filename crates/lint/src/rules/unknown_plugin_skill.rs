//! Reports names of a plugin's skills and commands that the plugin does not have.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::{manifests, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Package;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::keys;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{COMMANDS, below, join, written};
use skilltree_skills::skill::links::Qualified;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-plugin-skill",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "a skill names a skill or command that the plugin does not have",
    why: "nothing has this name, so the agent or the user cannot start it",
    explanation: include_str!("unknown_plugin_skill.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Number of names for which a similar one is looked for (ours: 1,000).
const COMPARED: usize = 1_000;

/// Number of packages of a skill whose names are compared (ours: 16).
const OWNERS: usize = 16;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = || catalog.skills().flat_map(|(_, skill)| skill.links()).flat_map(|(_, links)| &links.qualified);
    if all().next().is_none() {
        return;
    }
    let mut seen = BTreeSet::new();
    let known = known_plugins(catalog);
    for profile in manifests::readers(facts) {
        let plugins = plugins(catalog, profile);
        for name in all() {
            let Some(plugin) = plugins.get(name.plugin.as_str()).filter(|plugin| plugin.lacks(name)) else { continue };
            if seen.insert(name.place) {
                plugin.report(name, seen.len() <= COMPARED, sink.about(Subject::Tree));
            }
        }
        foreign(catalog, facts, profile, (&plugins, &known), &mut seen, sink);
    }
}

/// Returns the names of plugins that marketplaces list, and that plugins depend on.
fn known_plugins(catalog: &Catalog) -> BTreeSet<&str> {
    let all = &catalog.parsed.manifests.all;
    let entries = all.iter().flat_map(|manifest| manifest.entries()).filter_map(|entry| entry.get("name")?.text());
    let own = all.iter().filter_map(|manifest| manifest.content.as_ref().ok());
    let dependencies = own.filter_map(|json| json.get("dependencies")).flat_map(Json::items);
    let dependencies = dependencies.filter_map(|one| one.text().or_else(|| one.get("name")?.text()));
    entries.chain(dependencies.map(|name| name.split('@').next().unwrap_or(name))).collect()
}

/// Reports names of skills of the own plugin with the name of another plugin, which is not known here: the text was copied from it.
fn foreign(
    catalog: &Catalog,
    facts: &Facts<'_>,
    profile: &Profile,
    (plugins, known): (&BTreeMap<String, Plugin>, &BTreeSet<&str>),
    seen: &mut BTreeSet<Place>,
    sink: &mut Sink,
) {
    let packages = catalog.packages(profile);
    // `/skill:find` starts the skill `find` in a program that has no plugins.
    let all = facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    let forms: BTreeSet<&str> = all.flat_map(|one| &one.loads.mentions.forms).map(String::as_str).collect();
    for (id, skill) in catalog.skills() {
        for (_, links) in skill.links().filter(|(_, links)| !links.qualified.is_empty()) {
            let names = packages.of_skill(id).filter_map(|(number, _)| packages.all[number].name.as_deref());
            let names: BTreeSet<&str> = names.take(OWNERS).collect();
            let Some((own, plugin)) = names.first().and_then(|own| Some((*own, plugins.get(*own)?))) else { continue };
            let is_foreign = |name: &&Qualified| {
                let is_known = plugins.contains_key(&name.plugin) || known.contains(name.plugin.as_str());
                let is_form = || forms.contains(format!("/{}:{{name}}", name.plugin).as_str());
                names.len() == 1 && !is_known && !is_form() && plugin.skills.contains(&name.name)
            };
            let mut groups: BTreeMap<&str, Vec<&Qualified>> = BTreeMap::new();
            for name in links.qualified.iter().filter(is_foreign) {
                if seen.insert(name.place) {
                    groups.entry(&name.plugin).or_default().push(name);
                }
            }
            groups.into_iter().for_each(|(other, names)| report_foreign(own, other, &names, sink));
        }
    }
}

fn report_foreign(own: &str, other: &str, names: &[&Qualified], sink: &mut Sink) {
    let (shown, own_shown) = (text::shortened(other, 64), text::shortened(own, 64));
    let prefix = |name: &Qualified| {
        let start = name.place.range().start;
        Place::new(name.place.file, start - other.len() - 1..start - 1)
    };
    let occurrences = names.iter().map(|name| {
        let message =
            format!("`{}` is a skill of this plugin, `{own_shown}`, not of `{shown}`", text::shortened(&name.name, 64));
        let help = format!("write `{own_shown}:{}`", text::shortened(&name.name, 64));
        Occurrence::new(prefix(name), message, name.name.as_bytes()).with_help(help)
    });
    let Some(finding) = several::report(sink.about(Subject::Tree), occurrences) else { return };
    // Unsafe, because the other plugin may be meant. With a name that has nothing in common, it probably is.
    for name in names {
        finding.unsafe_edit(prefix(name), own);
    }
    if !own.contains(other) && !other.contains(own) {
        finding.at_most(Level::Note);
    }
}

/// What a runtime offers under the name of a plugin.
#[derive(Default)]
struct Plugin {
    /// The directories of the plugins with the name whose usual commands no key replaces.
    directories: BTreeSet<BString>,
    /// The names of their skills.
    skills: BTreeSet<String>,
    /// The names of the commands that keys name.
    commands: BTreeSet<String>,
    /// Whether not all of it is known: a key names a directory of commands, or the plugin is lost.
    is_open: bool,
}

/// Returns the plugins of the tree whose skills a runtime offers under their names.
fn plugins(catalog: &Catalog, profile: &Profile) -> BTreeMap<String, Plugin> {
    let mut plugins = BTreeMap::<String, Plugin>::new();
    let packages = catalog.packages(profile);
    let is_wanted = |package: &&Package| package.is_whole_for(&profile.id) && package.is_always_qualified();
    for package in packages.all.iter().filter(is_wanted) {
        let Some(name) = &package.name else { continue };
        let plugin = plugins.entry(name.clone()).or_default();
        plugin.is_open |= package.is_lost();
        plugin.add_commands(catalog, package);
        for member in &package.skills {
            let skill = catalog.skill(member.skill);
            let directory = skill.directory.to_str().ok().map(str::to_owned);
            plugin.skills.extend(skill.name().map(str::to_owned).into_iter().chain(directory));
        }
    }
    plugins
}

impl Plugin {
    /// Adds the commands that keys name, and the usual directory, which the key of the manifest replaces.
    fn add_commands(&mut self, catalog: &Catalog, package: &Package) {
        let all = &catalog.parsed.manifests.all;
        let directory = package.directory.as_bstr();
        let usual = join(directory, COMMANDS);
        let own = package.manifest.and_then(|number| all[number].content.as_ref().ok()?.get(COMMANDS));
        let entries = package.way.marketplace().map_or(&[][..], |number| all[number].entries());
        let is_own = |entry: &&Json| entry.get("name").and_then(Json::text) == package.name.as_deref();
        let listed = entries.iter().filter(is_own).filter_map(|entry| entry.get(COMMANDS));
        let mut is_replaced = own.is_some();
        for value in own.into_iter().chain(listed) {
            self.commands.extend(value.members().iter().map(|member| member.key.clone()));
            for path in written(value).filter_map(|path| below(directory, path.text)) {
                match text::file_name(path.as_bstr()).strip_suffix(b".md") {
                    Some(stem) => self.commands.extend(stem.to_str().ok().map(str::to_owned)),
                    None if path == usual => is_replaced = false,
                    None => self.is_open = true,
                }
            }
        }
        if !is_replaced {
            self.directories.insert(package.directory.clone());
        }
    }

    /// Returns whether it has neither a skill nor a command of a name.
    fn lacks(&self, name: &Qualified) -> bool {
        let file = format!("{COMMANDS}/{}.md", name.name.replace(':', "/"));
        let is_looked_up = |directory: &BString| name.commands.binary_search(&join(directory.as_bstr(), &file)).is_ok();
        let is_named = self.skills.contains(&name.name) || self.commands.contains(&name.name);
        !self.is_open && !is_named && self.directories.iter().all(is_looked_up)
    }

    fn report(&self, name: &Qualified, is_compared: bool, sink: &mut Sink) {
        let (plugin, shown) = (text::shortened(&name.plugin, 64), text::shortened(&name.name, 64));
        let finding =
            sink.report(name.place, format!("the plugin `{plugin}` has no skill or command of the name `{shown}`"));
        let mut near = self.skills.iter().filter(|known| is_compared && keys::is_slip(&name.name, known));
        match near.next() {
            Some(near) => finding.help(format!("change it to `{near}`")).unsafe_edit(name.place, near.as_str()),
            None => finding.help("correct the name, add the skill, or remove the sentence"),
        };
    }
}
