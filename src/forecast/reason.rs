//! Why a runtime loads a skill otherwise than it is written, or not at all.

use std::fmt;

use crate::front_matter::{FaultKind, YamlKind};
use crate::profile::listing::{Measured, Unit};

/// Why a runtime loads a skill otherwise than it is written, or not at all. Its `Display` is a line in plain words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It lies deeper below the root than the runtime looks.
    TooDeep(u32),
    /// It lies in the root itself, below another skill, or in a directory that is passed over.
    Passed(Passed),
    /// The file's name is not compared as the runtime compares it.
    FileName,
    /// A symbolic link that is not followed.
    Link,
    /// There is no text: a submodule, conflict stages, a file over a limit of ours.
    NoText,
    /// Bytes that are no UTF-8.
    NotUtf8,
    /// No front matter to this runtime; the fault that hides it, where there is one.
    NoFrontMatter(Option<FaultKind>),
    /// No YAML to this runtime; the fault that it stumbles over.
    Yaml(Option<FaultKind>),
    /// A flow collection, which strictyaml refuses.
    FlowCollection,
    /// The YAML is no mapping.
    NotAMap,
    /// YAML that does not parse and is mended.
    Mended(Option<FaultKind>),
    /// A fault of the file, by its name, where nobody knows how the runtime takes a file apart.
    Fault(FaultKind),
    /// A field is missing, null or blank.
    Missing(String),
    /// A field's value is of a type that the runtime does not take.
    WrongType(String, &'static str),
    /// A field's value has a form that the runtime does not take.
    Malformed(String),
    /// A field has none of the words that the runtime knows.
    NoKnownWord(String),
    /// A key that the runtime does not know.
    UnknownKey(String),
    /// The name is not the directory's.
    DiffersFromDirectory,
    /// A name that the runtime keeps for itself.
    Reserved,
    /// Longer than the runtime's limit.
    TooLong {
        /// What.
        of: Measured,
        /// In what it is counted.
        unit: Unit,
        /// How long it is.
        length: u64,
        /// How long it may be.
        most: u64,
    },
    /// The body is empty.
    EmptyBody,
    /// The runtime does not find the body.
    BodyLost,
    /// A key takes the skill out of what the model is shown.
    Unlisted(String),
    /// The model is shown another text than is written.
    ShownOtherwise(&'static str),
    /// Another skill has its name.
    Namesake {
        /// Which of them the runtime keeps.
        rule: Namesake,
        /// Whether the other lies in another root.
        across: bool,
    },
    /// Nobody has established what becomes of it.
    NotKnown(&'static str),
}

/// Why a directory is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// The skill is the root itself.
    InRoot,
    /// It lies below another skill.
    BelowSkill,
    /// A directory on the way begins with a dot.
    Hidden,
    /// A directory on the way has a name that is skipped.
    ByName,
}

/// Which of two skills of one name a runtime keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namesake {
    /// The first: this one comes after it.
    First,
    /// The last: this one comes before it.
    Last,
    /// Both.
    All,
    /// Neither.
    None,
    /// One, and nobody can say which.
    Any,
    /// Nobody has established it.
    Unknown,
}

impl Reason {
    /// The fault of the file that it comes from, if it comes from one.
    pub fn fault(&self) -> Option<FaultKind> {
        match self {
            Self::NotUtf8 => Some(FaultKind::NotUtf8),
            Self::NotAMap => Some(FaultKind::NotAMap),
            Self::NoFrontMatter(fault) | Self::Yaml(fault) | Self::Mended(fault) => *fault,
            Self::Fault(fault) => Some(*fault),
            _ => None,
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep(1) => write!(f, "it lies deeper than one directory below the root"),
            Self::TooDeep(depth) => write!(f, "it lies deeper than {depth} directories below the root"),
            Self::Passed(Passed::InRoot) => write!(f, "a SKILL.md in the root itself is not read"),
            Self::Passed(Passed::BelowSkill) => write!(f, "it lies below another skill"),
            Self::Passed(Passed::Hidden) => write!(f, "hidden directories are skipped"),
            Self::Passed(Passed::ByName) => write!(f, "a directory of that name is skipped"),
            Self::FileName => write!(f, "the file is not called SKILL.md"),
            Self::Link => write!(f, "the symbolic link is not followed"),
            Self::NoText => write!(f, "there is no text to read"),
            Self::NotUtf8 => write!(f, "the file is not UTF-8"),
            Self::NoFrontMatter(None) => write!(f, "no front matter is found"),
            Self::NoFrontMatter(Some(fault)) => write!(f, "no front matter is found: {}", words(*fault)),
            Self::Yaml(None) => write!(f, "the front matter is refused"),
            Self::Yaml(Some(fault)) => write!(f, "the front matter is refused: {}", words(*fault)),
            Self::FlowCollection => write!(f, "the front matter is refused: a list or a map in brackets"),
            Self::NotAMap => write!(f, "the front matter is no map"),
            Self::Mended(None) => write!(f, "the front matter is mended"),
            Self::Mended(Some(fault)) => write!(f, "the front matter is mended: {}", words(*fault)),
            Self::Fault(fault) => write!(f, "{}", words(*fault)),
            Self::Missing(field) => write!(f, "`{field}` is missing"),
            Self::WrongType(field, what) => write!(f, "`{field}` is {what}"),
            Self::Malformed(field) => write!(f, "`{field}` has a form that is not taken"),
            Self::NoKnownWord(field) => write!(f, "`{field}` has no known word"),
            Self::UnknownKey(key) => write!(f, "the key `{key}` is not known"),
            Self::DiffersFromDirectory => write!(f, "the name differs from the directory"),
            Self::Reserved => write!(f, "the name is reserved"),
            Self::TooLong { of, unit, length, most } => {
                write!(f, "{} has {length} {}; {most} are allowed", subject(*of), plural(*unit))
            }
            Self::EmptyBody => write!(f, "the body is empty"),
            Self::BodyLost => write!(f, "the body is not found"),
            Self::Unlisted(key) => write!(f, "`{key}` keeps it out of the list"),
            Self::ShownOtherwise(what) => write!(f, "another {what} is shown than is written"),
            Self::Namesake { rule, across } => write!(f, "{}", namesake(*rule, *across)),
            Self::NotKnown(what) => write!(f, "nobody has established {what}"),
        }
    }
}

fn namesake(rule: Namesake, across: bool) -> &'static str {
    match (rule, across) {
        (Namesake::First, false) => "a skill before it in the root has its name",
        (Namesake::First, true) => "a skill of an earlier root has its name",
        (Namesake::Last, false) => "a skill behind it in the root has its name",
        (Namesake::Last, true) => "a skill of a later root has its name",
        (Namesake::All, _) => "another skill has its name, and both are kept",
        (Namesake::None, _) => "another skill has its name, and neither is kept",
        (Namesake::Any, _) => "another skill has its name, and nobody can say which is kept",
        (Namesake::Unknown, _) => "another skill has its name, and nobody has established which is kept",
    }
}

fn subject(of: Measured) -> &'static str {
    match of {
        Measured::Name => "the name",
        Measured::QualifiedName => "the qualified name",
        Measured::Description => "the description",
        Measured::Compatibility => "`compatibility`",
        Measured::ShortDescription => "`metadata.short-description`",
        Measured::Entry => "the entry",
        Measured::FrontMatter => "the front matter",
        Measured::File => "the file",
        Measured::Body | Measured::MentionedBody => "the body",
        Measured::Skills => "the root",
        Measured::Directories => "the root",
        Measured::Entries => "a directory",
    }
}

/// The word for several of a unit.
pub(crate) fn plural(unit: Unit) -> &'static str {
    match unit {
        Unit::Chars => "characters",
        Unit::Utf16 => "UTF-16 units",
        Unit::Bytes => "bytes",
        Unit::Tokens => "tokens",
        Unit::Lines => "lines",
        Unit::Count => "entries",
    }
}

/// A fault in a few words.
fn words(fault: FaultKind) -> &'static str {
    match fault {
        FaultKind::ByteOrderMark => "a byte order mark",
        FaultKind::NoFence => "no fence",
        FaultKind::TextBeforeFence => "text before the fence",
        FaultKind::OpenerTrailingBlanks => "blanks behind the opening fence",
        FaultKind::OpenerExtraDashes => "too many dashes in the opening fence",
        FaultKind::OpenerIndented => "an indented opening fence",
        FaultKind::CloserTrailingBlanks => "blanks behind the closing fence",
        FaultKind::CloserExtraDashes => "too many dashes in the closing fence",
        FaultKind::CloserIndented => "an indented closing fence",
        FaultKind::Unclosed => "no closing fence",
        FaultKind::NotUtf8 => "bytes that are no UTF-8",
        FaultKind::ControlCharacter => "a control character",
        FaultKind::CarriageReturns => "lines that end in CR alone",
        FaultKind::MixedLineEnds => "mixed line ends",
        FaultKind::Yaml(YamlKind::ColonInPlainScalar) => "a colon in a plain value",
        FaultKind::Yaml(YamlKind::ReservedFirstCharacter) => "a reserved character at the start of a plain value",
        FaultKind::Yaml(YamlKind::Tab) => "a tab in the indentation",
        FaultKind::Yaml(YamlKind::OpenQuote) => "a quote that is not closed",
        FaultKind::Yaml(YamlKind::OpenFlow) => "a bracket that is not closed",
        FaultKind::Yaml(YamlKind::BadIndentation) => "indentation that fits no level",
        FaultKind::Yaml(YamlKind::ContinuationWithColon) => "a colon in a line that continues a value",
        FaultKind::Yaml(YamlKind::ConflictMarker) => "a conflict marker",
        FaultKind::Yaml(YamlKind::Other) => "it is no YAML",
        FaultKind::SecondDocument => "a second document",
        FaultKind::NotAMap => "it is no map",
        FaultKind::DuplicateKey => "a key that stands twice",
        FaultKind::Unportable => "an anchor, an alias, a tag or the like",
        FaultKind::Disputed => "YAML that libraries dispute",
        FaultKind::CutByComment => "a value cut by a comment",
        FaultKind::TooComplex => "it is too complex",
        FaultKind::LfsPointer => "a pointer of Git LFS",
    }
}
