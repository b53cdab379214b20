//! `fix`: what it mends, what it leaves alone, and what it must never do.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test makes what it judges, and fails by panicking"
)]

#[path = "../common/mod.rs"]
mod common;

mod anything;
mod corpus;
mod kept;
mod patch;
mod proved;
mod work_tree;
