//! Reading of the files that list skills.

use bstr::{BStr, BString, ByteSlice};

use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::store::{self, Kind};
use super::{Error, Source};
use crate::queries::List;
use crate::skill::FoundList;
use crate::snapshot::{Body, File, Mode, Role};
use skilltree_front_matter::text::{self, FileId};

/// Reads the files of a source that list skills, and appends them. One that does not exist is appended without a text. Only a
/// repository has such files: a skills directory that was opened alone has none.
pub(super) fn read(
    source: &Source,
    lists: &[List],
    files: &mut Vec<File>,
    memory: &MemoryLimit,
) -> Result<Vec<FoundList>, Error> {
    let mut found: Vec<FoundList> = Vec::new();
    for list in lists.iter().filter(|_| !source.is_root()) {
        let known = found.iter().find(|known| known.list.file == list.file).map(|known| known.file);
        let path = BStr::new(&list.file);
        let id = match known {
            Some(id) => id,
            None => {
                let absent = || File::new(path, Role::Config, None, Body::Absent);
                let file = source.file(path)?.unwrap_or_else(absent);
                memory.add(if let Body::Text(bytes) = &file.body { bytes.len() } else { 0 })?;
                files.push(file);
                FileId(files.len() as u32 - 1)
            }
        };
        let file = &files[id.index()];
        let near = if file.body == Body::Absent { nearest(source, path)? } else { None };
        let list = FoundList::new(list, id, file, near);
        memory.add(list.kept_bytes())?;
        found.push(list);
    }
    Ok(found)
}

/// Returns the path of the file with the most similar name in the directory of a path.
fn nearest(source: &Source, path: &BStr) -> Result<Option<String>, Error> {
    let mut finder = Finder::new(&*source.store);
    let Some(directory) = finder.directory(text::parent(path))? else { return Ok(None) };
    let entries = finder.children(&directory)?;
    let is_file = |kind: Kind| matches!(kind, Kind::Known(Mode::File | Mode::Executable));
    let names = entries.iter().filter(|entry| is_file(entry.kind)).filter_map(|entry| entry.name.to_str().ok());
    let wanted = path.rsplit_str(b"/").next().unwrap_or_default().to_str_lossy();
    let near = text::nearest(&wanted, names);
    let joined = |name| -> BString { store::join(directory.path.as_bstr(), BStr::new(name)) };
    Ok(near.and_then(|name| joined(name).to_str().map(str::to_owned).ok()))
}
