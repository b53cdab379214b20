//! Every skill of every root, side by side: which of them count, and by what name.

pub mod clashes;
pub mod components;

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};
use unicode_normalization::UnicodeNormalization;

use crate::roots::{self, Root, RootId};
use crate::skill::{Parsed, Skill, SkillId};
use crate::snapshot::{File, Role};
use crate::text::{self, FileId};

/// The skills of a snapshot, and those among them that a runtime would list.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// What was read.
    pub parsed: Parsed,
    /// The skills at a depth that their root's profile reads, by root, then by path.
    pub listed: Vec<SkillId>,
}

impl Catalog {
    /// Sets skills side by side.
    pub fn new(parsed: Parsed) -> Self {
        let listed = (0u32..)
            .map(SkillId)
            .zip(&parsed.skills)
            .filter(|(_, skill)| is_listed(skill, &parsed.roots[skill.root.index()], parsed.file(skill.file)))
            .map(|(id, _)| id)
            .collect();
        Self { parsed, listed }
    }

    /// A skill by its number.
    pub fn skill(&self, skill: SkillId) -> &Skill {
        &self.parsed.skills[skill.index()]
    }

    /// A root by its number.
    pub fn root(&self, root: RootId) -> &Root {
        &self.parsed.roots[root.index()]
    }

    /// A file by its number.
    pub fn file(&self, file: FileId) -> &File {
        self.parsed.file(file)
    }

    /// The path of a skill's file.
    pub fn path(&self, skill: SkillId) -> &BStr {
        self.file(self.skill(skill).file).path.as_bstr()
    }

    /// Every file with its number.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &File)> {
        (0u32..).map(FileId).zip(&self.parsed.files)
    }

    /// Every skill with its number.
    pub fn skills(&self) -> impl Iterator<Item = (SkillId, &Skill)> {
        (0u32..).map(SkillId).zip(&self.parsed.skills)
    }

    /// Whether a skill lies below another skill's directory.
    pub fn is_nested(&self, skill: &Skill) -> bool {
        outer_skill(skill, &self.parsed.files, &self.parsed.roots).is_some()
    }

    /// The listed skills that share an identity, in the order of the roots; only identities of two or more.
    pub fn namesakes(&self) -> Vec<Vec<SkillId>> {
        let mut by_identity: BTreeMap<String, Vec<SkillId>> = BTreeMap::new();
        for &id in &self.listed {
            if let Some(name) = self.skill(id).name() {
                by_identity.entry(identity(name)).or_default().push(id);
            }
        }
        by_identity.into_values().filter(|skills| skills.len() > 1).collect()
    }
}

/// What two names share when a runtime or a file system takes them for one: NFKC, then case folding.
pub fn identity(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// The SKILL.md of the innermost skill in whose directory a skill lies. A SKILL.md in the root itself has no directory of
/// its own, so nothing is nested in it.
pub fn outer_skill(skill: &Skill, files: &[File], roots: &[Root]) -> Option<FileId> {
    let sorted = sorted(files);
    let root = &roots[skill.root.index()].path;
    let mut directory = text::parent(text::parent(files[skill.file.index()].path.as_bstr()));
    while directory.len() > root.len() {
        let above = [directory.as_bytes(), b"/SKILL.md"].concat();
        if let Ok(found) = sorted.binary_search_by(|file| file.path.as_slice().cmp(&above)) {
            return Some(FileId(found as u32));
        }
        directory = text::parent(directory);
    }
    None
}

/// The files without those of the configuration, which stand behind the sorted ones.
pub fn sorted(files: &[File]) -> &[File] {
    &files[..files.partition_point(|file| file.role != Role::Config)]
}

/// Whether the profile of its root reads a skill at this depth. A SKILL.md in the root itself is no skill of the root.
fn is_listed(skill: &Skill, root: &Root, file: &File) -> bool {
    let exact = file.role == Role::Skill && !is_misnamed(file);
    exact && skill.depth >= 1 && root.depth.is_none_or(|depth| skill.depth <= depth)
}

/// Whether a file is a skill's but for the letter case of its name.
pub fn is_misnamed(file: &File) -> bool {
    let name = text::file_name(file.path.as_bstr());
    roots::is_skill_file(name) && name != "SKILL.md"
}
