//! Reports settings about skills that a runtime does not apply.

use std::collections::BTreeSet;
use std::ops::Range;

use bstr::ByteSlice;

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::loads::Overrides;
use skilltree_skills::keys;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{ENABLED, Manifest, PERMISSIONS, RULES, Unread};
use skilltree_skills::name;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unusable-settings",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "settings about skills that a runtime does not apply",
    why: "skills are listed that should be hidden, or plugins and permissions are missing",
    explanation: include_str!("unusable_settings.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for profile in manifests::readers(facts) {
        let Some(settings) = &profile.loads.overrides else { continue };
        for manifest in catalog.parsed.manifests.all.iter().filter(|manifest| manifest.name == settings.file) {
            let json = match &manifest.content {
                Ok(json) => json,
                Err(Unread::Malformed(reason, at)) => {
                    let place = Place::new(manifest.file, *at..at + 1);
                    let message = format!("{} applies nothing of these settings: {reason}", profile.title);
                    sink.about(Subject::Tree).report(place, message).help("correct the JSON here");
                    continue;
                }
                Err(Unread::NotAnObject) => {
                    let message =
                        format!("{} applies nothing of these settings: they are not an object", profile.title);
                    sink.about(Subject::Tree)
                        .report(Place::whole(manifest.file), message)
                        .help("write an object: `{ … }`");
                    continue;
                }
                // A link is followed, and what was not read is unknown.
                Err(_) => continue,
            };
            let mut flaws = flaws(json, settings);
            flaws.sort_by_key(|flaw| flaw.range.start);
            flaws.iter().for_each(|flaw| flaw.report(profile, manifest.file, sink));
            Known::new(catalog, manifest).report(json, settings, profile, manifest.file, sink);
        }
    }
}

/// A value with which nothing of the settings is applied.
struct Flaw {
    range: Range<usize>,
    what: String,
    help: String,
    /// The value that is meant.
    meant: Option<String>,
}

impl Flaw {
    fn report(&self, profile: &Profile, file: FileId, sink: &mut Sink) {
        let place = Place::new(file, self.range.clone());
        let message = format!("{} applies nothing of these settings: {}", profile.title, self.what);
        let finding = sink.about(Subject::Tree).report(place, message).help(self.help.clone());
        // Unsafe, because it switches skills and plugins.
        if let Some(meant) = &self.meant {
            finding.unsafe_edit(place, meant.as_str());
        }
    }
}

/// Returns the values of a wrong type, and unknown words.
fn flaws(json: &Json, settings: &Overrides) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let wrong = |value: &Json, key: &str, kind: &str| Flaw {
        range: value.range.clone(),
        what: format!("`{key}` is not {kind}"),
        help: format!("write {kind}"),
        meant: None,
    };
    for key in [settings.key.as_str(), ENABLED, PERMISSIONS] {
        let Some(value) = json.get(key) else { continue };
        if !matches!(value.value, Value::Object(_)) {
            flaws.push(wrong(value, key, "an object"));
        }
    }
    for key in RULES {
        let Some(value) = json.at(key).filter(|value| !matches!(value.value, Value::List(_))) else { continue };
        flaws.push(wrong(value, key, "a list"));
    }
    let known: Vec<&String> = settings.shows.iter().chain(&settings.names).chain(&settings.hides).collect();
    for member in json.get(&settings.key).map(Json::members).unwrap_or_default() {
        let word = member.value.text();
        if word.is_some_and(|word| known.iter().any(|known| *known == word)) {
            continue;
        }
        let near = word.and_then(|word| {
            let bare = word.trim().to_lowercase();
            known.iter().find(|known| ***known == bare || keys::is_slip(&bare, known))
        });
        let switched = match member.value.value {
            Value::Boolean(true) => settings.shows.first(),
            Value::Boolean(false) => settings.hides.first(),
            _ => None,
        };
        let meant = near.copied().or(switched);
        let all: Vec<String> = known.iter().map(|word| format!("`\"{word}\"`")).collect();
        flaws.push(Flaw {
            range: member.value.range.clone(),
            what: match word {
                Some(word) => format!("`{}` is not a value of `{}`", text::shortened(word, 64), settings.key),
                None => format!("`{}` is not a string", text::shortened(&member.key, 64)),
            },
            help: meant
                .map_or_else(|| format!("write one of {}", all.join(", ")), |word| format!("write `\"{word}\"`")),
            meant: meant.map(|word| format!("\"{word}\"")),
        });
    }
    for member in json.get(ENABLED).map(Json::members).unwrap_or_default() {
        if matches!(member.value.value, Value::Boolean(_) | Value::List(_) | Value::Object(_)) {
            continue;
        }
        let meant = match member.value.text().map(str::to_lowercase).as_deref() {
            Some("true" | "yes" | "on") => Some("true"),
            Some("false" | "no" | "off") => Some("false"),
            _ => None,
        };
        flaws.push(Flaw {
            range: member.value.range.clone(),
            what: format!("`{}` is neither true nor false", text::shortened(&member.key, 64)),
            help: meant.map_or_else(|| "write `true` or `false`".to_owned(), |word| format!("write `{word}`")),
            meant: meant.map(str::to_owned),
        });
    }
    flaws
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
        let skills = catalog.skills().filter(|(id, _)| skilltree_skills::roots::is_within(catalog.path(*id), inside));
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
        for member in json.get(&settings.key).map(Json::members).unwrap_or_default() {
            let (key, place) = (member.key.as_str(), Place::new(file, member.range.clone()));
            let shown = text::shortened(key, 64);
            if self.directories.contains(key) {
                continue;
            }
            if key.contains(':') {
                sink.about(Subject::Tree)
                    .report(place, format!("{title} ignores `{shown}`: `{}` has no effect on a plugin", settings.key))
                    .help(format!("deny `{}({shown})` in `{PERMISSIONS}`, or disable the plugin", settings.tool));
            } else if let Some(near) = self.near(key) {
                sink.about(Subject::Tree)
                    .report(place, format!("{title} ignores `{shown}`: the directory of the skill is `{near}`"))
                    .help(format!("write `\"{near}\"`"));
            }
        }
        for rule in json.at(skilltree_skills::manifest::DENIED).map(Json::items).unwrap_or_default() {
            let Some(meant) = rule.text().and_then(|text| corrected(text, &settings.tool)) else { continue };
            let place = Place::new(file, rule.range.clone());
            let shown = text::shortened(rule.text().unwrap_or_default(), 64);
            sink.about(Subject::Tree)
                .report(place, format!("{title} ignores the rule `{shown}`"))
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
