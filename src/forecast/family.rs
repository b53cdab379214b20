//! What a YAML library makes of a YAML: whether it refuses it, and with what fields it comes away.

use std::borrow::Cow;

use super::reason::Reason;
use crate::front_matter::{
    Bounds, Fault, Field, LIBYAML_REFUSES, Node, NodeKind, PYYAML_REFUSES, SHALLOW_FLOW, Style, Values, What, YamlKind,
    is_read_by_libyaml, values,
};
use crate::profile::reading::Family;

mod alias;

/// The bounds of a front matter (the same that a check has when nobody sets others).
const BOUNDS: Bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16 };

/// What a library makes of a YAML.
#[derive(Debug)]
pub(super) enum Reading {
    /// Fields; none when there is nothing.
    Fields(Vec<Field>),
    /// YAML that is no mapping.
    NotAMap,
    /// No YAML to this library.
    Refused(Reason),
    /// Nobody knows.
    Unknown(Reason),
}

/// Reads a YAML as a library does. `known` are the fields of the struct it is read into, if it is.
pub(super) fn read(yaml: &str, family: Family, known: &[String]) -> Reading {
    let text = ended(yaml, family);
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
                end_with_text(&mut last.value);
            }
            Reading::Fields(fields)
        }
        Some(_) => Reading::NotAMap,
    }
}

/// Libraries for JavaScript end a last line that has no end, which a block scalar then keeps; libyaml does not.
fn ended(yaml: &str, family: Family) -> Cow<'_, str> {
    if uses_libyaml(family) || yaml.is_empty() || yaml.ends_with('\n') {
        Cow::Borrowed(yaml)
    } else {
        Cow::Owned(format!("{yaml}\n"))
    }
}

/// Takes the line end off a block scalar that is the last thing of a text without a last line end.
fn end_with_text(node: &mut Node) {
    if let NodeKind::Scalar { text, style: Style::Literal | Style::Folded, .. } = &mut node.kind
        && text.ends_with('\n')
    {
        text.pop();
    }
}

/// Whether a library stands on libyaml or on one of its translations, scanner by scanner.
fn uses_libyaml(family: Family) -> bool {
    !matches!(family, Family::JsYaml3 | Family::JsYaml4 | Family::Yaml2)
}

fn has_tab_fault(read: &Values) -> bool {
    read.faults.iter().any(|fault| matches!(fault.what, What::Yaml { kind: YamlKind::Tab, .. }))
}

/// The YAML as js-yaml 3 sees it: the indentation of a line is its leading spaces, and a tab behind them is nothing.
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

/// Whether a fault makes a library give up.
fn refuses(family: Family, fault: &Fault, read: &Values, yaml: &str, known: &[String]) -> bool {
    use Family::{JsYaml3, JsYaml4, Libyaml, Pyyaml, SerdeYaml, Strictyaml, Yaml2, YamlDotNet};
    match &fault.what {
        What::Yaml { .. } => true,
        What::SecondDocument => family != YamlDotNet,
        What::DuplicateKey { key, .. } => match family {
            JsYaml3 | JsYaml4 | Yaml2 | Strictyaml => true,
            SerdeYaml => known.contains(key) && is_top_level(read, fault),
            _ => false,
        },
        // A tag of YAML's own begins with `!!`; of any other these do not know what to make.
        What::Unportable("a tag") if !yaml[fault.place.range()].starts_with("!!") => {
            matches!(family, JsYaml3 | JsYaml4 | Libyaml | Pyyaml | Strictyaml)
        }
        What::Unportable("an anchor" | "an alias" | "a tag" | "a merge key") => family == Strictyaml,
        What::Disputed(said) if *said == PYYAML_REFUSES => matches!(family, Pyyaml | Strictyaml),
        What::Disputed(said) if *said == LIBYAML_REFUSES => uses_libyaml(family),
        What::Disputed(said) if *said == SHALLOW_FLOW => matches!(family, JsYaml3 | JsYaml4 | Strictyaml),
        What::ControlCharacter(_) => family != Yaml2,
        _ => false,
    }
}

/// Whether a fault is about a key of the outermost mapping.
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

/// Whether a flow collection stands in a tree; the places are offsets of the text.
fn has_flow(node: &Node, text: &[u8]) -> bool {
    let opens = |node: &Node| matches!(text.get(node.place.start as usize), Some(b'[' | b'{'));
    match &node.kind {
        NodeKind::Scalar { .. } => false,
        NodeKind::List(items) => opens(node) || items.iter().any(|item| has_flow(item, text)),
        NodeKind::Map(fields) => opens(node) || have_flow(fields, text),
    }
}

/// Whether a flow collection stands in the values of some fields.
pub(super) fn have_flow(fields: &[Field], text: &[u8]) -> bool {
    fields.iter().any(|field| has_flow(&field.value, text))
}
