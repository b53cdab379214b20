//! Reasons why a runtime changes or drops a skill.

use std::fmt;

use crate::packages::Lost;
use crate::profile::listing::{Measured, Unit};
use skilltree_front_matter::text::{grouped, shortened};
use skilltree_front_matter::{FaultKind, YamlKind};
use skilltree_skills::skill::AGENT_FILE;

/// Maximum number of quoted characters.
const QUOTED: usize = 64;

/// Reason why a runtime changes or drops a skill. `Display` writes one line of plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The skill directory is deeper below the root than the runtime searches.
    TooDeep(u32),
    /// The skill is in the root itself, below another skill, or in a skipped directory.
    SkippedDirectory(SkippedDirectory),
    /// The file name differs in case, and the runtime rejects it.
    FileName,
    /// Another SKILL.md is inside the skill directory.
    SecondSkillFile,
    /// A symbolic link that is not followed.
    Link,
    /// The link on the path of the skill leads to nothing.
    BrokenLink,
    /// No text was read: a submodule, conflict stages, or a file over one of our limits.
    NoText,
    /// The bytes are not valid UTF-8.
    NotUtf8,
    /// The runtime finds no front matter; with the fault that hides it, if any.
    NoFrontMatter(Option<FaultKind>),
    /// The runtime rejects the YAML; with the fault that causes it, if known.
    Yaml(Option<FaultKind>),
    /// A flow collection, which strictyaml rejects.
    FlowCollection,
    /// The YAML is not a mapping.
    NotAMapping,
    /// The YAML does not parse and is repaired.
    Repaired(Option<FaultKind>),
    /// A fault of the file, if the runtime's parser is unknown.
    Fault(FaultKind),
    /// A field is missing, null or blank.
    Missing(String),
    /// The type of a field is not accepted.
    WrongType(String, &'static str),
    /// The form of a field is not accepted.
    Malformed(String),
    /// A field contains a text that is not accepted in it.
    Forbidden(String, String),
    /// A field contains no known word.
    NoKnownWord(String),
    /// A field has no effect without a value of another.
    NoEffect {
        /// The field.
        field: String,
        /// The other one.
        without: String,
        /// Its value.
        value: String,
    },
    /// A key is unknown to the runtime.
    UnknownKey(String),
    /// The name differs from the directory.
    DiffersFromDirectory,
    /// The skill is always in the system prompt.
    Reserved,
    /// A value is over the runtime's limit.
    TooLong {
        /// Measured quantity.
        of: Measured,
        /// Unit of `length` and `most`.
        unit: Unit,
        /// Actual length.
        length: u64,
        /// Maximum length.
        most: u64,
    },
    /// The body is empty.
    EmptyBody,
    /// The runtime does not find the body.
    BodyLost,
    /// A key excludes the skill from the listing.
    Unlisted(String),
    /// A key excludes the skill from the listing until a file matches its patterns.
    UnlistedUntil(String),
    /// `agents/openai.yaml` excludes the skill from the listing.
    UnlistedByFile,
    /// A settings file of the repository excludes it from the list, or its description.
    Overridden {
        /// The path of the file.
        file: String,
        /// The line of the value.
        line: usize,
        /// Whether the list has its name.
        shows_name: bool,
    },
    /// A key excludes the skill from the listing unless the machine meets its requirements.
    UnlistedUnless(String),
    /// The model is shown a different text.
    ShownDifferently(&'static str),
    /// Another skill has the same name.
    Namesake {
        /// Which of them the runtime keeps.
        rule: Namesake,
        /// Whether the other skill is in another root.
        across: bool,
        /// Whether the skill is dropped for one with the same bytes.
        copy: bool,
    },
    /// The package does not give it to the runtime.
    Package(Lost),
    /// The installer of the repository does not offer it.
    NotInstalled,
    /// A field is missing without which only people start the skill.
    OnlyForPeople(String),
    /// The runtime does not start because of this file.
    NotStarted(String),
    /// The outcome is unknown.
    NotKnown(&'static str),
}

/// Why a directory is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkippedDirectory {
    /// The skill is in the root itself.
    InRoot,
    /// The skill is below another skill.
    BelowSkill,
    /// A directory on the path begins with a dot.
    Hidden,
    /// A directory on the path has a skipped name.
    ByName,
    /// An ignore file excludes it.
    Ignored,
}

/// Which of the skills with the same name a runtime keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Namesake {
    /// The first; this skill comes later.
    First,
    /// The first of its package; this skill comes later in it.
    FirstOfPackage,
    /// The last; this skill comes earlier.
    Last,
    /// Both.
    All,
    /// Neither.
    None,
    /// One, in unspecified order.
    Any,
    /// Unknown.
    Unknown,
}

impl Reason {
    /// Returns the fault of the file that causes this reason, if any.
    pub fn fault(&self) -> Option<FaultKind> {
        match self {
            Self::NotUtf8 => Some(FaultKind::NotUtf8),
            Self::NotAMapping => Some(FaultKind::NotAMapping),
            Self::NoFrontMatter(fault) | Self::Yaml(fault) | Self::Repaired(fault) => *fault,
            Self::Fault(fault) => Some(*fault),
            _ => None,
        }
    }

    /// Returns the length that is over a limit, and the reason without it, to group skills of different lengths.
    pub fn without_length(&self) -> (Self, Option<u64>) {
        match *self {
            Self::TooLong { of, unit, length, most } => (Self::TooLong { of, unit, length: 0, most }, Some(length)),
            _ => (self.clone(), None),
        }
    }

    /// Describes the reason of several skills, whose lengths are in a range.
    pub fn describe(&self, (least, greatest): (u64, u64)) -> String {
        match *self {
            Self::TooLong { of, unit, most, .. } if least < greatest => {
                let (least, greatest) = (grouped(least), grouped(greatest));
                format!("{} has {least} to {greatest} {}; the limit is {}", subject(of), plural(unit), grouped(most))
            }
            Self::TooLong { of, unit, most, .. } => Self::TooLong { of, unit, length: greatest, most }.to_string(),
            _ => self.to_string(),
        }
    }

    /// Returns what keeps the skill from the model: `by ...`, `until ...`, `unless ...`; `None` if it does not.
    pub fn hides(&self) -> Option<String> {
        match self {
            Self::Unlisted(key) => Some(format!("by `{key}`")),
            Self::UnlistedByFile => Some(format!("by `{AGENT_FILE}`")),
            Self::UnlistedUntil(key) => Some(format!("until a file matches `{key}`")),
            Self::UnlistedUnless(key) => Some(format!("unless `{key}` is met")),
            Self::Overridden { file, shows_name: false, .. } => Some(format!("by `{file}`")),
            _ => None,
        }
    }

    /// Returns whether two runtimes lose a skill for the same cause. Their limits on the depth may differ.
    pub fn has_same_cause(&self, other: &Self) -> bool {
        self == other || matches!((self, other), (Self::TooDeep(_), Self::TooDeep(_)))
    }

    /// Returns whether one of the parts is over the runtime's limit, and this limit is not below `limit`. If it is below, a
    /// text can be within `limit` and still be too long for the runtime.
    pub fn is_too_long(&self, parts: &[Measured], limit: Option<u64>) -> bool {
        matches!(self, Self::TooLong { of, most, .. } if parts.contains(of) && limit.is_none_or(|limit| limit <= *most))
    }

    /// Returns whether the runtime does not look for skills where this one is, whatever its file contains.
    pub fn is_about_place(&self) -> bool {
        matches!(self, Self::TooDeep(_) | Self::SkippedDirectory(_) | Self::Package(_))
    }

    /// Returns whether the field is missing, null or empty.
    pub fn is_missing(&self, key: &str) -> bool {
        matches!(self, Self::Missing(field) if field == key)
    }

    /// Returns whether the field has a form that the runtime rejects.
    pub fn is_malformed(&self, key: &str) -> bool {
        matches!(self, Self::Malformed(field) | Self::Forbidden(field, _) if field == key)
    }

    /// Returns whether the field has none of the words that the runtime knows.
    pub fn has_no_known_word(&self, key: &str) -> bool {
        matches!(self, Self::NoKnownWord(field) if field == key)
    }

    /// Returns whether the runtime shows another text for the field.
    pub fn is_shown_differently(&self, key: &str) -> bool {
        matches!(self, Self::ShownDifferently(field) if *field == key)
    }

    /// Returns whether the type of the field is wrong, including null, or changes the text that the runtime shows.
    pub fn is_wrong_type(&self, key: &str) -> bool {
        let is_type = matches!(self, Self::WrongType(field, _) if field == key);
        is_type || self.is_missing(key) || self.is_shown_differently(key)
    }
}

/// Describes why a package does not give a skill to the runtime.
fn of_package(lost: Lost) -> &'static str {
    match lost {
        Lost::Replaced => "the manifest names other directories instead",
        Lost::Hidden => "a SKILL.md in the directory above hides it",
        Lost::InRoot => "a SKILL.md directly in the skills directory is not read",
        Lost::File => "the manifest names the file, not its directory",
        Lost::Elsewhere => "another entry of the marketplace has it",
        Lost::Own => "a SKILL.md next to the manifest is not read",
        Lost::Outside => "it is in the plugin, but not where the plugin looks",
        Lost::Command => "a command of its package has its name",
        Lost::Package | Lost::TooDeep(_) | Lost::Dotted | Lost::Linked => "nothing of its package loads",
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooDeep(1) => write!(f, "it is more than one directory below the skills directory"),
            Self::TooDeep(depth) => write!(f, "it is more than {depth} directories below the skills directory"),
            Self::SkippedDirectory(SkippedDirectory::InRoot) => {
                write!(f, "a SKILL.md directly in the skills directory is not read")
            }
            Self::SkippedDirectory(SkippedDirectory::BelowSkill) => write!(f, "it is inside another skill directory"),
            Self::SkippedDirectory(SkippedDirectory::Hidden) => write!(f, "hidden directories are skipped"),
            Self::SkippedDirectory(SkippedDirectory::ByName) => write!(f, "a directory with this name is skipped"),
            Self::SkippedDirectory(SkippedDirectory::Ignored) => write!(f, "an ignore file excludes it"),
            Self::FileName => write!(f, "the file name is not `SKILL.md`"),
            Self::SecondSkillFile => write!(f, "another SKILL.md is in its directory"),
            Self::Link => write!(f, "symbolic links are not followed"),
            Self::BrokenLink => write!(f, "the symbolic link leads to nothing"),
            Self::NoText => write!(f, "the file cannot be read as text"),
            Self::NotUtf8 => write!(f, "the file is not UTF-8"),
            Self::NoFrontMatter(None) => write!(f, "no front matter found"),
            Self::NoFrontMatter(Some(fault)) => write!(f, "no front matter found: {}", words(*fault)),
            Self::Yaml(None) => write!(f, "the front matter does not parse as YAML"),
            Self::Yaml(Some(fault)) => write!(f, "the front matter does not parse as YAML: {}", words(*fault)),
            Self::FlowCollection => {
                write!(f, "the front matter does not parse as YAML: a list or mapping in brackets")
            }
            Self::NotAMapping => write!(f, "the front matter is not a mapping"),
            Self::Repaired(None) => write!(f, "the front matter is repaired before parsing"),
            Self::Repaired(Some(fault)) => write!(f, "the front matter is repaired before parsing: {}", words(*fault)),
            Self::Fault(fault) => write!(f, "{}", words(*fault)),
            Self::NotInstalled => write!(f, "`npx skills` does not install it"),
            Self::Package(lost) => f.write_str(of_package(*lost)),
            Self::OnlyForPeople(field) => {
                write!(f, "without `{field}`, only a person can start it: the model is not shown it")
            }
            Self::Missing(field) => write!(f, "`{field}` is missing"),
            Self::WrongType(field, what) => write!(f, "`{field}` is {what}"),
            Self::Malformed(field) => write!(f, "`{field}` has a format that is not accepted"),
            Self::Forbidden(field, text) if text.starts_with('<') => {
                write!(f, "`{field}` contains the XML tag `{}`", shortened(text, QUOTED))
            }
            Self::Forbidden(field, text) => {
                write!(f, "`{field}` contains `{}`, which is reserved", shortened(text, QUOTED))
            }
            Self::NoKnownWord(field) => write!(f, "`{field}` has no known value"),
            Self::NoEffect { field, without, value } => {
                write!(f, "`{field}` has no effect without `{without}: {value}`")
            }
            Self::UnknownKey(key) => write!(f, "the key `{key}` is unknown"),
            Self::DiffersFromDirectory => write!(f, "the name differs from the directory"),
            Self::Reserved => write!(f, "it is always in the system prompt, so it is not listed"),
            Self::TooLong { of, unit, length, most } => {
                write!(f, "{} has {} {}; the limit is {}", subject(*of), grouped(length), plural(*unit), grouped(most))
            }
            Self::EmptyBody => write!(f, "the body is empty"),
            Self::BodyLost => write!(f, "the body is not found"),
            Self::Unlisted(key) => write!(f, "`{key}` excludes it from the list"),
            Self::UnlistedByFile => write!(f, "`{AGENT_FILE}` excludes it from the list"),
            Self::Overridden { file, line, shows_name: false } => {
                write!(f, "line {} of `{file}` excludes it from the list", grouped(line))
            }
            Self::Overridden { file, line, .. } => {
                write!(f, "line {} of `{file}` excludes its description from the list", grouped(line))
            }
            Self::UnlistedUntil(key) => write!(f, "`{key}` excludes it from the list until a matching file is used"),
            Self::UnlistedUnless(key) => write!(f, "`{key}` excludes it from the list unless its requirements are met"),
            Self::ShownDifferently(what) => write!(f, "the {what} is shown with changes"),
            Self::Namesake { rule, across, .. } => write!(f, "{}", namesake(*rule, *across)),
            Self::NotStarted(file) => write!(f, "it does not start because of `{file}`"),
            Self::NotKnown(what) => write!(f, "{what} is unknown"),
        }
    }
}

fn namesake(rule: Namesake, across: bool) -> &'static str {
    match (rule, across) {
        (Namesake::First, false) => "an earlier skill in this skills directory has the same name",
        (Namesake::First, true) => "a skill in an earlier skills directory has the same name",
        (Namesake::FirstOfPackage, _) => "an earlier skill of its package has the same name",
        (Namesake::Last, false) => "a later skill in this skills directory has the same name",
        (Namesake::Last, true) => "a skill in a later skills directory has the same name",
        (Namesake::All, _) => "another skill has the same name; both are kept",
        (Namesake::None, _) => "another skill has the same name; neither is kept",
        (Namesake::Any, _) => "another skill has the same name; which one is kept varies",
        (Namesake::Unknown, _) => "another skill has the same name; which one is kept is unknown",
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
        Measured::Skills => "the skills directory",
        Measured::Directories => "the skills directory",
        Measured::Entries => "a directory",
    }
}

/// Returns the plural noun of a unit.
pub fn plural(unit: Unit) -> &'static str {
    match unit {
        Unit::Chars => "characters",
        Unit::Utf16 => "UTF-16 units",
        Unit::Bytes => "bytes",
        Unit::Tokens => "tokens",
        Unit::Lines => "lines",
        Unit::Count => "entries",
    }
}

/// Returns a short description of a fault.
pub fn words(fault: FaultKind) -> &'static str {
    match fault {
        FaultKind::ByteOrderMark => "a byte order mark (BOM)",
        FaultKind::NoFence => "no fence",
        FaultKind::TextBeforeFence => "text before the opening fence",
        FaultKind::OpenerTrailingBlanks => "trailing whitespace after the opening fence",
        FaultKind::OpenerExtraDashes => "more than three dashes in the opening fence",
        FaultKind::OpenerIndented => "an indented opening fence",
        FaultKind::CloserTrailingBlanks => "trailing whitespace after the closing fence",
        FaultKind::CloserExtraDashes => "more than three dashes in the closing fence",
        FaultKind::CloserIndented => "an indented closing fence",
        FaultKind::Unclosed => "no closing fence",
        FaultKind::NotUtf8 => "bytes that are not UTF-8",
        FaultKind::ControlCharacter => "a control character",
        FaultKind::CarriageReturns => "CR line endings",
        FaultKind::MixedLineEndings => "mixed line endings",
        FaultKind::Yaml(YamlKind::ColonInPlainScalar) => "a colon followed by a space in an unquoted value",
        FaultKind::Yaml(YamlKind::ReservedFirstCharacter) => "a reserved character at the start of an unquoted value",
        FaultKind::Yaml(YamlKind::Tab) => "a tab in the indentation",
        FaultKind::Yaml(YamlKind::OpenQuote) => "an unclosed quote",
        FaultKind::Yaml(YamlKind::OpenFlow) => "an unclosed bracket",
        FaultKind::Yaml(YamlKind::BadIndentation) => "inconsistent indentation",
        FaultKind::Yaml(YamlKind::ContinuationWithColon) => "a colon in a continuation line",
        FaultKind::Yaml(YamlKind::ConflictMarker) => "a conflict marker",
        FaultKind::Yaml(YamlKind::Other) => "a syntax error",
        FaultKind::SecondDocument => "a second YAML document",
        FaultKind::NotAMapping => "not a mapping",
        FaultKind::DuplicateKey => "a duplicate key",
        FaultKind::Unportable => "YAML that is not portable, such as an anchor or a tag",
        FaultKind::Disputed => "YAML that libraries parse differently",
        FaultKind::CutByComment => "a value truncated by a comment",
        FaultKind::TooComplex => "YAML that is too complex",
        FaultKind::LfsPointer => "a Git LFS pointer",
    }
}
