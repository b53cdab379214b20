//! Where a link of a body says that it leads.

use std::borrow::Cow;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use percent_encoding::percent_decode_str;

/// The longest target that is looked at: no path is longer (PATH_MAX of Linux, 4,096 bytes).
const TARGET_BYTES: usize = 4_096;

/// How deep a target's parentheses may be nested (pulldown-cmark and commonmark.js: 32).
const NESTED: usize = 32;

/// The components of the longest path that is looked for (ours). No repository is so deep.
const COMPONENTS: usize = 64;

/// The bytes of the target that is written behind an offset: in angle brackets, or up to a blank, and in a link up to
/// the parenthesis that closes it.
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

/// A target without the backslashes that keep punctuation from meaning something.
pub(super) fn meant(written: &str) -> Cow<'_, str> {
    if !written.contains('\\') {
        return Cow::Borrowed(written);
    }
    let mut meant = String::with_capacity(written.len());
    let mut characters = written.chars().peekable();
    while let Some(character) = characters.next() {
        match characters.peek() {
            Some(&next) if character == '\\' && next.is_ascii_punctuation() => {
                meant.push(next);
                characters.next();
            }
            _ => meant.push(character),
        }
    }
    Cow::Owned(meant)
}

/// What a target is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// A path of one machine: a `file:` address, a drive, a home directory.
    Machine,
    /// A path from the directory of the file, decoded.
    Local(BString),
    /// An address, a place on the page, a path of a site, or text in which something is still to be filled in.
    Other,
}

/// What a target is, from its text as it is meant.
pub(super) fn classify(meant: &str) -> Target {
    let bytes = meant.as_bytes();
    let scheme = meant.split_once(':').map(|(scheme, _)| scheme);
    let is_drive = |rest: &str| rest.starts_with(['/', '\\']) && bytes[0].is_ascii_alphabetic();
    if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file")) && meant[5..].starts_with('/')
        || bytes.get(1) == Some(&b':') && is_drive(&meant[2..])
        || is_home(meant)
    {
        return Target::Machine;
    }
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    let path = meant.split(['#', '?']).next().unwrap_or_default();
    let is_elsewhere = path.is_empty() || path.starts_with(['/', '\\', '~']) || scheme.is_some_and(is_scheme);
    let path: Cow<'_, [u8]> = percent_decode_str(path).into();
    let is_open = path.contains_str("...") || path.find_byteset(b"{}<>$*|\"").is_some() || path.contains_str("…");
    if is_elsewhere || is_open || path.iter().any(u8::is_ascii_control) {
        return Target::Other;
    }
    Target::Local(path.into_owned().into())
}

/// Whether a path lies in somebody's home directory, as Linux and macOS name them.
fn is_home(path: &str) -> bool {
    let below = path.strip_prefix("/home/").or_else(|| path.strip_prefix("/Users/"));
    below.and_then(|below| below.split_once('/')).is_some_and(|(user, rest)| !user.is_empty() && !rest.is_empty())
}

/// The path of the repository that a path in a directory means; `None` when it climbs out of the repository.
pub(super) fn resolve(directory: &BStr, path: &BStr) -> Option<BString> {
    let mut components: Vec<&[u8]> = directory.split_str("/").filter(|component| !component.is_empty()).collect();
    for component in path.split_str("/") {
        match component {
            b"" | b"." => {}
            b".." => drop(components.pop()?),
            _ => components.push(component),
        }
    }
    Some(bstr::join("/", components).into())
}

/// Whether a path is one that could be looked for.
pub(super) fn is_sane(path: &BStr) -> bool {
    path.len() <= TARGET_BYTES && path.find_iter("/").take(COMPONENTS).count() < COMPONENTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_ends_where_markdown_says_so() {
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
        assert_eq!(meant("a\\_b\\c"), "a_b\\c");
    }

    #[test]
    fn what_leads_to_no_file_of_the_repository_is_left_alone() {
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
            assert_eq!(classify(other), Target::Other, "{other}");
        }
        for machine in ["file:///Users/a/b", "FILE:///x", "C:\\a", "c:/a", "/home/a/b.md", "/Users/a/b.md"] {
            assert_eq!(classify(machine), Target::Machine, "{machine}");
        }
        for (written, path) in [("a%20b.md#x", "a b.md"), ("../a.md?raw", "../a.md"), ("a:b/c.md", "")] {
            let local = if path.is_empty() { Target::Other } else { Target::Local(path.into()) };
            assert_eq!(classify(written), local, "{written}");
        }
    }

    #[test]
    fn a_path_is_meant_from_its_directory() {
        let resolve = |path: &str| resolve("r/a".into(), path.into()).map(|path| path.to_string());
        assert_eq!(resolve("./x//y/").as_deref(), Some("r/a/x/y"));
        assert_eq!(resolve("../b/./c").as_deref(), Some("r/b/c"));
        assert_eq!(resolve("../..").as_deref(), Some(""));
        assert_eq!(resolve("../../.."), None);
    }
}
