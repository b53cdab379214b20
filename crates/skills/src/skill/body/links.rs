//! Links of a body that may lead nowhere or out of the skill.

use std::cell::LazyCell;
use std::ops::Range;

use bstr::ByteSlice;

use super::bases::{Bases, Leads, Section};
use super::hints::{Hint, Kind};
use super::markdown::Structure;
use super::{mentions, partners, qualified, target, template, ways};
use crate::skill::anchors::Anchors;
use crate::skill::links::{End, Leaving, Link, Links, SectionLink};
use skilltree_front_matter::text::Place;

/// Returns the links of a text that may be broken or leave the skill.
pub(super) fn find<F: FnOnce() -> Structure>(
    text: &str,
    start: usize,
    hints: &[Hint],
    bases: &Bases<'_>,
    structure: &LazyCell<Structure, F>,
) -> Links {
    let mut links = Links::default();
    let own = LazyCell::new(|| Anchors::new(text.get(start..).unwrap_or_default()));
    for hint in hints {
        let Some(range) = written(text, hint) else { continue };
        let written = &text[range.clone()];
        let meant = target::unescaped(written);
        let leads = bases.end(target::classify(&meant));
        let section = bases.section(&meant).filter(|section| !section.paths.is_empty() || !own.has(section.fragment));
        if (matches!(leads, Leads::Resolved) && section.is_none()) || !structure.is_target(&range, &meant) {
            continue;
        }
        if let Some(Section { fragment, paths }) = section {
            let anchor = range.start + written.find('#').unwrap_or_default();
            links.push_section(SectionLink {
                place: Place::new(bases.file(), anchor..range.end),
                written: written.to_owned(),
                nearest: if paths.is_empty() && links.sections.len() < COMPARED { own.nearest(fragment) } else { None },
                fragment: fragment.to_owned(),
                paths,
            });
        }
        let place = Place::new(bases.file(), range.clone());
        match leads {
            Leads::Outside(path) => links.leave(Leaving { place, written: written.to_owned(), path }),
            Leads::Unresolved(End::Unknown { .. }) if template::contains(text, &range) => {}
            Leads::Unresolved(end) => links.push(Link { place, written: written.to_owned(), end }),
            Leads::Resolved => {}
        }
    }
    (links.mentions, links.ways, links.calls) = mentions::find(text, start, bases, structure, Links::KEPT + 1);
    if !bases.is_about_skills() {
        links.ways.extend(ways::climbing(text, start, bases, structure, Links::KEPT + 1));
        links.ways.sort_by_key(|way| way.place.start);
        links.partners = partners::find(bases.file(), text, start, structure, Links::KEPT + 1);
        links.qualified = qualified::find(text, start, bases, structure, Links::KEPT + 1);
    }
    links.limit();
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

/// Maximum number of missing anchors of a text for which the nearest is searched.
const COMPARED: usize = 16;

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
