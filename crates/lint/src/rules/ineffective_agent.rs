//! Reports agents whose front matter, or a key of it, has no effect.

use bstr::ByteSlice;

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::skill::{Definition, Skill};
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::CONFIG_BYTES;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ineffective-agent",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
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
    let definitions = &catalog.parsed.definitions;
    if definitions.is_empty() {
        return;
    }
    for profile in manifests::readers(facts).into_iter().filter(|profile| profile.loads.agents.is_some()) {
        definitions.iter().for_each(|definition| of_definition(catalog, definition, profile, sink));
    }
}

fn of_definition(catalog: &Catalog, definition: &Definition, profile: &Profile, sink: &mut Sink) {
    let Definition { skill, of_plugin } = definition;
    let read = forecast::as_read(skill, profile);
    let read = read.as_ref().unwrap_or(skill);
    if !read.has_fields() {
        return unread(catalog, skill, *of_plugin, profile, sink);
    }
    for (key, meant) in KEYS {
        let (Some(field), None) = (skill.field(key), read.field(meant)) else { continue };
        let effect = if meant == "tools" { "which may use every tool" } else { "which is denied none" };
        sink.about(Subject::Tree)
            .report(field.key.place, format!("`{key}` has no effect in an agent of {}, {effect}", profile.actor()))
            .help(format!("rename it to `{meant}`"));
    }
    for (key, help) in NOT_IN_PLUGINS {
        let Some(field) = skill.field(key).filter(|_| *of_plugin) else { continue };
        sink.about(Subject::Tree)
            .report(field.key.place, format!("{} ignores `{key}` in the agent of a plugin", profile.title))
            .help(help);
    }
}

/// Reports front matter that a program does not read. A file without any in the directory of a project is no agent.
fn unread(catalog: &Catalog, skill: &Skill, of_plugin: bool, profile: &Profile, sink: &mut Sink) {
    let is_missing = skill.front_matter.is_none();
    if is_missing && !of_plugin {
        return;
    }
    let name = text::file_name(catalog.file(skill.file).path.as_bstr());
    let name = text::lossless(name.strip_suffix(b".md").unwrap_or(name).as_bstr());
    let (shown, title) = (text::shortened(&name, 64), &profile.title);
    if let Body::TooLarge { bytes } = catalog.file(skill.file).body {
        let (bytes, limit) = (grouped(bytes), grouped(CONFIG_BYTES));
        sink.about(Subject::Tree)
            .report(Place::whole(skill.file), format!("the agent `{shown}` has {bytes} bytes, and is not checked"))
            .at_most(Level::Note)
            .help(format!("shorten it to at most {limit} bytes"));
        return;
    }
    let reason = if is_missing { "it has no front matter" } else { "the YAML of its front matter does not parse" };
    let message = match of_plugin {
        true => format!("{title} gives the agent `{shown}` all tools and no description: {reason}"),
        false => format!("{title} does not load the agent `{shown}`: {reason}"),
    };
    let place = skill.faults.first().filter(|_| !is_missing).map_or_else(|| skill.opener(), |fault| fault.place);
    sink.about(Subject::Tree).report(place, message).help(match is_missing {
        true => "add `name`, `description` and `tools` between lines of `---`, or move the file out of `agents`",
        false => "quote the value, or write it as a block after `|` with each line indented",
    });
}
