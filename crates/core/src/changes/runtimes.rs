//! What runtimes do with the skills of the head that they did not do in the base, by their forecasts.

use std::collections::{BTreeMap, HashMap, HashSet};

use bstr::BString;

use crate::catalog::Catalog;
use crate::forecast::{Fate, Forecast, ListForecast, forecast};
use crate::parallel;
use crate::profile::Profile;
use crate::select;
use crate::skill::SkillId;

/// What a runtime does differently with the skills of the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeChange {
    /// The id of its profile.
    pub id: String,
    /// Its name, as the subject of a sentence.
    pub actor: String,
    /// What it does, in the order of [`ImpactKind`]; never empty.
    pub impacts: Vec<Impact>,
}

/// Skills that a runtime newly handles in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// The way.
    pub kind: ImpactKind,
    /// The number of skills.
    pub count: usize,
    /// The skills, by path; empty if only their number is known, because the runtime shortens those that are used least.
    pub skills: Vec<Affected>,
}

/// A skill that a runtime newly handles in some way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Affected {
    /// The path of its file in the head.
    pub path: BString,
    /// Its name, or the name of its directory.
    pub name: String,
    /// Why, if the forecast says so.
    pub reason: Option<String>,
}

/// What a runtime newly does with a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImpactKind {
    /// It drops the skill.
    Drops,
    /// It loads the skill, but no longer lists it.
    Omits,
    /// It loads the skill with changes.
    Changes,
    /// It shortens or removes the description in the list.
    Shortens,
    /// It did one of these before, and now loads and lists the skill in full.
    Restores,
}

impl ImpactKind {
    /// All kinds, the worst first.
    pub const ALL: [Self; 5] = [Self::Drops, Self::Omits, Self::Changes, Self::Shortens, Self::Restores];

    /// Returns the word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Drops => "drops",
            Self::Omits => "omits",
            Self::Changes => "changes",
            Self::Shortens => "shortens",
            Self::Restores => "restores",
        }
    }
}

/// Compares the forecasts of several runtimes; the profile of a runtime is the same for both sides.
pub(super) fn compare(
    head: &Catalog,
    base: &Catalog,
    base_of: &HashMap<SkillId, SkillId>,
    runtimes: &[&Profile],
) -> Vec<RuntimeChange> {
    let changes = parallel::map(runtimes, |profile| {
        let (after, before) = (Outcomes::new(head, profile), Outcomes::new(base, profile));
        let impacts = impacts(head, base_of, &after, &before);
        RuntimeChange { id: profile.id.clone(), actor: profile.actor().to_owned(), impacts }
    });
    changes.into_iter().filter(|change| !change.impacts.is_empty()).collect()
}

/// How a runtime handles a skill: what it does with the file, then what its list shows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The runtime does not read it, or what it does is unknown.
    Elsewhere,
    /// The author excludes it from the list.
    Unlisted,
    /// It is loaded and listed in full.
    Whole,
    /// One of the impacts.
    Worse(ImpactKind),
}

/// The forecast of one runtime.
struct Outcomes {
    forecast: Forecast,
    shortened: HashSet<SkillId>,
    lost: HashSet<SkillId>,
    /// For each list that shortens the skills that are used least: the path of its first root, and their number.
    by_use: BTreeMap<BString, usize>,
}

impl Outcomes {
    fn new(catalog: &Catalog, profile: &Profile) -> Self {
        let forecast = forecast(catalog, profile);
        let lists: Vec<&ListForecast> = forecast.lists.iter().filter(|list| list.listing.reads).collect();
        let is_named = |list: &&&ListForecast| !list.listing.by_use;
        let shortened = lists.iter().filter(is_named).flat_map(|list| list.listing.shortened.iter().copied()).collect();
        let lost = lists.iter().flat_map(|list| list.listing.lost.iter().copied()).collect();
        let by_use = lists.iter().filter(|list| list.listing.by_use).filter_map(|list| {
            let root = catalog.root(*list.roots.first()?);
            Some((root.path.clone(), list.listing.shortened.len()))
        });
        let by_use = by_use.collect();
        Self { forecast, shortened, lost, by_use }
    }

    fn of(&self, skill: SkillId) -> Outcome {
        let forecast = self.forecast.skill(skill);
        match forecast.fate {
            _ if !forecast.reads_root => Outcome::Elsewhere,
            Fate::Unknown => Outcome::Elsewhere,
            Fate::Dropped => Outcome::Worse(ImpactKind::Drops),
            _ if !forecast.listed => Outcome::Unlisted,
            _ if self.lost.contains(&skill) => Outcome::Worse(ImpactKind::Omits),
            Fate::Altered => Outcome::Worse(ImpactKind::Changes),
            Fate::Loads if self.shortened.contains(&skill) => Outcome::Worse(ImpactKind::Shortens),
            Fate::Loads => Outcome::Whole,
        }
    }
}

/// Returns what a runtime newly does with a skill, given its outcome in the base, if it was there.
fn newly(before: Option<Outcome>, after: Outcome) -> Option<ImpactKind> {
    match (before, after) {
        (Some(before), after) if before == after => None,
        (_, Outcome::Worse(kind)) => Some(kind),
        (Some(Outcome::Whole | Outcome::Worse(_)), Outcome::Unlisted) => Some(ImpactKind::Omits),
        (Some(Outcome::Worse(_)), Outcome::Whole) => Some(ImpactKind::Restores),
        _ => None,
    }
}

fn impacts(head: &Catalog, base_of: &HashMap<SkillId, SkillId>, after: &Outcomes, before: &Outcomes) -> Vec<Impact> {
    let mut skills: BTreeMap<ImpactKind, Vec<Affected>> = BTreeMap::new();
    for (id, skill) in head.skills() {
        let Some(kind) = newly(base_of.get(&id).map(|&id| before.of(id)), after.of(id)) else { continue };
        let reason = after.forecast.skill(id).reason.as_ref().filter(|_| kind != ImpactKind::Restores);
        skills.entry(kind).or_default().push(Affected {
            path: head.path(id).to_owned(),
            name: select::name(skill).into_owned(),
            reason: reason.map(ToString::to_string),
        });
    }
    let mut impacts: BTreeMap<ImpactKind, Impact> = BTreeMap::new();
    for (kind, mut skills) in skills {
        skills.sort();
        impacts.insert(kind, Impact { kind, count: skills.len(), skills });
    }
    let more = |(root, &count): (&BString, &usize)| count.saturating_sub(before.by_use.get(root).copied().unwrap_or(0));
    let unnamed: usize = after.by_use.iter().map(more).sum();
    if unnamed > 0 {
        let kind = ImpactKind::Shortens;
        let impact = impacts.entry(kind).or_insert(Impact { kind, count: 0, skills: Vec::new() });
        impact.count += unnamed;
    }
    impacts.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_only_what_becomes_worse_or_whole() {
        use ImpactKind::*;
        use Outcome::*;
        let cases = [
            (None, Whole, None),
            (None, Unlisted, None),
            (None, Worse(Drops), Some(Drops)),
            (Some(Whole), Worse(Shortens), Some(Shortens)),
            (Some(Worse(Drops)), Worse(Drops), None),
            (Some(Worse(Drops)), Worse(Changes), Some(Changes)),
            (Some(Worse(Omits)), Whole, Some(Restores)),
            (Some(Whole), Unlisted, Some(Omits)),
            (Some(Unlisted), Whole, None),
            (Some(Elsewhere), Whole, None),
            (Some(Elsewhere), Worse(Omits), Some(Omits)),
        ];
        for (before, after, expected) in cases {
            assert_eq!(newly(before, after), expected, "{before:?} to {after:?}");
        }
    }
}
