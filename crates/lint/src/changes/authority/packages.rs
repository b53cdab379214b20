//! Servers and hooks that a plugin manifest, or a file next to it, starts, with the scripts that they run.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};
use serde_json::Value;

use super::known::Known;
use super::places::{Owner, Places};
use super::sessions::Session;
use super::starts::{Reader, Start, parts};
use super::texts::{Found, Large, Text, json, strings};
use super::{acts, texts};
use crate::changes::Read;
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_skills::manifest::{self, Manifest, Part};
use skilltree_skills::roots::{self, CLAUDE_PLUGIN};
use skilltree_skills::skill::{Gain, Power, ScriptChange};
use skilltree_skills::snapshot::Mode;
use skilltree_skills::source::{Error, Source};

/// What a package starts, and where it comes from.
#[derive(Default)]
pub(super) struct Package {
    pub(super) directory: BString,
    pub(super) starts: Vec<Start>,
    /// The source of an entry that is another repository.
    pub(super) source: Option<String>,
    /// Its commands, agents and programs.
    pub(super) places: Places,
    /// Its files that are too large to be read, by path from its directory, each with its path.
    large: BTreeMap<BString, (BString, Large)>,
}

impl Package {
    /// Reads the definitions of a file.
    fn read(&mut self, source: &Source, file: BString, read: Reader) -> Result<(), Error> {
        let found = texts::found(source, file.as_bstr())?;
        let first = self.starts.len();
        found.json().iter().for_each(|value| read(value, &mut self.starts));
        self.starts[first..].iter_mut().for_each(|start| start.file = Some(file.clone()));
        if let Found::Large(large) = found {
            self.large.insert(self.inside(&file), (file, large));
        }
        Ok(())
    }

    /// Returns the path of a file from its directory.
    fn inside(&self, file: &BString) -> BString {
        roots::relative(file.as_bstr(), self.directory.as_bstr()).unwrap_or(file.as_bstr()).to_owned()
    }

    /// Returns whether the counterpart of the file that starts something is too large, so that the two are not compared.
    fn is_not_compared(&self, start: &Start, other: &Self) -> bool {
        start.file.as_ref().is_some_and(|file| other.large.contains_key(&self.inside(file)))
    }

    /// Returns the files that are too large in it or in its counterpart, and that differ.
    fn unread(&self, old: &Self) -> Vec<Granted> {
        let names: BTreeSet<&BString> = self.large.keys().chain(old.large.keys()).collect();
        let unread = names.into_iter().filter_map(|name| {
            let (own, known) = (self.large.get(name), old.large.get(name));
            let is_same = own.zip(known).is_some_and(|((_, own), (_, known))| !own.differs(known));
            let (path, large) = own.or(known).filter(|_| !is_same)?;
            Some((own.map(|(path, _)| path.clone()), large.unread(path.as_bstr())))
        });
        unread.collect()
    }
}

/// Returns what the packages newly start, and those of Claude Code by directory, which have commands and agents.
pub(super) fn gains(head: Read<'_>, base: Read<'_>) -> Result<(Vec<Gain>, BTreeMap<BString, Owner>), Error> {
    let before = Before::new(head, base);
    let read = head.1.parsed.manifests.all.iter().filter(|manifest| manifest.part.is_some());
    let files: HashMap<BString, FileId> = read.map(|part| (head.1.file(part.file).path.clone(), part.file)).collect();
    let mut gains = Vec::new();
    // Several manifests of one package, one per runtime, name the same files.
    let mut known: BTreeSet<(BString, String)> = BTreeSet::new();
    let mut owners: BTreeMap<BString, Owner> = BTreeMap::new();
    for manifest in manifests(head) {
        let path = &head.1.file(manifest.file).path;
        let parts = parts(&manifest.name);
        let own = packages(head.0, path.as_bstr(), manifest.base.as_bstr(), &parts)?;
        let other = match before.of(head, manifest) {
            Some((path, directory)) => Some(packages(base.0, path.as_bstr(), directory.as_bstr(), &parts)?),
            None => None,
        };
        let is_one = own.len() == 1 && other.as_ref().is_some_and(|other| other.len() == 1);
        for (name, package) in own {
            // A plugin with another name in its only manifest is the same one.
            let old =
                other.as_ref().and_then(|other| other.get(&name).or_else(|| other.values().next().filter(|_| is_one)));
            let mut found = powers(head.0, &package, base.0, old)?;
            if package.source.is_none() && has_definitions(&manifest.name) {
                let old = old.map(|old| old.places.clone()).unwrap_or_default();
                let owner = || Owner { name: name.clone(), own: Places::default(), old: Places::default() };
                let owner = owners.entry(package.directory.clone()).or_insert_with(owner);
                owner.own.extend(&package.places);
                owner.old.extend(&old);
            }
            // A new entry of a marketplace that the base has.
            if let (None, Some(_), Some(from)) = (old, &other, &package.source) {
                found.push((None, Power::Source(from.clone())));
            }
            for (file, power) in found {
                if known.insert((manifest.base.clone(), format!("{name} {power}"))) {
                    let file = file.and_then(|file| files.get(&file).copied());
                    gains.push(gain(manifest, path.as_bstr(), &name, file, power));
                }
            }
        }
    }
    Ok((gains, owners))
}

/// Returns what settings for a session start differently, and the scripts that do something else.
pub(super) fn of_session(
    session: &Session,
    (head, own): (Read<'_>, Vec<Start>),
    (base, old): (Read<'_>, Vec<Start>),
) -> Result<Vec<Power>, Error> {
    let package = |starts: Vec<Start>| {
        let starts = starts.into_iter().map(Start::in_project).collect();
        Package { directory: session.directory.clone(), starts, ..Package::default() }
    };
    let found = powers(head.0, &package(own), base.0, Some(&package(old)))?;
    Ok(found.into_iter().map(|(_, power)| power).collect())
}

/// Returns whether a directory is that of a plugin with a manifest.
pub(super) fn is_plugin(read: Read<'_>, directory: &BString) -> bool {
    manifests(read).any(|manifest| manifest.base == *directory && manifest.name.ends_with("plugin.json"))
}

/// The directory of the manifests of Claude Code.
const OF_CLAUDE: &str = ".claude-plugin/";

/// Returns the manifests of packages and marketplaces.
fn manifests<'a>(read: Read<'a>) -> impl Iterator<Item = &'a Manifest> {
    let all = read.1.parsed.manifests.all.iter();
    all.filter(|manifest| is_manifest(&manifest.name))
}

/// Returns whether a file is the manifest of a package or of a marketplace, not a part of one.
pub(super) fn is_manifest(name: &str) -> bool {
    Part::of(name).is_none() && !roots::is_claude_settings(name) && !roots::is_settings(name)
}

/// Returns whether the runtime of a manifest reads commands and agents of a plugin.
pub(super) fn has_definitions(manifest: &str) -> bool {
    manifest.starts_with(OF_CLAUDE)
}

/// The manifests of the base.
struct Before {
    /// The directory of each manifest.
    directories: BTreeMap<BString, BString>,
    /// Manifests that are not at their path any more, by their object.
    moved: HashMap<Vec<u8>, BString>,
}

impl Before {
    fn new(head: Read<'_>, base: Read<'_>) -> Self {
        let path = |read: Read<'_>, manifest: &Manifest| read.1.file(manifest.file).path.clone();
        let kept: BTreeSet<BString> = manifests(head).map(|manifest| path(head, manifest)).collect();
        let mut moved = HashMap::new();
        for manifest in manifests(base).filter(|manifest| !kept.contains(&path(base, manifest))) {
            if let Some(id) = &base.1.file(manifest.file).id {
                moved.insert(id.as_bytes().to_vec(), path(base, manifest));
            }
        }
        let directories = manifests(base).map(|manifest| (path(base, manifest), manifest.base.clone())).collect();
        Self { directories, moved }
    }

    /// Returns the path and the directory that a manifest has in the base.
    fn of(&self, head: Read<'_>, manifest: &Manifest) -> Option<(&BString, &BString)> {
        let file = head.1.file(manifest.file);
        self.directories.get_key_value(&file.path).or_else(|| {
            let old = self.moved.get(file.id.as_ref()?.as_bytes())?;
            self.directories.get_key_value(old)
        })
    }
}

/// What is granted, and the file that grants it, if it is not the manifest.
type Granted = (Option<BString>, Power);

/// Returns what a package newly grants.
pub(super) fn powers(
    source: &Source,
    own: &Package,
    base: &Source,
    old: Option<&Package>,
) -> Result<Vec<Granted>, Error> {
    let mut powers = Vec::new();
    let before = old.map(|old| old.starts.as_slice()).unwrap_or_default();
    let known = Known::new(before.iter());
    for start in own.starts.iter().filter(|start| old.is_none_or(|old| !own.is_not_compared(start, old))) {
        if !known.has(start) {
            powers.push((start.file.clone(), start.power.clone()));
        } else if let (Some(script), Some(old)) = (&start.script, old) {
            let change = script_change((source, &own.directory), (base, &old.directory), start, script)?;
            powers.extend(change.map(|power| (start.file.clone(), power)));
        }
    }
    powers.extend(own.unread(old.unwrap_or(&Package::default())));
    let compared = before.iter().filter(|start| old.is_none_or(|old| !old.is_not_compared(start, own)));
    powers.extend(lost_guards(compared, &own.starts).map(|power| (None, power)));
    if let (Some(from), Some(old)) = (&own.source, old)
        && old.source.as_ref() != Some(from)
    {
        powers.push((None, Power::Source(from.clone())));
    }
    Ok(powers)
}

/// Returns the hooks that refuse a tool and are gone.
fn lost_guards<'a>(before: impl Iterator<Item = &'a Start>, own: &'a [Start]) -> impl Iterator<Item = Power> {
    let own = Known::new(own.iter());
    let gone = before.filter(move |start| start.is_guard && !own.guards_like(start));
    gone.filter_map(Start::unguarded)
}

/// A directory of a source.
type In<'a> = (&'a Source, &'a BString);

/// Returns how the script of a hook or a server differs from the base. A guard whose script cannot start guards nothing.
fn script_change(own: In<'_>, old: In<'_>, start: &Start, script: &str) -> Result<Option<Power>, Error> {
    let read = |(source, directory): In<'_>| match manifest::below(directory.as_bstr(), script) {
        Some(path) => texts::found(source, path.as_bstr()),
        None => Ok(Found::Nothing),
    };
    let link = |(source, directory): In<'_>| -> Result<Option<String>, Error> {
        let Some(path) = manifest::below(directory.as_bstr(), script) else { return Ok(None) };
        source.file(path.as_bstr())?.map_or(Ok(None), |file| texts::target_of(source, &file))
    };
    let (after, before) = (read(own)?, read(old)?);
    let path = script.to_owned();
    if let (Found::Text(_) | Found::Large(_), Found::Text(_) | Found::Large(_)) = (&after, &before)
        && texts::unread(&after, &before).is_some()
    {
        return Ok(Some(Power::Script { path, change: ScriptChange::Changed, acts: Vec::new() }));
    }
    let Some((before, mode)) = before.text() else { return Ok(None) };
    let after = after.text();
    let is_direct = start.words().split_ascii_whitespace().next().is_some_and(|word| word.contains(script));
    let cannot_start = |now: &Text| is_direct && mode == Mode::Executable && now.1 != Mode::Executable;
    let Some((after, _)) = after.filter(|now| !cannot_start(now)) else {
        return Ok(start.unguarded().filter(|_| start.is_guard));
    };
    let Some(acts) = acts::newly(script.as_bytes(), &after, &before) else { return Ok(None) };
    let target = link(own)?;
    Ok(Some(match target.filter(|target| link(old).ok().flatten().as_ref() != Some(target)) {
        Some(target) => Power::Link { path, target, acts },
        None => Power::Script { path, change: ScriptChange::Changed, acts },
    }))
}

fn gain(manifest: &Manifest, path: &BStr, name: &str, file: Option<FileId>, power: Power) -> Gain {
    let name = match text::shortened(name, 64).into_owned() {
        name if name.is_empty() => text::lossless(path),
        name => name,
    };
    Gain {
        skill: None,
        noun: "plugin",
        name,
        path: path.to_owned(),
        place: Place::whole(file.unwrap_or(manifest.file)),
        power,
    }
}

/// Returns what the packages of a manifest start, by name: of the package, or of each entry of a marketplace.
pub(super) fn packages(
    source: &Source,
    path: &BStr,
    directory: &BStr,
    parts: &[((&'static str, &'static str), Reader)],
) -> Result<BTreeMap<String, Package>, Error> {
    let mut found = BTreeMap::new();
    let Some(top) = json(source, path)? else { return Ok(found) };
    let named = |value: &Value| value.get("name").and_then(Value::as_str).map(str::to_owned);
    for entry in top.get("plugins").and_then(Value::as_array).into_iter().flatten() {
        let mut package = Package::default();
        for &((key, _), read) in parts {
            inline(entry.get(key), read, &mut package.starts);
        }
        let place = entry.get("source").and_then(Value::as_str).and_then(|path| manifest::below(directory, path));
        package.source = entry.get("source").filter(|_| place.is_none()).map(from);
        package.directory = place.clone().unwrap_or_default();
        package.places = place.as_ref().map(|place| Places::of_plugin(place.as_bstr(), entry)).unwrap_or_default();
        // A plugin with a manifest of its own is read there.
        if let Some(place) = place
            && json(source, manifest::join(place.as_bstr(), CLAUDE_PLUGIN).as_bstr())?.is_none()
        {
            for &((_, file), read) in parts {
                let file = manifest::join(place.as_bstr(), file);
                package.read(source, file, read)?;
            }
        }
        found.insert(named(entry).unwrap_or_default(), package);
    }
    if !path.ends_with(b"marketplace.json") {
        let places = Places::of_plugin(directory, &top);
        let mut package = Package { directory: directory.to_owned(), places, ..Package::default() };
        for &((key, file), read) in parts {
            inline(top.get(key), read, &mut package.starts);
            let named = top.get(key).into_iter().flat_map(strings).chain([file]);
            let files: BTreeSet<BString> = named.filter_map(|name| manifest::below(directory, name)).collect();
            for file in files {
                package.read(source, file, read)?;
            }
        }
        let name = named(&top).unwrap_or_else(|| text::lossless(text::file_name(directory)));
        found.insert(name, package);
    }
    Ok(found)
}

/// Describes the source of an entry that is another repository: `github:owner/name`.
pub(super) fn from(source: &Value) -> String {
    let part = |key: &str| source.get(key).and_then(Value::as_str).unwrap_or_default();
    match source.as_str() {
        Some(address) => address.to_owned(),
        None => {
            let place =
                ["repo", "url", "package", "command", "path"].iter().map(|key| part(key)).find(|text| !text.is_empty());
            let pin = [part("sha"), part("ref")].into_iter().find(|text| !text.is_empty());
            let pin = pin.map(|pin| format!("#{pin}")).unwrap_or_default();
            format!("{}:{}{pin}", part("source"), place.unwrap_or_default())
        }
    }
}

/// Reads a definition that is written in the manifest itself.
fn inline(value: Option<&Value>, read: Reader, starts: &mut Vec<Start>) {
    value.filter(|value| !value.is_string()).iter().for_each(|value| read(value, starts));
}
