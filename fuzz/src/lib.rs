//! Fuzz targets: one function per target, on stable Rust and without a fuzzer. Each takes any bytes and panics if an invariant is
//! broken. `fuzz_targets/` calls them from libFuzzer, and `tests/replay.rs` with every input of `corpus/`.
#![allow(clippy::missing_panics_doc, reason = "a panic is the result")]

mod files;
/// Many small files in one.
#[path = "../../tests/it/packed.rs"]
pub mod packed;
mod front_matter;
mod scalars;
mod skill;
mod settings;
mod records;
mod repository;
mod index;
mod objects;
mod references;
mod template;
mod rendering;
mod prompt;
mod fix;
mod forecast;
mod compare;

pub use crate::compare::compare;
pub use crate::fix::fix;
pub use crate::forecast::forecast;
pub use crate::front_matter::front_matter;
pub use crate::index::index;
pub use crate::objects::objects;
pub use crate::prompt::prompt;
pub use crate::records::records;
pub use crate::references::{references, reftable};
pub use crate::rendering::render;
pub use crate::scalars::scalars;
pub use crate::settings::{configuration, workflow};
pub use crate::skill::skill;
pub use crate::template::template;

/// A target: its name, and the function that checks an input.
pub type Target = (&'static str, fn(&[u8]));

/// Every target by name. `fuzz_targets/` has one program for each, and `corpus/` one file.
pub const TARGETS: [Target; 16] = [
    ("compare", compare),
    ("configuration", configuration),
    ("fix", fix),
    ("forecast", forecast),
    ("front_matter", front_matter),
    ("index", index),
    ("objects", objects),
    ("prompt", prompt),
    ("records", records),
    ("references", references),
    ("reftable", reftable),
    ("render", render),
    ("scalars", scalars),
    ("skill", skill),
    ("template", template),
    ("workflow", workflow),
];
