//! A store in which some files have other bytes, or exist although the store below has none: a preview of edits, and the unsaved
//! files of an editor.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::find::{self, Finder};
use super::store::{self, Content, Entry, IgnoredBy, Kind, Layer, Position, Reader, Spot, Store};
use super::{Error, hash};
use crate::snapshot::{Mode, ObjectId, Resolution, State};
use skilltree_front_matter::text;

/// Replacement bytes over a store.
pub(super) struct Overlay {
    below: Arc<dyn Store>,
    texts: BTreeMap<BString, Text>,
    /// The entries that the store below lacks, by directory and name.
    added: BTreeMap<BString, BTreeMap<BString, Mode>>,
    /// The directories that the store below lacks.
    new_directories: BTreeSet<BString>,
    /// The directories of the store below that are above a text, with their ids. They are listed without ids: another directory may
    /// have the same id, and other entries.
    above: BTreeMap<BString, Option<ObjectId>>,
}

/// The bytes of a file, and their blob id unless they are a collision attack.
struct Text {
    bytes: Vec<u8>,
    id: Option<ObjectId>,
}

impl Overlay {
    /// Lays texts over a store, by path. Links in a path are followed by name. A text whose path leads out of the store, or through a
    /// file, is dropped: nothing would read it.
    pub(super) fn new(below: Arc<dyn Store>, texts: BTreeMap<BString, Vec<u8>>) -> Self {
        let kind = below.hash();
        let mut overlay = Self {
            below: Arc::clone(&below),
            texts: BTreeMap::new(),
            added: BTreeMap::new(),
            new_directories: BTreeSet::new(),
            above: BTreeMap::new(),
        };
        let mut finder = Finder::new(&*below);
        for (path, bytes) in texts {
            if let Some((path, missing)) = located(&mut finder, path.as_bstr()) {
                overlay.add(&mut finder, path.as_bstr(), missing);
                let id = hash::blob(kind, &bytes);
                overlay.texts.insert(path, Text { bytes, id });
            }
        }
        overlay
    }

    /// Adds the last components of a path, which the store below lacks, to the listings.
    fn add(&mut self, finder: &mut Finder<'_>, mut path: &BStr, missing: usize) {
        for number in 0..missing {
            let parent = text::parent(path);
            let mode = if number == 0 { Mode::File } else { Mode::Directory };
            self.added.entry(parent.to_owned()).or_default().insert(text::file_name(path).to_owned(), mode);
            if mode == Mode::Directory {
                self.new_directories.insert(path.to_owned());
            }
            path = parent;
        }
        path = if missing == 0 { text::parent(path) } else { path };
        while !path.is_empty() && !self.above.contains_key(path) {
            let id = finder.directory(path).ok().flatten().and_then(|spot| spot.id);
            self.above.insert(path.to_owned(), id);
            path = text::parent(path);
        }
    }
}

/// Returns the path of a file without links, and how many of its last components do not exist.
pub(super) fn located(finder: &mut Finder<'_>, path: &BStr) -> Option<(BString, usize)> {
    let top = b"".as_bstr();
    find::within_limit(&path.to_owned()).ok()?;
    if path.split_str("/").any(|name| matches!(name, b"" | b"." | b"..")) {
        return None;
    }
    if let Resolution::File(real) = finder.resolve(top, path).ok()? {
        return Some((real, 0));
    }
    let (mut above, mut missing) = (path, 0);
    loop {
        if finder.at(above).ok()?.is_some() {
            // A link that leads nowhere, or something that is not a directory.
            return None;
        }
        let name_start = above.len() - text::file_name(above).len();
        missing += 1;
        above = text::parent(above);
        let real = match above.is_empty() {
            true => Resolution::Directory(BString::default()),
            false => finder.resolve(top, above).ok()?,
        };
        match real {
            Resolution::Directory(real) => {
                return Some((store::join(real.as_bstr(), path[name_start..].as_bstr()), missing));
            }
            Resolution::Dangling => {}
            _ => return None,
        }
    }
}

impl Layer for Overlay {
    const ADDS_FILES: bool = true;

    fn below(&self) -> &dyn Store {
        &*self.below
    }

    fn reader_over<'a>(&'a self, below: Box<dyn Reader + 'a>) -> Box<dyn Reader + 'a> {
        Box::new(OverlayReader { overlay: self, below })
    }
}

/// A reader of an [`Overlay`].
struct OverlayReader<'a> {
    overlay: &'a Overlay,
    below: Box<dyn Reader + 'a>,
}

impl OverlayReader<'_> {
    /// Returns the replacement bytes of a file and their blob id.
    fn text(&self, file: &Spot) -> Option<Result<(&[u8], ObjectId), Error>> {
        let Text { bytes, id } = self.overlay.texts.get(&file.path)?;
        let id = id.map_or_else(|| hash::content(self.overlay.hash(), &file.path, bytes), Ok);
        Some(id.map(|id| (bytes.as_slice(), id)))
    }

    /// Returns a listing with the ids of replaced files and with added entries.
    fn laid_over(
        &mut self,
        directory: &Spot,
        list: impl FnOnce(&mut dyn Reader, &Spot) -> Result<Vec<Entry>, Error>,
    ) -> Result<Vec<Entry>, Error> {
        let overlay = self.overlay;
        let mut entries = match overlay.new_directories.contains(&directory.path) {
            true => Vec::new(),
            false => {
                let id = overlay.above.get(&directory.path).copied().unwrap_or(directory.id);
                list(&mut *self.below, &Spot { path: directory.path.clone(), id })?
            }
        };
        for entry in &mut entries {
            let path = store::join(directory.path.as_bstr(), entry.name.as_bstr());
            if let Some(text) = overlay.texts.get(&path) {
                (entry.id, entry.stamp) = (text.id, None);
            } else if overlay.above.contains_key(&path) {
                entry.id = None;
            }
        }
        for (name, mode) in overlay.added.get(&directory.path).into_iter().flatten() {
            let path = store::join(directory.path.as_bstr(), name.as_bstr());
            if store::named(&entries, name.as_bstr()).is_empty() {
                let position = entries.partition_point(|entry| entry.name < *name);
                let id = overlay.texts.get(&path).and_then(|text| text.id);
                let kind = Kind::Known(*mode);
                entries.insert(position, Entry { name: name.clone(), kind, id, state: State::Tracked, stamp: None });
            }
        }
        Ok(entries)
    }
}

impl Reader for OverlayReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        self.laid_over(directory, |below, directory| below.children(directory))
    }

    fn outline(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        self.laid_over(directory, |below, directory| below.outline(directory))
    }

    fn content(&mut self, file: &Spot, limit: u64) -> Result<Content, Error> {
        match self.text(file) {
            None => self.below.content(file, limit),
            Some(Ok((bytes, _))) if bytes.len() as u64 > limit => Ok(Content::TooLarge { bytes: bytes.len() as u64 }),
            Some(read) => read.map(|(bytes, id)| Content::Bytes { bytes: bytes.to_vec(), id }),
        }
    }

    fn position(&mut self, file: &Spot) -> Option<Position> {
        if self.overlay.texts.contains_key(&file.path) { None } else { self.below.position(file) }
    }

    fn ignored_by(&mut self, path: &BStr, is_directory: bool) -> Option<IgnoredBy> {
        self.below.ignored_by(path, is_directory)
    }

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        match self.text(file) {
            None => self.below.id(file),
            Some(read) => read.map(|(_, id)| Some(id)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::{self, Memory};
    use super::*;

    fn entry(path: &str, content: memory::Content) -> memory::Entry {
        memory::Entry { path: path.into(), content }
    }

    fn overlay(texts: &[&str]) -> Overlay {
        let file = || memory::Content::File(b"old".to_vec());
        let below = Memory::new(vec![
            entry("skills/pdf/SKILL.md", file()),
            entry("linked", memory::Content::Link("skills".into())),
            entry("away", memory::Content::Link("../outside".into())),
            entry("loop", memory::Content::Link("loop".into())),
        ]);
        Overlay::new(Arc::new(below), texts.iter().map(|path| (BString::from(*path), b"new".to_vec())).collect())
    }

    fn all(overlay: &Overlay) -> Vec<String> {
        let (mut reader, mut left, mut found) = (overlay.reader(), vec![overlay.top()], Vec::new());
        while let Some(directory) = left.pop() {
            for entry in reader.children(&directory).unwrap() {
                let spot = directory.child(&entry);
                match entry.kind {
                    Kind::Known(Mode::Directory) => left.push(spot),
                    Kind::Known(Mode::File) => {
                        let Content::Bytes { bytes, .. } = reader.content(&spot, 9).unwrap() else {
                            panic!("{spot:?}")
                        };
                        found.push(format!("{}={}", spot.path, bytes.as_bstr()));
                    }
                    _ => {}
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn adds_files_and_directories() {
        let new = overlay(&["skills/csv/SKILL.md", "skills/csv/references/a.md", "skilltree.toml"]);
        let expected =
            "skills/csv/SKILL.md=new skills/csv/references/a.md=new skills/pdf/SKILL.md=old skilltree.toml=new";
        assert_eq!(all(&new).join(" "), expected);
    }

    #[test]
    fn follows_links_to_files_and_directories() {
        assert_eq!(all(&overlay(&["linked/pdf/SKILL.md"])), ["skills/pdf/SKILL.md=new"]);
        let expected = ["skills/csv/SKILL.md=new", "skills/pdf/SKILL.md=old"];
        assert_eq!(all(&overlay(&["linked/csv/SKILL.md"])), expected);
    }

    #[test]
    fn drops_texts_that_nothing_reads() {
        for path in ["away/a.md", "loop/a.md", "skills/pdf/SKILL.md/a.md", "skills", "loop", "../a.md", "a/../../b.md"]
        {
            assert_eq!(all(&overlay(&[path])), ["skills/pdf/SKILL.md=old"], "{path}");
        }
    }
}
