//! Emulation of YAML libraries: whether a library rejects the YAML, and which fields it returns.

use std::borrow::Cow;

use super::reason::Reason;
use crate::front_matter::{
    Bounds, Fault, Field, LIBYAML_REJECTS, Node, NodeKind, PYYAML_REJECTS, SHALLOW_FLOW, Style, Values, What, YamlKind,
    is_read_by_libyaml, values,
};
use crate::profile::reading::Family;

mod alias;

/// Bounds of a front matter (the defaults of a check).
const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16 };

/// Result of a YAML library.
#[derive(Debug)]
pub(super) enum Reading {
    /// Fields; empty for an empty document.
    Fields(Vec<Field>),
    /// YAML that is not a mapping.
    NotAMap,
    /// The library rejects the YAML.
    Refused(Reason),
    /// Unknown.
    Unknown(Reason),
}

/// Parses YAML as a library does. `known` are the fields of the struct that it deserializes into, if any.
pub(super) fn read(yaml: &str, family: Family, known: &[String]) -> Reading {
    let text = with_final_newline(yaml, family);
    let mut read = values(&text, BOUNDS);
    alias::resolve(&mut read, &text);
    if family == Family::JsYaml3 && has_tab_fault(&read) {
        read = values(&without_leading_tabs(&text), BOUNDS);
    }
    if let Some(fault) = read.faults.iter().find(|fault| matches!(fault.what, What::TooComplex(_))) {
        return Reading::Unknown(Reason::Yaml(Some(fault.kind())));
    }
    let refusal = read.faults.iter().find(|fault| refuses(family, fault, &read, &text, known));
    if let Some(fault) = refusal {
        let is_ours_alone = matches!(fault.what, What::Yaml { .. }) && uses_libyaml(family);
        if is_ours_alone && is_read_by_libyaml(&text) {
            return Reading::Unknown(Reason::Yaml(Some(fault.kind())));
        }
        return Reading::Refused(Reason::Yaml(Some(fault.kind())));
    }
    match read.root {
        None => Reading::Fields(Vec::new()),
        Some(node) if is_empty(&node) => Reading::Fields(Vec::new()),
        Some(node) if family == Family::Strictyaml && has_flow(&node, text.as_bytes()) => {
            Reading::Refused(Reason::FlowCollection)
        }
        Some(Node { kind: NodeKind::Map(mut fields), .. }) => {
            let last = fields.last_mut().filter(|_| uses_libyaml(family) && !text.ends_with('\n'));
            if let Some(last) = last {
                trim_final_newline(&mut last.value);
            }
            Reading::Fields(fields)
        }
        Some(_) => Reading::NotAMap,
    }
}

/// Adds a final line ending for JavaScript libraries, which a block scalar then keeps; libyaml adds none.
fn with_final_newline(yaml: &str, family: Family) -> Cow<'_, str> {
    if uses_libyaml(family) || yaml.is_empty() || yaml.ends_with('\n') {
        Cow::Borrowed(yaml)
    } else {
        Cow::Owned(format!("{yaml}\n"))
    }
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
    !matches!(family, Family::JsYaml3 | Family::JsYaml4 | Family::Yaml2)
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

/// Returns whether a library rejects a fault.
fn refuses(family: Family, fault: &Fault, read: &Values, yaml: &str, known: &[String]) -> bool {
    use Family::{GoYaml3, JsYaml3, JsYaml4, Libyaml, Pyyaml, SerdeYaml, Strictyaml, Yaml2, YamlDotNet};
    match &fault.what {
        What::Yaml { .. } => true,
        What::SecondDocument => family != YamlDotNet,
        What::DuplicateKey { key, .. } => match family {
            JsYaml3 | JsYaml4 | Yaml2 | Strictyaml | GoYaml3 => true,
            SerdeYaml => known.contains(key) && is_top_level(read, fault),
            _ => false,
        },
        // Tags of YAML itself begin with `!!`; these libraries reject all others.
        What::Unportable("a tag") if !yaml[fault.place.range()].starts_with("!!") => {
            matches!(family, JsYaml3 | JsYaml4 | Libyaml | Pyyaml | Strictyaml)
        }
        What::Unportable("an anchor" | "an alias" | "a tag" | "a merge key") => family == Strictyaml,
        What::Disputed(said) if *said == PYYAML_REJECTS => matches!(family, Pyyaml | Strictyaml),
        What::Disputed(said) if *said == LIBYAML_REJECTS => uses_libyaml(family),
        What::Disputed(said) if *said == SHALLOW_FLOW => matches!(family, JsYaml3 | JsYaml4 | Strictyaml),
        What::ControlCharacter(_) => family != Yaml2,
        _ => false,
    }
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

/// Returns whether a tree contains a flow collection; places are offsets into the text.
fn has_flow(node: &Node, text: &[u8]) -> bool {
    let opens = |node: &Node| matches!(text.get(node.place.start as usize), Some(b'[' | b'{'));
    match &node.kind {
        NodeKind::Scalar { .. } => false,
        NodeKind::List(items) => opens(node) || items.iter().any(|item| has_flow(item, text)),
        NodeKind::Map(fields) => opens(node) || have_flow(fields, text),
    }
}

/// Returns whether any field value contains a flow collection.
pub(super) fn have_flow(fields: &[Field], text: &[u8]) -> bool {
    fields.iter().any(|field| has_flow(&field.value, text))
}
