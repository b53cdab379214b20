//! Skills that several paths reach: each has the best fate of its paths.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::reason::Reason;
use super::{Outcome, SkillForecast, layout, renamed};
use crate::catalog::Catalog;
use crate::places::reads;
use crate::profile::Profile;
use crate::profile::files::Follow;
use skilltree_skills::skill::SkillId;

/// Returns what happens to a skill that a runtime reads: the least is the best.
pub(super) fn fate(forecast: &SkillForecast) -> (Outcome, bool) {
    (forecast.if_read, !forecast.listed)
}

/// Returns what happens to a skill where it is: the least is the best.
pub(super) fn rank(forecast: &SkillForecast) -> (bool, (Outcome, bool)) {
    (!forecast.reads_root, fate(forecast))
}

/// Returns the skill whose path has the best fate, by each other skill that is the same file.
pub(super) fn best(catalog: &Catalog, skills: &[SkillForecast], wanted: &[bool]) -> BTreeMap<SkillId, SkillId> {
    let mut best = BTreeMap::new();
    for group in catalog.links().groups() {
        let known = || group.iter().copied().filter(|&id| wanted[catalog.skill(id).root.index()]);
        if let Some(first) = known().min_by_key(|id| rank(&skills[id.index()])) {
            best.extend(known().filter(|&id| id != first).map(|id| (id, first)));
        }
    }
    best
}

/// Forecasts a skill at a link in another skills directory that the runtime reads, around that of the skill; `None` if there is none.
pub(super) fn elsewhere(catalog: &Catalog, id: SkillId, profile: &Profile) -> Option<SkillForecast> {
    let (own, loads) = (catalog.skill(id).root, &profile.loads);
    let mut paths = catalog.links().shortcuts(&catalog.parsed, id).into_iter();
    let (_, path) = paths.find(|(root, path)| {
        let is_read = *root != own && reads(profile, catalog.root(*root));
        is_read && layout::is_visible(catalog, *root, path.as_bstr(), loads)
    })?;
    let forecast = match loads.links.directory {
        Some(Follow::Followed) => renamed(catalog, id, loads, path.as_bstr()),
        Some(Follow::Ignored | Follow::Refused) => return None,
        None | Some(Follow::Unknown) => SkillForecast::without_text(Outcome::Unknown, Reason::Link, None),
    };
    Some(SkillForecast { reads_root: true, ..forecast })
}
