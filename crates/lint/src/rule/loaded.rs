//! What each runtime in scope loads of all skills: the end of a run in one line per runtime.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Phrase, Runtime, Target};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Forecast, ListForecast, ListScope, Outcome, Reason, SkillForecast};
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_runtimes::scope::Scope;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Maximum number of skills that are kept for each way of losing them.
const NAMED: usize = 3;

/// What a runtime in scope loads of the skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The runtime.
    pub runtime: Arc<Runtime>,
    /// What its profile describes.
    pub kind: Kind,
    /// Number of skills that it should load, without those of which it loads a copy in another directory.
    pub skills: usize,
    /// Number of skills of which it loads a copy in another directory. They are not counted.
    replaced: usize,
    /// Skills directories that it does not read, and the number of counted skills in each; the largest come first.
    pub unread: Vec<(RootId, usize)>,
    /// Number of Markdown files that it takes for skills. They are not checked, and not counted.
    pub files: usize,
    /// Skills that it drops or changes, by phrase, in the order of messages.
    pub lost: BTreeMap<Phrase, Lot>,
    /// Skills that it loads and keeps from the model, by what hides them.
    pub hidden: BTreeMap<String, Lot>,
    /// Skills of which it is unknown whether it loads them.
    pub unknown: Lot,
    /// Number of skills that its lists show without their full description.
    pub shortened: usize,
    /// Number of skills that are not listed in full if all plugins of a marketplace are enabled.
    pub together: usize,
    /// Number of skills that its lists omit.
    pub omitted: usize,
}

/// A number of skills, and the first of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lot {
    /// Number of skills.
    pub count: usize,
    /// The first ones.
    pub first: Vec<SkillId>,
}

impl Lot {
    fn add(&mut self, skill: SkillId) {
        self.count += 1;
        if self.first.len() < NAMED {
            self.first.push(skill);
        }
    }
}

impl Loaded {
    /// Returns the runtimes, the most used first; designs and specifications follow the programs that people use.
    pub(crate) fn of<'a>(catalog: &Catalog, scope: &Scope<'a>, targets: &[Target<'a>]) -> Vec<Self> {
        let mut skills = vec![0; catalog.parsed.roots.len()];
        catalog.parsed.skills.iter().for_each(|skill| skills[skill.root.index()] += 1);
        let filled: Vec<(RootId, usize)> = (0u32..).map(RootId).zip(skills).filter(|(_, skills)| *skills > 0).collect();
        let mut roots: BTreeMap<&str, Vec<(RootId, usize)>> = BTreeMap::new();
        for &(root, skills) in &filled {
            scope.of(root).for_each(|profile| roots.entry(&profile.id).or_default().push((root, skills)));
        }
        // A specification loads nothing, and of some runtimes only the directories are known.
        let is_known = |target: &&Target<'a>| {
            let is_runtime = target.profile.kind != Kind::Specification || scope.is_explicit();
            is_runtime && (scope.is_explicit() || !target.profile.loads.is_about_directories_only())
        };
        let of = |target: &Target<'a>| {
            let id = target.profile.id.as_str();
            Self::of_target(catalog, target, roots.get(id).map_or(&[][..], Vec::as_slice), scope.is_explicit())
        };
        let mut loaded: Vec<Self> = targets.iter().filter(is_known).map(of).collect();
        loaded.sort_by_key(Self::order);
        loaded
    }

    /// Returns what a runtime loads of some skills by its forecast. If the caller did not choose the runtime, only the skills in
    /// directories that it reads count.
    pub fn of_forecast(
        catalog: &Catalog,
        profile: &Profile,
        forecast: &Forecast,
        skills: &[SkillId],
        is_explicit: bool,
    ) -> Self {
        let lists = || forecast.lists.iter().filter(|list| list.listing.reads);
        let mut loaded = Self::new(catalog, profile, &Runtime::new(profile));
        let mut unread = Vec::new();
        let skills: BTreeSet<SkillId> = skills.iter().map(|&skill| forecast.best(skill)).collect();
        loaded.squeeze(lists(), |skill| skills.contains(&skill));
        for skill in skills {
            let found = forecast.skill(skill);
            match found.outcome() {
                Outcome::NotRead if is_explicit => unread.push(skill),
                Outcome::NotRead => continue,
                Outcome::Drops | Outcome::Changes => loaded.lose(skill, found),
                Outcome::Unknown => loaded.unknown.add(skill),
                Outcome::Loads => {}
            }
            loaded.hide(skill, found.hidden().filter(|_| found.reads_root));
            loaded.skills += 1;
        }
        loaded.skills -= loaded.replaced;
        loaded.set_unread(catalog, unread.into_iter());
        loaded
    }

    /// Returns the place of the runtime in every list: programs by use, then designs and specifications.
    pub fn order(&self) -> (bool, Option<u32>) {
        (self.kind != Kind::Runtime, self.runtime.usage_rank)
    }

    fn new(catalog: &Catalog, profile: &Profile, runtime: &Arc<Runtime>) -> Self {
        Self {
            runtime: Arc::clone(runtime),
            kind: profile.kind,
            skills: 0,
            replaced: 0,
            unread: Vec::new(),
            files: catalog.flat_skills(profile).count(),
            lost: BTreeMap::new(),
            hidden: BTreeMap::new(),
            unknown: Lot::default(),
            shortened: 0,
            together: 0,
            omitted: 0,
        }
    }

    /// Records a skill that the runtime drops or changes.
    fn lose(&mut self, skill: SkillId, forecast: &SkillForecast) {
        // The runtime loads the copy in another directory.
        if let Some(Reason::Namesake { across: true, copy: true, .. }) = forecast.reason {
            self.replaced += 1;
        } else {
            self.lost.entry(Phrase::new(forecast)).or_default().add(skill);
        }
    }

    /// Records a skill that something keeps from the model.
    fn hide(&mut self, skill: SkillId, reason: Option<&Reason>) {
        if let Some(words) = reason.and_then(Reason::hides) {
            self.hidden.entry(words).or_default().add(skill);
        }
    }

    /// Counts the skills that lists shorten or omit: a skill may be in several lists.
    fn squeeze<'l>(&mut self, lists: impl Iterator<Item = &'l ListForecast>, counts: impl Fn(SkillId) -> bool) {
        let (mut alone, mut together, mut omitted) = <[BTreeSet<SkillId>; 3]>::default().into();
        for list in lists {
            match list.scope {
                ListScope::Marketplace(_) => {
                    together.extend(list.listing.shortened.iter().chain(&list.listing.lost));
                }
                ListScope::ProjectWith(_) => {}
                ListScope::Directory | ListScope::Package(_) => {
                    alone.extend(&list.listing.shortened);
                    omitted.extend(&list.listing.lost);
                }
            }
        }
        let count = |skills: BTreeSet<SkillId>| skills.into_iter().filter(|&skill| counts(skill)).count();
        (self.shortened, self.together, self.omitted) = (count(alone), count(together), count(omitted));
    }

    /// Counts the skills that it does not come to, by their skills directories: the largest come first.
    fn set_unread(&mut self, catalog: &Catalog, unread: impl Iterator<Item = SkillId>) {
        let mut by_root: BTreeMap<RootId, usize> = BTreeMap::new();
        unread.for_each(|skill| *by_root.entry(catalog.skill(skill).root).or_default() += 1);
        self.unread = by_root.into_iter().collect();
        self.unread.sort_by_key(|(root, skills)| (Reverse(*skills), *root));
    }

    fn of_target(catalog: &Catalog, target: &Target<'_>, roots: &[(RootId, usize)], is_explicit: bool) -> Self {
        let repeated = target.repeated();
        // Without targets, a runtime is in scope of what it reads.
        let is_unread = |root: RootId| is_explicit && !catalog.reads(target.profile, root);
        let unread_roots: BTreeSet<RootId> =
            roots.iter().map(|&(root, _)| root).filter(|&root| is_unread(root)).collect();
        let is_unread = |id: SkillId| {
            let is_outside = unread_roots.contains(&catalog.skill(id).root);
            is_outside && !repeated.contains(&id) && !catalog.is_linked_for(target.profile, id)
        };
        let unread: BTreeSet<SkillId> = match unread_roots.is_empty() {
            true => BTreeSet::new(),
            false => catalog.skills().map(|(id, _)| id).filter(|&id| is_unread(id)).collect(),
        };
        let mut loaded = Self::new(catalog, target.profile, target.runtime());
        loaded.squeeze(target.lists.iter(), |_| true);
        let counts = |skill: SkillId| !unread.contains(&skill) && !repeated.contains(&skill);
        for (&skill, forecast) in target.forecasts().filter(|(skill, _)| counts(**skill)) {
            loaded.lose(skill, forecast);
        }
        for (skill, reason) in target.hidden().iter().filter(|(skill, _)| counts(*skill)) {
            loaded.hide(*skill, Some(reason));
        }
        target.unknown().iter().filter(|skill| counts(**skill)).for_each(|&skill| loaded.unknown.add(skill));
        let left_out = target.not_read().iter().filter(|skill| counts(**skill)).count();
        let all: usize = roots.iter().map(|(_, skills)| skills).sum();
        loaded.skills = all - repeated.len() - loaded.replaced - left_out;
        loaded.set_unread(catalog, unread.into_iter());
        loaded
    }

    /// Returns the number of skills that the runtime loads.
    pub fn count(&self) -> usize {
        self.skills - self.unread() - self.dropped() - self.unknown.count
    }

    /// Returns the number of counted skills in skills directories that it does not read.
    pub fn unread(&self) -> usize {
        self.unread.iter().map(|(_, skills)| skills).sum()
    }

    /// Returns the number of skills that the runtime drops.
    pub fn dropped(&self) -> usize {
        self.lost.iter().filter(|(phrase, _)| phrase.outcome() == Outcome::Drops).map(|(_, lost)| lost.count).sum()
    }

    /// Returns the number of skills that the runtime loads with changes.
    pub fn changed(&self) -> usize {
        self.lost.values().map(|lost| lost.count).sum::<usize>() - self.dropped()
    }

    /// Returns whether the runtime loads every skill unchanged, and lists it in full, and no skill is unchecked.
    pub fn is_whole(&self) -> bool {
        let is_checked = self.files == 0;
        let is_shown = self.hidden.is_empty() && self.shortened == 0 && self.omitted == 0;
        is_checked && is_shown && self.count() == self.skills && self.lost.is_empty()
    }

    /// Returns how bad the result is: the greatest is the worst.
    pub fn badness(&self) -> (usize, usize, usize, usize) {
        (self.unread() + self.dropped(), self.omitted, self.changed() + self.shortened, self.unknown.count)
    }
}
