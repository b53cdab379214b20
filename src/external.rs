//! Skills directories outside the repository: the user's, the system's, and those that the caller names.
#![allow(clippy::disallowed_methods, reason = "the caller names the directory")]

mod installed;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;
use skilltree_git::Volume;
use skilltree_runtimes::profile::files::Follow;
use skilltree_runtimes::profile::loads::Scope;
use skilltree_runtimes::profile::{Profile, Profiles};
use skilltree_skills::roots::{self, Owner};
use skilltree_skills::source::Source;

use crate::failure::Failure;
use crate::options::{Home, Options};
use crate::place::Place;
use crate::purpose::Purpose;

/// The profile of a directory that the caller names.
const EXTERNAL_PROFILE: &str = "agentskills";

/// Returns the directories in the order of their roots: the user's, the system's, those that the caller names. The built-in
/// profiles say which the first two are; the checked tree cannot add any.
pub(crate) fn volumes(typed_in: &Place, options: &Options, purpose: Purpose) -> Result<Vec<Volume>, Failure> {
    let profiles = Profiles::default();
    let mut volumes = Vec::new();
    if let Some(home) = &options.home {
        let wanted = profiles.ids().filter(|id| options.profile.as_deref().is_none_or(|profile| profile == *id));
        let wanted: Vec<&Profile> = wanted.filter_map(|id| profiles.find(id)).collect();
        for owner in [Owner::User, Owner::System] {
            wanted.iter().for_each(|profile| add(&mut volumes, profile, owner, home));
        }
        if let (Home::Directory(home), false) = (home, purpose.is_of_block()) {
            wanted.iter().for_each(|profile| add_others(&mut volumes, profile, home));
            volumes.extend(installed::volumes(home, |id| wanted.iter().any(|profile| profile.id == id)));
        }
    }
    let mut names = BTreeSet::new();
    for directory in &options.external {
        volumes.push(external(typed_in, directory, &mut names)?);
    }
    Ok(volumes)
}

/// Returns the paths in the source that are one of the user's directories: in the home directory, `.agent/skills` is `~/.agent/skills`. As
/// the user's, it may contain links to other places.
pub(crate) fn users(source: &Source, volumes: &[Volume]) -> BTreeSet<BString> {
    let users = volumes.iter().filter(|volume| volume.owner == Owner::User);
    let real = users.filter_map(|volume| fs::canonicalize(&volume.place).ok());
    real.filter_map(|place| source.repository_path(&place)).collect()
}

/// Returns the directories that the caller names, each with the prefix of its paths in messages.
#[cfg(feature = "cli")]
pub(crate) fn shown<'d>(typed_in: &Place, directories: &'d [PathBuf]) -> Vec<(String, &'d Path)> {
    let mut names = BTreeSet::new();
    let named =
        directories.iter().map(|named| Some((external(typed_in, named, &mut names).ok()?.shown, named.as_path())));
    named.flatten().collect()
}

/// Adds the directories that a profile reads for an owner, unless another profile added them. Without a home directory, the user
/// has none.
fn add(volumes: &mut Vec<Volume>, profile: &Profile, owner: Owner, home: &Home) {
    let home = match home {
        Home::Directory(home) => Some(home),
        Home::Unknown => None,
    };
    for (path, _) in profile.outside().filter(|(_, whose)| *whose == owner) {
        let (shown, place) = match (path.strip_prefix("~/"), home) {
            (Some(below), Some(home)) => (path.to_owned(), home.join(below)),
            (Some(_), None) => continue,
            (None, _) => (format!("system:{path}"), path.into()),
        };
        if volumes.iter().all(|other| other.shown != shown) {
            let follows_links = owner == Owner::User && profile.loads.links.directory == Some(Follow::Followed);
            let (profile, depth) = (profile.id.clone(), profile.loads.depth);
            let within = home.filter(|_| owner == Owner::User).cloned();
            volumes.push(Volume { shown, place, owner, profile, depth, follows_links, within, package: None });
        }
    }
}

/// Adds the other directories of the user that a runtime searches, unless one around them is there.
fn add_others(volumes: &mut Vec<Volume>, profile: &Profile, home: &Path) {
    for root in profile.loads.roots.iter().filter(|root| root.scope == Scope::User && !roots::has_wildcard(&root.path))
    {
        let Some(below) = root.path.strip_prefix("~/") else { continue };
        let shown = root.path.as_bytes().as_bstr();
        if volumes.iter().all(|other| !roots::is_within(shown, other.shown.as_bytes().as_bstr())) {
            volumes.push(Volume {
                shown: root.path.clone(),
                place: home.join(below),
                owner: Owner::User,
                profile: EXTERNAL_PROFILE.to_owned(),
                depth: None,
                follows_links: true,
                within: Some(home.to_owned()),
                package: None,
            });
        }
    }
}

/// Returns a directory that the caller names. Messages show only its last component, with a number if it is not unique.
fn external(typed_in: &Place, named: &Path, names: &mut BTreeSet<String>) -> Result<Volume, Failure> {
    let refused = |problem: &str| {
        Failure::new(format!("`--external {}` {problem}", named.display()))
            .help("pass a skills directory: its subdirectories are skills")
    };
    let place = fs::canonicalize(typed_in.join(named)).map_err(|_| refused("does not exist"))?;
    if !place.is_dir() {
        return Err(refused("is not a directory"));
    }
    if skilltree_git::has_entry(&place, "SKILL.md") && place.join("SKILL.md").is_file() {
        return Err(refused("is a skill, not a skills directory"));
    }
    let name = place.file_name().ok_or_else(|| refused("is not a skills directory"))?;
    let name = text::lossless(BStr::new(name.as_encoded_bytes()));
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name));
    let name = free.unwrap_or(name);
    names.insert(name.clone());
    let shown = format!("external:{name}");
    Ok(Volume {
        shown,
        place,
        owner: Owner::External,
        profile: EXTERNAL_PROFILE.to_owned(),
        depth: None,
        ..Volume::default()
    })
}
