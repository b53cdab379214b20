//! Markdown files directly in a root that have the front matter of a skill but no skill directory.

use bstr::{BStr, ByteSlice};

use crate::roots::Root;
use crate::snapshot::{File, Mode, Role};
use skilltree_front_matter::text::{self, FileId};
use skilltree_front_matter::{self as front_matter, Bounds};

/// Returns whether a file may be a skill without a directory: Markdown directly in a root that is not a page about the
/// root.
pub fn may_be_flat(file: &File, roots: &[Root]) -> bool {
    let path = file.path.as_bstr();
    let is_in_root = || file.root.is_some_and(|root| text::parent(path) == roots[root.index()].path);
    file.role == Role::Other && file.mode != Mode::Link && is_flat_name(text::file_name(path)) && is_in_root()
}

/// Returns whether a file directly in a root has the name of Markdown that is not a page about the root.
pub fn is_flat_name(name: &[u8]) -> bool {
    let is_page = |stem: &[u8]| {
        let is_known = ["README", "INDEX"].iter().any(|page| stem.eq_ignore_ascii_case(page.as_bytes()));
        // `CONTRIBUTING.md`: names of skills are in lower case.
        is_known || stem.is_ascii() && !stem.iter().any(u8::is_ascii_lowercase)
    };
    name.strip_suffix(b".md").is_some_and(|stem| !is_page(stem))
}

/// A file that has the front matter of a skill, but no skill directory. Few runtimes take it for a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flat {
    /// The file.
    pub file: FileId,
    /// The name in its front matter.
    pub name: String,
}

/// Returns whether a Markdown file in a directory without a SKILL.md is the skill of that directory: it has the front matter of a skill,
/// and its name or that of the file is the name of the directory.
pub(crate) fn is_of_directory(path: &BStr, text: &[u8], bounds: Bounds) -> bool {
    let words = |name: &[u8]| name.to_lowercase().replace(" ", "-").replace("_", "-");
    let directory = words(text::file_name(text::parent(path)));
    let stem = text::file_name(path).strip_suffix(b".md").unwrap_or_default();
    flat_name(text, bounds).is_some_and(|name| words(name.as_bytes()) == directory || words(stem) == directory)
}

/// Returns the name in a text that has the front matter of a skill: a name and a description.
pub fn flat_name(text: &[u8], bounds: Bounds) -> Option<String> {
    let fields = front_matter::read(FileId(0), text, bounds).front_matter.and_then(|front_matter| front_matter.fields);
    let value = |key: &str| {
        let field = fields.iter().flatten().find(|field| field.key.value == key);
        field.and_then(|field| field.value.scalar()).map(str::trim).filter(|value| !value.is_empty())
    };
    value("description")?;
    value("name").map(str::to_owned)
}
