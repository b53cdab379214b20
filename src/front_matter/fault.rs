//! What can be wrong with the bytes of a SKILL.md. A fault carries what a rule needs to say it well, and nothing more.

use crate::text::Place;

/// Something wrong with the bytes of a SKILL.md, with the place where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What it is, with what a rule needs to say it.
    pub what: What,
    /// Where it is.
    pub place: Place,
}

/// What is wrong, with what a rule needs to say it well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// The file begins with a UTF-8 byte order mark (its place: the three bytes).
    ByteOrderMark,
    /// There is no opening fence (place: the first line that is not blank). Says what was there instead.
    NoFence(Instead),
    /// Text or blank lines stand before the opening fence (place: all of it). `blank` when nothing but white space.
    TextBeforeFence {
        /// Nothing but white space: it can be removed safely.
        blank: bool,
    },
    /// A fence that is not exactly `---` (place: the line without its line end).
    MalformedFence {
        /// Which of the two.
        fence: Fence,
        /// What is off.
        flaw: FenceFlaw,
    },
    /// There is no closing fence (place: the opening one).
    Unclosed {
        /// A later line that was probably meant as the closing fence: its place and what it looks like.
        meant: Option<(Place, MeantFence)>,
    },
    /// A byte that is no UTF-8 (place: the first such bytes).
    NotUtf8 {
        /// UTF-16 in this byte order, recognised by its mark or its zero bytes.
        utf16: Option<&'static str>,
    },
    /// A control character other than tab, LF and CR in the front matter, or NUL anywhere (place: the first of its kind).
    /// The fields are read with `_` or a no-break space in its place.
    ControlCharacter(char),
    /// Lines end in CR alone, everywhere or above the body (place: the first such line end).
    CarriageReturns,
    /// Some lines end in LF and some in CRLF (place: the first line end of the rarer kind).
    MixedLineEnds {
        /// How many lines end in LF.
        lf: u32,
        /// How many lines end in CRLF.
        crlf: u32,
    },
    /// The front matter is no YAML (place: the character at which it stops being YAML).
    Yaml {
        /// The kind of error.
        kind: YamlKind,
        /// The plain value that should have been quoted, when quoting mends it.
        quote: Option<Place>,
    },
    /// A second YAML document inside the front matter (place: the line that starts it).
    SecondDocument,
    /// The front matter is YAML but no mapping (place: its root, or the opening fence); says what it is ("a list",
    /// "a text", "empty").
    NotAMap(&'static str),
    /// A key appears twice in one mapping (place: the later one).
    DuplicateKey {
        /// The key.
        key: String,
        /// The first one.
        first: Place,
    },
    /// A feature of YAML that some family refuses or expands dangerously: an anchor, an alias, a tag, a merge key,
    /// a directive, a line separator beyond ASCII (place: the feature).
    Unportable(&'static str),
    /// YAML that one family accepts and another refuses; says what it is.
    Disputed(&'static str),
    /// ` #` cuts a plain scalar (place: from the `#` to the end of the line); `left` is what remains.
    CutByComment {
        /// The value after the cut.
        left: String,
        /// The whole value from its first character to the end of the line: what to quote.
        value: Place,
    },
    /// Over the limit of nesting, nodes or bytes, in words that follow "the front matter": parsing stopped there.
    TooComplex(&'static str),
    /// The blob is a Git LFS pointer.
    LfsPointer,
}

/// What stands where the opening fence should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instead {
    /// The file is empty or blank.
    Nothing,
    /// Keys without fences (`name: x` on the first line).
    BareKeys,
    /// `## name: …`: a Markdown formatter made a heading of the front matter.
    FormattedHeading,
    /// Anything else.
    Text,
}

/// One of the two fences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fence {
    /// The opening one.
    Opening,
    /// The closing one.
    Closing,
}

/// How a fence differs from `---`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceFlaw {
    /// Blanks behind it.
    TrailingBlanks,
    /// More than three dashes.
    ExtraDashes,
    /// Blanks before it.
    Indented,
}

/// A line that was probably meant as the closing fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeantFence {
    /// `...`, which ends a YAML document but no front matter.
    Dots,
    /// A line of other dashes: en dashes, `--`, `***`.
    OtherDashes,
}

/// The kinds of YAML error that runtimes treat differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum YamlKind {
    /// `: ` inside a plain scalar: `description: Build for AWS: ECS`.
    ColonInPlainScalar,
    /// A plain scalar begins with a character that means something to YAML: `@`, `` ` ``, `%`, `,`, `*`, `&`, `|` and
    /// `>` with text behind, and `[a] [b]`, a flow collection or an alias with text behind.
    ReservedFirstCharacter,
    /// A tab used as indentation.
    Tab,
    /// A quote that is never closed, or text behind a closed one.
    OpenQuote,
    /// A flow collection that is never closed, or not by its own bracket.
    OpenFlow,
    /// Indentation that fits no level.
    BadIndentation,
    /// A continuation line that itself looks like `Keywords: x`.
    ContinuationWithColon,
    /// A git conflict marker.
    ConflictMarker,
    /// Anything else.
    Other,
}

/// The name of a fault: the key into a profile's table of what the runtime makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// See [`What::ByteOrderMark`].
    ByteOrderMark,
    /// See [`What::NoFence`].
    NoFence,
    /// See [`What::TextBeforeFence`].
    TextBeforeFence,
    /// An opening fence with blanks behind it.
    OpenerTrailingBlanks,
    /// An opening fence with more than three dashes.
    OpenerExtraDashes,
    /// An indented opening fence.
    OpenerIndented,
    /// A closing fence with blanks behind it.
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
    /// See [`What::MixedLineEnds`].
    MixedLineEnds,
    /// See [`What::Yaml`].
    Yaml(YamlKind),
    /// See [`What::SecondDocument`].
    SecondDocument,
    /// See [`What::NotAMap`].
    NotAMap,
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
    /// The name of the fault without what it carries.
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
            What::MixedLineEnds { .. } => FaultKind::MixedLineEnds,
            What::Yaml { kind, .. } => FaultKind::Yaml(*kind),
            What::SecondDocument => FaultKind::SecondDocument,
            What::NotAMap(_) => FaultKind::NotAMap,
            What::DuplicateKey { .. } => FaultKind::DuplicateKey,
            What::Unportable(_) => FaultKind::Unportable,
            What::Disputed(_) => FaultKind::Disputed,
            What::CutByComment { .. } => FaultKind::CutByComment,
            What::TooComplex(_) => FaultKind::TooComplex,
            What::LfsPointer => FaultKind::LfsPointer,
        }
    }
}
