//! Finding the links of a body, as far as they may lead nowhere or lead out of the skill.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};

use super::hints::{Hint, Kind};
use super::markdown::Structure;
use super::target::{self, Target};
use crate::roots;
use crate::skill::links::{End, Link, Links};
use crate::snapshot::{File, Names};
use crate::text::{self, FileId, Place};

/// Where the links of a file begin, and the names that answer where they lead.
pub(super) struct Ground<'a> {
    file: FileId,
    names: Names<'a>,
    /// The directory in which the text lies.
    real: &'a BStr,
    /// The directory in which the skill is listed: another one where the file is a link.
    listed: &'a BStr,
}

impl<'a> Ground<'a> {
    /// The ground of a skill's file.
    pub(super) fn new(id: FileId, file: &'a File, names: Names<'a>) -> Self {
        let (real, listed) = (text::parent(file.shown_path().as_bstr()), text::parent(file.path.as_bstr()));
        Self { file: id, names, real, listed }
    }

    /// Where a target leads, unless to something that is known to be there.
    fn end(&self, target: Target) -> Leads {
        let path = match target {
            Target::Other => return Leads::Well,
            Target::Machine => return Leads::Doubtful(End::Machine),
            Target::Local(path) => path,
        };
        let mut paths: Vec<BString> = Vec::new();
        for directory in [self.real, self.listed] {
            let Some(path) = target::resolve(directory, path.as_bstr()) else { continue };
            if !target::is_sane(path.as_bstr()) {
                return Leads::Well;
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
            (true, ..) => Leads::Doubtful(End::Outside),
            (_, true, false) => Leads::Well,
            (_, true, true) => Leads::Away,
            (_, false, leaves) => Leads::Doubtful(End::Unknown { paths, leaves }),
        }
    }
}

/// What is known of a target.
enum Leads {
    /// To something in the skill's directory, or to nothing that is looked for.
    Well,
    /// To something outside of the skill's directory.
    Away,
    /// Nobody knows yet.
    Doubtful(End),
}

/// The links of a text that are worth keeping.
pub(super) fn find<F: FnOnce() -> Structure>(
    text: &str,
    hints: &[Hint],
    ground: &Ground<'_>,
    structure: &LazyCell<Structure, F>,
) -> Links {
    let mut links = Links::default();
    for hint in hints {
        let Some(range) = written(text, hint) else { continue };
        let written = &text[range.clone()];
        let meant = target::meant(written);
        let leads = ground.end(target::classify(&meant));
        if matches!(leads, Leads::Well) || !structure.is_target(&range, &meant) {
            continue;
        }
        let place = Place::new(ground.file, range);
        match leads {
            Leads::Away => links.leaving.push(written.to_owned(), place),
            Leads::Doubtful(end) => links.push(Link { place, written: written.to_owned(), end }),
            Leads::Well => {}
        }
    }
    links
}

/// The target that may be written at a hint.
pub(super) fn written(text: &str, hint: &Hint) -> Option<Range<usize>> {
    match hint.kind {
        Kind::Link => target::written(text, hint.end, true),
        Kind::Definition if opens_line(&text[..hint.start]) => target::written(text, hint.end, false),
        _ => None,
    }
}

/// The longest label of a definition (CommonMark: 999 characters).
const LABEL_BYTES: usize = 4_000;

/// Whether the label that ends a text stands at the beginning of its line, so that it may be that of a definition and not
/// of a footnote.
fn opens_line(text: &str) -> bool {
    let bytes = text.as_bytes();
    let near = &bytes[bytes.len().saturating_sub(LABEL_BYTES)..];
    let Some(open) = near.rfind_byte(b'[') else { return false };
    let line = near[..open].rfind_byte(b'\n').map_or(0, |newline| newline + 1);
    let is_footnote = near.get(open + 1) == Some(&b'^');
    !is_footnote && near[line..open].iter().all(|byte| matches!(byte, b' ' | b'>'))
}
