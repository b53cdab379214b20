//! Directories below the top that have settings of their own, which apply to sessions that start there.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::discover::DIRECTORIES;
use super::store::{Entry, Kind, Reader, Spot, Store};
use super::{Error, expand, find};
use crate::snapshot::{Mode, ObjectId, State};

/// Maximum depth of a directory (ours: 256).
const DEPTH: usize = 256;

/// Maximum directories with settings (ours: 10,000).
const FOUND: usize = 10_000;

/// Directories, each with the names of its settings.
pub(super) type Found = BTreeMap<BString, BTreeSet<BString>>;

/// Returns the directories below the top that have entries with some names, on either side, among those that may differ between two
/// states. Directories with the same id, ignored ones and `node_modules` are skipped.
pub(super) fn directories(head: &dyn Store, base: &dyn Store, names: &BTreeSet<&BStr>) -> Result<Found, Error> {
    let readers = [head.reader(), base.reader()];
    let mut search = Search { readers, names, found: Found::new(), empty: HashSet::new(), listed: 0 };
    search.visit([Some(head.top()), Some(base.top())], 0)?;
    Ok(search.found)
}

/// A directory on both sides.
type Both = [Option<Spot>; 2];

struct Search<'a> {
    readers: [Box<dyn Reader + 'a>; 2],
    names: &'a BTreeSet<&'a BStr>,
    found: Found,
    /// Pairs of trees with nothing below them.
    empty: HashSet<[Option<ObjectId>; 2]>,
    listed: usize,
}

impl Search<'_> {
    /// Searches a directory. Returns whether something was found.
    fn visit(&mut self, both: Both, depth: usize) -> Result<bool, Error> {
        let ids = both.each_ref().map(|spot| spot.as_ref().and_then(|spot| spot.id));
        let is_known = both.iter().zip(&ids).all(|(spot, id)| spot.is_none() || id.is_some());
        if is_known && (ids[0] == ids[1] || self.empty.contains(&ids)) {
            return Ok(false);
        }
        self.listed += 1;
        if self.listed > DIRECTORIES {
            return Err(Error::TooManyDirectories { limit: DIRECTORIES as u64 });
        }
        let path = both.iter().flatten().next().map(|spot| spot.path.clone()).unwrap_or_default();
        if depth > DEPTH {
            return Err(Error::TooDeepSearch { path: path[..path.len().min(120)].into(), limit: DEPTH as u64 });
        }
        let mut below: BTreeMap<BString, Both> = BTreeMap::new();
        let mut names = BTreeSet::new();
        for (side, spot) in both.iter().enumerate() {
            for entry in self.children(side, spot.as_ref())? {
                if depth > 0 && self.names.contains(entry.name.as_bstr()) {
                    names.insert(entry.name.clone());
                }
                if let (Kind::Known(Mode::Directory), Some(spot)) = (entry.kind, spot) {
                    below.entry(entry.name.clone()).or_default()[side] = Some(spot.child(&entry));
                }
            }
        }
        let mut has_found = !names.is_empty();
        if has_found {
            self.found.insert(path, names);
        }
        if self.found.len() > FOUND {
            return Err(Error::TooManySettings { limit: FOUND });
        }
        for (_, both) in below {
            has_found |= self.visit(both, depth + 1)?;
        }
        if is_known && !has_found {
            self.empty.insert(ids);
        }
        Ok(has_found)
    }

    /// Returns the entries of a directory that count. No runtime reads what cannot be read.
    fn children(&mut self, side: usize, spot: Option<&Spot>) -> Result<Vec<Entry>, Error> {
        let Some(spot) = spot else { return Ok(Vec::new()) };
        find::within_limit(&spot.path)?;
        let mut entries = match self.readers[side].children(spot) {
            Err(Error::Unreadable { .. }) => Vec::new(),
            entries => entries?,
        };
        entries.retain(|entry| entry.state != State::Ignored && !expand::is_skipped(entry.name.as_bstr()));
        Ok(entries)
    }
}
