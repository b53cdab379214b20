//! The pure part of skilltree: what skills are, what runtimes make of them, and what the rules report.
//!
//! Nothing in this crate reads a file, a repository or the environment, and it builds for WebAssembly. It is internal: it promises
//! nothing to other programs. The stable interface is the crate `skilltree`.
//!
//! The modules are declared in the order of their dependence: each uses only modules declared above it.

pub use skilltree_front_matter as front_matter;
pub use skilltree_front_matter::text;

mod parallel;
pub mod date;
pub mod characters;
pub mod secret;
mod json;
mod markdown;
mod markup;
pub mod name;
pub mod keys;
pub mod limits;
pub mod queries;
pub mod roots;
pub mod snapshot;
pub mod records;
pub mod skill;
pub mod quote;
pub mod source;
pub mod profile;
pub mod scope;
pub mod catalog;
#[cfg(test)]
pub mod samples;
pub mod graph;
pub mod forecast;
pub mod accept;
pub mod select;
pub mod prompt;
pub mod rule;
pub mod rules;
pub mod config;
pub mod lint;
pub mod fix;
pub mod excerpt;
pub mod compare;
pub mod changes;
pub mod versions;
pub mod render;
pub mod explain;
pub mod schema;

pub use lint::{Report, lint};
