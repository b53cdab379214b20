//! What is known of a body after it was dropped.

use super::Links;
use crate::text::{Place, Spanned};

/// What is known of a body after it was dropped. Lengths leave out outer blank lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BodyFacts {
    /// The offset of the first byte behind the closing fence's line.
    pub start: u32,
    /// Bytes of the whole file.
    pub file_bytes: u32,
    /// Lines of the body.
    pub lines: u32,
    /// Code points of the body.
    pub chars: u32,
    /// Whether there is nothing but white space.
    pub blank: bool,
    /// Characters of the whole file that carry no meaning a reader could see.
    pub hidden: Marks,
    /// Bidirectional controls of the whole file that are unbalanced, overriding or empty.
    pub bidi: Marks,
    /// The links of the body that may lead nowhere.
    pub links: Links,
    /// The first line of a code fence that nothing closes.
    pub open_fence: Option<Place>,
    /// Texts of the body that a reader of the page does not see, and that read like orders.
    pub hidden_texts: Marks<HiddenText>,
    /// Commands of the body that run what they download.
    pub downloads: Marks<Download>,
    /// Secrets of the whole file, by what they are.
    pub secrets: Marks<&'static str>,
}

/// A text that a reader of the page does not see, and that reads like orders to a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HiddenText {
    /// What it is, with its article.
    pub holder: &'static str,
    /// What it does, as a verb.
    pub says: &'static str,
}

/// A command that runs what it downloads or decodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download {
    /// The program that prints what is run.
    pub from: &'static str,
    /// The program that runs it.
    pub into: &'static str,
}

/// Things found in a text: the first few with their places, and how many there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marks<T = char> {
    /// The first ones, at most [`Marks::SHOWN`].
    pub first: Vec<Spanned<T>>,
    /// All of them.
    pub count: u32,
}

impl Marks {
    /// How many are kept with their places.
    pub const SHOWN: usize = 16;
}

impl<T> Marks<T> {
    /// Counts one more, and keeps it while there is room.
    pub fn push(&mut self, value: T, place: Place) {
        self.count += 1;
        if self.first.len() < Marks::SHOWN {
            self.first.push(Spanned { value, place });
        }
    }
}

impl<T> Default for Marks<T> {
    fn default() -> Self {
        Self { first: Vec::new(), count: 0 }
    }
}
