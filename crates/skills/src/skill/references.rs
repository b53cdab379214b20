//! Reference files: the Markdown files in the directory of a skill other than its SKILL.md. Only facts about them are kept.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

use super::paths::is_markdown;
use super::{AgentFile, Answer, IgnoreComment, Links, Marks, Script, Skill, body, ignores};
use crate::roots::{self, RootId};
use crate::snapshot::{File, Names, Role};
use skilltree_front_matter::is_lfs_pointer;
use skilltree_front_matter::text::{self, FileId, Place};

/// The reference files of a skill, in the order of their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References {
    /// Those that were read.
    pub read: Vec<Reference>,
    /// Those that were not read completely, and scripts over the limit.
    pub unread: Vec<Unread>,
    /// The scripts that SKILL.md and the reference files run.
    pub scripts: Vec<Script>,
    /// The files that no text of the skill names; empty if they were not searched.
    pub unreferenced: Vec<FileId>,
    /// Its `agents/openai.yaml`; `None` if there is none, or it was not read.
    pub agent_file: Option<AgentFile>,
}

/// A reference file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// Its file.
    pub file: FileId,
    /// Its bytes.
    pub bytes: u32,
    /// Its code points.
    pub chars: u32,
    /// Its links that may lead nowhere.
    pub links: Links,
    /// Git conflict markers that begin a conflict.
    pub conflicts: Marks<()>,
    /// Its ignore comments, in the order of the file.
    pub ignores: Vec<IgnoreComment>,
    /// What the rules of the repository found in it.
    pub answers: Vec<Answer>,
}

/// A reference file or a script, or a part of it, that was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The file, or the first bytes that were not read.
    pub place: Place,
    /// Why not.
    pub reason: UnreadReason,
}

/// Why a reference file was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnreadReason {
    /// It has this number of bytes, which is over the limit.
    TooLarge(u64),
    /// It is the first of this number of files over the limit.
    TooMany(usize),
    /// It is not UTF-8 from this place on.
    NotUtf8,
    /// It has conflict stages in the index.
    Unmerged,
    /// It is a Git LFS pointer.
    LfsPointer,
    /// It is a symbolic link to a file that is not read either.
    Link,
    /// It is a symbolic link that leads nowhere.
    DanglingLink,
}

/// Returns the reference files, in their order, each with the index of its skill: that of the innermost directory.
pub fn owned(files: &[File], skills: &[Skill]) -> Vec<(FileId, usize)> {
    owned_if(files, skills, |file| file.role == Role::Other && is_markdown(file.path.as_bstr()))
}

/// Returns the files of a kind, in their order, each with the index of its skill.
pub(crate) fn owned_if(files: &[File], skills: &[Skill], is_wanted: impl Fn(&File) -> bool) -> Vec<(FileId, usize)> {
    let mut directories: HashMap<(RootId, &BStr), usize> = HashMap::with_capacity(skills.len());
    for (number, skill) in skills.iter().enumerate() {
        let path = files[skill.file.index()].path.as_bstr();
        if roots::is_skill_file(text::file_name(path)) {
            directories.entry((skill.root, text::parent(path))).or_insert(number);
        }
    }
    let candidates = (0u32..).map(FileId).zip(files).filter(|(_, file)| is_wanted(file));
    candidates.filter_map(|(id, file)| Some((id, owner(&directories, file)?))).collect()
}

fn owner(directories: &HashMap<(RootId, &BStr), usize>, file: &File) -> Option<usize> {
    let root = file.root?;
    let mut directory = text::parent(file.path.as_bstr());
    loop {
        if let Some(&skill) = directories.get(&(root, directory)) {
            return Some(skill);
        }
        if directory.is_empty() || text::file_name(directory) == "node_modules" {
            return None;
        }
        directory = text::parent(directory);
    }
}

/// Parses a reference file of the skill with this SKILL.md. What is not UTF-8 was not read.
pub(crate) fn parse(
    (id, file): (FileId, &File),
    bytes: &[u8],
    skill_file: &File,
    names: Names<'_>,
) -> (Reference, Option<Unread>) {
    // The search for chunks is ten times slower.
    let valid = std::str::from_utf8(bytes).ok();
    let valid = valid.unwrap_or_else(|| bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid()));
    let rest = valid.len()..bytes.len();
    let unread = if is_lfs_pointer(bytes) {
        Some(Unread { place: Place::whole(id), reason: UnreadReason::LfsPointer })
    } else {
        let place = Place::new(id, rest.start..rest.start + 1);
        (!rest.is_empty()).then_some(Unread { place, reason: UnreadReason::NotUtf8 })
    };
    let reference = Reference {
        file: id,
        bytes: u32::try_from(bytes.len()).unwrap_or(u32::MAX),
        chars: u32::try_from(valid.chars().count()).unwrap_or(u32::MAX),
        links: body::links_of_reference(id, file, skill_file, valid, names),
        conflicts: body::conflicts_of_reference(id, valid),
        ignores: ignores::find(id, valid, None, 0),
        answers: Vec::new(),
    };
    (reference, unread)
}
