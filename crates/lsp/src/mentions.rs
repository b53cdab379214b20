//! Names and paths of a skill outside of skills: in manifests, in files that list skills and in skilltree.toml.

use std::collections::BTreeMap;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;
use skilltree_lint::config;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, Manifest};
use skilltree_skills::skill::FoundList;
use skilltree_skills::skill::links::relative;

use crate::context::Context;

/// Names and paths before and after.
#[derive(Clone, Copy, Default)]
pub(crate) struct Renamed<'a> {
    /// The names; `None` if the name stays.
    pub(crate) name: Option<(&'a str, &'a str)>,
    /// The directories, or files; `None` if they stay.
    pub(crate) path: Option<(&'a BStr, &'a BStr)>,
}

/// The replacements in a file.
pub(crate) struct InFile {
    pub(crate) path: BString,
    pub(crate) text: String,
    /// The new text of each range.
    pub(crate) ranges: BTreeMap<usize, (Range<usize>, String)>,
}

impl InFile {
    fn open(context: &Context<'_>, path: &BStr) -> Option<Self> {
        Some(Self { path: path.to_owned(), text: context.text_of(path)?, ranges: BTreeMap::new() })
    }

    fn add(&mut self, range: Range<usize>, new: Option<String>) {
        if let Some(new) = new {
            self.ranges.insert(range.start, (range, new));
        }
    }
}

/// Returns what to replace in each file. A file may be there twice, with the same replacements.
pub(crate) fn of(context: &Context<'_>, renamed: Renamed<'_>) -> Vec<InFile> {
    let parsed = &context.checked.report.catalog.parsed;
    let manifests = parsed.manifests.all.iter().filter_map(|manifest| renamed.in_manifest(context, manifest));
    let lists = parsed.lists.iter().filter_map(|list| renamed.in_list(context, list));
    let found = manifests.chain(lists).chain(renamed.in_settings(context));
    found.filter(|file| !file.ranges.is_empty()).collect()
}

impl Renamed<'_> {
    /// Returns a written path with the new directory; `None` if it does not lead into the old one from a base.
    fn path(&self, written: &str, base: &BStr) -> Option<String> {
        let (old, new) = self.path?;
        let (from, to) = (relative(base, old), relative(base, new));
        let start = written.len() - written.trim_start_matches("./").len();
        let rest = written[start..].strip_prefix(&*from)?;
        let is_whole = !from.is_empty() && (rest.is_empty() || rest.starts_with('/'));
        let is_plain = !to.contains(|c: char| c.is_control() || matches!(c, '"' | '\'' | '\\'));
        (is_whole && is_plain).then(|| format!("{}{to}{rest}", &written[..start]))
    }

    /// Replaces the paths in a manifest. Those of an entry start at its source.
    fn in_manifest(&self, context: &Context<'_>, manifest: &Manifest) -> Option<InFile> {
        let json = manifest.content.as_ref().ok()?;
        let mut file =
            InFile::open(context, context.checked.report.catalog.file(manifest.file).shown_path().as_bstr())?;
        let base = manifest.base.as_bstr();
        let own = json.members().iter().filter(|member| !(manifest.is_marketplace() && member.key == "plugins"));
        own.for_each(|member| self.in_json(&member.value, &[base], &mut file));
        let root = json.at("metadata.pluginRoot").and_then(Json::text).map_or("", |root| root.trim_start_matches("./"));
        let below_root = manifest::join(base, root);
        for entry in manifest.entries() {
            let (plain, below) = manifest::sources(manifest, json, entry);
            let inside: Vec<&BStr> = plain.iter().chain(&below).map(|path| path.as_bstr()).collect();
            for member in entry.members() {
                let bases = if member.key == "source" { &[base, below_root.as_bstr()][..] } else { &inside };
                self.in_json(&member.value, bases, &mut file);
            }
        }
        Some(file)
    }

    fn in_json(&self, json: &Json, bases: &[&BStr], file: &mut InFile) {
        match &json.value {
            Value::Text(text) => {
                let inside = json.range.start + 1..json.range.end.saturating_sub(1);
                if file.text.get(inside.clone()) == Some(text) {
                    file.add(inside, bases.iter().find_map(|base| self.path(text, base)));
                }
            }
            Value::List(items) => items.iter().for_each(|item| self.in_json(item, bases, file)),
            Value::Object(members) => members.iter().for_each(|member| self.in_json(&member.value, bases, file)),
            _ => {}
        }
    }

    /// Replaces the entries of a file that lists skills.
    fn in_list(&self, context: &Context<'_>, list: &FoundList) -> Option<InFile> {
        let mut file = InFile::open(context, context.checked.report.catalog.file(list.file).shown_path().as_bstr())?;
        let directory = text::parent(file.path.as_bstr()).to_owned();
        for entry in &list.entries {
            let range = entry.place.range();
            if file.text.get(range.clone()) == Some(&entry.value) {
                let path =
                    [BStr::new(""), directory.as_bstr()].into_iter().find_map(|base| self.path(&entry.value, base));
                let name = || self.name.filter(|(old, _)| *old == entry.value).map(|(_, new)| new.to_owned());
                file.add(range, path.or_else(name));
            }
        }
        Some(file)
    }

    /// Replaces the paths in skilltree.toml, and the names in `[[route]]`.
    fn in_settings(&self, context: &Context<'_>) -> Option<InFile> {
        let mut file = InFile::open(context, BStr::new(config::SETTINGS))?;
        let config = &context.checked.config;
        let routes = config.routes.iter().map(|route| &route.written);
        let routes = routes.filter(|(number, _)| config.files[*number].path == config::SETTINGS);
        let routes: Vec<&Range<usize>> = routes.map(|(_, written)| written).collect();
        for range in strings(&file.text) {
            let written = &file.text[range.clone()];
            let route = routes.iter().find(|route| route.start <= range.start && range.end <= route.end);
            let is_skill = route.is_some_and(|route| key(&file.text[route.start..range.start]) == "skills");
            let name = self.name.filter(|(old, _)| *old == written && is_skill).map(|(_, new)| new.to_owned());
            let new = name.or_else(|| self.path(written, BStr::new("")).filter(|_| route.is_none() || is_skill));
            file.add(range, new);
        }
        Some(file)
    }
}

/// Returns the key of the value that follows a TOML text.
fn key(before: &str) -> &str {
    let above = before.rsplit_once('=').map_or("", |(above, _)| above.trim_end());
    above.rsplit(char::is_whitespace).next().unwrap_or_default()
}

/// Returns the strings of a TOML file that are on one line, without their quotes.
fn strings(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut open: Option<(char, usize)> = None;
    let mut is_comment = false;
    for (at, character) in text.char_indices() {
        match open {
            _ if character == '\n' => (open, is_comment) = (None, false),
            None if is_comment => {}
            None if character == '#' => is_comment = true,
            None if matches!(character, '"' | '\'') => open = Some((character, at + 1)),
            Some((quote, start)) if character == quote => {
                found.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    found
}
