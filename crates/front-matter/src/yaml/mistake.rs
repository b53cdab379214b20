//! Classification of YAML syntax errors. The parser reports where it stopped and what it expected; readers, and
//! runtimes that repair some errors, need the author's mistake.

use std::ops::Range;

use granit_parser::{ErrorKind, Event, ScalarStyle, ScanError, StructureStyle};

use super::position::{begins_value, character, floor, indentation, line_start, next_token, value_end};
use crate::{YamlKind, lines};

/// The state of the parser before an error.
#[derive(Debug, Default)]
pub(super) struct Context {
    last: Option<(Token, Range<usize>)>,
    open: Vec<usize>,
    after: usize,
}

/// The last token before an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A plain scalar.
    Plain,
    /// A scalar in quotes.
    Quoted,
    /// A closed flow collection, from its opening bracket.
    Flow,
    /// An alias.
    Alias,
}

impl Context {
    /// Records an event.
    pub(super) fn see(&mut self, event: &Event<'_>, range: &Range<usize>) {
        self.after = self.after.max(range.end);
        self.last = match event {
            Event::Scalar(_, ScalarStyle::Plain, ..) if !range.is_empty() => Some((Token::Plain, range.clone())),
            Event::Scalar(_, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted, ..) => {
                Some((Token::Quoted, range.clone()))
            }
            Event::Alias(_) | Event::UnresolvedAlias(_) => Some((Token::Alias, range.clone())),
            Event::SequenceStart(StructureStyle::Flow, ..) | Event::MappingStart(StructureStyle::Flow, ..) => {
                self.open.push(range.start);
                None
            }
            Event::SequenceEnd | Event::MappingEnd => self.open.pop().map(|start| (Token::Flow, start..range.end)),
            _ => None,
        };
    }
}

/// A syntax error as the author's mistake.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Explained {
    /// The mistake.
    pub(super) kind: YamlKind,
    /// The character of the error; for an unclosed quote or bracket the opening one.
    pub(super) place: Range<usize>,
    /// The value to quote, if quoting fixes the error.
    pub(super) quote: Option<Range<usize>>,
}

impl Explained {
    fn new(kind: YamlKind, place: Range<usize>) -> Self {
        Self { kind, place, quote: None }
    }

    fn quoting(self, quote: Range<usize>) -> Self {
        Self { quote: Some(quote), ..self }
    }
}

/// Finds the mistake that causes an error.
pub(super) fn explain(yaml: &str, error: &ScanError, context: &Context) -> Explained {
    let at = floor(yaml, error.marker().byte_offset().unwrap_or(0));
    let place = character(yaml, at);
    if let Some(marker) = conflict_marker(yaml) {
        return Explained::new(YamlKind::ConflictMarker, marker);
    }
    match error.kind() {
        ErrorKind::TabNotAllowed
        | ErrorKind::TabInBlockIndentation
        | ErrorKind::TabInIndentation
        | ErrorKind::TabAtBlockScalarStart
        | ErrorKind::TabInPlainScalar => Explained::new(YamlKind::Tab, indenting_tab(yaml, at).unwrap_or(place)),
        ErrorKind::UnclosedQuotedScalar
        | ErrorKind::InvalidQuotedScalarIndent
        | ErrorKind::DocumentIndicatorInQuotedScalar
        | ErrorKind::InvalidTrailingSingleQuotedScalar
        | ErrorKind::InvalidTrailingDoubleQuotedScalar => quoted(yaml, at, error.kind(), context),
        ErrorKind::UnknownQuotedScalarEscape
        | ErrorKind::InvalidQuotedScalarHexEscape
        | ErrorKind::InvalidUnicodeEscape => Explained::new(YamlKind::Other, place),
        _ if begins_value(yaml, at) && yaml[at..].starts_with(is_reserved) => {
            Explained::new(YamlKind::ReservedFirstCharacter, place).quoting(at..value_end(yaml, at))
        }
        ErrorKind::MappingValueNotAllowed if context.open.is_empty() => colon(yaml, at, context),
        _ => trailing_or_indented(yaml, at, error.kind(), context),
    }
}

/// Explains a colon where a value cannot have one.
fn colon(yaml: &str, at: usize, context: &Context) -> Explained {
    let place = character(yaml, at);
    let Some((token, value)) = context.last.clone().filter(|(_, value)| begins_value(yaml, value.start)) else {
        return Explained::new(YamlKind::Other, place);
    };
    let kind = match token {
        Token::Plain if line_start(yaml, value.start) == line_start(yaml, at) => YamlKind::ColonInPlainScalar,
        Token::Plain => YamlKind::ContinuationWithColon,
        Token::Flow | Token::Alias => YamlKind::ReservedFirstCharacter,
        Token::Quoted => return Explained::new(YamlKind::OpenQuote, place),
    };
    Explained::new(kind, place).quoting(value.start..value_end(yaml, value.start))
}

/// Explains a quote that is never closed, or closed too early. With a space after the closing quote, the author wanted
/// literal quotes; text directly after it is an apostrophe in single quotes or similar.
fn quoted(yaml: &str, at: usize, kind: &ErrorKind, context: &Context) -> Explained {
    let opening = next_token(yaml, context.after);
    // A missing closing quote swallows the following keys, so the value continues at the margin and closes some lines
    // below.
    let margin = &yaml.as_bytes()[at..yaml[at..].find(['\n', '\r']).map_or(yaml.len(), |length| at + length)];
    if *kind == ErrorKind::InvalidQuotedScalarIndent && !margin.is_empty() && lines::key(margin).is_none() {
        return Explained::new(YamlKind::BadIndentation, character(yaml, at));
    }
    let trailing =
        matches!(kind, ErrorKind::InvalidTrailingSingleQuotedScalar | ErrorKind::InvalidTrailingDoubleQuotedScalar);
    let place = if trailing || !yaml[opening..].starts_with(['"', '\'']) { at } else { opening };
    let explained = Explained::new(YamlKind::OpenQuote, character(yaml, place));
    let blank = yaml[..at].ends_with([' ', '\t']);
    if trailing && blank && context.open.is_empty() && begins_value(yaml, opening) {
        return explained.quoting(opening..value_end(yaml, opening));
    }
    explained
}

/// Explains text after a closed flow collection or an alias, an unclosed collection, or wrong indentation.
fn trailing_or_indented(yaml: &str, at: usize, kind: &ErrorKind, context: &Context) -> Explained {
    let place = character(yaml, at);
    let starts_line = yaml[line_start(yaml, at)..at].trim().is_empty();
    if let Some(&bracket) = context.open.last() {
        return Explained::new(
            YamlKind::OpenFlow,
            if never_closed(yaml, bracket, at) { character(yaml, bracket) } else { place },
        );
    }
    match &context.last {
        Some((Token::Flow | Token::Alias, value)) if !starts_line && begins_value(yaml, value.start) => {
            let quote = value.start..value_end(yaml, value.start);
            return Explained::new(YamlKind::ReservedFirstCharacter, place).quoting(quote);
        }
        _ => {}
    }
    match kind {
        ErrorKind::MisplacedFlowCollectionEnd
        | ErrorKind::MismatchedFlowCollectionEnd { .. }
        | ErrorKind::UnclosedFlowCollection { .. } => Explained::new(YamlKind::OpenFlow, place),
        ErrorKind::InvalidIndentation
        | ErrorKind::InvalidBlockScalarIndent
        | ErrorKind::InvalidFlowScalarIndent
        | ErrorKind::ExpectedBlockMappingKey
        | ErrorKind::ExpectedBlockSequenceEntry
        | ErrorKind::ExpectedDocumentStart
        | ErrorKind::SimpleKeyExpected
        | ErrorKind::InvalidSimpleKey
        | ErrorKind::BlockSequenceEntryNotAllowed
            if starts_line =>
        {
            Explained::new(YamlKind::BadIndentation, place)
        }
        _ => Explained::new(YamlKind::Other, place),
    }
}

/// Returns whether an unclosed bracket causes an error inside a flow collection: at the end, or on a later line with
/// outer indentation.
fn never_closed(yaml: &str, bracket: usize, at: usize) -> bool {
    let (opened, stopped) = (line_start(yaml, bracket), line_start(yaml, at));
    let closes = yaml[at..].starts_with([']', '}']);
    let outside = opened < stopped && indentation(&yaml[stopped..]) <= indentation(&yaml[opened..]);
    at >= yaml.trim_end().len() || (outside && !closes)
}

/// Returns the first line of a git conflict marker.
fn conflict_marker(yaml: &str) -> Option<Range<usize>> {
    let mut start = 0;
    for line in yaml.split_inclusive('\n') {
        let content = line.trim_end();
        if ["<<<<<<<", "|||||||", ">>>>>>>"]
            .iter()
            .any(|marker| content.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
        {
            return Some(start..start + content.len());
        }
        start += line.len();
    }
    None
}

/// Returns the tabs in the indentation of the line at an offset, or of a later one: some errors point at the scalar
/// before.
fn indenting_tab(yaml: &str, at: usize) -> Option<Range<usize>> {
    let mut start = line_start(yaml, at);
    for line in yaml[start..].split_inclusive(['\n', '\r']) {
        let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
        if let Some(tab) = line[..blanks].find('\t') {
            return Some(start + tab..start + blanks);
        }
        start += line.len();
    }
    None
}

/// Returns whether a character is an indicator that cannot start a plain scalar.
fn is_reserved(character: char) -> bool {
    matches!(character, '@' | '`' | '%' | ',' | ']' | '}' | '&' | '*' | '!' | '|' | '>' | '?' | '-')
}
