//! Reading of `agents/openai.yaml` of skills.

use std::collections::HashMap;

use bstr::ByteSlice;

use super::Error;
use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::read::{each, spot};
use super::references::links_to;
use super::store::{Content, Store};
use crate::roots::RootSet;
use crate::skill::links::regular;
use crate::skill::{AgentFile, Skill, Unread, UnreadReason, agent_file};
use crate::snapshot::{File, Mode, Resolution};
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text::{FileId, Place};

/// Reads the file of each skill, except for known ones. Records those over the limit of a reference file as unread.
pub(super) fn read(
    store: &dyn Store,
    files: &[File],
    skills: &mut [Skill],
    known: &HashMap<FileId, &Skill>,
    (set, bounds, memory): (&RootSet, Bounds, &MemoryLimit),
) -> Result<(), Error> {
    if set.skips_agent_files {
        return Ok(());
    }
    let mut owned = agent_file::owned(files, skills);
    owned.retain(|&(_, skill)| !known.contains_key(&skills[skill].file));
    let owned = regular_files(store, files, owned)?;
    let found = each(
        store,
        &owned,
        |&(id, _)| Some(spot(&files[id.index()])),
        |reader, &(id, skill)| {
            let read = match reader.content(&spot(&files[id.index()]), set.reference_bytes)? {
                Content::Bytes { bytes, .. } => Ok(agent_file::parse(id, &bytes, bounds)),
                Content::TooLarge { bytes } => Err(bytes),
            };
            memory.add(read.as_ref().map_or(0, AgentFile::kept_bytes))?;
            Ok((id, skill, read))
        },
    )?;
    for (id, skill, read) in found {
        let references = &mut skills[skill].references;
        match read {
            Ok(file) => references.agent_file = Some(file),
            Err(bytes) => {
                references.unread.push(Unread { place: Place::whole(id), reason: UnreadReason::TooLarge(bytes) });
                references.unread.sort_by_key(|unread| unread.place);
            }
        }
    }
    Ok(())
}

/// Returns the regular files at the entries, or where their symbolic links lead, if that is below a skills directory.
fn regular_files(
    store: &dyn Store,
    files: &[File],
    owned: Vec<(FileId, usize)>,
) -> Result<Vec<(FileId, usize)>, Error> {
    let mut finder = Finder::new(store);
    let mut found = Vec::with_capacity(owned.len());
    for (id, skill) in owned {
        let file = &files[id.index()];
        let path = match file.mode {
            Mode::Link => match links_to(store, &mut finder, file)? {
                Resolution::File(path) => path,
                _ => continue,
            },
            _ => file.path.clone(),
        };
        found.extend(regular(files, path.as_bstr()).map(|file| (file, skill)));
    }
    Ok(found)
}
