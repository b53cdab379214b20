//! What a request sees: a check, a document in it, and the client.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use gen_lsp_types::{Position, TextEdit, Uri};
use serde_json::{Value, json};
use skilltree_front_matter::text::FileId;
use skilltree_skills::skill::{Skill, SkillId};
use skilltree_skills::snapshot::{Body, File, Role};

use crate::client::Client;
use crate::host::Checked;
use crate::position::{Lines, MARK};
use crate::uri;

/// The context of a request.
pub(crate) struct Context<'a> {
    pub(crate) checked: &'a Checked,
    pub(crate) client: &'a Client,
    /// The top of the working tree; `None` for a document without a file.
    pub(crate) top: Option<&'a Path>,
    /// The addresses and versions of the open documents.
    pub(crate) open: &'a BTreeMap<BString, (Uri, i32)>,
    /// The address of the document.
    pub(crate) uri: &'a Uri,
    /// Its path from the top.
    pub(crate) path: &'a BStr,
    /// Its text, if it is open.
    pub(crate) text: Option<&'a str>,
    /// What the user is told besides the answer.
    pub(crate) notes: RefCell<Vec<String>>,
}

/// A file of a skill.
#[derive(Clone, Copy)]
pub(crate) struct Owned<'a> {
    pub(crate) skill: &'a Skill,
    /// The file that the request is about: SKILL.md or another one.
    pub(crate) file: FileId,
}

impl<'a> Context<'a> {
    /// Tells the user something besides the answer.
    pub(crate) fn note(&self, message: String) {
        self.notes.borrow_mut().push(message);
    }

    /// Returns the skill that has the document as its SKILL.md.
    pub(crate) fn skill(&self) -> Option<(SkillId, &'a Skill)> {
        let catalog = &self.checked.report.catalog;
        let mut skills = catalog.skills();
        match self.top {
            Some(_) => skills.find(|(_, skill)| catalog.file(skill.file).shown_path() == self.path),
            None => skills.next(),
        }
    }

    /// Returns the skill that the document is a Markdown file of.
    pub(crate) fn owned(&self) -> Option<Owned<'a>> {
        if let Some((_, skill)) = self.skill() {
            return Some(Owned { skill, file: skill.file });
        }
        let catalog = &self.checked.report.catalog;
        catalog.skills().find_map(|(_, skill)| {
            let mut references = skill.references.read.iter();
            let file = references.find(|reference| catalog.file(reference.file).shown_path() == self.path)?.file;
            Some(Owned { skill, file })
        })
    }

    /// Returns the files below the skills directories.
    pub(crate) fn files(&self) -> &'a [File] {
        let files = &self.checked.report.catalog.parsed.files;
        &files[..files.iter().take_while(|file| file.role != Role::Config).count()]
    }

    /// Returns the address of a path.
    pub(crate) fn uri_of(&self, path: &BStr) -> Uri {
        match (self.open.get(path), self.top) {
            (Some((uri, _)), _) => uri.clone(),
            (None, Some(top)) => uri::below(top, path),
            (None, None) => self.uri.clone(),
        }
    }

    /// Returns the text of the document: that of the client, or the one that was checked.
    pub(crate) fn document(&self) -> Option<String> {
        match self.text {
            // An editor does not show the byte order mark of a file.
            Some(text) if !text.starts_with(MARK) && self.checked.source.starts_with(self.path, MARK.as_bytes()) => {
                Some([MARK, text].concat())
            }
            Some(text) => Some(text.to_owned()),
            None => self.text_of(self.path),
        }
    }

    /// Returns the text of a file that was checked; `None` if it is not UTF-8.
    pub(crate) fn text_of(&self, path: &BStr) -> Option<String> {
        let files = &self.checked.report.catalog.parsed.files;
        self.text_of_file(files.iter().find(|file| file.shown_path() == path)?)
    }

    /// Returns the text of a file that was checked; `None` if it is not UTF-8, or has none.
    pub(crate) fn text_of_file(&self, file: &File) -> Option<String> {
        let bytes = match &file.body {
            Body::Text(bytes) => bytes.clone(),
            _ => self.checked.source.bodies(std::slice::from_ref(file)).ok()?.pop()?,
        };
        String::from_utf8(bytes).ok()
    }

    /// Returns the edit of documents as the client takes it: with versions, if it can.
    pub(crate) fn workspace_edit(&self, edits: &[(BString, Vec<TextEdit>)]) -> Value {
        if !self.client.document_changes {
            let changes: serde_json::Map<String, Value> =
                edits.iter().map(|(path, edits)| (self.uri_of(path.as_bstr()).0, json!(edits))).collect();
            return json!({ "changes": changes });
        }
        json!({ "documentChanges": self.document_edits(edits) })
    }

    /// Returns edits with the versions of their documents.
    pub(crate) fn document_edits(&self, edits: &[(BString, Vec<TextEdit>)]) -> Vec<Value> {
        let edits = edits.iter().map(|(path, edits)| {
            let version = self.open.get(path).map(|(_, version)| *version);
            json!({ "textDocument": { "uri": self.uri_of(path.as_bstr()), "version": version }, "edits": edits })
        });
        edits.collect()
    }
}

/// Returns the position of a request.
pub(crate) fn position(params: &Value) -> Result<Position, String> {
    serde_json::from_value(params["position"].clone()).map_err(|_| "the request has no position".to_owned())
}

/// Returns the offset of the position of a request.
pub(crate) fn offset(params: &Value, text: &str) -> Result<usize, String> {
    Ok(Lines::new(text).offset(position(params)?))
}
