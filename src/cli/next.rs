//! What a hook before a commit checks, and compares it with.

use super::environment;
use crate::failure::Failure;
use crate::place::Place;

/// The state to check.
pub(super) struct Next {
    /// A commit that pre-commit names; `None` for the index.
    pub(super) rev: Option<String>,
    /// Without a base, every finding counts.
    pub(super) base: Option<String>,
}

/// Returns the next commit, compared with `HEAD`. Before the first commit, and if nothing is staged, there is nothing to compare:
/// then a person or a workflow asks about everything. Git sets `GIT_INDEX_FILE` when it commits, even if a commit changes no file.
pub(super) fn commit(place: &Place) -> Result<Next, Failure> {
    if let Some(pushed) = environment::pushed() {
        return Ok(Next { rev: Some(pushed.to), base: pushed.from });
    }
    let is_unborn = !place.has("HEAD")?;
    let is_committing = place.environment.index_file.is_some();
    let compares = !is_unborn && (is_committing || !skilltree_git::is_committed(place, &place.environment)?);
    Ok(Next { rev: None, base: compares.then(|| "HEAD".to_owned()) })
}
