//! Lookup of the anchors that links seek in other files: each of these files is read again, once.

use std::collections::BTreeSet;

use super::Error;
use super::read::{each, spot};
use super::store::{Content, Store};
use crate::roots::RootSet;
use crate::skill::{Skill, links};
use crate::snapshot::File;
use crate::text::FileId;

/// Keeps the links to sections that do not exist. The sections of a file over the limits are unknown.
pub(super) fn look_for(store: &dyn Store, files: &[File], skills: &mut [Skill], set: &RootSet) -> Result<(), Error> {
    let sought: Vec<(FileId, BTreeSet<String>)> = links::sections(skills, files).into_iter().collect();
    let limit = set.file_bytes.max(set.reference_bytes);
    let found = each(
        store,
        &sought,
        |(file, _)| Some(spot(&files[file.index()])),
        |reader, (file, sought)| {
            let text = match reader.content(&spot(&files[file.index()]), limit)? {
                Content::Bytes { bytes, .. } => Some(bytes),
                Content::TooLarge { .. } => None,
            };
            Ok(links::missing(*file, sought, text.as_deref()))
        },
    )?;
    links::settle_sections(skills, files, &found.into_iter().flatten().collect());
    Ok(())
}
