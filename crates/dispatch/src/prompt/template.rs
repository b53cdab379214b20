//! Block rendered by a template of the repository, for a dispatcher with its own format.
//!
//! A template consists of macros: `skill(skill)`, and optionally `head()`, `separator()` and `tail()` for the text around and
//! between skills. The output for a skill depends only on that skill, so template blocks have fragments like all renderings. A
//! template receives the facts of the index and the bodies, and can read nothing else: no files, clock, environment or other
//! templates.
//!
//! Templates come from the tree and are untrusted. Fuel, recursion depth and output are limited, and operations that
//! build long values from short ones in a few steps (`~`, `+`, `*`, lists of values, mappings) are refused. So are hidden
//! characters. Literal text is counted like values: see [`macros`].

#[cfg(feature = "templates")]
mod macros;
#[cfg(not(feature = "templates"))]
#[path = "template/without.rs"]
mod macros;

/// Source of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// Path of its file. The extension selects the escaping of values: XML for `.xml` and `.html`, JSON for `.json`,
    /// none for others.
    pub path: String,
    /// Text of the template.
    pub text: String,
}
