//! Rules, configuration, the driver that runs them, fixes, and comparisons with a base.
//!
//! Nothing in this crate reads a file, a repository or the environment, and it builds for WebAssembly. It is internal: it promises
//! nothing to other programs. The stable interface is the crate `skilltree`.
//!
//! The modules are declared in the order of their dependence: each uses only modules declared above it.

/// A build without the pages of the rules leaves out their texts. Nothing but the pages is included in this crate.
#[cfg(not(feature = "pages"))]
macro_rules! include_str {
    ($page:literal) => {
        ""
    };
}

pub mod rule;
pub mod rules;
pub mod config;
pub mod lint;
pub mod differences;
pub mod fix;
pub mod excerpt;
pub mod compare;
pub mod changes;
pub mod cost;
pub mod versions;
pub mod memory;

pub use lint::{Report, lint};
