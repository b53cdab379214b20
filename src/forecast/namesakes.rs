//! Skills of one name: which of them a runtime keeps.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use super::reason::{Namesake, Reason};
use super::{Fate, SkillForecast};
use crate::catalog::Catalog;
use crate::profile::identity::{IdentityBy, Winner};
use crate::profile::loads::{Loads, Scope, Start};
use crate::profile::{Said, Verdict};
use crate::roots::RootId;
use crate::skill::SkillId;

/// Follows what the runtime does with two skills of one name: first in each root, then across the roots that it reads from
/// one directory. What roots of other directories take away depends on where the runtime is started.
pub(super) fn settle(catalog: &Catalog, loads: &Loads, skills: &mut [SkillForecast]) {
    let ranks: Vec<Option<Rank<'_>>> = catalog.parsed.roots.iter().map(|root| rank(loads, root)).collect();
    for group in namesakes(catalog, loads, skills) {
        for root in group.chunk_by(|&a, &b| catalog.skill(a).root == catalog.skill(b).root) {
            let distinct = distinct(catalog, root);
            judge(loads, loads.duplicates.same_root, false, &distinct, skills);
        }
        let mut by_base: BTreeMap<&[u8], Vec<(usize, SkillId)>> = BTreeMap::new();
        for &id in group.iter().filter(|id| is_there(&skills[id.index()])) {
            if let Some(Rank { base, place }) = &ranks[catalog.skill(id).root.index()] {
                by_base.entry(base).or_default().push((*place, id));
            }
        }
        for mut ranked in by_base.into_values() {
            ranked.sort();
            let ids: Vec<SkillId> = ranked.iter().map(|&(_, id)| id).collect();
            if ids.iter().any(|&id| catalog.skill(id).root != catalog.skill(ids[0]).root) {
                judge_across(catalog, loads, &distinct(catalog, &ids), skills);
            }
        }
    }
}

/// Where a root stands among those that a runtime looks into.
struct Rank<'a> {
    /// The directory from which it is looked for.
    base: &'a [u8],
    /// Its number in the order of precedence.
    place: usize,
}

fn rank<'a>(loads: &Loads, root: &'a crate::roots::Root) -> Option<Rank<'a>> {
    let known = |known: &crate::profile::loads::Root| {
        known.scope == Scope::Repository && super::looks_for(known, root.path.as_bstr())
    };
    let place = loads.roots.iter().position(known)?;
    let known = &loads.roots[place];
    if known.path.contains("**") {
        return None;
    }
    let base = match known.from {
        Start::Top => &[],
        Start::Upwards | Start::Anywhere => {
            let steps = known.path.split('/').count();
            let end = root.path.rfind_iter("/").nth(steps - 1).unwrap_or(0);
            &root.path[..end]
        }
    };
    Some(Rank { base, place })
}

/// The skills that load and share the name that the runtime knows them by, each group in the order of roots and paths.
fn namesakes(catalog: &Catalog, loads: &Loads, skills: &[SkillForecast]) -> Vec<Vec<SkillId>> {
    let name = |id: SkillId| {
        let skill = catalog.skill(id);
        let name = match (loads.identity.by, &skills[id.index()].name) {
            (Some(IdentityBy::Directory), _) => skill.directory.to_str_lossy(),
            (_, Some(name)) => name.text(skill, "name"),
            (_, None) => return None,
        };
        Some(loads.identity.compared(name))
    };
    let there = catalog.skills().filter(|(id, _)| is_there(&skills[id.index()]));
    let mut named: Vec<(Cow<'_, str>, RootId, SkillId)> =
        there.filter_map(|(id, skill)| Some((name(id)?, skill.root, id))).collect();
    named.sort_unstable();
    let groups = named.chunk_by(|(one, ..), (other, ..)| one == other).filter(|group| group.len() > 1);
    groups.map(|group| group.iter().map(|&(.., id)| id).collect()).collect()
}

fn is_there(told: &SkillForecast) -> bool {
    matches!(told.fate, Fate::Loads | Fate::Altered)
}

/// The skills without those that a link leads to a second time.
fn distinct(catalog: &Catalog, ids: &[SkillId]) -> Vec<SkillId> {
    let mut seen = BTreeSet::new();
    let path = |id: SkillId| catalog.file(catalog.skill(id).file).shown_path();
    ids.iter().copied().filter(|&id| seen.insert(path(id))).collect()
}

/// Across roots nobody needs to know which of two copies stays.
fn judge_across(catalog: &Catalog, loads: &Loads, ids: &[SkillId], skills: &mut [SkillForecast]) {
    let winner = loads.duplicates.across_roots;
    let is_open = matches!(winner, None | Some(Winner::Any));
    if is_open && ids.iter().all(|&id| catalog.are_copies(ids[0], id)) {
        return;
    }
    judge(loads, winner, true, ids, skills);
}

/// Follows a rule for skills of one name, which stand in its order.
fn judge(loads: &Loads, winner: Option<Winner>, across: bool, ids: &[SkillId], skills: &mut [SkillForecast]) {
    let [first, middle @ .., last] = ids else { return };
    let reason = |rule| Reason::Namesake { rule, across };
    let loser = loads.duplicates.loser;
    match winner {
        Some(Winner::First) => {
            middle.iter().chain([last]).for_each(|id| lose(&mut skills[id.index()], reason(Namesake::First), loser));
        }
        Some(Winner::Last) => {
            [first]
                .into_iter()
                .chain(middle)
                .for_each(|id| lose(&mut skills[id.index()], reason(Namesake::Last), loser));
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

/// The skill gives way to its namesake.
fn lose(told: &mut SkillForecast, reason: Reason, verdict: Option<Verdict>) {
    let said: Option<Said> = verdict.and_then(|verdict| verdict.said);
    *told = SkillForecast { reads_root: told.reads_root, ..SkillForecast::without_text(Fate::Dropped, reason, said) };
}

/// Nobody knows whether the skill or its namesake stays.
fn doubt(told: &mut SkillForecast, reason: Reason) {
    told.fate = Fate::Unknown;
    told.reason = Some(reason);
    told.said = None;
}
