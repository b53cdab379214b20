//! skilltree reads agent skills from a git tree, proves them, and hands a dispatcher the prompt block it proved.
//!
//! Two signatures carry the product: [`judge`] (and [`lint()`], the same with the parsing in it) and
//! [`prompt::build`]. Both are total, pure and deterministic. Everything else brings skills in or carries a report out.
//!
//! The modules stand in the order of their dependence: each uses only what is declared above it.

pub mod text;
pub mod date;
pub mod characters;
pub mod secret;
pub mod name;
pub mod keys;
pub mod limits;
pub mod roots;
pub mod snapshot;
pub mod front_matter;
pub mod records;
pub mod skill;
pub mod quote;
pub mod source;
pub mod profile;
pub mod catalog;
pub mod forecast;
pub mod accept;
#[cfg(test)]
mod samples;
pub mod select;
pub mod prompt;
pub mod rule;
pub mod rules;
pub mod config;
pub mod lint;
pub mod fix;
pub mod excerpt;
pub mod compare;
pub mod render;
pub mod explain;
pub mod schema;

pub use lint::{Report, judge, lint};
