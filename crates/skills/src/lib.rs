//! What skills are: text tables, snapshots, stores, the walk below the skills directories, and one parsed skill.
//!
//! Nothing in this crate reads a file, a repository or the environment, and it builds for WebAssembly. It is internal: it promises
//! nothing to other programs. The stable interface is the crate `skilltree`.
//!
//! The modules are declared in the order of their dependence: each uses only modules declared above it.

pub mod agents;
pub mod parallel;
pub mod date;
pub mod characters;
pub mod collation;
pub mod secret;
pub mod json;
pub mod markdown;
pub mod markup;
pub mod name;
pub mod keys;
pub mod limits;
pub mod queries;
pub mod roots;
pub mod snapshot;
pub mod manifest;
pub mod records;
pub mod skill;
pub mod quote;
pub mod source;
