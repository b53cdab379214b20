//! Hover in manifests: what the programs that read one make of a key.

use std::collections::BTreeMap;
use std::ops::Range;

use skilltree_report::render::escape;
use skilltree_runtimes::formats::{Effect, Entry, EntrySkills, FORMATS, Form, Holds, Marketplaces, Package, Source};
use skilltree_runtimes::packages::Wrong;
use skilltree_runtimes::profile::{Pattern, Profile};
use skilltree_skills::manifest::Manifest;
use skilltree_skills::manifest::json::{Json, Member};

use super::{NAMED, versions};
use crate::context::Context;
use crate::runtimes;

/// The key of the entries of a marketplace.
const ENTRIES: &str = "plugins";

/// Returns what is said about the key at an offset, and the range of the key; `None` if the document is no manifest, or at another place.
pub(super) fn about(context: &Context<'_>, offset: usize) -> Option<(Vec<String>, Range<usize>)> {
    let catalog = &context.checked.report.catalog;
    let mut manifests = catalog.parsed.manifests.all.iter().filter(|manifest| manifest.part.is_none());
    let manifest = manifests.find(|manifest| catalog.file(manifest.file).shown_path() == context.path)?;
    let mut chain = Vec::new();
    find(manifest.content.as_ref().ok()?, offset, &mut chain);
    let is_entry = manifest.is_marketplace() && chain.len() > 1 && chain[0].key == ENTRIES;
    let start = usize::from(is_entry);
    let readers = Readers::of(context, manifest);
    let path = |members: &[&Member]| members.iter().map(|one| one.key.as_str()).collect::<Vec<_>>().join(".");
    // A member of a value, such as the name of the owner, is part of the form of the value.
    for end in (start + 1..=chain.len()).rev() {
        let facts = readers.facts(&path(&chain[start..end]), is_entry);
        if !facts.is_empty() {
            return readers.words(chain[end - 1], facts);
        }
    }
    // Other files than manifests have keys of other programs.
    let is_own = !manifest.is_settings() && manifest.name.contains("plugin") || manifest.name.contains("extension");
    readers.words(chain.get(start).copied().filter(|_| is_own)?, Facts::default())
}

/// Finds the members around an offset, the outermost first.
fn find<'j>(json: &'j Json, offset: usize, chain: &mut Vec<&'j Member>) {
    let is_at = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    if let Some(member) = json.members().iter().find(|one| is_at(&(one.range.start..one.value.range.end))) {
        chain.push(member);
        find(&member.value, offset, chain);
    } else if let Some(item) = json.items().iter().find(|item| is_at(&item.range)) {
        find(item, offset, chain);
    }
}

/// Sentences, each with the runtimes that it is about.
type Facts<'a> = BTreeMap<String, Vec<&'a Profile>>;

/// The runtimes that read a manifest.
struct Readers<'a> {
    packages: Vec<(&'a Profile, &'static Package)>,
    marketplaces: Vec<(&'a Profile, &'static Marketplaces)>,
}

impl<'a> Readers<'a> {
    fn of(context: &Context<'a>, manifest: &Manifest) -> Self {
        let profiles = &context.checked.config.profiles;
        let is_it = |names: &[String]| names.iter().any(|name| *name == manifest.name);
        let packages = FORMATS.iter().flat_map(|format| &format.readers).filter(|one| is_it(&one.manifests));
        let marketplaces = FORMATS.iter().flat_map(|format| &format.marketplaces).filter(|one| is_it(&one.files));
        Self {
            packages: packages.filter_map(|one| Some((profiles.find(&one.runtime)?, one))).collect(),
            marketplaces: marketplaces.filter_map(|one| Some((profiles.find(&one.runtime)?, one))).collect(),
        }
    }

    fn facts(&self, path: &str, is_entry: bool) -> Facts<'a> {
        let mut facts = Facts::new();
        let mut add = |profile: &'a Profile, found: Vec<String>| {
            for fact in found {
                let profiles = facts.entry(fact).or_default();
                if !profiles.iter().any(|known| known.id == profile.id) {
                    profiles.push(profile);
                }
            }
        };
        for (profile, package) in &self.packages {
            add(profile, of_package(package, path));
        }
        for (profile, market) in &self.marketplaces {
            add(profile, if is_entry { of_entry(market, path) } else { of_marketplace(market, path) });
        }
        facts
    }

    fn words(&self, member: &Member, facts: Facts<'a>) -> Option<(Vec<String>, Range<usize>)> {
        let mut all: Vec<&Profile> =
            self.packages.iter().map(|(one, _)| *one).chain(self.marketplaces.iter().map(|(one, _)| *one)).collect();
        sort(&mut all);
        if all.is_empty() {
            return None;
        }
        let mut words = vec![format!("**{}**", escape::text(&member.key))];
        if facts.is_empty() {
            words.push("No runtime is known to find skills by this key, or to check its form.".to_owned());
        }
        let mut facts: Vec<(String, Vec<&Profile>)> = facts.into_iter().collect();
        facts.iter_mut().for_each(|(_, profiles)| sort(profiles));
        facts.sort_by_key(|(_, profiles)| profiles.first().and_then(|one| one.usage_rank).unwrap_or(u32::MAX));
        let lines = facts.iter().map(|(fact, profiles)| format!("- {}: {fact}", runtimes::names(profiles, NAMED)));
        let lines: Vec<String> = lines.collect();
        words.extend((!lines.is_empty()).then(|| lines.join("\n")));
        words.push(format!("The file is read by {}: {}.", counted(all.len()), versions(&all)));
        Some((words, member.range.clone()))
    }
}

fn counted(runtimes: usize) -> String {
    if runtimes == 1 { "1 runtime".to_owned() } else { format!("{runtimes} runtimes") }
}

/// Sorts runtimes by use, each once.
fn sort(profiles: &mut Vec<&Profile>) {
    profiles.sort_by_key(|profile| (profile.usage_rank.unwrap_or(u32::MAX), profile.id.as_str()));
    profiles.dedup_by_key(|profile| &profile.id);
}

fn of_package(package: &Package, path: &str) -> Vec<String> {
    let mut facts = Vec::new();
    if package.key.as_deref() == Some(path) {
        facts.push(skills(package));
    }
    facts.extend(needed(path, &package.required, "nothing loads"));
    facts.extend(typed(path, &package.types, "nothing loads"));
    facts.extend(named(path, package.name.as_ref(), "nothing loads"));
    facts
}

/// Says what the key that names skills does.
fn skills(package: &Package) -> String {
    let what = match package.holds {
        Holds::Both => "it names skills or directories of skills",
        Holds::Skill => "it names the directory of each skill",
        Holds::File => "it names each SKILL.md",
    };
    let default: Vec<String> = package.default.iter().map(|path| format!("`{path}`")).collect();
    let default = match (package.effect, default.is_empty()) {
        (_, true) => String::new(),
        (Effect::Adds, _) => format!(", in addition to {}", default.join(", ")),
        (Effect::Replaces, _) => format!(", in place of {}", default.join(", ")),
    };
    let entry = match package.entry {
        Entry::Any => "",
        Entry::Inside => "; with a path that leaves the package, nothing loads",
        Entry::Relative => "; a path without `./` is ignored",
        Entry::RelativeOnly => "; with a path without `./`, nothing loads",
    };
    format!("{what}{default}{entry}")
}

fn of_marketplace(market: &Marketplaces, path: &str) -> Vec<String> {
    let lost = "nothing is installed";
    let mut facts: Vec<String> = needed(path, &market.required, lost).into_iter().collect();
    facts.extend(typed(path, &market.own_types, lost));
    facts.extend(named(path, market.name.as_ref(), lost));
    let starts = |source| matches!(source, Source::PluginRoot | Source::PluginRootOrTop);
    if path == "metadata.pluginRoot" && (starts(market.bare_source) || starts(market.dotted_source)) {
        facts.push(sources(market));
    }
    facts
}

fn of_entry(market: &Marketplaces, path: &str) -> Vec<String> {
    let lost = "the plugin is not installed";
    let mut facts: Vec<String> = needed(path, &market.entry_required, lost).into_iter().collect();
    facts.extend(typed(path, &market.types, lost));
    facts.extend(named(path, market.entry_name.as_ref(), lost));
    if path == "source" {
        facts.push(sources(market));
    }
    if path == "skills" {
        facts.push(match market.skills {
            EntrySkills::Ignored => "it is not read".to_owned(),
            EntrySkills::WithoutManifest => "it names skills, if the plugin has no manifest".to_owned(),
            EntrySkills::Adds => "it names skills, in addition to those of the plugin".to_owned(),
        });
    }
    if market.strict_conflicts.iter().any(|key| key == path) {
        facts.push("the plugin is not loaded if `strict` is false and it has a manifest".to_owned());
    }
    facts
}

/// Says where the paths of sources start.
fn sources(market: &Marketplaces) -> String {
    let words = |source| match source {
        Source::Top | Source::Normal => "starts at the directory of the marketplace",
        Source::PluginRoot => "starts at `metadata.pluginRoot`, if that exists",
        Source::PluginRootOrTop => "starts at `metadata.pluginRoot`, or at the directory of the marketplace",
        Source::Refused => "is refused",
    };
    let (dotted, bare) = (words(market.dotted_source), words(market.bare_source));
    match dotted == bare {
        true => format!("a source that is a path {dotted}"),
        false => format!("a source with `./` {dotted}; one without it {bare}"),
    }
}

fn needed(path: &str, required: &[String], lost: &str) -> Option<String> {
    required.iter().any(|key| key == path).then(|| format!("without it, {lost}"))
}

fn typed(path: &str, types: &BTreeMap<String, Vec<Form>>, lost: &str) -> Option<String> {
    let forms = types.get(path)?;
    Some(format!("{lost} if {}", Wrong::Type(path.to_owned(), forms.clone())))
}

fn named(path: &str, pattern: Option<&Pattern>, lost: &str) -> Option<String> {
    let pattern = pattern.filter(|_| path == "name")?;
    Some(format!("{lost} if it does not match `{}`", pattern.source()))
}
