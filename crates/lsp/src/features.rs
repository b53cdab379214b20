//! The requests that the server answers, one row each.

use gen_lsp_types::Uri;
use serde_json::{Value, json};

use crate::context::Context;
use crate::{actions, complete, hover, lens, links, rename};

/// A request that the server answers.
pub(crate) struct Feature {
    method: &'static str,
    /// Whether the answer is about the present text, so that it waits for a check.
    pub(crate) needs_check: bool,
    /// Answers it, or says why not.
    pub(crate) run: fn(&Context<'_>, &Value) -> Result<Value, String>,
}

const FEATURES: &[Feature] = &[
    Feature { method: "textDocument/codeAction", needs_check: true, run: actions::actions },
    Feature { method: "textDocument/codeLens", needs_check: true, run: lens::lenses },
    Feature { method: "textDocument/completion", needs_check: false, run: complete::items },
    Feature { method: "textDocument/definition", needs_check: true, run: links::definition },
    Feature { method: "textDocument/documentLink", needs_check: true, run: links::links },
    Feature { method: "textDocument/hover", needs_check: true, run: hover::hover },
    Feature { method: "textDocument/prepareRename", needs_check: true, run: rename::prepare },
    Feature { method: "textDocument/references", needs_check: true, run: links::references },
    Feature { method: "textDocument/rename", needs_check: true, run: rename::rename },
    Feature { method: "workspace/willRenameFiles", needs_check: true, run: rename::will_rename },
    Feature { method: "workspace/executeCommand", needs_check: true, run: lens::execute },
    Feature { method: "skilltree/forecast", needs_check: true, run: lens::forecast },
];

/// Returns what answers a method.
pub(crate) fn find(method: &str) -> Option<&'static Feature> {
    FEATURES.iter().find(|feature| feature.method == method)
}

/// Returns the document that a request is about.
pub(crate) fn document(params: &Value) -> Option<Uri> {
    let places = ["/textDocument/uri", "/files/0/oldUri", "/arguments/0", "/uri"];
    places.iter().find_map(|place| params.pointer(place)?.as_str()).map(Uri::from)
}

/// Returns what the server can do.
pub(crate) fn capabilities() -> Value {
    let renamed = json!({ "filters": [{ "scheme": "file", "pattern": { "glob": "**" } }] });
    json!({
        "positionEncoding": "utf-16",
        "textDocumentSync": { "openClose": true, "change": 1, "save": { "includeText": false } },
        "codeActionProvider": { "codeActionKinds": ["quickfix", actions::FIX_ALL] },
        "codeLensProvider": { "resolveProvider": false },
        "completionProvider": { "triggerCharacters": ["[", "(", "/", "$", "@", ":", "\"", " "] },
        "definitionProvider": true,
        "documentLinkProvider": { "resolveProvider": false },
        "executeCommandProvider": { "commands": [lens::COMMAND] },
        "hoverProvider": true,
        "referencesProvider": true,
        "renameProvider": { "prepareProvider": true },
        "workspace": {
            "workspaceFolders": { "supported": true, "changeNotifications": true },
            "fileOperations": { "willRename": renamed, "didRename": renamed },
        },
    })
}
