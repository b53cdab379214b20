//! Links of a body that may lead nowhere or out of the skill.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};

use super::hints::{Hint, Kind};
use super::markdown::Structure;
use super::target::{self, LinkTarget};
use crate::roots;
use crate::skill::links::{End, Link, Links};
use crate::snapshot::{File, Names};
use crate::text::{self, FileId, Place};

/// The directories that the links of a file start from, and the names that resolve them.
pub(super) struct Bases<'a> {
    file: FileId,
    names: Names<'a>,
    /// The directory that contains the text.
    real: &'a BStr,
    /// The directory that lists the skill: a different one if the file is a link.
    listed: &'a BStr,
}

impl<'a> Bases<'a> {
    /// Returns the bases for a skill's file.
    pub(super) fn new(id: FileId, file: &'a File, names: Names<'a>) -> Self {
        let (real, listed) = (text::parent(file.shown_path().as_bstr()), text::parent(file.path.as_bstr()));
        Self { file: id, names, real, listed }
    }

    /// Classifies a target.
    fn end(&self, target: LinkTarget) -> Leads {
        let path = match target {
            LinkTarget::Other => return Leads::Resolved,
            LinkTarget::Machine => return Leads::Unresolved(End::Machine),
            LinkTarget::Local(path) => path,
        };
        let mut paths: Vec<BString> = Vec::new();
        for directory in [self.real, self.listed] {
            let Some(path) = target::resolve(directory, path.as_bstr()) else { continue };
            if !target::is_sane(path.as_bstr()) {
                return Leads::Resolved;
            }
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let inside = |path: &BString| {
            [self.real, self.listed].iter().any(|directory| roots::is_within(path.as_bstr(), directory))
        };
        let leaves = !paths.iter().any(inside);
        let is_there = paths.iter().any(|path| self.names.has(path.as_bstr()));
        match (paths.is_empty(), is_there, leaves) {
            (true, ..) => Leads::Unresolved(End::Outside),
            (_, true, false) => Leads::Resolved,
            (_, true, true) => Leads::Outside,
            (_, false, leaves) => Leads::Unresolved(End::Unknown { paths, leaves }),
        }
    }
}

/// What is known about a target.
enum Leads {
    /// It exists in the skill's directory, or is not checked.
    Resolved,
    /// It is outside the skill's directory.
    Outside,
    /// Not known yet.
    Unresolved(End),
}

/// Returns the links of a text that may be broken or leave the skill.
pub(super) fn find<F: FnOnce() -> Structure>(
    text: &str,
    hints: &[Hint],
    bases: &Bases<'_>,
    structure: &LazyCell<Structure, F>,
) -> Links {
    let mut links = Links::default();
    for hint in hints {
        let Some(range) = written(text, hint) else { continue };
        let written = &text[range.clone()];
        let meant = target::unescaped(written);
        let leads = bases.end(target::classify(&meant));
        if matches!(leads, Leads::Resolved) || !structure.is_target(&range, &meant) {
            continue;
        }
        let place = Place::new(bases.file, range);
        match leads {
            Leads::Outside => links.leaving.push(written.to_owned(), place, written),
            Leads::Unresolved(end) => links.push(Link { place, written: written.to_owned(), end }),
            Leads::Resolved => {}
        }
    }
    links
}

/// Returns the range of the target that may be written at a hint.
pub(super) fn written(text: &str, hint: &Hint) -> Option<Range<usize>> {
    match hint.kind {
        Kind::Link => target::written(text, hint.end, true),
        Kind::Definition if opens_line(&text[..hint.start]) => target::written(text, hint.end, false),
        _ => None,
    }
}

/// Maximum length of a definition's label, in bytes (CommonMark: 999 characters).
const LABEL_BYTES: usize = 4_000;

/// Returns whether the label at the end of a text is at the start of its line, so that it may belong to a definition
/// and not to a footnote.
fn opens_line(text: &str) -> bool {
    let bytes = text.as_bytes();
    let near = &bytes[bytes.len().saturating_sub(LABEL_BYTES)..];
    let Some(open) = near.rfind_byte(b'[') else { return false };
    let line = near[..open].rfind_byte(b'\n').map_or(0, |newline| newline + 1);
    let is_footnote = near.get(open + 1) == Some(&b'^');
    !is_footnote && near[line..open].iter().all(|byte| matches!(byte, b' ' | b'>'))
}
