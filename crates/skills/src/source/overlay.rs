//! A store in which some files have other bytes: a preview of edits.

use std::collections::BTreeMap;
use std::sync::Arc;

use bstr::BString;

use super::store::{Content, Entry, Position, Reader, Spot, Store};
use super::{Error, HashKind, hash};
use crate::snapshot::ObjectId;

/// Replacement bytes over a store. Only the contents of files differ, not the listing.
pub(super) struct Overlay {
    below: Arc<dyn Store>,
    texts: BTreeMap<BString, Vec<u8>>,
}

impl Overlay {
    pub(super) fn new(below: Arc<dyn Store>, texts: BTreeMap<BString, Vec<u8>>) -> Self {
        Self { below, texts }
    }
}

impl Store for Overlay {
    fn top(&self) -> Spot {
        self.below.top()
    }

    fn reader(&self) -> Box<dyn Reader + '_> {
        Box::new(OverlayReader { overlay: self, below: self.below.reader() })
    }

    fn hash(&self) -> HashKind {
        self.below.hash()
    }

    fn warning(&self) -> Option<&'static str> {
        self.below.warning()
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
        let bytes = self.overlay.texts.get(&file.path)?;
        Some(hash::content(self.overlay.hash(), &file.path, bytes).map(|id| (bytes.as_slice(), id)))
    }
}

impl Reader for OverlayReader<'_> {
    fn children(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        self.below.children(directory)
    }

    fn outline(&mut self, directory: &Spot) -> Result<Vec<Entry>, Error> {
        self.below.outline(directory)
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

    fn id(&mut self, file: &Spot) -> Result<Option<ObjectId>, Error> {
        match self.text(file) {
            None => self.below.id(file),
            Some(read) => read.map(|(_, id)| Some(id)),
        }
    }
}
