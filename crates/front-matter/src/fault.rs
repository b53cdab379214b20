//! Faults: errors in the bytes of a SKILL.md, with the data that a rule's message needs.

use crate::feature::{ByteOrder, Dispute, Excess, Feature, OtherRoot};
use crate::text::Place;

/// An error in the bytes of a SKILL.md, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The error, with the data for its message.
    pub what: What,
    /// Where it is.
    pub place: Place,
}

/// The kinds of fault, with the data that a rule's message needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The file begins with a UTF-8 byte order mark (place: the three bytes).
    ByteOrderMark,
    /// There is no opening fence (place: the first line that is not blank). Holds the text found instead.
    NoFence(Instead),
    /// Text or blank lines precede the opening fence (place: all of it).
    TextBeforeFence {
        /// Whether it is only whitespace, which can be removed safely.
        blank: bool,
    },
    /// A fence is not exactly `---` (place: the line without its line ending).
    MalformedFence {
        /// Which fence.
        fence: Fence,
        /// How it differs.
        flaw: FenceFlaw,
    },
    /// There is no closing fence (place: the opening one). The YAML ends after the last key.
    Unclosed {
        /// A later line that was probably intended as the closing fence: its place and form.
        intended: Option<(Place, IntendedFence)>,
    },
    /// A byte is not UTF-8 (place: the first such bytes).
    NotUtf8 {
        /// The byte order of UTF-16, detected by its mark or its zero bytes.
        utf16: Option<ByteOrder>,
    },
    /// A control character other than tab, LF and CR in the front matter, or NUL anywhere (place: the first of its
    /// kind). The fields are read with `_` or a no-break space instead.
    ControlCharacter(char),
    /// Lines end in CR alone, everywhere or above the body (place: the first such line ending).
    CarriageReturns,
    /// Some lines end in LF and some in CRLF (place: the first line ending of the rarer kind).
    MixedLineEndings {
        /// Number of lines that end in LF.
        lf: u32,
        /// Number of lines that end in CRLF.
        crlf: u32,
    },
    /// The front matter is not valid YAML (place: the character of the error).
    Yaml {
        /// The kind of error.
        kind: YamlKind,
        /// The plain value to quote, if quoting fixes the error.
        quote: Option<Place>,
        /// The author's mistake, if it is one of these.
        slip: Option<Slip>,
    },
    /// A second YAML document in the front matter (place: the line that starts it).
    SecondDocument,
    /// The front matter is YAML but not a mapping (place: its root, or the opening fence).
    NotAMapping(OtherRoot),
    /// A duplicate key in a mapping (place: the later one).
    DuplicateKey {
        /// The key.
        key: String,
        /// The place of the first one.
        first: Place,
    },
    /// A YAML feature that some parsers reject or expand dangerously (place: the feature).
    Unportable(Feature),
    /// YAML that one parser accepts and another rejects.
    Disputed(Dispute),
    /// ` #` cuts a plain scalar (place: from the `#` to the end of the line).
    CutByComment {
        /// The value before the cut.
        left: String,
        /// The full value from its first character to the end of the line: the text to quote.
        value: Place,
    },
    /// A limit on nesting, nodes or bytes is exceeded; parsing stopped there.
    TooComplex(Excess),
    /// The file is a Git LFS pointer.
    LfsPointer,
}

/// The text in the place of the opening fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The file is empty or blank.
    Nothing,
    /// Keys without fences (`name: x` on the first line).
    BareKeys,
    /// `## name: …`: a Markdown formatter made a heading of the front matter.
    FormattedHeading,
    /// `+++`: the fences of TOML front matter, which other tools read.
    Toml,
    /// Text after the three dashes of the first line, with a key.
    OnFence,
    /// Other marks where the three dashes belong, with the keys of a skill below: `\---`, `***`, a fence of code.
    Marks,
    /// One relative path and nothing else: Git writes a symbolic link as its text where links are off.
    Path,
    /// Anything else.
    Text,
}

/// Common mistakes with an exact correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A key without a space after its colon (place of the fault: the key with its colon).
    TightColon,
    /// Something else is in place of the colon after a key, such as `=` (place of the fault: the key and this separator).
    Separator {
        /// What is between the key and the value.
        separator: Place,
    },
    /// A list item without a space after its dash (place of the fault: the dash and the item).
    TightDash,
    /// A key is indented deeper than the key above it (place of the fault: the key).
    DeepKey {
        /// The whitespace to delete.
        extra: Place,
    },
    /// An apostrophe ends a value in single quotes (place of the fault: the apostrophe).
    Apostrophe {
        /// The whole value with its quotes, if its line ends with a quote.
        value: Option<Place>,
    },
    /// A value in quotes continues on a line that is not indented (place of the fault: the first character of that line).
    Margin,
    /// A backslash in double quotes begins no escape (place of the fault: the backslash and the next character).
    Escape,
}

/// One of the two fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// The opening one.
    Opening,
    /// The closing one.
    Closing,
}

/// The difference between a fence and `---`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceFlaw {
    /// Trailing whitespace.
    TrailingBlanks,
    /// More than three dashes.
    ExtraDashes,
    /// Leading whitespace.
    Indented,
}

/// The form of a line that was probably intended as the closing fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntendedFence {
    /// `...`, which ends a YAML document but not the front matter.
    Dots,
    /// A line of other dashes: en dashes, `--`, `***`.
    OtherDashes,
    /// Three dashes and text after them: `---# Title`.
    WithText,
}

/// The kinds of YAML error that runtimes treat differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum YamlKind {
    /// `: ` inside a plain scalar: `description: Build for AWS: ECS`.
    ColonInPlainScalar,
    /// A plain scalar begins with a reserved character: `@`, `` ` ``, `%`, `,`, `*`, `&`, `|` and `>` followed by text,
    /// and `[a] [b]`, a flow collection or an alias followed by text.
    ReservedFirstCharacter,
    /// A tab used as indentation.
    Tab,
    /// A quote that is never closed, or text after a closed one.
    OpenQuote,
    /// A flow collection that is never closed, or closed by another bracket.
    OpenFlow,
    /// Indentation that matches no level.
    BadIndentation,
    /// A continuation line that itself looks like `Keywords: x`.
    ContinuationWithColon,
    /// A git conflict marker.
    ConflictMarker,
    /// Anything else.
    Other,
}

/// The kind of a fault without its data: the key in a profile's table of fault outcomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// See [`What::ByteOrderMark`].
    ByteOrderMark,
    /// See [`What::NoFence`].
    NoFence,
    /// See [`What::TextBeforeFence`].
    TextBeforeFence,
    /// An opening fence with trailing whitespace.
    OpenerTrailingBlanks,
    /// An opening fence with more than three dashes.
    OpenerExtraDashes,
    /// An indented opening fence.
    OpenerIndented,
    /// A closing fence with trailing whitespace.
    CloserTrailingBlanks,
    /// A closing fence with more than three dashes.
    CloserExtraDashes,
    /// An indented closing fence.
    CloserIndented,
    /// See [`What::Unclosed`].
    Unclosed,
    /// See [`What::NotUtf8`].
    NotUtf8,
    /// See [`What::ControlCharacter`].
    ControlCharacter,
    /// See [`What::CarriageReturns`].
    CarriageReturns,
    /// See [`What::MixedLineEndings`].
    MixedLineEndings,
    /// See [`What::Yaml`].
    Yaml(YamlKind),
    /// See [`What::SecondDocument`].
    SecondDocument,
    /// See [`What::NotAMapping`].
    NotAMapping,
    /// See [`What::DuplicateKey`].
    DuplicateKey,
    /// See [`What::Unportable`].
    Unportable,
    /// See [`What::Disputed`].
    Disputed,
    /// See [`What::CutByComment`].
    CutByComment,
    /// See [`What::TooComplex`].
    TooComplex,
    /// See [`What::LfsPointer`].
    LfsPointer,
}

impl Fault {
    /// Returns the kind of the fault.
    pub fn kind(&self) -> FaultKind {
        match &self.what {
            What::ByteOrderMark => FaultKind::ByteOrderMark,
            What::NoFence(_) => FaultKind::NoFence,
            What::TextBeforeFence { .. } => FaultKind::TextBeforeFence,
            What::MalformedFence { fence, flaw } => match (fence, flaw) {
                (Fence::Opening, FenceFlaw::TrailingBlanks) => FaultKind::OpenerTrailingBlanks,
                (Fence::Opening, FenceFlaw::ExtraDashes) => FaultKind::OpenerExtraDashes,
                (Fence::Opening, FenceFlaw::Indented) => FaultKind::OpenerIndented,
                (Fence::Closing, FenceFlaw::TrailingBlanks) => FaultKind::CloserTrailingBlanks,
                (Fence::Closing, FenceFlaw::ExtraDashes) => FaultKind::CloserExtraDashes,
                (Fence::Closing, FenceFlaw::Indented) => FaultKind::CloserIndented,
            },
            What::Unclosed { .. } => FaultKind::Unclosed,
            What::NotUtf8 { .. } => FaultKind::NotUtf8,
            What::ControlCharacter(_) => FaultKind::ControlCharacter,
            What::CarriageReturns => FaultKind::CarriageReturns,
            What::MixedLineEndings { .. } => FaultKind::MixedLineEndings,
            What::Yaml { kind, .. } => FaultKind::Yaml(*kind),
            What::SecondDocument => FaultKind::SecondDocument,
            What::NotAMapping(_) => FaultKind::NotAMapping,
            What::DuplicateKey { .. } => FaultKind::DuplicateKey,
            What::Unportable(_) => FaultKind::Unportable,
            What::Disputed(_) => FaultKind::Disputed,
            What::CutByComment { .. } => FaultKind::CutByComment,
            What::TooComplex(_) => FaultKind::TooComplex,
            What::LfsPointer => FaultKind::LfsPointer,
        }
    }
}
