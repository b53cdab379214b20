//! Requests about a document: they wait for a check of its project.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use bstr::BString;
use gen_lsp_types::Uri;
use lsp_server::{ErrorCode, Request};
use serde_json::Value;

use super::send::Severity;
use super::{Server, WAITING};
use crate::context::Context;
use crate::features::{self, Feature};
use crate::worker;

impl Server {
    /// Answers a request about a document, once its project is checked.
    pub(super) fn feature(&mut self, request: Request, feature: &'static Feature) {
        let Some(number) = features::document(&request.params).and_then(|uri| self.project_of(&uri)) else {
            self.answer(request.id, Value::Null);
            return;
        };
        let project = &mut self.projects[number];
        if project.is_fresh() || !feature.needs_check && project.latest.is_some() {
            self.run_feature(number, request, feature);
        } else if self.waiting.len() >= WAITING {
            self.refuse(request.id, ErrorCode::RequestFailed, "too many requests wait");
        } else {
            if project.due.is_some() {
                project.ask(Duration::ZERO);
            }
            self.waiting.push((number, request));
        }
    }

    pub(super) fn run_feature(&mut self, number: usize, request: Request, feature: &Feature) {
        let Some(uri) = features::document(&request.params) else { return };
        let document = self.documents.get(&uri).cloned();
        let place = match &document {
            Some(document) => document.place.clone(),
            None => self.locate(&uri, ""),
        };
        let project = &self.projects[number];
        let (Some(checked), Some((_, path))) = (&project.latest, place) else {
            self.answer(request.id, Value::Null);
            return;
        };
        let open: BTreeMap<BString, (Uri, i32)> =
            self.documents.of(number).map(|(uri, path, document)| (path.clone(), (uri, document.version))).collect();
        let context = Context {
            checked,
            client: &self.client,
            top: project.place.as_ref().map(|place| place.top.as_path()),
            open: &open,
            uri: &uri,
            path: path.as_ref(),
            text: document.as_ref().map(|document| document.text.as_str()),
            notes: RefCell::default(),
        };
        let result = catch_unwind(AssertUnwindSafe(|| (feature.run)(&context, &request.params)));
        context.notes.take().iter().for_each(|note| self.show(Severity::Warning, note));
        match result {
            Ok(Ok(value)) => self.answer(request.id, value),
            Ok(Err(message)) => self.refuse(request.id, ErrorCode::RequestFailed, &message),
            Err(panic) => {
                let message = format!("this is a bug of skilltree: {}", worker::words(&*panic));
                self.refuse(request.id, ErrorCode::InternalError, &message);
            }
        }
    }

    pub(super) fn answer_waiting(&mut self, number: usize) {
        if !self.projects[number].is_fresh() {
            return;
        }
        let (ready, waiting) =
            std::mem::take(&mut self.waiting).into_iter().partition(|(project, _)| *project == number);
        self.waiting = waiting;
        let ready: Vec<(usize, Request)> = ready;
        for (number, request) in ready {
            match features::find(&request.method) {
                Some(feature) => self.run_feature(number, request, feature),
                None => self.answer(request.id, Value::Null),
            }
        }
    }

    pub(super) fn cancel(&mut self, id: &Value) {
        let is_meant = |request: &Request| serde_json::to_value(&request.id).is_ok_and(|own| own == *id);
        if let Some(position) = self.waiting.iter().position(|(_, request)| is_meant(request)) {
            let (_, request) = self.waiting.remove(position);
            self.refuse(request.id, ErrorCode::RequestCanceled, "canceled");
        }
    }
}
