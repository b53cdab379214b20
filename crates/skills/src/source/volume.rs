//! Skills directories outside the opened source: the user's, the machine's, or those that a caller names. They are
//! listed when they are mounted, and their paths begin with a display prefix instead of a path of the machine.
//!
//! Files there that cannot be read are reported and skipped: the repository cannot fix them.

use std::collections::BTreeSet;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::manifests;
use super::store::{Reader, Spot, Store};
use super::walk::{self, Walked};
use super::{Error, HashKind, read};
use crate::roots::{self, Owner, Root, RootId, RootPattern, RootSet};
use crate::skill::{self, paths};
use crate::snapshot::{Body, File, ObjectId, Resolution, Role, Unread};

/// A skills directory outside the opened source, with the store that reads it.
pub struct Mount {
    /// The display prefix of its paths: `~/.agent/skills`, `external:team`.
    pub shown: String,
    /// Who owns it.
    pub owner: Owner,
    /// The profile whose layout it has.
    pub profile: String,
    /// How deep below it a skill directory may be; `None` at any depth.
    pub depth: Option<u32>,
    /// The name of the installed package that it belongs to.
    pub package: Option<String>,
    /// The name of the directory in the store.
    pub name: String,
    /// The store, which begins at the parent directory and lists nothing else there.
    pub store: Box<dyn Store>,
}

/// A mounted volume with its files.
pub struct Mounted {
    shown: BString,
    /// The name of the directory in its store, whose top is the parent directory.
    name: BString,
    store: Box<dyn Store>,
    root: Root,
    files: Vec<File>,
}

impl Mounted {
    /// Lists a volume; `None` if it does not exist. Files that cannot be read are skipped and pushed to `unread`.
    pub fn new(mount: Mount, set: &RootSet, unread: &mut Vec<Unread>) -> Option<Arc<Self>> {
        let Mount { shown, owner, profile, depth, package, name, store } = mount;
        let shown = BString::from(shown);
        let mut tell = |path: &BStr, message: String| {
            unread.push(Unread { path: path.to_owned(), owner, message });
        };
        let pattern =
            RootPattern { glob: globset::escape(&name), profile, depth, configured: false, discovered: false };
        let name = BString::from(name);
        let own = RootSet { patterns: vec![pattern], elsewhere: BTreeSet::new(), ..set.clone() };
        let walked = match walk::walk(&*store, &own, None) {
            Ok(walked) => walked,
            Err(error) => {
                tell(shown.as_bstr(), moved(error, &name, &shown).to_string());
                return None;
            }
        };
        let Walked { roots, files, .. } = walked;
        let root = Root { path: shown.clone(), owner, package, ..roots.into_iter().next()? };
        let mut mounted = Self { shown, name, store, root, files: Vec::new() };
        mounted.files = mounted.readable(files, set, &mut tell);
        Some(Arc::new(mounted))
    }

    /// Returns the files of the volume under their display paths, without unreadable ones.
    fn readable(&self, files: Vec<File>, set: &RootSet, tell: &mut impl FnMut(&BStr, String)) -> Vec<File> {
        let own = Root { path: self.name.clone(), ..self.root.clone() };
        let mut reader = self.store.reader();
        let mut kept = Vec::with_capacity(files.len());
        for file in files {
            let is_reference = set.reference_files > 0 && paths::is_markdown(file.path.as_bstr());
            let is_read = file.has_text() && (file.role == Role::Skill || is_reference)
                || skill::may_be_flat(&file, std::slice::from_ref(&own));
            let content = is_read.then(|| reader.content(&read::spot(&file), set.file_bytes));
            let file = self.as_shown(file);
            match content {
                Some(Err(error)) => tell(file.path.as_bstr(), moved(error, &self.name, &self.shown).to_string()),
                _ => kept.push(file),
            }
        }
        kept.sort_by(|a, b| a.path.cmp(&b.path));
        kept
    }

    fn as_shown(&self, mut file: File) -> File {
        let outer = |path: &BString| replaced(path.as_bstr(), &self.name, &self.shown);
        if let Body::Symlink { resolution: Resolution::File(to) | Resolution::Directory(to), .. } = &mut file.body {
            *to = outer(to).unwrap_or_else(|| to.clone());
        }
        file.through = file.through.as_ref().and_then(outer);
        file.path = outer(&file.path).unwrap_or(file.path);
        file
    }
}

/// Replaces the leading directory of a path.
fn replaced(path: &BStr, from: &BString, to: &BString) -> Option<BString> {
    let rest = path.strip_prefix(from.as_slice()).filter(|rest| rest.is_empty() || rest[0] == b'/')?;
    Some([to.as_slice(), rest].concat().into())
}

/// Replaces the path in an error of a volume's store by the display path.
fn moved(mut error: Error, from: &BString, to: &BString) -> Error {
    if let Error::Unreadable { path, .. }
    | Error::Changed { path }
    | Error::TooDeep { path, .. }
    | Error::TooMany { root: path, .. } = &mut error
        && let Some(shown) = replaced(path.as_bstr(), from, to)
    {
        *path = shown;
    }
    error
}

/// Appends the volumes to the result of a walk, in their order.
///
/// # Errors
/// If a root of the repository has the display path of a volume, which would be ambiguous.
pub(super) fn append(mut walked: Walked, volumes: &[Arc<Mounted>]) -> Result<Walked, Error> {
    for mounted in volumes {
        let shown = mounted.shown.as_bstr();
        let meets = |(number, root): (RootId, &Root)| match root.path.is_empty() {
            // Every path is within the top, but only one with this name is in the way.
            true => walked
                .files
                .iter()
                .any(|file| file.root == Some(number) && roots::is_within(file.path.as_bstr(), shown)),
            false => roots::is_within(root.path.as_bstr(), shown) || roots::is_within(shown, root.path.as_bstr()),
        };
        let roots = (0u32..).map(RootId).zip(&walked.roots);
        let mut own = roots.filter(|(_, root)| root.owner == Owner::Repository);
        if let Some((_, root)) = own.find(|root| meets(*root)) {
            return Err(Error::TakenPath { path: root.path.clone() });
        }
        let number = RootId(walked.roots.len() as u32);
        let pattern = walked.roots.last().map_or(0, |last| last.pattern + 1);
        walked.files.extend(mounted.files.iter().map(|file| File { root: Some(number), ..file.clone() }));
        walked.roots.push(Root { pattern, ..mounted.root.clone() });
    }
    if !volumes.is_empty() {
        walked.files.sort_by(|a, b| (&a.path, a.root).cmp(&(&b.path, b.root)));
        manifests::number(&walked.files, &mut walked.manifests);
    }
    Ok(walked)
}

/// A store with mounted volumes. Only display paths of a volume are read there; no listing and no link leads there.
pub(super) struct Volumes {
    below: Arc<dyn Store>,
    mounted: Vec<Arc<Mounted>>,
}

impl Volumes {
    pub(super) fn new(below: Arc<dyn Store>, mounted: Vec<Arc<Mounted>>) -> Self {
        Self { below, mounted }
    }
}

impl Store for Volumes {
    fn top(&self) -> Spot {
        self.below.top()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        let mounted = self.mounted.iter().map(|mounted| (&**mounted, mounted.store.reader())).collect();
        Box::new(VolumesReader { below: self.below.reader(), mounted })
    }

    fn hash(&self) -> HashKind {
        self.below.hash()
    }

    fn holds(&self, path: &BStr, id: ObjectId) -> bool {
        !self.is_elsewhere(path) && self.below.holds(path, id)
    }

    fn is_elsewhere(&self, path: &BStr) -> bool {
        self.mounted.iter().any(|mounted| roots::is_within(path, mounted.shown.as_bstr()))
    }
}

/// A reader of a store and its volumes.
struct VolumesReader<'a> {
    below: Box<dyn Reader + 'a>,
    mounted: Vec<(&'a Mounted, Box<dyn Reader + 'a>)>,
}

impl<'a> VolumesReader<'a> {
    /// Calls a reader: that of the volume that contains the path, otherwise that of the store.
    fn ask<T>(
        &mut self,
        spot: &Spot,
        question: impl FnOnce(&mut (dyn Reader + 'a), &Spot) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let own = |mounted: &Mounted| replaced(spot.path.as_bstr(), &mounted.shown, &mounted.name);
        let found = self.mounted.iter_mut().find_map(|(mounted, reader)| Some((own(mounted)?, mounted, reader)));
        match found {
            None => question(&mut *self.below, spot),
            Some((path, mounted, reader)) => question(&mut **reader, &Spot { path, id: spot.id })
                .map_err(|error| moved(error, &mounted.name, &mounted.shown)),
        }
    }
}

impl Reader for VolumesReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<super::store::Entry>, Error> {
        self.ask(directory, |reader, spot| reader.children(spot))
    }

    fn outline(&mut self, directory: &Spot) -> Result<Vec<super::store::Entry>, Error> {
        self.ask(directory, |reader, spot| reader.outline(spot))
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<super::store::Content, Error> {
        self.ask(file, |reader, spot| reader.content(spot, limit))
    }

    fn position(&mut self, file: &Spot) -> Option<super::store::Position> {
        self.ask(file, |reader, spot| Ok(reader.position(spot))).ok().flatten()
    }

    fn ignored_by(&mut self, path: &BStr, is_directory: bool) -> Option<super::store::IgnoredBy> {
        self.below.ignored_by(path, is_directory)
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        self.ask(file, |reader, spot| reader.id(spot))
    }
}
