//! Emulation of YAML libraries: whether a library rejects the YAML, and which fields it returns.

use std::borrow::Cow;

use super::reason::Reason;
use crate::profile::reading::Family;
use skilltree_front_matter::{
    Bounds, Dispute, Fault, FaultKind, Feature, Field, Node, NodeKind, Style, Values, What, YamlKind,
    is_read_by_libyaml, values, values_by_libyaml,
};

mod alias;
mod controls;
mod flow;
mod lenient;
mod surrogate;
mod tag;

/// Bounds of a front matter (ours; above those of a check, because no runtime has them).
const BOUNDS: Bounds = Bounds { bytes: 1 << 20, nodes: 20_000, depth: 64, ..Bounds::NONE };

/// Result of a YAML library.
#[derive(Debug)]
pub(super) enum Reading {
    /// Fields; empty for an empty document.
    Fields(Vec<Field>),
    /// YAML that is not a mapping.
    NotAMapping,
    /// The library rejects the YAML.
    Refused(Reason),
    /// Unknown.
    Unknown(Reason),
}

/// Parses YAML as a library does. `known` are the fields of the struct that it deserializes into, if any.
pub(super) fn read(yaml: &str, family: Family, known: &[String]) -> Reading {
    let begins = yaml.trim_start_matches('\n');
    let marked;
    let yaml = match begins.strip_prefix('\u{feff}') {
        Some(_) if matches!(family, Family::SerdeYaml | Family::SerdeYamlValues | Family::JsYaml3) => {
            return Reading::Refused(Reason::Yaml(Some(FaultKind::ByteOrderMark)));
        }
        // libyaml skips a mark at the start of a line, and then finds no mapping.
        Some(_) if begins.len() < yaml.len() && family == Family::Libyaml => {
            return Reading::Refused(Reason::Yaml(Some(FaultKind::ByteOrderMark)));
        }
        // These libraries skip a mark at the very start only; anywhere else it is part of a key.
        Some(_) if begins.len() < yaml.len() && matches!(family, Family::Pyyaml | Family::Strictyaml) => {
            marked = yaml.replacen('\u{feff}', "\u{fffd}", 1);
            &marked
        }
        Some(rest) => rest,
        None => yaml,
    };
    let text = with_final_newline(yaml, family);
    let text =
        if accepts_controls(family) { Cow::Owned(controls::masked(&text, family == Family::Yaml2)) } else { text };
    let text = if surrogate::joins(family) { surrogate::joined(text, family) } else { text };
    let mut reading = read_masked(&text, family, known);
    if let Reading::Fields(fields) = &mut reading {
        controls::unmask(fields);
    }
    reading
}

fn read_masked(text: &str, family: Family, known: &[String]) -> Reading {
    let mut read = values(text, BOUNDS);
    if family == Family::VsCode {
        return lenient(read, text);
    }
    alias::resolve(&mut read, text, merges(family));
    tag::resolve(&mut read, text, family);
    if family == Family::Bun && has_tab_fault(&read) {
        read = values(&with_spaces_for_tabs(text), BOUNDS);
    }
    if family == Family::JsYaml3 && has_tab_fault(&read) && !text.trim_start_matches('\n').starts_with('\t') {
        read = values(&without_leading_tabs(text), BOUNDS);
    }
    if let Some(fault) = read.faults.iter().find(|fault| matches!(fault.what, What::TooComplex(_))) {
        return Reading::Unknown(Reason::Yaml(Some(fault.kind())));
    }
    let refusal = read.faults.iter().find(|fault| refuses(family, fault, &read, text, known));
    if let Some(fault) = refusal {
        let reason = Reason::Yaml(Some(fault.kind()));
        if !matches!(fault.what, What::Yaml { .. }) || !follows_libyaml(family) {
            return Reading::Refused(reason);
        }
        return match values_by_libyaml(text) {
            Some(fields) => Reading::Fields(fields),
            // The values are unknown, for example because of a duplicate key.
            None if is_read_by_libyaml(text) => Reading::Unknown(reason),
            None => Reading::Refused(reason),
        };
    }
    let has_directive = || text.lines().any(|line| line.starts_with('%'));
    if read.root.is_none() && has_directive() {
        return Reading::Refused(Reason::Yaml(Some(FaultKind::Unportable)));
    }
    // YAML 1.1 folds these line breaks.
    if uses_libyaml(family)
        && text.contains(['\u{85}', '\u{2028}', '\u{2029}'])
        && let Some(fields) = values_by_libyaml(text)
    {
        return Reading::Fields(fields);
    }
    // libyaml decides about YAML that the linter's own parser reads in one of several ways.
    let odd = read.faults.iter().find(|fault| matches!(fault.what, What::Unportable(_) | What::Disputed(_)));
    if let Some(fault) = odd.filter(|_| uses_libyaml(family) && !is_read_by_libyaml(text)) {
        return Reading::Refused(Reason::Yaml(Some(fault.kind())));
    }
    match read.root {
        None => Reading::Fields(Vec::new()),
        Some(node) if is_empty(&node) => Reading::Fields(Vec::new()),
        Some(node) if family == Family::Strictyaml && node.has_flow(text.as_bytes()) => {
            Reading::Refused(Reason::FlowCollection)
        }
        Some(Node { kind: NodeKind::Map(mut fields), .. }) => {
            // A comment ends the scalar before the text ends.
            let is_cut = !text.ends_with('\n') && !text.lines().last().is_some_and(|line| line.starts_with('#'));
            let last = fields.last_mut().filter(|_| uses_libyaml(family) && is_cut);
            if let Some(last) = last {
                trim_final_newline(&mut last.value);
            }
            Reading::Fields(fields)
        }
        Some(_) => Reading::NotAMapping,
    }
}

/// Reads as VS Code does: YAML without a fault as all do, other YAML key by key.
fn lenient(read: Values, text: &str) -> Reading {
    match read.root {
        Some(Node { kind: NodeKind::Map(fields), .. }) if read.faults.is_empty() => Reading::Fields(fields),
        None if text.trim().is_empty() => Reading::Fields(Vec::new()),
        _ => Reading::Fields(lenient::fields(text)),
    }
}

/// Returns whether a quoted string contains half of a surrogate pair as an escape.
pub(super) fn has_half(yaml: &str) -> bool {
    surrogate::joined(Cow::Borrowed(yaml), Family::Yaml2) != yaml
}

/// Adds a final line ending for JavaScript libraries, which a block scalar then keeps; libyaml adds none.
fn with_final_newline(yaml: &str, family: Family) -> Cow<'_, str> {
    if uses_libyaml(family) || yaml.is_empty() || yaml.ends_with('\n') {
        Cow::Borrowed(yaml)
    } else {
        Cow::Owned(format!("{yaml}\n"))
    }
}

/// Returns the fields of a text as if its final line ending were removed. A block scalar is the last one.
pub(super) fn without_final_line_ending(fields: &[Field], family: Family) -> Cow<'_, [Field]> {
    let ends = fields.last().and_then(|last| last.value.scalar()).is_some_and(|text| text.ends_with('\n'));
    let mut fields = Cow::Borrowed(fields);
    if uses_libyaml(family)
        && ends
        && let Some(last) = fields.to_mut().last_mut()
    {
        trim_final_newline(&mut last.value);
    }
    fields
}

/// Removes the final line ending of a trailing block scalar if the text has none.
fn trim_final_newline(node: &mut Node) {
    if let NodeKind::Scalar { text, style: Style::Literal | Style::Folded, .. } = &mut node.kind
        && text.ends_with('\n')
    {
        text.pop();
    }
}

/// Returns whether a library uses libyaml or a port of its scanner.
fn uses_libyaml(family: Family) -> bool {
    !matches!(family, Family::JsYaml3 | Family::JsYaml4 | Family::Yaml2 | Family::Bun | Family::VsCode)
}

/// Returns whether a library accepts what libyaml accepts: also js-yaml, which was written after PyYAML.
fn follows_libyaml(family: Family) -> bool {
    !matches!(family, Family::Yaml2 | Family::Bun)
}

/// Returns whether a library accepts control characters.
fn accepts_controls(family: Family) -> bool {
    matches!(family, Family::Yaml2 | Family::Bun | Family::VsCode)
}

/// Returns whether a library follows merge keys.
fn merges(family: Family) -> bool {
    matches!(family, Family::JsYaml3 | Family::JsYaml4 | Family::Libyaml | Family::Pyyaml | Family::Bun)
}

fn has_tab_fault(read: &Values) -> bool {
    read.faults.iter().any(|fault| matches!(fault.what, What::Yaml { kind: YamlKind::Tab, .. }))
}

/// YAML as js-yaml 3 reads it: only leading spaces indent a line, and tabs after them are ignored.
fn without_leading_tabs(yaml: &str) -> String {
    let mut text = String::with_capacity(yaml.len());
    for line in yaml.split_inclusive('\n') {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        text.push_str(&line[..spaces]);
        let rest = &line[spaces..];
        text.push_str(if rest.starts_with('\t') { rest.trim_start_matches([' ', '\t']) } else { rest });
    }
    text
}

/// YAML as Bun reads it: a tab indents a line like a space.
fn with_spaces_for_tabs(yaml: &str) -> String {
    let mut text = String::with_capacity(yaml.len());
    for line in yaml.split_inclusive('\n') {
        let rest = line.trim_start_matches([' ', '\t']);
        text.extend(std::iter::repeat_n(' ', line.len() - rest.len()));
        text.push_str(rest);
    }
    text
}

/// Returns whether a library rejects a fault.
fn refuses(family: Family, fault: &Fault, read: &Values, yaml: &str, known: &[String]) -> bool {
    use Family::{
        Bun, GoYaml3, JsYaml3, JsYaml4, Libyaml, Pyyaml, SerdeYaml, SerdeYamlValues, Strictyaml, Yaml2, YamlDotNet,
    };
    match &fault.what {
        What::Yaml { .. } => true,
        What::SecondDocument => family != YamlDotNet,
        What::DuplicateKey { key, .. } => match family {
            JsYaml3 | JsYaml4 | Yaml2 | Strictyaml | SerdeYamlValues | GoYaml3 => true,
            SerdeYaml => known.contains(key) && is_top_level(read, fault),
            _ => false,
        },
        // Tags of YAML itself begin with `!!`; these libraries reject all others.
        What::Unportable(Feature::Tag) if !is_known_tag(&yaml[fault.place.range()]) => {
            matches!(family, JsYaml3 | JsYaml4 | Libyaml | Pyyaml | Strictyaml)
        }
        What::Unportable(Feature::UndefinedAlias) => true,
        What::Unportable(Feature::Directive | Feature::LineBreak(_)) => false,
        What::Unportable(_) => family == Strictyaml,
        What::Disputed(dispute) => match dispute {
            Dispute::Tab => matches!(family, Pyyaml | Strictyaml),
            Dispute::Libyaml => uses_libyaml(family),
            Dispute::ShallowFlow => match family {
                Strictyaml => true,
                JsYaml3 | JsYaml4 => flow::divides_plain(read.root.as_ref(), yaml),
                Yaml2 | Bun => flow::ends_early(read.root.as_ref(), yaml),
                _ => false,
            },
            Dispute::EmptyKey => uses_libyaml(family) || matches!(family, JsYaml3 | JsYaml4),
            Dispute::ListKey | Dispute::MapKey => matches!(family, SerdeYaml | Libyaml | Pyyaml | Strictyaml),
        },
        What::ControlCharacter(character) => !matches!(family, Yaml2 | Bun) || *character == '\0',
        _ => false,
    }
}

/// Returns whether a library of YAML 1.1 knows a tag; a lone `!` is a string.
fn is_known_tag(tag: &str) -> bool {
    tag == "!" || tag.strip_prefix("!!").is_some_and(|name| !name.contains('/'))
}

/// Returns whether a fault concerns a key of the outermost mapping.
fn is_top_level(read: &Values, fault: &Fault) -> bool {
    let Some(Node { kind: NodeKind::Map(fields), .. }) = &read.root else { return false };
    fields.iter().any(|field| field.key.place == fault.place)
}

fn is_empty(node: &Node) -> bool {
    matches!(&node.kind, NodeKind::Scalar { text, .. } if text.is_empty()) || node.scalar().is_none() && is_scalar(node)
}

fn is_scalar(node: &Node) -> bool {
    matches!(node.kind, NodeKind::Scalar { .. })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_duplicate_key_that_only_libyaml_reads_unknown() {
        // A line separator ends a line only in YAML 1.1. In YAML 1.2, one value has two colons.
        let text = "\u{2028}e: to-\u{2028}e: k";
        let reading = |family| read(text, family, &[]);
        for family in [Family::SerdeYaml, Family::Pyyaml, Family::GoYaml3] {
            assert!(matches!(reading(family), Reading::Unknown(Reason::Yaml(Some(_)))), "{family:?}");
        }
        assert!(matches!(reading(Family::Yaml2), Reading::Refused(Reason::Yaml(Some(_)))));
    }

    #[test]
    fn javascript_libraries_differ_in_shallow_flow_collections() {
        // Each text as js-yaml 3.14.1 and 4.1.0, yaml 2.8 and PyYAML 6 read it.
        let cases = [
            ("a: 1\ntags: [\n  mail,\n  day\n]\nb: 2\n", [true, true, true]),
            ("a: 1\ntags: [\na,\nb\n]\nb: 2\n", [true, false, true]),
            ("metadata: {\n  a: 1\n}\n", [true, true, true]),
            ("m:\n  t: [\n  a,\n  b\n  ]\n", [true, false, true]),
            ("m:\n  t: [\n    a,\n    b\n]\nc: 1\n", [true, false, true]),
            ("t: [\n  [\n  a\n],\n  b\n]\n", [true, false, true]),
            ("t: [\n# c\n  a\n]\n", [true, true, true]),
            ("t: [a\nb, c]\n", [false, false, true]),
            ("t: [\"a\nb\", c]\n", [true, false, true]),
            ("t: {a: [\n 1\n]}\n", [true, false, true]),
            ("t: [\n  a\n], b\n", [false, false, false]),
        ];
        let is_read = |text: &str, family| matches!(read(text, family, &[]), Reading::Fields(_));
        for (text, [js_yaml, yaml_2, libyaml]) in cases {
            assert_eq!(is_read(text, Family::JsYaml3), js_yaml, "{text}");
            assert_eq!(is_read(text, Family::JsYaml4), js_yaml, "{text}");
            assert_eq!(is_read(text, Family::Yaml2), yaml_2, "{text}");
            assert_eq!(is_read(text, Family::Pyyaml), libyaml, "{text}");
        }
    }

    #[test]
    fn joins_escapes_of_json_where_a_library_does() {
        let text = "a: 1\nd: \"S \\ud83d\\udce7\"\n";
        let shown = |family| match read(text, family, &[]) {
            Reading::Fields(fields) => fields[1].value.scalar().map(str::to_owned),
            _ => None,
        };
        for family in [Family::JsYaml3, Family::JsYaml4, Family::Yaml2, Family::Pyyaml, Family::Strictyaml, Family::Bun]
        {
            assert_eq!(shown(family).as_deref(), Some("S \u{1f4e7}"), "{family:?}");
        }
        assert_eq!([Family::Libyaml, Family::SerdeYaml].map(shown), [None, None]);
    }

    #[test]
    fn serde_yaml_rejects_duplicate_of_known_top_level_key() {
        let is_refused = |text, family| matches!(read(text, family, &["name".to_owned()]), Reading::Refused(_));
        let (outer, inner) = ("name: a\nname: b\n", "name: a\nmetadata:\n  name: b\n  name: c\n");
        let of = |family| [outer, inner, "x: a\nx: b\n"].map(|text| is_refused(text, family));
        assert_eq!(of(Family::SerdeYaml), [true, false, false]);
        assert_eq!(of(Family::JsYaml4), [true; 3]);
        assert_eq!(of(Family::Pyyaml), [false; 3]);
    }
}
