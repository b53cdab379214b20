//! Roots over the limits that the repository sets.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use crate::rule::{Check, E2026, Elsewhere, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::{Body, File, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "root-too-large",
    group: Group::Catalog,
    since: E2026,
    level: Level::Error,
    summary: "a skills directory has more files, levels or bytes than its limits allow",
    why: "runtimes scan the whole skills directory at start-up and can stop at fixed limits, which loses the remaining skills",
    explanation: include_str!("root_too_large.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut sizes: Vec<RootSize<'_>> = facts.roots.iter().map(|_| RootSize::default()).collect();
    for (id, file) in catalog.files().filter(|(_, file)| matches!(file.role, Role::Skill | Role::Other)) {
        if let Some(root) = file.root {
            sizes[root.index()].add(id, file, facts.roots[root.index()].path.as_bstr());
        }
    }
    for skill in &catalog.parsed.skills {
        sizes[skill.root.index()].add_bytes(skill, catalog.file(skill.file));
    }
    for ((number, root), size) in (0u32..).zip(facts.roots).zip(&sizes) {
        let path = text::lossless(root.shown_path());
        let findings = [
            over(size.files, facts.limits.root_files, size.widest(), |have, most| {
                format!("the skills directory `{path}` contains {have} files; the limit is {most}")
            }),
            over(size.depth, facts.limits.root_depth, size.deepest, |have, most| {
                format!("a directory is {have} levels below the skills directory `{path}`; the limit is {most}")
            }),
            over(size.bytes, facts.limits.root_bytes, size.largest.map(|(_, file)| file), |have, most| {
                format!("the SKILL.md files in the skills directory `{path}` have {have} bytes; the limit is {most}")
            }),
        ];
        sink.about(Subject::Root(RootId(number)));
        for (file, message, excess) in findings.into_iter().flatten() {
            sink.report(Place::whole(file), message)
                .extent(usize::try_from(excess).unwrap_or(usize::MAX))
                .or_at(Elsewhere::Counted(vec![RootId(number)]))
                .help("move files that are not skills out of the directory, starting here, or raise the limit in skilltree.toml");
        }
    }
}

/// Returns the file to show, the message and the excess if a count is over its limit.
fn over(
    have: u64,
    limit: Option<u64>,
    file: Option<FileId>,
    fact: impl Fn(String, String) -> String,
) -> Option<(FileId, String, u64)> {
    let most = limit.filter(|&most| have > most)?;
    Some((file?, fact(text::grouped(have), text::grouped(most)), have - most))
}

/// Totals of one root, and the files that contribute most.
#[derive(Debug, Default)]
struct RootSize<'a> {
    files: u64,
    depth: u64,
    bytes: u64,
    deepest: Option<FileId>,
    largest: Option<(u64, FileId)>,
    /// File count and first file of each direct subdirectory of the root.
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

    /// Returns the first file of the direct subdirectory with the most files.
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
