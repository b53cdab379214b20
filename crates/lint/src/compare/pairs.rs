//! Pairing of files with their counterparts in the base: by path, then object, then similarity.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use bstr::{BStr, ByteSlice};

use super::outline::{Outline, Outlines};
use crate::lint::Report;
use crate::rule::Finding;
use skilltree_front_matter::text::{self, FileId};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::{File, ObjectId, Role};

/// Maximum number of skills of each side whose texts are compared. Larger renames with edits are not tracked.
const COMPARED: usize = 10_000;
/// Maximum number of base skills that share a line for it to suggest a pair. A more frequent line belongs to a
/// template, and comparing all its skills would take quadratic time.
const OWNERS: usize = 16;
/// Number of base skills compared with a head skill line by line: those with the most text in common lines.
const CANDIDATES: usize = 8;

/// Files of a catalog, paired with their counterparts in the base.
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    head: Files<'a>,
    base: Files<'a>,
    base_of: BTreeMap<FileId, FileId>,
    head_unpaired: Vec<FileId>,
    base_unpaired: Vec<FileId>,
}

impl<'a> Pairs<'a> {
    /// Pairs files with equal paths and, among skills, equal objects.
    pub fn new(head: &'a Report, base: &'a Report) -> Self {
        Self::of(Files::new(&head.catalog, &head.findings), Files::new(&base.catalog, &base.findings))
    }

    /// Pairs the files of two catalogs in the same way, and the rest of their skills by text. The functions return the texts of
    /// files of the head and of the base, in their order.
    ///
    /// # Errors
    ///
    /// Returns the errors of the functions.
    pub fn of_catalogs<E>(
        (head, read_head): (&'a Catalog, impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>),
        (base, read_base): (&'a Catalog, impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>),
    ) -> Result<Self, E> {
        let mut pairs = Self::of(Files::new(head, &[]), Files::new(base, &[]));
        let (heads, bases) = pairs.unpaired_skills();
        let heads = Outlines::new(head, heads, read_head)?;
        let bases = Outlines::new(base, bases, read_base)?;
        pairs.pair_similar(&heads, &bases);
        Ok(pairs)
    }

    fn of(head: Files<'a>, base: Files<'a>) -> Self {
        let same = |(id, file): (FileId, &'a File)| Some((id, base.at(file.path.as_bstr())?));
        let base_of: BTreeMap<FileId, FileId> = head.catalog.files().filter_map(same).collect();
        let mut pairs = Self { head, base, base_of, head_unpaired: Vec::new(), base_unpaired: Vec::new() };
        pairs.head_unpaired = pairs.head.skills().collect();
        pairs.base_unpaired = pairs.base.skills().collect();
        pairs.drop_paired();
        pairs.pair_objects();
        pairs
    }

    /// Returns the unpaired skills of head and base whose texts are needed. Empty if either side has no findings about
    /// them, because pairing would change nothing.
    pub fn unpaired(&self) -> (&[FileId], &[FileId]) {
        if !self.head.has_findings_about(&self.head_unpaired) || !self.base.has_findings_about(&self.base_unpaired) {
            return (&[], &[]);
        }
        self.unpaired_skills()
    }

    /// Returns the unpaired skills of head and base whose texts can pair them.
    fn unpaired_skills(&self) -> (&[FileId], &[FileId]) {
        if self.head_unpaired.is_empty() || self.base_unpaired.is_empty() {
            return (&[], &[]);
        }
        let (heads, bases) = (self.head_unpaired.len().min(COMPARED), self.base_unpaired.len().min(COMPARED));
        (&self.head_unpaired[..heads], &self.base_unpaired[..bases])
    }

    /// Pairs skills by text: those with at least half of their text in common, the most similar first. A body alone that the skills
    /// of a template share is too little.
    pub fn pair_similar(&mut self, head: &Outlines, base: &Outlines) {
        let lines = Lines::new(self.base_unpaired.iter().filter_map(|&id| Some((id, base.get(id)?))));
        let heads = self.head_unpaired.iter().filter_map(|&id| Some((id, head.get(id)?)));
        let alike = |(head, outline)| lines.similar(outline).into_iter().map(move |(share, base)| (share, head, base));
        let mut similar: Vec<(Share, FileId, FileId)> = heads.flat_map(alike).collect();
        similar.sort_by_key(|&(share, head, base)| (Reverse(share), head, base));
        let mut taken: BTreeSet<FileId> = BTreeSet::new();
        for (_, head, base) in similar {
            if !self.base_of.contains_key(&head) && taken.insert(base) {
                self.base_of.insert(head, base);
            }
        }
        self.drop_paired();
    }

    /// Returns the counterpart of a file of the head, or the file with the same relative path in its skill's
    /// counterpart.
    pub fn base_of(&self, file: FileId) -> Option<FileId> {
        if let Some(&base) = self.base_of.get(&file) {
            return Some(base);
        }
        let path = self.head.path(file);
        let mut directory = text::parent(path);
        while !directory.is_empty() {
            let skill = self.head.at([directory.as_bytes(), b"/SKILL.md"].concat().as_bstr());
            if let Some(base) = skill.and_then(|skill| self.base_of.get(&skill)) {
                let below = &path.as_bytes()[directory.len()..];
                return self.base.at([text::parent(self.base.path(*base)).as_bytes(), below].concat().as_bstr());
            }
            directory = text::parent(directory);
        }
        None
    }

    /// Returns what the change did to a file.
    pub(super) fn novelty(&self, file: FileId) -> Novelty {
        let Some(base) = self.base_of(file) else { return Novelty::Added };
        let (file, base) = (self.head.catalog.file(file), self.base.catalog.file(base));
        let is_same = file.path == base.path && file.id.is_some() && file.id == base.id;
        if is_same { Novelty::Untouched } else { Novelty::Changed }
    }

    /// Pairs skills with equal objects, each once, in file order.
    fn pair_objects(&mut self) {
        let mut by_object: BTreeMap<ObjectId, VecDeque<FileId>> = BTreeMap::new();
        for &base in &self.base_unpaired {
            if let Some(object) = self.base.catalog.file(base).id {
                by_object.entry(object).or_default().push_back(base);
            }
        }
        for &head in &self.head_unpaired {
            let object = self.head.catalog.file(head).id;
            if let Some(base) = object.and_then(|object| by_object.get_mut(&object)).and_then(VecDeque::pop_front) {
                self.base_of.insert(head, base);
            }
        }
        self.drop_paired();
    }

    /// Drops paired files from the unpaired ones.
    fn drop_paired(&mut self) {
        let taken: BTreeSet<FileId> = self.base_of.values().copied().collect();
        self.head_unpaired.retain(|head| !self.base_of.contains_key(head));
        self.base_unpaired.retain(|base| !taken.contains(base));
    }
}

/// What a change did to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Novelty {
    /// The base has it with the same path and content.
    Untouched,
    /// It was changed or renamed.
    Changed,
    /// The base does not have it.
    Added,
}

/// Files of a catalog by path.
#[derive(Clone, Debug)]
struct Files<'a> {
    catalog: &'a Catalog,
    findings: &'a [Finding],
    by_path: HashMap<&'a BStr, FileId>,
}

impl<'a> Files<'a> {
    fn new(catalog: &'a Catalog, findings: &'a [Finding]) -> Self {
        let by_path = catalog.files().map(|(id, file)| (file.path.as_bstr(), id)).collect();
        Self { catalog, findings, by_path }
    }

    fn at(&self, path: &BStr) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    fn path(&self, file: FileId) -> &'a BStr {
        self.catalog.file(file).path.as_bstr()
    }

    fn skills(&self) -> impl Iterator<Item = FileId> {
        self.catalog.files().filter(|(_, file)| file.role == Role::Skill).map(|(id, _)| id)
    }

    /// Returns whether any finding is about some skills or about other files in their directories.
    fn has_findings_about(&self, skills: &[FileId]) -> bool {
        let skills: BTreeSet<FileId> = skills.iter().copied().collect();
        let concerns =
            |file| skills.contains(&file) || matches!(self.catalog.file(file).role, Role::Other | Role::Flat);
        !skills.is_empty() && self.findings.iter().any(|finding| concerns(finding.place.file))
    }
}

/// Fraction of the longer text that is in common lines, in millionths.
type Share = usize;

/// Minimum share of a pair: half of the text, as `git diff -M` requires.
const ENOUGH: Share = 500_000;

/// Index of texts by line.
struct Lines<'o> {
    outlines: BTreeMap<FileId, &'o Outline>,
    owners: HashMap<u64, Vec<FileId>>,
}

impl<'o> Lines<'o> {
    fn new(outlines: impl Iterator<Item = (FileId, &'o Outline)>) -> Self {
        let outlines: BTreeMap<FileId, &Outline> = outlines.collect();
        let mut owners: HashMap<u64, Vec<FileId>> = HashMap::new();
        for (&id, outline) in &outlines {
            for &(line, _) in &outline.lines {
                owners.entry(line).or_default().push(id);
            }
        }
        owners.retain(|_, owners| owners.len() <= OWNERS);
        Self { outlines, owners }
    }

    /// Returns the texts that share enough with another one.
    fn similar(&self, outline: &Outline) -> Vec<(Share, FileId)> {
        let mut shared: HashMap<FileId, usize> = HashMap::new();
        for &(line, bytes) in &outline.lines {
            for owner in self.owners.get(&line).into_iter().flatten() {
                *shared.entry(*owner).or_default() += bytes;
            }
        }
        let mut candidates: Vec<(usize, FileId)> = shared.into_iter().map(|(id, bytes)| (bytes, id)).collect();
        candidates.sort_by_key(|&(bytes, id)| (Reverse(bytes), id));
        let shares = candidates.into_iter().take(CANDIDATES).map(|(_, id)| (share(outline, self.outlines[&id]), id));
        shares.filter(|&(share, _)| share >= ENOUGH).collect()
    }
}

fn share(one: &Outline, other: &Outline) -> Share {
    let (common, longest) = one.common(other);
    common * 1_000_000 / longest.max(1)
}
