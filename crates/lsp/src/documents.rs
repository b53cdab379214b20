//! The open documents.

use std::collections::BTreeMap;

use bstr::BString;
use gen_lsp_types::Uri;

use crate::uri;

/// Maximum size of a document that is checked, in bytes (ours: 16 MiB, which is the limit of an object too).
pub(crate) const DOCUMENT_BYTES: usize = 16 << 20;

/// Rules about what a text lacks. A document that was never saved is still being written.
const UNFINISHED: [&str; 6] = [
    "empty-body",
    "missing-description",
    "missing-front-matter",
    "missing-name",
    "unclosed-code-fence",
    "unclosed-front-matter",
];

/// Returns whether a document has no file yet, or an empty one.
pub(crate) fn is_new(uri: &Uri) -> bool {
    uri::to_path(uri).is_none_or(|path| path.metadata().map_or(true, |metadata| metadata.len() == 0))
}

/// Returns whether a finding is premature in a document that is new.
pub(crate) fn is_premature(rule: &str) -> bool {
    UNFINISHED.contains(&rule)
}

/// An open document.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// Its version; it increases with each change.
    pub(crate) version: i32,
    /// Its text; empty if it is too large.
    pub(crate) text: String,
    /// Its project and its path there; `None` if it is in none.
    pub(crate) place: Option<(usize, BString)>,
    /// Whether it is too large to be checked.
    pub(crate) is_too_large: bool,
    /// Whether it has no file yet, or an empty one.
    pub(crate) is_new: bool,
}

/// The open documents by address.
#[derive(Debug, Default)]
pub(crate) struct Documents(BTreeMap<String, Document>);

impl Documents {
    pub(crate) fn open(&mut self, uri: &Uri, document: Document) {
        self.0.insert(uri.0.clone(), document);
    }

    pub(crate) fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.0.remove(&uri.0)
    }

    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.0.get(&uri.0)
    }

    pub(crate) fn get_mut(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.0.get_mut(&uri.0)
    }

    /// Returns the documents of a project that are checked, with their addresses and paths.
    pub(crate) fn of(&self, project: usize) -> impl Iterator<Item = (Uri, &BString, &Document)> {
        self.0.iter().filter(|(_, document)| !document.is_too_large).filter_map(move |(uri, document)| {
            let (of, path) = document.place.as_ref()?;
            (*of == project).then(|| (Uri(uri.clone()), path, document))
        })
    }

    /// Returns whether a project has an open document.
    pub(crate) fn are_in(&self, project: usize) -> bool {
        self.0.values().any(|document| document.place.as_ref().is_some_and(|(of, _)| *of == project))
    }

    /// Looks again which documents have no file.
    pub(crate) fn look_at_disk(&mut self) {
        self.0.iter_mut().for_each(|(uri, document)| document.is_new = is_new(&Uri(uri.clone())));
    }

    /// Returns the documents in no project.
    pub(crate) fn without_project(&self) -> Vec<Uri> {
        let without = self.0.iter().filter(|(_, document)| document.place.is_none());
        without.map(|(uri, _)| Uri(uri.clone())).collect()
    }
}
