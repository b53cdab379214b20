//! What runtimes make of skills: profiles, scope, the catalog of all skills, and the forecast of each.
//!
//! Nothing in this crate reads a file, a repository or the environment, and it builds for WebAssembly. It is internal: it promises
//! nothing to other programs. The stable interface is the crate `skilltree`.
//!
//! The modules are declared in the order of their dependence: each uses only modules declared above it.

pub mod definition;
pub mod start;
pub mod profile;
pub mod formats;
pub mod places;
mod links;
pub mod packages;
pub mod approval;
pub mod agent_file;
pub mod scope;
mod permissions;
pub mod settings;
pub mod project_hooks;
pub mod near;
pub mod catalog;
#[cfg(any(test, feature = "samples"))]
#[doc(hidden)]
pub mod samples;
pub mod graph;
pub mod forecast;
