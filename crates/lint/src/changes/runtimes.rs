//! What runtimes do with the skills of the head that they did not do in the base, by their forecasts.

use std::collections::{BTreeMap, HashMap, HashSet};

use bstr::BString;

use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, ListForecast, ListScope, Outcome, forecast};
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::parallel;
use skilltree_skills::skill::SkillId;

/// What a runtime does differently with the skills of the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeChange {
    /// The id of its profile.
    pub id: String,
    /// Its name, as the subject of a sentence.
    pub actor: String,
    /// What it does, the worst first; never empty.
    pub impacts: Vec<Impact>,
}

/// Skills that a runtime newly handles in one way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Impact {
    /// What it does with them. `loads` with the whole entry in the list means that it did something worse before, and without a list
    /// that it newly reads them.
    pub outcome: Outcome,
    /// How much its list shows of them; `None` if it drops them or newly reads them.
    pub in_list: Option<InList>,
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

/// How much of a loaded skill a list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InList {
    /// The whole entry.
    Full,
    /// A shortened description, or none, of a skill that is loaded unchanged.
    Shortened,
    /// Nothing.
    Omitted,
}

impl InList {
    /// Returns the word for it in output.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Shortened => "shortened",
            Self::Omitted => "omitted",
        }
    }
}

impl Impact {
    /// Returns the sort order of impacts, the worst first.
    pub fn rank(&self) -> u8 {
        match self.outcome {
            Outcome::NotRead => 0,
            outcome => State { outcome, in_list: self.in_list }.rank(),
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
        let mut impacts = impacts(head, base_of, &after, &before);
        // A validator has no list.
        let has_list =
            |impact: &Impact| matches!((impact.outcome, impact.in_list), (Outcome::Loads, None | Some(InList::Full)));
        impacts.retain(|impact| profile.kind != Kind::Specification || !has_list(impact));
        RuntimeChange { id: profile.id.clone(), actor: profile.actor().to_owned(), impacts }
    });
    changes.into_iter().filter(|change| !change.impacts.is_empty()).collect()
}

/// How a runtime handles a skill: what it does with the file, then what its list shows of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    outcome: Outcome,
    /// `None` for a skill that is not loaded, or that its author excludes from the list.
    in_list: Option<InList>,
}

impl State {
    /// A skill that a runtime newly reads.
    const READ: Self = Self { outcome: Outcome::Loads, in_list: None };

    /// Returns the sort order, the worst first. Two states of the same rank are no change.
    fn rank(self) -> u8 {
        match (self.outcome, self.in_list) {
            (Outcome::Drops, _) => 0,
            (Outcome::Loads | Outcome::Changes, Some(InList::Omitted)) => 1,
            (Outcome::Changes, Some(_)) => 2,
            (Outcome::Loads, Some(InList::Shortened)) => 3,
            (Outcome::Loads, Some(InList::Full)) => 4,
            (Outcome::Loads | Outcome::Changes, None) => 5,
            (Outcome::NotRead, _) => 6,
            (Outcome::Unknown, _) => 7,
        }
    }

    /// Returns whether the runtime does not load and list the skill in full.
    fn is_worse(self) -> bool {
        self.rank() < 4
    }
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
        let is_had = |list: &&ListForecast| list.listing.reads && !matches!(list.scope, ListScope::ProjectWith(_));
        let lists: Vec<&ListForecast> = forecast.lists.iter().filter(is_had).collect();
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

    fn of(&self, skill: SkillId) -> State {
        let forecast = self.forecast.skill(skill);
        let outcome = forecast.outcome();
        let in_list = match outcome {
            Outcome::Drops | Outcome::Unknown | Outcome::NotRead => None,
            _ if !forecast.listed => None,
            _ if self.lost.contains(&skill) => Some(InList::Omitted),
            Outcome::Loads if self.shortened.contains(&skill) => Some(InList::Shortened),
            Outcome::Loads | Outcome::Changes => Some(InList::Full),
        };
        State { outcome, in_list }
    }
}

/// Returns what a runtime newly does with a skill, given how it handled the skill in the base, if it was there.
fn newly(before: Option<State>, after: State) -> Option<State> {
    match before {
        Some(before) if before.rank() == after.rank() => None,
        _ if after.is_worse() => Some(after),
        Some(before) if before.rank() <= 4 && after.rank() == 5 => {
            Some(State { in_list: Some(InList::Omitted), ..after })
        }
        Some(before) if (before.is_worse() || before.rank() == 5) && after.rank() == 4 => Some(after),
        Some(before) if matches!(before.rank(), 1..=5) && after.outcome == Outcome::NotRead => Some(after),
        Some(before) if before.outcome == Outcome::NotRead && matches!(after.rank(), 4 | 5) => Some(State::READ),
        _ => None,
    }
}

fn impacts(head: &Catalog, base_of: &HashMap<SkillId, SkillId>, after: &Outcomes, before: &Outcomes) -> Vec<Impact> {
    let mut skills: BTreeMap<(u8, State), Vec<Affected>> = BTreeMap::new();
    for (id, skill) in head.skills() {
        let Some(state) = newly(base_of.get(&id).map(|&id| before.of(id)), after.of(id)) else { continue };
        let reason = after.forecast.skill(id).reason.as_ref().filter(|_| state.is_worse());
        skills.entry((state.rank(), state)).or_default().push(Affected {
            path: head.path(id).to_owned(),
            name: skill.shown_name().into_owned(),
            reason: reason.map(ToString::to_string),
        });
    }
    let more = |(root, &count): (&BString, &usize)| count.saturating_sub(before.by_use.get(root).copied().unwrap_or(0));
    let unnamed: usize = after.by_use.iter().map(more).sum();
    let shortened = State { outcome: Outcome::Loads, in_list: Some(InList::Shortened) };
    if unnamed > 0 {
        skills.entry((shortened.rank(), shortened)).or_default();
    }
    let impact = |((_, state), mut skills): ((u8, State), Vec<Affected>)| {
        skills.sort();
        let count = skills.len() + if state == shortened { unnamed } else { 0 };
        Impact { outcome: state.outcome, in_list: state.in_list, count, skills }
    };
    skills.into_iter().map(impact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_only_what_becomes_worse_or_whole() {
        let state = |outcome, in_list| State { outcome, in_list };
        let whole = state(Outcome::Loads, Some(InList::Full));
        let unlisted = state(Outcome::Loads, None);
        let drops = state(Outcome::Drops, None);
        let omits = state(Outcome::Loads, Some(InList::Omitted));
        let changes = state(Outcome::Changes, Some(InList::Full));
        let shortens = state(Outcome::Loads, Some(InList::Shortened));
        let not_read = state(Outcome::NotRead, None);
        let cases = [
            (None, whole, None),
            (None, unlisted, None),
            (None, drops, Some(drops)),
            (Some(whole), shortens, Some(shortens)),
            (Some(drops), drops, None),
            (Some(drops), changes, Some(changes)),
            (Some(omits), whole, Some(whole)),
            (Some(whole), unlisted, Some(omits)),
            (Some(unlisted), whole, Some(whole)),
            (Some(whole), not_read, Some(not_read)),
            (Some(unlisted), not_read, Some(not_read)),
            (Some(drops), not_read, None),
            (Some(unlisted), state(Outcome::Changes, None), None),
            (Some(not_read), whole, Some(unlisted)),
            (Some(not_read), unlisted, Some(unlisted)),
            (Some(not_read), omits, Some(omits)),
        ];
        for (before, after, expected) in cases {
            assert_eq!(newly(before, after), expected, "{before:?} to {after:?}");
        }
    }
}
