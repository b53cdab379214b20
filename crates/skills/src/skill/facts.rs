//! Facts about a body, kept after the body is dropped.

use std::ops::{Deref, Range};

use sha2::{Digest, Sha256};

use super::Links;
use crate::secret::SecretKind;
use skilltree_front_matter::text::{self, Place};

/// Facts about a body, kept after the body is dropped. Lengths exclude leading and trailing blank lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyFacts {
    /// The offset of the first byte after the closing fence's line.
    pub start: u32,
    /// The offsets of the body without leading and trailing blank lines: of its first line, and after its last one.
    pub inner: Range<u32>,
    /// Bytes of the whole file.
    pub file_bytes: u32,
    /// Lines of the body.
    pub lines: u32,
    /// Bytes of the body.
    pub bytes: u32,
    /// Code points of the body.
    pub chars: u32,
    /// The line at which the body exceeds the recommended lines or tokens.
    pub excess: Option<Place>,
    /// Whether the body is only whitespace.
    pub blank: bool,
    /// Hidden characters of the whole file without a function.
    pub hidden: Marks,
    /// Bidirectional controls of the whole file that are unbalanced, overriding or empty.
    pub bidi: Marks,
    /// The links of the body that may lead nowhere.
    pub links: Links,
    /// The first line of a code fence that is never closed.
    pub open_fence: Option<Place>,
    /// Texts that a reader of the page does not see and that read like instructions.
    pub hidden_texts: Marks<HiddenText>,
    /// Commands of the body that run what they download.
    pub downloads: Marks<Download>,
    /// Commands that some runtimes run before the model reads the body.
    pub commands: Marks<Command>,
    /// Variables such as `$1` in code, which some runtimes replace by arguments, with the code that they belong to.
    pub replaced: Marks<&'static str>,
    /// Arguments by their numbers that begin with `$1`.
    pub numbered: Option<Numbered>,
    /// Placeholders that some runtimes replace, by their text, in the order of their first places.
    pub placeholders: Vec<Placeholder>,
    /// Git conflict markers that begin a conflict.
    pub conflicts: Marks<()>,
    /// Secrets of the whole file, by kind.
    pub secrets: Marks<SecretKind>,
    /// Control characters of the body other than tab, line endings and NUL.
    pub controls: Marks,
    /// The text of the starter skill that asks for the steps, or the mark of a paragraph that is still to be written.
    pub placeholder: Option<(Place, Unfinished)>,
}

/// A text that its author wanted to write later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfinished {
    /// The text of the starter skill.
    Starter,
    /// A paragraph that begins with a mark.
    Paragraph(&'static str),
}

/// A command that some runtimes run before the model reads the body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// How it is written.
    pub form: CommandForm,
    /// Its text without delimiters; empty if it is longer than `Command::BYTES`.
    pub text: String,
}

impl Command {
    /// Maximum length of a text that is kept, in bytes (ours: 1,000).
    pub(crate) const BYTES: usize = 1_000;

    /// Maximum number of commands of a text that are kept (ours: 1,000). Further ones are counted.
    pub const KEPT: usize = 1_000;
}

/// How a command is written that some runtimes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandForm {
    /// A code span after an exclamation mark.
    Span,
    /// The same, with other text right before the exclamation mark.
    Glued,
    /// The same, in a code block, where Markdown has no code spans.
    InBlock,
    /// The same, in a code block of Markdown: an example.
    InExample,
    /// A code block whose info string is an exclamation mark.
    Block,
}

/// A placeholder that some runtimes replace, such as `${CLAUDE_SKILL_DIR}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Its text, with the dollar sign.
    pub text: String,
    /// Its places.
    pub marks: Marks<()>,
}

/// A text that a reader of the page does not see and that reads like instructions to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenText {
    /// What contains it, with its article.
    pub holder: &'static str,
    /// What it instructs, as a verb phrase.
    pub says: &'static str,
}

/// A command that runs what it downloads or decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download {
    /// The program that prints the code.
    pub from: &'static str,
    /// The program that runs the code.
    pub into: &'static str,
}

/// Arguments `$1` to `$N` of a text without `$0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The first `$1`.
    pub first: Place,
    /// The greatest number.
    pub most: u8,
}

/// Matches in a text. A skill has eight of these lists, and most are empty: an empty one takes one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks<T: 'static = char>(Option<Box<Found<T>>>);

/// The first few matches with their places, and the total count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// The first matches, at most `Marks::SHOWN`; of commands, `Command::KEPT`.
    pub first: Vec<Mark<T>>,
    /// The number of all matches.
    pub count: u32,
    /// The matches after the first ones.
    pub rest: Option<Rest>,
}

/// A match in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark<T> {
    /// What was matched.
    pub value: T,
    /// The place of the match.
    pub place: Place,
    /// Content hash by which a comparison finds the match again.
    pub identity: [u8; 16],
}

/// The matches after the first ones. A comparison treats them as one: a change of any of them is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    /// The place of the first of them.
    pub place: Place,
    /// Hash of their identities, in order.
    pub identity: [u8; 16],
}

impl Marks {
    /// Maximum number of matches kept with their places.
    pub(crate) const SHOWN: usize = 16;
}

impl<T> Found<T> {
    const NOTHING: Self = Self { first: Vec::new(), count: 0, rest: None };
}

impl<T> Marks<T> {
    const NOTHING: &Found<T> = &Found::NOTHING;

    /// Counts a match, and keeps it if the cap is not reached. `text` identifies it: its own text or its line.
    pub fn push(&mut self, value: T, place: Place, text: &str) {
        self.add(Mark { value, place, identity: text::digest(text.as_bytes()) });
    }

    /// Counts a match whose identity is known, and keeps it if the cap is not reached.
    pub(super) fn add(&mut self, mark: Mark<T>) {
        self.add_within(Marks::SHOWN, mark);
    }

    /// Counts a match, and keeps it if fewer than `most` are kept.
    pub(super) fn add_within(&mut self, most: usize, mark: Mark<T>) {
        let found = self.0.get_or_insert_with(|| Box::new(Found::NOTHING));
        found.count += 1;
        if found.first.len() < most {
            found.first.push(mark);
            return;
        }
        let rest = found.rest.get_or_insert(Rest { place: mark.place, identity: [0; 16] });
        let mut both = Sha256::new();
        both.update(rest.identity);
        both.update(mark.identity);
        rest.identity.copy_from_slice(&both.finalize()[..16]);
    }
}

impl<T> Deref for Marks<T> {
    type Target = Found<T>;

    fn deref(&self) -> &Found<T> {
        self.0.as_deref().unwrap_or(Self::NOTHING)
    }
}

impl<T> Default for Marks<T> {
    fn default() -> Self {
        Self(None)
    }
}
