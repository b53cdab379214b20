//! Targets of links.

use std::borrow::Cow;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use percent_encoding::percent_decode_str;

use crate::skill::paths;

/// Maximum length of a target, in bytes (PATH_MAX of Linux: 4,096).
const TARGET_BYTES: usize = 4_096;

/// Maximum nesting of parentheses in a target (pulldown-cmark and commonmark.js: 32).
const NESTED: usize = 32;

/// Maximum number of components of a path that is looked up (ours). No repository is so deep, so that a longer path leads nowhere.
const COMPONENTS: usize = 64;

/// Returns the range of the target that is written after an offset: in angle brackets, or up to whitespace, and in a
/// link up to the closing parenthesis.
pub(super) fn written(text: &str, from: usize, in_parentheses: bool) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let blanks = bytes[from..].iter().take(TARGET_BYTES).take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_far = bytes[from..from + blanks].iter().filter(|&&byte| byte == b'\n').count() > 1;
    let start = from + blanks;
    let end = bytes.len().min(start + TARGET_BYTES);
    if is_far {
        return None;
    }
    if bytes.get(start) == Some(&b'<') {
        let length = bytes[start + 1..end.max(start + 1)].find_byteset(b"<>\n\r")?;
        return (bytes[start + 1 + length] == b'>').then(|| start + 1..start + 1 + length);
    }
    let mut depth = 0;
    let mut at = start;
    while at < end {
        match bytes[at] {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => at += 1,
            b'(' if in_parentheses && depth == NESTED => return None,
            b'(' if in_parentheses => depth += 1,
            b')' if in_parentheses && depth == 0 => return Some(start..at),
            b')' if in_parentheses => depth -= 1,
            byte if byte.is_ascii_whitespace() || byte.is_ascii_control() => break,
            _ => {}
        }
        at += 1;
    }
    (at < end || end == bytes.len()).then(|| start..at.min(end))
}

/// Returns a target without backslash escapes.
pub(super) fn unescaped(written: &str) -> Cow<'_, str> {
    if !written.contains('\\') {
        return Cow::Borrowed(written);
    }
    let mut unescaped = String::with_capacity(written.len());
    let mut characters = written.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(&next) if character == '\\' && next.is_ascii_punctuation() => {
                unescaped.push(next);
                characters.next();
            }
            _ => unescaped.push(character),
        }
    }
    Cow::Owned(unescaped)
}

/// A classified target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LinkTarget {
    /// A path of one machine: a `file:` address, a drive, a home directory.
    Machine,
    /// A path from the directory of the file, decoded.
    Local(BString),
    /// A URL, an anchor, a site path, or text with a placeholder.
    Other,
}

/// Classifies an unescaped target.
pub(super) fn classify(unescaped: &str) -> LinkTarget {
    let bytes = unescaped.as_bytes();
    let scheme = unescaped.split_once(':').map(|(scheme, _)| scheme);
    let is_drive = |rest: &str| rest.starts_with(['/', '\\']) && bytes[0].is_ascii_alphabetic();
    if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file")) && unescaped[5..].starts_with('/')
        || bytes.get(1) == Some(&b':') && is_drive(&unescaped[2..])
        || paths::below_home(unescaped).is_some()
    {
        return LinkTarget::Machine;
    }
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let path = unescaped.split(['#', '?']).next().unwrap_or_default();
    let is_elsewhere = path.is_empty() || path.starts_with(['/', '\\', '~']) || scheme.is_some_and(is_scheme);
    let path: Cow<'_, [u8]> = percent_decode_str(path).into();
    let is_open = path.contains_str("...") || path.find_byteset(b"{}<>$*|\"").is_some() || path.contains_str("…");
    if is_elsewhere || is_open || path.iter().any(u8::is_ascii_control) {
        return LinkTarget::Other;
    }
    LinkTarget::Local(path.into_owned().into())
}

/// Returns whether the text after `#` names a section: not the top, not lines, not a placeholder.
pub(super) fn is_section(fragment: &str) -> bool {
    let is_line = fragment.strip_prefix('L').is_some_and(|rest| rest.starts_with(|digit: char| digit.is_ascii_digit()));
    let is_open = fragment.contains("...") || fragment.contains(['{', '}', '<', '>', '$', '*', '|', '"', '\u{2026}']);
    let is_special = matches!(fragment, "" | "top") || fragment.starts_with([':', '/', '!', '#', '^']);
    !is_line && !is_open && !is_special
}

/// Returns whether a path can be looked up.
pub(super) fn is_sane(path: &BStr) -> bool {
    path.len() <= TARGET_BYTES && path.find_iter("/").take(COMPONENTS).count() < COMPONENTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_targets_as_markdown_does() {
        for (text, in_parentheses, expected) in [
            ("a.md)", true, Some("a.md")),
            (" a.md 'title')", true, Some("a.md")),
            ("\n  a.md)", true, Some("a.md")),
            ("\n\na.md)", true, None),
            ("<a b.md> 'title')", true, Some("a b.md")),
            ("<a\nb.md>)", true, None),
            ("a_(b).md)", true, Some("a_(b).md")),
            ("a\\).md)", true, Some("a\\).md")),
            (")", true, Some("")),
            (" a.md 'title'\n", false, Some("a.md")),
            ("a).md\n", false, Some("a).md")),
            ("a.md", false, Some("a.md")),
        ] {
            let found = written(text, 0, in_parentheses).map(|range| &text[range]);
            assert_eq!(found, expected, "{text:?}");
        }
        assert_eq!(written(&"(".repeat(100), 0, true), None);
        assert_eq!(written(&"a".repeat(10_000), 0, true), None);
        assert_eq!(unescaped("a\\_b\\c"), "a_b\\c");
    }

    #[test]
    fn ignores_targets_outside_the_repository() {
        for other in [
            "",
            "#a",
            "?q",
            "https://a/b",
            "mailto:a@b",
            "/uipath:solution",
            "~/x",
            "\\\\host\\x",
            "path/to/...",
            "{x}/y",
            "${X}/a.md",
            "a\u{1}b",
            "a%00b",
            "file:a",
            "vscode://file/x",
            "/home/page",
            "skill:pdf",
        ] {
            assert_eq!(classify(other), LinkTarget::Other, "{other}");
        }
        for machine in ["file:///Users/a/b", "FILE:///x", "C:\\a", "c:/a", "/home/a/b.md", "/Users/a/b.md"] {
            assert_eq!(classify(machine), LinkTarget::Machine, "{machine}");
        }
        for (written, path) in [("a%20b.md#x", "a b.md"), ("../a.md?raw", "../a.md"), ("a:b/c.md", "")] {
            let local = if path.is_empty() { LinkTarget::Other } else { LinkTarget::Local(path.into()) };
            assert_eq!(classify(written), local, "{written}");
        }
    }

    #[test]
    fn resolves_paths_against_their_directory() {
        let resolve = |path: &str| paths::resolve("r/a".into(), path.into()).map(|path| path.to_string());
        assert_eq!(resolve("./x//y/").as_deref(), Some("r/a/x/y"));
        assert_eq!(resolve("../b/./c").as_deref(), Some("r/b/c"));
        assert_eq!(resolve("../..").as_deref(), Some(""));
        assert_eq!(resolve("../../.."), None);
    }
}
