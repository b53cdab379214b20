//! Fuzz targets: one function per target, on stable Rust and without a fuzzer. Each takes any bytes and panics if an invariant is
//! broken. `fuzz_targets/` calls them from libFuzzer, and `tests/it/fuzz.rs` of the project,
//! which includes this file, with every input of `corpus/`.
#![allow(clippy::missing_panics_doc, reason = "a panic is the result")]

mod files;
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

pub use self::compare::compare;
pub use self::fix::fix;
pub use self::forecast::forecast;
pub use self::front_matter::front_matter;
pub use self::index::index;
pub use self::objects::objects;
pub use self::prompt::prompt;
pub use self::records::records;
pub use self::references::{references, reftable};
pub use self::rendering::render;
pub use self::scalars::scalars;
pub use self::settings::{configuration, workflow};
pub use self::skill::skill;
pub use self::template::template;

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
