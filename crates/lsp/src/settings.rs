//! The text of skilltree.toml while it is typed: what a place in it is.

use std::ops::Range;

use serde_json::Value;

/// Maximum number of lines of a list that is completed (ours): nothing is offered below them.
const LINES: usize = 1_000;

/// Returns the schema that another one refers to, or itself.
pub(crate) fn resolved<'s>(schema: &'s Value, about: &'s Value) -> &'s Value {
    let target = about["allOf"][0]["$ref"].as_str().and_then(|path| schema.pointer(path.trim_start_matches('#')));
    target.unwrap_or(about)
}

/// A place in skilltree.toml.
#[derive(Clone, Copy)]
pub(crate) struct Written<'t> {
    pub(crate) text: &'t str,
    /// The offset of the line.
    pub(crate) start: usize,
    /// The line up to the place.
    pub(crate) before: &'t str,
}

impl<'t> Written<'t> {
    /// Returns the key of the value at the place, and the value so far: also of a list on several lines.
    pub(crate) fn value(self) -> Option<(String, String)> {
        // A bracket at the start of a line opens a table, except in an open list.
        if self.before.trim_start().starts_with('[') && (Self { before: "", ..self }).value().is_none() {
            return None;
        }
        let mut value = self.before.to_owned();
        for line in std::iter::once("").chain(self.text[..self.start].lines().rev().take(LINES)) {
            value = if line.is_empty() { value } else { format!("{line}\n{value}") };
            let Some((key, after)) = value.split_once('=').filter(|(key, _)| !key.contains(['"', '\'', '#', '\n']))
            else {
                match line.trim_start().starts_with('[') {
                    true => return None,
                    false => continue,
                }
            };
            let is_open = after.matches('[').count() > after.matches(']').count();
            return (is_open || line.is_empty()).then(|| (key.trim().to_owned(), after.to_owned()));
        }
        None
    }

    /// Returns the table of the place, and its lines.
    pub(crate) fn table(self) -> (&'t str, Vec<&'t str>) {
        let is_header = |line: &&str| line.trim_start().starts_with('[') && !line.contains('"');
        let name = self.text[..self.start].lines().rev().find(is_header);
        let above = self.text[..self.start].lines().rev().take_while(|line| !is_header(line));
        let below = self.text[self.start..].lines().skip(1).take_while(|line| !is_header(line));
        (name.map_or("", |line| line.trim().trim_matches(['[', ']']).trim()), above.chain(below).collect())
    }
}

/// What a word of skilltree.toml is, with the names of its table and its key.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Table(String),
    Key(String, String),
    Value(String, String),
}

/// Returns what the word at an offset of skilltree.toml is, and its range; `None` outside of words and in comments.
pub(crate) fn setting_at(text: &str, offset: usize) -> Option<(Setting, Range<usize>)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/');
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    let column = (offset - start).min(line.len());
    let first = line[..column].trim_end_matches(is_part).len();
    let before = &line[..line.len() - line[column..].trim_start_matches(is_part).len()];
    let range = start + first..start + before.len();
    let is_comment = line[..first].contains('#') && open_quote(&line[..first]).is_none();
    if range.is_empty() || is_comment {
        return None;
    }
    let written = Written { text, start, before };
    let table = written.table().0.to_owned();
    let setting = match written.value() {
        Some((key, _)) => Setting::Value(table, key),
        None if line.trim_start().starts_with('[') => Setting::Table(line.trim().trim_matches(['[', ']']).to_owned()),
        None => Setting::Key(table, line.split_once('=')?.0.trim().to_owned()),
    };
    Some((setting, range))
}

/// Returns the quote that is open at the end of a value.
pub(crate) fn open_quote(value: &str) -> Option<char> {
    value.chars().fold(None, |open, character| match open {
        None => Some(character).filter(|character| matches!(character, '"' | '\'')),
        Some(quote) => Some(quote).filter(|quote| character != *quote && character != '\n'),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_word_is() {
        let at = |text: &str| {
            let offset = text.find('|').unwrap();
            setting_at(&text.replacen('|', "", 1), offset).map(|(setting, _)| setting)
        };
        let [table, key] = ["rules", "empty-body"].map(str::to_owned);
        let targets = || (String::new(), "targets".to_owned());
        assert_eq!(at("targets = [\"codex\"]\n[ru|les]"), Some(Setting::Table(table.clone())));
        assert_eq!(at("[[ig|nore]]"), Some(Setting::Table("ignore".to_owned())));
        assert_eq!(at("[rules]\nempt|y-body = 1"), Some(Setting::Key(table.clone(), key.clone())));
        assert_eq!(at("[rules]\nempty-body = \"o|ff\""), Some(Setting::Value(table, key)));
        assert_eq!(at("targets = [\n  \"co|dex\"\n]"), Some(Setting::Value(targets().0, targets().1)));
        assert_eq!(at("|targets = []"), Some(Setting::Key(targets().0, targets().1)));
        for nothing in ["# tar|gets", "targets = [] # co|dex", "|", "targets |= []", "]\n|"] {
            assert_eq!(at(nothing), None, "{nothing}");
        }
    }
}
