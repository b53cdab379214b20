//! What the client can do, and what its user wants.

use serde_json::Value;

/// The capabilities of a client. Anything that it does not name, or names in another form, it lacks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    /// It watches files for the server.
    pub(crate) watches: bool,
    /// It applies edits to versions of documents, in an order.
    pub(crate) document_changes: bool,
    /// It renames files.
    pub(crate) renames: bool,
    /// It shows related places.
    pub(crate) related: bool,
    /// Rules whose findings the user leaves to the editor.
    pub(crate) hidden_rules: Vec<String>,
    /// The command of a lens.
    pub(crate) forecast_command: Option<String>,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(crate) fn new(params: &Value) -> Self {
        let capabilities = &params["capabilities"];
        let is = |path: &str| capabilities.pointer(path) == Some(&Value::Bool(true));
        let options = &params["initializationOptions"];
        let words = |value: &Value| -> Vec<String> {
            let words = value.as_array().into_iter().flatten().filter_map(Value::as_str);
            words.take(1_000).map(str::to_owned).collect()
        };
        let operations = words(&capabilities["workspace"]["workspaceEdit"]["resourceOperations"]);
        Self {
            watches: is("/workspace/didChangeWatchedFiles/dynamicRegistration"),
            document_changes: is("/workspace/workspaceEdit/documentChanges"),
            renames: operations.iter().any(|operation| operation == "rename"),
            related: is("/textDocument/publishDiagnostics/relatedInformation"),
            hidden_rules: words(&options["hiddenRules"]),
            forecast_command: options["forecastCommand"].as_str().map(str::to_owned),
        }
    }
}
