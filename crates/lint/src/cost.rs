//! What skills cost the context of a model: always, when a skill is loaded, and with its reference files. All tokens are estimates:
//! see [`text::tokens`].

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::rule::Loaded;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, ListForecast, ListScope, entry_chars};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::limits::Limits;
use skilltree_skills::parallel;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Skill, SkillId};

/// What skills cost.
#[derive(Clone, Debug)]
pub struct Cost<'a> {
    /// The runtimes that read a skill, in the order of use.
    pub runtimes: Vec<RuntimeCost<'a>>,
    /// The skills: the largest entries first.
    pub skills: Vec<SkillCost>,
    /// What is over a limit: the largest first.
    pub over: Vec<Over>,
}

/// What the skills cost in one runtime.
#[derive(Clone, Debug)]
pub struct RuntimeCost<'a> {
    /// The runtime.
    pub profile: &'a Profile,
    /// Its forecast.
    pub forecast: &'a Forecast,
    /// Size in code points of the entry of each skill, in the order of all skills; `None` if it is not listed.
    entries: Vec<Option<u64>>,
    /// Its lists with a wanted skill: the largest first.
    pub lists: Vec<ListCost<'a>>,
}

/// What a list costs.
#[derive(Clone, Copy, Debug)]
pub struct ListCost<'a> {
    /// The list.
    pub list: &'a ListForecast,
    /// Number of skills.
    pub skills: usize,
    /// Tokens of all entries in full.
    pub tokens: usize,
}

/// What a skill costs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillCost {
    /// The skill.
    pub skill: SkillId,
    /// The most used runtime that lists it, by its place among the runtimes, and the tokens of its entry there.
    pub entry: Option<(usize, usize)>,
    /// Tokens of the body.
    pub body: usize,
    /// Tokens of the reference files.
    pub references: usize,
    /// Number of reference files.
    pub reference_files: usize,
    /// Number of reference files that were not read completely, so that their tokens are missing.
    pub unread: usize,
}

/// A number over a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Over {
    /// The name of the limit.
    pub limit: &'static str,
    /// The limit.
    pub most: u64,
    /// The tokens.
    pub tokens: usize,
    /// What is over the limit.
    pub what: Subject,
}

/// What is over a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A skill.
    Skill(SkillId),
    /// A list: the number of its runtime, and its number there. The same skills can be in further lists, which are smaller.
    List(usize, usize),
}

impl SkillCost {
    fn new(id: SkillId, skill: &Skill, runtimes: &[RuntimeCost<'_>]) -> Self {
        let listed = |(number, runtime): (usize, &RuntimeCost<'_>)| Some((number, runtime.entry(id)?));
        let read = &skill.references.read;
        Self {
            skill: id,
            entry: runtimes.iter().enumerate().find_map(listed),
            body: skill.body.as_ref().map_or(0, |body| text::tokens(body.chars as usize)),
            references: read.iter().map(|reference| text::tokens(reference.chars as usize)).sum(),
            reference_files: read.len(),
            unread: skill.references.unread.len(),
        }
    }

    /// Returns the tokens that are always in the context; 0 if no runtime lists the skill.
    pub fn always(&self) -> usize {
        self.entry.map_or(0, |(_, tokens)| tokens)
    }

    /// Returns the tokens of the body and the reference files.
    pub fn whole(&self) -> usize {
        self.body + self.references
    }
}

impl<'a> Cost<'a> {
    /// Computes what the wanted skills cost. `profiles` are those of the forecasts, in their order.
    pub fn new(
        catalog: &Catalog,
        profiles: &[&'a Profile],
        forecasts: &'a [Forecast],
        is_wanted: &(dyn Fn(SkillId) -> bool + Sync),
        limits: &Limits,
    ) -> Self {
        let wanted: Vec<bool> = catalog.skills().map(|(id, _)| is_wanted(id)).collect();
        let ids: Vec<SkillId> = catalog.skills().map(|(id, _)| id).filter(|id| wanted[id.index()]).collect();
        let pairs: Vec<(&'a Profile, &'a Forecast)> = profiles.iter().copied().zip(forecasts).collect();
        let of = |&(profile, forecast): &(&'a Profile, &'a Forecast)| {
            let loaded = Loaded::of_forecast(catalog, profile, forecast, &ids, false);
            (loaded.skills > 0).then(|| (loaded.order(), RuntimeCost::new(catalog, profile, forecast, &wanted)))
        };
        let mut runtimes: Vec<_> = parallel::map(&pairs, of).into_iter().flatten().collect();
        runtimes.sort_by_key(|(order, _)| *order);
        let runtimes: Vec<RuntimeCost<'a>> = runtimes.into_iter().map(|(_, runtime)| runtime).collect();
        let mut skills: Vec<SkillCost> =
            ids.iter().map(|&id| SkillCost::new(id, catalog.skill(id), &runtimes)).collect();
        skills.sort_by_key(|cost| Reverse((cost.always(), cost.whole())));
        // A skill with several paths costs once.
        let mut seen = BTreeSet::new();
        skills.retain(|cost| seen.insert(catalog.file(catalog.skill(cost.skill).file).shown_path().clone()));
        let over = over(&runtimes, &skills, limits);
        Self { runtimes, skills, over }
    }
}

impl<'a> RuntimeCost<'a> {
    fn new(catalog: &Catalog, profile: &'a Profile, forecast: &'a Forecast, wanted: &[bool]) -> Self {
        let entries = entry_chars(catalog, profile, forecast);
        let list = |list: &'a ListForecast| {
            let of = &list.listing;
            let skills = || of.listed.iter().chain(&of.shortened).chain(&of.lost);
            let sizes = skills().map(|id| entries[id.index()].unwrap_or_default());
            let is_wanted = of.reads && skills().any(|id| wanted[id.index()]);
            is_wanted.then(|| ListCost { list, skills: skills().count(), tokens: tokens(sizes.sum()) })
        };
        let mut lists: Vec<ListCost<'a>> = forecast.lists.iter().filter_map(list).collect();
        lists.sort_by_key(|list| Reverse(list.tokens));
        Self { profile, forecast, entries, lists }
    }

    /// Returns the tokens of the entry of a skill; `None` if it is not listed.
    pub fn entry(&self, skill: SkillId) -> Option<usize> {
        self.entries[skill.index()].map(tokens)
    }
}

/// Returns the estimated tokens of a number of code points.
pub(crate) fn tokens(chars: u64) -> usize {
    text::tokens(usize::try_from(chars).unwrap_or(usize::MAX))
}

/// Returns what is over a limit. Of the lists of several runtimes over the same skills directories, only the largest is.
fn over(runtimes: &[RuntimeCost<'_>], skills: &[SkillCost], limits: &Limits) -> Vec<Over> {
    let mut over = Vec::new();
    let mut add = |limit: &'static str, most: Option<u64>, tokens: usize, what: Subject| {
        if let Some(most) = most.filter(|most| tokens as u64 > *most) {
            over.push(Over { limit, most, tokens, what });
        }
    };
    let mut largest: BTreeMap<&[RootId], (usize, Subject)> = BTreeMap::new();
    for (number, runtime) in runtimes.iter().enumerate() {
        let lists = runtime.lists.iter().enumerate();
        for (position, list) in lists.filter(|(_, list)| !matches!(list.list.scope, ListScope::ProjectWith(_))) {
            let known = largest.entry(&list.list.roots).or_insert((list.tokens, Subject::List(number, position)));
            if list.tokens > known.0 {
                *known = (list.tokens, Subject::List(number, position));
            }
        }
    }
    largest.into_values().for_each(|(tokens, list)| add("list-tokens", limits.list_tokens, tokens, list));
    for cost in skills {
        add("entry-tokens", limits.entry_tokens, cost.always(), Subject::Skill(cost.skill));
        add("skill-tokens", limits.skill_tokens, cost.whole(), Subject::Skill(cost.skill));
    }
    over.sort_by_key(|over| Reverse(over.tokens));
    over
}
