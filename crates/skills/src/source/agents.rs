//! Reading of the definitions of agents.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::store::{Content, Kind, Spot};
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
    let mut finder = Finder::new(&*source.store);
    let (mut files, mut listed, mut entries) = (Vec::new(), BTreeSet::new(), 0);
    for directory in directories.iter().filter(|_| !source.is_root()) {
        let mut open: Vec<Spot> = finder.directory(directory.as_bstr())?.into_iter().collect();
        while let Some(around) = open.pop() {
            if !listed.insert(around.path.clone()) {
                continue;
            }
            let children = finder.children(&around)?;
            entries += children.len();
            if entries > LISTED {
                return Err(Error::TooManyAgents { directory: directory.clone(), limit: LISTED });
            }
            for entry in children.iter().filter(|entry| entry.state != State::Ignored) {
                match entry.kind {
                    Kind::Known(Mode::Directory) => open.push(around.child(entry)),
                    Kind::Known(mode @ (Mode::File | Mode::Executable | Mode::Link)) => {
                        let path = around.child(entry).path;
                        files.push(File { mode, id: entry.id, ..File::new(path, Role::Config, None, Body::NotRead) });
                    }
                    _ => {}
                }
            }
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// Returns whether a file may be a definition.
pub(super) fn may_read(path: &BStr) -> bool {
    [AGENTS, COMMANDS].iter().any(|directory| roots::is_within(path, BStr::new(directory)))
}

/// Returns the Markdown files below a directory, sorted by path.
fn markdown(finder: &mut Finder<'_>, directory: &'static str) -> Result<Vec<Spot>, Error> {
    let mut found = Vec::new();
    let mut open: Vec<Spot> = finder.directory(BStr::new(directory))?.into_iter().collect();
    let mut entries = 0;
    while let Some(around) = open.pop() {
        let children = finder.children(&around)?;
        entries += children.len();
        if entries > ENTRIES {
            return Err(Error::TooManyAgents { directory: directory.into(), limit: ENTRIES });
        }
        for entry in children.iter() {
            match entry.kind {
                Kind::Known(Mode::File | Mode::Executable) if entry.name.ends_with(b".md") => {
                    found.push(around.child(entry));
                }
                Kind::Known(Mode::Directory) => open.push(around.child(entry)),
                _ => {}
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}
