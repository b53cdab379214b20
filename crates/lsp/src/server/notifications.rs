//! What the client says without waiting for an answer.

use std::path::PathBuf;
use std::time::Duration;

use lsp_server::Notification;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::send::Severity;
use super::{PROJECTS, Server, State};
use crate::project::DELAY;
use crate::transport::UNREADABLE;
use crate::uri;

impl Server {
    pub(super) fn notification(&mut self, notification: Notification) {
        if self.state != State::Running {
            return;
        }
        let Notification { method, params } = notification;
        match method.as_str() {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => parsed(params).into_iter().for_each(|params| self.open(params)),
            "textDocument/didChange" => parsed(params).into_iter().for_each(|params| self.change(params)),
            "textDocument/didClose" => parsed(params).into_iter().for_each(|params| self.close(&params)),
            "textDocument/didSave" | "workspace/didRenameFiles" => self.ask_all_for_disk(Duration::ZERO),
            "workspace/didChangeWatchedFiles" => {
                let changes = params["changes"].as_array().map(Vec::as_slice).unwrap_or_default();
                // Packages are installed by the thousand, and never searched.
                let is_package =
                    |change: &Value| change["uri"].as_str().is_some_and(|uri| uri.contains("/node_modules/"));
                if changes.is_empty() || !changes.iter().all(is_package) {
                    self.ask_all_for_disk(DELAY);
                }
            }
            "workspace/didChangeWorkspaceFolders" => {
                let folders = |which: &str| -> Vec<PathBuf> {
                    let folders = params["event"][which].as_array().into_iter().flatten();
                    let folders = folders.filter_map(|folder| uri::to_path(&folder["uri"].as_str()?.into()));
                    folders.take(PROJECTS + 1).collect()
                };
                let (added, removed) = (folders("added"), folders("removed"));
                self.folders.retain(|folder| !removed.contains(folder));
                self.folders.extend(added.iter().cloned());
                added.iter().for_each(|folder| self.open_folder(folder));
                self.clear_unused();
            }
            "$/cancelRequest" => self.cancel(&params["id"]),
            UNREADABLE => self.show(Severity::Warning, params["why"].as_str().unwrap_or_default()),
            // Other notifications need no answer.
            _ => {}
        }
    }

    pub(super) fn initialized(&mut self) {
        if self.client.watches {
            let globs =
                ["**/*.md", "**/skilltree.toml", "**/*.json", "**/openai.yaml", "**/.git/HEAD", "**/.git/index"];
            let watchers: Vec<Value> = globs.iter().map(|glob| json!({ "globPattern": glob })).collect();
            let registration = json!({
                "id": "watch",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": { "watchers": watchers },
            });
            self.ask_client("client/registerCapability", json!({ "registrations": [registration] }));
        }
        self.folders.clone().iter().for_each(|folder| self.open_folder(folder));
    }
}

/// Parses parameters; nonsense is ignored, because a notification has no answer.
fn parsed<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
