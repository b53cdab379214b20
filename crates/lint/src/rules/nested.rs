//! The words for a repository in a repository.

use skilltree_skills::snapshot::{File, State};

/// Returns what the directory of another repository is: Git adds one that is not tracked as a submodule without an address.
pub(super) fn kind(file: &File) -> &'static str {
    if file.state == State::Tracked { "a submodule" } else { "a nested repository" }
}
