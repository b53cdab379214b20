//! Markdown of ours as a terminal shows it: headings, lists and code in colours, words wrapped to the width.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr;

use crate::render::Look;

const BOLD: &str = "\x1b[1m";
const CODE: &str = "\x1b[36m";
const LINK: &str = "\x1b[4m";
const PLAIN: &str = "\x1b[0m";

/// The widest line that is pleasant to read.
const WIDEST: usize = 100;

/// A document as a terminal shows it. Code is not wrapped.
pub fn terminal(markdown: &str, look: Look) -> String {
    let mut page = Page { width: look.width.clamp(20, WIDEST), ..Page::default() };
    for event in Parser::new(markdown) {
        page.take(event);
    }
    page.text.truncate(page.text.trim_end().len());
    page.text.push('\n');
    page.text
}

/// A page as far as it is written.
#[derive(Default)]
struct Page {
    text: String,
    width: usize,
    /// The words of the paragraph that is open, each with its style, and whether a blank stands before it.
    words: Vec<(String, bool)>,
    /// The styles in force.
    styles: Vec<&'static str>,
    /// How many lists are open.
    lists: usize,
    /// Whether the next paragraph is the first of an entry of a list.
    is_entry: bool,
    /// Whether a block of code is open.
    in_code: bool,
    /// Whether a blank stands before the next word.
    blank: bool,
}

impl Page {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) if self.in_code => {
                for line in text.lines() {
                    self.text.push_str(format!("    {line}").trim_end());
                    self.text.push('\n');
                }
            }
            Event::Text(text) => self.words(&text),
            // Code is one word: blanks in it mean something.
            Event::Code(code) => self.word(&format!("{CODE}`{code}`{PLAIN}")),
            Event::SoftBreak | Event::HardBreak => self.blank = true,
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { .. } | Tag::Strong => self.styles.push(BOLD),
            Tag::Emphasis | Tag::Link { .. } => self.styles.push(LINK),
            Tag::List(_) => {
                self.close();
                self.lists += 1;
            }
            Tag::Item => self.is_entry = true,
            Tag::CodeBlock(_) => self.in_code = true,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                self.styles.pop();
                self.close();
                if level == HeadingLevel::H1 {
                    self.gap();
                }
            }
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Link => {
                self.styles.pop();
            }
            TagEnd::Paragraph => {
                self.close();
                self.gap();
            }
            TagEnd::Item => self.close(),
            TagEnd::List(_) => {
                self.lists -= 1;
                self.gap();
            }
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.gap();
            }
            _ => {}
        }
    }

    /// An empty line, unless one stands there.
    fn gap(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    fn words(&mut self, text: &str) {
        for piece in text.split_inclusive([' ', '\n']) {
            let word = piece.trim_end_matches([' ', '\n']);
            match self.styles.as_slice() {
                _ if word.is_empty() => {}
                [] => self.word(word),
                styles => self.word(&format!("{}{word}{PLAIN}", styles.concat())),
            }
            self.blank |= word.len() < piece.len();
        }
    }

    fn word(&mut self, word: &str) {
        self.words.push((word.to_owned(), std::mem::take(&mut self.blank)));
    }

    /// Writes the words that are open as lines.
    fn close(&mut self) {
        let words = std::mem::take(&mut self.words);
        self.blank = false;
        if words.is_empty() {
            return;
        }
        let depth = self.lists * 2;
        let (first, rest) = match std::mem::take(&mut self.is_entry) {
            true => (format!("{}- ", " ".repeat(depth - 2)), " ".repeat(depth)),
            false => (" ".repeat(depth), " ".repeat(depth)),
        };
        let mut line = first;
        let mut column = line.width();
        let mut is_empty = true;
        for unit in units(words) {
            let width = width(&unit);
            if !is_empty && column + 1 + width > self.width {
                self.text.push_str(&line);
                self.text.push('\n');
                line.clone_from(&rest);
                column = line.width();
                is_empty = true;
            }
            if !is_empty {
                line.push(' ');
                column += 1;
            }
            line.push_str(&unit);
            column += width;
            is_empty = false;
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }
}

/// What may not be parted: words without a blank between them.
fn units(words: Vec<(String, bool)>) -> Vec<String> {
    let mut units: Vec<String> = Vec::new();
    for (word, after_blank) in words {
        match units.last_mut() {
            Some(last) if !after_blank => last.push_str(&word),
            _ => units.push(word),
        }
    }
    units
}

/// The columns of a text without its styles.
fn width(text: &str) -> usize {
    let mut width = 0;
    for (number, piece) in text.split('\x1b').enumerate() {
        let shown = if number == 0 { piece } else { piece.split_once('m').map_or("", |(_, shown)| shown) };
        width += shown.width();
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# id\n\nIt **is** so, `a b`. And on\nit goes.\n\n## Why\n\n- one two three four five six\n- two\n\n```text\ncode  `x`\n```\n\nEnd.\n";

    fn shown(width: usize) -> String {
        terminal(PAGE, Look { width, ..Look::default() })
    }

    #[test]
    fn words_are_wrapped_and_code_is_not() {
        let plain = |width| {
            let mut text = shown(width);
            for style in [BOLD, CODE, LINK, PLAIN] {
                text = text.replace(style, "");
            }
            text
        };
        let expected = "id\n\nIt is so, `a b`. And\non it goes.\n\nWhy\n- one two three four\n  five six\n- two\n\n    code  `x`\n\nEnd.\n";
        assert_eq!(plain(20), expected);
        assert!(plain(500).contains("It is so, `a b`. And on it goes.\n"));
    }

    #[test]
    fn styles_end_with_their_words() {
        let shown = shown(80);
        assert!(shown.starts_with("\x1b[1mid\x1b[0m\n"), "{shown:?}");
        assert!(shown.contains("It \x1b[1mis\x1b[0m so, \x1b[36m`a b`\x1b[0m."), "{shown:?}");
    }
}
