//! The renderings, and what the designs that they come from ask of them.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test makes what it judges, and fails by panicking"
)]

#[path = "../common/mod.rs"]
mod common;

mod acceptance;
mod breakout;
mod golden;
mod library;
mod parts;
#[cfg(unix)]
mod qmd;
mod same_bytes;
