//! The body of a skill as a part of a block.

use std::borrow::Cow;
use std::ops::Range;

use bstr::ByteSlice;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::line;
use crate::characters;
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
/// space in front, which Markdown reads alike, but in a block of code, where the line keeps it.
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

/// Whether a line begins a heading at its first column: one to six `#`, then white space or nothing. What nobody sees
/// before it does not make it another line.
fn is_heading(line: &str) -> bool {
    let line = line.trim_start_matches(characters::is_ignorable);
    let rest = line.trim_start_matches('#');
    matches!(line.len() - rest.len(), 1..=6) && rest.chars().next().is_none_or(char::is_whitespace)
}

/// The first of some lines that a body holds, as a reader sees it: whatever the letter case, the blanks and what does not
/// show.
pub(super) fn holds_line<'a>(body: &str, lines: &[&'a str]) -> Option<&'a str> {
    let longest = lines.iter().map(|line| line.len()).max().unwrap_or(0);
    let mut all = body.lines().map(seen).filter(|line| line.len() <= longest);
    all.find_map(|line| lines.iter().copied().find(|wanted| wanted.eq_ignore_ascii_case(&line)))
}

/// A line as a reader sees it: single blanks, none around it, and nothing that does not show.
fn seen(line: &str) -> String {
    let shown: String = line.chars().filter(|&character| !characters::is_ignorable(character)).collect();
    shown.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether Markdown takes what follows a body, behind a blank line, for a part of it: a block of code, a comment or an
/// element that nothing closes.
pub(super) fn stays_open(body: &str) -> bool {
    let text = format!("{body}\n\n# behind\n");
    let behind = body.len() + 2;
    let is_behind = |(event, range): (Event<'_>, Range<usize>)| {
        matches!(event, Event::Start(Tag::Heading { .. })) && range.start == behind
    };
    !Parser::new_ext(&text, Options::empty()).into_offset_iter().any(is_behind)
}

/// Why a body cannot stand between the headings of a block.
pub(super) fn unfit(body: &str, wrapper: &[&str]) -> Option<String> {
    if let Some(line) = holds_line(body, wrapper) {
        return Some(format!("its body holds the line `{line}`"));
    }
    stays_open(body).then(|| {
        "its body leaves a block of code, a comment or an element open, and what follows would stand in it".to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_open_is_found_and_what_is_closed_is_none() {
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
    fn a_line_is_known_by_how_it_looks() {
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
