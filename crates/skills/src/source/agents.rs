//! Reading of the definitions of agents.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::store::{self, Content, Entry, Kind, Spot};
use super::{CONFIG_BYTES, Error, Source};
use crate::agents::{AGENTS, Agent, Agents, CODEX_CONFIG, COMMANDS, OTHERS, Owner, TOML_COMMANDS, Twins};
use crate::manifest::{self, Manifests};
use crate::roots::{self, Root};
use crate::skill::{self, Definition};
use crate::snapshot::{Body, File, Mode, Resolution, Role, State};
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text::FileId;

/// The directory of the agents of a plugin.
const PLUGIN_AGENTS: &str = "agents";

/// The manifest of an extension with commands.
const GEMINI_EXTENSION: &str = "gemini-extension.json";

/// Maximum entries of a directory of definitions, and of the directories below it (ours: 10,000).
const ENTRIES: usize = 10_000;

/// Maximum entries below directories that are listed for a comparison (ours: 100,000).
const LISTED: usize = 100_000;

/// The directories of the program that follows links to definitions.
const FOLLOWED: &[u8] = b".opencode/";

/// Maximum bytes of all definitions of agents (ours: 16 MiB, a second to read).
const BYTES: usize = 16 << 20;

/// Beginnings of what may be a placeholder in the text of an agent.
const PLACEHOLDERS: [&str; 3] = ["$ARGUMENTS", "$CLAUDE_", "${CLAUDE_"];

/// Reads the definitions of agents, and appends the files of those that name skills, that may have no effect, that have placeholders, or
/// that other programs read.
pub(super) fn read(
    source: &Source,
    manifests: &Manifests,
    files: &mut Vec<File>,
    bounds: Bounds,
    memory: &MemoryLimit,
) -> Result<(Agents, Vec<Definition>), Error> {
    let (mut agents, mut suspects) = (Agents::default(), Vec::new());
    let (mut known, mut twins) = (BTreeMap::<String, Spot>::new(), Vec::new());
    if source.is_root() {
        return Ok((agents, suspects));
    }
    let (mut finder, first) = (Finder::new(&*source.store), files.len());
    let mut bytes_left = BYTES;
    for (directory, ending, owner) in places(manifests) {
        let own = definitions(&mut finder, directory.as_bstr(), ending)?.into_iter();
        let own = own.map(|spot| (spot.path.clone(), spot));
        for (path, spot) in own.chain(linked(&mut finder, directory.as_bstr(), ending)?) {
            let through = (path != spot.path).then(|| spot.path.clone());
            let number = FileId(files.len() as u32);
            let (bytes, id) = match finder.content(&spot, CONFIG_BYTES)? {
                Content::Bytes { bytes, id } => (bytes, id),
                Content::TooLarge { bytes } if owner != Owner::Project => {
                    let body = Body::TooLarge { bytes };
                    let file = File { through, ..File::new(path, Role::Config, None, body) };
                    let skill = skill::parse(number, &file, &Root::default(), None, bounds);
                    suspects.push(Definition { skill, owner });
                    files.push(file);
                    continue;
                }
                Content::TooLarge { .. } => {
                    return Err(Error::TooLargeAgent { path: spot.path, limit: CONFIG_BYTES as usize });
                }
            };
            bytes_left = bytes_left.checked_sub(bytes.len()).ok_or(Error::TooLongAgents { limit: BYTES })?;
            let (agent, is_suspect) = match Agent::read(number, &bytes, bounds) {
                Ok((agent, is_suspect)) if owner == Owner::Project => (agent, is_suspect),
                Ok((_, is_suspect)) => {
                    (None, is_suspect || matches!(owner, Owner::Other(_) | Owner::Command | Owner::MarkdownCommand))
                }
                Err(_) if owner != Owner::Project => (None, true),
                Err(excess) => return Err(Error::ComplexAgent { path: spot.path, excess }),
            };
            let has_placeholder = || PLACEHOLDERS.iter().any(|start| bytes.contains_str(start));
            let is_suspect = is_suspect || matches!(owner, Owner::Project | Owner::Plugin) && has_placeholder();
            if let Some(agent) = &agent {
                let first = known.entry(agent.name.clone()).or_insert_with(|| spot.clone());
                if *first != spot {
                    twins.push((agent.name.clone(), [first.clone(), spot.clone()]));
                }
            }
            agents.names.extend(agent.iter().map(|agent| agent.name.clone()));
            memory.add(agent.as_ref().map_or(0, |agent| agent.name.len()))?;
            let agent = agent.filter(|agent| !agent.skills.is_empty());
            if agent.is_none() && !is_suspect {
                continue;
            }
            memory.add(agent.as_ref().map_or(0, Agent::kept_bytes) + bytes.len() + 2 * size_of::<File>())?;
            let file = File { id: Some(id), through, ..File::new(path, Role::Config, None, Body::Text(bytes)) };
            if is_suspect {
                let skill = skill::parse(number, &file, &Root::default(), None, bounds);
                // The list doubles when it is full.
                memory.add(skill.kept_bytes() + 2 * size_of::<Definition>())?;
                suspects.push(Definition { skill, owner });
            }
            files.push(file);
            agents.all.extend(agent);
        }
    }
    agents.twins = numbered(twins, files, first);
    if !agents.all.is_empty() {
        let names = definitions(&mut finder, BStr::new(COMMANDS), ".md")?.into_iter().filter_map(|spot| {
            let inside = roots::relative(spot.path.as_bstr(), BStr::new(COMMANDS))?;
            Some(inside.strip_suffix(b".md")?.to_str().ok()?.replace('/', ":"))
        });
        agents.commands = names.collect();
    }
    Ok((agents, suspects))
}

/// Returns the directories and files with definitions, each with the ending of their names; none for a file.
fn places(manifests: &Manifests) -> Vec<(BString, &'static str, Owner)> {
    let mut places = vec![(AGENTS.into(), ".md", Owner::Project)];
    places.extend(of_plugins(manifests).into_iter().map(|(path, owner)| {
        let ending = if path.ends_with(b".md") { "" } else { ".md" };
        (path, ending, owner)
    }));
    places.extend(OTHERS.map(|(path, ending)| (path.into(), ending, Owner::Other(path))));
    places.push((CODEX_CONFIG.into(), "", Owner::Other(CODEX_CONFIG)));
    let extensions = manifests.all.iter().filter(|manifest| *manifest.name == *GEMINI_EXTENSION);
    let commands = extensions.map(|manifest| manifest::join(manifest.base.as_bstr(), manifest::COMMANDS));
    let commands: BTreeSet<BString> = commands.chain([TOML_COMMANDS.into()]).collect();
    places.extend(commands.into_iter().map(|path| (path, ".toml", Owner::Command)));
    places.push((TOML_COMMANDS.into(), ".md", Owner::MarkdownCommand));
    places
}

/// Returns the directories and files with the agents of plugins: the key of a manifest replaces the usual directory.
fn of_plugins(manifests: &Manifests) -> BTreeMap<BString, Owner> {
    let mut places = BTreeMap::new();
    for manifest in manifests.all.iter().filter(|manifest| manifest.is_plugin()) {
        let owner = if manifest.name == roots::CLAUDE_PLUGIN { Owner::Plugin } else { Owner::OtherPlugin };
        let mut add = |path: BString| {
            let known = places.entry(path).or_insert(owner);
            if owner == Owner::Plugin {
                *known = owner;
            }
        };
        match manifest.replacing().find(|(key, ..)| *key == PLUGIN_AGENTS) {
            Some((_, value, _)) => {
                let paths = manifest::written(value).filter(|path| path.text.ends_with(".md"));
                paths.filter_map(|path| manifest::below(manifest.base.as_bstr(), path.text)).for_each(add);
            }
            None => add(manifest::join(manifest.base.as_bstr(), PLUGIN_AGENTS)),
        }
    }
    places
}

/// Returns the files of agents with one name by their number, and appends those that are not among the files yet.
fn numbered(twins: Vec<(String, [Spot; 2])>, files: &mut Vec<File>, first: usize) -> Vec<Twins> {
    let known = files.iter().enumerate().skip(first).map(|(number, file)| (file.path.clone(), FileId(number as u32)));
    let mut numbers: BTreeMap<BString, FileId> = known.collect();
    let mut number = |spot: Spot| {
        *numbers.entry(spot.path.clone()).or_insert_with(|| {
            files.push(File { id: spot.id, ..File::new(spot.path, Role::Config, None, Body::NotRead) });
            FileId(files.len() as u32 - 1)
        })
    };
    twins.into_iter().map(|(name, spots)| Twins { name, files: spots.map(&mut number) }).collect()
}

/// Lists the files below directories, and the links there, each directory once.
pub(super) fn below(source: &Source, directories: &BTreeSet<BString>) -> Result<Vec<File>, Error> {
    if source.is_root() {
        return Ok(Vec::new());
    }
    let directories = directories.iter().map(|directory| directory.as_bstr());
    let is_own = |entry: &Entry| entry.state != State::Ignored;
    let files = files(&mut Finder::new(&*source.store), directories, LISTED, is_own)?;
    let file = |(spot, mode): (Spot, Mode)| File {
        mode,
        id: spot.id,
        ..File::new(spot.path, Role::Config, None, Body::NotRead)
    };
    Ok(files.into_iter().map(file).collect())
}

/// Returns whether a file may be a definition, or shows which programs the repository is used with.
pub(super) fn may_read(path: &BStr) -> bool {
    let is_of_plugin = || {
        path.ends_with(b".md")
            && path
                .split_str("/")
                .any(|name| name == PLUGIN_AGENTS.as_bytes() || name == manifest::OUTPUT_STYLES.as_bytes())
    };
    let is_command = || {
        (path.ends_with(b".md") || path.ends_with(b".toml"))
            && path.split_str("/").any(|name| name == manifest::COMMANDS.as_bytes())
    };
    let others = OTHERS.iter().map(|(directory, _)| directory);
    [AGENTS, COMMANDS, CODEX_CONFIG, TOML_COMMANDS, roots::GITHUB_HOOKS]
        .iter()
        .chain(others)
        .any(|directory| roots::is_within(path, BStr::new(directory)))
        || is_of_plugin()
        || is_command()
        || roots::SIGNS.iter().any(|sign| path == sign.as_bytes())
}

/// Returns the files with an ending below a directory, sorted by path, or the file at this path.
fn definitions(finder: &mut Finder<'_>, directory: &BStr, ending: &str) -> Result<Vec<Spot>, Error> {
    if ending.is_empty() {
        let file = finder.at(directory)?.filter(|(_, entry)| matches!(entry.kind, Kind::Known(Mode::File)));
        return Ok(file.map(|(spot, _)| spot).into_iter().collect());
    }
    let is_page = |entry: &Entry| match entry.kind {
        Kind::Known(Mode::File | Mode::Executable) => entry.name.ends_with(ending.as_bytes()),
        kind => kind == Kind::Known(Mode::Directory),
    };
    let files = files(finder, [directory].into_iter(), ENTRIES, is_page)?;
    Ok(files.into_iter().map(|(spot, _)| spot).collect())
}

/// Returns the definitions to which links lead, for the program that is known to follow them: a link in place of the directory, and links
/// in it. Each has the path in the directory.
fn linked(finder: &mut Finder<'_>, directory: &BStr, ending: &str) -> Result<Vec<(BString, Spot)>, Error> {
    let Some((spot, entry)) = finder.at(directory)?.filter(|_| directory.starts_with(FOLLOWED)) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    if entry.kind == Kind::Known(Mode::Link) {
        if let Resolution::Directory(target) = finder.follow(&spot)?.resolution {
            for spot in definitions(finder, target.as_bstr(), ending)? {
                let inside = roots::relative(spot.path.as_bstr(), target.as_bstr()).unwrap_or(BStr::new(""));
                found.push((store::join(directory, inside), spot));
            }
        }
        return Ok(found);
    }
    let children = if entry.kind == Kind::Known(Mode::Directory) { finder.children(&spot)? } else { Rc::default() };
    let is_link = |entry: &&Entry| entry.kind == Kind::Known(Mode::Link) && entry.name.ends_with(ending.as_bytes());
    for entry in children.iter().filter(is_link) {
        let link = spot.child(entry);
        if let Resolution::File(target) = finder.follow(&link)?.resolution
            && let Some((real, _)) = finder.at(target.as_bstr())?
        {
            found.push((link.path, real));
        }
    }
    Ok(found)
}

/// Returns whether an entry is a Markdown file that Git does not ignore.
pub(super) fn is_page(entry: &Entry) -> bool {
    let is_file = matches!(entry.kind, Kind::Known(Mode::File | Mode::Executable)) && entry.state != State::Ignored;
    is_file && entry.name.ends_with(b".md")
}

/// Returns the Markdown files below directories, as [`files`] does.
pub(super) fn pages<'p>(
    finder: &mut Finder<'_>,
    directories: impl Iterator<Item = &'p BStr>,
    limit: usize,
) -> Result<Vec<(Spot, Mode)>, Error> {
    files(finder, directories, limit, |entry| is_page(entry) || entry.kind == Kind::Known(Mode::Directory))
}

/// Returns the wanted files and links below directories, sorted by path. Each directory is listed once, if it is wanted, and all have at
/// most `limit` entries together.
pub(super) fn files<'p>(
    finder: &mut Finder<'_>,
    directories: impl Iterator<Item = &'p BStr>,
    limit: usize,
    is_wanted: impl Fn(&Entry) -> bool,
) -> Result<Vec<(Spot, Mode)>, Error> {
    let (mut found, mut listed, mut entries) = (Vec::new(), BTreeSet::new(), 0);
    for directory in directories {
        let mut open: Vec<Spot> = finder.directory(directory)?.into_iter().collect();
        while let Some(around) = open.pop() {
            if !listed.insert(around.path.clone()) {
                continue;
            }
            let children = finder.children(&around)?;
            entries += children.len();
            if entries > limit {
                return Err(Error::TooManyAgents { directory: directory.to_owned(), limit });
            }
            for entry in children.iter().filter(|entry| is_wanted(entry)) {
                match entry.kind {
                    Kind::Known(Mode::Directory) => open.push(around.child(entry)),
                    Kind::Known(mode @ (Mode::File | Mode::Executable | Mode::Link)) => {
                        found.push((around.child(entry), mode));
                    }
                    _ => {}
                }
            }
        }
    }
    found.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
    Ok(found)
}
