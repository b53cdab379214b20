//! All tests that need no harness of their own, in one program: a module per topic.
//!
//! `cargo test --test it TOPIC::` runs one topic. `tests/rules.rs`, `tests/fixtures.rs` and `tests/hostile` list their tests
//! themselves: one per page, directory or paragraph.

#[path = "../common/mod.rs"]
mod common;

mod acts;
mod architecture;
mod authority;
mod blocks;
mod branches;
mod catalog;
mod cli;
mod compare;
mod conformance;
mod contract;
mod copies;
mod cost;
mod designs;
mod digest;
mod diff;
mod editions;
mod examples;
mod explain;
mod failed;
mod fields;
mod first_contact;
mod first_steps;
mod fix;
mod fleet;
mod forecast;
mod fuzz;
mod generated;
mod hooks;
mod ignores;
mod inputs;
mod interrupt;
mod knowledge;
mod laws;
mod layouts;
mod limits;
mod links;
mod listings;
mod lsp;
mod newcomer;
mod obstacles;
mod outputs;
mod own_rules;
mod packages;
mod packed;
mod paths;
mod policy;
mod prompt;
mod providers;
mod references;
mod render;
mod resources;
mod review;
mod routes;
mod runtimes;
mod schema;
mod seeds;
mod server;
mod severity;
mod shapes;
mod source;
mod stdin_filename;
mod targets;
mod template;
mod threads;
mod untouched;
mod verdict;
mod verify;
mod voice;
mod words;
