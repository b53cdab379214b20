//! Texts of files that grant something, and values in them.

use bstr::{BStr, ByteSlice};
use serde_json::Value;

use skilltree_front_matter::text;
use skilltree_skills::snapshot::{Body, File, Mode};
use skilltree_skills::source::{Error, Source};

/// The bytes of a file, and its mode.
pub(super) type Text = (Vec<u8>, Mode);

/// Returns the paths of a value: a string, or the strings of a list.
pub(super) fn strings(value: &Value) -> impl Iterator<Item = &str> {
    value.as_str().into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
}

/// Returns the JSON of a file; `None` if there is none.
pub(super) fn json(source: &Source, path: &BStr) -> Result<Option<Value>, Error> {
    let text = text_of(source, path)?.map(|(text, _)| text);
    // Programs accept a byte order mark in settings.
    Ok(text.and_then(|text| serde_json::from_slice(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&text)).ok()))
}

/// Returns the text of a file, also through links that stay in the tree.
pub(super) fn text_of(source: &Source, path: &BStr) -> Result<Option<Text>, Error> {
    let read = |path: &BStr| -> Result<Option<Text>, Error> {
        let found = source.file(path)?;
        Ok(found.and_then(|file| match file.body {
            Body::Text(text) => Some((text.to_vec(), file.mode)),
            _ => None,
        }))
    };
    match read(path)? {
        Some(found) => Ok(Some(found)),
        None => source.resolved(path).filter(|real| *real != path).map_or(Ok(None), |real| read(real.as_bstr())),
    }
}

/// Returns where a link leads, as it is written.
pub(super) fn target_of(source: &Source, file: &File) -> Result<Option<String>, Error> {
    Ok(source.file(file.path.as_bstr())?.and_then(|file| match file.body {
        Body::Symlink { target, .. } => Some(text::lossless(target.as_bstr())),
        _ => None,
    }))
}
