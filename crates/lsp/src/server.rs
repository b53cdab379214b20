//! The main thread: messages in, messages out. It never waits for a check.

mod checks;
mod notifications;
mod places;
mod requests;
mod send;
mod texts;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender};
use lsp_server::{Connection, ErrorCode, Message, Request};
use serde_json::{Value, json};

use crate::client::Client;
use crate::documents::Documents;
use crate::features;
use crate::host::Opener;
use crate::project::Project;
use crate::uri;
use crate::worker::{self, Done, Job};

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
        // One too many, which is said.
        self.folders = folders.into_iter().take(PROJECTS + 1).filter_map(|uri| uri::to_path(&uri.into())).collect();
        self.state = State::Running;
        let version = env!("CARGO_PKG_VERSION");
        let result = json!({
            "capabilities": features::capabilities(),
            "serverInfo": { "name": "skilltree", "version": version },
        });
        self.answer(request.id, result);
    }
}
