//! The short way of a hook: a commit that changes nothing which a rule reads adds no finding, so no skill is read.

use bstr::ByteSlice;

use skilltree_git::Revision;
use skilltree_lint::changes::authority;
use skilltree_lint::{lint, versions};
use skilltree_skills::source::Difference;

use crate::absent::{CHANGED, keeps_anchors, named};
use crate::failure::Failure;
use crate::options::Options;
use crate::place::Place;
use crate::purpose::Purpose;
use crate::session;

/// Returns whether the index differs from `HEAD` only in files that no rule reads. In doubt, and on every error, it returns `false`: the
/// check then reports the error.
pub(crate) fn is_untouched(place: &Place, options: &Options) -> bool {
    untouched(place, options).unwrap_or(false)
}

fn untouched(place: &Place, options: &Options) -> Result<bool, Failure> {
    let Some(differences) = skilltree_git::differences(place, &place.environment, CHANGED)? else { return Ok(false) };
    let index = skilltree_git::open(place, &Revision::Index, &place.environment)?;
    let config = session::configure(place, &index, options)?;
    // This setting is about the state, not about the change.
    if config.error_on_empty {
        return Ok(false);
    }
    if differences.is_empty() {
        return Ok(true);
    }
    let paths = || differences.iter().map(|difference| difference.path.as_bstr()).collect();
    if versions::is_wanted(&config) && authority::may_read(&index, &paths())? {
        return Ok(false);
    }
    let is_addition = |difference: &Difference| difference.before.is_none();
    if lint::reports_leaving_links(&config) && differences.iter().any(is_addition) {
        return Ok(false);
    }
    if index.is_touched(&differences, &Purpose::Check.roots(&config), &named(&config))? {
        return Ok(false);
    }
    let edited: Vec<&Difference> = differences.iter().filter(|difference| difference.edits_markdown()).collect();
    if edited.is_empty() || !lint::looks_for_anchors(&config) {
        return Ok(true);
    }
    let head = skilltree_git::open(place, &Revision::Tree("HEAD".to_owned()), &place.environment)?;
    for difference in edited {
        if !keeps_anchors(&index, &head, difference)? {
            return Ok(false);
        }
    }
    Ok(true)
}
