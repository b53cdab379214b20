//! The directories that are read beside a repository: the user's, the machine's, and those that the command line names.
#![allow(clippy::disallowed_methods, reason = "a directory is named by the caller")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use skilltree::accept::Accepted;
use skilltree::catalog::Catalog;
use skilltree::profile::{Profile, Profiles};
use skilltree::prompt::{self, Contents, Recipe};
use skilltree::render::escape;
use skilltree::roots::Owner;
use skilltree::select::{self, Caps, Shadowed};
use skilltree::skill::SkillId;
use skilltree::source::{Unread, Volume};
use skilltree::text;

use super::args::beside::Beside;
use super::environment;
use super::failure::Failure;
use super::output::Stderr;
use super::place::Place;

/// The profile of a directory that only the command line names.
const EXTERNAL_PROFILE: &str = "agentskills";

/// The directories in the order of their roots: the user's, the machine's, those of the command line. Which of the first
/// two are read is said by the profiles that come with the program: the judged tree has no say in it.
pub(super) fn volumes(typed_in: &Place, beside: &Beside, profile: Option<&str>) -> Result<Vec<Volume>, Failure> {
    let profiles = Profiles::default();
    let mut volumes = Vec::new();
    if beside.user_roots {
        let wanted = profiles.ids().filter(|id| profile.is_none_or(|profile| profile == *id));
        let wanted: Vec<&Profile> = wanted.filter_map(|id| profiles.find(id)).collect();
        for owner in [Owner::User, Owner::System] {
            wanted.iter().for_each(|profile| add(&mut volumes, profile, owner));
        }
    }
    let mut names = BTreeSet::new();
    for directory in &beside.external {
        volumes.push(external(typed_in, directory, &mut names)?);
    }
    Ok(volumes)
}

/// Says on standard error that the skills of the user were asked for and there is no place to look for them. The place itself
/// is not shown, as no path of the machine is.
pub(super) fn tell_home(stderr: &Stderr, beside: &Beside, profile: Option<&str>) {
    let profiles = Profiles::default();
    let mut wanted = profiles.ids().filter(|id| profile.is_none_or(|profile| profile == *id));
    let is_wanted = wanted.any(|id| profiles.find(id).is_some_and(|profile| profile.outside().any(is_user_s)));
    if let (true, true, Err(fact)) = (beside.user_roots, is_wanted, home()) {
        let variable = environment::HOME;
        let help = format!("set {variable} to a directory, or leave `--user-roots` out");
        stderr.warn(&format!("no skills of the user are read: {variable} {fact}"), Some(&help));
    }
}

fn is_user_s((_, owner): (&str, Owner)) -> bool {
    owner == Owner::User
}

/// The home directory, or what keeps it from being one. One that is relative would be another in every directory.
fn home() -> Result<PathBuf, &'static str> {
    let home = environment::home().ok_or("is not set")?;
    match (home.is_absolute(), home.is_dir()) {
        (false, _) => Err("is no absolute path"),
        (true, false) => Err("names no directory"),
        (true, true) => Ok(home),
    }
}

/// Adds the directories of an owner that a profile takes, unless another profile has them already. Without a home
/// directory there are no skills of a user.
fn add(volumes: &mut Vec<Volume>, profile: &Profile, owner: Owner) {
    let home = home().ok();
    for (path, _) in profile.outside().filter(|(_, whose)| *whose == owner) {
        let (shown, place) = match (path.strip_prefix("~/"), &home) {
            (Some(below), Some(home)) => (path.to_owned(), home.join(below)),
            (Some(_), None) => continue,
            (None, _) => (format!("system:{path}"), path.into()),
        };
        if volumes.iter().all(|other| other.shown != shown) {
            volumes.push(Volume { shown, place, owner, profile: profile.id.clone(), depth: profile.loads.depth });
        }
    }
}

/// A directory of the command line. It is shown by its own name alone, with a number where another one has it already.
fn external(typed_in: &Place, named: &Path, names: &mut BTreeSet<String>) -> Result<Volume, Failure> {
    let refused = |what: &str| {
        Failure::new(format!("`--external {}` {what}", named.display())).help("name a directory of skills")
    };
    let place = fs::canonicalize(typed_in.join(named)).map_err(|_| refused("is not there"))?;
    if !place.is_dir() {
        return Err(refused("is not a directory"));
    }
    let name = place.file_name().ok_or_else(|| refused("is no directory of skills"))?;
    let name = text::lossless(BStr::new(name.as_encoded_bytes()));
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
    let name = free.unwrap_or(name);
    names.insert(name.clone());
    let shown = format!("external:{name}");
    Ok(Volume { shown, place, owner: Owner::External, profile: EXTERNAL_PROFILE.to_owned(), depth: None })
}

/// Whose a skill is.
pub(super) fn owner(catalog: &Catalog, skill: SkillId) -> Owner {
    catalog.root(catalog.skill(skill).root).owner
}

/// The skills that may enter a prompt, less those outside of the repository that another of the same name stands before,
/// and those.
pub(super) fn visible(accepted: &Accepted<'_>) -> (Vec<SkillId>, Vec<Shadowed>) {
    let catalog = accepted.catalog;
    let everything = Recipe { limits: Caps::default(), ..Recipe::everywhere(&catalog.parsed.roots) };
    let shadowed = prompt::choose(accepted, &everything, &Contents::new()).shadowed;
    let shadowed: Vec<Shadowed> = shadowed.into_iter().filter(|shadowed| is_outside(catalog, shadowed)).collect();
    let hidden: BTreeSet<u32> = shadowed.iter().map(|shadowed| shadowed.skill.0).collect();
    (accepted.skills.iter().copied().filter(|skill| !hidden.contains(&skill.0)).collect(), shadowed)
}

fn is_outside(catalog: &Catalog, shadowed: &Shadowed) -> bool {
    owner(catalog, shadowed.skill) != Owner::Repository
}

/// Says on standard error which skills outside of the repository another one stands before, and what could not be read.
/// What is the machine's alone is quiet unless somebody wants to know more.
pub(super) fn tell(stderr: &Stderr, catalog: &Catalog, shadowed: &[Shadowed], unread: &[Unread], verbose: bool) {
    let path = |skill| escape::path(catalog.path(skill));
    for shadowed in shadowed.iter().filter(|shadowed| is_outside(catalog, shadowed)) {
        let name = escape::text(&select::name(catalog.skill(shadowed.skill)));
        stderr.say(&format!("shadowed {name} ({}): {} comes first", path(shadowed.skill), path(shadowed.by)));
    }
    for unread in unread.iter().filter(|unread| verbose || unread.owner != Owner::System) {
        stderr.say(&format!("left out {}: {}", escape::path(unread.path.as_bstr()), escape::text(&unread.message)));
    }
}
