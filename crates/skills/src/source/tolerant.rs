//! A store whose directories may be unreadable: they are noted, and look empty.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use bstr::BStr;

use super::Error;
use super::store::{Content, Entry, IgnoredBy, Layer, Position, Reader, Spot, Store};
use crate::roots::Owner;
use crate::snapshot::{ObjectId, Unread};

/// Notes the directories of a store that cannot be listed.
pub(super) struct Tolerant {
    below: Arc<dyn Store>,
    unread: Mutex<BTreeSet<Unread>>,
}

impl Tolerant {
    pub(super) fn new(below: Arc<dyn Store>) -> Self {
        Self { below, unread: Mutex::default() }
    }

    /// Returns the directories that could not be listed so far, sorted by path.
    pub(super) fn unread(&self) -> Vec<Unread> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn note(&self, directory: &Spot, listed: Result<Vec<Entry>, Error>) -> Result<Vec<Entry>, Error> {
        match listed {
            // An ignore file that is a pipe or too large is no matter of permissions: without it, the directory has no known content.
            Err(Error::Unreadable { ref path, .. }) if path.ends_with(b".gitignore") => listed,
            Err(error @ Error::Unreadable { .. }) if !directory.path.is_empty() => {
                let (path, owner) = (directory.path.clone(), Owner::Repository);
                let unread = Unread { path, owner, message: error.to_string() };
                self.unread.lock().unwrap_or_else(PoisonError::into_inner).insert(unread);
                Ok(Vec::new())
            }
            listed => listed,
        }
    }
}

impl Layer for Tolerant {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn reader_over<'a>(&'a self, below: Box<dyn Reader + 'a>) -> Box<dyn Reader + 'a> {
        Box::new(TolerantReader { store: self, below })
    }
}

/// A reader of a [`Tolerant`] store.
struct TolerantReader<'a> {
    store: &'a Tolerant,
    below: Box<dyn Reader + 'a>,
}

impl Reader for TolerantReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        let listed = self.below.children(directory);
        self.store.note(directory, listed)
    }

    fn outline(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        let listed = self.below.outline(directory);
        self.store.note(directory, listed)
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        self.below.content(file, limit)
    }

    fn position(&mut self, file: &Spot) -> Option<Position> {
        self.below.position(file)
    }

    fn ignored_by(&mut self, path: &BStr, is_directory: bool) -> Option<IgnoredBy> {
        self.below.ignored_by(path, is_directory)
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        self.below.id(file)
    }
}
