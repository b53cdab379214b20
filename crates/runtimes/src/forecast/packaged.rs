//! Skills in packages: what a runtime makes of each, under the name that it gives it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use super::layout::Found;
use super::ordinary::Ordinary;
use super::reason::{Namesake, Reason};
use super::{Outcome, Shared, Shown, SkillForecast, SkippedDirectory, fields, layout, renamed};
use crate::catalog::Catalog;
use crate::packages::{Lost, Member, Package, Packages};
use crate::places;
use crate::profile::files::Follow;
use crate::profile::{Loads, Profile, Reported};
use crate::scope::reads;
use skilltree_skills::parallel;
use skilltree_skills::skill::{Skill, SkillId};

/// Forecast of the skills of one package, in the order of [`Package::skills`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageForecast {
    /// One entry per skill.
    pub skills: Vec<SkillForecast>,
}

/// Forecasts the skills of all packages. `own` are the forecasts of the skills in skills directories, by which names are taken.
pub(super) fn of_packages(
    catalog: &Catalog,
    profile: &Profile,
    packages: &Packages,
    shared: Option<&Shared<'_>>,
    own: &[SkillForecast],
) -> Vec<PackageForecast> {
    let mut found = parallel::map(&packages.all, |package| {
        let ordinary = |skill: SkillId| shared.and_then(|shared| shared.ordinary[skill.index()].as_ref());
        let of = |member: &Member| of_member(catalog, profile, package, member, ordinary(member.skill));
        PackageForecast { skills: package.skills.iter().map(of).collect() }
    });
    qualify(catalog, profile, packages, &mut found, own);
    found
}

/// Forecasts one skill of one package, without the name of the package.
fn of_member(
    catalog: &Catalog,
    profile: &Profile,
    package: &Package,
    member: &Member,
    ordinary: Option<&Ordinary<'_>>,
) -> SkillForecast {
    // What a manifest loses is in the list of plugins.
    let reported = match member.lost {
        Some(Lost::Package | Lost::File) => Reported::Log,
        _ => Reported::Nothing,
    };
    let dropped = |reason| SkillForecast::without_text(Outcome::Drops, reason, Some(reported));
    let read = |forecast| SkillForecast { reads_root: true, ..forecast };
    if let Some(lost) = member.lost {
        return read(dropped(match lost {
            Lost::TooDeep(depth) => Reason::TooDeep(depth),
            Lost::Dotted => Reason::SkippedDirectory(SkippedDirectory::Hidden),
            Lost::Linked => Reason::Link,
            other => Reason::Package(other),
        }));
    }
    if profile.loads.is_about_directories_only() {
        let reason = Reason::NotKnown("how it reads a skill");
        return read(SkillForecast::without_text(Outcome::Unknown, reason, None));
    }
    let loads = package.loads(member);
    let mut forecast = ordinary
        .filter(|_| !member.is_own && member.through.is_none())
        .and_then(|ordinary| ordinary.forecast(loads))
        .unwrap_or_else(|| of_text(catalog, member, loads));
    let missing = package.needed().first().filter(|_| forecast.is_loaded() && forecast.description.is_none());
    if let Some(key) = missing {
        (forecast.if_read, forecast.listed) = (Outcome::Changes, false);
        forecast.reason = Some(Reason::OnlyForPeople(key.clone()));
    }
    read(forecast)
}

/// Forecasts the text of a skill that a package gives to its runtime.
fn of_text(catalog: &Catalog, member: &Member, loads: &Loads) -> SkillForecast {
    if let Found::Not(forecast) = layout::forecast(catalog, member.skill, loads) {
        return forecast;
    }
    match (&member.through, loads.links.directory) {
        (None, _) => fields::forecast(catalog, member.skill, loads),
        (Some(link), Some(Follow::Followed)) => renamed(catalog, member.skill, loads, link.as_bstr()),
        (Some(_), _) => SkillForecast::without_text(Outcome::Unknown, Reason::Link, None),
    }
}

/// Returns for each package the first one with its name. Packages with one name are made for several runtimes, or replace each other:
/// their skills do not clash.
fn first_of_name(packages: &Packages) -> Vec<usize> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let names = packages.all.iter().map(|package| package.name.as_deref()).enumerate();
    names.map(|(number, name)| name.map_or(number, |name| *known.entry(name).or_insert(number))).collect()
}

/// Gives the skills their names in the runtime: a skill of a skills directory keeps its name, then the first package has it.
fn qualify(
    catalog: &Catalog,
    profile: &Profile,
    packages: &Packages,
    found: &mut [PackageForecast],
    own: &[SkillForecast],
) {
    let mut holders: BTreeMap<String, BTreeSet<SkillId>> = BTreeMap::new();
    let firsts = first_of_name(packages);
    let once = packages.all.iter().zip(&*found).enumerate().filter(|(number, _)| firsts[*number] == *number);
    for (_, (package, found)) in once.filter(|(_, (package, _))| package.is_qualified_on_clash()) {
        let mut seen = BTreeSet::new();
        for (member, forecast) in package.skills.iter().zip(&found.skills) {
            if let Some(name) = name(catalog, member, forecast).filter(|name| seen.insert(name.clone())) {
                holders.entry(name.into_owned()).or_default().insert(member.skill);
            }
        }
    }
    let mut taken = taken(catalog, profile, packages, own);
    let is_later = packages.all.iter().any(Package::is_later_kept);
    let mut order: Vec<usize> = (0..packages.all.len()).collect();
    if is_later {
        order.reverse();
    }
    for number in order {
        let package = &packages.all[number];
        let mut earlier: BTreeMap<String, SkillId> = BTreeMap::new();
        for (member, forecast) in package.skills.iter().zip(&mut found[number].skills) {
            let Some(name) = name(catalog, member, forecast) else { continue };
            if package.is_always_qualified() {
                let qualified = package.qualified(&name, false).into_boxed_str();
                let label = forecast.label.take();
                forecast.label = label.map(|label| format!("{}:{label}", package.shown_name()).into_boxed_str());
                forecast.name = Some(Shown::Other(qualified));
                continue;
            }
            let name = name.into_owned();
            let clashes = holders.get(&name).is_some_and(|skills| skills.len() > 1);
            let replaces = |other: usize| other != number && firsts[other] == firsts[number];
            let holder = taken
                .get(&name)
                .copied()
                .filter(|(holder, package)| *holder != member.skill && !package.is_some_and(replaces));
            let of_package = earlier.get(&name).copied().filter(|&first| first != member.skill && !is_later);
            if let Some(holder) = of_package.or(holder.map(|(holder, _)| holder)) {
                let copy = catalog.are_copies(holder, member.skill);
                let rule = match of_package {
                    Some(_) => Namesake::FirstOfPackage,
                    None if is_later => Namesake::Last,
                    None => Namesake::First,
                };
                let reported = profile.loads.duplicates.loser.and_then(|loser| loser.reported);
                let reason = Reason::Namesake { rule, across: true, copy };
                let lost = SkillForecast::without_text(Outcome::Drops, reason, reported);
                *forecast = SkillForecast { reads_root: true, ..lost };
                continue;
            }
            earlier.entry(name.clone()).or_insert(member.skill);
            if !clashes {
                taken.insert(name.clone(), (member.skill, Some(number)));
            }
            forecast.label = None;
            let qualified = package.qualified(&name, clashes);
            if qualified != name {
                forecast.name = Some(Shown::Other(qualified.into_boxed_str()));
            }
        }
    }
}

/// Returns the names of the skills in skills directories, if names of packages can clash with them. None of them is of a package.
fn taken(
    catalog: &Catalog,
    profile: &Profile,
    packages: &Packages,
    own: &[SkillForecast],
) -> BTreeMap<String, (SkillId, Option<usize>)> {
    if packages.all.iter().all(Package::is_always_qualified) {
        return BTreeMap::new();
    }
    let is_own = |id: SkillId| {
        let root = catalog.skill(id).root;
        // Other directories are searched in sessions that start there.
        let is_at_top = || places::ranks(profile, catalog.root(root)).any(|rank| rank.base.is_empty());
        reads(profile, catalog.root(root)) && !packages.reads(root) && is_at_top()
    };
    let names = catalog.skills().filter(|(id, _)| is_own(*id)).filter_map(|(id, skill)| {
        let forecast = own.get(id.index()).filter(|forecast| forecast.is_loaded())?;
        Some((forecast.shown_name(skill)?.into_owned(), (id, None)))
    });
    names.collect()
}

/// Returns the name of a loaded skill without that of its package.
fn name<'a>(catalog: &'a Catalog, member: &Member, forecast: &'a SkillForecast) -> Option<Cow<'a, str>> {
    forecast.is_loaded().then(|| forecast.shown_name(catalog.skill(member.skill)))?
}

/// Returns the forecast of a skill over the packages that a manifest or a marketplace makes: the best one. `None` if no package
/// has it.
pub(super) fn best(packages: &Packages, found: &[PackageForecast], id: SkillId) -> Option<SkillForecast> {
    let declared = packages.of_skill(id).filter(|&(number, _)| packages.all[number].is_declared());
    let all = declared.map(|(number, position)| &found[number].skills[position]);
    let rank = |forecast: &&SkillForecast| (forecast.if_read, !forecast.listed);
    all.min_by_key(rank).cloned()
}

/// Forecasts one skill over its packages, without the names of packages.
pub(super) fn of_skill(catalog: &Catalog, id: SkillId, profile: &Profile) -> Option<SkillForecast> {
    let packages = catalog.packages(profile);
    let all = packages.of_skill(id).map(|(number, position)| (&packages.all[number], position));
    let declared = all.filter(|(package, _)| package.is_declared());
    let all = declared.map(|(package, position)| of_member(catalog, profile, package, &package.skills[position], None));
    all.min_by_key(|forecast| (forecast.if_read, !forecast.listed))
}

/// Forecasts a skill of a repository that is made for distribution, as if an installer had put it into a skills directory of the
/// runtime, which `loads` it; `None` if the installer does not find it.
pub(super) fn installed(
    catalog: &Catalog,
    id: SkillId,
    profile: &Profile,
    (installer, loads): (&Profile, &Loads),
    ordinary: Option<&Ordinary<'_>>,
) -> Option<SkillForecast> {
    let read = |forecast| SkillForecast { reads_root: true, ..forecast };
    if catalog.packages(profile).is_inside(catalog.path(id)) {
        let reason = Reason::Package(Lost::Outside);
        return Some(read(SkillForecast::without_text(Outcome::Drops, reason, Some(Reported::Nothing))));
    }
    let packages = catalog.packages(installer);
    let (number, position) = packages.of_skill(id).next()?;
    let package = &packages.all[number];
    let member = &package.skills[position];
    let offered = of_member(catalog, installer, package, member, ordinary);
    let name = offered.name.as_ref().filter(|_| offered.is_loaded());
    // The author hides it from installers.
    if name.is_some() && !offered.listed {
        return None;
    }
    let Some(name) = name else {
        let reported = offered.reported;
        return Some(read(SkillForecast::without_text(Outcome::Drops, Reason::NotInstalled, reported)));
    };
    let skill = catalog.skill(id);
    // An installer leaves an ordinary skill as it is.
    let unchanged = ordinary.filter(|_| !member.is_own && member.through.is_none() && *name == Shown::Written);
    if let Some(forecast) = unchanged.and_then(|ordinary| ordinary.forecast(loads)) {
        return Some(read(forecast));
    }
    let installed = Skill { directory: name.text(skill, "name").as_bytes().into(), depth: 1, ..skill.clone() };
    Some(read(match profile.loads.is_about_directories_only() {
        true => SkillForecast::without_text(Outcome::Unknown, Reason::NotKnown("how it reads a skill"), None),
        false => fields::of(&installed, catalog.path(id), loads),
    }))
}
