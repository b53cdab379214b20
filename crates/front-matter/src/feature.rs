//! What a fault names in a message, as values: code compares these, and `Display` writes the words.

use std::fmt;

/// A YAML feature that some parsers reject or expand dangerously.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// A character that ends a line only in YAML 1.1.
    LineBreak(char),
    /// A line that begins with `%`.
    Directive,
    /// The key `<<`.
    MergeKey,
    /// `!name` before a value.
    Tag,
    /// `&name` before a value.
    Anchor,
    /// `*name` instead of a value.
    Alias,
    /// An alias without an anchor above it, which every library rejects. Found when aliases are resolved.
    UndefinedAlias,
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LineBreak(character) => {
                return write!(f, "U+{:04X}, a line break only in YAML 1.1", u32::from(*character));
            }
            Self::Directive => "a directive",
            Self::MergeKey => "a merge key",
            Self::Tag => "a tag",
            Self::Anchor => "an anchor",
            Self::Alias => "an alias",
            Self::UndefinedAlias => "an alias without an anchor",
        })
    }
}

/// YAML that one parser accepts and another rejects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dispute {
    /// A flow collection indented no deeper than its key: YAML 1.2 and js-yaml reject it, libyaml accepts it.
    ShallowFlow,
    /// YAML that granit-parser accepts and libyaml rejects.
    Libyaml,
    /// A tab outside quotes, which only PyYAML rejects.
    Tab,
    /// A key without text.
    EmptyKey,
    /// A list as a key.
    ListKey,
    /// A mapping as a key.
    MapKey,
}

impl fmt::Display for Dispute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ShallowFlow => "a flow collection indented no deeper than its key",
            Self::Libyaml => "YAML 1.2 allows it, but libyaml rejects it",
            Self::Tab => "a tab outside quotes, which PyYAML rejects",
            Self::EmptyKey => "an empty key",
            Self::ListKey => "a list as a key",
            Self::MapKey => "a mapping as a key",
        })
    }
}

/// A limit of the front matter that is exceeded. `Display` continues "the front matter".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// More bytes than the limit.
    Bytes,
    /// More nodes than the limit.
    Nodes,
    /// Deeper nesting than the limit.
    Depth,
    /// More bytes copied by aliases than the limit. Only a runtime copies them.
    Copies,
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bytes => "has more bytes than the limit",
            Self::Nodes => "has more nodes than the limit",
            Self::Depth => "is nested deeper than the limit",
            Self::Copies => "has aliases that copy more bytes than the limit",
        })
    }
}

/// The root of a document that is not a mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherRoot {
    /// Nothing, or null.
    Empty,
    /// A list.
    List,
    /// A scalar.
    Text,
}

impl fmt::Display for OtherRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "empty",
            Self::List => "a list",
            Self::Text => "a string",
        })
    }
}

/// The byte order of UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The low byte comes first.
    Little,
    /// The high byte comes first.
    Big,
}

impl fmt::Display for ByteOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Little => "little-endian",
            Self::Big => "big-endian",
        })
    }
}
