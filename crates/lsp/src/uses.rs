//! Uses of the name and of the directory of a skill in texts: Markdown of the whole tree, files of agents, and manifests.

mod names;
mod paths;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;
use skilltree_lint::compare;
use skilltree_skills::manifest::json::{Json, Member};
use skilltree_skills::manifest::{self, Manifest};
use skilltree_skills::roots;
use skilltree_skills::skill::{Skill, SkillId};
use skilltree_skills::source::PAGES;

use self::names::{Kind, Use};
use crate::context::Context;
use crate::mentions::{InFile, Renamed};

/// Maximum number of files that a message names (ours).
const NAMED: usize = 3;

/// A skill whose uses are searched.
pub(crate) struct Uses<'c, 'a> {
    context: &'c Context<'a>,
    renamed: Renamed<'c>,
    /// The directory of the skill.
    directory: &'c BStr,
    /// The directories of other skills with its name.
    namesakes: Vec<&'a BStr>,
    /// The names of the innermost plugin that has it.
    plugins: BTreeSet<&'a str>,
    /// Whether its name may be something else: an ordinary word, or a plugin.
    is_common: bool,
    /// Files in which the name may be that of another skill.
    unclear: Vec<String>,
}

/// Returns what to replace in each file.
pub(crate) fn of(context: &Context<'_>, (id, skill): (SkillId, &Skill), renamed: Renamed<'_>) -> Vec<InFile> {
    let catalog = &context.checked.report.catalog;
    let directory = text::parent(catalog.file(skill.file).shown_path().as_bstr());
    let name = renamed.name.map_or("", |(old, _)| old);
    let others = catalog.skills().filter(|(other, skill)| *other != id && skill.name() == Some(name));
    let others = others.filter(|(other, _)| !catalog.same(id).contains(other));
    let packages = packages(context);
    let own = packages.iter().filter(|(base, _)| roots::is_within(directory, base.as_bstr()));
    let nearest = own.clone().map(|(base, _)| base.len()).max();
    let is_word = name.bytes().all(|byte| byte.is_ascii_lowercase());
    let mut uses = Uses {
        context,
        renamed,
        directory,
        namesakes: others.map(|(_, skill)| text::parent(catalog.file(skill.file).shown_path().as_bstr())).collect(),
        plugins: own.filter(|(base, _)| Some(base.len()) == nearest).map(|(_, name)| *name).collect(),
        is_common: is_word || packages.iter().any(|(_, package)| *package == name),
        unclear: Vec::new(),
    };
    uses.search()
}

/// Returns the directories and the names of plugins and marketplaces.
fn packages<'a>(context: &Context<'a>) -> Vec<(BString, &'a str)> {
    let manifests = context.checked.report.catalog.parsed.manifests.all.iter();
    let manifests = manifests.filter(|manifest| manifest.part.is_none() && !manifest.is_settings());
    let mut found = Vec::new();
    for manifest in manifests {
        let Ok(json) = &manifest.content else { continue };
        let name = |json: &'a Json| json.get("name").and_then(Json::text);
        found.extend(name(json).filter(|_| !manifest.is_marketplace()).map(|name| (manifest.base.clone(), name)));
        for entry in manifest.entries() {
            let (plain, below_root) = manifest::sources(manifest, json, entry);
            found.extend(plain.into_iter().chain(below_root).filter_map(|base| Some((base, name(entry)?))));
        }
    }
    found
}

impl<'a> Uses<'_, 'a> {
    fn search(&mut self) -> Vec<InFile> {
        let (mut texts, all) = self.texts();
        let mut found: Vec<InFile> = Vec::new();
        for (path, (text, kind)) in std::mem::take(&mut texts) {
            let ranges = self.in_text(path.as_bstr(), &text, kind);
            if !ranges.is_empty() {
                found.push(InFile { path, text, ranges });
            }
        }
        if !all {
            let pages = text::grouped(PAGES);
            let message = format!("the old name was searched for in at most {pages} Markdown files outside of skills");
            self.context.note(message);
        }
        if let (Some((old, _)), false) = (self.renamed.name, self.unclear.is_empty()) {
            let (shown, more) = self.unclear.split_at(self.unclear.len().min(NAMED));
            let mut files = shown.to_vec();
            files.extend((!more.is_empty()).then(|| format!("{} more files", text::grouped(more.len()))));
            let files = text::joined(&files);
            self.context.note(format!("another skill is named `{old}` too: the name is unchanged in {files}"));
        }
        found
    }

    /// Returns the texts to search, by path, and whether these are all.
    fn texts(&self) -> (BTreeMap<BString, (String, Kind)>, bool) {
        let context = self.context;
        let parsed = &context.checked.report.catalog.parsed;
        let mut texts = BTreeMap::new();
        let all = context.checked.source.each_page(true, |path, bytes| {
            if let Ok(text) = std::str::from_utf8(bytes) {
                texts.insert(path.clone(), (text.to_owned(), Kind::Markdown));
            }
        });
        let mut add = |file, kind| {
            let file = context.checked.report.catalog.file(file);
            if !texts.contains_key(file.shown_path())
                && let Some(text) = context.text_of_file(file)
            {
                texts.insert(file.shown_path().clone(), (text, kind));
            }
        };
        for skill in &parsed.skills {
            add(skill.file, Kind::Markdown);
            skill.references.read.iter().for_each(|reference| add(reference.file, Kind::Markdown));
            skill.references.agent_file.iter().for_each(|agent| add(agent.file, Kind::AgentFile));
        }
        for manifest in &parsed.manifests.all {
            let is_plain = manifest.part.is_none() && !manifest.is_settings();
            add(manifest.file, if is_plain { Kind::Manifest } else { Kind::Commands });
        }
        (texts, all.unwrap_or(false))
    }

    /// Returns the replacements in a text, by their start.
    fn in_text(&mut self, page: &BStr, text: &str, kind: Kind) -> BTreeMap<usize, (Range<usize>, String)> {
        let mut found = BTreeMap::new();
        if let Some((old, new)) = self.renamed.name {
            let ranges = self.names(page, text, kind, old);
            found.extend(ranges.into_iter().map(|range| (range.start, (range, new.to_owned()))));
        }
        found.extend(self.paths(page, text, kind).into_iter().map(|(range, new)| (range.start, (range, new))));
        found
    }

    /// Returns the uses of the name.
    fn names(&mut self, page: &BStr, text: &str, kind: Kind, old: &str) -> Vec<Range<usize>> {
        let range = |start: usize| start..start + old.len();
        let plugins = self.plugins.iter().map(|plugin| format!("{plugin}:{old}"));
        let mut found: Vec<Range<usize>> = Vec::new();
        for word in plugins {
            let starts = compare::words(text.as_bytes(), word.as_bytes());
            found.extend(starts.map(|start| range(start + word.len() - old.len())));
        }
        let mut plain = self.listed(page, text, old);
        let mut starts = compare::uses(text.as_bytes(), old, false).peekable();
        if starts.peek().is_some() {
            let (is_common, is_inside) = (self.is_common, self.is_in_skill(page));
            let is_use = |range: &Range<usize>| Use { text, range, kind, is_common, is_inside }.is_certain();
            plain.extend(starts.map(range).filter(is_use));
        }
        if !plain.is_empty() && self.is_nearest(page) {
            found.extend(plain);
        }
        found
    }

    /// Returns whether a file is in the directory of a skill.
    fn is_in_skill(&self, page: &BStr) -> bool {
        let catalog = &self.context.checked.report.catalog;
        let mut skills =
            catalog.skills().map(|(_, skill)| text::parent(catalog.file(skill.file).shown_path().as_bstr()));
        skills.any(|directory| roots::is_within(page, directory))
    }

    /// Returns the names in the list of an agent, and in the settings about skills.
    fn listed(&self, page: &BStr, text: &str, old: &str) -> Vec<Range<usize>> {
        let catalog = &self.context.checked.report.catalog;
        let agents = catalog.parsed.agents.all.iter().filter(|agent| catalog.file(agent.file).shown_path() == page);
        let names = agents.flat_map(|agent| &agent.skills).filter(|name| name.value == old);
        let names = names.map(|name| name.place.range());
        let manifests = catalog.parsed.manifests.all.iter();
        let manifests = manifests.filter(|manifest| catalog.file(manifest.file).shown_path() == page);
        let keys = manifests.flat_map(settings_keys).filter(|member| member.key == old);
        let keys = keys.map(|member| member.range.start + 1..member.range.end - 1);
        names.chain(keys).filter(|range| text.get(range.clone()) == Some(old)).collect()
    }

    /// Returns whether no other skill with the name is as near to a file.
    fn is_nearest(&mut self, page: &BStr) -> bool {
        let own = common(page, self.directory);
        let nearest = self.namesakes.iter().map(|other| common(page, other)).max();
        if nearest == Some(own) {
            self.unclear.push(text::lossless(page));
        }
        nearest.is_none_or(|nearest| nearest < own)
    }
}

/// Returns the keys of settings that are names of skills.
fn settings_keys(manifest: &Manifest) -> impl Iterator<Item = &Member> {
    let json = manifest.content.as_ref().ok().filter(|_| manifest.is_settings());
    let places = [manifest::OVERRIDES, "permission.skill"];
    json.into_iter().flat_map(move |json| places.into_iter().filter_map(|place| json.at(place))).flat_map(Json::members)
}

/// Returns the number of directories that contain both paths.
fn common(one: &BStr, other: &BStr) -> usize {
    one.split_str("/").zip(other.split_str("/")).take_while(|(one, other)| one == other).count()
}
