//! Pieces of Markdown that trackers show: paths, and messages with foreign text.

use bstr::BStr;

use super::escape;
use super::sarif::uri;
use skilltree_front_matter::text;
use skilltree_skills::markdown::{self, code};

/// Maximum number of bytes: GitHub rejects a comment of 65,536 characters or more. The rest is for the line that marks a comment.
pub(super) const BYTES: usize = 65_000;
/// Maximum number of characters of a path.
const SHOWN_CHARS: usize = 300;

/// Formats a path as a code span, with a link to the file if there is an address that files are below.
pub(super) fn path(path: &BStr, links: Option<&str>) -> String {
    let span = code(&text::shortened(&escape::path(path), SHOWN_CHARS));
    match links {
        Some(links) => format!("[{span}]({})", url(links, path)),
        None => span,
    }
}

pub(super) fn url(links: &str, path: &BStr) -> String {
    format!("{links}/{}", uri::encode(path))
}

/// Formats a message: each part in backticks becomes a code span, and so do words that a tracker would link or render.
pub(super) fn prose(text: &str) -> String {
    markdown::prose(text, code)
}
