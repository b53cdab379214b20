//! The manifests of a tree, as the search for packages and the checks of their keys see them.

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeSet, HashMap};

use bstr::{BStr, BString, ByteSlice};

use super::Place;
use super::members::Index;
use crate::formats::{Format, Marketplaces};
use crate::profile::loads::Hooks;
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{self, Manifests, Part, Unread};
use skilltree_skills::snapshot::Resolution;

/// Maximum comparisons of names and paths to find the paths that wrong ones mean (ours: 10,000, some 10 ms).
const COMPARISONS: usize = 10_000;

/// A tree with its manifests.
pub(super) struct View<'a> {
    pub(super) manifests: &'a Manifests,
    pub(super) index: Index<'a>,
    /// The hooks that the runtime runs, if they are known.
    pub(super) program: Option<&'a Hooks>,
    /// The files with hooks or servers, by the directory of their plugin.
    parts: HashMap<&'a BStr, Vec<(Part, usize)>>,
    /// The number of manifests of plugins and extensions of each directory: one per program that it was made for.
    manifests_of: HashMap<&'a BStr, usize>,
    /// Whether every skill of the tree was read.
    is_complete: bool,
    names: OnceCell<Names<'a>>,
    comparisons_left: Cell<usize>,
}

/// The directories that manifests name, and those of skills.
#[derive(Default)]
struct Names<'a> {
    /// The first one with each name.
    first: HashMap<&'a BStr, &'a BStr>,
    by_parent: HashMap<&'a BStr, Vec<&'a BStr>>,
    /// By their paths in lowercase, with those of skills and the directories around them.
    folded: HashMap<BString, &'a BStr>,
}

/// What an entry of a marketplace says.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The number of the marketplace's manifest.
    pub(super) marketplace: usize,
    pub(super) json: &'a Json,
    /// The format of the marketplace.
    pub(super) format: &'static Format,
    pub(super) rule: &'static Marketplaces,
    /// Whether another entry has the same source.
    pub(super) is_shared: bool,
}

impl<'a> View<'a> {
    pub(super) fn new(manifests: &'a Manifests, index: Index<'a>, program: Option<&'a Hooks>) -> Self {
        let mut parts: HashMap<&BStr, Vec<(Part, usize)>> = HashMap::new();
        let mut manifests_of: HashMap<&BStr, usize> = HashMap::new();
        for (number, manifest) in manifests.all.iter().enumerate() {
            if let Some(part) = manifest.part {
                parts.entry(manifest.base.as_bstr()).or_default().push((part, number));
            } else if manifest.is_of_program() {
                *manifests_of.entry(manifest.base.as_bstr()).or_default() += 1;
            }
        }
        Self {
            program,
            parts,
            manifests_of,
            manifests,
            index,
            is_complete: index.is_complete(),
            names: OnceCell::new(),
            comparisons_left: Cell::new(COMPARISONS),
        }
    }

    /// Returns the directory that is nearest to a path that leads nowhere: it itself in other letter case, one that ends alike, or a
    /// neighbor with a similar name.
    pub(super) fn nearest(&self, path: &BStr) -> Option<&'a BStr> {
        let names = self.names.get_or_init(|| Names::new(self.manifests, &self.index));
        if let Some(same) = names.folded.get(path.to_ascii_lowercase().as_bstr()) {
            return Some(same);
        }
        let name = text::file_name(path);
        if let Some(alike) = names.first.get(name) {
            return Some(alike);
        }
        let neighbors = names.by_parent.get(text::parent(path))?;
        let name = self.comparable(name, neighbors.len())?;
        let known = |path: &&'a BStr| text::file_name(path).to_str().ok().filter(|known| known.len() <= 2 * name.len());
        let near = text::nearest(name, neighbors.iter().filter_map(known))?;
        neighbors.iter().find(|path| text::file_name(path) == near).copied()
    }

    /// Returns the known name that is nearest to one.
    pub(super) fn similar<'n>(&self, name: &str, known: &BTreeSet<&'n str>) -> Option<&'n str> {
        let name = self.comparable(name.into(), known.len())?;
        text::nearest(name, known.iter().copied())
    }

    /// Returns a name that may be compared with so many: short ones are all alike.
    fn comparable<'n>(&self, name: &'n BStr, others: usize) -> Option<&'n str> {
        let name = name.to_str().ok().filter(|name| name.len() > 2)?;
        self.compare(others)?;
        Some(name)
    }

    /// Counts comparisons; `None` if there were too many.
    pub(super) fn compare(&self, count: usize) -> Option<()> {
        self.comparisons_left.set(self.comparisons_left.get().checked_sub(count)?);
        Some(())
    }

    /// Returns the numbers of the files with a part of a plugin: in the usual place, or named by its manifest. A file that only the
    /// manifest for another program names is not its.
    pub(super) fn parts(&self, directory: &BStr, (key, part): (&str, Part), manifest: Option<&Json>) -> Vec<usize> {
        let files = self.parts.get(directory).map_or(&[][..], Vec::as_slice);
        let named = manifest.and_then(|json| json.get(key)).into_iter().flat_map(manifest::written);
        let named: Vec<BString> = named.filter_map(|written| manifest::below(directory, written.text)).collect();
        let is_read = |number: usize| {
            let name = &self.manifests.all[number].name;
            Part::of(name).is_some() || named.contains(&manifest::join(directory, name))
        };
        let of_part = files.iter().filter(|(held, _)| *held == part).map(|(_, number)| *number);
        of_part.filter(|number| is_read(*number)).collect()
    }

    /// Returns whether a directory is a plugin of several programs, which share the file with its hooks.
    pub(super) fn is_shared(&self, directory: &BStr) -> bool {
        self.manifests_of.get(directory).is_some_and(|count| *count > 1)
    }

    /// Returns the value of a manifest.
    pub(super) fn json(&self, number: usize) -> Option<&'a Json> {
        self.manifests.all[number].content.as_ref().ok()
    }

    /// Returns whether a manifest is not a JSON object.
    pub(super) fn is_malformed(&self, number: usize) -> bool {
        matches!(self.manifests.all[number].content, Err(Unread::Malformed(..) | Unread::NotAnObject))
    }

    /// Returns whether a directory has no skill. If skills of the tree are not checked, it is unknown.
    pub(super) fn is_empty(&self, directory: &BStr) -> bool {
        self.is_complete && !self.index.has(directory)
    }

    /// Returns whether a directory exists, as far as it was looked up or has a skill.
    pub(super) fn exists(&self, directory: &BStr) -> bool {
        self.manifests.is_directory(directory) || self.index.has(directory)
    }

    /// Returns whether a directory has neither a skill nor a file that may be meant as one.
    pub(super) fn is_bare(&self, directory: &BStr) -> bool {
        self.is_empty(directory) && !self.index.has_files(directory)
    }

    /// Returns whether a default directory exists.
    pub(super) fn is_place(&self, place: &Place) -> bool {
        let directory = place.directory.as_bstr();
        match self.manifests.resolve(directory) {
            Some(_) => self.manifests.is_directory(directory),
            None => self.index.has(directory),
        }
    }
}

impl<'a> Names<'a> {
    fn new(manifests: &'a Manifests, index: &Index<'a>) -> Self {
        let mut names = Self::default();
        for (mut path, _) in index.below(BStr::new("")) {
            while !path.is_empty() && names.folded.insert(path.to_ascii_lowercase().into(), path) != Some(path) {
                path = text::parent(path);
            }
        }
        for (path, _) in manifests.paths.iter().filter(|(_, found)| matches!(found, Resolution::Directory(_))) {
            let path = path.as_bstr();
            names.folded.entry(path.to_ascii_lowercase().into()).or_insert(path);
            names.first.entry(text::file_name(path)).or_insert(path);
            names.by_parent.entry(text::parent(path)).or_default().push(path);
        }
        names
    }
}
