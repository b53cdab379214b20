//! The directories in which a session may start: the top, and those below it that have settings of their own.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString};

use super::NO_FILE;
use crate::changes::Read;
use skilltree_front_matter::text::{self, Place};
use skilltree_skills::manifest;
use skilltree_skills::skill::{Gain, Power};
use skilltree_skills::source::{Error, Source};

/// A directory in which a session may start.
#[derive(Default)]
pub(super) struct Session {
    /// The directory; empty for the top.
    pub(super) directory: BString,
    /// The names of settings that it has; `None` if any may be there.
    names: Option<BTreeSet<BString>>,
}

impl Session {
    /// Returns the top, and the directories below it whose settings may differ. `paths` are those of settings, from a directory.
    pub(super) fn all<'p>(
        head: Read<'_>,
        base: Read<'_>,
        paths: impl Iterator<Item = &'p str>,
    ) -> Result<Vec<Self>, Error> {
        let names: BTreeSet<&BStr> = paths.map(|path| first(path).into()).collect();
        let nested: BTreeMap<_, _> = head.0.nested(base.0, &names)?;
        let nested = nested.into_iter().map(|(directory, names)| Self { directory, names: Some(names) });
        Ok(std::iter::once(Self::default()).chain(nested).collect())
    }

    /// Returns a directory of a source; `None` if it does not exist.
    pub(super) fn at(source: &Source, directory: &BStr) -> Result<Option<Self>, Error> {
        let names = source.names(directory)?;
        Ok(names.map(|names| Self { directory: directory.to_owned(), names: Some(names) }))
    }

    /// Returns the path of a file, unless it is known that there is none.
    pub(super) fn path(&self, name: &str) -> Option<BString> {
        let is_there = self.names.as_ref().is_none_or(|names| names.contains(first(name).as_bytes()));
        is_there.then(|| manifest::join(self.directory.as_ref(), name))
    }

    /// Returns what a file allows a session.
    pub(super) fn gain(&self, path: &BStr, power: Power) -> Gain {
        let noun = if self.directory.is_empty() { "" } else { "project" };
        let name = text::shortened(&text::lossless(self.directory.as_ref()), 64).into_owned();
        Gain { skill: None, noun, name, path: path.to_owned(), place: Place::whole(NO_FILE), power }
    }
}

/// Returns the first name of a path.
fn first(path: &str) -> &str {
    path.split_once('/').map_or(path, |(first, _)| first)
}
