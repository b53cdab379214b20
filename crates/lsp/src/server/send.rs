//! Messages to the client.

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::Server;

impl Server {
    pub(super) fn ask_client(&mut self, method: &str, params: Value) {
        self.requests += 1;
        self.send(Request { id: RequestId::from(self.requests), method: method.to_owned(), params });
    }

    pub(super) fn answer(&self, id: RequestId, result: Value) {
        self.send(Response { id, response_result: Ok(result) });
    }

    pub(super) fn refuse(&self, id: RequestId, code: ErrorCode, message: &str) {
        self.send(Response::new_err(id, code as i32, message.to_owned()));
    }

    pub(super) fn show(&self, severity: Severity, message: &str) {
        self.notify(
            "window/showMessage",
            json!({ "type": severity as u8, "message": format!("skilltree: {message}") }),
        );
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    /// Sends a message. A client that is gone ends the loop when it is read from.
    pub(super) fn send(&self, message: impl Into<Message>) {
        let _ = self.sender.send(message.into());
    }
}

/// How a message is shown.
#[derive(Clone, Copy)]
pub(super) enum Severity {
    Error = 1,
    Warning = 2,
}
