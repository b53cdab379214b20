//! Forecast of how a runtime handles every skill: whether it loads, what the model is shown, and which skills do not
//! fit into the listing.
//!
//! A forecast follows the file through the runtime's parser as the profile describes it: fences, YAML library, repair,
//! limits and whitespace handling. A strategy of a profile is code, but none of it is for one case.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, ByteSlice};

use crate::catalog::Catalog;
use crate::packages::{Package, Packages, Way, published};
pub use crate::profile::Outcome;
use crate::profile::identity::IdentityBy;
use crate::profile::{Basis, Handling, Loads, Profile, Reported};
use skilltree_front_matter::text::{self, Place};
use skilltree_front_matter::{Fault, Feature, Field, FrontMatter, Node, NodeKind, What};
use skilltree_skills::parallel;
use skilltree_skills::roots::{Root, RootId};
use skilltree_skills::skill::{Skill, SkillId};

mod case;
mod demand;
mod denials;
mod evidence;
mod family;
mod fields;
mod layout;
mod linked;
mod listing;
mod measure;
mod namesakes;
pub(crate) mod nested;
mod not_started;
mod ordinary;
mod overridden;
mod overrides;
mod packaged;
mod reading;
mod reason;
mod repair;
mod texts;
mod unlisted;
mod value;

pub use case::CaseForecast;
use layout::Found;
pub use listing::{ListForecast, ListScope, RootForecast, SmallWindow, Trim, entry_chars, entry_texts};
use namesakes::PlainNames;
use ordinary::Ordinary;
pub use overridden::{Effect, Override};
pub use overrides::overrides;
pub use packaged::PackageForecast;
pub use reason::{Namesake, Reason, SkippedDirectory, plural, words as fault_words};

pub use crate::scope::{reads, repository_roots};

/// Forecast of one runtime for every skill and every root.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Id of the profile.
    pub profile: String,
    /// How sure the profile is; `None` if it does not say so.
    pub basis: Option<Basis>,
    /// One entry per skill, in the order of [`skilltree_skills::skill::Parsed::skills`], for its path alone.
    pub skills: Vec<SkillForecast>,
    /// One entry per root, in the order of [`skilltree_skills::skill::Parsed::roots`], as if it were the only one.
    pub roots: Vec<RootForecast>,
    /// Lists that the runtime shows, by their first root.
    pub lists: Vec<ListForecast>,
    /// Packages that the runtime finds.
    pub found: Arc<Packages>,
    /// One entry per package.
    pub packages: Vec<PackageForecast>,
    /// The skill whose path has the best fate, by each other skill that is the same file.
    best: BTreeMap<SkillId, SkillId>,
}

/// Forecast of one runtime for one skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillForecast {
    /// Whether the runtime reads the skill's root. All other fields assume that it does.
    pub reads_root: bool,
    /// Outcome for the skill if the runtime reads its root; see [`SkillForecast::outcome`].
    pub if_read: Outcome,
    /// Name shown to the model; `None` if unknown or not shown.
    pub name: Option<Shown>,
    /// Description shown to the model; `None` if unknown or not shown.
    pub description: Option<Shown>,
    /// Name next to the directory name, if the runtime shows both because they differ.
    pub label: Option<Box<str>>,
    /// Length of the description before the runtime truncated it, in the runtime's unit.
    pub cut_from: Option<u64>,
    /// Whether the listing includes the skill; a key may exclude it.
    pub listed: bool,
    /// Why the skill does not load unchanged.
    pub reason: Option<Reason>,
    /// Further changes of a skill that loads.
    pub also: Vec<Reason>,
    /// How the runtime reports it; `None` if unknown.
    pub reported: Option<Reported>,
}

/// Text shown to the model. Text that equals the file is not stored again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// The field as written, without leading and trailing whitespace.
    Written,
    /// The directory name.
    Directory,
    /// Any other text.
    Other(Box<str>),
}

impl Shown {
    /// Returns the text; `key` is the field.
    pub fn text<'a>(&'a self, skill: &'a Skill, key: &str) -> Cow<'a, str> {
        match self {
            Self::Written => Cow::Borrowed(skill.scalar(key).unwrap_or_default()),
            Self::Directory => skill.directory.to_str_lossy(),
            Self::Other(text) => Cow::Borrowed(text),
        }
    }
}

impl Forecast {
    /// Returns the forecast for a skill: the best one, if several paths lead to its file.
    pub fn skill(&self, skill: SkillId) -> &SkillForecast {
        &self.skills[self.best(skill).index()]
    }

    /// Returns the skill that is the same file and whose path has the best fate.
    pub fn best(&self, skill: SkillId) -> SkillId {
        self.best.get(&skill).copied().unwrap_or(skill)
    }

    /// Returns the forecast for a root.
    pub fn root(&self, root: RootId) -> &RootForecast {
        &self.roots[root.index()]
    }

    /// Returns the packages that a manifest or a marketplace makes, each with the forecasts of its skills. What an installer offers is no
    /// package, and neither are settings.
    pub fn declared(&self) -> impl Iterator<Item = (&Package, &[SkillForecast])> {
        let packages = self.found.all.iter().zip(&self.packages);
        let is_package = |package: &Package| package.way != Way::Installer && !package.is_settings();
        let declared = packages.filter(move |(package, _)| package.is_declared() && is_package(package));
        declared.map(|(package, found)| (package, found.skills.as_slice()))
    }
}

/// What the forecasts of all runtimes share.
pub struct Shared<'a> {
    /// In the order of all skills.
    ordinary: Vec<Option<Ordinary<'a>>>,
    names: PlainNames<'a>,
}

impl<'a> Shared<'a> {
    /// Prepares what the forecasts of all runtimes share.
    pub fn new(catalog: &'a Catalog) -> Self {
        Self { ordinary: ordinary::of_catalog(catalog), names: PlainNames::new(catalog) }
    }
}

/// Forecasts how one runtime handles every skill and every root.
pub fn forecast(catalog: &Catalog, profile: &Profile) -> Forecast {
    forecast_with(catalog, profile, &Shared::new(catalog))
}

fn forecast_with(catalog: &Catalog, profile: &Profile, shared: &Shared<'_>) -> Forecast {
    let everywhere = vec![true; catalog.parsed.roots.len()];
    let (skills, packages) = of_skills(catalog, profile, shared, &everywhere);
    let lists = listing::of_lists(catalog, profile, &skills, &everywhere);
    let roots = listing::of_roots(catalog, profile, &skills);
    let found = catalog.packages(profile);
    let best = linked::best(catalog, &skills, &everywhere);
    Forecast { profile: profile.id.clone(), basis: Basis::of(profile), skills, roots, lists, found, packages, best }
}

/// What a runtime does not load as it is, of the skills of some roots.
#[derive(Debug, Default)]
pub struct Losses {
    /// Skills that it drops or changes.
    pub skills: BTreeMap<SkillId, SkillForecast>,
    /// Skills whose outcome is unknown.
    pub unknown: Vec<SkillId>,
    /// Skills that it does not come to, although it reads others of their skills directory.
    pub not_read: Vec<SkillId>,
    /// Skills that load, with what keeps each from the model.
    pub hidden: Vec<(SkillId, Reason)>,
    /// Lists that do not fit.
    pub lists: Vec<ListForecast>,
    /// Skills that are the same file as another one, whose path has a better fate or is the first.
    pub repeated: BTreeSet<SkillId>,
}

/// Forecasts what one runtime does not load as it is, of the skills of some roots.
pub fn losses(catalog: &Catalog, profile: &Profile, shared: &Shared<'_>, is_wanted: impl Fn(RootId) -> bool) -> Losses {
    let wanted: Vec<bool> = (0u32..).map(RootId).take(catalog.parsed.roots.len()).map(is_wanted).collect();
    if profile.loads.is_about_directories_only() {
        let is_wanted = |skill: &Skill| wanted[skill.root.index()];
        let unknown = catalog.skills().filter(|(_, skill)| is_wanted(skill)).map(|(id, _)| id).collect();
        return Losses { unknown, ..Losses::default() };
    }
    let (skills, _) = of_skills(catalog, profile, shared, &wanted);
    let mut lists = match profile.loads.budget {
        Some(_) => listing::of_lists(catalog, profile, &skills, &wanted),
        None => Vec::new(),
    };
    lists.retain(ListForecast::is_squeezed_by_any_model);
    let best = linked::best(catalog, &skills, &wanted);
    let is_unknown = |id: SkillId, forecast: &SkillForecast| {
        forecast.if_read == Outcome::Unknown && wanted[catalog.skill(id).root.index()]
    };
    let fate = |id: SkillId| &skills[best.get(&id).unwrap_or(&id).index()];
    let all = || catalog.skills().map(|(id, _)| (id, fate(id)));
    let unknown = all().filter(|&(id, forecast)| is_unknown(id, forecast)).map(|(id, _)| id).collect();
    let roots = (0u32..).map(RootId).zip(&wanted);
    let is_read: Vec<bool> = roots.map(|(root, &wanted)| wanted && catalog.reads(profile, root)).collect();
    let is_left_out =
        |id: SkillId, forecast: &SkillForecast| !forecast.reads_root && is_read[catalog.skill(id).root.index()];
    let not_read: Vec<SkillId> = all().filter(|&(id, forecast)| is_left_out(id, forecast)).map(|(id, _)| id).collect();
    let is_lost = |forecast: &SkillForecast| matches!(forecast.if_read, Outcome::Drops | Outcome::Changes);
    let counts = |id: SkillId| not_read.binary_search(&id).is_err() && !best.contains_key(&id);
    let lost = all().filter(|&(id, forecast)| is_lost(forecast) && counts(id));
    let skills = lost.map(|(id, forecast)| (id, forecast.clone())).collect();
    let hidden =
        all().filter(|&(id, _)| counts(id)).filter_map(|(id, forecast)| Some((id, forecast.hidden()?.clone())));
    let hidden = hidden.collect();
    Losses { skills, unknown, not_read, hidden, lists, repeated: best.into_keys().collect() }
}

/// Forecasts how one runtime handles the skills of some roots, by root, and those of packages. All other skills are unknown.
fn of_skills(
    catalog: &Catalog,
    profile: &Profile,
    shared: &Shared<'_>,
    wanted: &[bool],
) -> (Vec<SkillForecast>, Vec<PackageForecast>) {
    let packages = catalog.packages(profile);

    // A package decides about its skills, also below a directory that the runtime would search.
    let reads_own = |(id, root): (RootId, &Root)| reads(profile, root) && !packages.reads(id);
    let reads: Vec<bool> = (0u32..).map(RootId).zip(&catalog.parsed.roots).map(reads_own).collect();
    let ids: Vec<SkillId> = catalog.skills().map(|(id, _)| id).collect();
    let mut skills = parallel::map(&ids, |&id| {
        let root = catalog.skill(id).root.index();
        if !wanted[root] {
            let unknown = SkillForecast::without_text(Outcome::Unknown, Reason::NotKnown("the skills directory"), None);
            return SkillForecast { reads_root: reads[root], ..unknown };
        }
        let unchanged = shared.ordinary[id.index()].as_ref().and_then(|skill| skill.forecast(&profile.loads));
        let forecast = unchanged.unwrap_or_else(|| at_path(catalog, id, profile));
        let here = SkillForecast { reads_root: reads[root], ..forecast };
        let there = linked::elsewhere(catalog, id, profile);
        there.filter(|there| linked::rank(there) < linked::rank(&here)).unwrap_or(here)
    });
    namesakes::resolve_all(catalog, profile, &shared.names, &mut skills);
    overrides::apply(catalog, profile, &mut skills);
    unlisted::apply(catalog, profile, &mut skills);
    not_started::apply(catalog, profile, &mut skills);
    let packaged = packaged::of_packages(catalog, profile, &packages, Some(shared), &skills);
    if !packages.all.is_empty() {
        for (&id, forecast) in ids.iter().zip(&mut skills).filter(|(_, forecast)| !forecast.reads_root) {
            if wanted[catalog.skill(id).root.index()]
                && let Some(best) = packaged::best(&packages, &packaged, id)
            {
                *forecast = best;
            }
        }
    }
    if published::is_published_for(profile)
        && let Some(installer) = published::installer()
    {
        let loads = published::loads(profile);
        let published = catalog.published();
        for (&id, forecast) in ids.iter().zip(&mut skills).filter(|(_, forecast)| !forecast.reads_root) {
            let root = catalog.skill(id).root.index();
            if wanted[root]
                && published[root]
                && !packages.refuses(catalog.path(id))
                && let ordinary = shared.ordinary[id.index()].as_ref()
                && let Some(installed) = packaged::installed(catalog, id, profile, (installer, &loads), ordinary)
            {
                *forecast = installed;
            }
        }
    }
    (skills, packaged)
}

/// Returns whether all runtimes that load a skill read the same fields: its front matter parses, and has no alias and no duplicate key.
pub fn is_read_alike(skill: &Skill) -> bool {
    let is_disputed = |fault: &Fault| {
        let is_alias = matches!(fault.what, What::Unportable(Feature::Alias | Feature::MergeKey));
        is_alias || matches!(fault.what, What::DuplicateKey { .. })
    };
    (skill.front_matter.is_none() || skill.has_fields()) && !skill.faults.iter().any(is_disputed)
}

/// Returns a skill with the fields that a runtime reads in front matter that others read in another way. `None` if it reads none
/// there, or if all read the same. The places of these fields are the opening fence: the runtime may read another text than the file.
pub fn as_read(skill: &Skill, profile: &Profile) -> Option<Skill> {
    let front_matter = skill.front_matter.as_ref().filter(|_| !is_read_alike(skill))?;
    let mut fields = reading::read(skill, &profile.loads).ok()?.fields.into_owned();
    move_to(&mut fields, front_matter.opener);
    let front_matter = FrontMatter { fields: Some(fields), ..front_matter.clone() };
    let is_read = front_matter.fields.as_ref().is_some_and(|fields| !fields.is_empty());
    is_read.then(|| Skill { front_matter: Some(front_matter), ..skill.clone() })
}

/// Gives fields, and the values in them, a place.
fn move_to(fields: &mut [Field], place: Place) {
    fn move_node(node: &mut Node, place: Place) {
        node.place = place;
        match &mut node.kind {
            NodeKind::List(items) => items.iter_mut().for_each(|item| move_node(item, place)),
            NodeKind::Map(fields) => move_to(fields, place),
            NodeKind::Scalar { .. } => {}
        }
    }
    for field in fields {
        field.key.place = place;
        move_node(&mut field.value, place);
    }
}

/// Forecasts how one runtime handles one skill, assuming that it reads the skill's root. Of several paths that it reads, the best
/// one counts.
pub fn of_skill(catalog: &Catalog, id: SkillId, profile: &Profile) -> SkillForecast {
    let here = at_path(catalog, id, profile);
    let same = catalog.same(id);
    let best = same.first().and_then(|&first| {
        let is_read = |other: &SkillId| catalog.reads(profile, catalog.skill(*other).root);
        let fate = |other: &SkillId| linked::fate(&at_path(catalog, *other, profile));
        let compute = || same.iter().copied().filter(is_read).min_by_key(fate);
        let best = catalog.links().best(&profile.id, first, compute)?;
        (best != id).then(|| at_path(catalog, best, profile))
    });
    best.into_iter().chain(linked::elsewhere(catalog, id, profile)).fold(here, |best, other| {
        match linked::fate(&other) {
            fate if fate < linked::fate(&best) => other,
            _ => best,
        }
    })
}

/// Forecasts one skill at its own path, assuming that the runtime reads its root.
fn at_path(catalog: &Catalog, id: SkillId, profile: &Profile) -> SkillForecast {
    if profile.loads.is_about_directories_only() {
        return SkillForecast::without_text(Outcome::Unknown, Reason::NotKnown("how it reads a skill"), None);
    }
    if profile.loads.files.only_one && nested::skill_file(catalog, catalog.skill(id)).is_some() {
        return SkillForecast::without_text(Outcome::Drops, Reason::SecondSkillFile, Some(Reported::Error));
    }
    let installed = || {
        let installer = published::installer().filter(|_| published::is_published_for(profile))?;
        let root = catalog.skill(id).root;
        let is_refused = || catalog.packages(profile).refuses(catalog.path(id));
        let is_installed = catalog.published()[root.index()] && !reads(profile, catalog.root(root)) && !is_refused();
        let forecast = |loads: &Loads| packaged::installed(catalog, id, profile, (installer, loads), None);
        is_installed.then(|| forecast(&published::loads(profile)))?
    };
    if let Some(forecast) = packaged::of_skill(catalog, id, profile).or_else(installed) {
        return forecast;
    }
    match layout::forecast(catalog, id, &profile.loads) {
        Found::Not(forecast) => forecast,
        Found::Here => fields::forecast(catalog, id, &profile.loads),
        Found::Through(link) => renamed(catalog, id, &profile.loads, link.as_bstr()),
    }
}

/// Forecasts the text of a skill behind a link: it has the name of the link if the runtime takes that of the directory, and is
/// dropped if the runtime compares the two.
fn renamed(catalog: &Catalog, id: SkillId, loads: &Loads, link: &BStr) -> SkillForecast {
    let (forecast, skill) = (fields::forecast(catalog, id, loads), catalog.skill(id));
    let name = text::file_name(link);
    let differs = loads.identity.differs_from_directory.filter(|verdict| verdict.handling == Handling::Drops);
    if let (Some(verdict), Some(shown)) = (differs, &forecast.name)
        && *name != *skill.directory
        && *name != *shown.text(skill, "name").as_bytes()
    {
        return SkillForecast::without_text(Outcome::Drops, Reason::DiffersFromDirectory, verdict.reported);
    }
    let by_directory = loads.identity.by == Some(IdentityBy::Directory);
    match by_directory && forecast.name.is_some() && *name != *skill.directory {
        true => SkillForecast { name: Some(Shown::Other(name.to_str_lossy().into())), ..forecast },
        false => forecast,
    }
}

/// Forecasts for several runtimes, in the order of the profiles; computed in parallel.
pub fn forecasts(catalog: &Catalog, profiles: &[&Profile]) -> Vec<Forecast> {
    let shared = Shared::new(catalog);
    parallel::map(profiles, |profile| forecast_with(catalog, profile, &shared))
}

impl SkillForecast {
    /// Returns the outcome for the skill where it is.
    pub fn outcome(&self) -> Outcome {
        if self.reads_root { self.if_read } else { Outcome::NotRead }
    }

    /// Returns whether the runtime loads the skill, with changes or without, if it reads its directory.
    pub fn is_loaded(&self) -> bool {
        matches!(self.if_read, Outcome::Loads | Outcome::Changes)
    }

    /// Returns the name that the model is shown.
    pub fn shown_name<'a>(&'a self, skill: &'a Skill) -> Option<Cow<'a, str>> {
        self.name.as_ref().map(|name| name.text(skill, "name"))
    }

    /// Returns what keeps the skill, which loads, from the model.
    pub fn hidden(&self) -> Option<&Reason> {
        let is_hidden = self.is_loaded() && !self.listed;
        self.reason.iter().chain(&self.also).find(|reason| is_hidden && reason.hides().is_some())
    }

    /// Forecast for a skill that does not load or whose outcome is unknown.
    fn without_text(if_read: Outcome, reason: Reason, reported: Option<Reported>) -> Self {
        Self {
            reads_root: false,
            if_read,
            name: None,
            description: None,
            label: None,
            cut_from: None,
            listed: false,
            reason: Some(reason),
            also: Vec::new(),
            reported,
        }
    }
}
