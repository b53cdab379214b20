//! Lookup of working tree paths in the index.

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;
use skilltree_skills::snapshot::{Mode, ObjectId};
use skilltree_skills::source::store;

use super::{Entries, mode};

impl Entries {
    /// Returns the mode of a tracked path, unless it is only marked by `git add --intent-to-add`.
    pub(crate) fn mode(&self, path: &BStr, ignores_case: bool) -> Option<Mode> {
        let exact = self.tracked(path);
        let entry = if ignores_case { exact.or_else(|| self.tracked(self.folded(path)?)) } else { exact };
        mode(entry?.mode)
    }

    /// Returns the id of a tracked path.
    pub(crate) fn id(&self, path: &BStr) -> Option<ObjectId> {
        self.tracked(path).map(|entry| ObjectId::new(entry.id.as_bytes()))
    }

    /// Returns whether a directory has tracked files.
    pub(crate) fn holds(&self, directory: &BStr, ignores_case: bool) -> bool {
        let prefix = store::join(directory, b"".as_bstr());
        let first = self.state.entries().get(self.first_from(prefix.as_bstr()));
        first.is_some_and(|entry| entry.path(&self.state).starts_with(&prefix))
            || ignores_case && self.folded(prefix.as_bstr()).is_some()
    }

    /// Returns the tracked spelling of a name in a directory, if it differs only in letter case.
    pub(crate) fn spelling(&self, directory: &BStr, name: &BStr) -> Option<BString> {
        let path = store::join(directory, name);
        let below = store::join(path.as_bstr(), b"".as_bstr());
        if self.tracked(path.as_bstr()).is_some() || self.holds(path.as_bstr(), false) {
            return None;
        }
        let known = self.folded(path.as_bstr()).or_else(|| self.folded(below.as_bstr()))?;
        Some(known[path.len() - name.len()..path.len()].into())
    }

    pub(super) fn tracked(&self, path: &BStr) -> Option<&gix::index::Entry> {
        let entry = self.state.entries().get(self.first_from(path))?;
        let is_tracked = entry.path(&self.state) == path && !entry.flags.contains(Flags::INTENT_TO_ADD);
        is_tracked.then_some(entry)
    }

    /// Returns the tracked path that equals this one without letter case, or begins with it if it ends in `/`.
    fn folded(&self, path: &BStr) -> Option<&BStr> {
        let folded = self.folded.get_or_init(|| {
            let paths = (0..self.state.entries().len()).map(|number| (self.path(number).to_ascii_lowercase(), number));
            paths.collect()
        });
        let path = path.to_ascii_lowercase();
        let (found, number) = folded.range(path.clone()..).next()?;
        let is_same = *found == path || path.ends_with(b"/") && found.starts_with(&path);
        is_same.then(|| self.path(*number))
    }
}
