//! A root over the caps of its repository.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use crate::catalog::Catalog;
use crate::roots::RootId;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::skill::Skill;
use crate::snapshot::{Body, File, Role};
use crate::text::{self, FileId, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "root-too-large",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "a root has more files, deeper directories or more bytes than its repository allows",
    why: "every runtime walks the whole root when it starts: Codex stops after 20,000 entries and six levels, and the skills behind are gone",
    explanation: include_str!("root_too_large.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut sizes: Vec<RootSize<'_>> = facts.roots.iter().map(|_| RootSize::default()).collect();
    for (id, file) in catalog.files().filter(|(_, file)| matches!(file.role, Role::Skill | Role::Beside)) {
        if let Some(root) = file.root {
            sizes[root.index()].add(id, file, facts.roots[root.index()].path.as_bstr());
        }
    }
    for skill in &catalog.parsed.skills {
        sizes[skill.root.index()].add_bytes(skill, catalog.file(skill.file));
    }
    for ((number, root), size) in (0u32..).zip(facts.roots).zip(&sizes) {
        let path = text::lossless(root.path.as_bstr());
        let findings = [
            over(size.files, facts.limits.root_files, size.widest(), |have, most| {
                format!("the root `{path}` holds {have} files; {most} are allowed")
            }),
            over(size.depth, facts.limits.root_depth, size.deepest, |have, most| {
                format!("a directory lies {have} levels below the root `{path}`; {most} are allowed")
            }),
            over(size.bytes, facts.limits.root_bytes, size.largest.map(|(_, file)| file), |have, most| {
                format!("the SKILL.md files of the root `{path}` have {have} bytes; {most} are allowed")
            }),
        ];
        sink.about(Subject::Root(RootId(number)));
        for (file, message, excess) in findings.into_iter().flatten() {
            sink.report(Place::whole(file), message)
                .extent(usize::try_from(excess).unwrap_or(usize::MAX))
                .help("move what is no skill out of the root, beginning here, or raise the limit in skilltree.toml");
        }
    }
}

/// What is over its limit: the file to show, the fact, and by how much.
fn over(
    have: u64,
    limit: Option<u64>,
    file: Option<FileId>,
    fact: impl Fn(u64, u64) -> String,
) -> Option<(FileId, String, u64)> {
    let most = limit.filter(|&most| have > most)?;
    Some((file?, fact(have, most), have - most))
}

/// How much there is below a root, and where most of it is.
#[derive(Debug, Default)]
struct RootSize<'a> {
    files: u64,
    depth: u64,
    bytes: u64,
    deepest: Option<FileId>,
    largest: Option<(u64, FileId)>,
    /// Files by the directory right below the root, each with the first of them.
    directories: BTreeMap<&'a BStr, (u64, FileId)>,
}

impl<'a> RootSize<'a> {
    fn add(&mut self, id: FileId, file: &'a File, root: &BStr) {
        let below = file.path[root.len().min(file.path.len())..].as_bstr();
        let below = below.strip_prefix(b"/").unwrap_or(below);
        let depth = below.iter().filter(|&&byte| byte == b'/').count() as u64;
        self.files += 1;
        if depth > self.depth {
            (self.depth, self.deepest) = (depth, Some(id));
        }
        let top = below.split(|&byte| byte == b'/').next().unwrap_or_default().as_bstr();
        self.directories.entry(top).or_insert((0, id)).0 += 1;
    }

    fn add_bytes(&mut self, skill: &Skill, file: &File) {
        let bytes = match (&skill.body, &file.body) {
            (Some(body), _) => u64::from(body.file_bytes),
            (None, Body::TooLarge { bytes }) => *bytes,
            _ => 0,
        };
        self.bytes += bytes;
        if self.largest.is_none_or(|(most, _)| bytes > most) {
            self.largest = Some((bytes, skill.file));
        }
    }

    /// The first file of the directory that holds most of them.
    fn widest(&self) -> Option<FileId> {
        let mut widest: Option<(u64, FileId)> = None;
        for &(files, first) in self.directories.values() {
            if widest.is_none_or(|(most, _)| files > most) {
                widest = Some((files, first));
            }
        }
        widest.map(|(_, first)| first)
    }
}
