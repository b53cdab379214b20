//! Repair of front matter that does not parse: quoting values, or reading lines.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::{Map, Value};

use super::family;
use crate::profile::Pattern;
use crate::profile::reading::{Family, Repair, RepairMethod, Unquoted};
use skilltree_front_matter::text::{FileId, Place, Spanned};
use skilltree_front_matter::{Field, Node, NodeKind, ScalarKind, Style};

/// Returns the YAML with values quoted; `None` if the repair changes nothing.
pub(super) fn quoted(yaml: &str, repair: &Repair, family: Family) -> Option<String> {
    let mut lines: Vec<Cow<'_, str>> = Vec::new();
    let mut changed = repair.writes_lf && yaml.contains("\r\n");
    let mut block: Option<usize> = None;
    let has_blocks = repair.method != RepairMethod::DoubleQuoteValues;
    // A line keeps its CR, which a pattern may reject.
    for line in yaml.split('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        if block.is_some_and(|block| line.trim().is_empty() || indent > block) {
            lines.push(Cow::Borrowed(line));
            continue;
        }
        block = None;
        let value = value(line, repair);
        let text = value.clone().map_or("", |value| &line[value]);
        if has_blocks && text.starts_with(['|', '>']) {
            block = Some(indent);
        }
        // Some programs look at the spaces after a value, too.
        let tested = match (repair.method, &value) {
            (RepairMethod::DoubleQuoteValues, Some(value)) => &line[value.start..],
            _ => text,
        };
        match value.filter(|_| is_repaired(tested, repair, family)) {
            Some(value) => {
                changed = true;
                lines.push(Cow::Owned(rewritten(line, value, repair)));
            }
            None => lines.push(Cow::Borrowed(line)),
        }
    }
    changed.then(|| lines.join("\n"))
}

/// Returns the range of a line's value, without surrounding whitespace and without a comment.
fn value(line: &str, repair: &Repair) -> Option<Range<usize>> {
    let found = repair.line.regex()?.captures(line)?.name("value")?.range();
    let value = match repair.method {
        RepairMethod::QuoteValues => without_comment(&line[found.clone()]),
        RepairMethod::DoubleQuoteValues | RepairMethod::BlockScalars | RepairMethod::ReadLines => &line[found.clone()],
    };
    let start = found.start + value.len() - value.trim_start().len();
    Some(start..start + value.trim().len())
}

fn without_comment(value: &str) -> &str {
    let starts = |at: usize| value[..at].chars().next_back().is_none_or(char::is_whitespace);
    value.match_indices('#').find(|&(at, _)| starts(at)).map_or(value, |(at, _)| &value[..at])
}

fn is_repaired(value: &str, repair: &Repair, family: Family) -> bool {
    let matches = |pattern: &Option<Pattern>| {
        pattern.as_ref().and_then(|pattern| pattern.regex()).is_some_and(|regex| regex.is_match(value))
    };
    let is_plain = match repair.method {
        RepairMethod::DoubleQuoteValues => {
            repair.unquoted != Unquoted::None || unquoted(value.trim_end()) == value.trim_end()
        }
        _ => !value.is_empty() && !value.starts_with(['"', '\'', '|', '>']),
    };
    let is_yaml = || !matches!(family::read(value, family, &[]), family::Reading::Refused(_));
    is_plain && (matches(&repair.repaired) || (matches(&repair.repaired_unless_yaml) && !is_yaml()))
}

fn rewritten(line: &str, value: Range<usize>, repair: &Repair) -> String {
    let (before, text, after) = (&line[..value.start], &line[value.clone()], &line[value.end..]);
    match repair.method {
        RepairMethod::DoubleQuoteValues => {
            let text = if repair.unquoted == Unquoted::All { unquoted(text) } else { text };
            let space = if before.ends_with(':') { " " } else { "" };
            format!("{before}{space}\"{}\"{after}", text.replace('\\', "\\\\").replace('"', "\\\""))
        }
        RepairMethod::BlockScalars => format!("{} |-\n  {text}", before.trim_end()),
        RepairMethod::QuoteValues | RepairMethod::ReadLines => {
            format!("{before}'{}'{after}", text.replace('\'', "''"))
        }
    }
}

/// Reads fields line by line; the last of duplicate keys wins.
pub(super) fn lines(text: &str, repair: &Repair) -> Vec<Field> {
    let lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let mut fields = Vec::new();
    let mut number = 0;
    while let Some(line) = lines.get(number) {
        number += 1;
        let found = repair.line.regex().and_then(|regex| regex.captures(line));
        let parts = found.and_then(|found| Some((found.name("key")?.as_str(), found.name("value")?.as_str())));
        let Some((key, value)) = parts.map(|(key, value)| (key.trim(), value.trim())) else { continue };
        let below = &lines[number..];
        let value = if repair.continued.iter().any(|continued| continued == key) {
            let more = below.iter().take_while(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
            let lines = more.clone().count();
            number += lines;
            let is_header = repair.blocks && lines > 0 && is_block_header(value);
            let all: Vec<&str> = std::iter::once(value).chain(more.map(|line| line.trim())).collect();
            let parts = all.into_iter().skip(usize::from(is_header)).filter(|part| !part.is_empty());
            Cow::Owned(parts.collect::<Vec<_>>().join(" "))
        } else if repair.blocks && is_block_header(value) {
            let more = below.iter().take_while(|line| line.trim().is_empty() || line.starts_with([' ', '\t']));
            let more: Vec<&str> = more.copied().collect();
            number += more.len();
            Cow::Owned(block(&more, value))
        } else if repair.multiline
            && value.is_empty()
            && below.first().is_some_and(|line| line.starts_with([' ', '\t']))
        {
            let more = below.iter().take_while(|line| line.is_empty() || line.starts_with([' ', '\t']));
            number += more.clone().count();
            Cow::Owned(more.copied().collect::<Vec<_>>().join("\n").trim().to_owned())
        } else {
            Cow::Borrowed(match repair.unquoted {
                Unquoted::None => value,
                Unquoted::Double => inside(value, '"').unwrap_or(value),
                Unquoted::All => unquoted(value),
            })
        };
        if repair.json_objects && is_json_object(&value) {
            // Its members do not matter: line readers check types only.
            fields.push(field(key, NodeKind::Map(Vec::new())));
        } else if repair.typed.as_ref().and_then(Pattern::regex).is_some_and(|typed| typed.is_match(&value)) {
            fields.push(field(key, typed(value.into_owned())));
        } else {
            fields.push(text_field(key, value.into_owned()));
        }
    }
    fields
}

/// Returns a plain scalar that is not a string.
fn typed(text: String) -> NodeKind {
    let kind = match text.as_str() {
        "null" | "~" => ScalarKind::Null,
        "true" | "false" => ScalarKind::Boolean,
        _ => ScalarKind::Number,
    };
    NodeKind::Scalar { text, style: Style::Plain, kind }
}

fn is_json_object(value: &str) -> bool {
    value.starts_with('{') && serde_json::from_str::<Map<String, Value>>(value).is_ok()
}

/// Returns whether a value begins a block scalar without an indentation indicator.
fn is_block_header(value: &str) -> bool {
    matches!(value, "|" | "|+" | "|-" | ">" | ">+" | ">-")
}

/// Returns the text of a block scalar without whitespace at its ends, as line readers define it: every line break in it
/// folds, also next to more indented lines.
fn block(lines: &[&str], header: &str) -> String {
    let indent = |line: &&&str| line.len() - line.trim_start().len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(|line| indent(&line)).min().unwrap_or(0);
    let own = |line: &&str| {
        if line.trim().is_empty() { String::new() } else { line.get(common..).unwrap_or_default().to_owned() }
    };
    let lines: Vec<String> = lines.iter().map(own).collect();
    let text = if header.starts_with('|') { lines.join("\n") } else { folded(&lines) };
    text.trim().to_owned()
}

/// Joins lines by a space; n empty lines between two become n line breaks.
fn folded(lines: &[String]) -> String {
    let mut text = String::new();
    let mut breaks = 0;
    for line in lines {
        if line.is_empty() {
            breaks += 1;
            continue;
        }
        if !text.is_empty() && breaks == 0 {
            text.push(' ');
        }
        text.push_str(&"\n".repeat(std::mem::take(&mut breaks)));
        text.push_str(line);
    }
    text + &"\n".repeat(breaks)
}

fn unquoted(value: &str) -> &str {
    inside(value, '"').or_else(|| inside(value, '\'')).unwrap_or(value)
}

/// Returns the text between two quotes.
fn inside(value: &str, quote: char) -> Option<&str> {
    value.strip_prefix(quote)?.strip_suffix(quote)
}

/// Returns a field with a string value.
pub(super) fn text_field(key: &str, text: String) -> Field {
    field(key, NodeKind::Scalar { text, style: Style::DoubleQuoted, kind: ScalarKind::Text })
}

/// Returns a field with a placeholder place.
fn field(key: &str, kind: NodeKind) -> Field {
    let place = Place::whole(FileId(0));
    Field { key: Spanned { value: key.to_owned(), place }, value: Node { kind, place } }
}
