//! Reports agents whose front matter, or a key of it, has no effect.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::invalid_yaml;
use super::manifests::{self, titles};
use crate::rule::{Check, E2026, Edit, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::FaultKind;
use skilltree_front_matter::text::{self, Place, grouped, joined_first};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::definition::{Definitions, Flaw, command_flaws};
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
    summary: "the front matter of an agent, a key of it, or a command has no effect",
    why: "the agent is missing, or has all tools and lacks what its author gave it; only a debug log says so",
    explanation: include_str!("ineffective_agent.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Number of agents that are not loaded for one reason and have a note each (ours: 3).
const SEPARATE: usize = 3;

/// Number of further agents that a note names (ours: 8).
const NAMED: usize = 8;

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

/// Names of Markdown files that are documentation.
const PAGES: [&str; 6] = ["agents", "changelog", "claude", "gemini", "index", "readme"];

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let (definitions, twins) = (&catalog.parsed.definitions, &catalog.parsed.agents.twins);
    if definitions.is_empty() && twins.is_empty() {
        return;
    }
    let profiles = manifests::readers(facts);
    for profile in profiles.iter().filter(|profile| profile.loads.agents.is_some()) {
        twins.iter().for_each(|twins| of_twins(catalog, twins, profile, sink));
    }
    let mut unseen = Vec::new();
    for definition in definitions {
        match definition.owner {
            Owner::Other(_) => {
                for profile in &profiles {
                    let rules = profile.loads.all_definitions();
                    rules.for_each(|rule| of_other(catalog, &definition.skill, rule, profile, sink));
                }
            }
            Owner::Command => of_command(catalog, &definition.skill, &profiles, sink),
            Owner::MarkdownCommand => {}
            _ => shared(catalog, definition, &profiles, facts, &mut unseen, sink),
        }
    }
    report_unseen(unseen, sink);
    markdown_commands(catalog, &profiles, sink);
}

/// Reports commands in Markdown for the programs that read TOML, all in one finding. Documentation is no command.
fn markdown_commands(catalog: &Catalog, profiles: &[&Profile], sink: &mut Sink) {
    let readers: Vec<&Profile> = profiles.iter().copied().filter(|profile| profile.loads.toml_commands).collect();
    let definitions = catalog.parsed.definitions.iter().filter(|one| one.owner == Owner::MarkdownCommand);
    let is_page = |skill: &Skill| PAGES.iter().any(|page| name(catalog, skill).eq_ignore_ascii_case(page));
    let mut skills = definitions.map(|one| &one.skill).filter(|skill| !is_page(skill));
    let Some(first) = skills.next().filter(|_| !readers.is_empty()) else { return };
    let more = match skills.count() {
        0 => String::new(),
        count => format!(" and {} more", grouped(count)),
    };
    let (path, titles) = (text::lossless(catalog.file(first.file).path.as_bstr()), titles(&readers));
    let verb = if readers.len() == 1 { "does" } else { "do" };
    let message = format!("{titles} {verb} not read the command `{path}`{more}: commands are TOML there");
    let toml = format!("{}.toml", path.trim_end_matches(".md"));
    let help = format!("write its text as `prompt = \"\"\"…\"\"\"` to `{toml}`, with `description = \"…\"`");
    sink.about(Subject::Tree).report(Place::whole(first.file), message).at_most(Level::Warning).help(help);
}

/// Reports why a program does not load a command in TOML.
fn of_command(catalog: &Catalog, skill: &Skill, profiles: &[&Profile], sink: &mut Sink) {
    let readers: Vec<&Profile> = profiles.iter().copied().filter(|profile| profile.loads.toml_commands).collect();
    if readers.is_empty() {
        return;
    }
    let (name, titles) = (name(catalog, skill), titles(&readers));
    let bytes = match &catalog.file(skill.file).body {
        Body::Text(bytes) => bytes,
        &Body::TooLarge { bytes } => return too_large(skill, &format!("command `{name}`"), bytes, sink),
        _ => return,
    };
    for flaw in command_flaws(skill.file, bytes) {
        let message = format!("{titles} does not load the command `{name}`: {}", flaw.what);
        sink.about(Subject::Tree).report(flaw.place, message).at_most(Level::Warning).help(flaw.help);
    }
}

/// An agent that programs do not load, for a reason.
struct Unseen<'a> {
    flaw: Flaw,
    name: String,
    edits: Vec<Edit>,
    runtimes: Vec<&'a Profile>,
    level: Level,
}

/// Reports what programs make of an agent that several of them read: one of the project, or of a plugin.
fn shared<'a>(
    catalog: &Catalog,
    definition: &Definition,
    profiles: &[&'a Profile],
    facts: &Facts<'_>,
    unseen: &mut Vec<Unseen<'a>>,
    sink: &mut Sink,
) {
    let Definition { skill, owner } = definition;
    let file = catalog.file(skill.file);
    let fields = skill.front_matter.as_ref().and_then(|one| one.fields.as_ref());
    if *owner == Owner::Project && fields.is_some_and(|fields| !Definitions::is_agent(fields)) {
        return;
    }
    let mut lost: Vec<Unseen<'a>> = Vec::new();
    let mut known = None;
    for profile in profiles {
        let is_claude = profile.loads.agents.is_some() && *owner != Owner::OtherPlugin;
        let rule = profile.loads.all_definitions().find(|rule| rule.reads_of(*owner, file.path.as_bstr()));
        let flaws = match (&file.body, rule) {
            _ if is_claude => of_definition(catalog, definition, profile, &mut known, sink),
            (Body::Text(bytes), Some(rule)) if skill.front_matter.is_some() => rule.flaws(skill, bytes),
            _ => continue,
        };
        for flaw in flaws.into_iter().filter(|flaw| known != Some(flaw.place)) {
            match lost.iter_mut().find(|one| one.flaw.place == flaw.place && one.flaw.what == flaw.what) {
                Some(one) => one.runtimes.push(profile),
                None => {
                    let is_asked = is_claude || *owner != Owner::Project || !facts.targets.is_empty();
                    let level = if is_asked { Level::Warning } else { Level::Note };
                    let name = name(catalog, skill);
                    lost.push(Unseen { flaw, name, edits: Vec::new(), runtimes: vec![profile], level });
                }
            }
        }
    }
    if let Some(one) = lost.iter_mut().find(|one| one.flaw.is_syntax)
        && let Some((help, edits)) = invalid_yaml::edits(skill)
    {
        one.flaw.help = help;
        one.edits = edits;
    }
    unseen.append(&mut lost);
}

/// Reports the agents that are not loaded. Many notes with one reason and without an edit are one.
fn report_unseen(unseen: Vec<Unseen<'_>>, sink: &mut Sink) {
    let mut groups: Vec<Vec<Unseen<'_>>> = Vec::new();
    let mut by_reason: BTreeMap<String, usize> = BTreeMap::new();
    for one in unseen {
        let next = groups.len();
        let number = match one.level {
            // An edit is made for each file.
            Level::Note if one.edits.is_empty() => *by_reason.entry(one.flaw.what.clone()).or_insert(next),
            _ => next,
        };
        match groups.get_mut(number) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    for group in groups {
        if group.len() <= SEPARATE {
            group.into_iter().for_each(|one| report(&[one], sink));
        } else {
            report(&group, sink);
        }
    }
}

fn report(group: &[Unseen<'_>], sink: &mut Sink) {
    let [first, others @ ..] = group else { return };
    let verb = if first.runtimes.len() == 1 { "does" } else { "do" };
    let more = match others.len() {
        0 => String::new(),
        count => format!(" and {} more", grouped(count)),
    };
    let (name, what) = (&first.name, &first.flaw.what);
    let message = format!("{} {verb} not load the agent `{name}`{more}: {what}", titles(&first.runtimes));
    let finding = sink.about(Subject::Tree).report(first.flaw.place, message);
    finding.at_most(first.level).help(first.flaw.help.clone());
    if !others.is_empty() {
        finding.note(format!("the same: {}", joined_first(others.iter().map(|one| one.name.clone()), NAMED)));
    }
    finding.edits.clone_from(&first.edits);
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
        &Body::TooLarge { bytes } => return too_large(skill, &format!("agent `{name}`"), bytes, sink),
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
        let (title, noun) = (&profile.title, rule.noun);
        let fact = match rule.stops {
            true => format!("{title} does not start, because of the {noun} `{name}`: {}", flaw.what),
            false => format!("{title} does not load the {noun} `{name}`: {}", flaw.what),
        };
        let finding = sink.about(Subject::Tree).report(flaw.place, fact).help(flaw.help);
        // The program for which the file was written needs it as it is.
        if let Some(link) = &file.through {
            let link = text::lossless(link.as_bstr());
            finding.help(format!("put a copy for this program in place of the link to `{link}`"));
        }
        // A file that does not look like an agent may be documentation.
        let is_page = skill.front_matter.is_none() && !file.path.ends_with(b".agent.md");
        match rule.stops && profile.is_widely_used() {
            true => finding,
            false if is_page => finding.at_most(Level::Note),
            false => finding.at_most(Level::Warning),
        };
    }
}

/// Returns the name of an agent's file.
fn name(catalog: &Catalog, skill: &Skill) -> String {
    let name = text::file_name(catalog.file(skill.file).path.as_bstr());
    let stem = name.rsplit_once_str(".").map_or(name.as_bytes(), |(stem, _)| stem);
    let stem = stem.strip_suffix(b".agent").unwrap_or(stem);
    text::shortened(&text::lossless(stem.as_bstr()), 64).into_owned()
}

fn too_large(skill: &Skill, what: &str, bytes: u64, sink: &mut Sink) {
    let (bytes, limit) = (grouped(bytes), grouped(CONFIG_BYTES));
    sink.about(Subject::Tree)
        .report(Place::whole(skill.file), format!("the {what} has {bytes} bytes, and is not checked"))
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

/// Reports keys without an effect. Returns why the program does not load the agent of a project; of a plugin it loads every one, and the
/// place of a finding about that is `known`.
fn of_definition(
    catalog: &Catalog,
    definition: &Definition,
    profile: &Profile,
    known: &mut Option<Place>,
    sink: &mut Sink,
) -> Vec<Flaw> {
    let Definition { skill, owner } = definition;
    let of_plugin = *owner == Owner::Plugin;
    let read = forecast::as_read(skill, profile);
    let read = read.as_ref().unwrap_or(skill);
    let Some(fields) =
        read.front_matter.as_ref().and_then(|one| one.fields.as_ref()).filter(|fields| !fields.is_empty())
    else {
        return unread(catalog, definition, profile, known, sink);
    };
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
    if !of_plugin {
        return Definitions::of_claude_code(read, fields);
    }
    // The name of the file is in place of a name.
    if let Some(flaw) = Definitions::without_text(read, fields, "description") {
        let shown = name(catalog, skill);
        let message = format!("{} gives the agent `{shown}` no description: {}", profile.title, flaw.what);
        *known = Some(flaw.place);
        sink.about(Subject::Tree).report(flaw.place, message).at_most(Level::Warning).help(flaw.help);
    }
    Vec::new()
}

/// Reports front matter that a program does not read. A file without any in the directory of a project is no agent.
fn unread(
    catalog: &Catalog,
    Definition { skill, owner }: &Definition,
    profile: &Profile,
    known: &mut Option<Place>,
    sink: &mut Sink,
) -> Vec<Flaw> {
    let (of_plugin, is_missing) = (*owner == Owner::Plugin, skill.front_matter.is_none());
    let shown = name(catalog, skill);
    if let (true, &Body::TooLarge { bytes }) = (of_plugin, &catalog.file(skill.file).body) {
        too_large(skill, &format!("agent `{shown}`"), bytes, sink);
        return Vec::new();
    }
    let fault = skill.faults.first().filter(|_| !is_missing);
    let place = fault.map_or_else(|| skill.opener(), |fault| fault.place);
    let syntax = Flaw::of_syntax(place);
    match (of_plugin, is_missing) {
        (true, _) => {
            let (reason, help) = match is_missing {
                true => (
                    "it has no front matter",
                    "add `name`, `description` and `tools` between lines of `---`, or move the file out of `agents`",
                ),
                false => (syntax.what.as_str(), syntax.help.as_str()),
            };
            let title = &profile.title;
            let message = format!("{title} gives the agent `{shown}` all tools and no description: {reason}");
            *known = Some(place);
            let finding = sink.about(Subject::Tree).report(place, message).at_most(Level::Warning).help(help);
            if let Some((help, edits)) = fault.and_then(|_| invalid_yaml::edits(skill)) {
                finding.help(help).edits = edits;
            }
            Vec::new()
        }
        (false, true) => Vec::new(),
        (false, false) => vec![syntax],
    }
}
