//! Skills under another file name: Markdown with the front matter of a skill in a directory without a SKILL.md.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::store::{Content, Store};
use super::walk::Walked;
use super::{Error, read};
use crate::roots;
use crate::skill;
use crate::snapshot::{Body, File, Mode, Role};
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text::{self, FileId};

/// Returns the only such file of each directory directly in a skills directory, by path. What cannot be read is none.
pub(super) fn find(store: &dyn Store, walked: &Walked, limit: u64, bounds: Bounds) -> Result<Vec<FileId>, Error> {
    let Walked { roots, files, .. } = walked;
    let is_candidate = |file: &File| {
        let directory = text::parent(file.path.as_bstr());
        let is_direct = || file.root.is_some_and(|root| text::parent(directory) == roots[root.index()].path);
        let is_text = file.role == Role::Other && file.body == Body::NotRead && file.mode != Mode::Link;
        is_text && file.path.ends_with(b".md") && is_direct() && !roots::is_packaged(text::file_name(directory))
    };
    let numbered = (0u32..).map(FileId).zip(files);
    let mut candidates: Vec<(FileId, &File)> = numbered.filter(|(_, file)| is_candidate(file)).collect();
    let mut directories: BTreeSet<&BStr> =
        candidates.iter().map(|(_, file)| text::parent(file.path.as_bstr())).collect();
    for file in files.iter().filter(|file| file.role == Role::Skill && !candidates.is_empty()) {
        for end in file.path.find_iter("/") {
            directories.remove(file.path[..end].as_bstr());
        }
    }
    candidates.retain(|(_, file)| directories.contains(text::parent(file.path.as_bstr())));
    let found = read::each(
        store,
        &candidates,
        |(_, file)| Some(read::spot(file)),
        |reader, (number, file)| match reader.content(&read::spot(file), limit) {
            Ok(Content::Bytes { bytes, .. }) => {
                Ok(skill::is_of_directory(file.path.as_bstr(), &bytes, bounds).then_some(*number))
            }
            _ => Ok(None),
        },
    )?;
    let mut of_directory: BTreeMap<&BStr, Vec<FileId>> = BTreeMap::new();
    for number in found.into_iter().flatten() {
        of_directory.entry(text::parent(files[number.index()].path.as_bstr())).or_default().push(number);
    }
    let only = |numbers: Vec<FileId>| <[FileId; 1]>::try_from(numbers).ok();
    let mut found: Vec<FileId> = of_directory.into_values().filter_map(only).flatten().collect();
    found.sort_unstable();
    Ok(found)
}
