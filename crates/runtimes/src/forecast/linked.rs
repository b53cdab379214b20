//! Skills that several paths reach: each has the best fate of its paths.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use super::layout::{self, Found};
use super::reason::Reason;
use super::{Outcome, SkillForecast, fields, renamed};
use crate::catalog::Catalog;
use crate::places::reads;
use crate::profile::Profile;
use crate::profile::files::Follow;
use skilltree_front_matter::text;
use skilltree_skills::roots::RootId;
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

/// Forecasts a skill at another place that the runtime reads: at a link in a skills directory around that of the skill, or where it is,
/// below a skills directory that is searched so deep. `None` if there is none.
pub(super) fn elsewhere(catalog: &Catalog, id: SkillId, profile: &Profile) -> Option<SkillForecast> {
    let forecast = at_link(catalog, id, profile).or_else(|| below_another(catalog, id, profile))?;
    Some(SkillForecast { reads_root: true, ..forecast })
}

fn at_link(catalog: &Catalog, id: SkillId, profile: &Profile) -> Option<SkillForecast> {
    let (own, loads) = (catalog.skill(id).root, &profile.loads);
    let mut paths = catalog.links().shortcuts(&catalog.parsed, id).into_iter();
    let (_, path) = paths.find(|(root, path)| {
        let is_read = *root != own && reads(profile, catalog.root(*root));
        is_read && layout::is_visible(catalog, *root, path.as_bstr(), loads)
    })?;
    match loads.links.directory {
        Some(Follow::Followed) => Some(renamed(catalog, id, loads, path.as_bstr())),
        Some(Follow::Ignored | Follow::Refused) => None,
        None | Some(Follow::Unknown) => Some(SkillForecast::without_text(Outcome::Unknown, Reason::Link, None)),
    }
}

fn below_another(catalog: &Catalog, id: SkillId, profile: &Profile) -> Option<SkillForecast> {
    let skill = catalog.skill(id);
    let directory = text::parent(catalog.path(id));
    let is_read = |&&root: &&RootId| {
        reads(profile, catalog.root(root)) && layout::is_visible(catalog, root, directory, &profile.loads)
    };
    catalog.around(skill.root).iter().find(is_read)?;
    // A package decides about its skills.
    if catalog.packages(profile).reads(skill.root) {
        return None;
    }
    match layout::forecast(catalog, id, &profile.loads) {
        Found::Through(_) => None,
        Found::Not(forecast) if skill.depth > 0 => Some(forecast),
        // Directly in its own skills directory, it is a skill like any other of the one around.
        Found::Here | Found::Not(_) => Some(fields::forecast(catalog, id, &profile.loads)),
    }
}
