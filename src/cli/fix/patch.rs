//! A patch as it is printed: text of the tree that a terminal or a workflow runner would obey is escaped.

use bstr::ByteSlice;
use skilltree_core::render::escape;
use skilltree_core::{characters, text};

/// The mark at the start of a file, as a line of a patch begins with it: invisible, harmless, and often what is fixed.
const MARK: &str = "\u{feff}";

/// Escapes hidden and control characters and workflow commands. Tabs, line ends and the mark at the start of a file are
/// unchanged, so that `git apply` accepts the patch of an ordinary file.
pub(super) fn visible(patch: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(patch.len());
    for line in patch.lines_with_terminator() {
        let ends = [b"\r\n".as_slice(), b"\n"].into_iter();
        let end = ends.clone().find(|end| line.ends_with(end)).map_or(0, <[u8]>::len);
        let (content, end) = line.split_at(line.len() - end);
        let is_marked = content.get(1..).is_some_and(|text| text.starts_with(MARK.as_bytes()));
        let (sign, content) = content.split_at(if is_marked { 1 + MARK.len() } else { 0 });
        let fields: Vec<String> = content.split_str("\t").map(field).collect();
        let mut content = fields.join("\t");
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

fn field(text: &[u8]) -> String {
    escape::commands(&characters::visible(&text::lossless(text.as_bstr()))).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(patch: &[u8]) -> String {
        String::from_utf8(visible(patch)).expect("escaped text is UTF-8")
    }

    #[test]
    fn keeps_ordinary_patches() {
        let patch = "@@ -1,2 +1,2 @@\n a\tb\r\n-\u{e9} \u{1f600}\n+x: y\n\\ No newline at end of file\n";
        assert_eq!(shown(patch.as_bytes()), patch);
        assert_eq!(shown("-\u{feff}---\n+---\n".as_bytes()), "-\u{feff}---\n+---\n");
    }

    #[test]
    fn escapes_what_a_terminal_or_a_runner_obeys() {
        assert_eq!(shown(b" a\x1b[31m\rb\n"), " a\\u{1b}[31m\\rb\n");
        assert_eq!(shown(" ::error::x\n+##[group]\n".as_bytes()), " :\\u{3a}error::x\n+#\\u{23}[group]\n");
        assert_eq!(shown("-a\u{202e}b\u{200b}\n".as_bytes()), "-a\\u{202e}b\\u{200b}\n");
    }
}
