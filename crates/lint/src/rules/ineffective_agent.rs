//! Reports agents whose front matter, or a key of it, has no effect.

use bstr::ByteSlice;

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::FaultKind;
use skilltree_front_matter::text::{self, Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::definition::Definitions;
use skilltree_runtimes::forecast;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::agents::{Owner, Twins};
use skilltree_skills::skill::{Definition, Skill};
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::CONFIG_BYTES;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ineffective-agent",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "the front matter of an agent, or a key of it, has no effect",
    why: "the agent is missing, or has all tools and lacks what its author gave it; only a debug log says so",
    explanation: include_str!("ineffective_agent.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Keys of a skill, and the key of an agent for the same purpose.
const KEYS: [(&str, &str); 5] = [
    ("allowed-tools", "tools"),
    ("allowed_tools", "tools"),
    ("allowedTools", "tools"),
    ("disallowed-tools", "disallowedTools"),
    ("disallowed_tools", "disallowedTools"),
];

/// Keys without an effect in the agent of a plugin, and the edit.
const NOT_IN_PLUGINS: [(&str, &str); 3] = [
    ("hooks", "move the hooks to `hooks/hooks.json` of the plugin"),
    ("mcpServers", "move the servers to `.mcp.json` of the plugin"),
    ("permissionMode", "remove it: who installs the plugin decides"),
];

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let (definitions, twins) = (&catalog.parsed.definitions, &catalog.parsed.agents.twins);
    if definitions.is_empty() && twins.is_empty() {
        return;
    }
    for profile in manifests::readers(facts) {
        if profile.loads.agents.is_some() {
            twins.iter().for_each(|twins| of_twins(catalog, twins, profile, sink));
        }
        for definition in definitions {
            match (definition.owner, profile.loads.definitions) {
                (Owner::Other(_), Some(rule)) => of_other(catalog, &definition.skill, rule, profile, sink),
                (Owner::Project | Owner::Plugin, _) if profile.loads.agents.is_some() => {
                    of_definition(catalog, definition, profile, sink);
                }
                _ => {}
            }
        }
    }
}

/// Reports why a program does not load an agent in a directory of its own.
fn of_other(catalog: &Catalog, skill: &Skill, rule: &Definitions, profile: &Profile, sink: &mut Sink) {
    let file = catalog.file(skill.file);
    if !rule.reads(file.path.as_bstr()) {
        return;
    }
    let name = name(catalog, skill);
    let bytes = match &file.body {
        Body::Text(bytes) => bytes,
        &Body::TooLarge { bytes } => return too_large(skill, &name, bytes, sink),
        _ => return,
    };
    if let Some(fault) = skill.faults.iter().find(|fault| fault.kind() == FaultKind::TooComplex) {
        sink.about(Subject::Tree)
            .report(fault.place, format!("the front matter of the agent `{name}` is too complex, and is not checked"))
            .at_most(Level::Note)
            .help("write less in it");
        return;
    }
    for flaw in rule.flaws(skill, bytes) {
        let fact = match rule.stops {
            true => format!("{} does not start, because of the agent `{name}`: {}", profile.title, flaw.what),
            false => format!("{} does not load the agent `{name}`: {}", profile.title, flaw.what),
        };
        let finding = sink.about(Subject::Tree).report(flaw.place, fact).help(flaw.help);
        if !(rule.stops && profile.is_widely_used()) {
            finding.at_most(Level::Warning);
        }
    }
}

/// Returns the name of an agent's file.
fn name(catalog: &Catalog, skill: &Skill) -> String {
    let name = text::file_name(catalog.file(skill.file).path.as_bstr());
    let stem = name.rsplit_once_str(".").map_or(name.as_bytes(), |(stem, _)| stem);
    text::shortened(&text::lossless(stem.as_bstr()), 64).into_owned()
}

fn too_large(skill: &Skill, name: &str, bytes: u64, sink: &mut Sink) {
    let (bytes, limit) = (grouped(bytes), grouped(CONFIG_BYTES));
    sink.about(Subject::Tree)
        .report(Place::whole(skill.file), format!("the agent `{name}` has {bytes} bytes, and is not checked"))
        .at_most(Level::Note)
        .help(format!("shorten it to at most {limit} bytes"));
}

/// Reports an agent with the name of another one.
fn of_twins(catalog: &Catalog, Twins { name, files }: &Twins, profile: &Profile, sink: &mut Sink) {
    let [first, other] = files.map(|file| text::lossless(catalog.file(file).path.as_bstr()));
    let name = text::shortened(name, 64);
    let message = format!("{} loads one of the agents with the name `{name}`, and not the other", profile.title);
    sink.about(Subject::Tree)
        .report(Place::whole(files[1]), message)
        .at_most(Level::Warning)
        .help(format!("give `{other}` another name"))
        .related(Place::whole(files[0]), format!("`{first}` has the same name"));
}

fn of_definition(catalog: &Catalog, definition: &Definition, profile: &Profile, sink: &mut Sink) {
    let Definition { skill, owner } = definition;
    let of_plugin = *owner == Owner::Plugin;
    let read = forecast::as_read(skill, profile);
    let read = read.as_ref().unwrap_or(skill);
    if !read.has_fields() {
        return unread(catalog, skill, of_plugin, profile, sink);
    }
    for (key, meant) in KEYS {
        let (Some(field), None) = (skill.field(key), read.field(meant)) else { continue };
        let effect = if meant == "tools" { "which may use every tool" } else { "which is denied none" };
        sink.about(Subject::Tree)
            .report(field.key.place, format!("`{key}` has no effect in an agent of {}, {effect}", profile.actor()))
            .at_most(Level::Warning)
            .help(format!("rename it to `{meant}`"));
    }
    for (key, help) in NOT_IN_PLUGINS {
        let Some(field) = skill.field(key).filter(|_| of_plugin) else { continue };
        sink.about(Subject::Tree)
            .report(field.key.place, format!("{} ignores `{key}` in the agent of a plugin", profile.title))
            .at_most(Level::Warning)
            .help(help);
    }
}

/// Reports front matter that a program does not read. A file without any in the directory of a project is no agent.
fn unread(catalog: &Catalog, skill: &Skill, of_plugin: bool, profile: &Profile, sink: &mut Sink) {
    let is_missing = skill.front_matter.is_none();
    if is_missing && !of_plugin {
        return;
    }
    let (shown, title) = (name(catalog, skill), &profile.title);
    if let Body::TooLarge { bytes } = catalog.file(skill.file).body {
        return too_large(skill, &shown, bytes, sink);
    }
    let reason = if is_missing { "it has no front matter" } else { "the YAML of its front matter does not parse" };
    let message = match of_plugin {
        true => format!("{title} gives the agent `{shown}` all tools and no description: {reason}"),
        false => format!("{title} does not load the agent `{shown}`: {reason}"),
    };
    let place = skill.faults.first().filter(|_| !is_missing).map_or_else(|| skill.opener(), |fault| fault.place);
    sink.about(Subject::Tree).report(place, message).at_most(Level::Warning).help(match is_missing {
        true => "add `name`, `description` and `tools` between lines of `---`, or move the file out of `agents`",
        false => "quote the value, or write it as a block after `|` with each line indented",
    });
}
