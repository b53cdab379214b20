//! The renderings, and the requirements of the designs that define them.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

mod acceptance;
mod adoption;
mod breakout;
mod golden;
mod library;
mod parts;
mod same_bytes;
