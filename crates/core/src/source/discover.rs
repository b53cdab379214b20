//! The search of a whole tree for SKILL.md files, manifests of plugins and links to skills directories.
//!
//! Each distinct tree is listed once, however often it occurs: trees that share children have more paths than fit in memory.
//! Only then the paths that lead to something are written out.

use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};

use super::find::{Finder, PATH_BYTES};
use super::store::{self, Entry, Kind, Reader, Spot, Store};
use super::{Error, expand, plugins};
use crate::parallel;
use crate::roots::{self, Discovery, RootSet};
use crate::snapshot::{Mode, ObjectId, Resolution, State};

/// Maximum directories of a repository that are searched (ours: 2,000,000, some seconds).
pub(super) const DIRECTORIES: usize = 2_000_000;

/// Maximum directories outside a repository (ours: 100,000): it may be a home directory.
pub(super) const DIRECTORIES_OUTSIDE: usize = 100_000;

/// What a search finds, each sorted by path.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// SKILL.md files in any letter case, without excluded ones.
    pub(super) skills: Vec<BString>,
    /// Skills directories and SKILL.md files that manifests of plugins name.
    pub(super) named: BTreeSet<BString>,
    /// Links whose path is that of a skills directory.
    pub(super) links: Vec<BString>,
}

/// Searches at most `most` directories of a tree.
pub(super) fn search(store: &dyn Store, finder: &mut Finder<'_>, set: &RootSet, most: usize) -> Result<Found, Error> {
    let nothing = Discovery::default();
    let discovery = set.discovery.as_ref().unwrap_or(&nothing);
    let mut tree = Tree::default();
    let mut level = vec![tree.node(None, None)];
    let mut spots = vec![store.top()];
    while !level.is_empty() {
        let listed =
            parallel::map_init(&spots, || store.reader(), |reader, spot| outline(&mut **reader, spot, discovery));
        let listed = Error::collect(listed)?;
        let mut next = (Vec::new(), Vec::new());
        for ((node, spot), entries) in level.iter().zip(&spots).zip(listed) {
            for entry in entries {
                let child = spot.child(&entry);
                if entry.kind != Kind::Known(Mode::Directory) {
                    tree.nodes[*node].marks.push(entry);
                } else if child.path.len() < PATH_BYTES && !set.exclude.contains(child.path.as_bstr()) {
                    if let Some(new) = tree.child(*node, &entry) {
                        next.0.push(new);
                        next.1.push(child);
                    }
                }
            }
        }
        if tree.nodes.len() > most {
            return Err(Error::TooManyDirectories { limit: most as u64 });
        }
        (level, spots) = next;
    }
    tree.found(finder, set, discovery)
}

/// Returns the paths of all SKILL.md files, sorted.
pub(super) fn skill_files(store: &dyn Store, most: usize) -> Result<Vec<BString>, Error> {
    let nowhere = RootSet::default();
    Ok(search(store, &mut Finder::new(store), &nowhere, most)?.skills)
}

/// Returns the entries of a directory that may lead to skills.
fn outline(reader: &mut dyn Reader, spot: &Spot, discovery: &Discovery) -> Result<Vec<Entry>, Error> {
    let mut entries = reader.outline(spot)?;
    entries.retain(|entry| {
        let name = entry.name.as_bstr();
        match entry.kind {
            Kind::Known(Mode::Directory) => !expand::is_skipped(name),
            Kind::Known(Mode::Submodule) | Kind::Special => false,
            Kind::Known(Mode::Link) if discovery.ends_known(name) => true,
            _ if entry.state == State::Ignored => false,
            _ => roots::is_skill_file(name) || roots::is_manifest(store::join(spot.path.as_bstr(), name).as_bstr()),
        }
    });
    Ok(entries)
}

/// The distinct directories of a tree.
#[derive(Default)]
struct Tree {
    nodes: Vec<Node>,
    by_id: HashMap<ObjectId, usize>,
}

#[derive(Default)]
struct Node {
    /// Entries that are not directories.
    marks: Vec<Entry>,
    children: Vec<(BString, usize)>,
    parents: Vec<usize>,
    /// Whether it or a directory below it has marks.
    leads: bool,
}

impl Tree {
    fn node(&mut self, parent: Option<usize>, id: Option<ObjectId>) -> usize {
        let number = self.nodes.len();
        self.nodes.push(Node { parents: parent.into_iter().collect(), ..Node::default() });
        self.by_id.extend(id.map(|id| (id, number)));
        number
    }

    /// Adds a directory to its parent, and returns its number if it is new.
    fn child(&mut self, parent: usize, entry: &Entry) -> Option<usize> {
        let known = entry.id.and_then(|id| self.by_id.get(&id).copied());
        let number = match known {
            Some(number) => {
                self.nodes[number].parents.push(parent);
                number
            }
            None => self.node(Some(parent), entry.id),
        };
        self.nodes[parent].children.push((entry.name.clone(), number));
        known.is_none().then_some(number)
    }

    /// Marks the directories that lead to something.
    fn lead(&mut self) {
        let mut ahead: Vec<usize> =
            (0..self.nodes.len()).filter(|&number| !self.nodes[number].marks.is_empty()).collect();
        while let Some(number) = ahead.pop() {
            if !std::mem::replace(&mut self.nodes[number].leads, true) {
                ahead.extend(&self.nodes[number].parents);
            }
        }
    }

    /// Writes out the paths of the marks.
    fn found(mut self, finder: &mut Finder<'_>, set: &RootSet, discovery: &Discovery) -> Result<Found, Error> {
        self.lead();
        let mut found = Found::default();
        let mut manifests = Vec::new();
        let mut ahead = vec![(BString::default(), 0)];
        let mut steps = 0;
        while let Some((path, number)) = ahead.pop() {
            let node = &self.nodes[number];
            if !node.leads {
                continue;
            }
            steps += 1 + node.marks.len();
            if steps > DIRECTORIES {
                return Err(Error::TooManyDirectories { limit: DIRECTORIES as u64 });
            }
            super::find::within_limit(&path)?;
            for entry in &node.marks {
                let path = store::join(path.as_bstr(), entry.name.as_bstr());
                if set.exclude.contains(path.as_bstr()) {
                } else if roots::is_skill_file(entry.name.as_bstr()) {
                    found.skills.push(path);
                } else if entry.kind == Kind::Known(Mode::Link) {
                    found.links.push(path);
                } else {
                    manifests.push(Spot { path, id: entry.id });
                }
            }
            ahead.extend(
                node.children.iter().map(|(name, child)| (store::join(path.as_bstr(), name.as_bstr()), *child)),
            );
        }
        found.skills.sort();
        found.links.retain(|link| discovery.is_known(link.as_bstr()));
        found.links.sort();
        if set.discovery.is_some() {
            found.named = plugins::directories(finder, &manifests, &found.skills)?;
        }
        Ok(found)
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
}
