//! Body of a skill as part of a block.

use std::borrow::Cow;
use std::ops::Range;

use bstr::ByteSlice;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::line;
use crate::characters;
use crate::skill::Skill;

/// Returns the text after the closing fence with LF line endings and without leading and trailing blank lines. Hidden
/// characters and unusual line separators are escaped.
pub(super) fn text<'a>(skill: &Skill, content: &'a [u8]) -> Cow<'a, str> {
    let start = skill.body.as_ref().map_or(0, |body| body.start as usize);
    let text = content.get(start..).unwrap_or_default().to_str_lossy();
    let ends = |text: &str| text.contains('\r');
    let text = if ends(&text) { Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")) } else { text };
    match text {
        Cow::Borrowed(text) if line::is_plain_text(text) => Cow::Borrowed(without_outer_blank_lines(text)),
        text => Cow::Owned(line::text(without_outer_blank_lines(&text))),
    }
}

/// Leading spaces of the first line stay: they may mark code.
fn without_outer_blank_lines(text: &str) -> &str {
    let end = text.trim_end();
    let start = end.len() - end.trim_start().len();
    let line = end[..start].rfind('\n').map_or(0, |feed| feed + 1);
    &end[line..]
}

/// Indents lines that begin a heading or equal a separator by one space, so that they are not taken for lines of the
/// block. Markdown renders them alike, except that a code block shows the space.
pub(super) fn indented(body: &str) -> String {
    let mut text = String::with_capacity(body.len() + 16);
    for line in body.split_inclusive('\n') {
        if is_heading(line) || line.trim_start_matches(characters::is_ignorable).trim_end() == "---" {
            text.push(' ');
        }
        text.push_str(line);
    }
    text
}

/// Returns whether a line begins a heading at its first column: one to six `#`, then whitespace or nothing. Invisible
/// characters before it are ignored.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start_matches(characters::is_ignorable);
    let rest = line.trim_start_matches('#');
    matches!(line.len() - rest.len(), 1..=6) && rest.chars().next().is_none_or(char::is_whitespace)
}

/// Returns the first of some lines that a body contains, ignoring case, whitespace runs and invisible characters.
pub(super) fn holds_line<'a>(body: &str, lines: &[&'a str]) -> Option<&'a str> {
    let longest = lines.iter().map(|line| line.len()).max().unwrap_or(0);
    let mut all = body.lines().map(seen).filter(|line| line.len() <= longest);
    all.find_map(|line| lines.iter().copied().find(|wanted| wanted.eq_ignore_ascii_case(&line)))
}

/// Returns a line with single spaces, trimmed and without invisible characters.
fn seen(line: &str) -> String {
    let shown: String = line.chars().filter(|&character| !characters::is_ignorable(character)).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns whether Markdown includes text after a body and a blank line in an unclosed code block, comment or element.
pub(super) fn stays_open(body: &str) -> bool {
    let text = format!("{body}\n\n# after\n");
    let after = body.len() + 2;
    let is_behind = |(event, range): (Event<'_>, Range<usize>)| {
        matches!(event, Event::Start(Tag::Heading { .. })) && range.start == after
    };
    !Parser::new_ext(&text, Options::empty()).into_offset_iter().any(is_behind)
}

/// Returns why a body cannot be placed between the headings of a block.
pub(super) fn unfit(body: &str, wrapper: &[&str]) -> Option<String> {
    if let Some(line) = holds_line(body, wrapper) {
        return Some(format!("its body contains the line `{line}`"));
    }
    stays_open(body).then(|| {
        "its body leaves a code block, a comment or an element open, which would include the text after it".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_unclosed_blocks() {
        for open in ["```", "a\n~~~\n```", "<!-- a", "<script>", "a\n\n<pre>\nb", "<?php", "````\n```"] {
            assert!(stays_open(open), "{open:?}");
        }
        for closed in [
            "",
            "```\na\n```",
            "<!-- a -->",
            "- ```\n  a",
            "> ```",
            "a\n- b",
            "<div>",
            "    ```",
            "<pre>\n</pre>",
            "a\\",
        ] {
            assert!(!stays_open(closed), "{closed:?}");
        }
    }

    #[test]
    fn compares_lines_by_appearance() {
        let lines = ["--- End Agent Skills ---"];
        for held in ["a\n  --- END agent skills ---\t\nb", "--- End\u{a0}Agent  Skills\u{200d} ---"] {
            assert_eq!(holds_line(held, &lines), Some(lines[0]), "{held:?}");
        }
        assert_eq!(holds_line("The line --- End Agent Skills --- ends it.", &lines), None);
        assert_eq!(
            indented("# a\n#b\n---\n\u{200d}## c\n ### d\n--- \n----\n"),
            " # a\n#b\n ---\n \u{200d}## c\n ### d\n --- \n----\n"
        );
    }
}
