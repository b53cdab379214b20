//! Sizes of the files below skills that a rule of the repository limits. No file is read for it.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::Error;
use super::read::spot;
use super::store::{Content, Store};
use crate::parallel;
use crate::queries::{Files, Queries};
use crate::snapshot::{File, Role};
use skilltree_front_matter::text::{self, FileId};

/// Returns the sizes of the files that a query limits.
pub(super) fn of(store: &dyn Store, files: &[File], queries: &Queries) -> Result<BTreeMap<FileId, u64>, Error> {
    let sized = queries.sized();
    if sized.is_empty() {
        return Ok(BTreeMap::new());
    }
    let skills = files.iter().filter(|file| file.role == Role::Skill);
    let skills: BTreeSet<&BStr> = skills.map(|file| text::parent(file.path.as_bstr())).collect();
    let is_wanted = |file: &File| {
        let path = below(&skills, file.path.as_bstr());
        file.has_text() && path.is_some_and(|path| sized.iter().any(|files: &&Files| files.matches(path)))
    };
    let wanted: Vec<(FileId, &File)> = (0u32..).map(FileId).zip(files).filter(|(_, file)| is_wanted(file)).collect();
    let sizes = parallel::map_init(
        &wanted,
        || store.reader(),
        |reader, (id, file)| match reader.content(&spot(file), 0) {
            Ok(Content::TooLarge { bytes }) => Ok((*id, bytes)),
            Ok(Content::Bytes { .. }) => Ok((*id, 0)),
            Err(error) => Err(error),
        },
    );
    Ok(Error::collect(sizes)?.into_iter().collect())
}

/// Returns the path of a file below the innermost skill that contains it.
fn below<'p>(skills: &BTreeSet<&BStr>, path: &'p BStr) -> Option<&'p BStr> {
    let mut directory = path;
    while !directory.is_empty() {
        directory = text::parent(directory);
        if skills.contains(directory) {
            let start = if directory.is_empty() { 0 } else { directory.len() + 1 };
            return Some(path[start..].as_bstr());
        }
    }
    None
}
