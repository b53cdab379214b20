//! The links of a body that may lead nowhere. Those that the names below the roots answer are dropped with the body; what
//! else they lead to is asked of the source by name, once for all skills, and the answers are set in before anything is
//! judged.

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use super::{Marks, Skill};
use crate::snapshot::Presence;
use crate::text::Place;

/// The links of a body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Those that may lead nowhere, in the order of the file; at most [`Links::KEPT`].
    pub doubtful: Vec<Link>,
    /// Those that lead to something, or to what nobody can tell, outside of the skill's directory, as they are written.
    pub leaving: Marks<String>,
}

/// A link, or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Its target as it is written.
    pub place: Place,
    /// The text of that.
    pub written: String,
    /// Where it leads.
    pub end: End,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// To a path of one machine.
    Machine,
    /// Out of the repository.
    Outside,
    /// To one of these paths, if anything stands there: the source has not been asked yet.
    Unknown {
        /// The paths, as seen from where the text lies and from where the skill is listed.
        paths: Vec<BString>,
        /// Whether they lie outside of the skill's directory.
        leaves: bool,
    },
    /// To a path that differs in letter case from the one that is there.
    Misspelled(BString),
    /// Nowhere.
    Nothing,
}

impl Links {
    /// Links that are kept of one body (ours). Where a longer list leads is not looked at.
    pub const KEPT: usize = 256;

    /// Keeps a link while there is room.
    pub(super) fn push(&mut self, link: Link) {
        if self.doubtful.len() < Self::KEPT {
            self.doubtful.push(link);
        }
    }

    /// The links that lead nowhere.
    pub fn broken(&self) -> impl Iterator<Item = &Link> {
        self.doubtful.iter().filter(|link| matches!(link.end, End::Nothing | End::Outside))
    }

    /// The links that differ in letter case from what is there, with that.
    pub fn misspelled(&self) -> impl Iterator<Item = (&Link, &BStr)> {
        self.doubtful.iter().filter_map(|link| match &link.end {
            End::Misspelled(path) => Some((link, path.as_bstr())),
            _ => None,
        })
    }
}

/// The paths that some links lead to and that nobody has looked for, sorted.
pub fn sought(skills: &[Skill]) -> BTreeSet<&BStr> {
    let links = skills.iter().filter_map(|skill| skill.body.as_ref()).flat_map(|body| &body.links.doubtful);
    let paths = links.filter_map(|link| match &link.end {
        End::Unknown { paths, .. } => Some(paths),
        _ => None,
    });
    paths.flatten().map(|path| path.as_bstr()).collect()
}

/// Sets in what was found at the paths of [`sought`].
pub fn settle(skills: &mut [Skill], found: impl Fn(&BStr) -> Presence) {
    for body in skills.iter_mut().filter_map(|skill| skill.body.as_mut()) {
        let Links { doubtful, leaving } = &mut body.links;
        doubtful.retain_mut(|link| {
            let End::Unknown { paths, leaves } = &link.end else { return true };
            match answer(paths, &found) {
                Some(end) => link.end = end,
                None if *leaves => leaving.push(std::mem::take(&mut link.written), link.place),
                None => {}
            }
            !matches!(link.end, End::Unknown { .. })
        });
        leaving.first.sort_by_key(|link| link.place.start);
    }
}

/// Where a link leads that may mean any of these paths; `None` where it is well, or nobody can tell.
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
