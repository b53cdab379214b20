//! Which files that git does not track an ignore file leaves out.

use bstr::{BStr, ByteSlice};
use gix::index::entry::Mode;
use gix::worktree::stack::state::ignore::Source;

use super::disk::{Disk, Kind};
use crate::snapshot::State;
use crate::source::git::{Entries, IGNORE_BYTES, Objects};
use crate::source::{Error, store};

/// The ignore files that were met so far.
pub(super) struct Ignores {
    repository: gix::Repository,
    stack: gix::worktree::Stack,
}

impl Ignores {
    pub(super) fn new(objects: &Objects, entries: &Entries) -> Option<Self> {
        let repository = objects.repository.to_thread_local();
        let stack = repository.excludes(entries.state(), None, Source::default()).ok()?.detach();
        Some(Self { repository, stack })
    }

    /// Whether a file or directory that git does not track is ignored, or only not yet added; `None` when an ignore file
    /// cannot be read.
    pub(super) fn state(&mut self, path: &BStr, is_directory: bool) -> Option<State> {
        let mode = if is_directory { Mode::DIR } else { Mode::FILE };
        let platform = self.stack.at_path(path, Some(mode), &self.repository.objects).ok()?;
        Some(if platform.is_excluded() { State::Ignored } else { State::Untracked })
    }
}

/// Refuses a `.gitignore` that is a pipe, a device or larger than anybody writes it: whoever asks what is ignored reads
/// it, and would wait for ever. It is looked at before its directory is listed, because any file of the listing may be
/// the first to ask.
pub(super) fn look(disk: &Disk, directory: &BStr) -> Result<(), Error> {
    let path = store::join(directory, b".gitignore".as_bstr());
    let reason = match disk.status(path.as_bstr()) {
        Ok(status) if status.kind == Kind::Special => "it is not a regular file",
        Ok(status) if status.kind == Kind::File && status.bytes > IGNORE_BYTES => "it is longer than 1 MiB",
        _ => return Ok(()),
    };
    Err(Error::Unreadable { path, reason: reason.to_owned() })
}
