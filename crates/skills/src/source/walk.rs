//! The walk that all kinds of source share: lists the files below the roots, each with its role.

use std::collections::{BTreeSet, HashSet};

use bstr::{BStr, BString, ByteSlice};

use super::Error;
use super::budget::Budget;
use super::discover::{self, Bounds, Found};
use super::find::{self, Finder, Link};
use super::locate::{self, Located};
use super::manifests;
use super::near;
use super::store::{self, Entry, Kind, Spot, Store};
use super::twins;
use crate::manifest::Manifests;
use crate::parallel;
use crate::roots::{self, Places, Root, RootId, RootSet};
use crate::snapshot::{Body, File, Mode, Resolution, Role, State, Unread};

/// The directories of a skill that the specification names.
const OF_SKILL: [&str; 3] = ["assets", "references", "scripts"];

/// The roots and every file below them, sorted by path; no SKILL.md is read yet.
#[derive(Default)]
pub(super) struct Walked {
    pub roots: Vec<Root>,
    pub files: Vec<File>,
    /// The manifests of packages.
    pub manifests: Manifests,
    /// Configurations that are not read.
    pub settings: Vec<BString>,
    /// Why the other skills of the repository were not searched.
    pub unsearched: Option<String>,
    /// What could not be read and was skipped.
    pub unread: Vec<Unread>,
}

/// Finds the roots and lists the files below them. `searched` bounds the search for other skills; `None` searches none.
pub(super) fn walk(store: &dyn Store, set: &RootSet, searched: Option<Bounds>) -> Result<Walked, Error> {
    if set.patterns.is_empty() && searched.is_none() {
        // Nothing to read: the configuration disables skills.
        return Ok(Walked::default());
    }
    let mut finder = Finder::new(store);
    let (discovered, mut others, mut manifests, settings) = match searched {
        Some(bounds) => discovered(store, &mut finder, set, bounds)?,
        None => Default::default(),
    };
    let located = locate::roots(&mut finder, set, discovered)?;
    let paths: BTreeSet<BString> = located.iter().map(|located| located.root.path.clone()).collect();
    let mut roots = Vec::with_capacity(located.len());
    let mut files = Vec::new();
    let mut budget = Budget::default();
    let mut unsearched = None;
    for (id, located) in (0u32..).map(RootId).zip(located) {
        let Located { root, directory, files: found } = located;
        files.extend(found);
        if let Some(directory) = directory {
            let (finder, files, budget) = (&mut finder, &mut files, &mut budget);
            let top = directory.path.clone();
            Below { store, set, id, root: &root, top, finder, paths: &paths, files, budget }.walk(directory)?;
        }
        roots.push(root);
    }
    if let Some(bounds) = searched.filter(|_| set.discovery.is_none()) {
        // Next to checked skills, a place that cannot be searched costs only a note.
        match discover::search(store, &mut finder, set, bounds) {
            Err(error) if files.iter().any(|file| file.role == Role::Skill) => unsearched = Some(error.to_string()),
            found => Found { skills: others, manifests, .. } = found?,
        }
    }
    // If no skill is checked, one finding names all files that could be.
    if others.is_empty() || files.iter().any(|file| file.role == Role::Skill) {
        files.extend(near::misses(&mut finder, set, &paths));
    }
    if set.discovery.is_some() {
        files.extend(near::definitions(&mut finder)?);
    }
    let twins = twins::of(&mut finder, set, &paths, &files)?;
    files.extend(twins);
    let covered = covered(&files);
    // Of the top, only skill directories are read: a SKILL.md in another directory is not in it.
    let (top, inside): (BTreeSet<BString>, BTreeSet<BString>) = paths.iter().cloned().partition(|path| path.is_empty());
    let listed: HashSet<&BString> = files.iter().filter(|_| !top.is_empty()).map(|file| &file.path).collect();
    others.retain(|path| {
        !roots::is_within_any(path.as_bstr(), &covered)
            && !roots::is_within_any(path.as_bstr(), &inside)
            && !listed.contains(path)
    });
    files.extend(others.into_iter().map(|path| File::new(path, Role::Unchecked, None, Body::NotRead)));
    let (of_manifests, mut manifests) = manifests.split();
    files.extend(of_manifests);
    files.sort_by(|a, b| (&a.path, a.root).cmp(&(&b.path, b.root)));
    manifests::number(&files, &mut manifests);
    // They are kept to the end of the run, and growing doubles their room.
    files.shrink_to_fit();
    Ok(Walked { roots, files, manifests, settings, unsearched, unread: Vec::new() })
}

/// Returns the paths whose skills are checked, or reported by a rule about their directory.
fn covered(files: &[File]) -> BTreeSet<BString> {
    let paths = files.iter().flat_map(|file| match file.role {
        Role::Near | Role::Twin => Some(&file.path),
        Role::Skill | Role::Root => file.through.as_ref(),
        _ => None,
    });
    paths.cloned().collect()
}

/// Skills directories, SKILL.md files that are in none, manifests of packages, and configurations that are not read.
type Discovered = (BTreeSet<BString>, Vec<BString>, manifests::Found, Vec<BString>);

/// Returns the skills directories that a discovery finds.
pub(super) fn discovered_roots(
    store: &dyn Store,
    finder: &mut Finder<'_>,
    set: &RootSet,
    bounds: Bounds,
) -> Result<BTreeSet<BString>, Error> {
    Ok(discovered(store, finder, set, bounds)?.0)
}

/// Returns what a discovery finds.
fn discovered(store: &dyn Store, finder: &mut Finder<'_>, set: &RootSet, bounds: Bounds) -> Result<Discovered, Error> {
    let Some(discovery) = &set.discovery else { return Ok(Default::default()) };
    let found = discover::search(store, finder, set, bounds)?;
    let mut named = found.manifests.named.clone();
    named.extend(found.linked(finder)?);
    let mut places = discovery.places(&found.skills, &named);
    if places.roots.is_empty() && found.links.is_empty() {
        let is_near = |path: &BStr| set.near.iter().any(|near| near.as_bytes() == path.to_lowercase());
        places.fall_back(|path| is_near(path) || discovery.is_known(format!(".{path}").as_bytes().as_bstr()));
    }
    let Places { mut roots, others } = places;
    // Of the top, only skill directories are read.
    let top = roots.take(BStr::new(""));
    let linking = found.linking.union(&named).filter(|path| !roots::is_within_any(path.as_bstr(), &roots));
    let linked = found.through_links(finder, linking)?;
    roots.extend(top);
    roots.extend(found.links);
    roots.extend(linked);
    roots.extend(near::flat(finder, discovery, set, &roots, &found.manifests.named));
    Ok((roots, others, found.manifests, found.settings))
}

/// A walk below one root.
struct Below<'a, 's> {
    store: &'s dyn Store,
    set: &'a RootSet,
    id: RootId,
    root: &'a Root,
    /// The path of the root without links.
    top: BString,
    finder: &'a mut Finder<'s>,
    /// The paths of all roots: files of a nested root belong to that root only, and are not walked twice.
    paths: &'a BTreeSet<BString>,
    files: &'a mut Vec<File>,
    budget: &'a mut Budget,
}

/// A directory below a root.
struct Folder {
    /// The path below the root.
    path: BString,
    /// Its location.
    spot: Spot,
    /// The depth below the root.
    depth: u64,
    /// Whether a directory around it, below the root, has a SKILL.md.
    in_skill: bool,
}

impl Folder {
    /// Returns the real path of an entry, if its directory was reached through a link.
    fn through(&self, entry: &Entry) -> Option<BString> {
        (self.path != self.spot.path).then(|| store::join(self.spot.path.as_bstr(), entry.name.as_bstr()))
    }
}

impl Below<'_, '_> {
    /// Lists one level after another, the directories of each level in parallel.
    fn walk(mut self, top: Spot) -> Result<(), Error> {
        let mut level = vec![Folder { path: self.root.path.clone(), spot: top, depth: 0, in_skill: false }];
        let allowance = self.budget.allowance(self.set.files);
        while !level.is_empty() {
            let store = self.store;
            let listings = parallel::map_init(
                &level,
                || store.reader(),
                |reader, folder| allowance.children(&mut **reader, &folder.spot),
            );
            let listings = Error::collect(listings)?.into_iter().collect::<Option<Vec<_>>>();
            let listings = listings.ok_or_else(|| allowance.error(self.root))?;
            let mut next = Vec::new();
            for (folder, entries) in level.iter_mut().zip(listings) {
                self.budget.entries -= entries.len() as u64;
                folder.in_skill |=
                    folder.depth > 0 && entries.iter().any(|one| roots::is_skill_file(one.name.as_bstr()));
                for entry in &entries {
                    self.visit(folder, entry, &mut next)?;
                }
            }
            level = next;
        }
        Ok(())
    }

    fn visit(&mut self, folder: &Folder, entry: &Entry, next: &mut Vec<Folder>) -> Result<(), Error> {
        let path = store::join(folder.path.as_bstr(), entry.name.as_bstr());
        find::within_limit(&path)?;
        let is_skill_file = roots::is_skill_file(entry.name.as_bstr());
        // Git has no ignored files: a directory that nobody configured must have the same skills in the index.
        let is_ignored = self.root.discovered && entry.state == State::Ignored;
        if is_ignored || self.set.exclude.contains(path.as_bstr()) || self.is_skipped(folder, entry)? {
            return Ok(());
        }
        let takes_a_directory = folder.depth == 0;
        let role = if is_skill_file { Role::Skill } else { Role::Other };
        match entry.kind {
            Kind::Special if is_skill_file => self.push(folder, entry, path, role, Body::Special)?,
            Kind::Special => {}
            Kind::Unmerged => self.push(folder, entry, path, role, Body::Unmerged)?,
            Kind::Known(Mode::File | Mode::Executable) => {
                let target = if takes_a_directory { self.finder.skill_in_text(&folder.spot, entry) } else { None };
                let (role, body) = match target {
                    Some(target) => (Role::Skill, Body::Symlink { target, resolution: Resolution::Text }),
                    None => (role, Body::NotRead),
                };
                self.push(folder, entry, path, role, body)?;
            }
            Kind::Known(Mode::Submodule) => {
                let role = if takes_a_directory { Role::Skill } else { role };
                self.push(folder, entry, path, role, Body::Submodule)?;
            }
            Kind::Known(Mode::Directory) => {
                if is_skill_file {
                    self.push(folder, entry, path.clone(), Role::Skill, Body::Directory)?;
                }
                let (spot, depth) = (folder.spot.child(entry), folder.depth + 1);
                self.enter(Folder { path, spot, depth, in_skill: folder.in_skill }, next)?;
            }
            Kind::Known(Mode::Link) if is_skill_file => self.skill_link(folder, entry, path)?,
            Kind::Known(Mode::Link) if takes_a_directory => self.directory_link(folder, entry, path, next)?,
            Kind::Known(Mode::Link) if !folder.in_skill && self.is_skill_link(folder, entry)? => {
                self.directory_link(folder, entry, path, next)?;
            }
            Kind::Known(Mode::Link) => {
                self.push(folder, entry, path, Role::Other, Body::NotRead)?;
            }
        }
        Ok(())
    }

    /// Returns whether an entry at the top of the repository is not part of a skill: there, a skill directory is a directory
    /// that holds a SKILL.md itself. A SKILL.md at the top has the directories of the specification.
    fn is_skipped(&mut self, folder: &Folder, entry: &Entry) -> Result<bool, Error> {
        if !self.root.path.is_empty() || folder.depth > 0 {
            return Ok(false);
        }
        // Unless the top is configured as a skills directory, `skill.md` may be any document.
        let is_configured = self.root.configured;
        let is_skill = |entry: &Entry| {
            let name = entry.name.as_bstr();
            roots::is_plainly_skill_file(name) || is_configured && roots::is_skill_file(name)
        };
        if entry.kind != Kind::Known(Mode::Directory) {
            return Ok(!is_skill(entry));
        }
        let has_skill = |entries: &[Entry]| entries.iter().any(is_skill);
        if OF_SKILL.iter().any(|name| entry.name == *name) && has_skill(&self.finder.children(&folder.spot)?) {
            return Ok(false);
        }
        let children = self.finder.children(&folder.spot.child(entry))?;
        let has_misnamed = || near::misnamed(&children).is_some_and(|name| is_configured || name.starts_with(b"SKILL"));
        Ok(entry.name.starts_with(b".") || !has_skill(&children) && !has_misnamed())
    }

    fn enter(&mut self, folder: Folder, next: &mut Vec<Folder>) -> Result<(), Error> {
        if folder.depth > self.set.depth {
            return Err(Error::TooDeep { path: folder.path, limit: self.set.depth });
        }
        self.budget.charge(folder.path.len() + folder.spot.path.len())?;
        if !self.paths.contains(&folder.path) {
            next.push(folder);
        }
        Ok(())
    }

    /// Adds a link named SKILL.md: its text is read through it if it leads to a file.
    fn skill_link(&mut self, folder: &Folder, entry: &Entry, path: BString) -> Result<(), Error> {
        let Link { target, id, resolution } = self.finder.follow(&folder.spot.child(entry))?;
        let found = match &resolution {
            Resolution::File(target) => self.finder.at(target.as_bstr())?,
            _ => None,
        };
        let body = match found {
            Some((_, Entry { kind: Kind::Unmerged, .. })) => Body::Unmerged,
            _ => Body::Symlink { target, resolution },
        };
        self.push(folder, entry, path, Role::Skill, body)?;
        if let Some(file) = self.files.last_mut() {
            file.id = id;
            if let Some((spot, target)) = found {
                (file.id, file.through) = (spot.id, Some(spot.path));
                // A tracked link to an untracked file is broken in every clone.
                file.state = if file.state == State::Tracked { target.state } else { file.state };
            }
        }
        Ok(())
    }

    /// Returns whether a link in a directory that groups skills leads to the directory of a skill outside the root.
    fn is_skill_link(&mut self, folder: &Folder, entry: &Entry) -> Result<bool, Error> {
        let Resolution::Directory(to) = self.finder.follow(&folder.spot.child(entry))?.resolution else {
            return Ok(false);
        };
        if roots::is_within(to.as_bstr(), self.top.as_bstr()) || roots::is_within(self.top.as_bstr(), to.as_bstr()) {
            return Ok(false);
        }
        let target = self.finder.directory(to.as_bstr())?;
        Ok(target.as_ref().map_or(Ok(None), |target| self.finder.skill_state(target))?.is_some())
    }

    /// Adds a link in the place of a skill's directory. It is followed once: its target's entries are listed below it,
    /// unless the target is inside the same root.
    fn directory_link(
        &mut self,
        folder: &Folder,
        entry: &Entry,
        path: BString,
        next: &mut Vec<Folder>,
    ) -> Result<(), Error> {
        let Link { target, id, mut resolution } = self.finder.follow(&folder.spot.child(entry))?;
        let mut role = Role::Skill;
        match &resolution {
            Resolution::File(_) => role = Role::Other,
            Resolution::Directory(to) if to != &self.top && roots::is_within(to.as_bstr(), self.top.as_bstr()) => {
                role = Role::Other;
            }
            Resolution::Directory(to) => {
                let target = self.finder.directory(to.as_bstr())?;
                let skill = target.as_ref().map_or(Ok(None), |target| self.finder.skill_state(target))?;
                let is_above = roots::is_within(self.top.as_bstr(), to.as_bstr());
                match target {
                    _ if self.root.discovered && skill == Some(State::Ignored) => resolution = Resolution::Ignored,
                    // Its files would be listed again below the link, and it is checked in its own place.
                    _ if is_above && skill.is_some() => role = Role::Other,
                    _ if is_above => resolution = Resolution::Above,
                    Some(spot) => {
                        role = Role::Other;
                        let depth = folder.depth + 1;
                        self.enter(Folder { path: path.clone(), spot, depth, in_skill: false }, next)?;
                    }
                    None => role = Role::Other,
                }
            }
            _ => {}
        }
        self.push(folder, entry, path, role, Body::Symlink { target, resolution })?;
        if let Some(file) = self.files.last_mut() {
            file.id = id;
        }
        Ok(())
    }

    fn push(&mut self, folder: &Folder, entry: &Entry, path: BString, role: Role, body: Body) -> Result<(), Error> {
        let mode = match entry.kind {
            Kind::Known(mode) => mode,
            Kind::Unmerged | Kind::Special => Mode::File,
        };
        // `Source::trees` computes the ids of directories: only one kind of source knows them for free.
        let id = entry.id.filter(|_| mode != Mode::Directory);
        let through = folder.through(entry);
        self.budget.charge(path.len() + through.as_ref().map_or(0, |path| path.len()))?;
        let (state, stamp) = (entry.state, entry.stamp);
        self.files.push(File { id, mode, state, stamp, through, ..File::new(path, role, Some(self.id), body) });
        Ok(())
    }
}
