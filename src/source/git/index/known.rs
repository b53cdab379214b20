//! What an index knows of the paths of a work tree.

use bstr::{BStr, BString, ByteSlice};
use gix::index::entry::Flags;

use super::{Entries, mode};
use crate::snapshot::{Mode, ObjectId};
use crate::source::store;

impl Entries {
    /// What git knows of a path: the mode of its entry, unless it is only meant to be added. Where letters in the other
    /// case are the same, they are.
    pub(in crate::source) fn mode(&self, path: &BStr, ignores_case: bool) -> Option<Mode> {
        let exact = self.tracked(path);
        let entry = if ignores_case { exact.or_else(|| self.tracked(self.folded(path)?)) } else { exact };
        mode(entry?.mode)
    }

    /// The id of what is added at a path.
    pub(in crate::source) fn id(&self, path: &BStr) -> Option<ObjectId> {
        self.tracked(path).map(|entry| ObjectId::new(entry.id.as_bytes()))
    }

    /// Whether something below a directory is added.
    pub(in crate::source) fn holds(&self, directory: &BStr, ignores_case: bool) -> bool {
        let prefix = store::join(directory, b"".as_bstr());
        let first = self.state.entries().get(self.first_from(prefix.as_bstr()));
        first.is_some_and(|entry| entry.path(&self.state).starts_with(&prefix))
            || ignores_case && self.folded(prefix.as_bstr()).is_some()
    }

    /// A name in a directory as git has it, where it has it in letters of the other case alone.
    pub(in crate::source) fn spelling(&self, directory: &BStr, name: &BStr) -> Option<BString> {
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

    /// The path of the index that is this one but for the case of its letters, or begins with it where it ends in `/`.
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
