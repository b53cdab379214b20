//! Lookup of untracked files in ignore files.

use bstr::{BStr, ByteSlice};
use gix::index::entry::Mode;
use gix::worktree::stack::state::ignore::Source;
use skilltree_skills::snapshot::State;
use skilltree_skills::source::{Error, store};

use super::disk::{Disk, Kind};
use crate::git::{Entries, IGNORE_BYTES, Objects};

/// The ignore files read so far.
pub(super) struct Ignores {
    repository: gix::Repository,
    stack: gix::worktree::Stack,
    is_complete: bool,
}

/// A path in the Git directory that does not exist.
const NOWHERE: &str = "skilltree/no-ignore-file";

impl Ignores {
    /// Reads the ignore files that hold for the whole repository. The user's own one is skipped if it cannot be read, as Git does:
    /// in a container, the home directory often belongs to another user.
    pub(super) fn new(objects: &Objects, entries: &Entries) -> Option<Self> {
        let mut repository = objects.repository.to_thread_local();
        let mut is_complete = true;
        if repository.excludes(entries.state(), None, Source::default()).is_err() {
            let nowhere = repository.git_dir().join(NOWHERE);
            let value = gix::path::into_bstr(nowhere).ok()?.into_owned();
            repository.config_snapshot_mut().set_raw_value("core.excludesFile", value.as_bstr()).ok()?;
            is_complete = false;
        }
        let stack = repository.excludes(entries.state(), None, Source::default()).ok()?.detach();
        Some(Self { repository, stack, is_complete })
    }

    /// Returns whether the user's own ignore file was read, if there is one.
    pub(super) fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Returns whether an untracked file or directory is ignored; `None` if an ignore file cannot be read.
    pub(super) fn state(&mut self, path: &BStr, is_directory: bool) -> Option<State> {
        let mode = if is_directory { Mode::DIR } else { Mode::FILE };
        let platform = self.stack.at_path(path, Some(mode), &self.repository.objects).ok()?;
        Some(if platform.is_excluded() { State::Ignored } else { State::Untracked })
    }
}

/// Rejects a `.gitignore` that is a pipe, a device or too large, because reading it could block forever. Called before
/// the directory is listed, since any entry may trigger the read.
pub(super) fn validate(disk: &Disk, directory: &BStr) -> Result<(), Error> {
    let path = store::join(directory, b".gitignore".as_bstr());
    let reason = match disk.status(path.as_bstr()) {
        Ok(status) if status.kind == Kind::Special => "it is not a regular file",
        Ok(status) if status.kind == Kind::File && status.bytes > IGNORE_BYTES => "it is larger than 1 MiB",
        _ => return Ok(()),
    };
    Err(Error::Unreadable { path, reason: reason.to_owned() })
}
