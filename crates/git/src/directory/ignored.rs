//! Lookup of untracked files in ignore files. Git warns of one that it cannot read, and goes on without it.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use gix::glob::pattern::Case;
use gix::ignore::Search;
use gix::ignore::search::Ignore as Parse;
use gix::index::entry::Mode;
use gix::worktree::stack::State as StackState;
use gix::worktree::stack::state::{Ignore, ignore::Source};
use skilltree_front_matter::text;
use skilltree_skills::roots;
use skilltree_skills::snapshot::State;
use skilltree_skills::source::store::{self, IgnoredBy};
use skilltree_skills::source::{Error, os_path};

use super::Repository;
use super::disk::{Disk, Kind, Status};
use crate::git::IGNORE_BYTES;

/// The ignore files read so far.
pub(super) struct Ignores<'a> {
    disk: &'a Disk,
    state: &'a Repository,
    repository: gix::Repository,
    /// The ignore files that hold for the whole repository.
    globals: Search,
    stack: gix::worktree::Stack,
    /// Ignore files that cannot be read, by the path to show.
    unread: BTreeSet<BString>,
    /// Directories with such a file.
    blind: BTreeSet<BString>,
}

/// A path in the Git directory that does not exist.
const NOWHERE: &str = "skilltree/no-ignore-file";

/// The name of an ignore file.
const NAME: &[u8] = b".gitignore";

/// As Git reads patterns.
const PARSE: Parse = Parse { support_precious: false };

impl<'a> Ignores<'a> {
    /// Reads the ignore files that hold for the whole repository. In a container, the home directory often belongs to another user.
    pub(super) fn new(disk: &'a Disk, state: &'a Repository) -> Option<Self> {
        let repository = state.objects.repository.to_thread_local();
        let nowhere = repository.git_dir().join(NOWHERE);
        let set = repository.config_snapshot().trusted_path("core.excludesFile").ok()?;
        let mut excludes = set.or_else(|| gix::path::env::xdg_config("ignore", &mut gix::path::env::var));
        let mut unread = BTreeSet::new();
        let read = |git: &Path, excludes| Search::from_git_dir(git, excludes, &mut Vec::new(), PARSE);
        if read(&nowhere, excludes.clone()).is_err() {
            unread.extend(excludes.take().and_then(|path| shown(&repository, &path)));
        }
        let mut git = repository.common_dir();
        if read(git, None).is_err() {
            unread.extend(shown(&repository, &git.join("info/exclude")));
            git = &nowhere;
        }
        let globals = read(git, excludes).ok()?;
        let stack = stack(&repository, state, &globals);
        Some(Self { disk, state, repository, globals, stack, unread, blind: BTreeSet::new() })
    }

    /// Returns the ignore files that could not be read.
    pub(super) fn unread(&self) -> &BTreeSet<BString> {
        &self.unread
    }

    /// Returns whether an untracked file or directory is ignored.
    pub(super) fn state(&mut self, path: &BStr, is_directory: bool) -> State {
        let is_excluded = match self.blind.iter().any(|directory| roots::is_within(path, directory.as_bstr())) {
            true => self.is_excluded(path, is_directory),
            false => {
                let mode = if is_directory { Mode::DIR } else { Mode::FILE };
                match self.stack.at_path(path, Some(mode), &self.repository.objects) {
                    Ok(platform) => platform.is_excluded(),
                    Err(_) => {
                        // After an error, the stack lacks a directory. It would fail again for the next file here.
                        self.blind.insert(text::parent(path).to_owned());
                        self.stack = stack(&self.repository, self.state, &self.globals);
                        self.is_excluded(path, is_directory)
                    }
                }
            }
        };
        if is_excluded { State::Ignored } else { State::Untracked }
    }

    /// Returns the pattern that makes Git ignore an untracked file or directory itself.
    pub(super) fn pattern(&mut self, path: &BStr, is_directory: bool) -> Option<IgnoredBy> {
        let mode = if is_directory { Mode::DIR } else { Mode::FILE };
        let platform = self.stack.at_path(path, Some(mode), &self.repository.objects).ok()?;
        let found = platform.matching_exclude_pattern().filter(|found| !found.pattern.is_negative())?;
        Some(IgnoredBy { file: shown(&self.repository, found.source?)?, line: found.sequence_number })
    }

    /// Returns whether the readable ignore files from the top down to a path exclude it.
    fn is_excluded(&mut self, path: &BStr, is_directory: bool) -> bool {
        let mut search = self.globals.clone();
        for end in path.find_iter("/").chain([path.len()]) {
            let inner = path[..end].as_bstr();
            let directory = text::parent(inner);
            let file = store::join(directory, NAME.as_bstr());
            match self.read(file.as_bstr()) {
                Ok(bytes) => {
                    let source = os_path(file.as_bstr()).into_owned();
                    let added = search.add_patterns_buffer(&bytes, source, Some(Path::new("")), PARSE);
                    debug_assert!(added.is_ok(), "the path is relative to the top");
                }
                Err(_) => {
                    self.unread.insert(file);
                    self.blind.insert(directory.to_owned());
                }
            }
            let is_directory = end < path.len() || is_directory;
            let found = search.pattern_matching_relative_path(inner, Some(is_directory), case(self.state));
            if found.is_some_and(|found| !found.pattern.is_negative()) {
                return true;
            }
        }
        false
    }

    /// Returns the bytes of an ignore file; none if it is missing or no regular file.
    fn read(&self, path: &BStr) -> std::io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match self.disk.status(path) {
            Ok(status) if status.kind == Kind::File => {
                self.disk.open(path)?.0.take(IGNORE_BYTES).read_to_end(&mut bytes)?;
                Ok(bytes)
            }
            _ => Ok(bytes),
        }
    }
}

/// Returns a new stack of ignore files.
fn stack(repository: &gix::Repository, state: &Repository, globals: &Search) -> gix::worktree::Stack {
    let index = state.entries.state();
    let ignore = Ignore::new(Search::default(), globals.clone(), None, Source::default(), PARSE);
    let ignore = StackState::IgnoreStack(ignore);
    let ids = ignore.id_mappings_from_index(index, index.path_backing(), case(state));
    let top = repository.workdir().unwrap_or(repository.git_dir());
    gix::worktree::Stack::new(top, ignore, case(state), Vec::new(), ids)
}

fn case(state: &Repository) -> Case {
    if state.filesystem.ignores_case { Case::Fold } else { Case::Sensitive }
}

/// Returns the path of a file to show: below the top of the working tree without it.
fn shown(repository: &gix::Repository, path: &Path) -> Option<BString> {
    let below = repository.workdir().and_then(|top| path.strip_prefix(top).ok()).unwrap_or(path);
    gix::path::into_bstr(below).ok().map(|path| path.into_owned())
}

/// Rejects a `.gitignore` that is a pipe, a device or too large, because reading it could block forever. Called before
/// the first entry of the directory is looked up, since any may trigger the read.
pub(super) fn validate(disk: &Disk, directory: &BStr, listed: &[(BString, Status)]) -> Result<(), Error> {
    if !listed.iter().any(|(name, _)| name.eq_ignore_ascii_case(NAME)) {
        return Ok(());
    }
    let path = store::join(directory, NAME.as_bstr());
    let reason = match disk.status(path.as_bstr()) {
        Ok(status) if status.kind == Kind::Special => "it is not a regular file",
        Ok(status) if status.kind == Kind::File && status.bytes > IGNORE_BYTES => "it is larger than 1 MiB",
        _ => return Ok(()),
    };
    Err(Error::Unreadable { path, reason: reason.to_owned() })
}
