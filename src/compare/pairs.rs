//! Which file of the base a file was: the one with its path, else its object, else its body, else the most similar one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use bstr::{BStr, ByteSlice};

use super::outline::{Outline, Outlines};
use crate::lint::Report;
use crate::snapshot::{File, Role};
use crate::text::{self, FileId};

/// Skills of each report whose texts are compared; whoever renames and edits more at once begins anew.
const COMPARED: usize = 10_000;
/// Skills of the base that may share a line for the line to lead from one skill to another. What more of them have is
/// somebody's template, and to compare all that have it would take the square of their number.
const OWNERS: usize = 16;
/// Skills of the base that one of the head is compared with line by line: those that share most lines with it.
const CANDIDATES: usize = 8;

/// The files of a report with their counterparts in the base.
#[derive(Clone, Debug)]
pub struct Pairs<'a> {
    head: Files<'a>,
    base: Files<'a>,
    base_of: BTreeMap<FileId, FileId>,
    head_left: Vec<FileId>,
    base_left: Vec<FileId>,
}

impl<'a> Pairs<'a> {
    /// Pairs what has one path and, among skills, what has one object.
    pub fn new(head: &'a Report, base: &'a Report) -> Self {
        let (head, base) = (Files::new(head), Files::new(base));
        let same = |(id, file): (FileId, &'a File)| Some((id, base.at(file.path.as_bstr())?));
        let base_of: BTreeMap<FileId, FileId> = head.report.catalog.files().filter_map(same).collect();
        let mut pairs = Self { head, base, base_of, head_left: Vec::new(), base_left: Vec::new() };
        pairs.head_left = pairs.head.skills().collect();
        pairs.base_left = pairs.base.skills().collect();
        pairs.leave();
        let heads = pairs.head.with(&pairs.head_left, |id| pairs.head.report.catalog.file(id).id);
        let bases = pairs.base.with(&pairs.base_left, |id| pairs.base.report.catalog.file(id).id);
        pairs.pair_equal(heads, bases);
        pairs
    }

    /// The skills of head and base whose texts tell which of them belong together; none when that changes nothing,
    /// because one of the two has no finding that could go with one of the other.
    pub fn unpaired(&self) -> (&[FileId], &[FileId]) {
        if !self.head.says_of(&self.head_left) || !self.base.says_of(&self.base_left) {
            return (&[], &[]);
        }
        let (heads, bases) = (self.head_left.len().min(COMPARED), self.base_left.len().min(COMPARED));
        (&self.head_left[..heads], &self.base_left[..bases])
    }

    /// Pairs skills by their texts: those of one body, then those that share half of their lines or more, the most
    /// similar ones first.
    pub fn pair_similar(&mut self, head: &Outlines, base: &Outlines) {
        let heads = self.head.with(&self.head_left, |id| head.get(id)?.body);
        let bases = self.base.with(&self.base_left, |id| base.get(id)?.body);
        self.pair_equal(heads, bases);
        let lines = Lines::new(self.base_left.iter().filter_map(|&id| Some((id, base.get(id)?))));
        let heads = self.head_left.iter().filter_map(|&id| Some((id, head.get(id)?)));
        let alike = |(head, outline)| lines.similar(outline).into_iter().map(move |(share, base)| (share, head, base));
        let mut similar: Vec<(Share, FileId, FileId)> = heads.flat_map(alike).collect();
        similar.sort_by_key(|&(share, head, base)| (Reverse(share), head, base));
        let mut taken: BTreeSet<FileId> = BTreeSet::new();
        for (_, head, base) in similar {
            if !self.base_of.contains_key(&head) && taken.insert(base) {
                self.base_of.insert(head, base);
            }
        }
        self.leave();
    }

    /// The counterpart of a file of the head: its own, or the one at the same place beside its skill's counterpart.
    pub(super) fn base_of(&self, file: FileId) -> Option<FileId> {
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

    /// Pairs what has one value, each file once, in the order of the files.
    fn pair_equal<V: Ord>(&mut self, heads: Vec<(V, FileId)>, bases: Vec<(V, FileId)>) {
        let mut by_value: BTreeMap<V, VecDeque<FileId>> = BTreeMap::new();
        for (value, base) in bases {
            by_value.entry(value).or_default().push_back(base);
        }
        for (value, head) in heads {
            if let Some(base) = by_value.get_mut(&value).and_then(VecDeque::pop_front) {
                self.base_of.insert(head, base);
            }
        }
        self.leave();
    }

    /// Takes out of the unpaired ones what has been paired.
    fn leave(&mut self) {
        let taken: BTreeSet<FileId> = self.base_of.values().copied().collect();
        self.head_left.retain(|head| !self.base_of.contains_key(head));
        self.base_left.retain(|base| !taken.contains(base));
    }
}

/// The files of a report by their paths.
#[derive(Clone, Debug)]
struct Files<'a> {
    report: &'a Report,
    by_path: HashMap<&'a BStr, FileId>,
}

impl<'a> Files<'a> {
    fn new(report: &'a Report) -> Self {
        let by_path = report.catalog.files().map(|(id, file)| (file.path.as_bstr(), id)).collect();
        Self { report, by_path }
    }

    fn at(&self, path: &BStr) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    fn path(&self, file: FileId) -> &'a BStr {
        self.report.catalog.file(file).path.as_bstr()
    }

    fn skills(&self) -> impl Iterator<Item = FileId> {
        self.report.catalog.files().filter(|(_, file)| file.role == Role::Skill).map(|(id, _)| id)
    }

    /// Some files with a value of theirs, without those that have none.
    fn with<V>(&self, files: &[FileId], value: impl Fn(FileId) -> Option<V>) -> Vec<(V, FileId)> {
        files.iter().filter_map(|&id| Some((value(id)?, id))).collect()
    }

    /// Whether anything may have been said of some skills or of what lies beside them.
    fn says_of(&self, skills: &[FileId]) -> bool {
        let skills: BTreeSet<FileId> = skills.iter().copied().collect();
        let concerns =
            |file| skills.contains(&file) || matches!(self.report.catalog.file(file).role, Role::Beside | Role::Flat);
        !skills.is_empty() && self.report.findings.iter().any(|finding| concerns(finding.place.file))
    }
}

/// The lines that two texts share, in millionths of those of the longer one.
type Share = usize;

/// Half of the lines.
const ENOUGH: Share = 500_000;

/// Some texts by their lines.
struct Lines<'o> {
    outlines: BTreeMap<FileId, &'o Outline>,
    owners: HashMap<u64, Vec<FileId>>,
}

impl<'o> Lines<'o> {
    fn new(outlines: impl Iterator<Item = (FileId, &'o Outline)>) -> Self {
        let outlines: BTreeMap<FileId, &Outline> = outlines.collect();
        let mut owners: HashMap<u64, Vec<FileId>> = HashMap::new();
        for (&id, outline) in &outlines {
            for &line in &outline.lines {
                owners.entry(line).or_default().push(id);
            }
        }
        owners.retain(|_, owners| owners.len() <= OWNERS);
        Self { outlines, owners }
    }

    /// The texts that share enough lines with another one.
    fn similar(&self, outline: &Outline) -> Vec<(Share, FileId)> {
        let mut shared: HashMap<FileId, usize> = HashMap::new();
        for owner in outline.lines.iter().filter_map(|line| self.owners.get(line)).flatten() {
            *shared.entry(*owner).or_default() += 1;
        }
        let mut candidates: Vec<(usize, FileId)> = shared.into_iter().map(|(id, count)| (count, id)).collect();
        candidates.sort_by_key(|&(count, id)| (Reverse(count), id));
        let shares = candidates.into_iter().take(CANDIDATES).map(|(_, id)| (share(outline, self.outlines[&id]), id));
        shares.filter(|&(share, _)| share >= ENOUGH).collect()
    }
}

fn share(one: &Outline, other: &Outline) -> Share {
    let (common, longest) = one.common(other);
    common * 1_000_000 / longest.max(1)
}
