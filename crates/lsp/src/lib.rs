//! A language server for agent skills: diagnostics while a person types, fixes, and what each runtime makes of a file.
//!
//! The main thread receives messages and owns the documents. One worker thread checks. The server starts no program and opens no
//! connection; what it reads, it reads through the repositories that its host opens.

mod host;
mod uri;
mod position;
mod transport;
mod client;
mod documents;
mod diagnostics;
mod worker;
mod project;
mod context;
mod runtimes;
mod settings;
mod actions;
mod hover;
mod lens;
mod complete;
mod links;
mod mentions;
mod uses;
mod rename;
mod features;
mod server;

pub use self::host::{Checked, Opened, Opener, Refusal, Relint, Repository, Texts};
pub use self::server::serve;
pub use self::transport::connect;
pub use lsp_server::Connection;
