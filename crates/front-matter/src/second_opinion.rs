//! A second parse by libyaml. Loaders on PyYAML, serde_yaml and libyaml drop what it rejects, even where YAML 1.2
//! allows it.

use serde::Deserialize as _;
use serde::de::IgnoredAny;

use super::yaml::YamlText;
use super::{Dispute, Fault, Field, Node, NodeKind, ScalarKind, Style, What, yaml};
use crate::text::{FileId, Place, Spanned};

/// Returns whether libyaml parses a YAML text. The text must be within the bounds: libyaml expands aliases.
pub fn is_read_by_libyaml(yaml: &str) -> bool {
    read(yaml).is_ok()
}

/// Returns the fields of a mapping as libyaml reads them, for YAML that the other parser rejects. Types are those of YAML 1.2,
/// and places are missing. `None` if libyaml rejects it too, or it is not a mapping. The text must be within the bounds.
pub fn values_by_libyaml(yaml: &str) -> Option<Vec<Field>> {
    let value = serde_yaml::Value::deserialize(serde_yaml::Deserializer::from_str(yaml)).ok()?;
    match node(value).kind {
        NodeKind::Map(fields) => Some(fields),
        _ => None,
    }
}

fn node(value: serde_yaml::Value) -> Node {
    use serde_yaml::Value;
    let scalar = |text: String, style, kind| NodeKind::Scalar { text, style, kind };
    let kind = match value {
        Value::Null => scalar(String::new(), Style::Plain, ScalarKind::Null),
        Value::Bool(truth) => scalar(truth.to_string(), Style::Plain, ScalarKind::Boolean),
        Value::Number(number) => scalar(number.to_string(), Style::Plain, ScalarKind::Number),
        Value::String(text) => scalar(text, Style::DoubleQuoted, ScalarKind::Text),
        Value::Sequence(items) => NodeKind::List(items.into_iter().map(node).collect()),
        Value::Mapping(fields) => NodeKind::Map(fields.into_iter().filter_map(field).collect()),
        Value::Tagged(tagged) => return node(tagged.value),
    };
    Node { kind, place: Place::whole(FileId(0)) }
}

fn field((key, value): (serde_yaml::Value, serde_yaml::Value)) -> Option<Field> {
    let NodeKind::Scalar { text, .. } = node(key).kind else { return None };
    Some(Field { key: Spanned { value: text, place: Place::whole(FileId(0)) }, value: node(value) })
}

fn read(yaml: &str) -> Result<IgnoredAny, serde_yaml::Error> {
    IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(yaml))
}

/// Reports YAML that granit-parser accepts and libyaml rejects. Unnecessary if the YAML [`is_usual`]. Skipped if an unportable
/// or disputed feature was reported: a rejection would be redundant, and libyaml expands aliases.
pub(super) fn check(source: YamlText<'_>, faults: &mut Vec<Fault>) {
    if faults.iter().any(|fault| is_reported(&fault.what)) {
        return;
    }
    let Err(error) = read(source.yaml) else { return };
    let at = error.location().map_or(0, |location| offset(source.yaml, location.line(), location.column()));
    let place = source.place(yaml::position::character(source.yaml, at));
    faults.push(Fault { what: What::Disputed(Dispute::Libyaml), place });
}

fn is_reported(what: &What) -> bool {
    matches!(
        what,
        What::Unportable(_) | What::Disputed(_) | What::SecondDocument | What::TooComplex(_) | What::Yaml { .. }
    )
}

/// Returns whether the two parsers read the YAML alike: it has no tab, flow collection, escape, explicit or empty key, or
/// document marker. The second parse costs more than the first, and most front matters have none of these.
pub(super) fn is_usual(yaml: &str) -> bool {
    let odd = |byte: u8| matches!(byte, b'\t' | b'[' | b'{' | b'\\');
    let begins_oddly = |line: &str| {
        line.trim_start_matches([' ', '-']).starts_with(['?', ':'])
            || line.starts_with(['%', '.'])
            || line.starts_with("---")
    };
    !yaml.bytes().any(odd) && !yaml.lines().any(begins_oddly)
}

/// Returns the offset of a line and column, both counted in characters from 1, as libyaml does.
fn offset(yaml: &str, line: usize, column: usize) -> usize {
    let lines = yaml.split_inclusive('\n');
    let above: usize = lines.clone().take(line.saturating_sub(1)).map(str::len).sum();
    let rest = &yaml[above..];
    above + rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Bounds, yaml};

    const PIECES: &[&str] = &[
        "a: ", "name: ", "b:", "\n", "\n", "\n  ", "\n    ", "\r\n", " ", "- ", "- - ", "-", "?", "? ", ":", ": ", "x",
        "word two", "\"", "'", "''", "\"q\"", "'q'", "|\n", ">-\n", "|2\n", ">1+\n", " #c", "#", ",", "]", "}", "*",
        "!", "&", "%", "@", "`", "=", "<", ".", "...", "é", "🦀", "\u{a0}", "\u{feff}", "\u{200b}", "\u{fffd}", "1",
        "~", "/", "(", "$", "\n\n", "\n \n",
    ];

    #[test]
    fn odd_lines_need_the_second_parser() {
        for yaml in ["a:\tb", "a: [b]", "a: {b: c}", "a: \"\\n\"", "? a", "- ? a", ": a", "%YAML 1.1", "...", "--- a"] {
            assert!(!is_usual(yaml) && !is_usual(&format!("a: b\n{yaml}\n")), "{yaml}");
        }
        assert!(is_usual("a: b\n- c: 'd'\n-- e\n f: g ? h : i % j --- k ... l\n"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn both_parsers_accept_usual_yaml(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..16)) {
            let yaml = format!("a: b\n{}\n", pieces.concat());
            let source = YamlText { yaml: &yaml, file: FileId(0), offset: 0 };
            let mut faults = Vec::new();
            let bounds = Bounds { bytes: usize::MAX, nodes: usize::MAX, depth: 16, ..Bounds::NONE };
            let read = yaml::read(source, bounds, &mut faults).is_some();
            if read && is_usual(&yaml) && !faults.iter().any(|fault| is_reported(&fault.what)) {
                let second = IgnoredAny::deserialize(serde_yaml::Deserializer::from_str(&yaml));
                prop_assert!(second.is_ok(), "{second:?}");
            }
        }
    }
}
