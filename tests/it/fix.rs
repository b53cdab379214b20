//! `fix`: the findings that it fixes, the files that it skips, and the changes that it must never make.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

mod anything;
mod corpus;
mod kept;
mod patch;
mod proved;
mod work_tree;
