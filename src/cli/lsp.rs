//! `lsp`: a language server on standard input and output.

use std::io;

use super::Status;
use crate::failure::Failure;

pub(super) fn run() -> Result<Status, Failure> {
    let (connection, writer) = skilltree_lsp::connect(io::stdin(), io::stdout());
    let was_asked = crate::serve(&connection);
    drop(connection);
    // A client that is gone reads no more.
    let _ = writer.join();
    Ok(if was_asked { Status::Clean } else { Status::Found })
}
