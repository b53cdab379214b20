//! The body of a skill as a part of a block.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::line;
use crate::skill::Skill;

/// The text behind the closing fence: lines end with a line feed, outer blank lines are left out, and what hides or ends a
/// line for some readers only becomes an escape.
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

/// Blanks at the start of the first line stay: they may make it code.
fn without_outer_blank_lines(text: &str) -> &str {
    let end = text.trim_end();
    let start = end.len() - end.trim_start().len();
    let line = end[..start].rfind('\n').map_or(0, |feed| feed + 1);
    &end[line..]
}

/// The body where lines that begin a heading, or equal a separator, would be taken for those of the block: they get one
/// space in front, which Markdown reads alike.
pub(super) fn indented(body: &str) -> String {
    let mut text = String::with_capacity(body.len() + 16);
    for line in body.split_inclusive('\n') {
        if is_heading(line) || line.trim_end() == "---" {
            text.push(' ');
        }
        text.push_str(line);
    }
    text
}

/// Whether a line begins a heading at its first column: one to six `#`, then white space or nothing.
fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    matches!(line.len() - rest.len(), 1..=6) && rest.chars().next().is_none_or(char::is_whitespace)
}

/// The first of some lines that a body holds, whatever blanks surround it.
pub(super) fn holds_line<'a>(body: &str, lines: &[&'a str]) -> Option<&'a str> {
    lines.iter().copied().find(|wanted| body.lines().any(|line| line.trim() == *wanted))
}
