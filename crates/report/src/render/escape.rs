//! Escaping of foreign text for display: hidden characters, terminal sequences and workflow commands are escaped,
//! secrets are redacted, long text is truncated.

use std::borrow::Cow;

use bstr::{BStr, ByteSlice};

use super::redact;
use skilltree_front_matter::text;
use skilltree_skills::characters;
use skilltree_skills::json::command_marks;

/// Maximum number of code points shown of a message, a label or a help text.
const TEXT_CHARS: usize = 1_000;

/// Escapes a text into one line. Secrets are redacted, hidden and control characters become `\u{..}`, workflow commands
/// are broken up, and text after 1,000 code points is truncated.
pub fn text(text: &str) -> String {
    let redacted = redact::text(text);
    let visible = characters::visible(&text::shortened(&redacted, TEXT_CHARS)).into_owned();
    commands(&visible).into_owned()
}

/// Escapes a path. The result never starts a line with a workflow command: a runner trims the line and looks for `::`.
pub fn path(path: &BStr) -> String {
    let visible = shown_path(path).replace("::", ":\\u{3a}");
    match visible.chars().next() {
        None => ".".into(),
        Some(first) if first.is_whitespace() || matches!(first, ':' | '#') => {
            format!("\\u{{{:x}}}{}", u32::from(first), &visible[first.len_utf8()..])
        }
        Some(_) => visible,
    }
}

/// Escapes a path that does not start a line.
pub(super) fn shown_path(path: &BStr) -> String {
    commands(&characters::visible(&text::lossless(path))).into_owned()
}

/// Breaks up the workflow commands `##[..]`, `##vso[..]` and `##teamcity[..]`, which runners obey anywhere in a line.
pub fn commands(text: &str) -> Cow<'_, str> {
    let mut broken = String::new();
    let mut copied = 0;
    for at in command_marks(text.as_bytes()) {
        broken.push_str(&text[copied..at]);
        broken.push_str(MARK);
        copied = at + 1;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    broken.push_str(&text[copied..]);
    Cow::Owned(broken)
}

/// Byte order mark, at the start of a line of a patch after its sign. It is harmless, and fixes often remove it.
const BOM: &[u8] = "\u{feff}".as_bytes();

/// Escapes a patch for a terminal or a log: hidden and control characters, and workflow commands. Tabs, line endings and the mark
/// at the start of a file are unchanged, so that `git apply` accepts the patch of an ordinary file.
pub fn patch(patch: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(patch.len());
    for line in patch.lines_with_terminator() {
        let ends = [b"\r\n".as_slice(), b"\n"].into_iter();
        let end = ends.clone().find(|end| line.ends_with(end)).map_or(0, <[u8]>::len);
        let (content, end) = line.split_at(line.len() - end);
        let is_marked = content.get(1..).is_some_and(|text| text.starts_with(BOM));
        let (sign, content) = content.split_at(if is_marked { 1 + BOM.len() } else { 0 });
        let field = |text: &[u8]| shown_path(text.as_bstr());
        let mut content = content.split_str("\t").map(field).collect::<Vec<_>>().join("\t");
        shown.extend_from_slice(sign);
        // A runner trims a line before it looks for `::`.
        if content.trim_start().starts_with("::") {
            content = content.replacen("::", ":\\u{3a}", 1);
        }
        shown.extend_from_slice(content.as_bytes());
        shown.extend_from_slice(end);
    }
    shown
}

/// Replacement of the second `#` of a workflow command.
pub(super) const MARK: &str = "\\u{23}";

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;

    #[test]
    fn breaks_up_workflow_commands() {
        let cases = [
            ("a ##[error]b", "a #\\u{23}[error]b"),
            ("##vso[task.x]", "#\\u{23}vso[task.x]"),
            ("###TeamCity[x", "##\\u{23}TeamCity[x"),
            ("## [x]", "## [x]"),
            ("# heading ##", "# heading ##"),
            ("##[a]##[b]", "#\\u{23}[a]#\\u{23}[b]"),
        ];
        for (text, expected) in cases {
            assert_eq!(commands(text), expected);
        }
    }

    #[test]
    fn escapes_paths_that_look_like_commands() {
        let cases: [(&[u8], &str); 8] = [
            (b"a/SKILL.md", "a/SKILL.md"),
            (b"::error::x/SKILL.md", "\\u{3a}\\u{3a}error:\\u{3a}x/SKILL.md"),
            (b" ::error::x", "\\u{20}:\\u{3a}error:\\u{3a}x"),
            (b"##[error]", "\\u{23}\\u{23}[error]"),
            (b"a\n::stop-commands::x\n", "a\\n:\\u{3a}stop-commands:\\u{3a}x\\n"),
            (b"\xff/x", "\\xff/x"),
            (b"\x1b]8;;x\x07", "\\u{1b}]8;;x\\u{7}"),
            (b"", "."),
        ];
        for (bytes, expected) in cases {
            assert_eq!(path(bytes.as_bstr()), expected, "{:?}", bytes.as_bstr());
        }
    }

    #[test]
    fn keeps_ordinary_patches() {
        let shown = |text: &[u8]| String::from_utf8(patch(text)).expect("escaped text is UTF-8");
        let text = "@@ -1,2 +1,2 @@\n a\tb\r\n-\u{e9} \u{1f600}\n+x: y\n\\ No newline at end of file\n";
        assert_eq!(shown(text.as_bytes()), text);
        assert_eq!(shown("-\u{feff}---\n+---\n".as_bytes()), "-\u{feff}---\n+---\n");
        assert_eq!(shown(b" a\x1b[31m\rb\n"), " a\\u{1b}[31m\\rb\n");
        assert_eq!(shown(" ::error::x\n+##[group]\n".as_bytes()), " :\\u{3a}error::x\n+#\\u{23}[group]\n");
        assert_eq!(shown("-a\u{202e}b\u{200b}\n".as_bytes()), "-a\\u{202e}b\\u{200b}\n");
    }

    #[test]
    fn escapes_text_into_one_short_line() {
        assert_eq!(text("a\r\n\u{202e}\u{200b}\u{9b}b"), "a\\r\\n\\u{202e}\\u{200b}\\u{9b}b");
        assert_eq!(text(&"é".repeat(1_001)), "é".repeat(1_000) + "…");
        assert_eq!(text("##ghp_0123456789abcdefghij0123456789abcdef"), "#\\u{23}[redacted]");
    }
}
