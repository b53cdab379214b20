//! The main thread: messages in, messages out. It never waits for a check.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bstr::BString;
use crossbeam_channel::{Receiver, Sender};
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, TextDocumentContentChangeEvent,
    Uri,
};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::client::Client;
use crate::context::Context;
use crate::diagnostics::ByPath;
use crate::documents::{self, DOCUMENT_BYTES, Document, Documents};
use crate::features::{self, Feature};
use crate::host::{Opened, Opener, Texts};
use crate::project::{DELAY, GLANCE, Place, Project};
use crate::transport::UNREADABLE;
use crate::uri;
use crate::worker::{self, Check, Done, Failed, Job};

/// Maximum number of projects (ours). Documents in further ones are not checked.
const PROJECTS: usize = 64;

/// Maximum number of requests that wait for a check (ours). Further ones are refused.
const WAITING: usize = 1_000;

/// How long the server waits for a message if nothing is due.
const IDLE: Duration = Duration::from_secs(3_600);

/// Serves a client until it says `exit` or goes away. Returns whether it asked the server to shut down before.
pub fn serve(connection: &Connection, opener: Box<dyn Opener>) -> bool {
    let (jobs, results) = worker::start();
    let mut server = Server {
        sender: connection.sender.clone(),
        opener,
        client: Client::default(),
        documents: Documents::default(),
        projects: Vec::new(),
        untitled: BTreeMap::new(),
        folders: Vec::new(),
        jobs,
        generation: 0,
        waiting: Vec::new(),
        requests: 0,
        said_full: false,
        state: State::New,
    };
    server.run(&connection.receiver, &results);
    server.state == State::ShutDown
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    New,
    Running,
    ShutDown,
}

struct Server {
    sender: Sender<Message>,
    opener: Box<dyn Opener>,
    client: Client,
    documents: Documents,
    projects: Vec<Project>,
    /// The projects of documents without a file, by address.
    untitled: BTreeMap<String, usize>,
    /// The folders that the client has open.
    folders: Vec<PathBuf>,
    jobs: Sender<Job>,
    generation: u64,
    /// Requests that wait for a check of a project.
    waiting: Vec<(usize, Request)>,
    /// The number of requests to the client.
    requests: i32,
    /// Whether the user knows that there are too many projects.
    said_full: bool,
    state: State,
}

impl Server {
    fn run(&mut self, messages: &Receiver<Message>, results: &Receiver<Done>) {
        loop {
            self.start_checks();
            let due =
                self.projects.iter().filter(|project| project.running.is_none()).filter_map(|project| project.due);
            let wait = due.min().map_or(IDLE, |due| due.saturating_duration_since(Instant::now()));
            crossbeam_channel::select! {
                recv(messages) -> message => match message {
                    Ok(message) => if !self.receive(message) { break },
                    Err(_) => break,
                },
                recv(results) -> done => match done {
                    Ok(done) => self.finish(done),
                    Err(_) => break,
                },
                default(wait) => {}
            }
        }
    }

    /// Handles a message; `false` after the last one.
    fn receive(&mut self, message: Message) -> bool {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) if notification.method == "exit" => return false,
            Message::Notification(notification) => self.notification(notification),
            // The answer to a registration.
            Message::Response(_) => {}
        }
        true
    }

    fn request(&mut self, request: Request) {
        match (self.state, request.method.as_str()) {
            (State::New, "initialize") => self.initialize(request),
            (State::New, _) => {
                self.refuse(request.id, ErrorCode::ServerNotInitialized, "the server is not initialized")
            }
            (State::ShutDown, _) => self.refuse(request.id, ErrorCode::InvalidRequest, "the server is shut down"),
            (State::Running, "initialize") => {
                self.refuse(request.id, ErrorCode::InvalidRequest, "the server is initialized already");
            }
            (State::Running, "shutdown") => {
                self.state = State::ShutDown;
                self.answer(request.id, Value::Null);
            }
            (State::Running, method) => match features::find(method) {
                Some(feature) => self.feature(request, feature),
                None => self.refuse(request.id, ErrorCode::MethodNotFound, "the server does not know this method"),
            },
        }
    }

    fn initialize(&mut self, request: Request) {
        self.client = Client::new(&request.params);
        let folders = request.params["workspaceFolders"].as_array().into_iter().flatten();
        let folders = folders.filter_map(|folder| folder["uri"].as_str());
        let folders: Vec<&str> = match folders.collect::<Vec<_>>() {
            none if none.is_empty() => request.params["rootUri"].as_str().into_iter().collect(),
            some => some,
        };
        self.folders = folders.into_iter().take(PROJECTS).filter_map(|uri| uri::to_path(&uri.into())).collect();
        self.state = State::Running;
        let version = env!("CARGO_PKG_VERSION");
        let result = json!({
            "capabilities": features::capabilities(),
            "serverInfo": { "name": "skilltree", "version": version },
        });
        self.answer(request.id, result);
    }

    fn notification(&mut self, notification: Notification) {
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
                let folders = params["event"]["added"].as_array().cloned().unwrap_or_default();
                let folders = folders.iter().filter_map(|folder| uri::to_path(&folder["uri"].as_str()?.into()));
                let folders: Vec<PathBuf> = folders.take(PROJECTS).collect();
                folders.iter().for_each(|folder| self.open_folder(folder));
                self.folders.extend(folders);
            }
            "$/cancelRequest" => self.cancel(&params["id"]),
            UNREADABLE => self.show(Severity::Warning, params["why"].as_str().unwrap_or_default()),
            // Other notifications need no answer.
            _ => {}
        }
    }

    fn initialized(&mut self) {
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

    fn ask_client(&mut self, method: &str, params: Value) {
        self.requests += 1;
        self.send(Request { id: RequestId::from(self.requests), method: method.to_owned(), params });
    }

    /// Opens the repository of a folder. A folder outside a repository is checked once a file in it is open.
    fn open_folder(&mut self, folder: &Path) {
        if let Ok(opened) = self.opener.open(folder)
            && let Some(project) = self.add(opened)
        {
            self.projects[project].ask_for_disk();
        }
    }

    /// Returns whether no project can be added, and says so once.
    fn is_full(&mut self) -> bool {
        let is_full = self.projects.len() >= PROJECTS;
        if is_full && !self.said_full {
            self.said_full = true;
            self.show(
                Severity::Warning,
                &format!("more than {PROJECTS} repositories are open: further ones are not checked"),
            );
        }
        is_full
    }

    /// Adds a project, or finds the one with the same directory.
    fn add(&mut self, opened: Opened) -> Option<usize> {
        let Opened { source, repository } = opened;
        let top = source.top()?.to_owned();
        let is_same = |project: &Project| project.place.as_ref().is_some_and(|place| place.top == top);
        if let Some(known) = self.projects.iter().position(is_same) {
            return Some(known);
        }
        if self.is_full() {
            return None;
        }
        let job = Job::Add { repository, top: Some(top.clone()) };
        self.projects.push(Project::new(Some(Place { source, top })));
        self.jobs.send(job).ok()?;
        Some(self.projects.len() - 1)
    }

    /// Returns the project of a document and its path there.
    fn locate(&mut self, uri: &Uri, text: &str) -> Option<(usize, BString)> {
        if uri::is_untitled(uri) {
            return self.locate_untitled(uri, text);
        }
        let path = uri::to_path(uri)?;
        let directory = path.ancestors().skip(1).find(|directory| directory.is_dir())?;
        let opened = match self.opener.open(directory) {
            Ok(opened) => opened,
            Err(refusal) if refusal.is_outside => {
                let folder = self
                    .folders
                    .iter()
                    .filter(|folder| path.starts_with(folder))
                    .max_by_key(|folder| folder.as_os_str().len());
                self.opener.open_directory(folder.map_or(directory, PathBuf::as_path))
            }
            Err(refusal) => {
                self.show(Severity::Error, &refusal.to_string());
                return None;
            }
        };
        let project = self.add(opened)?;
        let source = &self.projects[project].place.as_ref()?.source;
        let path = source.repository_path(&path)?;
        Some((project, source.resolved(path.as_ref()).unwrap_or(path)))
    }

    /// A document without a file is a skill if it begins like one.
    fn locate_untitled(&mut self, uri: &Uri, text: &str) -> Option<(usize, BString)> {
        let is_skill = text.starts_with("---")
            && text.lines().take(100).any(|line| line.starts_with("name:") || line.starts_with("description:"));
        let path = BString::from("stdin");
        if let Some(known) = self.untitled.get(&uri.0) {
            return Some((*known, path));
        }
        if !is_skill || self.is_full() {
            return None;
        }
        self.jobs.send(Job::Add { repository: self.opener.untitled(), top: None }).ok()?;
        self.projects.push(Project::new(None));
        self.untitled.insert(uri.0.clone(), self.projects.len() - 1);
        Some((self.projects.len() - 1, path))
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
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

    fn change(&mut self, params: DidChangeTextDocumentParams) {
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
    fn take(&self, uri: &Uri, document: &mut Document, text: String) {
        let is_too_large = text.len() > DOCUMENT_BYTES;
        if is_too_large && !document.is_too_large {
            self.show(Severity::Warning, &format!("{} is not checked: it is larger than 16 MiB", uri.0));
        }
        document.is_too_large = is_too_large;
        document.text = if is_too_large { String::new() } else { text };
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let document = self.documents.close(&params.text_document.uri);
        if let Some((project, _)) = document.and_then(|document| document.place) {
            self.projects[project].ask_for_disk();
        }
    }

    fn ask_all_for_disk(&mut self, delay: Duration) {
        self.documents.look_at_disk();
        for uri in self.documents.without_project() {
            let text = self.documents.get(&uri).map(|document| document.text.clone()).unwrap_or_default();
            let place = if uri::is_untitled(&uri) { None } else { self.locate(&uri, &text) };
            if let Some(document) = self.documents.get_mut(&uri) {
                document.place = place;
            }
        }
        for project in self.projects.iter_mut().filter(|project| project.place.is_some()) {
            project.forget = true;
            project.ask(delay);
        }
    }

    /// Starts the checks that are due. A project has one at a time.
    fn start_checks(&mut self) {
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
    fn finish(&mut self, done: Done) {
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
    fn publish(&mut self, number: usize, found: &ByPath, open: &BTreeMap<BString, (Uri, i32)>, all: bool) {
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

    fn without_related(&self, mut diagnostic: Value) -> Value {
        if !self.client.related
            && let Some(members) = diagnostic.as_object_mut()
        {
            members.remove("relatedInformation");
        }
        diagnostic
    }

    /// Answers a request about a document, once its project is checked.
    fn feature(&mut self, request: Request, feature: &'static Feature) {
        let Some(number) = features::document(&request.params).and_then(|uri| self.project_of(&uri)) else {
            self.answer(request.id, Value::Null);
            return;
        };
        let project = &mut self.projects[number];
        if !feature.needs_check || project.is_fresh() {
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

    /// Returns the project of a document, or of a file that is not open.
    fn project_of(&mut self, uri: &Uri) -> Option<usize> {
        match self.documents.get(uri) {
            Some(document) => document.place.as_ref().map(|(project, _)| *project),
            None => self.locate(uri, "").map(|(project, _)| project),
        }
    }

    fn run_feature(&mut self, number: usize, request: Request, feature: &Feature) {
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
        };
        let result = catch_unwind(AssertUnwindSafe(|| (feature.run)(&context, &request.params)));
        match result {
            Ok(Ok(value)) => self.answer(request.id, value),
            Ok(Err(message)) => self.refuse(request.id, ErrorCode::RequestFailed, &message),
            Err(panic) => {
                let message = format!("this is a bug of skilltree: {}", worker::words(&*panic));
                self.refuse(request.id, ErrorCode::InternalError, &message);
            }
        }
    }

    fn answer_waiting(&mut self, number: usize) {
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

    fn cancel(&mut self, id: &Value) {
        let is_meant = |request: &Request| serde_json::to_value(&request.id).is_ok_and(|own| own == *id);
        if let Some(position) = self.waiting.iter().position(|(_, request)| is_meant(request)) {
            let (_, request) = self.waiting.remove(position);
            self.refuse(request.id, ErrorCode::RequestCanceled, "canceled");
        }
    }

    fn answer(&self, id: RequestId, result: Value) {
        self.send(Response { id, response_result: Ok(result) });
    }

    fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.send(Response::new_err(id, code as i32, message.to_owned()));
    }

    fn show(&self, severity: Severity, message: &str) {
        self.notify(
            "window/showMessage",
            json!({ "type": severity as u8, "message": format!("skilltree: {message}") }),
        );
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a message. A client that is gone ends the loop when it is read from.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.sender.send(message.into());
    }
}

/// How a message is shown.
#[derive(Clone, Copy)]
enum Severity {
    Error = 1,
    Warning = 2,
}

/// Parses parameters; nonsense is ignored, because a notification has no answer.
fn parsed<T: DeserializeOwned>(params: Value) -> Option<T> {
    serde_json::from_value(params).ok()
}
