//! What the path of a file says about it.

use bstr::{BStr, ByteSlice};

/// Returns whether a path has the extension of a Markdown file.
pub(crate) fn is_markdown(path: &BStr) -> bool {
    let ends = |extension: &str| {
        let start = path.len().saturating_sub(extension.len());
        path[start..].eq_ignore_ascii_case(extension.as_bytes())
    };
    ends(".md") || ends(".markdown")
}

/// Words in the names of files and directories from which an agent makes other files, or which show what these look like.
const TEMPLATES: [&str; 6] = ["assets", "example", "expected", "fixture", "sample", "template"];

/// Returns whether a file is a template or an example, by its path from the skill directory.
pub(crate) fn is_template(path: &BStr) -> bool {
    let path = path.to_ascii_lowercase();
    TEMPLATES.iter().any(|word| path.contains_str(word))
}
