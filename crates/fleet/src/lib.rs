//! The tables of many repositories: their columns and rows, and the files that hold them.
//!
//! It is internal: it promises nothing to other programs. The stable interface is the crate `skilltree`.

pub mod tables;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "parquet")]
pub mod format;
#[cfg(feature = "parquet")]
pub mod part;
#[cfg(feature = "parquet")]
pub mod ordered;
