//! skilltree.toml, key by key.

use std::collections::BTreeSet;
use std::ops::Range;

use super::faults::{Faults, word_help};
use super::roots::RequestedRoot;
use super::table::{self, At, Table};
use super::{Config, SETTINGS, Versions, keys, paths, profiles};
use crate::rule::{EDITIONS, Edition};
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::limits;
use skilltree_skills::queries::List;
use skilltree_skills::roots::Exclude;
use skilltree_skills::skill::VersionField;

/// The key of the policy that a file extends.
pub(super) const EXTENDS: &str = "extends";

/// Settings about roots. All other settings go directly into the configuration.
#[derive(Debug)]
pub(super) struct Settings {
    /// Whether the default roots are read.
    pub(super) default_roots: bool,
    /// `[[root]]`, in file order, and the roots of `mirrors` and `[[deploy]]`.
    pub(super) roots: Vec<RequestedRoot>,
    /// Whether there is a `[[root]]`.
    pub(super) names_roots: bool,
    /// Paths that are not searched for skills.
    pub(super) exclude: Exclude,
    /// `[[listing]]`, in file order.
    pub(super) lists: Vec<List>,
    /// `limits.prompt-skills` with its byte range.
    pub(super) cap: Option<(Range<usize>, u64)>,
    /// The keys that are written.
    pub(super) written: BTreeSet<String>,
}

impl Settings {
    /// Returns whether a key is written.
    pub(super) fn has(&self, key: &str) -> bool {
        self.written.contains(key)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            default_roots: true,
            roots: Vec::new(),
            names_roots: false,
            exclude: Exclude::default(),
            lists: Vec::new(),
            cap: None,
            written: BTreeSet::new(),
        }
    }
}

pub(super) fn read_edition(word: &At<&str>, faults: &mut Faults) -> Option<Edition> {
    let edition = EDITIONS.iter().find(|edition| edition.0 == word.value).copied();
    if edition.is_none() {
        let newest = EDITIONS.last().map_or("", |edition| edition.0);
        let is_newer = word.value.len() == newest.len() && word.value.parse::<u32>().is_ok() && word.value > newest;
        let help = match is_newer {
            true => format!("update skilltree; this version knows the editions up to `{newest}`"),
            false => word_help(word.value, EDITIONS.iter().map(|edition| edition.0)),
        };
        faults.invalid(word.range.clone(), format!("there is no edition `{}`", word.value), help);
    }
    edition
}

pub(super) fn read_targets(file: &Table<'_>, profiles: &Profiles, faults: &mut Faults) -> Vec<String> {
    let Some(targets) = file.strings("targets", faults) else { return Vec::new() };
    let mut known: Vec<String> = Vec::new();
    for target in targets.value {
        if is_profile(&target, profiles, faults) && !known.iter().any(|other| other == target.value) {
            known.push(target.value.to_owned());
        }
    }
    known
}

pub(super) fn read_extends(file: &Table<'_>, faults: &mut Faults) -> Option<String> {
    let path = file.string(EXTENDS, faults)?;
    if faults.in_policy {
        faults.invalid(
            path.range,
            "a policy cannot extend another file",
            "copy the settings of that file into this one",
        );
        return None;
    }
    match paths::file(path.value) {
        Ok(file) if file == SETTINGS => {
            faults.invalid(path.range, "the file extends itself", "name another file, or remove the line");
            None
        }
        Ok(file) => Some(file),
        Err(bad) => {
            // A configuration without its policy would be looser than its author wants.
            faults.fatal(path.range, bad.message, &bad.help);
            None
        }
    }
}

pub(super) fn read_template(table: &Table<'_>, faults: &mut Faults) -> Option<String> {
    table.only(&keys::names(keys::PROMPT), faults);
    let path = table.string("template", faults)?;
    paths::file(path.value).map_err(|bad| faults.invalid(path.range, bad.message, bad.help)).ok()
}

/// Reads the limits, and returns the place of the prompt cap.
pub(super) fn read_limits(table: &Table<'_>, config: &mut Config, faults: &mut Faults) -> Option<(Range<usize>, u64)> {
    let mut cap = None;
    let names: Vec<&'static str> = limits::TABLE.iter().map(|&(name, ..)| name).collect();
    table.only(&names, faults);
    for (name, value) in table.iter().filter(|(name, _)| names.contains(&name.value)) {
        let Some(number) = table::integer(name.value, value, faults) else { continue };
        match number.value {
            Some(limit) if limit > 0 => {
                config.limits.set(name.value, limit);
                config.set_limits.extend(names.iter().filter(|known| **known == name.value));
                if name.value == "prompt-skills" {
                    cap = Some((number.range, limit));
                }
            }
            _ => {
                let message = format!("`{}` is not a positive number", name.value);
                faults.invalid(number.range, message, "write 1 or more, or remove the line to keep the default");
            }
        }
    }
    cap
}

pub(super) fn read_roots(file: &Table<'_>, profiles: &Profiles, faults: &mut Faults) -> Vec<RequestedRoot> {
    let mut roots: Vec<RequestedRoot> = Vec::new();
    let mut seen = BTreeSet::new();
    for table in file.tables("root", "`[[root]]`", faults) {
        table.only(&keys::names(keys::ROOT), faults);
        let path = table.required("path", faults);
        let profile = table.string("profile", faults).filter(|profile| is_profile(profile, profiles, faults));
        let Some(path) = path.filter(|path| faults.counts(&path.range)) else { continue };
        match paths::root(path.value) {
            Ok(glob) if !seen.insert(glob.clone()) => {
                let message = format!("the root `{}` is listed twice", path.value);
                faults.invalid(path.range, message, "remove one of the two");
            }
            Ok(glob) => {
                let profile = profile.map(|profile| profile.value.to_owned());
                roots.push(RequestedRoot { glob, profile });
            }
            Err(bad) => faults.invalid(path.range, bad.message, bad.help),
        }
    }
    roots
}

pub(super) fn read_versions(table: &Table<'_>, faults: &mut Faults) -> Versions {
    table.only(&keys::names(keys::VERSIONS), faults);
    let mut versions = Versions { ignored: read_exclude(table, "ignored-files", faults), ..Versions::default() };
    let Some(words) = table.strings("fields", faults) else { return versions };
    if words.value.is_empty() {
        faults.invalid(words.range, "`fields` lists no version", "add one, or remove the line");
        return versions;
    }
    versions.fields.clear();
    for word in words.value {
        match VersionField::NAMES.iter().find(|(name, _)| *name == word.value) {
            Some((_, field)) => versions.fields.push(*field),
            None => {
                let help = word_help(word.value, VersionField::NAMES.iter().map(|(name, _)| *name));
                faults.invalid(word.range, format!("unknown version field `{}`", word.value), help);
            }
        }
    }
    versions
}

pub(super) fn read_exclude(file: &Table<'_>, key: &str, faults: &mut Faults) -> Exclude {
    let Some(patterns) = file.strings(key, faults) else { return Exclude::default() };
    let range = patterns.range.clone();
    let (words, globs) = paths::list(patterns.value, faults);
    match paths::set(globs) {
        Ok(set) => Exclude::new(words, set),
        Err(bad) => {
            faults.invalid(range, bad.message, bad.help);
            Exclude::default()
        }
    }
}

fn is_profile(word: &At<&str>, known: &Profiles, faults: &mut Faults) -> bool {
    let is_known = known.contains(word.value);
    if !is_known {
        let help = profiles::help(known, word.value);
        faults.invalid(word.range.clone(), format!("there is no profile `{}`", word.value), help);
    }
    is_known
}
