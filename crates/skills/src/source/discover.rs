//! The search of a whole tree for SKILL.md files, manifests of plugins and links to skills directories.
//!
//! Each distinct tree is listed once, however often it occurs: trees that share children have more paths than fit in memory.
//! Then the search writes out the paths that lead to something, and skips excluded ones. The result depends only on the paths, so an
//! index, which has no tree ids, gives the same one.

mod tree;

use std::collections::BTreeSet;

use bstr::{BStr, BString, ByteSlice};

use self::tree::Tree;
use super::Error;
use super::find::{Finder, PATH_BYTES, within_limit};
use super::manifests;
use super::store::{self, Entry, Kind, Spot, Store};
use crate::roots::{self, Discovery, RootSet};
use crate::snapshot::{Mode, Resolution};
use skilltree_front_matter::text;

/// Maximum directories of a repository that are searched, and of the paths that lead to something (ours: 2,000,000, some seconds).
pub(super) const DIRECTORIES: usize = 2_000_000;

/// The bounds of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Maximum directories.
    directories: usize,
    /// Maximum depth of a directory below the top.
    depth: usize,
}

/// In a repository, a path is bounded by its length.
pub(super) const REPOSITORY: Bounds = Bounds { directories: DIRECTORIES, depth: PATH_BYTES };

/// In a working tree, each level reads the ignore files above it again (ours: 256 levels).
pub(super) const WORK_TREE: Bounds = Bounds { depth: 256, ..REPOSITORY };

/// Outside a repository, which may be a home directory (ours: 100,000 directories, 32 levels). The deepest of 1,459 public
/// skills is 7 levels below the top of its repository, and a repository is a few levels below a home directory.
pub(super) const OUTSIDE: Bounds = Bounds { directories: 100_000, depth: 32 };

/// Maximum bytes of the paths that a search holds, and of those that it finds (ours: 128 MiB, about a million paths each).
const PATHS_BYTES: usize = 128 << 20;

/// Maximum links that are followed to find skills directories with nothing but links (ours: 10,000).
const FOLLOWED: usize = 10_000;

/// What a search finds, each sorted by path.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// SKILL.md files in any letter case, without excluded ones.
    pub(super) skills: Vec<BString>,
    /// Manifests of packages, and the skills directories that they name.
    pub(super) manifests: manifests::Found,
    /// Links whose path is that of a skills directory.
    pub(super) links: Vec<BString>,
    /// Skills directories with links.
    pub(super) linking: BTreeSet<BString>,
    /// Configurations that are not read.
    pub(super) settings: Vec<BString>,
}

/// Searches a tree within bounds.
pub(super) fn search(
    store: &dyn Store,
    finder: &mut Finder<'_>,
    set: &RootSet,
    bounds: Bounds,
) -> Result<Found, Error> {
    let nothing = Discovery::default();
    Leads::of(store, set, set.discovery.as_ref().unwrap_or(&nothing), bounds)?.found(finder)
}

/// Returns the paths of all SKILL.md files, sorted.
pub(super) fn skill_files(store: &dyn Store, bounds: Bounds) -> Result<Vec<BString>, Error> {
    let (nowhere, nothing) = (RootSet::default(), Discovery::default());
    let mut skills = Leads::of(store, &nowhere, &nothing, bounds)?.found.skills;
    skills.sort();
    Ok(skills)
}

/// Collects what a search finds.
struct Leads<'a> {
    set: &'a RootSet,
    discovery: &'a Discovery,
    found: Found,
    manifests: Vec<(Spot, Kind)>,
    path_bytes: usize,
}

impl<'a> Leads<'a> {
    fn of(store: &dyn Store, set: &'a RootSet, discovery: &'a Discovery, bounds: Bounds) -> Result<Self, Error> {
        let mut leads = Self { set, discovery, found: Found::default(), manifests: Vec::new(), path_bytes: 0 };
        match store.outlined() {
            Some(outlined) => outlined.into_iter().try_for_each(|(spot, kind)| leads.add(spot, kind))?,
            None => Tree::new(store, &set.exclude, &|name| discovery.ends_known(name), bounds).write_out(&mut leads)?,
        }
        Ok(leads)
    }

    /// Adds the entries of a directory that are not directories.
    fn add_all(&mut self, directory: &BString, entries: &[Entry]) -> Result<(), Error> {
        entries.iter().try_for_each(|entry| {
            let path = store::join(directory.as_bstr(), entry.name.as_bstr());
            self.add(Spot { path, id: entry.id }, entry.kind)
        })
    }

    /// Adds an entry that is not a directory.
    fn add(&mut self, spot: Spot, kind: Kind) -> Result<(), Error> {
        let path = spot.path.as_bstr();
        if self.set.exclude.contains(path) || roots::is_within_any(path, &self.set.elsewhere) {
            return Ok(());
        }
        within_limit(&spot.path)?;
        self.path_bytes += spot.path.len();
        if self.path_bytes > PATHS_BYTES {
            return Err(Error::TooLongSearch { limit: PATHS_BYTES });
        }
        if roots::is_skill_file(text::file_name(spot.path.as_bstr())) {
            self.found.skills.push(spot.path);
        } else if roots::manifest(spot.path.as_bstr()).is_some() {
            self.manifests.push((spot, kind));
        } else if roots::is_unread_settings(path) {
            self.found.settings.push(spot.path);
        } else if self.discovery.is_known(spot.path.as_bstr()) {
            self.found.links.push(spot.path);
        } else if kind == Kind::Known(Mode::Link) && self.discovery.is_known(text::parent(path)) {
            self.found.linking.insert(text::parent(path).to_owned());
        }
        Ok(())
    }

    /// Returns everything sorted, with the directories that the manifests name.
    fn found(mut self, finder: &mut Finder<'_>) -> Result<Found, Error> {
        self.found.skills.sort();
        self.found.links.sort();
        self.found.settings.sort();
        self.manifests.sort_by(|(a, _), (b, _)| a.path.cmp(&b.path));
        let known = self.discovery.known.iter().map(String::as_str).filter(|path| !path.contains('*'));
        let known = known.chain(Some(roots::PUBLISHED).filter(|_| !self.discovery.known.is_empty())).map(BString::from);
        let known: Vec<BString> = known.filter(|path| !self.set.exclude.contains(path.as_bstr())).collect();
        self.found.manifests = manifests::read(finder, &self.manifests, &self.found.skills, &known)?;
        Ok(self.found)
    }
}

impl Found {
    /// Returns the directories that links to skills directories lead to.
    pub(super) fn linked(&self, finder: &mut Finder<'_>) -> Result<Vec<BString>, Error> {
        let mut targets = Vec::new();
        for link in &self.links {
            if let Resolution::Directory(target) = finder.resolve(BStr::new(""), link.as_bstr())? {
                targets.push(target);
            }
        }
        Ok(targets)
    }

    /// Returns those of some directories that have skills only through links, or links that lead nowhere.
    pub(super) fn through_links<'p>(
        &self,
        finder: &mut Finder<'_>,
        directories: impl Iterator<Item = &'p BString>,
    ) -> Result<Vec<BString>, Error> {
        let mut found = Vec::new();
        let mut left = FOLLOWED;
        for path in directories {
            if self.leads_to_skill(finder, path, &mut left)? {
                found.push(path.clone());
            }
        }
        Ok(found)
    }

    /// Returns whether a directory is a link to one with skills, or has links to skills. Over the limit of links, it may have.
    fn leads_to_skill(&self, finder: &mut Finder<'_>, path: &BString, left: &mut usize) -> Result<bool, Error> {
        let Resolution::Directory(directory) = finder.resolve(BStr::new(""), path.as_bstr())? else { return Ok(false) };
        if directory != *path {
            return Ok(self.has_skill(directory.as_bstr()));
        }
        let Some(spot) = finder.directory(path.as_bstr())? else { return Ok(false) };
        let entries = finder.children(&spot)?;
        for entry in entries.iter().filter(|entry| entry.kind == Kind::Known(Mode::Link)) {
            let Some(after) = left.checked_sub(1) else { return Ok(true) };
            *left = after;
            let leads = match finder.follow(&spot.child(entry))?.resolution {
                Resolution::Directory(target) => self.has_skill(target.as_bstr()),
                // A rule reports it, as in any other skills directory.
                Resolution::Dangling | Resolution::Loop | Resolution::TooManyLinks => true,
                _ => false,
            };
            if leads {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether a SKILL.md is in a directory or below it.
    fn has_skill(&self, directory: &BStr) -> bool {
        let inside = store::join(directory, BStr::new(""));
        let first = self.skills.partition_point(|skill| skill.as_bstr() < inside.as_bstr());
        self.skills.get(first).is_some_and(|skill| roots::is_within(skill.as_bstr(), directory))
    }
}
