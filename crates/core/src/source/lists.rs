//! Reading of the files that list skills.

use bstr::BStr;

use super::{Error, Source};
use crate::queries::List;
use crate::skill::FoundList;
use crate::snapshot::{Body, File, Role};
use crate::text::FileId;

/// Reads the files of a source that list skills, and appends them. One that does not exist is appended without a text.
pub(super) fn read(source: &Source, lists: &[List], files: &mut Vec<File>) -> Result<Vec<FoundList>, Error> {
    let mut found: Vec<FoundList> = Vec::new();
    for list in lists {
        let known = found.iter().find(|known| known.list.file == list.file).map(|known| known.file);
        let id = match known {
            Some(id) => id,
            None => {
                let path = BStr::new(&list.file);
                let absent = || File::new(path, Role::Config, None, Body::Absent);
                files.push(source.file(path)?.unwrap_or_else(absent));
                FileId(files.len() as u32 - 1)
            }
        };
        found.push(FoundList::new(list, id, &files[id.index()]));
    }
    Ok(found)
}
