//! Keys of manifests that Claude Code checks when a marketplace is added or a plugin is installed.
//!
//! Observed with `claude plugin validate`, `claude plugin marketplace add` and `claude plugin install` of Claude Code 2.1.197 on
//! 2026-11-23: each wrong value aborts one of the last two. What it only warns about is not listed. Other programs were not
//! observed.

use bstr::{BStr, ByteSlice};
use serde_json::Value;

use skilltree_front_matter::text;

/// A key and what it must be.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) is_valid: fn(&Value) -> bool,
    pub(super) expected: &'static str,
}

const fn key(name: &'static str, is_valid: fn(&Value) -> bool, expected: &'static str) -> Key {
    Key { name, required: false, is_valid, expected }
}

const fn required(name: &'static str, is_valid: fn(&Value) -> bool, expected: &'static str) -> Key {
    Key { name, required: true, is_valid, expected }
}

/// plugin.json. Another check covers `skills`.
const PLUGIN: &[Key] = &[
    required("name", Value::is_string, "a string"),
    key("version", Value::is_string, "a string"),
    key("description", Value::is_string, "a string"),
    key("author", Value::is_object, "an object"),
    key("homepage", Value::is_string, "a string"),
    key("repository", Value::is_string, "a string"),
    key("license", Value::is_string, "a string"),
    key("keywords", Value::is_array, "a list of strings"),
];

/// marketplace.json. Another check covers the type of `plugins`.
const MARKETPLACE: &[Key] = &[
    required("name", Value::is_string, "a string"),
    required("owner", Value::is_object, "an object"),
    required("plugins", |_| true, "a list of objects"),
];

/// An entry of `plugins`. Another check covers the type of `source`.
pub(super) const PLUGIN_ENTRY: &[Key] =
    &[required("name", Value::is_string, "a string"), required("source", |_| true, "a path or an object")];

/// Returns the keys of a manifest; `None` for the manifest of another program.
pub(super) fn of(path: &BStr) -> Option<&'static [Key]> {
    if text::file_name(text::parent(path)) != ".claude-plugin" {
        return None;
    }
    match text::file_name(path).as_bytes() {
        b"plugin.json" => Some(PLUGIN),
        b"marketplace.json" => Some(MARKETPLACE),
        _ => None,
    }
}
