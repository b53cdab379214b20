//! Parses fences and YAML into fields with exact places. Parsing cannot fail: errors are [`Fault`]s, and everything
//! readable is still read.
//!
//! Spans come from granit-parser. libyaml (through serde_yaml) is the second opinion, because loaders based on PyYAML
//! drop what libyaml rejects.

use std::borrow::Cow;

use crate::text::{FileId, Place, Spanned};

pub mod text;
mod comment;
mod duplicates;
mod encoding;
mod feature;
mod fault;
mod fences;
mod lines;
mod repeated;
mod scalar;
mod second_opinion;
mod tabs;
mod yaml;

pub use encoding::is_lfs_pointer;
pub use fault::{Fault, FaultKind, Fence, FenceFlaw, Instead, IntendedFence, Slip, What, YamlKind};
pub use feature::{ByteOrder, Dispute, Excess, Feature, OtherRoot};
pub use second_opinion::{is_read_by_libyaml, values_by_libyaml};

/// The part of a SKILL.md between its fences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrontMatter {
    /// The fields of the top-level mapping in the order of the file; `None` if the YAML is not a mapping or does not
    /// parse.
    pub fields: Option<Vec<Field>>,
    /// The opening fence without its line ending: the place to show for a missing field.
    pub opener: Place,
    /// The YAML between the fences.
    pub yaml: Place,
    /// The first line of a second front matter directly after this one, which no runtime reads.
    pub repeated: Option<Place>,
    /// Its comments, each from its `#` to the end of the line; empty without fields.
    pub comments: Vec<Place>,
    /// Whether it has fields, and nothing that libyaml may reject: no tab, flow collection, escape, explicit or empty key, or
    /// document marker.
    pub is_usual: bool,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key as a string.
    pub key: Spanned<String>,
    /// The value.
    pub value: Node,
}

/// A YAML value with its place. The place of a block scalar is its content without the header, from the first character
/// of its first line to the last of its last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its kind.
    pub kind: NodeKind,
    /// Its place; an empty value has the place of its key.
    pub place: Place,
}

/// The kind of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A scalar.
    Scalar {
        /// The value after folding and escapes.
        text: String,
        /// The quoting or block style.
        style: Style,
        /// The type that the YAML versions read.
        kind: ScalarKind,
    },
    /// A sequence.
    List(Vec<Node>),
    /// A mapping.
    Map(Vec<Field>),
}

impl Node {
    /// Returns a field by name; `None` if this is not a mapping or lacks it.
    pub fn field(&self, key: &str) -> Option<&Field> {
        match &self.kind {
            NodeKind::Map(fields) => fields.iter().find(|field| field.key.value == key),
            _ => None,
        }
    }

    /// Returns whether it is or contains a flow collection; places are offsets into the text.
    pub fn has_flow(&self, text: &[u8]) -> bool {
        let opens = || matches!(text.get(self.place.start as usize), Some(b'[' | b'{'));
        match &self.kind {
            NodeKind::Scalar { .. } => false,
            NodeKind::List(items) => opens() || items.iter().any(|item| item.has_flow(text)),
            NodeKind::Map(fields) => opens() || fields.iter().any(|field| field.value.has_flow(text)),
        }
    }

    /// Returns the text if every YAML version reads a string.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { text, kind: ScalarKind::Text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the scalar as written, of any type; `None` for null, lists and mappings.
    pub fn scalar(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { kind: ScalarKind::Null, .. } => None,
            NodeKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns whether the value is null or only whitespace.
    pub fn is_blank(&self) -> bool {
        match &self.kind {
            NodeKind::Scalar { kind: ScalarKind::Null, .. } => true,
            NodeKind::Scalar { text, .. } => text.trim().is_empty(),
            _ => false,
        }
    }

    /// Returns the words of a list or of a comma-separated string, trimmed.
    pub fn words(&self) -> Vec<&str> {
        let words: Vec<&str> = match &self.kind {
            NodeKind::List(items) => items.iter().filter_map(Self::scalar).collect(),
            _ => self.scalar().unwrap_or_default().split(',').collect(),
        };
        words.into_iter().map(str::trim).filter(|word| !word.is_empty()).collect()
    }

    /// Returns whether a list, or a comma-separated string, has no words.
    pub fn has_no_words(&self) -> bool {
        match &self.kind {
            NodeKind::Map(_) => false,
            NodeKind::List(items) => items.iter().all(Self::is_blank),
            NodeKind::Scalar { text, .. } => self.is_blank() || text.split(',').all(|word| word.trim().is_empty()),
        }
    }
}

/// The style of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Unquoted.
    Plain,
    /// Single-quoted.
    SingleQuoted,
    /// Double-quoted.
    DoubleQuoted,
    /// A literal block, `|`.
    Literal,
    /// A folded block, `>`.
    Folded,
}

/// The type of a scalar. If YAML 1.1 (PyYAML, libyaml, js-yaml 3) and 1.2 disagree, the type that is not a string
/// counts, because loaders of that version lose the string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// A string in every YAML version.
    Text,
    /// Null: `null`, `~` or nothing.
    Null,
    /// `true`, `no`, `on` and similar.
    Boolean,
    /// An integer or a float in any YAML notation.
    Number,
    /// A date or a time.
    Timestamp,
}

/// Limits on a file. Exceeding one of the front matter is a [`What::TooComplex`]; those of the body are for the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Bytes between the fences.
    pub bytes: usize,
    /// Nodes of the YAML.
    pub nodes: usize,
    /// Depth of nesting.
    pub depth: usize,
    /// Lines of the body.
    pub body_lines: usize,
    /// Estimated tokens of the body.
    pub body_tokens: usize,
}

impl Bounds {
    /// No limits.
    pub const NONE: Self = Self {
        bytes: usize::MAX,
        nodes: usize::MAX,
        depth: usize::MAX,
        body_lines: usize::MAX,
        body_tokens: usize::MAX,
    };
}

/// A parsed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<'a> {
    /// The valid UTF-8 prefix of the file; `None` if the file is not text.
    pub text: Option<&'a str>,
    /// The front matter; `None` without fences.
    pub front_matter: Option<FrontMatter>,
    /// Faults, in the order of the file.
    pub faults: Vec<Fault>,
    /// The offset of the first byte of the body, after the closing fence's line.
    pub body_start: usize,
}

/// Returns the keys of a text with something else in place of their colons, each with the range of that separator: `name = pdf`.
pub fn odd_separators(yaml: &[u8]) -> Vec<(&[u8], std::ops::Range<usize>)> {
    let odd = lines::lines(yaml, 0).filter_map(|line| {
        let (key, value) = lines::odd_key(line.of(yaml))?;
        Some((key, line.start + key.len()..line.start + value))
    });
    odd.collect()
}

/// Parses a SKILL.md.
pub fn read(file: FileId, bytes: &[u8], bounds: Bounds) -> Reading<'_> {
    if let Some(fault) = encoding::not_text(file, bytes) {
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
        let is_usual = mapping.as_ref().is_some_and(|mapping| mapping.is_usual);
        let (fields, comments) = mapping.map_or((None, Vec::new()), |found| (Some(found.fields), found.comments));
        FrontMatter {
            fields,
            opener: Place::new(file, found.opener),
            yaml: Place::new(file, found.yaml),
            repeated: found.repeated.map(|line| Place::new(file, line)),
            comments,
            is_usual,
        }
    });
    faults.sort_by_key(|fault| (fault.place.start, fault.place.end));
    Reading { text: Some(text), front_matter, faults, body_start: fences.body_start }
}

/// A parsed YAML document and its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Values {
    /// The root of the document; `None` if it is empty or could not be read.
    pub root: Option<Node>,
    /// Its faults. Invalid or too complex YAML has a fault and no root.
    pub faults: Vec<Fault>,
}

/// Parses YAML that is not in a file, such as the text that a runtime takes for front matter. Places are offsets in
/// `yaml`.
pub fn values(yaml: &str, bounds: Bounds) -> Values {
    let mut faults = Vec::new();
    let root = document(FileId(0), yaml, 0, bounds, &mut faults).and_then(|document| document.root);
    encoding::check_nul(FileId(0), yaml.as_bytes(), &mut faults);
    Values { root, faults }
}

/// Parses a YAML file. Places are offsets in the file. A byte order mark is skipped, as YAML parsers do.
pub fn yaml_file(file: FileId, bytes: &[u8], bounds: Bounds) -> Values {
    if let Some(fault) = encoding::not_text(file, bytes) {
        return Values { root: None, faults: vec![fault] };
    }
    let mut faults = Vec::new();
    let text = encoding::decode(file, bytes, &mut faults);
    if !faults.is_empty() {
        return Values { root: None, faults };
    }
    let yaml = text.trim_start_matches('\u{feff}');
    let root = document(file, yaml, text.len() - yaml.len(), bounds, &mut faults).and_then(|document| document.root);
    Values { root, faults }
}

/// A mapping with its comments.
struct Mapping {
    fields: Vec<Field>,
    comments: Vec<Place>,
    is_usual: bool,
}

/// Returns the mapping between the fences; `None` if it is not a mapping.
fn mapping(
    file: FileId,
    yaml: &str,
    found: &fences::Found,
    bounds: Bounds,
    faults: &mut Vec<Fault>,
) -> Option<Mapping> {
    let offset = found.yaml.start;
    let document = document(file, yaml, offset, bounds, faults)?;
    match document.root {
        Some(Node { kind: NodeKind::Map(fields), .. }) => {
            let source = yaml::YamlText { yaml, file, offset };
            let comments = document.comments.into_iter().map(|comment| source.place(comment)).collect();
            Some(Mapping { fields, comments, is_usual: document.is_usual })
        }
        root => {
            let place = root.as_ref().map_or(Place::new(file, found.opener.clone()), |node| node.place);
            faults.push(Fault { what: What::NotAMapping(root.as_ref().map_or(OtherRoot::Empty, kind_of_root)), place });
            None
        }
    }
}

/// Parses the YAML at an offset of a file; `None` if it is invalid or too complex.
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
        faults.push(Fault { what: What::TooComplex(Excess::Bytes), place });
        return None;
    }
    let readable = encoding::check_controls(file, yaml, offset, faults);
    let source = yaml::YamlText { yaml: &readable, file, offset };
    let mut document = yaml::read(source, bounds, faults)?;
    if let Some(Node { kind: NodeKind::Map(fields), .. }) = &document.root {
        let as_written = matches!(readable, Cow::Borrowed(_));
        document.is_usual = as_written && second_opinion::is_usual(source.yaml);
        if as_written && !document.is_usual {
            second_opinion::check(source, faults);
        }
        comment::report_cuts(source, fields, &document.comments, faults);
        if as_written {
            tabs::report(source, fields, &document.comments, faults);
        }
    }
    Some(document)
}

fn kind_of_root(node: &Node) -> OtherRoot {
    match &node.kind {
        NodeKind::Scalar { kind: ScalarKind::Null, .. } => OtherRoot::Empty,
        NodeKind::Scalar { .. } => OtherRoot::Text,
        // A mapping has fields.
        NodeKind::List(_) | NodeKind::Map(_) => OtherRoot::List,
    }
}

#[cfg(test)]
mod tests;
