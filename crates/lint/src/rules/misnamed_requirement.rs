//! Reports requirements on the machine whose names a runtime does not know.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, listed};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Field, Node, NodeKind};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::fields::{Platforms, Requirements};
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "misnamed-requirement",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a requirement on the machine has an unknown name",
    why: "a runtime hides the skill on every machine, or shows it on machines that lack what it needs",
    explanation: include_str!("misnamed_requirement.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

/// Other names of platforms.
const PLATFORMS: [(&str, &str); 8] = [
    ("macos", "darwin"),
    ("mac", "darwin"),
    ("osx", "darwin"),
    ("windows", "win32"),
    ("win", "win32"),
    ("win64", "win32"),
    ("ubuntu", "linux"),
    ("debian", "linux"),
];

/// Other names of platforms, for people.
const NAMES: [(&str, &str); 7] = [
    ("mac", "macos"),
    ("osx", "macos"),
    ("os x", "macos"),
    ("mac os", "macos"),
    ("win64", "windows"),
    ("ubuntu", "linux"),
    ("debian", "linux"),
];

/// Other names of keys of `requires`.
const KEYS: [(&str, &str); 6] = [
    ("bin", "bins"),
    ("binaries", "bins"),
    ("commands", "bins"),
    ("any_bins", "anyBins"),
    ("anybins", "anyBins"),
    ("environment", "env"),
];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    for profile in facts.scope.of(skill.root) {
        if let Some(platforms) = &profile.loads.keys.platforms {
            check_platforms(skill, profile, platforms, sink);
            break;
        }
    }
    let has_some = |profile: &&Profile| profile.loads.keys.requirements.is_some();
    let Some(profile) = facts.scope.of(skill.root).find(has_some) else { return };
    let Some(requirements) = &profile.loads.keys.requirements else { return };
    let Some(NodeKind::Map(blocks)) = skill.field("metadata").map(|field| &field.value.kind) else { return };
    let block = requirements.blocks.iter().find_map(|name| blocks.iter().find(|block| block.key.value == *name));
    if let Some(block) = block {
        check_block(profile, requirements, block, sink);
        return;
    }
    let former = blocks.iter().find(|block| requirements.former.contains(&block.key.value));
    if let (Some(former), Some(current)) = (former, requirements.blocks.first()) {
        let message = format!("`metadata.{}` has no effect in {}", former.key.value, profile.actor());
        sink.report(former.key.place, message)
            .help(format!("rename it to `{current}`"))
            .unsafe_edit(former.key.place, current.as_str());
    }
}

fn check_platforms(skill: &Skill, profile: &Profile, platforms: &Platforms, sink: &mut Sink) {
    let Some(field) = skill.field(&platforms.key) else { return };
    let names: Vec<&str> = platforms.names.iter().map(String::as_str).collect();
    let values = match field.value.kind {
        NodeKind::List(_) => values(&field.value),
        // Not a list of names: one name.
        _ => field.value.text().map(|text| (text, field.value.place)).into_iter().collect(),
    };
    for (value, place) in values.into_iter().filter(|(value, _)| !platforms.knows(value)) {
        let shown = text::shortened(value, 64);
        let message = format!("{} knows no platform `{shown}` in `{}`", profile.actor(), platforms.key);
        let finding = sink.report(place, message);
        let several: Vec<&str> = value.split([',', ' ']).filter(|name| !name.is_empty()).collect();
        match meant(value, &NAMES, &names) {
            Some(meant) => {
                finding.help(format!("write `{meant}`")).unsafe_edit(place, meant);
            }
            None if several.len() > 1 && several.iter().all(|name| platforms.knows(name)) => {
                let list = format!("[{}]", several.join(", "));
                finding.help(format!("write a list: `{list}`")).unsafe_edit(place, list);
            }
            None => {
                finding.help(format!("use {}", listed(&quoted(&names))));
            }
        }
    }
}

/// Other names of kinds of installers.
const INSTALLERS: [(&str, &str); 9] = [
    ("homebrew", "brew"),
    ("npm", "node"),
    ("pnpm", "node"),
    ("yarn", "node"),
    ("bun", "node"),
    ("golang", "go"),
    ("pip", "uv"),
    ("pipx", "uv"),
    ("url", "download"),
];

/// Reports entries of `install` that a runtime leaves out.
fn check_installers(profile: &Profile, requirements: &Requirements, block: &Field, sink: &mut Sink) {
    let Some(NodeKind::List(entries)) = block.value.field("install").map(|field| &field.value.kind) else { return };
    let kinds: Vec<&str> = requirements.installers.iter().map(|(kind, _)| kind.as_str()).collect();
    let actor = profile.actor();
    for entry in entries {
        let Some(kind) = entry.field("kind").or_else(|| entry.field("type")) else {
            sink.report(entry.place, format!("{actor} leaves out an installer without `kind`"))
                .help(format!("add `kind` with one of {}", listed(&quoted(&kinds))));
            continue;
        };
        let written = kind.value.scalar().unwrap_or_default();
        let known = requirements.installers.iter().find(|(known, _)| known.eq_ignore_ascii_case(written.trim()));
        let Some((_, keys)) = known else {
            let shown = text::shortened(written, 64);
            let finding =
                sink.report(kind.value.place, format!("{actor} leaves out an installer of the kind `{shown}`"));
            match meant(written, &INSTALLERS, &kinds) {
                Some(meant) => finding.help(format!("write `{meant}`, with the key that it needs")),
                None => finding.help(format!("use {}", listed(&quoted(&kinds)))),
            };
            continue;
        };
        if !keys.iter().any(|key| entry.field(key).is_some_and(|field| field.value.scalar().is_some())) {
            let key = &keys[0];
            sink.report(kind.value.place, format!("{actor} leaves out this installer: it has no `{key}`"))
                .help(format!("add `{key}`"));
        }
    }
}

fn check_block(profile: &Profile, requirements: &Requirements, block: &Field, sink: &mut Sink) {
    let name = &block.key.value;
    if let Some(os) = block.value.field("os") {
        let platforms: Vec<&str> = requirements.platforms.iter().map(String::as_str).collect();
        for (value, place) in values(&os.value).into_iter().filter(|(value, _)| !platforms.contains(value)) {
            let shown = text::shortened(value, 64);
            let message = format!("{} knows no platform `{shown}` in `metadata.{name}.os`", profile.actor());
            let finding = sink.report(place, message);
            match meant(value, &PLATFORMS, &platforms) {
                // The place of a list item is its own; a text may have several names.
                Some(meant) => {
                    finding.help(format!("write `{meant}`"));
                    if matches!(os.value.kind, NodeKind::List(_)) || values(&os.value).len() == 1 {
                        finding.unsafe_edit(place, quoted_like(meant));
                    }
                }
                None => {
                    finding.help(format!("use {}", listed(&quoted(&platforms))));
                }
            }
        }
    }
    check_installers(profile, requirements, block, sink);
    let Some(NodeKind::Map(keys)) = block.value.field("requires").map(|field| &field.value.kind) else { return };
    let known: Vec<&str> = requirements.keys.iter().map(String::as_str).collect();
    for key in keys.iter().map(|field| &field.key).filter(|key| !known.contains(&key.value.as_str())) {
        let shown = text::shortened(&key.value, 64);
        let message = format!("`metadata.{name}.requires.{shown}` has no effect in {}", profile.actor());
        let finding = sink.report(key.place, message);
        let is_free = |meant: &&str| !keys.iter().any(|other| other.key.value == **meant);
        match meant(&key.value, &KEYS, &known).filter(is_free) {
            _ if key.value == "os" => {
                finding.help(format!("move `os` out of `requires`, to `metadata.{name}.os`"));
            }
            Some(meant) => {
                finding.help(format!("rename it to `{meant}`")).unsafe_edit(key.place, quoted_like(meant));
            }
            None => {
                finding.help(format!("use {}, or remove it", listed(&quoted(&known))));
            }
        }
    }
}

/// Returns the words of a list or of a comma-separated text, with their places.
fn values(node: &Node) -> Vec<(&str, Place)> {
    match &node.kind {
        NodeKind::List(items) => items.iter().filter_map(|item| Some((item.scalar()?, item.place))).collect(),
        _ => node.words().into_iter().map(|word| (word, node.place)).collect(),
    }
}

/// Returns the known word that another one stands for.
fn meant<'a>(word: &str, others: &[(&str, &'a str)], known: &[&'a str]) -> Option<&'a str> {
    let other = others.iter().find(|(other, _)| other.eq_ignore_ascii_case(word)).map(|(_, meant)| *meant);
    other.or_else(|| text::nearest(word, known.iter().copied()))
}

/// Writes a word so that it is a string in JSON, too: `metadata` is often written as JSON.
fn quoted_like(word: &str) -> String {
    format!("\"{word}\"")
}

fn quoted(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| format!("`{word}`")).collect()
}
