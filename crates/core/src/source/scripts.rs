//! Reading of the scripts that the texts of skills run, each once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::ByteSlice;

use super::Error;
use super::read::{each, spot};
use super::store::{Content, Store};
use crate::roots::RootSet;
use crate::skill::links::regular;
use crate::skill::{Script, Skill, Unread, UnreadReason, scripts};
use crate::snapshot::File;
use crate::text::{FileId, Place};

/// Reads the scripts, except for those of known skills. Records those over the limit of a reference file as unread.
pub(super) fn read(
    store: &dyn Store,
    files: &[File],
    skills: &mut [Skill],
    known: &HashMap<FileId, &Skill>,
    set: &RootSet,
) -> Result<(), Error> {
    let mut callers: BTreeMap<FileId, BTreeSet<usize>> = BTreeMap::new();
    for (number, skill) in skills.iter().enumerate().filter(|(_, skill)| !known.contains_key(&skill.file)) {
        let calls = skill.links().flat_map(|(_, links)| &links.calls);
        for file in calls.filter_map(|call| regular(files, call.path.as_bstr())) {
            callers.entry(file).or_default().insert(number);
        }
    }
    let wanted: Vec<FileId> = callers.keys().copied().collect();
    let found = each(
        store,
        &wanted,
        |id| Some(spot(&files[id.index()])),
        |reader, &id| {
            let file = &files[id.index()];
            Ok(match reader.content(&spot(file), set.reference_bytes)? {
                Content::Bytes { bytes, .. } => Ok(scripts::parse(id, file.path.ends_with(b".py"), &bytes)),
                Content::TooLarge { bytes } => {
                    Err(Unread { place: Place::whole(id), reason: UnreadReason::TooLarge(bytes) })
                }
            })
        },
    )?;
    let (mut read, mut unread): (Vec<Script>, Vec<Unread>) = (Vec::new(), Vec::new());
    for result in found {
        match result {
            Ok(script) => read.push(script),
            Err(script) => unread.push(script),
        }
    }
    read.sort_by_key(|script| script.file);
    for script in read {
        for &caller in callers.get(&script.file).into_iter().flatten() {
            skills[caller].references.scripts.push(script.clone());
        }
    }
    // A script that several skills run is one finding.
    for script in unread {
        if let Some(&caller) = callers.get(&script.place.file).and_then(BTreeSet::first) {
            skills[caller].references.unread.push(script);
            skills[caller].references.unread.sort_by_key(|unread| unread.place);
        }
    }
    Ok(())
}
