//! JSON with the place of each key and value.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use bstr::ByteSlice;
use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

/// Levels below the top whose values are kept (ours: 8). What runtimes read is at most 6 levels deep.
const DEPTH: u32 = 8;

/// A value and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json {
    /// The bytes.
    pub range: Range<usize>,
    /// The value.
    pub value: Value,
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, and whether it is above zero.
    Number(bool),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Json>),
    /// An object, in the order of the file.
    Object(Vec<Member>),
    /// A list or an object too deep to be kept.
    Deep,
}

/// A key of an object with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The bytes of the key, with its quotes.
    pub range: Range<usize>,
    /// The key.
    pub key: String,
    /// The value.
    pub value: Json,
}

/// Why a text has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It is not JSON, for this reason, at this byte.
    Malformed(String, usize),
    /// It has more values than may be kept.
    TooMany,
}

impl Refused {
    fn moved(self, by: usize) -> Self {
        match self {
            Self::Malformed(reason, at) => Self::Malformed(reason, at + by),
            Self::TooMany => self,
        }
    }
}

/// Replaces the comments and the trailing commas of settings with spaces, so that places stay.
pub fn without_comments(text: &str) -> String {
    replaced(text, true)
}

/// Replaces the comments of settings with spaces. Trailing commas stay.
pub fn with_commas(text: &str) -> String {
    replaced(text, false)
}

fn replaced(text: &str, commas: bool) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let (mut at, mut comma) = (0, None);
    while at < bytes.len() {
        let end = match bytes[at..] {
            [b'"', ..] => string_end(&bytes, at),
            [b'/', b'/', ..] => bytes[at..].find_byte(b'\n').map_or(bytes.len(), |length| at + length),
            [b'/', b'*', ..] => bytes[at + 2..].find(b"*/").map_or(bytes.len(), |length| at + length + 4),
            _ => at + 1,
        };
        match bytes[at] {
            b'/' if end > at + 1 => {
                bytes[at..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
            b',' => comma = Some(at),
            b'}' | b']' => {
                if let Some(comma) = comma.take().filter(|_| commas) {
                    bytes[comma] = b' ';
                }
            }
            byte if byte.is_ascii_whitespace() => {}
            _ => comma = None,
        }
        at = end;
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// Returns the end of the string that begins at a byte.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

impl Json {
    /// Parses a text, with or without a byte order mark. `left` is the number of values that may be kept, and is reduced by those that are.
    ///
    /// # Errors
    /// If the text is not JSON, or has too many values.
    pub fn parse(text: &str, left: &mut usize) -> Result<Self, Refused> {
        let inside = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw: &RawValue = serde_json::from_str(inside).map_err(|error| {
            // A parser that keeps the values gives the better reason.
            let kept = serde_json::from_str::<serde_json::Value>(inside).err();
            malformed(&kept.unwrap_or(error), inside).moved(text.len() - inside.len())
        })?;
        Reading { text, left }.value(raw, 0)
    }

    /// Returns the value of a key; the last one of duplicates, as JavaScript reads it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.members().iter().rfind(|member| member.key == key).map(|member| &member.value)
    }

    /// Returns the value at a path of keys, joined by dots.
    pub fn at(&self, path: &str) -> Option<&Self> {
        path.split('.').try_fold(self, |value, key| value.get(key))
    }

    /// Returns the members of an object; none of another value.
    pub fn members(&self) -> &[Member] {
        match &self.value {
            Value::Object(members) => members,
            _ => &[],
        }
    }

    /// Returns the items of a list; none of another value.
    pub fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the value with a range. Values are in the order of the text, so each level is halved, not searched.
    pub fn find(&self, range: &Range<usize>) -> Option<&Self> {
        if self.range == *range {
            return Some(self);
        }
        let (items, members) = (self.items(), self.members());
        let item = items.get(items.partition_point(|item| item.range.end <= range.start));
        let member = || members.get(members.partition_point(|member| member.value.range.end <= range.start));
        let inner = item.or_else(|| member().map(|member| &member.value));
        inner.filter(|value| value.range.contains(&range.start))?.find(range)
    }

    /// Returns the text of a string.
    pub fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

struct Reading<'a, 'l> {
    text: &'a str,
    left: &'l mut usize,
}

impl<'a> Reading<'a, '_> {
    fn value(&mut self, raw: &'a RawValue, depth: u32) -> Result<Json, Refused> {
        *self.left = self.left.checked_sub(1).ok_or(Refused::TooMany)?;
        let written = raw.get();
        let value = match written.as_bytes().first() {
            Some(b'{' | b'[') if depth == DEPTH => Value::Deep,
            Some(b'{') => {
                let members = serde_json::Deserializer::from_str(written).deserialize_map(Members);
                let members = members.map_err(|error| malformed(&error, self.text))?;
                let members = members.into_iter().map(|(key, value)| {
                    let range = self.range(key.get());
                    let key: Cow<'_, str> =
                        serde_json::from_str(key.get()).map_err(|error| malformed(&error, self.text))?;
                    Ok(Member { range, key: key.into_owned(), value: self.value(value, depth + 1)? })
                });
                Value::Object(members.collect::<Result<_, Refused>>()?)
            }
            Some(b'[') => {
                let items: Vec<&'a RawValue> =
                    serde_json::from_str(written).map_err(|error| malformed(&error, self.text))?;
                Value::List(items.into_iter().map(|item| self.value(item, depth + 1)).collect::<Result<_, Refused>>()?)
            }
            Some(b'"') => Value::Text(serde_json::from_str(written).map_err(|error| malformed(&error, self.text))?),
            Some(b't') => Value::Boolean(true),
            Some(b'f') => Value::Boolean(false),
            Some(b'n') => Value::Null,
            _ => Value::Number(written.parse().is_ok_and(|number: f64| number > 0.0)),
        };
        Ok(Json { range: self.range(written), value })
    }

    /// Returns the place of a part of the text.
    fn range(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }
}

/// Collects the members of an object, as written.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(&'de RawValue, &'de RawValue)>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

/// Returns the reason and the byte that the parser rejects.
fn malformed(error: &serde_json::Error, text: &str) -> Refused {
    let reason = error.to_string();
    let reason = reason.rsplit_once(" at line ").map_or(reason.as_str(), |(reason, _)| reason).to_owned();
    let line = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
    Refused::Malformed(reason, (line + error.column().saturating_sub(1)).min(text.len().saturating_sub(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Json {
        Json::parse(text, &mut 100).unwrap_or_else(|error| panic!("{error:?}"))
    }

    #[test]
    fn replaces_comments_and_trailing_commas() {
        for (text, expected) in [
            ("{\"a\": 1, // b\n}", "{\"a\": 1      \n}"),
            ("{/* \u{e9},\n */\"a\": [\"//\", \"\\\"/*\",],}", "{      \n   \"a\": [\"//\", \"\\\"/*\" ] }"),
            ("[1, /* } */ 2 /", "[1,         2 /"),
            ("[\"a,\", \"]\"]", "[\"a,\", \"]\"]"),
            ("\"\\", "\"\\"),
            ("//", "  "),
            ("\"open", "\"open"),
            ("/* open", "       "),
        ] {
            assert_eq!(without_comments(text), expected, "{text}");
            assert_eq!(without_comments(text).len(), text.len());
        }
    }

    #[test]
    fn keeps_trailing_commas_if_told() {
        assert_eq!(with_commas("{\"a\": [1,], // b\n}"), "{\"a\": [1,],     \n}");
    }

    #[test]
    fn has_places_of_keys_and_values() {
        let text = r#" {"name": "a\u0062", "skills" : [ "./x", 1 ], "name": "last", "on": true} "#;
        let json = parse(text);
        assert_eq!(&text[json.range.clone()], text.trim());
        assert_eq!(json.get("name").and_then(Json::text), Some("last"));
        let member = &json.members()[1];
        assert_eq!((&text[member.range.clone()], member.key.as_str()), ("\"skills\"", "skills"));
        let item = &member.value.items()[0];
        assert_eq!((&text[item.range.clone()], item.text()), ("\"./x\"", Some("./x")));
        assert_eq!(json.members()[0].value.text(), Some("ab"));
        assert_eq!(json.at("skills.x"), None);
        assert_eq!(parse(r#"{"a":{"b":null}}"#).at("a.b").map(|json| &json.value), Some(&Value::Null));
    }

    #[test]
    fn names_the_byte_that_is_refused() {
        let refused = |text: &str| Json::parse(text, &mut 100).err();
        assert_eq!(refused("{\n\"a\": 1,\n}"), Some(Refused::Malformed("trailing comma".to_owned(), 10)));
        assert_eq!(refused("\u{feff}{]"), Some(Refused::Malformed("key must be a string".to_owned(), 4)));
        assert_eq!(refused(""), Some(Refused::Malformed("EOF while parsing a value".to_owned(), 0)));
        assert_eq!(Json::parse("[1,2,3]", &mut 3).err(), Some(Refused::TooMany));
    }

    #[test]
    fn keeps_no_deep_values() {
        let text = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let mut json = parse(&text);
        for _ in 0..DEPTH {
            json = json.items()[0].clone();
        }
        assert_eq!(json.value, Value::Deep);
    }
}
