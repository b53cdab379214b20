//! Further SKILL.md files in the directory of a skill.

use bstr::{BString, ByteSlice};

use crate::catalog::{self, Catalog};
use skilltree_front_matter::text::{self, FileId};
use skilltree_skills::roots;
use skilltree_skills::skill::Skill;

/// Returns the first file of that name, in any letter case, in a subdirectory.
pub(crate) fn skill_file(catalog: &Catalog, skill: &Skill) -> Option<FileId> {
    let files = catalog::sorted(&catalog.parsed.files);
    let own = files.get(skill.file.index())?;
    if !roots::is_skill_file(text::file_name(own.path.as_bstr())) {
        return None;
    }
    let directory = BString::from([text::parent(own.path.as_bstr()).as_bytes(), b"/"].concat());
    let first = files.partition_point(|file| file.path < directory);
    let mut below = (first..).zip(&files[first..]).take_while(|(_, file)| file.path.starts_with(&directory));
    let is_other = |path: &BString| roots::is_skill_file(text::file_name(path.as_bstr())) && *path != own.path;
    below.find(|(_, file)| is_other(&file.path)).map(|(number, _)| FileId(number as u32))
}
