//! Reading of the commands of a project and of its plugins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::read::{each, spot};
use super::store::{Content, Spot};
use super::touched::ancestors;
use super::{CONFIG_BYTES, Error, Source, agents};
use crate::agents::{COMMANDS, excess};
use crate::manifest::{self, Manifests, json::Json};
use crate::roots::Root;
use crate::skill::{self, CommandFile, Skill};
use crate::snapshot::{Body, File, Role};
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text::{self, FileId};

/// Maximum entries of the directories of commands, and of the directories below them (ours: 100,000).
const ENTRIES: usize = 100_000;

/// Maximum bytes of all commands (ours: 64 MiB, a second to read).
const BYTES: usize = 64 << 20;

/// The fields that name tools.
const TOOL_FIELDS: [&str; 2] = ["allowed-tools", "disallowed-tools"];

/// The file of a command, and the directory of the plugin that has it.
type Command = (Spot, Option<BString>);

/// Reads the commands, and appends their files. Keeps those in which a rule may find something. Links are not followed.
pub(super) fn read(
    source: &Source,
    manifests: &Manifests,
    files: &mut Vec<File>,
    bounds: Bounds,
    memory: &MemoryLimit,
) -> Result<Vec<CommandFile>, Error> {
    if source.is_root() {
        return Ok(Vec::new());
    }
    let found = find(&mut Finder::new(&*source.store), manifests)?;
    let first = files.len();
    files.extend(
        found
            .iter()
            .map(|(spot, _)| File { id: spot.id, ..File::new(spot.path.clone(), Role::Config, None, Body::NotRead) }),
    );
    let numbered: Vec<(usize, &File)> = files.iter().enumerate().skip(first).collect();
    let total = AtomicUsize::new(0);
    let mut read = each(
        &*source.store,
        &numbered,
        |(_, file)| Some(spot(file)),
        |reader, &(number, file)| {
            memory.check()?;
            let mut file = file.clone();
            match reader.content(&spot(&file), CONFIG_BYTES)? {
                Content::TooLarge { bytes } => file.body = Body::TooLarge { bytes },
                Content::Bytes { bytes, id } => {
                    if total.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len() > BYTES {
                        return Err(Error::TooLongCommands { limit: BYTES });
                    }
                    (file.id, file.body) = (Some(id), Body::Text(bytes));
                }
            }
            let starts_skill = starts_skill(&file);
            let skill = skill::parse(FileId(number as u32), &file, &Root::default(), None, bounds);
            if let Body::Text(_) = file.body {
                file.body = Body::NotRead;
            }
            let is_kept = starts_skill || may_report(&skill) || file.body != Body::NotRead;
            let skill = is_kept.then_some(skill);
            memory.add(skill.as_ref().map_or(0, Skill::kept_bytes))?;
            Ok((number, file, skill, starts_skill))
        },
    )?;
    read.sort_by_key(|(number, ..)| *number);
    let mut commands = Vec::new();
    for (number, file, skill, starts_skill) in read {
        files[number] = file;
        let plugin = found[number - first].1.clone();
        commands.extend(skill.map(|skill| CommandFile { skill, plugin, starts_skill }));
    }
    Ok(commands)
}

/// Returns whether the text of a command names the SKILL.md of a skill.
fn starts_skill(file: &File) -> bool {
    matches!(&file.body, Body::Text(text) if text.contains_str("/SKILL.md"))
}

/// Returns whether a rule may find something in a command, or an ignore comment is in it.
fn may_report(skill: &Skill) -> bool {
    let acts = skill.body.as_ref().is_some_and(|body| {
        body.commands.count > 0 || body.replaced.count > 0 || body.numbered.is_some() || !body.placeholders.is_empty()
    });
    acts || !skill.ignores.is_empty()
        || excess(&skill.faults).is_some()
        || TOOL_FIELDS.iter().any(|key| skill.field(key).is_some())
}

/// Returns the files of the commands, by path, each with the directory of its plugin.
fn find(finder: &mut Finder<'_>, manifests: &Manifests) -> Result<Vec<Command>, Error> {
    let mut plugins: BTreeMap<BString, BTreeSet<BString>> = BTreeMap::new();
    let mut add = |directory: &BStr, keys: &Json| {
        let named = keys.get(manifest::COMMANDS).into_iter().flat_map(manifest::named_paths);
        let named = named.filter_map(|path| manifest::below(directory, path.text));
        plugins.entry(directory.to_owned()).or_default().extend(named);
    };
    for manifest in manifests.all.iter().filter(|manifest| manifest.name.starts_with(manifest::CLAUDE_MANIFESTS)) {
        manifest.each_package(&mut add);
    }
    let mut places: BTreeMap<BString, Option<BString>> = BTreeMap::new();
    for (directory, mut named) in plugins {
        // The key replaces the usual directory.
        if named.is_empty() {
            named.insert(manifest::join(directory.as_bstr(), manifest::COMMANDS));
        }
        places.extend(named.into_iter().map(|place| (place, Some(directory.clone()))));
    }
    places.insert(COMMANDS.into(), None);
    let mut found = Vec::new();
    for (place, plugin) in places.iter().filter(|(place, _)| place.ends_with(b".md")) {
        let file = finder.at(place.as_bstr())?.filter(|(_, entry)| agents::is_page(entry));
        found.extend(file.map(|(spot, _)| (spot, plugin.clone())));
    }
    let inside = agents::pages(finder, places.keys().map(|place| place.as_bstr()), ENTRIES)?;
    found.extend(inside.into_iter().map(|(spot, _)| {
        let around = ancestors(spot.path.as_bstr()).skip(1).chain([BStr::new("")]);
        let plugin = around.into_iter().find_map(|directory| places.get(directory));
        let plugin = plugin.cloned().flatten();
        (spot, plugin)
    }));
    found.retain(|(spot, _)| text::file_name(spot.path.as_bstr()) != "SKILL.md");
    found.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    found.dedup_by(|(a, _), (b, _)| a.path == b.path);
    Ok(found)
}
