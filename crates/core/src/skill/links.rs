//! Links of a body that may be broken. Links that the names below the roots resolve are dropped with the body. The
//! other targets are looked up in the source by name, once for all skills, before the rules run.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::{Marks, Skill};
use crate::snapshot::Presence;
use crate::text::Place;

/// The links of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Links that may be broken, in the order of the file; at most `Links::KEPT`.
    pub unresolved: Vec<Link>,
    /// Links to existing or unknown targets outside the skill's directory, as written.
    pub leaving: Marks<String>,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its target as written.
    pub place: Place,
    /// The text of the target.
    pub written: String,
    /// Where it leads.
    pub end: End,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// To an absolute path that exists on one machine only.
    Machine,
    /// Out of the repository.
    Outside,
    /// To one of these paths, which have not been looked up yet.
    Unknown {
        /// The candidate paths: relative to the text, and relative to the directory that lists the skill.
        paths: Vec<BString>,
        /// Whether they are outside the skill's directory.
        leaves: bool,
    },
    /// To a path that differs from an existing one in letter case.
    Misspelled(BString),
    /// Nowhere.
    Nothing,
}

impl Links {
    /// Maximum number of links kept per body (ours). Further ones are not checked.
    pub(crate) const KEPT: usize = 256;

    /// Keeps a link if the cap is not reached.
    pub(super) fn push(&mut self, link: Link) {
        if self.unresolved.len() < Self::KEPT {
            self.unresolved.push(link);
        }
    }

    /// Returns the links that lead nowhere.
    pub fn broken(&self) -> impl Iterator<Item = &Link> {
        self.unresolved.iter().filter(|link| matches!(link.end, End::Nothing | End::Outside))
    }

    /// Returns the links that differ in letter case from an existing path, with that path.
    pub(crate) fn misspelled(&self) -> impl Iterator<Item = (&Link, &BStr)> {
        self.unresolved.iter().filter_map(|link| match &link.end {
            End::Misspelled(path) => Some((link, path.as_bstr())),
            _ => None,
        })
    }
}

/// Returns the paths that have to be looked up for the links, sorted.
pub(crate) fn sought(skills: &[Skill]) -> BTreeSet<&BStr> {
    let links = skills.iter().filter_map(|skill| skill.body.as_ref()).flat_map(|body| &body.links.unresolved);
    let paths = links.filter_map(|link| match &link.end {
        End::Unknown { paths, .. } => Some(paths),
        _ => None,
    });
    paths.flatten().map(|path| path.as_bstr()).collect()
}

/// Resolves the links with the results for the paths of [`sought`].
pub(crate) fn settle(skills: &mut [Skill], found: impl Fn(&BStr) -> Presence) {
    for body in skills.iter_mut().filter_map(|skill| skill.body.as_mut()) {
        let Links { unresolved, leaving } = &mut body.links;
        unresolved.retain_mut(|link| {
            let End::Unknown { paths, leaves } = &link.end else { return true };
            match answer(paths, &found) {
                Some(end) => link.end = end,
                None if *leaves => {
                    let written = std::mem::take(&mut link.written);
                    leaving.push(written.clone(), link.place, &written);
                }
                None => {}
            }
            !matches!(link.end, End::Unknown { .. })
        });
        leaving.first.sort_by_key(|link| link.place.start);
    }
}

/// Returns the end of a link with these candidate paths; `None` if one exists or is unknown.
fn answer(paths: &[BString], found: impl Fn(&BStr) -> Presence) -> Option<End> {
    let mut end = End::Nothing;
    for path in paths {
        match found(path.as_bstr()) {
            Presence::Present | Presence::Unknown => return None,
            Presence::Spelled(path) if end == End::Nothing => end = End::Misspelled(path),
            Presence::Spelled(_) | Presence::Absent => {}
        }
    }
    Some(end)
}
