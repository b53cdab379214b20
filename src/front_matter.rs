//! Fences and YAML to fields with exact places. It cannot fail: what is wrong is a [`Fault`], and what can be read
//! is read all the same.
//!
//! granit-parser is the truth about spans; libyaml (through serde_yaml) is a second opinion, because loaders that
//! stand on PyYAML drop what libyaml refuses.

use std::borrow::Cow;

use crate::text::{FileId, Place, Spanned};

mod comment;
mod duplicates;
mod encoding;
mod fault;
mod fences;
mod lines;
mod repeated;
mod scalar;
mod second_opinion;
mod tabs;
mod yaml;

pub use fault::{Fault, FaultKind, Fence, FenceFlaw, Instead, MeantFence, What, YamlKind};
pub use second_opinion::{LIBYAML_REFUSES, is_read_by_libyaml};
pub use tabs::PYYAML_REFUSES;
pub use yaml::SHALLOW_FLOW;

/// The part of a SKILL.md between its fences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontMatter {
    /// The fields of the top-level mapping in the order of the file; none when the YAML is no mapping or does not parse.
    pub fields: Option<Vec<Field>>,
    /// The opening fence without its line end: where a missing field is shown.
    pub opener: Place,
    /// The YAML between the fences.
    pub yaml: Place,
    /// The first line of another front matter directly behind this one, which no runtime reads.
    pub repeated: Option<Place>,
    /// Its comments, each from its `#` to the end of the line; none when there are no fields.
    pub comments: Vec<Place>,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key as text.
    pub key: Spanned<String>,
    /// The value.
    pub value: Node,
}

/// A value of the YAML with its place. The place of a block scalar is its content without the header, from the first
/// character of its first line to the last of its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub kind: NodeKind,
    /// Where it stands; an empty value's place is its key's.
    pub place: Place,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A scalar.
    Scalar {
        /// The value after folding and escapes.
        text: String,
        /// How it is written.
        style: Style,
        /// What the YAML families make of it.
        kind: ScalarKind,
    },
    /// A sequence.
    List(Vec<Node>),
    /// A mapping.
    Map(Vec<Field>),
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Without quotes.
    Plain,
    /// In single quotes.
    SingleQuoted,
    /// In double quotes.
    DoubleQuoted,
    /// A literal block, `|`.
    Literal,
    /// A folded block, `>`.
    Folded,
}

/// What the YAML families make of a scalar. Where YAML 1.1 (PyYAML, libyaml, js-yaml 3) and 1.2 disagree, the one that
/// is not a string counts: a loader of that family loses the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// Text to everybody.
    Text,
    /// Nothing at all, `null` or `~`.
    Null,
    /// `true`, `no`, `on` and their kin.
    Boolean,
    /// An integer or a float in any of YAML's forms.
    Number,
    /// A date or a time.
    Timestamp,
}

/// The limits that stop parsing: what is over them is a [`What::TooComplex`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes between the fences.
    pub bytes: usize,
    /// Nodes of the YAML.
    pub nodes: usize,
    /// Depth of nesting.
    pub depth: usize,
}

/// A file taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<'a> {
    /// The text of the file, as far as it is UTF-8; `None` when it is no text at all.
    pub text: Option<&'a str>,
    /// What stands between the fences; `None` when there are none.
    pub front_matter: Option<FrontMatter>,
    /// What is wrong, in the order of the file.
    pub faults: Vec<Fault>,
    /// The offset of the first byte of the body: behind the closing fence's line.
    pub body_start: usize,
}

/// Takes a SKILL.md apart.
pub fn read(file: FileId, bytes: &[u8], bounds: Bounds) -> Reading<'_> {
    if let Some(fault) = encoding::no_text(file, bytes) {
        return Reading { text: None, front_matter: None, faults: vec![fault], body_start: 0 };
    }
    let mut faults = Vec::new();
    let text = encoding::decode(file, bytes, &mut faults);
    let fences = fences::find(file, bytes, &mut faults);
    encoding::check_nul(file, bytes, &mut faults);
    encoding::check_line_ends(file, bytes, fences.body_start, &mut faults);
    let front_matter = fences.found.map(|found| {
        let mapping = match text.get(found.yaml.clone()) {
            Some(yaml) if found.closed => mapping(file, yaml, &found, bounds, &mut faults),
            _ => None,
        };
        let (fields, comments) = mapping.map_or((None, Vec::new()), |(fields, comments)| (Some(fields), comments));
        FrontMatter {
            fields,
            opener: Place::new(file, found.opener),
            yaml: Place::new(file, found.yaml),
            repeated: found.repeated.map(|line| Place::new(file, line)),
            comments,
        }
    });
    faults.sort_by_key(|fault| (fault.place.start, fault.place.end));
    Reading { text: Some(text), front_matter, faults, body_start: fences.body_start }
}

/// What stands in a YAML, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The root of the document; `None` when nothing stands there, or when it could not be read.
    pub root: Option<Node>,
    /// What is wrong with it. Where it is no YAML or over the bounds, there is no root and a fault says so.
    pub faults: Vec<Fault>,
}

/// Reads a YAML that stands somewhere else than between the fences of a file: what a runtime takes for one. Places are
/// offsets of the YAML itself.
pub fn values(yaml: &str, bounds: Bounds) -> Values {
    let mut faults = Vec::new();
    let root = document(FileId(0), yaml, 0, bounds, &mut faults).and_then(|document| document.root);
    Values { root, faults }
}

/// The fields of the YAML between two fences and the comments there, unless it has none.
fn mapping(
    file: FileId,
    yaml: &str,
    found: &fences::Found,
    bounds: Bounds,
    faults: &mut Vec<Fault>,
) -> Option<(Vec<Field>, Vec<Place>)> {
    let offset = found.yaml.start;
    let document = document(file, yaml, offset, bounds, faults)?;
    match document.root {
        Some(Node { kind: NodeKind::Map(fields), .. }) => {
            let source = yaml::Source { yaml, file, offset };
            let comments = document.comments.into_iter().map(|comment| source.place(comment)).collect();
            Some((fields, comments))
        }
        root => {
            let place = root.as_ref().map_or(Place::new(file, found.opener.clone()), |node| node.place);
            faults.push(Fault { what: What::NotAMap(root.as_ref().map_or("empty", kind_of_root)), place });
            None
        }
    }
}

/// The YAML at an offset of a file; `None` when it is none or over the bounds.
fn document(
    file: FileId,
    yaml: &str,
    offset: usize,
    bounds: Bounds,
    faults: &mut Vec<Fault>,
) -> Option<yaml::Document> {
    if yaml.len() > bounds.bytes {
        let over = yaml::position::line(yaml, bounds.bytes);
        let place = Place::new(file, offset + over.start..offset + over.end);
        faults.push(Fault { what: What::TooComplex("has more bytes than the limit"), place });
        return None;
    }
    let readable = encoding::check_controls(file, yaml, offset, faults);
    let source = yaml::Source { yaml: &readable, file, offset };
    let document = yaml::read(source, bounds, faults)?;
    if let Some(Node { kind: NodeKind::Map(fields), .. }) = &document.root {
        let as_written = matches!(readable, Cow::Borrowed(_));
        if as_written {
            second_opinion::ask(source, faults);
        }
        comment::note_cuts(source, fields, &document.comments, faults);
        if as_written {
            tabs::note(source, fields, &document.comments, faults);
        }
    }
    Some(document)
}

fn kind_of_root(node: &Node) -> &'static str {
    match &node.kind {
        NodeKind::List(_) => "a list",
        NodeKind::Map(_) => "a map",
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => "empty",
        NodeKind::Scalar { .. } => "a text",
    }
}

#[cfg(test)]
mod tests;
