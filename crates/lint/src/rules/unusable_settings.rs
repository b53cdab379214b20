//! Reports settings about skills that a runtime does not apply.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use super::{manifests, matchers};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::definition::{self, AboutSkills};
use skilltree_runtimes::packages::Costs;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::loads::Overrides;
use skilltree_runtimes::project_hooks;
use skilltree_runtimes::settings::{self, Flaw, Script};
use skilltree_skills::agents::Owner;
use skilltree_skills::keys;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, DENIED, ENABLED, MARKETPLACES, Manifest, Manifests, PERMISSIONS, Part, Unread};
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::CONFIG_BYTES;
use skilltree_skills::{name, roots};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unusable-settings",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "settings that a runtime does not apply, or with which it does not start",
    why: "no skill loads, or skills are listed that should be hidden, or plugins and permissions are missing",
    explanation: include_str!("unusable_settings.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Number of keys that are compared with the directories of skills (ours: 1,000).
const COMPARED: usize = 1_000;

/// The file of a marketplace of Claude Code.
const CLAUDE_MARKETPLACE: &str = ".claude-plugin/marketplace.json";

/// The marketplace that needs no declaration.
const OFFICIAL: &str = "claude-plugins-official";

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let manifests = &catalog.parsed.manifests;
    for manifest in manifests.all.iter().filter(|manifest| is_of_project(manifest, manifests)) {
        if let Err(unread) = &manifest.content {
            not_checked(unread, manifest.file, sink);
        }
    }
    for profile in manifests::readers(facts) {
        not_started(catalog, profile, !facts.targets.is_empty(), sink);
        project_hooks(catalog, profile, sink);
        user_settings(catalog, profile, sink);
        let Some(settings) = &profile.loads.overrides else { continue };
        for manifest in manifests.all.iter().filter(|manifest| settings.reads(&manifest.name)) {
            settings::flaws(manifest, profile).iter().for_each(|flaw| report(flaw, profile, manifest.file, sink));
            let Ok(json) = &manifest.content else { continue };
            marketplaces(catalog, manifest, json, profile, sink);
            Known::new(catalog, manifest).report(json, settings, profile, manifest.file, sink);
            matchers::report(json, manifest.file, profile, sink);
            for script in settings::scripts(manifest, manifests) {
                self::script(&script, profile, manifest.file, sink);
            }
        }
    }
}

/// Returns whether a file is settings or servers of a project.
fn is_of_project(manifest: &Manifest, manifests: &Manifests) -> bool {
    let is_servers = manifest.part == Some(Part::Servers) && manifest.base.is_empty();
    manifest.is_settings()
        || roots::is_claude_settings(&manifest.name)
        || is_servers && !manifests.all.iter().any(|other| other.base.is_empty() && other.is_plugin())
}

/// Reports settings with which a program does not start.
fn not_started(catalog: &Catalog, profile: &Profile, is_target: bool, sink: &mut Sink) {
    let Some(rule) = profile.loads.required else { return };
    let report = |flaw: definition::Flaw, sink: &mut Sink| {
        let level = if is_target || profile.is_widely_used() { Level::Error } else { Level::Warning };
        sink.about(Subject::Tree)
            .report(flaw.place, format!("{} does not start: {}", profile.title, flaw.what))
            .at_most(level)
            .help(flaw.help);
    };
    for manifest in catalog.parsed.manifests.all.iter().filter(|manifest| rule.reads(manifest)) {
        rule.flaws(manifest).into_iter().for_each(|flaw| report(flaw, sink));
    }
    for definition in &catalog.parsed.definitions {
        let id = definition.skill.file;
        let Owner::Other(path) = definition.owner else { continue };
        match &catalog.file(id).body {
            _ if !rule.files.contains(&path) => {}
            Body::Text(bytes) => rule.of_toml(id, bytes).into_iter().for_each(|flaw| report(flaw, sink)),
            &Body::TooLarge { bytes } => not_checked(&Unread::TooLarge(bytes), id, sink),
            _ => {}
        }
    }
}

/// Reports marketplaces without a source, and plugins that a marketplace in the repository does not have.
fn marketplaces(catalog: &Catalog, manifest: &Manifest, json: &Json, profile: &Profile, sink: &mut Sink) {
    let title = &profile.title;
    let mut plugins: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for member in json.get(MARKETPLACES).map(Json::members).unwrap_or_default() {
        let Some(source) = member.value.get("source") else {
            let shown = text::shortened(&member.key, 64);
            sink.about(Subject::Tree)
                .report(
                    Place::new(manifest.file, member.range.clone()),
                    format!("{title} ignores the marketplace `{shown}`: it has no `source`"),
                )
                .at_most(Level::Warning)
                .help("add `\"source\": {\"source\": \"github\", \"repo\": \"OWNER/NAME\"}`");
            continue;
        };
        let is_directory = source.get("source").and_then(Json::text) == Some("directory");
        let path = source.get("path").and_then(Json::text).filter(|_| is_directory);
        let Some(directory) = path.and_then(|path| manifest::below(manifest.base.as_bstr(), path)) else { continue };
        let mut all = catalog.parsed.manifests.all.iter();
        let market =
            all.find(|other| other.base == directory && other.name == CLAUDE_MARKETPLACE && other.content.is_ok());
        let entries = market.map(|market| market.entries().iter().filter_map(|entry| entry.get("name")?.text()));
        plugins.extend(entries.map(|names| (member.key.as_str(), names.collect())));
        if plugins.len() >= COMPARED {
            break;
        }
    }
    for (number, member) in json.get(ENABLED).map(Json::members).unwrap_or_default().iter().enumerate() {
        let Some((plugin, market)) = member.key.split_once('@') else { continue };
        let Some(known) = plugins.get(market).filter(|known| !known.contains(plugin)) else { continue };
        if member.value.value != Value::Boolean(true) {
            continue;
        }
        let (shown, in_market) = (text::shortened(&member.key, 64), text::shortened(market, 64));
        let near = (number < COMPARED).then(|| text::nearest(plugin, known.iter().copied())).flatten();
        let only = || known.iter().copied().next().filter(|_| known.len() == 1);
        let help = match near.or_else(only) {
            Some(meant) => format!("write `\"{meant}@{market}\"`"),
            None => "remove it, or add the plugin to the marketplace".to_owned(),
        };
        sink.about(Subject::Tree)
            .report(
                Place::new(manifest.file, member.range.clone()),
                format!("{title} skips `{shown}`: the marketplace `{in_market}` does not list it"),
            )
            .at_most(Level::Warning)
            .help(text::shortened(&help, 160).into_owned());
    }
}

/// Reports hooks of the project that a program does not run.
fn project_hooks(catalog: &Catalog, profile: &Profile, sink: &mut Sink) {
    let Some(rule) = profile.loads.project_hooks else { return };
    for manifest in catalog.parsed.manifests.all.iter().filter(|manifest| project_hooks::reads(manifest, rule)) {
        // Without the file, the program does not start.
        let is_required = profile.loads.required.is_some_and(|rule| rule.reads(manifest));
        let flaws = project_hooks::flaws(manifest, rule);
        for flaw in flaws.into_iter().filter(|_| !is_required || manifest.content.is_ok()) {
            let loses = match flaw.costs {
                Costs::Package => "runs no hook of this file",
                _ => "does not run a hook",
            };
            report_as(loses, &flaw, profile, manifest.file, sink);
        }
    }
}

/// Reports settings about skills that a program applies for a user only, and those with which it lists none.
fn user_settings(catalog: &Catalog, profile: &Profile, sink: &mut Sink) {
    for definition in &catalog.parsed.definitions {
        let file = catalog.file(definition.skill.file);
        let (Owner::Other(path), Body::Text(bytes)) = (definition.owner, &file.body) else { continue };
        let rules = profile.loads.all_definitions();
        for about in rules.flat_map(|rule| rule.about_skills(path, definition.skill.file, bytes)) {
            let title = &profile.title;
            let (place, message, help) = match about {
                AboutSkills::WithoutEffect(place) => (
                    place,
                    format!("{title} applies `skills.config` of a user's settings only, not of a project's"),
                    "remove it: who wants to switch a skill off writes it to the user's `config.toml`",
                ),
                AboutSkills::Servers(place) => (
                    place,
                    format!("{title} starts none of these servers: the key is `mcp_servers`"),
                    "rename it to `mcp_servers`",
                ),
                AboutSkills::Unlisted(place) => (
                    place,
                    format!("{title} lists no skill in this project: `skills.include_instructions` is `false`"),
                    "remove it: the model chooses a skill from this list",
                ),
            };
            sink.about(Subject::Tree).report(place, message).at_most(Level::Warning).help(help);
        }
    }
}

/// Reports settings that were not read, though the program reads them.
fn not_checked(unread: &Unread, file: FileId, sink: &mut Sink) {
    let (reason, help) = match unread {
        Unread::Malformed(..) | Unread::NotAnObject => return,
        Unread::Link => ("they are a symbolic link".to_owned(), "commit the file instead of the link".to_owned()),
        Unread::Unmerged => ("they are unmerged in the index".to_owned(), "resolve the conflict".to_owned()),
        Unread::TooLarge(bytes) => (
            format!("they have {} bytes", grouped(bytes)),
            format!("shorten them to at most {} bytes", grouped(CONFIG_BYTES)),
        ),
    };
    let message = format!("these settings are not checked: {reason}");
    sink.about(Subject::Tree).report(Place::whole(file), message).at_most(Level::Note).help(help);
}

fn report(flaw: &Flaw, profile: &Profile, file: FileId, sink: &mut Sink) {
    let loses = match flaw.costs {
        Costs::Package => "applies nothing of these settings",
        _ => "leaves out a part of these settings",
    };
    report_as(loses, flaw, profile, file, sink);
}

fn report_as(loses: &str, flaw: &Flaw, profile: &Profile, file: FileId, sink: &mut Sink) {
    let place = if flaw.range.is_empty() { Place::whole(file) } else { Place::new(file, flaw.range.clone()) };
    let message = format!("{} {loses}: {}", profile.title, flaw.what);
    let level = if flaw.is_minor { Level::Note } else { Level::Warning };
    let finding = sink.about(Subject::Tree).report(place, message).at_most(level).help(flaw.help.clone());
    // Unsafe, because it switches skills and plugins.
    if let Some(meant) = &flaw.meant {
        finding.unsafe_edit(place, meant.as_str());
    }
}

/// Reports a script of a hook that is not there, or not from every directory.
fn script(script: &Script<'_>, profile: &Profile, file: FileId, sink: &mut Sink) {
    let place = Place::new(file, script.command.range.clone());
    let shown = text::shortened(&script.path, 80);
    // Other paths may be made by a build.
    let is_own = script.path.starts_with(".claude/") || [".sh", ".py"].iter().any(|end| script.path.ends_with(end));
    if !script.exists && is_own {
        sink.about(Subject::Tree)
            .report(place, format!("{} cannot run a hook: `{shown}` does not exist", profile.title))
            .at_most(Level::Warning)
            .help("add the script, or correct its path; it starts at the project");
    } else if script.exists && script.is_relative {
        sink.about(Subject::Tree)
            .report(place, format!("{} runs a hook only from the top of the project: `{shown}`", profile.title))
            .at_most(Level::Note)
            .help(format!("write `\"$CLAUDE_PROJECT_DIR\"/{}`", shown.trim_start_matches("./")));
    }
}

/// The names of the skills of a project.
struct Known<'a> {
    /// Their directories.
    directories: BTreeSet<&'a str>,
    /// Their directories by their names.
    names: Vec<(&'a str, &'a str)>,
}

impl<'a> Known<'a> {
    fn new(catalog: &'a Catalog, manifest: &Manifest) -> Self {
        let inside = manifest.base.as_bstr();
        let skills = catalog.skills().filter(|(id, _)| roots::is_within(catalog.path(*id), inside));
        let names: Vec<(&str, &str)> = skills
            .filter_map(|(_, skill)| {
                let directory = skill.directory.to_str().ok().filter(|name| !name.is_empty())?;
                Some((skill.name().unwrap_or(directory), directory))
            })
            .collect();
        Self { directories: names.iter().map(|(_, directory)| *directory).collect(), names }
    }

    /// Returns the directory that a name which is none probably means.
    fn near(&self, written: &str) -> Option<&'a str> {
        let is_same = |name: &&str| name::is_variant(name, written) || keys::is_slip(written, name);
        let named = self.names.iter().find(|(name, _)| *name == written).map(|(_, directory)| *directory);
        named.or_else(|| self.directories.iter().copied().find(is_same))
    }

    /// Reports entries that name no skill.
    fn report(&self, json: &Json, settings: &Overrides, profile: &Profile, file: FileId, sink: &mut Sink) {
        let title = &profile.title;
        let keys = json.get(&settings.key).map(Json::members).unwrap_or_default();
        for (number, member) in keys.iter().enumerate() {
            let (key, place) = (member.key.as_str(), Place::new(file, member.range.clone()));
            let shown = text::shortened(key, 64);
            if self.directories.contains(key) {
                continue;
            }
            if key.contains(':') {
                sink.about(Subject::Tree)
                    .report(place, format!("{title} ignores `{shown}`: `{}` has no effect on a plugin", settings.key))
                    .at_most(Level::Warning)
                    .help(format!("deny `{}({shown})` in `{PERMISSIONS}`, or disable the plugin", settings.tool));
            } else if let Some(near) = (number < COMPARED).then(|| self.near(key)).flatten() {
                sink.about(Subject::Tree)
                    .report(place, format!("{title} ignores `{shown}`: the directory of the skill is `{near}`"))
                    .at_most(Level::Warning)
                    .help(format!("write `\"{near}\"`"));
            }
        }
        if let Some(member) = keys.get(COMPARED) {
            sink.about(Subject::Tree)
                .report(
                    Place::new(file, member.range.clone()),
                    "the keys from here on are not compared with directories",
                )
                .at_most(Level::Note)
                .help(format!("keep at most {} keys", grouped(COMPARED)));
        }
        let declared = json.get(MARKETPLACES).map(Json::members).unwrap_or_default();
        let declared: BTreeSet<&str> = declared.iter().map(|member| member.key.as_str()).collect();
        for member in json.get(ENABLED).map(Json::members).unwrap_or_default() {
            let market = member.key.split_once('@').map(|(_, market)| market);
            let is_known = |market: &str| market == OFFICIAL || declared.contains(market);
            if member.value.value != Value::Boolean(true) || market.is_some_and(is_known) {
                continue;
            }
            let (place, shown) = (Place::new(file, member.range.clone()), text::shortened(&member.key, 64));
            let finding = match market {
                Some(market) => {
                    let market = text::shortened(market, 64);
                    let fact =
                        format!("`{MARKETPLACES}` does not declare `{market}`: without it, a clone lacks `{shown}`");
                    sink.about(Subject::Tree).report(place, fact).help("declare the marketplace, with its source")
                }
                None => sink
                    .about(Subject::Tree)
                    .report(place, format!("{title} ignores `{shown}`: it names no marketplace"))
                    .help(format!("write `\"{shown}@MARKETPLACE\"`")),
            };
            finding.at_most(Level::Note);
        }
        for rule in json.at(DENIED).map(Json::items).unwrap_or_default() {
            let Some(meant) = rule.text().and_then(|text| corrected(text, &settings.tool)) else { continue };
            let place = Place::new(file, rule.range.clone());
            let shown = text::shortened(rule.text().unwrap_or_default(), 64);
            sink.about(Subject::Tree)
                .report(place, format!("{title} ignores the rule `{shown}`"))
                .at_most(Level::Warning)
                .help(format!("write `\"{}\"`", text::shortened(&meant, 64)));
        }
    }
}

/// Returns a rule against a tool that is not written as one: `skill(deploy)`, `Skill(deploy`, `Skill (deploy)`, `Skill( deploy )`.
fn corrected(rule: &str, tool: &str) -> Option<String> {
    let (named, rest) = rule.trim().split_once('(').unwrap_or((rule.trim(), ")"));
    let inside = rest.strip_suffix(')').unwrap_or(rest).trim();
    let is_plain = inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_:* /.".contains(&byte));
    let meant = if inside.is_empty() { tool.to_owned() } else { format!("{tool}({inside})") };
    (named.trim().eq_ignore_ascii_case(tool) && is_plain && meant != rule).then_some(meant)
}
