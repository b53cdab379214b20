//! Starting checks, and publishing what they find.

use std::collections::BTreeMap;
use std::time::Instant;

use bstr::BString;
use gen_lsp_types::Uri;
use serde_json::{Value, json};

use super::Server;
use super::send::Severity;
use crate::diagnostics::ByPath;
use crate::documents;
use crate::host::Texts;
use crate::uri;
use crate::worker::{Check, Done, Failed, Job};

impl Server {
    /// Starts the checks that are due. A project has one at a time.
    pub(super) fn start_checks(&mut self) {
        let now = Instant::now();
        for number in 0..self.projects.len() {
            let project = &mut self.projects[number];
            if project.running.is_some() || project.due.is_none_or(|due| due > now) {
                continue;
            }
            project.due = None;
            self.generation += 1;
            project.running = Some(self.generation);
            let forget = std::mem::take(&mut project.forget);
            if forget {
                project.looked = now;
            }
            let mut texts = Texts::new();
            let mut open = BTreeMap::new();
            for (uri, path, document) in self.documents.of(number) {
                texts.insert(path.clone(), document.text.clone().into_bytes());
                open.insert(path.clone(), (uri, document.version));
            }
            let check = Check { project: number, generation: self.generation, texts, open, forget };
            if self.jobs.send(Job::Check(check)).is_err() {
                return;
            }
        }
    }

    /// Takes the result of a check, and publishes it unless something changed since.
    pub(super) fn finish(&mut self, done: Done) {
        let Done { project: number, generation, open, result } = done;
        let project = &mut self.projects[number];
        if project.running != Some(generation) {
            return;
        }
        project.running = None;
        let is_stale = project.due.is_some();
        let told = match result {
            Ok((checked, found)) => {
                let told = checked.fault.as_ref().filter(|fault| fault.report.is_none()).map(ToString::to_string);
                project.latest = Some(checked);
                if !is_stale {
                    self.publish(number, &found, &open, true);
                }
                told
            }
            Err(Failed::Refused(refusal, found)) => {
                self.publish(number, &found, &open, false);
                refusal.report.is_none().then(|| refusal.to_string())
            }
            Err(Failed::Panicked(message)) => Some(format!("a check failed, which is a bug of skilltree: {message}")),
        };
        let project = &mut self.projects[number];
        if project.told != told {
            project.told.clone_from(&told);
            told.iter().for_each(|message| self.show(Severity::Error, message));
        }
        self.answer_waiting(number);
    }

    /// Publishes the diagnostics that changed. Without `all`, files that have none keep theirs.
    pub(super) fn publish(&mut self, number: usize, found: &ByPath, open: &BTreeMap<BString, (Uri, i32)>, all: bool) {
        let mut next: BTreeMap<String, (u64, Option<i32>, Vec<Value>)> = BTreeMap::new();
        if all {
            let known = self.projects[number].published.keys();
            next.extend(known.map(|uri| (uri.clone(), (0, None, Vec::new()))));
            next.extend(open.values().map(|(uri, version)| (uri.0.clone(), (0, Some(*version), Vec::new()))));
        }
        for (path, (hash, diagnostics)) in found {
            let (uri, version) = match (open.get(path), &self.projects[number].place) {
                (Some((uri, version)), _) => (uri.clone(), Some(*version)),
                (None, Some(place)) => (uri::below(&place.top, path.as_ref()), None),
                (None, None) => match open.values().next() {
                    Some((uri, version)) => (uri.clone(), Some(*version)),
                    None => continue,
                },
            };
            let diagnostics = diagnostics.iter().filter_map(|diagnostic| serde_json::to_value(diagnostic).ok());
            let is_new = self.documents.get(&uri).is_some_and(|document| document.is_new);
            let is_shown = |diagnostic: &Value| {
                let rule = diagnostic["code"].as_str().unwrap_or_default();
                let is_hidden = self.client.hidden_rules.iter().any(|hidden| hidden == rule);
                !(is_hidden || is_new && documents::is_premature(rule))
            };
            let shown = diagnostics.filter(is_shown).map(|diagnostic| self.without_related(diagnostic)).collect();
            next.insert(uri.0, (hash.wrapping_add(is_new.into()), version, shown));
        }
        for (uri, (hash, version, diagnostics)) in next {
            let uri = Uri(uri);
            if self.projects[number].publishes(&uri, (hash, version)) {
                let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
                if let Some(version) = version {
                    params["version"] = version.into();
                }
                self.notify("textDocument/publishDiagnostics", params);
            }
        }
    }

    pub(super) fn without_related(&self, mut diagnostic: Value) -> Value {
        if !self.client.related
            && let Some(members) = diagnostic.as_object_mut()
        {
            members.remove("relatedInformation");
        }
        diagnostic
    }
}
