//! `skilltree fleet`: tables about many repositories, of which a further run reads only those that changed.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

mod failing;
mod incremental;
mod killed;
mod mirrors;
mod rows;
mod tables;
