//! Catalog of the skills of all roots: which of them are listed, and their identities.

pub mod clashes;
pub mod components;
pub mod found;

use std::collections::BTreeMap;
use std::sync::Arc;

use bstr::{BStr, ByteSlice};
use unicode_normalization::UnicodeNormalization;

use crate::links::Links;
use crate::packages::{self, Packages, published};
use crate::places;
use crate::profile::Profile;
use crate::profile::files::Visit;
use skilltree_front_matter::text::{self, FileId};
use skilltree_front_matter::{Instead, What};
use skilltree_skills::manifest;
use skilltree_skills::roots::{self, Root, RootId};
use skilltree_skills::skill::{self, Parsed, Skill, SkillId};
use skilltree_skills::snapshot::{File, Role};

/// Skills of a snapshot, with the list of those that runtimes list.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Parsed snapshot.
    pub parsed: Parsed,
    /// Skills at a depth that their root's profile reads, by root, then by path.
    pub listed: Vec<SkillId>,
    /// Whether the skills directory itself has a SKILL.md, by root.
    are_skills: Vec<bool>,
    /// The skills directories around each one, by root.
    around: Vec<Vec<RootId>>,
    /// What each runtime makes of the packages.
    packages: packages::Table,
}

impl Catalog {
    /// Builds the catalog of a parsed snapshot.
    pub fn new(parsed: Parsed) -> Self {
        let listed = (0u32..)
            .map(SkillId)
            .zip(&parsed.skills)
            .filter(|(_, skill)| {
                let root = &parsed.roots[skill.root.index()];
                is_listed(skill, root, parsed.file(skill.file))
            })
            .filter(|(_, skill)| !is_step(skill, &parsed.files, &parsed.roots))
            .map(|(id, _)| id)
            .collect();
        let are_skills = parsed.roots.iter().map(|root| has_skill_file(&parsed.files, root.path.as_bstr())).collect();
        let around = places::around(&parsed.roots);
        Self { parsed, listed, are_skills, around, packages: packages::Table::default() }
    }

    /// Returns the packages that a runtime finds.
    pub fn packages(&self, profile: &Profile) -> Arc<Packages> {
        self.packages.of(&self.parsed, &profile.id, &profile.loads)
    }

    /// Returns whether a runtime comes to the skills of a skills directory: it searches it, finds a package there, or is one of those
    /// for which people install what is made for distribution.
    pub fn reads(&self, profile: &Profile, root: RootId) -> bool {
        let is_installed = || {
            published::is_published_for(profile)
                && self.published()[root.index()]
                && !self.packages(profile).refuses(self.root(root).path.as_bstr())
        };
        places::reads(profile, self.root(root))
            || self.packages(profile).reads(root)
            || places::reads_around(profile, &self.parsed.roots, self.around(root), self.root(root))
            || is_installed()
    }

    /// Returns the skills directories around one.
    pub(crate) fn around(&self, root: RootId) -> &[RootId] {
        &self.around[root.index()]
    }

    /// Returns the skill that is the same file as this one and has no link in its path; the first one if all have.
    pub fn original(&self, skill: SkillId) -> SkillId {
        self.links().original(&self.parsed, skill)
    }

    /// Returns whether a runtime comes to a skill through a link: it reads the skills directory of the link.
    pub fn is_linked_for(&self, profile: &Profile, skill: SkillId) -> bool {
        let own = self.skill(skill).root;
        let same = self.same(skill).iter().map(|&other| self.skill(other).root);
        let linked = self.links().shortcuts(&self.parsed, skill).into_iter().map(|(root, _)| root);
        same.chain(linked).any(|root| root != own && self.reads(profile, root))
    }

    /// Returns which skills directories are made for distribution: no widely used runtime reads them, and an installer offers them.
    pub fn published(&self) -> &[bool] {
        self.packages.published(&self.parsed)
    }

    /// Returns a skill by id.
    pub fn skill(&self, skill: SkillId) -> &Skill {
        &self.parsed.skills[skill.index()]
    }

    /// Returns a root by id.
    pub fn root(&self, root: RootId) -> &Root {
        &self.parsed.roots[root.index()]
    }

    /// Returns a file by id.
    pub fn file(&self, file: FileId) -> &File {
        self.parsed.file(file)
    }

    /// Returns the path of a manifest.
    pub fn manifest_path(&self, number: usize) -> String {
        let manifest = &self.parsed.manifests.all[number];
        text::lossless(manifest::join(manifest.base.as_bstr(), &manifest.name).as_ref())
    }

    /// Returns the path of a skill's file.
    pub fn path(&self, skill: SkillId) -> &BStr {
        self.file(self.skill(skill).file).path.as_bstr()
    }

    /// All files with their ids.
    pub fn files(&self) -> impl Iterator<Item = (FileId, &File)> {
        (0u32..).map(FileId).zip(&self.parsed.files)
    }

    /// Returns the Markdown files that a runtime takes for skills. They are not checked and not forecast.
    pub fn flat_skills(&self, profile: &Profile) -> impl Iterator<Item = (FileId, &File)> {
        let takes_files = profile.loads.files.loose == Some(Visit::Read);
        let is_read = move |file: &File| takes_files && file.root.is_some_and(|root| self.reads(profile, root));
        let files = self.flat_files().take_while(move |_| takes_files);
        files.filter(move |(_, file)| is_read(file))
    }

    /// Returns the Markdown files directly in skills directories: some runtimes take each for a skill.
    pub fn flat_files(&self) -> impl Iterator<Item = (FileId, &File)> {
        let is_flat = |file: &File| file.role == Role::Flat || skill::may_be_flat(file, &self.parsed.roots);
        self.files().filter(move |(_, file)| is_flat(file))
    }

    /// All skills with their ids.
    pub fn skills(&self) -> impl Iterator<Item = (SkillId, &Skill)> {
        (0u32..).map(SkillId).zip(&self.parsed.skills)
    }

    /// The skills of a skills directory with their ids.
    pub fn skills_of(&self, root: RootId) -> impl Iterator<Item = (SkillId, &Skill)> {
        let first = self.parsed.skills.partition_point(|skill| skill.root < root);
        let skills = (0u32..).skip(first).map(SkillId).zip(&self.parsed.skills[first..]);
        skills.take_while(move |(_, skill)| skill.root == root)
    }

    /// Returns whether a skills directory itself has a SKILL.md.
    pub(crate) fn is_skill(&self, root: RootId) -> bool {
        self.are_skills[root.index()]
    }

    /// Returns whether a skills directory has a skill.
    pub fn has_skills(&self, root: RootId) -> bool {
        self.skills_of(root).next().is_some()
    }

    /// Returns the links that lead to skills.
    pub(crate) fn links(&self) -> &Links {
        self.packages.links(&self.parsed)
    }

    /// Returns the skills that are the same file as this one, with itself; none if no other path leads to it.
    pub fn same(&self, skill: SkillId) -> &[SkillId] {
        self.links().same(skill)
    }

    /// Returns whether a skill is nested in another skill's directory.
    pub fn is_nested(&self, skill: &Skill) -> bool {
        outer_skill(skill, &self.parsed.files, &self.parsed.roots).is_some()
    }

    /// Returns whether a skill is only a step of the skill around it.
    pub fn is_step(&self, skill: &Skill) -> bool {
        is_step(skill, &self.parsed.files, &self.parsed.roots)
    }

    /// Lists the names of skills for a sentence, each in backticks: at most `most`, then the number of further names.
    pub fn name_list(&self, skills: &[SkillId], most: usize) -> String {
        let names = skills.iter().map(|&id| format!("`{}`", text::shortened(&self.skill(id).shown_name(), 64)));
        text::joined_first(names, most)
    }

    /// Returns the number of skills. A skill that is read through a link too counts once.
    pub fn skill_count(&self) -> usize {
        self.parsed.skills.len() - self.links().groups().map(|skills| skills.len() - 1).sum::<usize>()
    }

    /// Groups listed skills with the same identity, in the order of the roots; only groups of two or more.
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

/// Returns the identity of a name: NFKC, then lowercase. A runtime or a file system may treat names with equal
/// identities as the same name.
pub fn identity(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// Returns the SKILL.md of the innermost skill that contains a skill. A SKILL.md in the root itself has no directory,
/// so it contains no skill.
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

/// Returns whether a file is a step of the skill around it: Markdown without front matter, which only that skill reads.
pub fn is_step(skill: &Skill, files: &[File], roots: &[Root]) -> bool {
    let has_text =
        skill.faults.iter().any(|fault| matches!(fault.what, What::NoFence(Instead::Text | Instead::OnFence)));
    has_text && outer_skill(skill, files, roots).is_some()
}

/// Returns whether a directory has a SKILL.md.
pub(crate) fn has_skill_file(files: &[File], directory: &BStr) -> bool {
    let path = [directory.as_bytes(), b"/SKILL.md"].concat();
    sorted(files).binary_search_by(|file| file.path.as_slice().cmp(&path)).is_ok()
}

/// Returns the sorted files: all except the configuration files at the end.
pub fn sorted(files: &[File]) -> &[File] {
    &files[..files.partition_point(|file| file.role != Role::Config)]
}

/// Returns whether the profile of the root reads a skill at this depth. A SKILL.md in the root itself is not a skill of
/// the root, except at the top of a repository.
fn is_listed(skill: &Skill, root: &Root, file: &File) -> bool {
    let exact = file.role == Role::Skill && !is_misnamed(file);
    let is_in_depth = root.depth.is_none_or(|depth| skill.depth <= depth);
    exact && (skill.depth >= 1 && is_in_depth || is_repository(skill, root))
}

/// Returns whether a skill is a repository: its SKILL.md is at the top. A profile that reads one depth does not read it.
pub fn is_repository(skill: &Skill, root: &Root) -> bool {
    root.path.is_empty() && root.depth.is_none() && skill.depth == 0
}

/// Returns whether the file name equals SKILL.md except for case.
pub fn is_misnamed(file: &File) -> bool {
    let name = text::file_name(file.path.as_bstr());
    roots::is_skill_file(name) && name != "SKILL.md"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{SYMPHONY, catalog};

    #[test]
    fn name_list_counts_the_rest() {
        let skills: [(&str, &[(&str, &str)]); 3] = [
            (".symphony/skills/a/SKILL.md", &[("name", "a")]),
            (".symphony/skills/b/SKILL.md", &[("name", "b")]),
            (".symphony/skills/c/SKILL.md", &[("name", "c")]),
        ];
        let catalog = catalog(SYMPHONY, &skills);
        let list = |most| catalog.name_list(&[SkillId(0), SkillId(1), SkillId(2)], most);
        assert_eq!([4, 3, 2].map(list), ["`a`, `b` and `c`", "`a`, `b` and `c`", "`a`, `b` and 1 more"]);
    }
}
