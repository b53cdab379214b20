//! The texts of open documents.

use std::time::Duration;

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, TextDocumentContentChangeEvent,
    Uri,
};

use super::Server;
use super::send::Severity;
use crate::documents::{self, DOCUMENT_BYTES, Document};
use crate::project::{DELAY, GLANCE};
use crate::uri;

impl Server {
    pub(super) fn open(&mut self, params: DidOpenTextDocumentParams) {
        let item = params.text_document;
        let place = self.locate(&item.uri, &item.text);
        let mut document = Document {
            version: item.version,
            text: String::new(),
            place,
            is_too_large: false,
            is_new: documents::is_new(&item.uri),
        };
        self.take(&item.uri, &mut document, item.text);
        let project = document.place.as_ref().map(|(project, _)| *project);
        self.documents.open(&item.uri, document);
        if let Some(project) = project {
            self.projects[project].ask_for_disk();
        }
    }

    pub(super) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let uri = params.text_document.text_document_identifier.uri;
        // With full synchronization, the last change has the text.
        let Some(TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(last)) =
            params.content_changes.into_iter().next_back()
        else {
            return;
        };
        let Some(mut document) = self.documents.close(&uri) else { return };
        document.version = params.text_document.version;
        if document.place.is_none() && uri::is_untitled(&uri) {
            document.place = self.locate(&uri, &last.text);
        }
        self.take(&uri, &mut document, last.text);
        let project = document.place.as_ref().map(|(project, _)| *project);
        self.documents.open(&uri, document);
        if let Some(project) = project {
            let project = &mut self.projects[project];
            project.forget |= !self.client.watches && project.looked.elapsed() > GLANCE;
            project.ask(DELAY);
        }
    }

    /// Sets the text of a document. Too large a one is not checked, and that is said once.
    pub(super) fn take(&self, uri: &Uri, document: &mut Document, text: String) {
        let is_too_large = text.len() > DOCUMENT_BYTES;
        if is_too_large && !document.is_too_large {
            self.show(Severity::Warning, &format!("{} is not checked: it is larger than 16 MiB", uri.0));
        }
        document.is_too_large = is_too_large;
        document.text = if is_too_large { String::new() } else { text };
    }

    pub(super) fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let document = self.documents.close(&params.text_document.uri);
        if let Some((project, _)) = document.and_then(|document| document.place) {
            self.projects[project].ask_for_disk();
        }
        self.clear_unused();
    }

    pub(super) fn ask_all_for_disk(&mut self, delay: Duration) {
        self.documents.look_at_disk();
        for uri in self.documents.without_project() {
            let text = self.documents.get(&uri).map(|document| document.text.clone()).unwrap_or_default();
            let place = if uri::is_untitled(&uri) { None } else { self.locate(&uri, &text) };
            if let Some(document) = self.documents.get_mut(&uri) {
                document.place = place;
            }
        }
        for number in 0..self.projects.len() {
            if self.projects[number].place.is_some() && self.is_used(number) {
                self.projects[number].forget = true;
                self.projects[number].ask(delay);
            }
        }
    }
}
