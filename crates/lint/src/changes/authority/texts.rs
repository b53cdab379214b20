//! Texts of files that grant something, and values in them.

use bstr::{BStr, ByteSlice};
use serde_json::Value;

use skilltree_front_matter::text::{self, grouped};
use skilltree_skills::skill::Power;
use skilltree_skills::snapshot::{Body, File, Mode, ObjectId};
use skilltree_skills::source::{CONFIG_BYTES, Error, Source};

/// The bytes of a file, and its mode.
pub(super) type Text = (Vec<u8>, Mode);

/// A file of more than [`CONFIG_BYTES`].
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Large {
    id: Option<ObjectId>,
    bytes: u64,
}

impl Large {
    /// Returns whether two files may differ: the id of a very large one is not known.
    pub(super) fn differs(&self, other: &Self) -> bool {
        self.id.is_none() || self.id != other.id
    }

    /// Returns that a file of this size is not compared.
    pub(super) fn unread(&self, path: &BStr) -> Power {
        let (bytes, limit) = (grouped(self.bytes), grouped(CONFIG_BYTES));
        Power::Unread { path: text::lossless(path), why: format!("{bytes} bytes; the limit is {limit}") }
    }
}

/// What is at a path.
pub(super) enum Found {
    /// No regular file.
    Nothing,
    Text(Text),
    Large(Large),
}

impl Found {
    pub(super) fn text(self) -> Option<Text> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns its bytes without a byte order mark, which programs accept in settings.
    pub(super) fn settings(&self) -> Option<&[u8]> {
        match self {
            Self::Text((bytes, _)) => Some(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)),
            _ => None,
        }
    }

    pub(super) fn json(&self) -> Option<Value> {
        serde_json::from_slice(self.settings()?).ok()
    }
}

/// Returns the large file of a comparison that is not made, if there is one: nothing is known about what the other side has instead.
pub(super) fn unread<'a>(after: &'a Found, before: &'a Found) -> Option<&'a Large> {
    match (after, before) {
        (Found::Large(after), Found::Large(before)) => Some(after).filter(|after| after.differs(before)),
        (Found::Large(large), _) | (_, Found::Large(large)) => Some(large),
        _ => None,
    }
}

/// Returns the paths of a value: a string, or the strings of a list.
pub(super) fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_str().into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
}

/// Returns the JSON of a file; `None` if there is none.
pub(super) fn json(source: &Source, path: &BStr) -> Result<Option<Value>, Error> {
    Ok(found(source, path)?.json())
}

/// Returns the text of a file, also through links that stay in the tree.
pub(super) fn text_of(source: &Source, path: &BStr) -> Result<Option<Text>, Error> {
    Ok(found(source, path)?.text())
}

/// Returns the file at a path, also through links that stay in the tree.
pub(super) fn found(source: &Source, path: &BStr) -> Result<Found, Error> {
    let read = |path: &BStr| -> Result<Found, Error> {
        let Some(file) = source.file(path)? else { return Ok(Found::Nothing) };
        Ok(match file.body {
            Body::Text(text) => Found::Text((text, file.mode)),
            Body::TooLarge { bytes } => Found::Large(Large { id: file.id, bytes }),
            _ => Found::Nothing,
        })
    };
    match read(path)? {
        Found::Nothing => {
            source.resolved(path).filter(|real| *real != path).map_or(Ok(Found::Nothing), |real| read(real.as_bstr()))
        }
        found => Ok(found),
    }
}

/// Returns where a link leads, as it is written.
pub(super) fn target_of(source: &Source, file: &File) -> Result<Option<String>, Error> {
    Ok(source.file(file.path.as_bstr())?.and_then(|file| match file.body {
        Body::Symlink { target, .. } => Some(text::lossless(target.as_bstr())),
        _ => None,
    }))
}
