//! Lookup of paths by name alone.

use std::collections::HashMap;
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice};

use super::Error;
use super::find::Finder;
use super::store::{self, Store};
use crate::name;
use crate::snapshot::{Presence, Resolution};

/// Maximum number of cached folded names, so that a thousand misspelled links into one directory fold it once.
const KEPT: usize = 500_000;

/// Looks up each path. Unreadable trees outside the roots are not errors.
pub(super) fn of(store: &dyn Store, wanted: &[BString]) -> Vec<Presence> {
    let mut search = Search { finder: Finder::new(store), folded: HashMap::new(), kept: 0 };
    let presence = |path: &BString| match store.is_elsewhere(path.as_bstr()) {
        true => Presence::Unknown,
        false => search.presence(path.as_bstr()).unwrap_or(Presence::Unknown),
    };
    wanted.iter().map(presence).collect()
}

struct Search<'a> {
    finder: Finder<'a>,
    /// The names of directories, folded as case-insensitive file systems compare them.
    folded: HashMap<BString, Rc<HashMap<BString, BString>>>,
    kept: usize,
}

impl Search<'_> {
    fn presence(&mut self, path: &BStr) -> Result<Presence, Error> {
        Ok(match self.finder.resolve(b"".as_bstr(), path)? {
            Resolution::File(_) | Resolution::Directory(_) => Presence::Present,
            Resolution::Outside | Resolution::Absolute => match self.finder.at(path)? {
                Some(_) => Presence::Present,
                None => Presence::Unknown,
            },
            _ => match self.finder.at(path)? {
                Some(_) => Presence::Present,
                None => self.spelled(path)?.map_or(Presence::Absent, Presence::Spelled),
            },
        })
    }

    /// Returns the existing path that differs only in letter case.
    fn spelled(&mut self, path: &BStr) -> Result<Option<BString>, Error> {
        let mut reached = BString::default();
        for component in path.split_str("/") {
            let exact = store::join(reached.as_bstr(), component.as_bstr());
            if self.finder.at(exact.as_bstr())?.is_some() {
                reached = exact;
                continue;
            }
            let Resolution::Directory(directory) = self.finder.resolve(b"".as_bstr(), reached.as_bstr())? else {
                return Ok(None);
            };
            let names = self.names(directory)?;
            let Some(name) = names.get(&*name::folded(component.as_bstr())) else { return Ok(None) };
            reached = store::join(reached.as_bstr(), name.as_bstr());
        }
        Ok(Some(reached))
    }

    /// Returns the names of a directory by folded name; of two with the same fold the first.
    fn names(&mut self, directory: BString) -> Result<Rc<HashMap<BString, BString>>, Error> {
        if let Some(names) = self.folded.get(&directory) {
            return Ok(Rc::clone(names));
        }
        let mut names = HashMap::new();
        if let Some(spot) = self.finder.directory(directory.as_bstr())? {
            for entry in self.finder.children(&spot)?.iter() {
                let folded = name::folded(entry.name.as_bstr()).into_owned();
                names.entry(folded).or_insert_with(|| entry.name.clone());
            }
        }
        if self.kept + names.len() > KEPT {
            self.folded.clear();
            self.kept = 0;
        }
        self.kept += names.len() + 1;
        let names = Rc::new(names);
        self.folded.insert(directory, Rc::clone(&names));
        Ok(names)
    }
}
