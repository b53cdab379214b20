//! What people and programs read: one file per format, the pages of the rules, and JSON Schemas.
//!
//! Nothing in this crate reads a file, a repository or the environment, and it builds for WebAssembly. It is internal: it promises
//! nothing to other programs. The stable interface is the crate `skilltree`.
//!
//! The modules are declared in the order of their dependence: each uses only modules declared above it.

pub mod render;
pub mod explain;
pub mod schema;
