//! What hooks and servers of a plugin have in common: files of their own, and values with types.

use std::ops::Range;

use skilltree_front_matter::text;
use skilltree_skills::manifest::json::{Json, Member, Value};
use skilltree_skills::manifest::{Manifest, Unread};

/// Shells that run a command.
const SHELLS: [&str; 2] = ["bash", "powershell"];

/// Maximum length of a word of the file in a message, in code points.
pub(super) const SHOWN: usize = 64;

/// What a value has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// An object.
    Object,
    /// A list.
    List,
    /// A string.
    Text,
    /// `true` or `false`.
    Boolean,
    /// A number above 0.
    Number,
    /// One of [`SHELLS`].
    Shell,
}

impl Need {
    pub(super) fn is_met(self, value: &Json) -> bool {
        match (self, &value.value) {
            (_, Value::Deep)
            | (Self::Object, Value::Object(_))
            | (Self::List, Value::List(_))
            | (Self::Text, Value::Text(_))
            | (Self::Boolean, Value::Boolean(_))
            | (Self::Number, Value::Number(true)) => true,
            (Self::Shell, Value::Text(text)) => SHELLS.contains(&text.as_str()),
            _ => false,
        }
    }

    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Object => "an object",
            Self::List => "a list",
            Self::Text => "a string",
            Self::Boolean => "`true` or `false`",
            Self::Number => "a number above 0",
            Self::Shell => "`bash` or `powershell`",
        }
    }
}

/// Returns why a file is not read as a whole, and where that shows. Conflict markers have their own finding, and whether a link is followed
/// is unknown.
pub(super) fn unread(file: &Manifest) -> Option<(Range<usize>, String)> {
    match &file.content {
        Ok(_) if file.has_bom => Some((0..3, "the file starts with a byte order mark (BOM)".to_owned())),
        Err(Unread::Malformed(reason, at)) => Some((*at..at + 1, format!("it is not valid JSON: {reason}"))),
        Err(Unread::NotAnObject) => Some((0..0, "the file is not an object".to_owned())),
        Err(Unread::TooLarge(bytes)) => {
            Some((0..0, format!("the file has {} bytes, so it was not checked", text::grouped(*bytes))))
        }
        Ok(_) | Err(Unread::Link | Unread::Unmerged) => None,
    }
}

/// Returns the key of an object that is similar to one that is missing.
pub(super) fn similar<'a>(object: &'a Json, key: &str) -> Option<&'a Member> {
    object.members().iter().find(|member| text::nearest(&member.key, [key]).is_some())
}

/// Returns the place of a key or of a text without its quotes, which stay where it is replaced.
pub(super) fn unquoted(range: &Range<usize>) -> Range<usize> {
    range.start + 1..range.end - 1
}
