//! A store that lists each directory once: for a process that reads one state many times.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use bstr::{BStr, BString};

use super::Error;
use super::store::{Content, Entry, IgnoredBy, Layer, Position, Reader, Spot, Store};
use crate::snapshot::ObjectId;

/// Maximum number of cached entries (ours). Further directories are listed each time.
const KEPT: usize = 1_000_000;

/// A store with a cache of listings.
pub(super) struct Cached {
    below: Arc<dyn Store>,
    listings: Mutex<Listings>,
}

/// Listings by directory and kind.
#[derive(Default)]
struct Listings {
    known: HashMap<(BString, ListingKind), Arc<Vec<Entry>>>,
    kept: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum ListingKind {
    Children,
    Outline,
}

impl Cached {
    pub(super) fn new(below: Arc<dyn Store>) -> Self {
        Self { below, listings: Mutex::default() }
    }

    fn known(&self, directory: &Spot, kind: ListingKind) -> Option<Arc<Vec<Entry>>> {
        let listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        listings.known.get(&(directory.path.clone(), kind)).cloned()
    }

    fn keep(&self, directory: &Spot, kind: ListingKind, entries: &[Entry]) {
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        if listings.kept + entries.len() < KEPT {
            listings.kept += entries.len() + 1;
            listings.known.insert((directory.path.clone(), kind), Arc::new(entries.to_vec()));
        }
    }
}

impl Layer for Cached {
    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn reader_over<'a>(&'a self, below: Box<dyn Reader + 'a>) -> Box<dyn Reader + 'a> {
        Box::new(CachedReader { cached: self, below })
    }
}

/// A reader of a [`Cached`].
struct CachedReader<'a> {
    cached: &'a Cached,
    below: Box<dyn Reader + 'a>,
}

impl CachedReader<'_> {
    fn list(
        &mut self,
        directory: &Spot,
        kind: ListingKind,
        list: impl FnOnce(&mut dyn Reader) -> Result<Vec<Entry>, Error>,
    ) -> Result<Vec<Entry>, Error> {
        if let Some(known) = self.cached.known(directory, kind) {
            return Ok(known.to_vec());
        }
        let entries = list(&mut *self.below)?;
        self.cached.keep(directory, kind, &entries);
        Ok(entries)
    }
}

impl Reader for CachedReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        self.list(directory, ListingKind::Children, |below| below.children(directory))
    }

    fn outline(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        self.list(directory, ListingKind::Outline, |below| below.outline(directory))
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
