//! A client in memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// How long an answer may take: a debug build on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of a server in the same process.
pub(super) struct Client {
    connection: Option<Connection>,
    server: Option<JoinHandle<bool>>,
    next: i32,
    /// The published diagnostics by address, with the version.
    pub(super) published: BTreeMap<String, (Option<i64>, Vec<Value>)>,
    /// The messages that were shown.
    pub(super) shown: Vec<String>,
    /// The methods of the requests that the server made.
    pub(super) asked: Vec<String>,
    answers: BTreeMap<i32, Response>,
}

impl Client {
    /// Starts a server and initializes it with a folder.
    pub(super) fn new(folder: &Path) -> Self {
        Self::with(folder, json!({}))
    }

    pub(super) fn with(folder: &Path, options: Value) -> Self {
        let capabilities = json!({
            "workspace": {
                "didChangeWatchedFiles": { "dynamicRegistration": true },
                "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] },
            },
            "textDocument": { "publishDiagnostics": { "relatedInformation": true, "versionSupport": true } },
        });
        Self::with_capabilities(folder, options, capabilities)
    }

    pub(super) fn with_capabilities(folder: &Path, options: Value, capabilities: Value) -> Self {
        let mut client = Self::start(skilltree::serve);
        let params = json!({
            "processId": null,
            "capabilities": capabilities,
            "initializationOptions": options,
            "workspaceFolders": [{ "uri": uri(folder), "name": "test" }],
        });
        let result = client.request("initialize", params).expect("it can be initialized");
        assert_eq!(result["capabilities"]["positionEncoding"], "utf-16");
        client.notify("initialized", json!({}));
        client
    }

    /// Starts a server without a message.
    pub(super) fn start(serve: impl FnOnce(&Connection) -> bool + Send + 'static) -> Self {
        let (connection, other) = Connection::memory();
        let server = std::thread::spawn(move || serve(&other));
        Self {
            connection: Some(connection),
            server: Some(server),
            next: 0,
            published: BTreeMap::new(),
            shown: Vec::new(),
            asked: Vec::new(),
            answers: BTreeMap::new(),
        }
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        self.connection.as_ref().expect("it is open").sender.send(message.into()).expect("the server lives");
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Takes the next message; `false` if none came in time.
    fn take(&mut self, patience: Duration) -> bool {
        let receiver = &self.connection.as_ref().expect("it is open").receiver;
        let Ok(message) = receiver.recv_timeout(patience) else { return false };
        match message {
            Message::Notification(Notification { method, params }) => match method.as_str() {
                "textDocument/publishDiagnostics" => {
                    let uri = params["uri"].as_str().expect("an address").to_owned();
                    let diagnostics = params["diagnostics"].as_array().expect("a list").clone();
                    self.published.insert(uri, (params["version"].as_i64(), diagnostics));
                }
                "window/showMessage" => self.shown.push(params["message"].as_str().expect("a text").to_owned()),
                other => panic!("{other}"),
            },
            Message::Request(request) => {
                self.asked.push(request.method.clone());
                self.send(Response { id: request.id, response_result: Ok(Value::Null) });
            }
            Message::Response(response) => {
                let id = serde_json::to_value(&response.id).expect("a number").as_i64().expect("a number");
                self.answers.insert(id as i32, response);
            }
        }
        true
    }

    /// Takes messages until something is true.
    pub(super) fn wait(&mut self, what: &str, is_true: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !is_true(self) {
            assert!(
                start.elapsed() < PATIENCE && self.take(PATIENCE),
                "{what}: {:#?} {:?}",
                self.published,
                self.shown
            );
        }
    }

    /// Takes the messages that come within some time.
    pub(super) fn listen(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            self.take(left);
        }
    }

    /// Sends a request, and returns its number.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        self.send(Request { id: RequestId::from(self.next), method: method.to_owned(), params });
        self.next
    }

    /// Returns the answer to a request.
    pub(super) fn answer(&mut self, id: i32) -> Result<Value, String> {
        self.wait("an answer", |client| client.answers.contains_key(&id));
        let response = self.answers.remove(&id).expect("it came");
        response.response_result.map_err(|error| format!("{} {}", error.code, error.message))
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    pub(super) fn open(&self, uri: &str, text: &str) {
        let item = json!({ "uri": uri, "languageId": "skill", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub(super) fn change(&self, uri: &str, version: i64, text: &str) {
        let document = json!({ "uri": uri, "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    pub(super) fn close(&self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Waits for the diagnostics of a version, and returns their codes.
    pub(super) fn codes(&mut self, uri: &str, version: i64) -> Vec<String> {
        let is_it = |client: &Self| client.published.get(uri).is_some_and(|(of, _)| *of == Some(version));
        self.wait(&format!("version {version} of {uri}"), is_it);
        self.codes_of(uri)
    }

    /// Returns the codes of what was published last.
    pub(super) fn codes_of(&self, uri: &str) -> Vec<String> {
        let diagnostics = self.published.get(uri).map(|(_, diagnostics)| diagnostics.as_slice()).unwrap_or_default();
        diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().expect("a rule").to_owned()).collect()
    }

    /// Asks about a place of a document.
    pub(super) fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Result<Value, String> {
        let position = json!({ "line": line, "character": character });
        self.request(method, json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    /// Returns the actions of some lines.
    pub(super) fn actions(&mut self, uri: &str, lines: std::ops::Range<u32>, only: Option<&str>) -> Vec<Value> {
        let mut context = json!({ "diagnostics": [] });
        if let Some(only) = only {
            context["only"] = json!([only]);
        }
        let range =
            json!({ "start": { "line": lines.start, "character": 0 }, "end": { "line": lines.end, "character": 0 } });
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
        let actions = self.request("textDocument/codeAction", params).expect("they are answered");
        actions.as_array().expect("a list").clone()
    }

    /// Ends the server; `true` if it was shut down in order.
    pub(super) fn end(mut self) -> bool {
        self.request("shutdown", Value::Null).expect("it can be shut down");
        self.notify("exit", Value::Null);
        self.server.take().expect("it runs").join().expect("it does not panic")
    }
}

/// Returns the address of a file.
pub(super) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Makes the edits of a file, by address, from an edit of the workspace.
pub(super) fn edited(edit: &Value, uri: &str, text: &str) -> String {
    let changes = edit["documentChanges"].as_array().expect("changes of documents");
    let edits = changes.iter().filter(|change| change["textDocument"]["uri"] == uri);
    let mut edits: Vec<Value> = edits.flat_map(|change| change["edits"].as_array().expect("edits").clone()).collect();
    let offset = |position: &Value| {
        let line = position["line"].as_u64().expect("a number") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let units = position["character"].as_u64().expect("a number") as usize;
        let line: Vec<u16> = text[start..].encode_utf16().take(units).collect();
        start + String::from_utf16(&line).expect("whole characters").len()
    };
    edits.sort_by_key(|edit| std::cmp::Reverse(offset(&edit["range"]["start"])));
    let mut text_after = text.to_owned();
    for edit in edits {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        text_after.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    text_after
}
