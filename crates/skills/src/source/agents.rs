//! Reading of the definitions of agents.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::store::{Content, Entry, Kind, Spot};
use super::{CONFIG_BYTES, Error, Source};
use crate::agents::{AGENTS, Agent, Agents, COMMANDS};
use crate::roots;
use crate::snapshot::{Body, File, Mode, Role, State};
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text::FileId;

/// Maximum entries of a directory of definitions, and of the directories below it (ours: 10,000).
const ENTRIES: usize = 10_000;

/// Maximum entries below directories that are listed for a comparison (ours: 100,000).
const LISTED: usize = 100_000;

/// Maximum bytes of all definitions of agents (ours: 16 MiB, a second to read).
const BYTES: usize = 16 << 20;

/// Reads the definitions of agents, and appends the files of those that name skills. Links are not followed.
pub(super) fn read(
    source: &Source,
    files: &mut Vec<File>,
    bounds: Bounds,
    memory: &MemoryLimit,
) -> Result<Agents, Error> {
    let mut agents = Agents::default();
    if source.is_root() {
        return Ok(agents);
    }
    let mut finder = Finder::new(&*source.store);
    let mut bytes_left = BYTES;
    for spot in markdown(&mut finder, AGENTS)? {
        let Content::Bytes { bytes, id } = finder.content(&spot, CONFIG_BYTES)? else {
            return Err(Error::TooLargeAgent { path: spot.path, limit: CONFIG_BYTES as usize });
        };
        bytes_left = bytes_left.checked_sub(bytes.len()).ok_or(Error::TooLongAgents { limit: BYTES })?;
        let read = Agent::read(FileId(files.len() as u32), &bytes, bounds);
        if let Some(agent) = read.map_err(|excess| Error::ComplexAgent { path: spot.path.clone(), excess })? {
            memory.add(agent.name.len())?;
            agents.names.insert(agent.name.clone());
            if agent.skills.is_empty() {
                continue;
            }
            memory.add(agent.kept_bytes() + bytes.len())?;
            files.push(File { id: Some(id), ..File::new(spot.path, Role::Config, None, Body::Text(bytes)) });
            agents.all.push(agent);
        }
    }
    if !agents.all.is_empty() {
        let names = markdown(&mut finder, COMMANDS)?.into_iter().filter_map(|spot| {
            let inside = roots::relative(spot.path.as_bstr(), BStr::new(COMMANDS))?;
            Some(inside.strip_suffix(b".md")?.to_str().ok()?.replace('/', ":"))
        });
        agents.commands = names.collect();
    }
    Ok(agents)
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

/// Returns whether a file may be a definition.
pub(super) fn may_read(path: &BStr) -> bool {
    [AGENTS, COMMANDS].iter().any(|directory| roots::is_within(path, BStr::new(directory)))
}

/// Returns the Markdown files below a directory, sorted by path.
fn markdown(finder: &mut Finder<'_>, directory: &'static str) -> Result<Vec<Spot>, Error> {
    let is_page = |entry: &Entry| match entry.kind {
        Kind::Known(Mode::File | Mode::Executable) => entry.name.ends_with(b".md"),
        kind => kind == Kind::Known(Mode::Directory),
    };
    let files = files(finder, [BStr::new(directory)].into_iter(), ENTRIES, is_page)?;
    Ok(files.into_iter().map(|(spot, _)| spot).collect())
}

/// Returns the wanted files and links below directories, sorted by path. Each directory is listed once, if it is wanted, and all have at
/// most `limit` entries together.
fn files<'p>(
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
