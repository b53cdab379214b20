//! JSON with the place of every key and value, for files in which a finding has to point somewhere.
//!
//! serde_json finds the ends of values; here they are only cut out of the text. A value is looked into one level at a
//! time, so that nothing nests deeper than whoever asks, and an object keeps the keys that it has twice.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A value that was found to be JSON and not looked into yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value<'a> {
    raw: &'a str,
    start: usize,
}

/// A key of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// Why a text is not JSON, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) range: Range<usize>,
    pub(super) message: String,
}

impl<'a> Value<'a> {
    /// The value of a text; `offset` is where the text stands in its file.
    pub(super) fn parse(text: &'a str, offset: usize) -> Result<Self, Mistake> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) => Ok(Self { raw: text, start: offset }.part(raw)),
            Err(error) => Err(mistake(text, offset, &error)),
        }
    }

    /// Where it stands in the file.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.raw.len()
    }

    /// The members of an object in their order, keys that stand twice both times.
    pub(super) fn members(&self) -> Option<Vec<(Key, Self)>> {
        let Members(members) = serde_json::from_str(self.raw).ok()?;
        let key = |raw: &'a RawValue| {
            let value = self.part(raw);
            Some(Key { text: value.text()?, range: value.range() })
        };
        members.into_iter().map(|(name, value)| Some((key(name)?, self.part(value)))).collect()
    }

    /// The items of a list.
    pub(super) fn items(&self) -> Option<Vec<Self>> {
        let items: Vec<&RawValue> = serde_json::from_str(self.raw).ok()?;
        Some(items.into_iter().map(|item| self.part(item)).collect())
    }

    /// A text; `None` also where half of a surrogate pair stands in it.
    pub(super) fn text(&self) -> Option<String> {
        serde_json::from_str(self.raw).ok()
    }

    /// What it is, in words.
    pub(super) fn kind(&self) -> &'static str {
        match self.raw.as_bytes().first() {
            Some(b'{') if self.members().is_none() => "an object with a key that is no text",
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') if self.text().is_none() => "a text with half of a character",
            Some(b'"') => "a text",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    /// A value that was cut out of this one: what was cut out borrows from it, so its place is a difference of addresses.
    fn part(&self, raw: &'a RawValue) -> Self {
        let raw = raw.get();
        Self { raw, start: self.start + (raw.as_ptr() as usize - self.raw.as_ptr() as usize) }
    }
}

/// The character at which serde_json noticed that a text is not JSON.
fn mistake(text: &str, offset: usize, error: &serde_json::Error) -> Mistake {
    let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut start = (line + error.column().saturating_sub(1)).min(text.len());
    if start == text.len() {
        // What is missing at the end is missing behind the last character, and a reader looks at that one.
        start = text.trim_end().len().saturating_sub(1);
    }
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let end = start + text[start..].chars().next().map_or(0, char::len_utf8);
    let said = error.to_string();
    let message = said.split(" at line ").next().unwrap_or(&said).to_lowercase();
    Mistake { range: offset + start..offset + end, message }
}

/// The members of an object as they stand.
struct Members<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;
        impl<'de> Visitor<'de> for Collect {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Collect)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_have_their_places() {
        let text = " {\"a\\u0062\": [1, \"x\"], \"a\\u0062\": null}";
        let members = Value::parse(text, 10).unwrap().members().unwrap();
        let keys: Vec<&str> = members.iter().map(|(key, _)| key.text.as_str()).collect();
        assert_eq!(keys, ["ab", "ab"], "a key that stands twice is there twice");
        assert_eq!(&text[members[0].0.range.start - 10..members[0].0.range.end - 10], "\"a\\u0062\"");
        let items = members[0].1.items().unwrap();
        assert_eq!(&text[items[1].range().start - 10..items[1].range().end - 10], "\"x\"");
        assert_eq!((items[0].kind(), items[1].text().as_deref()), ("a number", Some("x")));
        assert_eq!(members[1].1.kind(), "null");
    }

    #[test]
    fn a_mistake_has_its_place() {
        let place = |text: &str| Value::parse(text, 0).unwrap_err().range;
        assert_eq!(place("{\"a\": 1,}"), 8..9);
        assert_eq!(place("{\n \"é\" 1}"), 8..9);
        assert_eq!(place("{\"a\": \n"), 4..5);
        assert_eq!(place(""), 0..0);
        assert_eq!(place("[1] x"), 4..5);
        assert_eq!(place("é"), 0..2);
        assert_eq!(Value::parse("[", 0).unwrap_err().message, "eof while parsing a list");
    }

    #[test]
    fn depth_is_no_matter_and_half_a_character_is_no_text() {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert!(Value::parse(&deep, 0).is_ok_and(|value| value.kind() == "a list"));
        let value = Value::parse("\"\\ud83d\"", 0).unwrap();
        assert_eq!((value.text(), value.kind()), (None, "a text with half of a character"));
        assert_eq!(Value::parse("{\"\\ud83d\": 1}", 0).unwrap().kind(), "an object with a key that is no text");
    }
}
