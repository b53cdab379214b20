//! Directory entries as git sees them.

use bstr::{BStr, BString, ByteSlice};
use skilltree_skills::snapshot::{Mode, State};
use skilltree_skills::source::store::{Entry, Kind};
use skilltree_skills::source::{Error, store};

use super::disk::{self, Status};
use super::ignored::Ignores;
use super::{DirectoryReader, Repository};
use crate::git::Filesystem;

impl DirectoryReader<'_> {
    /// Returns an entry; `None` for `.git` and for entries outside `only`.
    pub(super) fn entry(&mut self, directory: &BStr, name: BString, status: Status) -> Result<Option<Entry>, Error> {
        let is_other = |(parent, only): &(BString, BString)| *parent == directory && *only != name;
        if name.eq_ignore_ascii_case(b".git") || self.directory.only.as_ref().is_some_and(is_other) {
            return Ok(None);
        }
        let Some(repository) = &self.directory.repository else {
            let kind = kind(status, None, Filesystem::default());
            return Ok(Some(Entry { name, kind, id: None, state: State::Tracked, stamp: status.stamp }));
        };
        let name = self.spelling(repository, directory, name, status);
        let path = store::join(directory, name.as_bstr());
        let known = repository.entries.mode(path.as_bstr(), repository.filesystem.ignores_case);
        let mut kind = kind(status, known, repository.filesystem);
        let is_directory = kind == Kind::Known(Mode::Directory);
        let is_nested = is_directory
            && known.is_none()
            && !repository.entries.holds(path.as_bstr(), repository.filesystem.ignores_case)
            && self.is_repository(path.as_bstr());
        if is_nested || is_directory && known == Some(Mode::Submodule) {
            kind = Kind::Known(Mode::Submodule);
        }
        let is_asked = is_nested || matches!(kind, Kind::Known(Mode::File | Mode::Executable | Mode::Link));
        let state =
            if known.is_none() && is_asked { self.untracked(path.as_bstr(), is_nested)? } else { State::Tracked };
        Ok(Some(Entry { name, kind, id: None, state, stamp: status.stamp }))
    }

    /// Returns the git spelling of a name, if a case-insensitive file system has another one.
    fn spelling(&self, repository: &Repository, directory: &BStr, name: BString, status: Status) -> BString {
        if !repository.filesystem.ignores_case {
            return name;
        }
        let Some(known) = repository.entries.spelling(directory, name.as_bstr()) else { return name };
        let same = self.disk().status(store::join(directory, known.as_bstr()).as_bstr());
        let is_same = same.is_ok_and(|same| same.identity == status.identity && same.kind == status.kind);
        if is_same { known } else { name }
    }

    /// Returns whether a directory is the working tree of another repository, which git adds as a submodule.
    pub(super) fn is_repository(&self, path: &BStr) -> bool {
        let git = store::join(path, b".git".as_bstr());
        let kind = |name: &[u8]| {
            let path = if name.is_empty() { git.clone() } else { store::join(git.as_bstr(), name.as_bstr()) };
            self.disk().status(path.as_bstr()).ok().map(|status| status.kind)
        };
        let is_directory = |name: &[u8]| kind(name) == Some(disk::Kind::Directory);
        match kind(b"") {
            Some(disk::Kind::File) => true,
            Some(disk::Kind::Directory) => kind(b"HEAD").is_some() && is_directory(b"objects") && is_directory(b"refs"),
            _ => false,
        }
    }

    /// Returns whether a directory of a repository has tracked files.
    pub(super) fn is_tracked(&self, directory: &BStr) -> bool {
        let repository = self.directory.repository.as_ref();
        repository.is_some_and(|repository| repository.entries.holds(directory, repository.filesystem.ignores_case))
    }

    /// Returns whether Git ignores a directory without tracked files.
    pub(super) fn is_ignored(&mut self, directory: &BStr, entry: &Entry) -> Result<bool, Error> {
        let Some(repository) = &self.directory.repository else { return Ok(false) };
        let path = store::join(directory, entry.name.as_bstr());
        let is_asked = entry.kind == Kind::Known(Mode::Directory)
            && !repository.entries.holds(path.as_bstr(), repository.filesystem.ignores_case);
        Ok(is_asked && self.untracked(path.as_bstr(), true)? == State::Ignored)
    }

    pub(super) fn untracked(&mut self, path: &BStr, is_directory: bool) -> Result<State, Error> {
        let directory = self.directory;
        if self.ignores.is_none() {
            self.ignores = directory.repository.as_ref().and_then(|state| Ignores::new(&directory.disk, state));
        }
        let Some(ignores) = &mut self.ignores else {
            return Err(Error::Unreadable {
                path: ".git/config".into(),
                reason: "core.excludesFile is no path".into(),
            });
        };
        let state = ignores.state(path, is_directory);
        directory.note_unread(ignores.unread());
        Ok(state)
    }
}

/// Returns the git kind of an entry. Properties that the file system lacks come from the index.
fn kind(status: Status, known: Option<Mode>, filesystem: Filesystem) -> Kind {
    let executable = status.executable.filter(|_| filesystem.has_modes);
    let is_executable = executable.unwrap_or(known == Some(Mode::Executable));
    match status.kind {
        disk::Kind::Directory => Kind::Known(Mode::Directory),
        disk::Kind::Link => Kind::Known(Mode::Link),
        disk::Kind::Special => Kind::Special,
        disk::Kind::File if !filesystem.has_links && known == Some(Mode::Link) => Kind::Known(Mode::Link),
        disk::Kind::File if is_executable => Kind::Known(Mode::Executable),
        disk::Kind::File => Kind::Known(Mode::File),
    }
}
