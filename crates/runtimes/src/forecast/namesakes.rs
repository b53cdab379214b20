//! Duplicate names: which of the skills a runtime keeps.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use bstr::{BStr, ByteSlice};

use super::reason::{Namesake, Reason};
use super::{Outcome, Shown, SkillForecast};
use crate::catalog::Catalog;
use crate::profile::identity::{IdentityBy, Winner};
use crate::profile::loads::Loads;
use crate::profile::{Profile, Reported, Verdict};
use crate::scope;
use skilltree_skills::collation;
use skilltree_skills::roots::{Root, RootId};
use skilltree_skills::skill::{Skill, SkillId};

/// Resolves duplicate names: first within each root, then across the roots that the runtime reads from one directory.
/// The effect of roots in other directories depends on where the runtime starts.
pub(super) fn resolve_all(catalog: &Catalog, profile: &Profile, plain: &PlainNames<'_>, skills: &mut [SkillForecast]) {
    let loads = &profile.loads;
    let place_of = |root: &Root| scope::ranks(profile, root).next().map(|rank| (rank.base.to_owned(), rank.place));
    let ranks: Vec<_> = catalog.parsed.roots.iter().map(place_of).collect();
    for group in namesakes(catalog, loads, plain, skills) {
        for root in group.chunk_by(|&a, &b| catalog.skill(a).root == catalog.skill(b).root) {
            let mut distinct = distinct(catalog, root);
            if loads.duplicates.by_locale {
                let names =
                    |path: &BStr| path.split_str("/").map(|name| collation::key(&name.to_str_lossy())).collect();
                distinct.sort_by_cached_key(|&id| -> Vec<_> { names(catalog.path(id)) });
            }
            resolve(catalog, loads, (loads.duplicates.same_root, false), &distinct, skills);
        }
        let mut by_base: BTreeMap<&[u8], Vec<(usize, SkillId)>> = BTreeMap::new();
        for &id in group.iter().filter(|id| is_there(&skills[id.index()])) {
            if let Some((base, place)) = &ranks[catalog.skill(id).root.index()] {
                by_base.entry(base.as_slice()).or_default().push((*place, id));
            }
        }
        for mut ranked in by_base.into_values() {
            ranked.sort();
            let ids: Vec<SkillId> = ranked.iter().map(|&(_, id)| id).collect();
            if ids.iter().any(|&id| catalog.skill(id).root != catalog.skill(ids[0]).root) {
                resolve_across_roots(catalog, loads, &distinct(catalog, &ids), skills);
            }
        }
    }
}

/// Names that every runtime compares alike: in lowercase ASCII, and the same as the directory's.
pub(crate) struct PlainNames<'a> {
    /// In the order of all skills.
    names: Vec<Option<&'a str>>,
    all: HashSet<&'a str>,
    repeated: Vec<&'a str>,
}

impl<'a> PlainNames<'a> {
    pub(super) fn new(catalog: &'a Catalog) -> Self {
        let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let name = |skill: &'a Skill| {
            skill.name().filter(|name| skill.directory == name.as_bytes() && name.bytes().all(is_plain))
        };
        let names: Vec<Option<&str>> = catalog.skills().map(|(_, skill)| name(skill)).collect();
        let mut all = HashSet::with_capacity(names.len());
        let repeated = names.iter().flatten().copied().filter(|name| !all.insert(*name)).collect();
        Self { names, all, repeated }
    }

    /// Returns the name of a skill if it is plain, and a runtime shows it as it is.
    fn shown(&self, id: SkillId, loads: &Loads, skills: &[SkillForecast]) -> Option<&'a str> {
        let is_same = matches!(skills[id.index()].name, Some(Shown::Written | Shown::Directory));
        self.names[id.index()].filter(|_| is_same || loads.identity.by == Some(IdentityBy::Directory))
    }
}

/// Groups the loaded skills that share an identity, each group in the order of roots and paths.
fn namesakes(catalog: &Catalog, loads: &Loads, plain: &PlainNames<'_>, skills: &[SkillForecast]) -> Vec<Vec<SkillId>> {
    let other = |id: SkillId| {
        let skill = catalog.skill(id);
        let name = match (loads.identity.by, &skills[id.index()].name) {
            (Some(IdentityBy::Directory), _) => skill.directory.to_str_lossy(),
            (_, Some(name)) => name.text(skill, "name"),
            (_, None) => return None,
        };
        Some(loads.identity.compared(name))
    };
    let name = |id: SkillId| plain.shown(id, loads, skills).map_or_else(|| other(id), |name| Some(Cow::Borrowed(name)));
    let there = || catalog.skills().filter(|(id, _)| is_there(&skills[id.index()]));
    let others = there().filter(|&(id, _)| plain.shown(id, loads, skills).is_none());
    let mut seen = HashSet::new();
    let mut repeated: HashSet<Cow<'_, str>> = plain.repeated.iter().map(|name| Cow::Borrowed(*name)).collect();
    for name in others.filter_map(|(id, _)| other(id)) {
        if plain.all.contains(&*name) || !seen.insert(name.clone()) {
            repeated.insert(name);
        }
    }
    // Most repositories have no duplicates.
    if repeated.is_empty() {
        return Vec::new();
    }
    let mut named: Vec<(Cow<'_, str>, RootId, SkillId)> =
        there().filter_map(|(id, skill)| Some((name(id)?, skill.root, id))).collect();
    named.retain(|(name, ..)| repeated.contains(name));
    named.sort_unstable();
    let groups = named.chunk_by(|(one, ..), (other, ..)| one == other).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|&(.., id)| id).collect()).collect()
}

fn is_there(forecast: &SkillForecast) -> bool {
    matches!(forecast.if_read, Outcome::Loads | Outcome::Changes)
}

/// Removes skills that a link reaches a second time.
fn distinct(catalog: &Catalog, ids: &[SkillId]) -> Vec<SkillId> {
    let mut seen = BTreeSet::new();
    let path = |id: SkillId| catalog.file(catalog.skill(id).file).shown_path();
    ids.iter().copied().filter(|&id| seen.insert(path(id))).collect()
}

/// Resolves duplicates across roots; identical copies need no winner.
fn resolve_across_roots(catalog: &Catalog, loads: &Loads, ids: &[SkillId], skills: &mut [SkillForecast]) {
    let winner = loads.duplicates.across_roots;
    let is_open = matches!(winner, None | Some(Winner::Any));
    if is_open && ids.iter().all(|&id| catalog.are_copies(ids[0], id)) {
        return;
    }
    resolve(catalog, loads, (winner, true), ids, skills);
}

/// Applies the rule for duplicates to skills that are sorted by precedence.
fn resolve(
    catalog: &Catalog,
    loads: &Loads,
    (winner, across): (Option<Winner>, bool),
    ids: &[SkillId],
    skills: &mut [SkillForecast],
) {
    let [first, middle @ .., last] = ids else { return };
    let reason = |rule| Reason::Namesake { rule, across, copy: false };
    let lost_to = |rule, winner, id| Reason::Namesake { rule, across, copy: catalog.are_copies(winner, id) };
    let loser = loads.duplicates.loser;
    match winner {
        Some(Winner::First) => {
            for &id in middle.iter().chain([last]) {
                lose(&mut skills[id.index()], lost_to(Namesake::First, *first, id), loser);
            }
        }
        Some(Winner::Last) => {
            for &id in [first].into_iter().chain(middle) {
                lose(&mut skills[id.index()], lost_to(Namesake::Last, *last, id), loser);
            }
        }
        Some(Winner::None) => ids.iter().for_each(|id| lose(&mut skills[id.index()], reason(Namesake::None), loser)),
        Some(Winner::All) => {
            for id in ids {
                skills[id.index()].reason.get_or_insert(reason(Namesake::All));
            }
        }
        Some(Winner::Any) => ids.iter().for_each(|id| doubt(&mut skills[id.index()], reason(Namesake::Any))),
        None => ids.iter().for_each(|id| doubt(&mut skills[id.index()], reason(Namesake::Unknown))),
    }
}

/// Records that the skill loses to its duplicate.
fn lose(forecast: &mut SkillForecast, reason: Reason, verdict: Option<Verdict>) {
    let reported: Option<Reported> = verdict.and_then(|verdict| verdict.reported);
    *forecast = SkillForecast {
        reads_root: forecast.reads_root,
        ..SkillForecast::without_text(Outcome::Drops, reason, reported)
    };
}

/// Records that the winner is unknown.
fn doubt(forecast: &mut SkillForecast, reason: Reason) {
    forecast.if_read = Outcome::Unknown;
    forecast.reason = Some(reason);
    forecast.reported = None;
}
