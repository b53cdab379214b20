//! Builds nodes from parser events.

use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle};

use super::mistake::Context;
use super::{YamlText, position};
use crate::text::{Place, Spanned};
use crate::{
    Bounds, Dispute, Excess, Fault, Feature, Field, Node, NodeKind, ScalarKind, Style, What, duplicates, scalar,
};

/// Hard cap on nesting, independent of the bounds: the tree is built, compared and dropped by recursion.
const DEEPEST: usize = 64;

/// Why parsing stopped.
pub(super) enum Stop {
    Error(ScanError),
    Bound(Excess, Range<usize>),
}

/// Builds nodes from events.
pub(super) struct Builder<'a> {
    source: YamlText<'a>,
    events: Parser<'a, StrInput<'a>>,
    deepest: usize,
    nodes: usize,
    pub(super) faults: Vec<Fault>,
    pub(super) comments: Vec<Range<usize>>,
    pub(super) context: Context,
}

impl<'a> Builder<'a> {
    pub(super) fn new(source: YamlText<'a>, bounds: Bounds, strict: bool) -> Self {
        let deepest = bounds.depth.min(DEEPEST);
        let options = granit_parser::options! {
            strict_indentation: strict,
            disallow_directives: true,
            emit_anchor_events: true,
            emit_unresolved_aliases: true,
            max_buffered_comment_events: usize::MAX,
            flow_nesting_limit: deepest,
            block_nesting_limit: deepest,
        };
        Self {
            source,
            events: Parser::new_from_str_with_options(source.yaml, options),
            deepest,
            nodes: bounds.nodes,
            faults: Vec::new(),
            comments: Vec::new(),
            context: Context::default(),
        }
    }

    pub(super) fn report(&mut self, what: What, range: Range<usize>) {
        self.faults.push(Fault { what, place: self.source.place(range) });
    }

    /// Returns the next event that is a node or the end of one, with its range; collects comments and reports anchors.
    fn next(&mut self) -> Result<(Event<'a>, Span, Range<usize>), Stop> {
        loop {
            let Some(event) = self.events.next() else { return Ok((Event::StreamEnd, Span::default(), 0..0)) };
            let (event, span) = event.map_err(Stop::Error)?;
            let range = span.byte_range().unwrap_or_default();
            match event {
                Event::Comment(..) => self.comments.push(range),
                Event::Anchor(..) => self.report(What::Unportable(Feature::Anchor), range),
                _ => {
                    self.context.see(&event, &range);
                    return Ok((event, span, range));
                }
            }
        }
    }

    /// Returns the root of the first document. A second one is reported and not read.
    pub(super) fn document(&mut self) -> Result<Option<Node>, Stop> {
        let root = loop {
            match self.next()? {
                (Event::StreamStart | Event::DocumentStart(..), ..) => {}
                (Event::StreamEnd | Event::DocumentEnd, ..) => break None,
                (event, span, range) => {
                    let whole = self.source.place(0..self.source.yaml.len());
                    break Some(self.node(event, &span, range, whole, 1)?);
                }
            }
        };
        loop {
            match self.next()? {
                (Event::StreamEnd, ..) => return Ok(root),
                (Event::DocumentStart(..), _, range) => {
                    let line = position::line(self.source.yaml, range.start);
                    self.report(What::SecondDocument, line);
                    return Ok(root);
                }
                _ => {}
            }
        }
    }

    /// Builds a node. `around` is its place if it is absent, as after a key without a value.
    fn node(
        &mut self,
        event: Event<'a>,
        span: &Span,
        range: Range<usize>,
        around: Place,
        depth: usize,
    ) -> Result<Node, Stop> {
        self.nodes = self.nodes.checked_sub(1).ok_or_else(|| Stop::Bound(Excess::Nodes, self.shown(&range)))?;
        if depth > self.deepest && matches!(event, Event::SequenceStart(..) | Event::MappingStart(..)) {
            return Err(Stop::Bound(Excess::Depth, self.shown(&range)));
        }
        if let Some(tag) = span.tag_span().and_then(|tag| tag.byte_range()) {
            self.report(What::Unportable(Feature::Tag), tag);
        }
        match event {
            Event::SequenceStart(style, ..) => self.list(style, range, depth),
            Event::MappingStart(style, ..) => self.map(style, range, depth),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.report(What::Unportable(Feature::Alias), range.clone());
                let text = self.source.yaml.get(range.clone()).unwrap_or_default().to_owned();
                let kind = NodeKind::Scalar { text, style: Style::Plain, kind: ScalarKind::Text };
                Ok(Node { kind, place: self.source.place(range) })
            }
            Event::Scalar(text, style, _, tag) => {
                let absent = range.is_empty();
                let text = if absent { String::new() } else { text.into_owned() };
                let kind = match style {
                    ScalarStyle::Plain if tag.is_none() => scalar::kind(&text),
                    _ => ScalarKind::Text,
                };
                let place = if absent { around } else { self.source.place(self.content(style, range)) };
                Ok(Node { kind: NodeKind::Scalar { text, style: self::style(style), kind }, place })
            }
            // No other event starts a node.
            _ => Ok(Node { kind: NodeKind::List(Vec::new()), place: around }),
        }
    }

    fn list(&mut self, style: StructureStyle, start: Range<usize>, depth: usize) -> Result<Node, Stop> {
        let mut place = self.source.place(start);
        let mut items = Vec::new();
        loop {
            let (event, span, range) = self.next()?;
            if matches!(event, Event::SequenceEnd) {
                items.shrink_to_fit();
                return Ok(Node { kind: NodeKind::List(items), place: self.closed(place, style, range) });
            }
            let around = self.source.place(self.before(range.start));
            let item = self.node(event, &span, range, around, depth + 1)?;
            place = around_both(place, item.place);
            items.push(item);
        }
    }

    fn map(&mut self, style: StructureStyle, start: Range<usize>, depth: usize) -> Result<Node, Stop> {
        let mut place = self.source.place(start);
        let mut fields = Vec::new();
        loop {
            let (event, span, range) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                duplicates::report(&fields, &mut self.faults);
                fields.shrink_to_fit();
                return Ok(Node { kind: NodeKind::Map(fields), place: self.closed(place, style, range) });
            }
            let absent = range.is_empty() && matches!(event, Event::Scalar(..));
            let around = self.source.place(self.before(range.start));
            let key = self.node(event, &span, range, around, depth + 1)?;
            let (event, span, range) = self.next()?;
            let value = self.node(event, &span, range, key.place, depth + 1)?;
            place = around_both(around_both(place, key.place), value.place);
            if let Some(key) = self.key(key, absent) {
                fields.push(Field { key, value });
            }
        }
    }

    /// Returns a key as a string. A pair with another type of key is skipped.
    fn key(&mut self, node: Node, absent: bool) -> Option<Spanned<String>> {
        let place = node.place;
        let disputed = match node.kind {
            NodeKind::List(_) => Dispute::ListKey,
            NodeKind::Map(_) => Dispute::MapKey,
            NodeKind::Scalar { .. } if absent => Dispute::EmptyKey,
            NodeKind::Scalar { text, style, .. } => {
                if text == "<<" && style == Style::Plain {
                    self.faults.push(Fault { what: What::Unportable(Feature::MergeKey), place });
                }
                return Some(Spanned { value: text, place });
            }
        };
        self.faults.push(Fault { what: What::Disputed(disputed), place });
        None
    }

    /// Returns the place of a collection: a flow collection ends with its bracket, a block collection with its last
    /// node.
    fn closed(&self, place: Place, style: StructureStyle, end: Range<usize>) -> Place {
        match style {
            StructureStyle::Flow => Place { end: self.source.place(end).end.max(place.end), ..place },
            StructureStyle::Block => place,
        }
    }

    /// Returns the range of a scalar; of a block scalar without the line endings after its last line.
    fn content(&self, style: ScalarStyle, range: Range<usize>) -> Range<usize> {
        if !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
            return range;
        }
        const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];
        let text = self.source.yaml.get(range.clone()).unwrap_or_default();
        let end = range.start + text.trim_end_matches(BLANKS).len();
        // Leading blank lines are excluded; leading spaces after an indentation indicator are part of the text.
        let blank_lines = text.starts_with(['\n', '\r']);
        let start = if blank_lines { range.end - text.trim_start_matches(BLANKS).len() } else { range.start };
        if start < end { start..end } else { range }
    }

    /// Returns the last character before an offset that is not whitespace: the key or dash of an absent value.
    fn before(&self, offset: usize) -> Range<usize> {
        position::character_before(self.source.yaml, offset)
    }

    /// Returns a range of at least one character.
    fn shown(&self, range: &Range<usize>) -> Range<usize> {
        if range.is_empty() { position::character(self.source.yaml, range.start) } else { range.clone() }
    }
}

fn around_both(a: Place, b: Place) -> Place {
    Place { start: a.start.min(b.start), end: a.end.max(b.end), ..a }
}

fn style(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal => Style::Literal,
        ScalarStyle::Folded => Style::Folded,
    }
}
