//! Typed access to tables of skilltree.toml. A value of a wrong type is a fault at its place.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::faults::Faults;
use super::keys::WHOLE;
use skilltree_front_matter::text::shortened;

/// A value with its byte range.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    /// The value.
    pub(super) value: T,
    /// Byte range in the file.
    pub(super) range: Range<usize>,
}

/// Type of a value: its name and an example.
struct Type<'a> {
    name: &'static str,
    help: &'a str,
}

const STRING: Type<'static> = Type { name: "a string", help: "write it in quotes: \"…\"" };
const INTEGER: Type<'static> = Type { name: "an integer", help: "write a whole number without quotes" };
const BOOLEAN: Type<'static> = Type { name: "a boolean", help: "write `true` or `false` without quotes" };
const ARRAY: Type<'static> = Type { name: "an array", help: "" };
const TABLE: Type<'static> =
    Type { name: "a table", help: "write it as a table: one bracket around its name, or `{ key = value }`" };
const TABLES: Type<'static> = Type { name: "an array of tables", help: "write two brackets around the name: [[…]]" };
const DATE: Type<'static> = Type { name: "a date", help: "write a date such as 2027-01-01" };

/// A table with the byte range of its header.
#[derive(Clone, Debug)]
pub(super) struct Table<'a> {
    entries: &'a DeTable<'a>,
    /// Name in messages.
    pub(super) name: &'static str,
    /// Place at which a missing key is reported.
    pub(super) range: Range<usize>,
}

impl<'a> Table<'a> {
    /// Wraps the whole file.
    pub(super) fn new(entries: &'a DeTable<'a>) -> Self {
        Self { entries, name: WHOLE, range: 0..0 }
    }

    /// Reports all keys except the known ones.
    pub(super) fn only(&self, known: &[&str], faults: &mut Faults) {
        for (key, _) in self.iter() {
            if !known.contains(&key.value) {
                faults.unknown_setting(key.range, key.value, self.name, known);
            }
        }
    }

    /// Returns the bytes from the header to the last value.
    pub(super) fn extent(&self) -> Range<usize> {
        let end = self.entries.values().map(|value| value.span().end).max();
        self.range.start..self.range.end.max(end.unwrap_or_default())
    }

    /// Iterates over the keys and values, sorted by key.
    pub(super) fn iter(&self) -> impl Iterator<Item = (At<&'a str>, &'a Spanned<DeValue<'a>>)> {
        self.entries.iter().map(|(key, value)| (At { value: &**key.get_ref(), range: key.span() }, value))
    }

    /// Returns whether a key is written.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Returns a number of at least zero.
    pub(super) fn number(&self, key: &str, faults: &mut Faults) -> Option<u64> {
        let number = integer(key, self.entries.get(key)?, faults)?;
        if number.value.is_none() {
            faults.invalid(number.range, format!("`{key}` is not a number of at least 0"), "write 0 or more");
        }
        number.value
    }

    /// Returns a string.
    pub(super) fn string(&self, key: &str, faults: &mut Faults) -> Option<At<&'a str>> {
        string(key, self.entries.get(key)?, faults)
    }

    /// Returns a string that must be present and not empty.
    pub(super) fn required(&self, key: &str, faults: &mut Faults) -> Option<At<&'a str>> {
        if !self.entries.contains_key(key) {
            let message = format!("{} has no `{key}`", self.name);
            faults.invalid(self.range.clone(), message, format!("add `{key} = \"…\"`"));
        }
        let value = self.string(key, faults)?;
        if value.value.trim().is_empty() {
            faults.invalid(value.range, format!("`{key}` is empty"), format!("write a value: `{key} = \"…\"`"));
            return None;
        }
        Some(value)
    }

    /// Returns a boolean.
    pub(super) fn boolean(&self, key: &str, faults: &mut Faults) -> Option<bool> {
        let value = self.entries.get(key)?;
        typed(key, value, value.get_ref().as_bool(), BOOLEAN, faults).map(|at| at.value)
    }

    /// Returns an array of strings; `None` if the key is absent.
    pub(super) fn strings(&self, key: &str, faults: &mut Faults) -> Option<At<Vec<At<&'a str>>>> {
        strings(key, self.entries.get(key)?, faults)
    }

    /// Returns an array of arrays of strings; empty if the key is absent.
    pub(super) fn lists(&self, key: &str, faults: &mut Faults) -> Vec<At<Vec<At<&'a str>>>> {
        let Some(array) = self.entries.get(key).and_then(|value| array(key, value, faults)) else { return Vec::new() };
        array.value.into_iter().filter_map(|element| strings(key, element, faults)).collect()
    }

    /// Returns a subtable. `name` names it in messages.
    pub(super) fn table(&self, key: &str, name: &'static str, faults: &mut Faults) -> Option<Table<'a>> {
        let value = self.entries.get(key)?;
        let entries = typed(key, value, value.get_ref().as_table(), TABLE, faults)?;
        Some(Table { entries: entries.value, name, range: entries.range })
    }

    /// Returns an array of tables, `[[key]]`. `name` names each in messages.
    pub(super) fn tables(&self, key: &str, name: &'static str, faults: &mut Faults) -> Vec<Table<'a>> {
        let Some(value) = self.entries.get(key) else { return Vec::new() };
        let help = faults.tables_help(key);
        let expected = || Type { help: help.as_deref().unwrap_or(TABLES.help), ..TABLES };
        let Some(array) = typed(key, value, value.get_ref().as_array(), expected(), faults) else { return Vec::new() };
        let table = |element: &'a Spanned<DeValue<'a>>| {
            let entries = typed(key, element, element.get_ref().as_table(), expected(), faults)?;
            Some(Table { entries: entries.value, name, range: entries.range })
        };
        array.value.iter().filter_map(table).collect()
    }

    /// Returns a date, written as a TOML date or as a string.
    pub(super) fn date(&self, key: &str, faults: &mut Faults) -> Option<At<Date<'a>>> {
        let value = self.entries.get(key)?;
        let date = match value.get_ref() {
            DeValue::Datetime(datetime) => Some(match (datetime.date, datetime.time) {
                (Some(date), None) => Date::Written(date.year, date.month, date.day),
                _ => Date::WithTime,
            }),
            DeValue::String(text) => Some(Date::Text(text)),
            _ => None,
        };
        typed(key, value, date, DATE, faults)
    }
}

/// Value in place of a date.
#[derive(Clone, Copy, Debug)]
pub(super) enum Date<'a> {
    /// Year, month and day.
    Written(u16, u8, u8),
    /// A string.
    Text(&'a str),
    /// A time, or a date with one.
    WithTime,
}

/// Returns an integer of any size: `Some(None)` if it does not fit in a `u64`.
pub(super) fn integer(key: &str, value: &Spanned<DeValue<'_>>, faults: &mut Faults) -> Option<At<Option<u64>>> {
    let integer = value.get_ref().as_integer().map(|digits| u64::from_str_radix(digits.as_str(), digits.radix()).ok());
    typed(key, value, integer, INTEGER, faults)
}

/// Returns a string.
pub(super) fn string<'a>(key: &str, value: &'a Spanned<DeValue<'a>>, faults: &mut Faults) -> Option<At<&'a str>> {
    typed(key, value, value.get_ref().as_str(), STRING, faults)
}

fn strings<'a>(key: &str, value: &'a Spanned<DeValue<'a>>, faults: &mut Faults) -> Option<At<Vec<At<&'a str>>>> {
    let array = array(key, value, faults)?;
    let strings = array.value.into_iter().filter_map(|element| entry(key, element, faults)).collect();
    Some(At { value: strings, range: array.range })
}

/// Returns a string of an array.
fn entry<'a>(key: &str, value: &'a Spanned<DeValue<'a>>, faults: &mut Faults) -> Option<At<&'a str>> {
    let text = value.get_ref().as_str();
    if text.is_none() && value.get_ref().is_table() {
        let message = format!("`{key}` must be an array of strings, but it has a table");
        faults.wrong_type(value.span(), message, &format!("write `{key} = [\"…\"]`"));
        return None;
    }
    if text.is_none() {
        let message = format!("an entry of `{key}` must be {}, but it is {}", STRING.name, type_name(value));
        let number = value.get_ref().as_integer().map(|number| format!("write `\"{}\"`", number.as_str()));
        faults.wrong_type(value.span(), message, number.as_deref().unwrap_or(STRING.help));
    }
    text.map(|value_of_type| At { value: value_of_type, range: value.span() })
}

fn array<'a>(
    key: &str,
    value: &'a Spanned<DeValue<'a>>,
    faults: &mut Faults,
) -> Option<At<Vec<&'a Spanned<DeValue<'a>>>>> {
    let elements = value.get_ref().as_array().map(|array| array.iter().collect());
    let help = match value.get_ref() {
        DeValue::String(text) if !text.contains(['"', '\\', '\n']) => format!("write `[\"{}\"]`", shortened(text, 64)),
        _ => format!("write `{key} = [\"…\"]`"),
    };
    typed(key, value, elements, Type { help: &help, ..ARRAY }, faults)
}

/// Returns a value of the expected type with its place, or reports a fault.
fn typed<T>(
    key: &str,
    value: &Spanned<DeValue<'_>>,
    converted: Option<T>,
    expected: Type<'_>,
    faults: &mut Faults,
) -> Option<At<T>> {
    if converted.is_none() {
        let message = format!("`{key}` must be {}, but it is {}", expected.name, type_name(value));
        faults.wrong_type(value.span(), message, expected.help);
    }
    converted.map(|value_of_type| At { value: value_of_type, range: value.span() })
}

fn type_name(value: &Spanned<DeValue<'_>>) -> &'static str {
    match value.get_ref() {
        DeValue::String(_) => STRING.name,
        DeValue::Integer(_) => INTEGER.name,
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => BOOLEAN.name,
        DeValue::Datetime(_) => DATE.name,
        DeValue::Array(_) => ARRAY.name,
        DeValue::Table(_) => TABLE.name,
    }
}
