//! What a runtime makes of the keys of a manifest: the directories that it searches, and what is wrong.

use std::collections::BTreeMap;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};

use super::hooks;
use super::parts;
use super::servers;
use super::shape;
use super::view::{Entry, View};
use super::words;
use super::{Costs, Fault, Lost, Place, Wrong};
use crate::formats::{self, Effect, EntrySkills, Form, Holds, Marketplaces, Package as Rule};
use crate::profile::Pattern;
use crate::profile::loads::Hooks;
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, Part, Written};
use skilltree_skills::roots;
use skilltree_skills::snapshot::Resolution;

/// Keys whose files a runtime looks for when it loads a package.
const FILE_KEYS: [&str; 9] =
    ["agents", "commands", "hooks", "lspServers", "mcpServers", "monitors", "outputStyles", "themes", "workflows"];

/// Checks what a marketplace as a whole needs.
pub(super) fn marketplace(number: usize, json: &Json, rule: &Marketplaces, has_bom: bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    byte_order_mark(number, has_bom && !rule.byte_order_mark, &mut faults);
    required(number, json, 0..0, &rule.required, &mut faults);
    name(number, json, rule.name.as_ref(), &mut faults);
    if let (Some(regex), Some(name)) = (rule.reserved.as_ref().and_then(Pattern::regex), json.get("name"))
        && let Some(text) =
            name.text().filter(|text| regex.is_match(text) && !rule.official.contains(&text.to_lowercase()))
    {
        let what = Wrong::Reserved(text.to_owned());
        faults.push(Fault { manifest: number, range: name.range.clone(), what, costs: Costs::Package });
    }
    types(number, json, &rule.own_types, &mut faults);
    faults
}

fn byte_order_mark(number: usize, is_refused: bool, faults: &mut Vec<Fault>) {
    if is_refused {
        faults.push(Fault { manifest: number, range: 0..3, what: Wrong::ByteOrderMark, costs: Costs::Package });
    }
}

/// Returns the first fault of an entry that costs all entries.
pub(super) fn refused_entry(number: usize, entries: &[Json], rule: &Marketplaces) -> Option<Fault> {
    entries.iter().filter(|_| rule.whole).find_map(|entry| {
        let mut faults = Vec::new();
        required(number, entry, entry.range.clone(), &rule.entry_required, &mut faults);
        types(number, entry, &rule.types, &mut faults);
        faults.into_iter().next()
    })
}

/// Checks the keys of an entry.
pub(super) fn entry(number: usize, json: &Json, rule: &Marketplaces, program: Option<&Hooks>, faults: &mut Vec<Fault>) {
    required(number, json, json.range.clone(), &rule.entry_required, faults);
    name(number, json, rule.entry_name.as_ref(), faults);
    types(number, json, &rule.types, faults);
    if let Some(program) = program.filter(|_| reads_hooks(&rule.types)) {
        let first = faults.len();
        hooks::inline(number, json, program, faults);
        // A program that leaves out a hook of a manifest refuses an entry with it.
        faults[first..].iter_mut().for_each(|fault| fault.costs = Costs::Package);
    }
    source(number, json, rule, faults);
}

/// Checks the source of an entry: an address is no path, and an object has a kind.
fn source(number: usize, entry: &Json, rule: &Marketplaces, faults: &mut Vec<Fault>) {
    let Some(source) = entry.get("source").filter(|_| !rule.sources.is_empty()) else { return };
    let found = match &source.value {
        Value::Text(text) if is_address(text) => Some((source.range.clone(), Wrong::Address(text.clone()))),
        Value::Text(_) | Value::Deep => None,
        Value::Object(_) => shape::wrong_source(source, &rule.sources),
        _ => Some((source.range.clone(), Wrong::Type("source".to_owned(), vec![Form::Path, Form::Object]))),
    };
    if let Some((range, what)) = found {
        faults.push(Fault { manifest: number, range, what, costs: Costs::Package });
    }
}

/// Returns whether a text is an address of a repository, not a path.
fn is_address(text: &str) -> bool {
    text.contains("://") || text.starts_with("git@") || text.starts_with("github:")
}

fn required(number: usize, json: &Json, range: Range<usize>, keys: &[String], faults: &mut Vec<Fault>) {
    for key in keys.iter().filter(|key| json.get(key).is_none()) {
        let what = Wrong::Missing(key.clone());
        faults.push(Fault { manifest: number, range: range.clone(), what, costs: Costs::Package });
    }
}

fn name(number: usize, json: &Json, pattern: Option<&Pattern>, faults: &mut Vec<Fault>) {
    if let (Some(regex), Some(name)) = (pattern.and_then(Pattern::regex), json.get("name"))
        && let Some(text) = name.text().filter(|text| !regex.is_match(text))
    {
        let what = Wrong::Name(text.to_owned());
        faults.push(Fault { manifest: number, range: name.range.clone(), what, costs: Costs::Package });
    }
}

fn types(number: usize, json: &Json, types: &BTreeMap<String, Vec<Form>>, faults: &mut Vec<Fault>) {
    for (key, forms) in types {
        let Some(value) = json.at(key) else { continue };
        if let Some((range, what)) = shape::wrong(value, key, forms) {
            faults.push(Fault { manifest: number, range, what, costs: Costs::Package });
        }
    }
    if reads_servers(types) {
        servers::inline(number, json, faults);
    }
}

/// Returns whether a runtime starts servers, and it is known which.
fn reads_servers(types: &BTreeMap<String, Vec<Form>>) -> bool {
    types.get(manifest::SERVERS).is_some_and(|forms| forms.contains(&Form::Servers))
}

/// Returns whether a runtime reads hooks.
fn reads_hooks(types: &BTreeMap<String, Vec<Form>>) -> bool {
    types.get(manifest::HOOKS).is_some_and(|forms| forms.contains(&Form::Hooks))
}

/// Checks a package. Returns the directories that it searches, and whether these are only the ones that a key names.
pub(super) fn package(
    search: &View<'_>,
    rule: &'static Rule,
    manifest: Option<usize>,
    directory: &BString,
    entry: Option<Entry<'_>>,
    faults: &mut Vec<Fault>,
) -> (Vec<Place>, bool) {
    let json = manifest.and_then(|number| Some((number, search.json(number)?)));
    if let Some((number, json)) = json {
        let has_bom = search.manifests.all[number].has_bom;
        byte_order_mark(number, has_bom && !rule.byte_order_mark, faults);
        own_keys(number, json, rule, faults);
    } else if let Some(number) = manifest.filter(|&number| !(rule.malformed && search.is_malformed(number))) {
        // The rule about manifests that are no JSON names it.
        faults.push(Fault {
            manifest: number,
            range: 0..0,
            what: Wrong::Missing(String::new()),
            costs: Costs::Package,
        });
    }
    // Without a manifest of its own or an entry, the plugin was made for other programs, and so were its hooks and servers.
    let is_own = entry.is_some() || manifest.is_some() && !rule.nameless;
    let parts = parts::Directory { path: directory.as_bstr(), is_own, is_listed: entry.is_some() };
    if reads_servers(&rule.types) {
        servers::package(search, json, parts, faults);
    }
    if let Some(program) = search.program.filter(|_| reads_hooks(&rule.types)) {
        hooks::package(search, program, json, parts, faults);
    }
    let mut named = Named { search, rule, directory: directory.as_bstr(), faults, places: Vec::new(), has_key: false };
    match (json, &rule.key) {
        (Some((number, _)), _) if rule.settings => named.settings(number),
        (Some((number, json)), Some(key)) => named.key(number, json, key),
        _ => {}
    }
    if let Some((number, json)) = json.filter(|_| !rule.settings) {
        named.files(number, json);
    }
    let replaces_by_key = named.has_key && rule.effect == Effect::Replaces;
    let mut is_replaced = replaces_by_key;
    if let Some(entry) = entry {
        let counts = match entry.rule.skills {
            EntrySkills::Ignored => false,
            EntrySkills::WithoutManifest => manifest.is_none(),
            EntrySkills::Adds => true,
        };
        let list = entry.json.get("skills").filter(|_| counts);
        if list.is_some_and(|list| named.list(entry.marketplace, list)) {
            let is_at_marketplace = *directory == search.manifests.all[entry.marketplace].base;
            is_replaced |= match entry.rule.skills {
                EntrySkills::Adds => is_at_marketplace,
                _ => true,
            };
        }
    }
    let mut places = named.places;
    for name in &rule.default {
        let path = if name == "." { directory.clone() } else { manifest::join(directory.as_bstr(), name) };
        let lost = is_replaced.then_some(Lost::Replaced);
        let default = Place { directory: path, is_skill: false, lost };
        if search.is_place(&default) && !places.iter().any(|place| place.directory == default.directory) {
            places.push(default);
        }
    }
    if let Some(entry) = entry.filter(|_| places.is_empty() && faults.is_empty()) {
        nothing(search, entry, json.map(|(_, json)| json), directory, faults);
    }
    (places, is_replaced)
}

/// Reports the source of an entry that leads to a plugin without any part.
fn nothing(search: &View<'_>, entry: Entry<'_>, own: Option<&Json>, directory: &BString, faults: &mut Vec<Fault>) {
    let Some((source, path)) = entry.json.get("source").zip(manifest::source(entry.json)) else { return };
    let directory = directory.as_bstr();
    if search.is_bare(directory)
        && search.manifests.has_no_part(directory)
        && std::iter::once(entry.json).chain(own).all(manifest::only_describes)
    {
        let (range, what) = (source.range.clone(), Wrong::Nothing(path.to_owned()));
        faults.push(Fault { manifest: entry.marketplace, range, what, costs: Costs::Entry });
    }
}

/// Checks the keys that decide whether a package loads.
fn own_keys(number: usize, json: &Json, rule: &Rule, faults: &mut Vec<Fault>) {
    let mut fault = |range, what, costs| faults.push(Fault { manifest: number, range, what, costs });
    for key in &rule.required {
        match json.get(key) {
            None => fault(0..0, Wrong::Missing(key.clone()), Costs::Package),
            Some(value) if value.text().is_none() => {
                fault(value.range.clone(), Wrong::Type(key.clone(), vec![Form::String]), Costs::Package);
            }
            Some(_) => {}
        }
    }
    name(number, json, rule.name.as_ref(), faults);
    types(number, json, &rule.types, faults);
}

/// The directories that keys name.
struct Named<'a, 'v, 'f> {
    search: &'a View<'v>,
    rule: &'static Rule,
    directory: &'a BStr,
    faults: &'f mut Vec<Fault>,
    places: Vec<Place>,
    has_key: bool,
}

impl Named<'_, '_, '_> {
    fn key(&mut self, number: usize, json: &Json, key: &str) {
        let Some(value) = json.at(key).filter(|value| value.value != Value::Null) else { return };
        if self.is_ignored(number, value) {
            return;
        }
        self.has_key = true;
        let is_typed = shape::is_one_of(value, &[Form::String, Form::Strings]);
        if self.rule.entry == formats::Entry::Inside && !is_typed {
            let what = Wrong::Type(key.to_owned(), vec![Form::String, Form::Strings]);
            self.faults.push(Fault { manifest: number, range: value.range.clone(), what, costs: Costs::Entry });
            return;
        }
        if self.rule.holds == Holds::File {
            for item in value.items() {
                if let Some(path) = item.get("path") {
                    manifest::written(path).for_each(|written| self.path(number, &written));
                }
            }
        } else {
            manifest::written(value).for_each(|written| self.path(number, &written));
        }
    }

    /// Adds the directories that the settings of a project name.
    fn settings(&mut self, number: usize) {
        let settings = &self.search.manifests.all[number];
        for (written, target) in settings.places() {
            let Some(target) = target else { continue };
            match self.search.manifests.resolve(target.as_bstr()) {
                Some(Resolution::Directory(_)) => self.target(number, &written, target),
                Some(Resolution::Dangling) => {
                    let start = settings.paths_start();
                    // Authors write paths from the top, too.
                    let top = manifest::below(BStr::new(""), &words::inside(written.text));
                    let top = top.filter(|top| self.search.index.has(top.as_bstr()));
                    let top = top.as_ref().map(|top| top.as_bstr());
                    let found = top.or_else(|| self.search.nearest(target.as_bstr()));
                    let meant = found.map(|found| from(start, found));
                    self.fault(number, &written, Wrong::NoPlace(written.text.to_owned(), start, meant));
                }
                _ => {}
            }
        }
    }

    /// Adds the list of an entry; returns whether it counts.
    fn list(&mut self, number: usize, value: &Json) -> bool {
        let counts = !self.is_ignored(number, value);
        if counts {
            manifest::written(value).for_each(|written| self.path(number, &written));
        }
        counts
    }

    /// Returns whether a value counts as absent: an empty list, or one of wrong paths, which the runtime ignores.
    fn is_ignored(&mut self, number: usize, value: &Json) -> bool {
        let is_empty = matches!(&value.value, Value::List(items) if items.is_empty());
        if is_empty && !self.rule.empty_list {
            return true;
        }
        if self.rule.entry != formats::Entry::Relative {
            return false;
        }
        let is_typed = shape::is_one_of(value, &[Form::String, Form::Strings]);
        if is_typed && manifest::written(value).any(|written| wrong_below(written.text).is_none()) {
            return false;
        }
        // Without the key, the same directories are searched.
        let is_default = |path: &str| {
            let path = path.trim_matches('/');
            self.rule.default.iter().any(|default| default == path)
        };
        if is_typed && manifest::written(value).all(|written| is_default(written.text)) {
            return true;
        }
        match is_typed {
            true => manifest::written(value).for_each(|written| self.path(number, &written)),
            false => {
                let what = Wrong::Type("skills".to_owned(), vec![Form::String, Form::Strings]);
                self.faults.push(Fault { manifest: number, range: value.range.clone(), what, costs: Costs::Entry });
            }
        }
        true
    }

    fn path(&mut self, number: usize, written: &Written<'_>) {
        let path = written.text;
        let is_relative = path.starts_with("./") || path == ".";
        let needs_relative = matches!(self.rule.entry, formats::Entry::Relative | formats::Entry::RelativeOnly);
        if self.rule.entry == formats::Entry::Relative {
            match wrong_below(path) {
                Some(Wrong::Outside(..)) => return self.fault(number, written, self.outside(path)),
                Some(what) => return self.fault(number, written, what),
                None => {}
            }
        }
        let leaves = path.starts_with('/') || path.starts_with("..");
        if needs_relative && !is_relative && !leaves {
            return self.fault(number, written, Wrong::NotRelative(path.to_owned()));
        }
        let Some(target) = manifest::below(self.directory, path) else {
            return self.fault(number, written, self.outside(path));
        };
        self.target(number, written, target);
    }

    /// Returns that a path leaves the package; with the path inside, if there is one.
    fn outside(&self, path: &str) -> Wrong {
        let inside = words::inside(path);
        let target = manifest::below(self.directory, &inside).filter(|target| target.as_bstr() != self.directory);
        Wrong::Outside(
            path.to_owned(),
            target.filter(|target| self.search.exists(target.as_bstr())).map(|_| format!("./{inside}")),
        )
    }

    /// Adds what a path leads to.
    fn target(&mut self, number: usize, written: &Written<'_>, target: BString) {
        let path = written.text;
        let manifests = self.search.manifests;
        if self.rule.holds == Holds::File {
            let directory = text::parent(target.as_bstr()).to_owned();
            if text::file_name(target.as_bstr()) == "SKILL.md" {
                return self.places.push(Place { directory, is_skill: true, lost: None });
            }
            let is_skill = manifests.is_file(manifest::join(target.as_bstr(), "SKILL.md").as_bstr());
            let meant = is_skill.then(|| format!("{}/SKILL.md", path.trim_end_matches('/')));
            return self.fault(number, written, Wrong::NotASkill(path.to_owned(), meant));
        }
        match manifests.resolve(target.as_bstr()) {
            Some(Resolution::Directory(_)) => {
                let is_skill = manifests.is_file(manifest::join(target.as_bstr(), "SKILL.md").as_bstr());
                if self.rule.holds == Holds::Skill && !is_skill {
                    return self.fault(number, written, Wrong::NotASkill(path.to_owned(), None));
                }
                if !is_skill && self.search.is_empty(target.as_bstr()) {
                    self.fault(number, written, Wrong::Empty(path.to_owned()));
                }
                self.places.push(Place { directory: target, is_skill, lost: None });
            }
            Some(Resolution::File(_)) => {
                if text::file_name(target.as_bstr()) == "SKILL.md" {
                    let directory = text::parent(target.as_bstr()).to_owned();
                    self.places.push(Place { directory, is_skill: true, lost: Some(Lost::File) });
                }
                self.fault(number, written, Wrong::File(path.to_owned()));
            }
            Some(_) => {
                // Authors write paths from the directory of the manifest, too.
                let manifest = &manifests.all[number];
                let around = manifest::join(manifest.base.as_bstr(), &manifest.name);
                let around = manifest::below(text::parent(around.as_bstr()), path);
                let around = around.filter(|around| self.search.index.has(around.as_bstr()));
                let nearest =
                    around.as_ref().map(|around| around.as_bstr()).or_else(|| self.search.nearest(target.as_bstr()));
                let meant = nearest.and_then(|found| {
                    let inside = roots::relative(found, self.directory)?;
                    Some(format!("./{inside}"))
                });
                self.fault(number, written, Wrong::Gone(path.to_owned(), meant));
            }
            None => {}
        }
    }

    /// Reports files of other components that do not exist.
    fn files(&mut self, number: usize, json: &Json) {
        let of_key = |key: &&str| {
            let value = json.get(key)?;
            self.rule.types.get(*key).is_some_and(|forms| shape::is_one_of(value, forms)).then_some(value)
        };
        let values: Vec<(&str, &Json)> = FILE_KEYS.iter().filter_map(|key| Some((*key, of_key(key)?))).collect();
        for (key, value) in values {
            for written in manifest::named_paths(value).filter(|written| written.text.starts_with("./")) {
                let target = manifest::below(self.directory, written.text);
                if target.is_some_and(|target| {
                    self.search.manifests.resolve(target.as_bstr()) == Some(&Resolution::Dangling)
                }) {
                    let meant = self.part(key).map(|name| format!("./{name}"));
                    self.fault(number, &written, Wrong::Gone(written.text.to_owned(), meant));
                }
            }
        }
    }

    /// Returns the usual file of a component, if the package has it.
    fn part(&self, key: &str) -> Option<&'static str> {
        let &(key, part) = Part::KEYS.iter().find(|(known, _)| *known == key)?;
        let name = match part {
            Part::Hooks => roots::HOOKS,
            Part::Servers => roots::SERVERS,
        };
        self.search.parts(self.directory, (key, part), None).first().map(|_| name)
    }

    fn fault(&mut self, manifest: usize, written: &Written<'_>, what: Wrong) {
        let costs = match (&what, self.rule.entry) {
            // Its form is right, so that only the path is lost.
            (Wrong::Outside(path, _), formats::Entry::RelativeOnly) if path.starts_with("./") => Costs::Entry,
            (Wrong::NotRelative(_) | Wrong::Outside(..), formats::Entry::RelativeOnly) => Costs::Package,
            (Wrong::Outside(..), formats::Entry::Inside) => Costs::Package,
            _ => Costs::Entry,
        };
        self.faults.push(Fault { manifest, range: written.range.clone(), what, costs });
    }
}

/// Returns a path from a directory, which is at most one below the top.
fn from(start: &str, path: &BStr) -> String {
    match (start, roots::relative(path, start.into())) {
        ("", _) => format!("./{path}"),
        (_, Some(inside)) => format!("./{inside}"),
        (_, None) => format!("../{path}"),
    }
}

/// Returns what is wrong with a path that has to lead below the package without `..`.
fn wrong_below(path: &str) -> Option<Wrong> {
    if path.starts_with('/') || path.split('/').any(|name| name == "..") {
        return Some(Wrong::Outside(path.to_owned(), None));
    }
    let Some(inside) = path.strip_prefix("./") else { return Some(Wrong::NotRelative(path.to_owned())) };
    if inside.starts_with('/') || inside.split('/').any(|name| name == "..") {
        return Some(Wrong::Outside(path.to_owned(), None));
    }
    inside.split('/').all(|name| matches!(name, "" | ".")).then(|| Wrong::Top(path.to_owned()))
}
