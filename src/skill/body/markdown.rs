//! What a Markdown parser says of a body: what is a link and what is an example of one in a block of code.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, LinkType, Options, Parser, Tag};

/// What a Markdown parser says of a body. Offsets are of the file.
#[derive(Debug, Default)]
pub(super) struct Structure {
    /// Links and images with their targets written in place: the bytes of the whole, and the target as it is meant.
    links: Vec<(Range<usize>, String)>,
    /// Link reference definitions, in the same way, sorted.
    definitions: Vec<(Range<usize>, String)>,
    /// What is handed on as HTML.
    html: Vec<Range<usize>>,
    /// The first line of the fence that nothing closes before the end of the file.
    pub unclosed: Option<Range<usize>>,
}

impl Structure {
    /// Parses a body that begins at an offset of its file.
    pub(super) fn new(body: &str, offset: usize) -> Self {
        let mut structure = Self::default();
        let moved = |range: Range<usize>| range.start + offset..range.end + offset;
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        let events = Parser::new_ext(body, options).into_offset_iter();
        let definitions = events.reference_definitions().iter();
        structure.definitions =
            definitions.map(|(_, definition)| (moved(definition.span.clone()), definition.dest.to_string())).collect();
        structure.definitions.sort_by_key(|(range, _)| range.start);
        for (event, range) in events {
            match event {
                Event::Start(
                    Tag::Link { link_type: LinkType::Inline, dest_url, .. }
                    | Tag::Image { link_type: LinkType::Inline, dest_url, .. },
                ) => structure.links.push((moved(range), dest_url.into_string())),
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

    /// Whether some text of a body is the target of a link, where the parser reads the same target.
    pub(super) fn is_target(&self, target: &Range<usize>, meant: &str) -> bool {
        // Links come in the order of their beginnings, and an image stands inside the link that holds it: of those that
        // begin before the target, the last one that holds it is its own.
        let before = self.links.partition_point(|(range, _)| range.start <= target.start);
        let holds = |(range, read): &&(Range<usize>, String)| range.end > target.end && read == meant;
        self.links[..before].iter().rev().take(NESTED).any(|link| holds(&link)) || self.defines(target, meant)
    }

    fn defines(&self, target: &Range<usize>, meant: &str) -> bool {
        self.definition(target.start).is_some_and(|read| read == meant)
    }

    /// The target of the link reference definition that an offset lies in.
    pub(super) fn definition(&self, at: usize) -> Option<&str> {
        let before = self.definitions.partition_point(|(range, _)| range.start <= at);
        let (range, read) = self.definitions[..before].last()?;
        range.contains(&at).then_some(read)
    }

    /// Whether what stands at an offset is handed on as HTML.
    pub(super) fn is_html(&self, at: usize) -> bool {
        let before = self.html.partition_point(|range| range.start <= at);
        self.html[..before].last().is_some_and(|range| range.contains(&at))
    }
}

/// How many links are looked at for the one that holds a target: images may stand inside each other, and nobody writes so
/// many.
const NESTED: usize = 8;

/// Whether a fenced block goes on to the end of the text, and its last line is no fence.
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
    fn a_link_in_code_is_none() {
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
    fn a_fence_is_unclosed_where_it_runs_to_the_end() {
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
    fn hostile_bodies_are_parsed_in_time_that_grows_with_them() {
        for pattern in ["[", "](", "[a](", "![", "[x]: a\n", "`", "<!--", "> ", "- ", "*a_", "[a](<b", "|a\n|-\n"] {
            Structure::new(&pattern.repeat(100_000 / pattern.len()), 0);
        }
    }
}
