//! The Markdown structure of a body: tells links from examples in code blocks.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Parser, Tag};

use crate::skill::headings::OPTIONS;

/// The Markdown structure of a body. Offsets are relative to the file.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// Inline links and images: the range of the whole, and the unescaped target.
    links: Vec<(Range<usize>, String)>,
    /// Link reference definitions, in the same form, sorted.
    definitions: Vec<(Range<usize>, String)>,
    /// Ranges that are passed through as HTML.
    html: Vec<Range<usize>>,
    /// Code spans, with their delimiters.
    spans: Vec<Range<usize>>,
    /// Code blocks, and what each contains.
    blocks: Vec<(Range<usize>, Block)>,
    /// The first line of a fence that is not closed before the end of the file.
    pub unclosed: Option<Range<usize>>,
}

/// What a code block contains, by its info string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// Shell commands.
    Shell,
    /// An awk program.
    Awk,
    /// SQL.
    Sql,
    /// A Perl program.
    Perl,
    /// A Swift program.
    Swift,
    /// Markdown: an example of a text.
    Markdown,
    /// Commands that a runtime may run: the info string is `!`.
    Command,
    /// Anything else.
    Other,
}

impl Structure {
    /// Parses a body that begins at an offset of its file.
    pub(super) fn new(body: &str, offset: usize) -> Self {
        let mut structure = Self::default();
        let moved = |range: Range<usize>| range.start + offset..range.end + offset;
        let events = Parser::new_ext(body, OPTIONS).into_offset_iter();
        let definitions = events.reference_definitions().iter();
        structure.definitions =
            definitions.map(|(_, definition)| (moved(definition.span.clone()), definition.dest.to_string())).collect();
        structure.definitions.sort_by_key(|(range, _)| range.start);
        for (event, range) in events {
            if let Event::Start(Tag::CodeBlock(kind)) = &event {
                structure.blocks.push((moved(range.clone()), contents(kind)));
            }
            match event {
                Event::Start(
                    Tag::Link { link_type: LinkType::Inline, dest_url, .. }
                    | Tag::Image { link_type: LinkType::Inline, dest_url, .. },
                ) => structure.links.push((moved(range), dest_url.into_string())),
                Event::Code(_) => structure.spans.push(moved(range)),
                Event::Html(_) | Event::InlineHtml(_) => structure.html.push(moved(range)),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) if is_unclosed(body, &range) => {
                    let line = body[range.clone()].lines().next().unwrap_or_default().len();
                    structure.unclosed = Some(moved(range.start..range.start + line));
                }
                _ => {}
            }
        }
        structure
    }

    /// Returns whether a range of a body is the target of a link, and the parser reads the same target.
    pub(super) fn is_target(&self, target: &Range<usize>, unescaped: &str) -> bool {
        // Links are sorted by start, and an image is nested in the link that contains it: the last one that starts
        // before the target and contains it is the innermost.
        let before = self.links.partition_point(|(range, _)| range.start <= target.start);
        let holds = |(range, read): &&(Range<usize>, String)| range.end > target.end && read == unescaped;
        self.links[..before].iter().rev().take(NESTED).any(|link| holds(&link)) || self.defines(target, unescaped)
    }

    fn defines(&self, target: &Range<usize>, unescaped: &str) -> bool {
        self.definition(target.start).is_some_and(|read| read == unescaped)
    }

    /// Returns the target of the link reference definition at an offset.
    pub(super) fn definition(&self, at: usize) -> Option<&str> {
        let before = self.definitions.partition_point(|(range, _)| range.start <= at);
        let (range, read) = self.definitions[..before].last()?;
        range.contains(&at).then_some(read)
    }

    /// Returns whether the text at an offset is passed through as HTML.
    pub(super) fn is_html(&self, at: usize) -> bool {
        is_in(&self.html, at)
    }

    /// Returns the code span that begins at an offset.
    pub(super) fn span(&self, at: usize) -> Option<Range<usize>> {
        let found = self.spans.binary_search_by_key(&at, |range| range.start);
        found.ok().map(|number| self.spans[number].clone())
    }

    /// Returns whether the text at an offset is in a code block.
    pub(super) fn is_block(&self, at: usize) -> bool {
        self.block(at).is_some()
    }

    /// Returns whether the text at an offset is in a code block with shell commands.
    pub(super) fn is_shell(&self, at: usize) -> bool {
        self.block(at).is_some_and(|(_, block)| block == Block::Shell)
    }

    /// Returns the code block around an offset, and what it contains.
    pub(super) fn block(&self, at: usize) -> Option<(Range<usize>, Block)> {
        let before = self.blocks.partition_point(|(range, _)| range.start <= at);
        self.blocks[..before].last().filter(|(range, _)| range.contains(&at)).cloned()
    }

    /// Returns the code blocks of commands that a runtime may run.
    pub(super) fn command_blocks(&self) -> impl Iterator<Item = &Range<usize>> {
        self.blocks.iter().filter(|(_, block)| *block == Block::Command).map(|(range, _)| range)
    }

    /// Returns the code span around an offset.
    pub(super) fn span_around(&self, at: usize) -> Option<Range<usize>> {
        let before = self.spans.partition_point(|range| range.start <= at);
        self.spans[..before].last().filter(|range| range.contains(&at)).cloned()
    }
}

/// Returns what a code block contains.
fn contents(kind: &CodeBlockKind<'_>) -> Block {
    let CodeBlockKind::Fenced(info) = kind else { return Block::Other };
    match info.split_whitespace().next().map(str::to_ascii_lowercase).as_deref() {
        Some("bash" | "sh" | "shell" | "zsh" | "console") => Block::Shell,
        Some("awk" | "gawk") => Block::Awk,
        Some("sql" | "postgresql" | "postgres" | "pgsql" | "plpgsql" | "psql") => Block::Sql,
        Some("perl" | "pl") => Block::Perl,
        Some("swift") => Block::Swift,
        Some("markdown" | "md") => Block::Markdown,
        Some("!") => Block::Command,
        _ => Block::Other,
    }
}

/// Returns whether one of some sorted ranges contains an offset.
fn is_in(ranges: &[Range<usize>], at: usize) -> bool {
    let before = ranges.partition_point(|range| range.start <= at);
    ranges[..before].last().is_some_and(|range| range.contains(&at))
}

/// Maximum number of links searched for the one that contains a target: images nest, but rarely so deep.
const NESTED: usize = 8;

/// Returns whether a fenced block reaches the end of the text without a closing fence.
fn is_unclosed(body: &str, block: &Range<usize>) -> bool {
    let text = body[block.clone()].trim_end();
    let opener = text.trim_start_matches(|c: char| c != '`' && c != '~');
    let Some(mark) = opener.chars().next().filter(|_| body[block.end..].trim().is_empty()) else { return false };
    let ticks = |line: &str| line.chars().take_while(|&c| c == mark).count();
    let is_closed = text.rsplit_once('\n').is_some_and(|(_, last)| {
        let last = last.trim_start_matches([' ', '\t', '>']);
        ticks(last) >= ticks(opener) && ticks(last) == last.trim_end().chars().count()
    });
    !is_closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_links_in_code() {
        let body = "[a](b.md) `[a](c.md)` ![i](d.png)\n\n    [a](e.md)\n\n```\n[a](f.md)\n```\n[![i](g.png)](h.md)\n\n[r]: i.md 'x'\n";
        let structure = Structure::new(body, 100);
        let is_target = |word: &str| {
            let at = body.find(word).expect("it is there") + 100;
            structure.is_target(&(at..at + word.len()), word)
        };
        for target in ["b.md", "d.png", "g.png", "h.md", "i.md"] {
            assert!(is_target(target), "{target}");
        }
        for code in ["c.md", "e.md", "f.md"] {
            assert!(!is_target(code), "{code}");
        }
    }

    #[test]
    fn detects_fences_open_at_the_end() {
        for (body, unclosed) in [
            ("a\n```sh\nb\n", Some(2..7)),
            ("a\n```sh\nb\n```\n\n", None),
            ("````\n```\nb\n```\n", Some(0..4)),
            ("~~~\n```\n~~~~\n", None),
            ("```\n", Some(0..3)),
            ("> ```\n> a\n> ```\n", None),
            ("- ```\n  a\n  ```\n", None),
            ("```\na\n```\n```\nb\n```\nc\n", None),
        ] {
            assert_eq!(Structure::new(body, 0).unclosed, unclosed, "{body:?}");
        }
    }

    #[test]
    fn parses_hostile_bodies_in_linear_time() {
        for pattern in ["[", "](", "[a](", "![", "[x]: a\n", "`", "<!--", "> ", "- ", "*a_", "[a](<b", "|a\n|-\n"] {
            Structure::new(&pattern.repeat(100_000 / pattern.len()), 0);
        }
    }
}
