//! Comments of the body, and the blocks that they cover.
//!
//! A comment after other text covers its line. A comment on separate lines covers the next block: a paragraph, a list,
//! a table, a code block. Comments in code are ignored.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::lines::Lines;
use super::{Comment, Covered, directive};

/// Finds the comments of a body that begin with the mark.
pub(super) fn comments(text: &str, body_start: usize, lines: &Lines) -> Vec<Comment> {
    let Some(body) = text.get(body_start..) else { return Vec::new() };
    if !body.contains(directive::MARK) {
        return Vec::new();
    }
    let mut comments: Vec<Comment> = Vec::new();
    // The first comment that waits for its block.
    let mut waiting = 0;
    let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
    for (event, range) in Parser::new_ext(body, options).into_offset_iter() {
        let range = body_start + range.start..body_start + range.end;
        match event {
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => {
                let known = comments.len();
                let after_text = matches!(event, Event::InlineHtml(_));
                take(text, range.clone(), lines, after_text, &mut comments);
                if comments.len() == known && !after_text {
                    close(&mut comments, &mut waiting, range, lines);
                }
            }
            Event::Start(_) | Event::Rule => close(&mut comments, &mut waiting, range, lines),
            _ => {}
        }
    }
    comments
}

/// Assigns a block to the waiting comments.
fn close(comments: &mut [Comment], waiting: &mut usize, block: Range<usize>, lines: &Lines) {
    for comment in &mut comments[*waiting..] {
        comment.covers.get_or_insert_with(|| Covered::Part(lines.around(&block), block.clone()));
    }
    *waiting = comments.len();
}

/// Collects the comments of a piece of HTML.
fn take(text: &str, html: Range<usize>, lines: &Lines, after_text: bool, comments: &mut Vec<Comment>) {
    const OPEN: &str = "<!--";
    const CLOSE: &str = "-->";
    let mut at = html.start;
    while let Some(found) = text.get(at..html.end).and_then(|rest| rest.find(OPEN)) {
        let start = at + found;
        let inside = start + OPEN.len();
        let Some(length) = text.get(inside..html.end).and_then(|rest| rest.find(CLOSE)) else { return };
        let end = inside + length;
        let whole = start..end + CLOSE.len();
        at = whole.end;
        if directive::is_addressed(&text[inside..end]) {
            let line = lines.around(&whole);
            let covers = (after_text || !lines.is_alone(&whole)).then(|| Covered::Part(line.clone(), line));
            comments.push(Comment { whole, text: inside..end, covers });
        }
    }
}
