//! The search of a whole tree for SKILL.md files, manifests of plugins and links to skills directories.
//!
//! Each distinct tree is listed once, however often it occurs: trees that share children have more paths than fit in memory.
//! Only then the paths that lead to something are written out.

use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};

use super::find::{Finder, PATH_BYTES, within_limit};
use super::plugins::{self, Plugins, Unusable};
use super::store::{self, Entry, Kind, Reader, Spot, Store};
use super::{Error, expand};
use crate::parallel;
use crate::roots::{self, Discovery, RootSet};
use crate::snapshot::{Mode, ObjectId, Resolution, State};
use skilltree_front_matter::text;

/// Maximum directories of a repository that are searched (ours: 2,000,000, some seconds).
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

/// Maximum bytes of a path in an error.
const SHOWN_BYTES: usize = 120;

/// What a search finds, each sorted by path.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// SKILL.md files in any letter case, without excluded ones.
    pub(super) skills: Vec<BString>,
    /// Skills directories and SKILL.md files that manifests of plugins name.
    pub(super) named: BTreeSet<BString>,
    /// Manifests of plugins that cannot be used.
    pub(super) unusable: Vec<Unusable>,
    /// Links whose path is that of a skills directory.
    pub(super) links: Vec<BString>,
}

/// Searches a tree within bounds.
pub(super) fn search(
    store: &dyn Store,
    finder: &mut Finder<'_>,
    set: &RootSet,
    bounds: Bounds,
) -> Result<Found, Error> {
    let nothing = Discovery::default();
    let discovery = set.discovery.as_ref().unwrap_or(&nothing);
    let mut leads = Leads { set, discovery, found: Found::default(), manifests: Vec::new() };
    if let Some(outlined) = store.outlined() {
        outlined.into_iter().for_each(|(spot, kind)| leads.add(spot, kind));
        return leads.found(finder);
    }
    let mut tree = Tree::default();
    let mut level = vec![tree.node(None, None)];
    let mut spots = vec![store.top()];
    let mut depth = 0;
    while !level.is_empty() {
        if depth > bounds.depth {
            let path = spots[0].path.bytes().take(SHOWN_BYTES).collect::<Vec<u8>>();
            return Err(Error::TooDeepSearch { path: path.into(), limit: bounds.depth as u64 });
        }
        depth += 1;
        let listed =
            parallel::map_init(&spots, || store.reader(), |reader, spot| outline(&mut **reader, spot, discovery));
        let listed = Error::collect(listed)?;
        let mut next = (Vec::new(), Vec::new());
        for ((node, spot), entries) in level.iter().zip(&spots).zip(listed) {
            for entry in entries {
                let child = spot.child(&entry);
                if entry.kind != Kind::Known(Mode::Directory) {
                    tree.nodes[*node].marks.push(entry);
                } else if child.path.len() < PATH_BYTES
                    && !set.exclude.contains(child.path.as_bstr())
                    && let Some(new) = tree.child(*node, &entry)
                {
                    next.0.push(new);
                    next.1.push(child);
                }
            }
        }
        if tree.nodes.len() > bounds.directories {
            return Err(Error::TooManyDirectories { limit: bounds.directories as u64 });
        }
        (level, spots) = next;
    }
    tree.write_out(&mut leads)?;
    leads.found(finder)
}

/// Returns the paths of all SKILL.md files, sorted.
pub(super) fn skill_files(store: &dyn Store, bounds: Bounds) -> Result<Vec<BString>, Error> {
    let nowhere = RootSet::default();
    Ok(search(store, &mut Finder::new(store), &nowhere, bounds)?.skills)
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
    fn write_out(mut self, leads: &mut Leads<'_>) -> Result<(), Error> {
        self.lead();
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
            within_limit(&path)?;
            for entry in &node.marks {
                leads.add(Spot { path: store::join(path.as_bstr(), entry.name.as_bstr()), id: entry.id }, entry.kind);
            }
            ahead.extend(
                node.children.iter().map(|(name, child)| (store::join(path.as_bstr(), name.as_bstr()), *child)),
            );
        }
        Ok(())
    }
}

/// Collects what a search finds.
struct Leads<'a> {
    set: &'a RootSet,
    discovery: &'a Discovery,
    found: Found,
    manifests: Vec<(Spot, Kind)>,
}

impl Leads<'_> {
    /// Adds an entry that is not a directory.
    fn add(&mut self, spot: Spot, kind: Kind) {
        if self.set.exclude.contains(spot.path.as_bstr()) {
            return;
        }
        if roots::is_skill_file(text::file_name(spot.path.as_bstr())) {
            self.found.skills.push(spot.path);
        } else if roots::is_manifest(spot.path.as_bstr()) {
            self.manifests.push((spot, kind));
        } else if self.discovery.is_known(spot.path.as_bstr()) {
            self.found.links.push(spot.path);
        }
    }

    /// Returns everything sorted, with the directories that the manifests name.
    fn found(mut self, finder: &mut Finder<'_>) -> Result<Found, Error> {
        self.found.skills.sort();
        self.found.links.sort();
        let Plugins { named, unusable } = plugins::read(finder, &self.manifests, &self.found.skills)?;
        (self.found.named, self.found.unusable) = (named, unusable);
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
}
