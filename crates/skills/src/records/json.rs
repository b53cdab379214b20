//! JSON with the place of every key and value, for files in which a finding must point to a place.
//!
//! serde_json finds the ends of values; this module only slices the text. A value is parsed one level at a time, so
//! nesting is bounded by the caller, and duplicate keys of an object are kept.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// A valid JSON value whose members are not parsed yet.
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

/// Why and where a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mistake {
    pub(super) range: Range<usize>,
    pub(super) message: String,
}

impl<'a> Value<'a> {
    /// Parses a text that begins at `offset` in its file.
    pub(super) fn parse(text: &'a str, offset: usize) -> Result<Self, Mistake> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) => Ok(Self { raw: text, start: offset }.part(raw)),
            Err(error) => Err(mistake(text, offset, &error)),
        }
    }

    /// Returns its range in the file.
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.start + self.raw.len()
    }

    /// Returns the members of an object in order, duplicate keys included.
    pub(super) fn members(&self) -> Option<Vec<(Key, Self)>> {
        let Members(members) = serde_json::from_str(self.raw).ok()?;
        let key = |raw: &'a RawValue| {
            let value = self.part(raw);
            Some(Key { text: value.text()?, range: value.range() })
        };
        members.into_iter().map(|(name, value)| Some((key(name)?, self.part(value)))).collect()
    }

    /// Returns the items of a list.
    pub(super) fn items(&self) -> Option<Vec<Self>> {
        let items: Vec<&RawValue> = serde_json::from_str(self.raw).ok()?;
        Some(items.into_iter().map(|item| self.part(item)).collect())
    }

    /// Returns the string; `None` also if it contains an unpaired surrogate.
    pub(super) fn text(&self) -> Option<String> {
        serde_json::from_str(self.raw).ok()
    }

    /// Names its type.
    pub(super) fn kind(&self) -> &'static str {
        match self.raw.as_bytes().first() {
            Some(b'{') if self.members().is_none() => "an object with a key that is not a string",
            Some(b'{') => "an object",
            Some(b'[') => "a list",
            Some(b'"') if self.text().is_none() => "a string with an unpaired surrogate",
            Some(b'"') => "a string",
            Some(b't' | b'f') => "a boolean",
            Some(b'n') => "null",
            _ => "a number",
        }
    }

    /// Returns a value sliced from this one; its offset is the difference of the two addresses.
    fn part(&self, raw: &'a RawValue) -> Self {
        let raw = raw.get();
        Self { raw, start: self.start + (raw.as_ptr() as usize - self.raw.as_ptr() as usize) }
    }
}

/// Returns the character at which serde_json reported a syntax error.
fn mistake(text: &str, offset: usize, error: &serde_json::Error) -> Mistake {
    let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut start = (line + error.column().saturating_sub(1)).min(text.len());
    if start == text.len() {
        // At an unexpected end, point to the last character.
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

/// The members of an object, unparsed.
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
    fn finds_places_of_keys_and_values() {
        let text = " {\"a\\u0062\": [1, \"x\"], \"a\\u0062\": null}";
        let members = Value::parse(text, 10).unwrap().members().unwrap();
        let keys: Vec<&str> = members.iter().map(|(key, _)| key.text.as_str()).collect();
        assert_eq!(keys, ["ab", "ab"], "a duplicate key is kept");
        assert_eq!(&text[members[0].0.range.start - 10..members[0].0.range.end - 10], "\"a\\u0062\"");
        let items = members[0].1.items().unwrap();
        assert_eq!(&text[items[1].range().start - 10..items[1].range().end - 10], "\"x\"");
        assert_eq!((items[0].kind(), items[1].text().as_deref()), ("a number", Some("x")));
        assert_eq!(members[1].1.kind(), "null");
    }

    #[test]
    fn finds_place_of_syntax_errors() {
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
    fn accepts_any_depth_and_rejects_half_characters() {
        let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert!(Value::parse(&deep, 0).is_ok_and(|value| value.kind() == "a list"));
        let value = Value::parse("\"\\ud83d\"", 0).unwrap();
        assert_eq!((value.text(), value.kind()), (None, "a string with an unpaired surrogate"));
        assert_eq!(Value::parse("{\"\\ud83d\": 1}", 0).unwrap().kind(), "an object with a key that is not a string");
    }
}
