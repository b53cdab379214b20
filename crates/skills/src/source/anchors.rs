//! Lookup of the anchors that links seek in other files: each of these files is read again, once.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};

use super::Error;
use super::find::Finder;
use super::read::{each, spot};
use super::store::{Content, Kind, Spot, Store};
use crate::roots::RootSet;
use crate::skill::{Skill, links};
use crate::snapshot::{File, Mode};

/// A file in which anchors are sought.
struct Sought {
    spot: Spot,
    path: BString,
    anchors: BTreeSet<String>,
    /// Whether it is below the skills directories, where an unreadable file is an error.
    is_listed: bool,
}

/// Keeps the links to sections that do not exist. The sections of a file over the limits, and of one that cannot be read, are unknown.
pub(super) fn look_for(store: &dyn Store, files: &[File], skills: &mut [Skill], set: &RootSet) -> Result<(), Error> {
    let mut finder = Finder::new(store);
    let mut sought: Vec<Sought> = Vec::new();
    for (path, anchors) in links::sections(skills) {
        let listed = links::regular(files, path.as_bstr()).map(|file| spot(&files[file.index()]));
        let is_listed = listed.is_some();
        // A SKILL.md that is only counted has no id in the list, and a tree is read by ids.
        let known = listed.clone().filter(|spot| spot.id.is_some());
        if let Some(spot) = known.or_else(|| outside(store, &mut finder, &path)).or(listed) {
            sought.push(Sought { spot, path, anchors, is_listed });
        }
    }
    let limit = set.file_bytes.max(set.reference_bytes);
    let found = each(
        store,
        &sought,
        |sought| Some(sought.spot.clone()),
        |reader, Sought { spot, path, anchors, is_listed }| match reader.content(spot, limit) {
            Ok(Content::Bytes { bytes, .. }) => Ok(Some((path.clone(), links::missing(anchors, &bytes)))),
            Ok(Content::TooLarge { .. }) => Ok(None),
            Err(_) if !is_listed => Ok(None),
            Err(error) => Err(error),
        },
    )?;
    links::settle_sections(skills, files, &found.into_iter().flatten().collect());
    Ok(())
}

/// Returns the regular file at a path outside the skills directories. A directory there that cannot be read is not an error.
fn outside(store: &dyn Store, finder: &mut Finder<'_>, path: &BString) -> Option<Spot> {
    if store.is_elsewhere(path.as_bstr()) {
        return None;
    }
    let (spot, entry) = finder.at(path.as_bstr()).ok().flatten()?;
    matches!(entry.kind, Kind::Known(Mode::File | Mode::Executable)).then_some(spot)
}
