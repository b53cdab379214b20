//! Pieces of Markdown that trackers show: paths, and messages with foreign text.

use bstr::BStr;

use super::escape;
use super::sarif::uri;
use skilltree_front_matter::text;
use skilltree_skills::markdown::{self, code};

/// Maximum number of bytes: GitHub rejects a comment of 65,536 characters or more. The rest is for the line that marks a comment.
pub(super) const BYTES: usize = 65_000;
/// Extensions of the Markdown files that GitHub renders (github/markup).
const RENDERED: [&str; 6] = [".md", ".markdown", ".mdown", ".mdwn", ".mkd", ".mkdn"];
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

fn url(links: &str, path: &BStr) -> String {
    format!("{links}/{}", uri::encode(path))
}

/// Returns the address of a line of a file. GitHub renders Markdown, and finds a line only in its source.
pub(super) fn line_url(links: &str, path: &BStr, line: u32) -> String {
    let name = path.to_ascii_lowercase();
    let is_rendered = RENDERED.iter().any(|extension| name.ends_with(extension.as_bytes()));
    format!("{}{}#L{line}", url(links, path), if is_rendered { "?plain=1" } else { "" })
}

/// Formats a message: each part in backticks becomes a code span, and so do words that a tracker would link or render.
pub(super) fn prose(text: &str) -> String {
    markdown::prose(text, code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lines_of_markdown_in_its_source() {
        let of = |path: &str| line_url("https://git.example/o/r/blob/ID", path.into(), 3);
        for (path, expected) in [
            ("a/SKILL.md", "a/SKILL.md?plain=1#L3"),
            ("a b/README.MD", "a%20b/README.MD?plain=1#L3"),
            ("x.markdown", "x.markdown?plain=1#L3"),
            ("skilltree.toml", "skilltree.toml#L3"),
            ("md", "md#L3"),
        ] {
            assert_eq!(of(path), format!("https://git.example/o/r/blob/ID/{expected}"));
        }
    }
}
