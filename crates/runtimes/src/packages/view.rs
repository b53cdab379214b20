//! The manifests of a tree, as the search for packages and the checks of their keys see them.

use bstr::ByteSlice;

use super::Place;
use super::members::Index;
use crate::formats::Marketplaces;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{Manifests, Unread};

/// A tree with its manifests.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) manifests: &'a Manifests,
    pub(super) index: Index<'a>,
}

/// What an entry of a marketplace says.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a> {
    /// The number of the marketplace's manifest.
    pub(super) marketplace: usize,
    pub(super) json: &'a Json,
    pub(super) rule: &'static Marketplaces,
}

impl<'a> View<'a> {
    /// Returns the value of a manifest.
    pub(super) fn json(&self, number: usize) -> Option<&'a Json> {
        self.manifests.all[number].content.as_ref().ok()
    }

    /// Returns whether a manifest is not a JSON object.
    pub(super) fn is_malformed(&self, number: usize) -> bool {
        matches!(self.manifests.all[number].content, Err(Unread::Malformed(..) | Unread::NotAnObject))
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
