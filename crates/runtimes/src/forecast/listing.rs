//! Forecast of the listing: which skills are listed in full, which are shortened, and which do not fit.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::{BString, ByteSlice};

use super::{Outcome, SkillForecast};
use crate::catalog::Catalog;
use crate::packages::{Package, Way};
use crate::profile::Profile;
use crate::profile::listing::{Budget, OrderBy, Unit};
use crate::scope;
use skilltree_skills::collation;
use skilltree_skills::roots::{self, RootId};
use skilltree_skills::skill::SkillId;

mod bundled;
mod entries;
mod fit;
mod template;
mod trim;

pub use entries::{entry_chars, entry_texts};
use template::Template;
pub use trim::Trim;

/// Forecast of the listing for a root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RootForecast {
    /// Whether the runtime reads the root.
    pub reads: bool,
    /// Size limit in `unit`; `None` if unlimited or unknown.
    pub budget: Option<u64>,
    /// Unit of `budget`.
    pub unit: Option<Unit>,
    /// Context window in tokens that the budget is a share of; `None` if the budget is a fixed number.
    pub window: Option<u64>,
    /// Maximum number of listed skills; `None` if unlimited.
    pub most_skills: Option<u64>,
    /// Size of all entries, in `unit`.
    pub wanted: u64,
    /// Size of those entries, and of text around them, that are the runtime's own.
    pub bundled: u64,
    /// Whether the order of the listing is known; otherwise it is assumed to be by name, and other skills may not fit.
    pub is_ordered: bool,
    /// Skills listed in full, in the order of the listing.
    pub listed: Vec<SkillId>,
    /// Skills whose descriptions are shortened or removed.
    pub shortened: Vec<SkillId>,
    /// Length in code points of what is left of each description in `shortened`; 0 if the name alone is listed.
    pub shown_chars: Vec<u64>,
    /// Skills that are not listed.
    pub lost: Vec<SkillId>,
    /// Whether only the number of `shortened` is known, because the runtime shortens those that are used least.
    pub by_use: bool,
    /// What to trim so that everything else is listed in full; `None` if everything is.
    pub trim: Option<Trim>,
    /// What the list loses with models of a smaller window; `None` if there are none, or nothing more is lost.
    pub small: Option<SmallWindow>,
}

/// What a list loses if the context window of the model is smaller than the assumed one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmallWindow {
    /// Context window in tokens.
    pub window: u64,
    /// Size limit in the unit of the list.
    pub budget: u64,
    /// Number of skills whose descriptions are shortened or removed.
    pub shortened: usize,
    /// Number of skills that are not listed.
    pub lost: usize,
}

/// Forecast of the list that a runtime shows of the roots that it reads from one directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListForecast {
    /// What the list holds.
    pub scope: ListScope,
    /// The roots, in their order.
    pub roots: Vec<RootId>,
    /// The forecast, as of one root.
    pub listing: RootForecast,
}

/// What a list holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListScope {
    /// The skills directories that the runtime reads from one directory.
    Directory,
    /// One package, as if it were alone: by its number.
    Package(usize),
    /// All packages of a marketplace: by the number of its manifest.
    Marketplace(usize),
    /// The skills of a project, and all packages of a marketplace in it, of which it does not enable some.
    ProjectWith(usize),
}

impl ListScope {
    /// Returns the number of the manifest of a marketplace whose packages the list holds.
    pub fn marketplace(self) -> Option<usize> {
        match self {
            Self::Marketplace(number) | Self::ProjectWith(number) => Some(number),
            Self::Directory | Self::Package(_) => None,
        }
    }

    /// Returns whether a session has the list only if somebody enables all packages of a marketplace. Its size is a fact, and no fault.
    pub fn is_of_all(self) -> bool {
        self.marketplace().is_some()
    }
}

impl ListForecast {
    /// Returns whether the list omits skills or parts of their descriptions, also if only for a smaller window.
    pub fn is_squeezed_by_any_model(&self) -> bool {
        self.is_squeezed() || self.listing.small.is_some()
    }

    /// Returns whether the list omits skills or parts of their descriptions.
    pub fn is_squeezed(&self) -> bool {
        !self.listing.shortened.is_empty() || !self.listing.lost.is_empty()
    }
}

impl RootForecast {
    /// Returns the size of the entries that are not the runtime's own.
    pub fn own(&self) -> u64 {
        self.wanted - self.bundled
    }

    /// Returns how full the list is, in parts per million; `None` without a known limit.
    pub fn fullness(&self) -> Option<u64> {
        Some(self.wanted.saturating_mul(1_000_000) / self.budget?.max(1))
    }
}

/// Entry of the listing.
#[derive(Clone)]
struct ListEntry<'a> {
    skill: SkillId,
    name: Cow<'a, str>,
    /// Length of the shown description in code points.
    chars: u64,
    /// Length in code points of the first line of the description alone.
    first_line: u64,
    /// Size of the entry.
    whole: u64,
    /// Size of the entry without its description.
    short: u64,
    /// Size of the name in a line of names.
    in_line: u64,
    /// Length of its path, if the skill belongs to the runtime.
    bundled_path: Option<u64>,
}

/// Forecasts the listing of each root as if it were the only root.
pub(super) fn of_roots(catalog: &Catalog, profile: &Profile, skills: &[SkillForecast]) -> Vec<RootForecast> {
    let roots = (0u32..).map(RootId).take(catalog.parsed.roots.len());
    of_groups(catalog, profile, skills, &roots.map(|root| Group::Roots(vec![root], Vec::new())).collect::<Vec<_>>())
}

/// Forecasts the lists of a runtime: one for all roots that it searches from one directory, and one for each root that it
/// does not search. What a list shares with those of other directories depends on where the runtime starts.
pub(super) fn of_lists(
    catalog: &Catalog,
    profile: &Profile,
    skills: &[SkillForecast],
    wanted: &[bool],
) -> Vec<ListForecast> {
    let mut by_base: BTreeMap<BString, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<RootId>> = Vec::new();
    let packages = catalog.packages(profile);
    let is_packaged = |id: RootId| packages.reads(id);
    for ((id, root), _) in (0u32..).map(RootId).zip(&catalog.parsed.roots).zip(wanted).filter(|(_, wanted)| **wanted) {
        if is_packaged(id) {
            continue;
        }
        match scope::ranks(profile, root).next() {
            Some(rank) => match by_base.entry(rank.base.to_owned()) {
                Entry::Occupied(known) => groups[*known.get()].push(id),
                Entry::Vacant(place) => {
                    place.insert(groups.len());
                    groups.push(vec![id]);
                }
            },
            None => groups.push(vec![id]),
        }
    }
    let mut scopes: Vec<(ListScope, Vec<RootId>)> =
        groups.iter().map(|roots| (ListScope::Directory, roots.clone())).collect();
    let mut joined = of_projects(catalog, profile, wanted);
    let mut groups: Vec<Group> = groups.into_iter().map(|roots| Group::Roots(roots, Vec::new())).collect();
    for (base, &number) in &by_base {
        if let (Some(skills), Some(Group::Roots(_, also))) = (joined.remove(base), groups.get_mut(number)) {
            *also = skills;
        }
    }
    for skills in joined.into_values() {
        scopes.push((ListScope::Directory, roots_of(catalog, &skills)));
        groups.push(Group::Roots(Vec::new(), skills));
    }
    for (scope, roots, skills) in of_packages(catalog, profile, wanted) {
        if let ListScope::Marketplace(market) = scope {
            let project = around(catalog, market, &by_base).map(|number| &groups[number]);
            if let Some((roots, group)) = project.and_then(|project| with_all(catalog, project, &skills)) {
                scopes.push((ListScope::ProjectWith(market), roots));
                groups.push(group);
            }
        }
        scopes.push((scope, roots));
        groups.push(Group::Skills(skills));
    }
    let listings = of_groups(catalog, profile, skills, &groups);
    scopes.into_iter().zip(listings).map(|((scope, roots), listing)| ListForecast { scope, roots, listing }).collect()
}

/// Returns the list of the innermost project around a marketplace.
fn around(catalog: &Catalog, market: usize, by_base: &BTreeMap<BString, usize>) -> Option<usize> {
    let market = catalog.parsed.manifests.all[market].base.as_bstr();
    let around = by_base.iter().filter(|(base, _)| roots::is_within(market, base.as_bstr()));
    around.max_by_key(|(base, _)| base.len()).map(|(_, &number)| number)
}

/// Returns the list of a project together with some skills, and its roots. `None` if it has all of them, or no own skill.
fn with_all(catalog: &Catalog, project: &Group, skills: &[SkillId]) -> Option<(Vec<RootId>, Group)> {
    let Group::Roots(roots, also) = project else { return None };
    let more: Vec<SkillId> = skills.iter().copied().filter(|skill| !also.contains(skill)).collect();
    if more.is_empty() || !roots.iter().any(|&root| catalog.has_skills(root)) {
        return None;
    }
    let all: BTreeSet<RootId> = roots.iter().copied().chain(roots_of(catalog, &more)).collect();
    let also = also.iter().copied().chain(more).collect();
    Some((all.into_iter().collect(), Group::Roots(roots.clone(), also)))
}

/// The skills of a list.
enum Group {
    /// Those of some roots, and after them those of the packages of the project.
    Roots(Vec<RootId>, Vec<SkillId>),
    /// These.
    Skills(Vec<SkillId>),
}

/// Returns the skills that packages of a project give it, by its directory.
fn of_projects(catalog: &Catalog, profile: &Profile, wanted: &[bool]) -> BTreeMap<BString, Vec<SkillId>> {
    let packages = catalog.packages(profile);
    let mut joined: BTreeMap<BString, Vec<SkillId>> = BTreeMap::new();
    for (base, package) in packages.of_projects(&catalog.parsed.manifests) {
        let given = package.skills.iter().filter(|member| member.lost.is_none()).map(|member| member.skill);
        let is_wanted = |id: &SkillId| wanted[catalog.skill(*id).root.index()];
        let is_own = |id: &SkillId| {
            let root = catalog.root(catalog.skill(*id).root);
            root.package.is_none() && scope::reads(profile, root)
        };
        joined.entry(base).or_default().extend(given.filter(|id| is_wanted(id) && !is_own(id)));
    }
    joined.retain(|_, skills| {
        skills.sort_unstable();
        skills.dedup();
        !skills.is_empty()
    });
    joined
}

/// Returns the roots of some skills.
fn roots_of(catalog: &Catalog, skills: &[SkillId]) -> Vec<RootId> {
    let roots: BTreeSet<RootId> = skills.iter().map(|&id| catalog.skill(id).root).collect();
    roots.into_iter().collect()
}

/// Returns the lists of packages: each package as if it were alone, and all packages of a marketplace together.
fn of_packages(catalog: &Catalog, profile: &Profile, wanted: &[bool]) -> Vec<(ListScope, Vec<RootId>, Vec<SkillId>)> {
    let packages = catalog.packages(profile);
    let mut lists = Vec::new();
    let mut markets: BTreeMap<usize, Vec<SkillId>> = BTreeMap::new();
    let is_package = |package: &Package| package.is_declared() && !package.is_settings();
    for (number, package) in packages.all.iter().enumerate().filter(|(_, package)| is_package(package)) {
        let given = package.skills.iter().filter(|member| member.lost.is_none()).map(|member| member.skill);
        let skills: Vec<SkillId> = given.filter(|&id| wanted[catalog.skill(id).root.index()]).collect();
        if skills.is_empty() {
            continue;
        }
        if let Way::Entry(market, _) = package.way {
            markets.entry(market).or_default().extend(&skills);
        }
        lists.push((ListScope::Package(number), roots_of(catalog, &skills), skills));
    }
    for (market, mut skills) in markets {
        skills.sort_unstable();
        skills.dedup();
        lists.push((ListScope::Marketplace(market), roots_of(catalog, &skills), skills));
    }
    lists
}

/// Forecasts the listing of each group.
fn of_groups(catalog: &Catalog, profile: &Profile, skills: &[SkillForecast], groups: &[Group]) -> Vec<RootForecast> {
    let is_listed =
        |forecast: &SkillForecast| forecast.listed && matches!(forecast.if_read, Outcome::Loads | Outcome::Changes);
    let mut by_root: Vec<Vec<SkillId>> = catalog.parsed.roots.iter().map(|_| Vec::new()).collect();
    for (id, skill) in catalog.skills().filter(|(id, _)| is_listed(&skills[id.index()])) {
        by_root[skill.root.index()].push(id);
    }
    let packages = catalog.packages(profile);
    let reads = |root: &RootId| scope::reads(profile, catalog.root(*root)) || packages.reads(*root);
    let among_listed =
        |ids: &[SkillId]| -> Vec<SkillId> { ids.iter().copied().filter(|id| is_listed(&skills[id.index()])).collect() };
    let groups = groups.iter().map(|group| match group {
        Group::Roots(roots, also) => {
            let ids: Vec<SkillId> = roots.iter().flat_map(|root| by_root[root.index()].iter().copied()).collect();
            (ids, among_listed(also), roots.iter().any(reads) || !also.is_empty())
        }
        Group::Skills(ids) => (among_listed(ids), Vec::new(), true),
    });
    let none = Budget::default();
    let budget = profile.loads.budget.as_ref().unwrap_or(&none);
    let template = Template::of(profile, budget.unit.unwrap_or(Unit::Chars));
    let bundled = bundled::of(budget, &template);
    let order = profile.loads.listing.order.iter().find(|by| **by != OrderBy::Root);
    // A skill of a package is in the list of its marketplace, too.
    let known: RefCell<HashMap<SkillId, ListEntry<'_>>> = RefCell::default();
    let ordered = |ids: Vec<SkillId>| {
        let entry = |id: SkillId| {
            let mut known = known.borrow_mut();
            known.entry(id).or_insert_with(|| template.entry(catalog, id, &skills[id.index()])).clone()
        };
        let mut entries: Vec<ListEntry<'_>> = ids.into_iter().map(entry).collect();
        // The path also breaks ties between equal names.
        entries.sort_by(|a, b| catalog.path(a.skill).cmp(catalog.path(b.skill)));
        match order {
            Some(OrderBy::Path) => {}
            Some(OrderBy::NameLocale) => entries.sort_by_cached_key(|entry| collation::key(&entry.name)),
            _ => entries.sort_by(|a, b| a.name.cmp(&b.name)),
        }
        entries
    };
    let forecast = |(ids, also, reads): (Vec<SkillId>, Vec<SkillId>, bool)| {
        let mut entries = ordered(ids);
        entries.extend(ordered(also));
        let size = |entry: &ListEntry<'_>, chars: u64| match entry.bundled_path {
            Some(path) => template.sized(&entry.name, chars.min(entry.chars), path),
            None if chars == 0 => entry.short,
            None if chars >= entry.chars => entry.whole,
            None => template.shortened(catalog, entry.skill, &skills[entry.skill.index()], chars),
        };
        let is_ordered = !matches!(order, None | Some(OrderBy::Root | OrderBy::Use));
        if !entries.is_empty() {
            bundled::add(&mut entries, &bundled, budget.bundled_first);
        }
        RootForecast { reads, is_ordered, ..of_root(&entries, budget, &size) }
    };
    groups.map(forecast).collect()
}

/// Fits the entries into the budget. `size` returns the size of an entry with the given number of code points of its
/// description.
fn of_root(entries: &[ListEntry<'_>], budget: &Budget, size: &dyn Fn(&ListEntry<'_>, u64) -> u64) -> RootForecast {
    let limit = budget.limit().map(|limit| limit.saturating_sub(budget.overhead));
    let most = budget.skills.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
    let (kept, over) = entries.split_at(entries.len().min(most));
    let bundled = entries.iter().filter(|entry| entry.bundled_path.is_some());
    let mut forecast = RootForecast {
        budget: budget.limit(),
        unit: budget.unit,
        window: budget.window.filter(|_| budget.amount.is_none()),
        most_skills: budget.skills,
        wanted: budget.overhead + entries.iter().map(|entry| entry.whole).sum::<u64>(),
        bundled: budget.overhead + bundled.map(|entry| entry.whole).sum::<u64>(),
        trim: trim::of(
            kept,
            over.iter().filter(|entry| entry.bundled_path.is_none()).count(),
            limit,
            &|entry, chars| match entry.bundled_path {
                Some(_) => entry.whole,
                None => size(entry, chars),
            },
        ),
        ..RootForecast::default()
    };
    match limit {
        Some(limit) => fit::fit(kept, limit, budget, size, &mut forecast),
        None => {
            let own = kept.iter().filter(|entry| entry.bundled_path.is_none());
            forecast.listed.extend(own.map(|entry| entry.skill));
        }
    }
    forecast.lost.extend(over.iter().filter(|entry| entry.bundled_path.is_none()).map(|entry| entry.skill));
    forecast.by_use = budget.by_use && !forecast.shortened.is_empty();
    forecast.small = small(&forecast, entries, budget, size);
    forecast
}

/// Returns what the list loses with models of a smaller window, if that is more.
fn small(
    forecast: &RootForecast,
    entries: &[ListEntry<'_>],
    budget: &Budget,
    size: &dyn Fn(&ListEntry<'_>, u64) -> u64,
) -> Option<SmallWindow> {
    let window = budget.small_window.filter(|small| budget.window.is_some_and(|window| *small < window))?;
    let small = of_root(entries, &Budget { window: Some(window), small_window: None, ..budget.clone() }, size);
    let (shortened, lost) = (small.shortened.len(), small.lost.len());
    let is_more = (shortened, lost) != (forecast.shortened.len(), forecast.lost.len());
    is_more.then_some(SmallWindow { window, budget: small.budget?, shortened, lost })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::listing::Squeeze;

    fn entries(sizes: &[(u64, u64)]) -> Vec<ListEntry<'static>> {
        let entry = |(number, &(whole, short)): (u32, &(u64, u64))| ListEntry {
            skill: SkillId(number),
            name: Cow::Owned(number.to_string()),
            chars: whole - short,
            first_line: whole - short,
            whole,
            short,
            in_line: 0,
            bundled_path: None,
        };
        (0u32..).zip(sizes).map(entry).collect()
    }

    fn of(sizes: &[(u64, u64)], budget: &Budget) -> RootForecast {
        of_root(&entries(sizes), budget, &|entry, chars| entry.short + chars.min(entry.chars))
    }

    fn counts(sizes: &[(u64, u64)], limit: u64, over_limit: &[Squeeze]) -> [usize; 3] {
        let budget = Budget {
            unit: Some(Unit::Chars),
            amount: Some(limit),
            over_limit: over_limit.to_vec(),
            ..Budget::default()
        };
        let forecast = of(sizes, &budget);
        [forecast.listed.len(), forecast.shortened.len(), forecast.lost.len()]
    }

    #[test]
    fn shrinks_listing_step_by_step() {
        let sizes = [(10, 4), (100, 4), (100, 4)];
        assert_eq!(counts(&sizes, 210, &[Squeeze::Omit]), [3, 0, 0]);
        assert_eq!(counts(&sizes, 209, &[Squeeze::Omit]), [2, 0, 1]);
        assert_eq!(counts(&sizes, 100, &[Squeeze::ShortenDescriptions]), [1, 2, 0]);
        assert_eq!(
            counts(&sizes, 30, &[Squeeze::ShortenDescriptions]),
            [1, 2, 0],
            "the first description is shown in full"
        );
        assert_eq!(counts(&sizes, 100, &[Squeeze::DropDescriptions]), [1, 2, 0]);
        assert_eq!(counts(&sizes, 114, &[Squeeze::DropDescriptions]), [2, 1, 0]);
        assert_eq!(counts(&sizes, 9, &[Squeeze::ShortenDescriptions, Squeeze::NamesOnly, Squeeze::Omit]), [0, 2, 1]);
        assert_eq!(counts(&sizes, 12, &[Squeeze::NamesOnly, Squeeze::Omit]), [0, 3, 0]);
    }

    #[test]
    fn says_what_a_smaller_window_loses() {
        let budget = Budget {
            unit: Some(Unit::Chars),
            window_share: Some(0.5),
            window: Some(500),
            small_window: Some(200),
            over_limit: vec![Squeeze::DropDescriptions],
            ..Budget::default()
        };
        let forecast = of(&[(100, 4), (100, 4)], &budget);
        assert_eq!((forecast.listed.len(), forecast.window), (2, Some(500)));
        assert_eq!(forecast.small, Some(SmallWindow { window: 200, budget: 100, shortened: 2, lost: 0 }));
        assert_eq!(of(&[(10, 4)], &budget).small, None);
        assert_eq!(of(&[(100, 4)], &Budget { window: Some(200), ..budget }).small, None);
    }

    #[test]
    fn caps_the_number_of_skills() {
        let budget = Budget { skills: Some(2), ..Budget::default() };
        let forecast = of(&[(1, 1), (1, 1), (1, 1)], &budget);
        assert_eq!((forecast.listed.len(), forecast.lost), (2, vec![SkillId(2)]));
        assert_eq!(forecast.trim, Some(Trim { remove: 1, instead: 1, ..Trim::default() }));
    }

    #[test]
    fn trims_longest_descriptions_until_all_fit() {
        let budget = |limit| Budget { unit: Some(Unit::Chars), amount: Some(limit), ..Budget::default() };
        let sizes = [(10, 4), (104, 4), (54, 4)];
        let trim = |limit| of(&sizes, &budget(limit)).trim;
        assert_eq!(trim(168), None);
        let one = Trim { remove: 0, instead: 1, cut: 1, to: Some(99), descriptions: vec![(SkillId(1), 100)] };
        assert_eq!(trim(167), Some(one));
        let descriptions = vec![(SkillId(1), 100), (SkillId(2), 50)];
        let both = Trim { remove: 0, instead: 2, cut: 60, to: Some(45), descriptions };
        assert_eq!(trim(109), Some(both));
        let none = Trim { remove: 3, instead: 3, ..Trim::default() };
        assert_eq!(trim(9), Some(none), "the names alone are too long");
    }
}
