//! Lookup of paths from the top, with links followed by name.

use std::collections::HashMap;
use std::rc::Rc;

use bstr::{BStr, BString, ByteSlice};

use super::Error;
use super::resolve::{self, Step};
use super::store::{self, Content, Entry, Kind, Reader, Spot, Store};
use crate::roots;
use crate::snapshot::{Mode, ObjectId, Resolution, State};
use skilltree_front_matter::text;

/// Maximum length of a path, in bytes (PATH_MAX of Linux: 4,096): a checkout cannot hold a longer one, and trees that
/// share children produce paths of any length.
pub const PATH_BYTES: usize = 4_096;

/// Maximum number of cached entries, so that a thousand links into one directory list it once.
const KEPT: usize = 500_000;

/// Looks paths up, with a cache of listings.
pub(super) struct Finder<'a> {
    reader: Box<dyn Reader + 'a>,
    top: Spot,
    listed: HashMap<Key, Rc<Vec<Entry>>>,
    kept: usize,
}

/// Cache key of a listing: its id, so that a shared tree is listed once, otherwise its path.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Id(ObjectId),
    Path(BString),
}

/// A link that was read and followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Link {
    /// The bytes of the link.
    pub target: BString,
    /// The id of its blob.
    pub id: Option<ObjectId>,
    /// Where it leads.
    pub resolution: Resolution,
}

impl<'a> Finder<'a> {
    /// Creates a finder with a new reader.
    pub(super) fn new(store: &'a dyn Store) -> Self {
        Self { reader: store.reader(), top: store.top(), listed: HashMap::new(), kept: 0 }
    }

    /// Returns the top directory.
    pub(super) fn top(&self) -> Spot {
        self.top.clone()
    }

    /// Returns the entries of a directory.
    pub(super) fn children(&mut self, directory: &Spot) -> Result<Rc<Vec<Entry>>, Error> {
        within_limit(&directory.path)?;
        let key = directory.id.map_or_else(|| Key::Path(directory.path.clone()), Key::Id);
        if let Some(entries) = self.listed.get(&key) {
            return Ok(Rc::clone(entries));
        }
        let entries = Rc::new(self.reader.children(directory)?);
        if self.kept + entries.len() > KEPT {
            self.listed.clear();
            self.kept = 0;
        }
        self.kept += entries.len() + 1;
        self.listed.insert(key, Rc::clone(&entries));
        Ok(entries)
    }

    /// Returns an entry by name; the directory if conflict stages have the same name.
    pub(super) fn entry(&mut self, directory: &Spot, name: &BStr) -> Result<Option<Entry>, Error> {
        let entries = self.children(directory)?;
        let named = store::named(&entries, name);
        let merged = named.iter().find(|entry| entry.kind != Kind::Unmerged);
        Ok(merged.or(named.first()).cloned())
    }

    /// Returns the entry at a path without links; `None` if a component before the last is not a directory.
    pub(super) fn at(&mut self, path: &BStr) -> Result<Option<(Spot, Entry)>, Error> {
        let mut directory = self.top();
        let mut components = path.split_str(b"/").peekable();
        while let Some(name) = components.next() {
            let Some(entry) = self.entry(&directory, name.as_bstr())? else { return Ok(None) };
            let spot = directory.child(&entry);
            if components.peek().is_none() {
                return Ok(Some((spot, entry)));
            }
            if entry.kind != Kind::Known(Mode::Directory) {
                return Ok(None);
            }
            directory = spot;
        }
        Ok(None)
    }

    /// Returns the directory at a path without links.
    pub(super) fn directory(&mut self, path: &BStr) -> Result<Option<Spot>, Error> {
        if path.is_empty() {
            return Ok(Some(self.top()));
        }
        Ok(self.at(path)?.filter(|(_, entry)| entry.kind == Kind::Known(Mode::Directory)).map(|(spot, _)| spot))
    }

    /// Returns the Git state of the SKILL.md of a directory in any letter case: of several, one that Git does not ignore.
    pub(super) fn skill_state(&mut self, directory: &Spot) -> Result<Option<State>, Error> {
        let entries = self.children(directory)?;
        let skills = entries.iter().filter(|entry| roots::is_skill_file(entry.name.as_bstr()));
        let states: Vec<State> = skills.map(|entry| entry.state).collect();
        Ok(states.iter().find(|&&state| state != State::Ignored).or(states.first()).copied())
    }

    /// Returns the text of a file without an extension if it is nothing but the path of a skill's directory. What cannot be read is no
    /// such file.
    pub(super) fn skill_in_text(&mut self, directory: &Spot, entry: &Entry) -> Option<BString> {
        if entry.name.contains(&b'.') {
            return None;
        }
        let Content::Bytes { bytes, .. } = self.content(&directory.child(entry), PATH_BYTES as u64).ok()? else {
            return None;
        };
        let target = BString::from(bytes.trim_ascii());
        if !target.contains(&b'/') || target.contains(&b'\n') {
            return None;
        }
        let Resolution::Directory(skill) = self.resolve(directory.path.as_bstr(), target.as_bstr()).ok()? else {
            return None;
        };
        let spot = self.directory(skill.as_bstr()).ok()??;
        self.skill_state(&spot).ok()?.map(|_| target)
    }

    /// Returns the bytes of a file, unless there are more than `limit`.
    pub(super) fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        self.reader.content(file, limit)
    }

    /// Reads and follows a link. A link longer than [`PATH_BYTES`] is dangling.
    pub(super) fn follow(&mut self, spot: &Spot) -> Result<Link, Error> {
        match self.reader.content(spot, PATH_BYTES as u64)? {
            Content::Bytes { bytes, id } => {
                let target = BString::from(bytes);
                let resolution = self.resolve(text::parent(spot.path.as_bstr()), target.as_bstr())?;
                Ok(Link { target, id: Some(id), resolution })
            }
            Content::TooLarge { .. } => {
                Ok(Link { target: BString::default(), id: spot.id, resolution: Resolution::Dangling })
            }
        }
    }

    /// Resolves a link with this target in this directory.
    pub(super) fn resolve(&mut self, from: &BStr, target: &BStr) -> Result<Resolution, Error> {
        resolve::resolve(from, target, |path| self.step(path))
    }

    fn step(&mut self, path: &BStr) -> Result<Step, Error> {
        if path.len() > PATH_BYTES {
            return Ok(Step::Nothing);
        }
        let Some((spot, entry)) = self.at(path)? else { return Ok(Step::Nothing) };
        Ok(match entry.kind {
            Kind::Known(Mode::File | Mode::Executable) | Kind::Unmerged => Step::File,
            Kind::Known(Mode::Directory) => Step::Directory,
            Kind::Known(Mode::Submodule) => Step::Elsewhere,
            Kind::Special => Step::Nothing,
            Kind::Known(Mode::Link) => match self.reader.content(&spot, PATH_BYTES as u64)? {
                Content::Bytes { bytes, .. } => Step::Link(bytes.into()),
                Content::TooLarge { .. } => Step::Nothing,
            },
        })
    }
}

/// Rejects a path longer than [`PATH_BYTES`].
pub(super) fn within_limit(path: &BString) -> Result<(), Error> {
    if path.len() <= PATH_BYTES {
        return Ok(());
    }
    Err(Error::TooLong { path: path[..80].into(), limit: PATH_BYTES })
}
