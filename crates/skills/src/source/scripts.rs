//! Reading of the scripts that the texts of skills run, each once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::{BStr, ByteSlice};

use super::Error;
use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::read::{each, spot};
use super::references::links_to;
use super::store::{Content, Store};
use crate::roots::RootSet;
use crate::skill::links::regular;
use crate::skill::{Script, Skill, Unread, UnreadReason, scripts};
use crate::snapshot::{File, Mode, Resolution};
use skilltree_front_matter::is_lfs_pointer;
use skilltree_front_matter::text::{FileId, Place};

/// Files, each with the numbers of the skills that run it.
type Callers = BTreeMap<FileId, BTreeSet<usize>>;

/// Reads the scripts, except for those of known skills. Records those over the limit of a reference file as unread.
pub(super) fn read(
    store: &dyn Store,
    files: &[File],
    skills: &mut [Skill],
    known: &HashMap<FileId, &Skill>,
    (set, memory): (&RootSet, &MemoryLimit),
) -> Result<(), Error> {
    let (mut callers, mut links) = (Callers::new(), Callers::new());
    for (number, skill) in skills.iter().enumerate().filter(|(_, skill)| !known.contains_key(&skill.file)) {
        for call in skill.links().flat_map(|(_, links)| &links.calls) {
            let path = call.path.as_bstr();
            if let Some(file) = regular(files, path) {
                callers.entry(file).or_default().insert(number);
            } else if let Some(link) = symbolic_link(files, path) {
                links.entry(link).or_default().insert(number);
            }
        }
    }
    let mut unread = follow(store, files, &links, &mut callers)?;
    let wanted: Vec<FileId> = callers.keys().copied().collect();
    let found = each(
        store,
        &wanted,
        |id| Some(spot(&files[id.index()])),
        |reader, &id| {
            let file = &files[id.index()];
            Ok(match reader.content(&spot(file), set.reference_bytes)? {
                Content::Bytes { bytes, .. } if is_lfs_pointer(&bytes) => Err(UnreadReason::LfsPointer),
                Content::Bytes { bytes, .. } => Ok(scripts::parse(id, &file.path, &bytes)),
                Content::TooLarge { bytes } => Err(UnreadReason::TooLarge(bytes)),
            }
            .map_err(|reason| Unread { place: Place::whole(id), reason }))
        },
    )?;
    let mut read: Vec<Script> = Vec::new();
    for result in found {
        match result {
            Ok(script) => read.push(script),
            // A large file without an extension is a program.
            Err(script) if scripts::extension(&files[script.place.file.index()].path).is_none() => {}
            Err(script) => unread.push(script),
        }
    }
    read.sort_by_key(|script| script.file);
    for script in read {
        for &caller in callers.get(&script.file).into_iter().flatten() {
            memory.add(script.kept_bytes())?;
            skills[caller].references.scripts.push(script.clone());
        }
    }
    // A script that several skills run is one finding.
    for script in unread {
        let of_script = callers.get(&script.place.file).or_else(|| links.get(&script.place.file));
        if let Some(&caller) = of_script.and_then(BTreeSet::first) {
            skills[caller].references.unread.push(script);
            skills[caller].references.unread.sort_by_key(|unread| unread.place);
        }
    }
    Ok(())
}

/// Returns the symbolic link at a path.
fn symbolic_link(files: &[File], path: &BStr) -> Option<FileId> {
    let first = files.partition_point(|file| file.path.as_bstr() < path);
    let mut at_path = files[first..].iter().zip(first..).take_while(|(file, _)| file.path == path);
    at_path.find(|(file, _)| file.mode == Mode::Link).map(|(_, number)| FileId(number as u32))
}

/// Adds the scripts that symbolic links lead to. Returns the links that lead to no file that is read.
fn follow(store: &dyn Store, files: &[File], links: &Callers, callers: &mut Callers) -> Result<Vec<Unread>, Error> {
    let mut unread = Vec::new();
    let mut finder = Finder::new(store);
    for (&link, skills) in links {
        let reason = match links_to(store, &mut finder, &files[link.index()])? {
            Resolution::Directory(_) => continue,
            Resolution::File(path) => match regular(files, path.as_bstr()) {
                Some(script) => {
                    callers.entry(script).or_default().extend(skills);
                    continue;
                }
                None => UnreadReason::Link,
            },
            _ => UnreadReason::DanglingLink,
        };
        unread.push(Unread { place: Place::whole(link), reason });
    }
    Ok(unread)
}
