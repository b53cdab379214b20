//! Directories that lie outside of what was opened and are read beside it: the user's, the machine's, or those that a
//! caller names. They are listed when they are set beside a source, and their paths begin with what is shown instead of a
//! path of the machine.
//!
//! What cannot be read there is told and left out: nobody of the repository answers for it.
#![allow(clippy::disallowed_methods, reason = "links above a directory that was named are followed as the shell does")]

use std::path::PathBuf;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::directory::Directory;
use super::store::{Reader, Spot, Store};
use super::walk::{self, Walked};
use super::{Error, Starter, read};
use crate::roots::{self, Owner, Root, RootId, RootPattern, RootSet};
use crate::skill;
use crate::snapshot::{Body, File, Resolution, Role};

/// A directory of skills outside of what was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Volume {
    /// What its paths begin with in everything that is shown: `~/.agent/skills`, `external:team`.
    pub shown: String,
    /// Where it is.
    pub place: PathBuf,
    /// Whose it is.
    pub owner: Owner,
    /// The profile whose layout holds there.
    pub profile: String,
    /// How deep below it a skill's directory may be; `None` when at any depth.
    pub depth: Option<u32>,
}

/// Something of a volume that could not be read, and is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The path as it is shown.
    pub path: BString,
    /// Whose it is.
    pub owner: Owner,
    /// Why, in words.
    pub message: String,
}

/// A volume that is there, and what lies in it.
pub(super) struct Mounted {
    shown: BString,
    /// The name of the directory in its own store, which begins at the directory above it.
    name: BString,
    store: Directory,
    root: Root,
    files: Vec<File>,
}

impl Mounted {
    /// Lists a volume; `None` when nothing is there. Files that cannot be read are left out and told.
    pub(super) fn new(
        volume: &Volume,
        set: &RootSet,
        hash: gix::hash::Kind,
        unread: &mut Vec<Unread>,
    ) -> Option<Arc<Self>> {
        let shown = BString::from(volume.shown.as_str());
        let mut tell = |path: &BStr, message: String| {
            unread.push(Unread { path: path.to_owned(), owner: volume.owner, message });
        };
        let real = std::fs::canonicalize(&volume.place).ok()?;
        let name = real.file_name().and_then(|name| name.to_str());
        let Some((above, name)) = real.parent().zip(name) else {
            tell(shown.as_bstr(), "its path names no directory in UTF-8".to_owned());
            return None;
        };
        let pattern = RootPattern {
            glob: globset::escape(name),
            profile: volume.profile.clone(),
            depth: volume.depth,
            configured: false,
        };
        let name = BString::from(name);
        // Nothing beside it is listed: no link of it leads out of what was named.
        let store = Directory::plain(above.to_owned(), Some((BString::default(), name.clone()))).hashed(hash);
        let walked = match walk::walk(&store, &RootSet { patterns: vec![pattern], ..set.clone() }, &Starter::default())
        {
            Ok(walked) => walked,
            Err(error) => {
                tell(shown.as_bstr(), moved(error, &name, &shown).to_string());
                return None;
            }
        };
        let Walked { roots, files } = walked;
        let root = Root { path: shown.clone(), owner: volume.owner, ..roots.into_iter().next()? };
        let mut mounted = Self { shown, name, store, root, files: Vec::new() };
        mounted.files = mounted.readable(files, set.file_bytes, &mut tell);
        Some(Arc::new(mounted))
    }

    /// The files of the volume, as they are shown, less those that would be read and cannot be.
    fn readable(&self, files: Vec<File>, limit: u64, tell: &mut impl FnMut(&BStr, String)) -> Vec<File> {
        let own = Root { path: self.name.clone(), ..self.root.clone() };
        let mut reader = self.store.reader();
        let mut kept = Vec::with_capacity(files.len());
        for file in files {
            let is_read = read::is_text(&file) && file.role == Role::Skill
                || skill::may_be_flat(&file, std::slice::from_ref(&own));
            let content = is_read.then(|| reader.content(&read::spot(&file), limit));
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

/// A path below one directory as a path below another.
fn replaced(path: &BStr, from: &BString, to: &BString) -> Option<BString> {
    let rest = path.strip_prefix(from.as_slice()).filter(|rest| rest.is_empty() || rest[0] == b'/')?;
    Some([to.as_slice(), rest].concat().into())
}

/// An error about a path of a volume's own, as it is shown.
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

/// What a walk found, with the volumes behind it in their order.
///
/// # Errors
/// When a root of the repository has a path that a volume is shown by: nobody could tell the two apart.
pub(super) fn beside(mut walked: Walked, volumes: &[Arc<Mounted>]) -> Result<Walked, Error> {
    for mounted in volumes {
        let meets = |root: &Root| {
            let (path, shown) = (root.path.as_bstr(), mounted.shown.as_bstr());
            roots::is_within(path, shown) || roots::is_within(shown, path)
        };
        if let Some(root) = walked.roots.iter().find(|root| root.owner == Owner::Repository && meets(root)) {
            return Err(Error::TakenPath { path: root.path.clone() });
        }
        let number = RootId(walked.roots.len() as u32);
        let pattern = walked.roots.last().map_or(0, |last| last.pattern + 1);
        walked.files.extend(mounted.files.iter().map(|file| File { root: Some(number), ..file.clone() }));
        walked.roots.push(Root { pattern, ..mounted.root.clone() });
    }
    if !volumes.is_empty() {
        walked.files.sort_by(|a, b| (&a.path, a.root).cmp(&(&b.path, b.root)));
    }
    Ok(walked)
}

/// A store with volumes beside it. Only what has a path of a volume is read there; no listing and no link leads there.
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

    fn hash(&self) -> gix::hash::Kind {
        self.below.hash()
    }

    fn is_elsewhere(&self, path: &BStr) -> bool {
        self.mounted.iter().any(|mounted| roots::is_within(path, mounted.shown.as_bstr()))
    }
}

/// One thread's way into a store and the volumes beside it.
struct VolumesReader<'a> {
    below: Box<dyn Reader + 'a>,
    mounted: Vec<(&'a Mounted, Box<dyn Reader + 'a>)>,
}

impl<'a> VolumesReader<'a> {
    /// Asks the volume that a path lies in, or what lies below.
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

    fn content(&mut self, file: &Spot, limit: u64) -> Result<super::store::Content, Error> {
        self.ask(file, |reader, spot| reader.content(spot, limit))
    }

    fn position(&mut self, file: &Spot) -> Option<super::store::Position> {
        self.ask(file, |reader, spot| Ok(reader.position(spot))).ok().flatten()
    }

    fn id(&mut self, file: &Spot) -> Result<Option<crate::snapshot::ObjectId>, Error> {
        self.ask(file, |reader, spot| reader.id(spot))
    }
}
