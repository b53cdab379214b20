//! What may enter a prompt: accepted skills, the selection, and the prompt artifact.
//!
//! Nothing in this crate reads a file, a repository or the environment, and it builds for WebAssembly. It is internal: it promises
//! nothing to other programs. The stable interface is the crate `skilltree`.
//!
//! The modules are declared in the order of their dependence: each uses only modules declared above it.

pub mod accept;
pub mod select;
pub mod prompt;
