//! Markdown structure of a body, as a reader of the block sees it.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// Heading of a body.
pub(super) struct Heading {
    pub(super) start: usize,
    /// From 1 to 6.
    pub(super) level: usize,
    /// Text without markup.
    pub(super) text: String,
}

/// Structure of a body. Offsets are relative to the body.
#[derive(Default)]
pub(super) struct Structure {
    /// Code blocks in order.
    code: Vec<Range<usize>>,
    pub(super) headings: Vec<Heading>,
    /// Start of the block that includes text after the body and a blank line.
    pub(super) open: Option<usize>,
}

impl Structure {
    pub(super) fn new(body: &str) -> Self {
        let text = format!("{body}\n\n# after\n");
        let after = body.len() + 2;
        let (mut structure, mut heading, mut top, mut depth) = (Self::default(), None, 0, 0_usize);
        let (mut is_open, mut comment) = (true, None);
        for (event, range) in Parser::new_ext(&text, Options::empty()).into_offset_iter() {
            if depth == 0 && range.start <= after {
                top = range.start;
            }
            match event {
                Event::Start(tag) => {
                    depth += 1;
                    match tag {
                        Tag::Heading { .. } if range.start == after => is_open = false,
                        Tag::Heading { level, .. } => heading = Some((range.start, level, String::new())),
                        Tag::CodeBlock(_) => structure.code.push(range),
                        _ => {}
                    }
                }
                Event::End(end) => {
                    depth -= 1;
                    let ended = if let TagEnd::Heading(_) = end { heading.take() } else { None };
                    let ended = ended.map(|(start, level, text)| Heading { start, level: level as usize, text });
                    structure.headings.extend(ended);
                }
                Event::Text(part) | Event::Code(part) => {
                    if let Some((.., text)) = &mut heading {
                        text.push_str(&part);
                    }
                }
                Event::SoftBreak | Event::HardBreak => {
                    if let Some((.., text)) = &mut heading {
                        text.push(' ');
                    }
                }
                Event::Html(html) => comment = open_comment(&html, range.start, comment),
                _ => {}
            }
        }
        structure.open = if is_open { Some(top.min(body.len())) } else { comment };
        structure
    }

    /// Returns whether a line is inside a code block.
    pub(super) fn is_code(&self, line: &Range<usize>) -> bool {
        // The parser omits the spaces before indented code.
        let before = self.code.partition_point(|code| code.start < line.end);
        self.code[..before].last().is_some_and(|code| line.start < code.end)
    }
}

/// Returns the start of a comment that is open after some HTML. CommonMark ends the block with the line of the first `-->`, but a
/// browser hides everything up to the next one.
fn open_comment(html: &str, start: usize, before: Option<usize>) -> Option<usize> {
    let (mut open, mut at) = (before, 0);
    loop {
        let mark = if open.is_some() { "-->" } else { "<!--" };
        let Some(found) = html[at..].find(mark) else { return open };
        open = if open.is_some() { None } else { Some(start + at + found) };
        at += found + mark.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_unclosed_blocks() {
        let cases = [
            ("```", 0),
            ("a\n~~~\n```", 2),
            ("<!-- a", 0),
            ("<script>", 0),
            ("a\n\n<pre>\nb", 3),
            ("<?php", 0),
            ("# b\n\n````\n```", 5),
            ("<!-- a --> <!-- b", 11),
        ];
        for (open, at) in cases {
            assert_eq!(Structure::new(open).open, Some(at), "{open:?}");
        }
        let closed = [
            "",
            "```\na\n```",
            "<!-- a -->",
            "<!-- a --> <!-- b\n\n<p> -->",
            "a <!-- b",
            "- ```\n  a",
            "> ```",
            "a\n- b",
            "<div>",
            "    ```",
            "<pre>\n</pre>",
            "a\\",
        ];
        for closed in closed {
            assert_eq!(Structure::new(closed).open, None, "{closed:?}");
        }
    }

    #[test]
    fn lists_headings_and_code() {
        let body = "### *a* `b`\n\n```\n### c\n```\n\nd\ne\n---\n\n    ### f\n\n> ### g\n";
        let structure = Structure::new(body);
        let headings: Vec<_> =
            structure.headings.iter().map(|heading| (heading.level, heading.text.as_str())).collect();
        assert_eq!(headings, [(3, "a b"), (2, "d e"), (3, "g")]);
        let is_code = |text: &str| {
            let at = body.find(text).unwrap();
            structure.is_code(&(at..at + text.len()))
        };
        assert!(is_code("### c") && is_code("    ### f") && !is_code("### *a*") && !is_code("> ### g"));
    }
}
