//! The distinct directories of a tree, and the paths that lead from its top to the entries that matter.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use bstr::{BStr, BString, ByteSlice};

use super::{Bounds, DIRECTORIES, Leads, PATHS_BYTES};
use crate::parallel;
use crate::roots::{self, Exclude};
use crate::snapshot::{Mode, ObjectId, State};
use crate::source::find::{PATH_BYTES, within_limit};
use crate::source::store::{Entry, Kind, Reader, Spot, Store};
use crate::source::{Error, expand};

/// Maximum bytes of a path in an error.
const SHOWN_BYTES: usize = 120;

/// The distinct directories of a tree. What is kept of one depends on its entries only, never on a path that leads to it: other
/// paths may lead to it, too.
pub(super) struct Tree<'a> {
    store: &'a dyn Store,
    exclude: &'a Exclude,
    /// Returns whether a directory or a link with this name may be a skills directory.
    is_place: &'a (dyn Fn(&BStr) -> bool + Sync),
    bounds: Bounds,
    nodes: Vec<Node>,
    by_id: HashMap<ObjectId, usize>,
    /// The number of all children of all nodes.
    edges: usize,
}

#[derive(Default)]
struct Node {
    id: Option<ObjectId>,
    /// Whether its entries are known, or will be. A directory is not listed while every known path to it is excluded or too long.
    is_listed: bool,
    /// SKILL.md files, configurations, and links that may be skills directories.
    marks: Vec<Entry>,
    /// Files with the name of a manifest, which are manifests if the path says so, too.
    manifests: Vec<Entry>,
    /// Its first other link: in a skills directory, links may lead to skills.
    link: Option<Entry>,
    children: Vec<(BString, usize)>,
    parents: Vec<usize>,
    /// Whether a path through it may lead to something.
    leads: bool,
}

/// A directory to list, by a path that is neither excluded nor too long.
type Ahead = (usize, Spot);

impl<'a> Tree<'a> {
    pub(super) fn new(
        store: &'a dyn Store,
        exclude: &'a Exclude,
        is_place: &'a (dyn Fn(&BStr) -> bool + Sync),
        bounds: Bounds,
    ) -> Self {
        Self { store, exclude, is_place, bounds, nodes: vec![Node::default()], by_id: HashMap::new(), edges: 0 }
    }

    /// Adds the paths of everything that matters. Whatever excludes a place is asked here, about its whole path.
    pub(super) fn write_out(mut self, leads: &mut Leads<'_>) -> Result<(), Error> {
        let mut path = BString::default();
        self.explore(0, self.store.top())?;
        leads.add_all(&path, &self.nodes[0].marks)?;
        leads.add_all(&path, &self.nodes[0].manifests)?;
        // Each open directory: its number, its next child, and the length of its path.
        let mut open = vec![(0, 0, 0)];
        let mut steps = self.nodes[0].marks.len() + self.nodes[0].manifests.len();
        while let Some((number, next, path_bytes)) = open.last_mut() {
            let Some((name, child)) = self.nodes[*number].children.get(*next) else {
                open.pop();
                continue;
            };
            *next += 1;
            path.truncate(*path_bytes);
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(name);
            let child = *child;
            steps += 1;
            if !self.exclude.contains(path.as_bstr()) {
                within_limit(&path)?;
                if !self.nodes[child].is_listed {
                    self.nodes[child].is_listed = true;
                    self.explore(child, Spot { path: path.clone(), id: self.nodes[child].id })?;
                }
                let Node { marks, manifests, link, .. } = &self.nodes[child];
                steps += marks.len() + manifests.len();
                leads.add_all(&path, marks)?;
                leads.add_all(&path, manifests)?;
                leads.add_all(&path, link.as_slice())?;
                open.push((child, 0, path.len()));
            }
            if steps > DIRECTORIES {
                return Err(Error::TooManyDirectories { limit: DIRECTORIES as u64 });
            }
        }
        Ok(())
    }

    /// Lists a directory and those below it that are not listed yet, one level after another.
    fn explore(&mut self, top: usize, spot: Spot) -> Result<(), Error> {
        let first = self.nodes.len();
        self.nodes[top].is_listed = true;
        let mut depth = if spot.path.is_empty() { 0 } else { 1 + spot.path.find_iter("/").count() };
        let mut level = vec![(top, spot)];
        while !level.is_empty() {
            if depth > self.bounds.depth {
                let path = level[0].1.path.bytes().take(SHOWN_BYTES).collect::<Vec<u8>>();
                return Err(Error::TooDeepSearch { path: path.into(), limit: self.bounds.depth as u64 });
            }
            depth += 1;
            let mut next = Vec::new();
            let mut path_bytes = 0;
            for ((number, spot), entries) in level.iter().zip(self.outlines(&level)?) {
                let known = next.len();
                self.add(*number, spot, entries, &mut next);
                path_bytes += next[known..].iter().map(|(_, spot)| spot.path.len()).sum::<usize>();
                if path_bytes > PATHS_BYTES {
                    return Err(Error::TooLongSearch { limit: PATHS_BYTES });
                }
            }
            level = next;
        }
        self.lead(top, first);
        Ok(())
    }

    /// Returns the entries of directories that may lead to skills.
    fn outlines(&self, level: &[Ahead]) -> Result<Vec<Vec<Entry>>, Error> {
        let limit = self.bounds.directories;
        let too_many = || Error::TooManyDirectories { limit: limit as u64 };
        let edges = AtomicUsize::new(self.edges);
        let listed = parallel::map_init(
            level,
            || self.store.reader(),
            |reader, (_, spot)| {
                // A level can contain many large trees that differ little: they are counted while they are listed.
                if edges.load(Ordering::Relaxed) > limit {
                    return Err(too_many());
                }
                let entries = self.outline(&mut **reader, spot)?;
                let count = entries.iter().filter(|entry| is_directory(entry)).count();
                edges.fetch_add(count, Ordering::Relaxed);
                Ok(entries)
            },
        );
        match edges.into_inner() > limit {
            true => Err(too_many()),
            false => Error::collect(listed),
        }
    }

    fn outline(&self, reader: &mut dyn Reader, spot: &Spot) -> Result<Vec<Entry>, Error> {
        let mut entries = reader.outline(spot)?;
        entries.retain(|entry| {
            let name = entry.name.as_bstr();
            match entry.kind {
                Kind::Known(Mode::Directory) => !expand::is_skipped(name),
                Kind::Known(Mode::Submodule) | Kind::Special => false,
                Kind::Known(Mode::Link) if (self.is_place)(name) => true,
                _ if entry.state == State::Ignored => false,
                Kind::Known(Mode::Link) => true,
                _ => roots::is_skill_file(name) || roots::is_manifest_file(name) || roots::is_settings_file(name),
            }
        });
        Ok(entries)
    }

    /// Adds the entries of a directory, and returns those directories that have to be listed.
    fn add(&mut self, parent: usize, spot: &Spot, entries: Vec<Entry>, next: &mut Vec<Ahead>) {
        for entry in entries {
            if is_directory(&entry) {
                self.edges += 1;
                let child = self.child(parent, &entry);
                let spot = spot.child(&entry);
                let is_listed = &mut self.nodes[child].is_listed;
                if !*is_listed && spot.path.len() <= PATH_BYTES && !self.exclude.contains(spot.path.as_bstr()) {
                    *is_listed = true;
                    next.push((child, spot));
                }
            } else if roots::is_manifest_file(entry.name.as_bstr()) {
                self.nodes[parent].manifests.push(entry);
            } else if roots::is_skill_file(entry.name.as_bstr())
                || roots::is_settings_file(entry.name.as_bstr())
                || (self.is_place)(entry.name.as_bstr())
            {
                self.nodes[parent].marks.push(entry);
            } else {
                self.nodes[parent].link.get_or_insert(entry);
            }
        }
    }

    /// Adds a directory to its parent, and returns its number.
    fn child(&mut self, parent: usize, entry: &Entry) -> usize {
        let new = self.nodes.len();
        let number = entry.id.map_or(new, |id| *self.by_id.entry(id).or_insert(new));
        if number == new {
            self.nodes.push(Node { id: entry.id, ..Node::default() });
        }
        self.nodes[number].parents.push(parent);
        self.nodes[parent].children.push((entry.name.clone(), number));
        number
    }

    /// Marks the directories that lead to something, among one that was just listed and the new ones, and forgets their other
    /// children. A directory that is not listed may lead anywhere. One that leads nowhere never will: everything below it is listed.
    fn lead(&mut self, top: usize, first: usize) {
        let new = || std::iter::once(top).chain(first..self.nodes.len());
        let leads = |number: &usize| {
            let node = &self.nodes[*number];
            !node.is_listed || !node.marks.is_empty() || node.children.iter().any(|child| self.is_lead(child))
        };
        let mut ahead: Vec<usize> = new().filter(leads).collect();
        while let Some(number) = ahead.pop() {
            if !std::mem::replace(&mut self.nodes[number].leads, true) {
                ahead.extend(&self.nodes[number].parents);
            }
        }
        for number in std::iter::once(top).chain(first..self.nodes.len()) {
            let mut children = std::mem::take(&mut self.nodes[number].children);
            children.retain(|child| self.is_lead(child));
            self.nodes[number].children = children;
        }
    }

    /// Returns whether a child, by its name, may lead to something.
    fn is_lead(&self, (name, child): &(BString, usize)) -> bool {
        let node = &self.nodes[*child];
        node.leads
            || roots::is_manifest_directory(name.as_bstr()) && !node.manifests.is_empty()
            || node.link.is_some() && (self.is_place)(name.as_bstr())
    }
}

fn is_directory(entry: &Entry) -> bool {
    entry.kind == Kind::Known(Mode::Directory)
}
