//! The conditions of an entry of `[[require]]`.

use bstr::BStr;

use super::patterns;
use super::{Conditions, FileCondition, KeyCondition, Kind, plain};
use crate::config::faults::{Faults, word_help};
use crate::config::table::{At, Table};
use crate::config::{keys, paths};
use skilltree_skills::queries::{Files, Query};
use skilltree_skills::skill::paths::is_markdown;

/// Maximum number of words in a list: values, keys, headings, words that must not appear (ours: 100).
const WORDS: usize = 100;

pub(super) fn read(table: &Table<'_>, faults: &mut Faults) -> Conditions {
    let mut conditions = Conditions {
        key: table.table("key", "`key` of `[[require]]`", faults).and_then(|table| key(&table, faults)),
        allowed_keys: words(table, "allowed-keys", faults),
        ..Conditions::default()
    };
    conditions.query.headings = words(table, "headings", faults);
    if let Some(table) = table.table("text", "`text` of `[[require]]`", faults) {
        text(&table, &mut conditions.query, faults);
    }
    if let Some(table) = table.table("file", "`file` of `[[require]]`", faults)
        && let Some((files, condition)) = file(&table, faults)
    {
        conditions.query.files = Some(files);
        conditions.file = Some(condition);
    }
    conditions
}

fn text(table: &Table<'_>, query: &mut Query, faults: &mut Faults) {
    let before = faults.count();
    table.only(&keys::names(keys::TEXT), faults);
    query.texts = table.string("files", faults).and_then(|path| searched(path, faults));
    let forbidden = table.string("forbidden", faults);
    let banned = words(table, "words", faults);
    query.required = table.string("required", faults).and_then(|text| patterns::of_text(&text, faults));
    match forbidden {
        Some(text) if !banned.is_empty() => {
            let message = "`text` has both `forbidden` and `words`";
            faults.invalid(text.range, message, "write two rules, each with its id and message");
        }
        forbidden => {
            query.forbidden = forbidden.and_then(|text| patterns::of_text(&text, faults));
            query.words = patterns::of_words(banned, &table.range, faults);
        }
    }
    if !query.has_text() && faults.count() == before {
        let help = "add `required`, `forbidden` or `words`";
        faults.invalid(table.range.clone(), "`text` has no condition", help);
    }
}

/// Returns the files whose text is searched: Markdown files only.
fn searched(path: At<&str>, faults: &mut Faults) -> Option<Files> {
    let name = path.value.rsplit('/').next().unwrap_or_default();
    let has_extension =
        name.rsplit_once('.').is_some_and(|(_, extension)| extension.chars().all(char::is_alphanumeric));
    if has_extension && !is_markdown(BStr::new(name)) {
        let message = format!("`{}` names no Markdown file, and no other file is searched", path.value);
        faults.invalid(path.range, message, "write a pattern such as `**/*.md`");
        return None;
    }
    files(path, false, faults)
}

fn key(table: &Table<'_>, faults: &mut Faults) -> Option<KeyCondition> {
    let before = faults.count();
    table.only(&keys::names(keys::KEY), faults);
    let name = table.required("name", faults);
    let condition = KeyCondition {
        name: name.as_ref().and_then(|name| plain(name, "name", faults)).unwrap_or_default(),
        required: table.boolean("required", faults).unwrap_or(false),
        forbidden: table.boolean("forbidden", faults).unwrap_or(false),
        kind: kind(table, faults),
        values: words(table, "values", faults),
        pattern: table.string("pattern", faults).and_then(|text| patterns::of_value(&text, faults)),
        min_length: table.number("min-length", faults),
        max_length: table.number("max-length", faults),
    };
    let is_empty = condition == KeyCondition { name: condition.name.clone(), ..KeyCondition::default() };
    let is_contradiction = condition.forbidden
        && condition != KeyCondition { name: condition.name.clone(), forbidden: true, ..KeyCondition::default() };
    if is_empty && faults.count() == before {
        let help = "add `required`, `forbidden`, `type`, `values`, `pattern`, `min-length` or `max-length`";
        faults.invalid(table.range.clone(), "`key` has no condition", help);
    } else if is_contradiction {
        let message = "`key` has `forbidden` and a condition on its value";
        faults.invalid(table.range.clone(), message, "remove one of the two");
    }
    if condition.min_length.zip(condition.max_length).is_some_and(|(least, most)| least > most) {
        let message = "`min-length` is greater than `max-length`";
        faults.invalid(table.range.clone(), message, "make `min-length` the smaller number");
    }
    name.is_some().then_some(condition)
}

fn kind(table: &Table<'_>, faults: &mut Faults) -> Option<Kind> {
    let word = table.string("type", faults)?;
    let kind = Kind::NAMES.iter().find(|(name, _)| *name == word.value).map(|&(_, kind)| kind);
    if kind.is_none() {
        let help = word_help(word.value, Kind::NAMES.map(|(name, _)| name));
        faults.invalid(word.range, format!("`{}` is not a type", word.value), help);
    }
    kind
}

fn file(table: &Table<'_>, faults: &mut Faults) -> Option<(Files, FileCondition)> {
    let before = faults.count();
    table.only(&keys::names(keys::FILES), faults);
    let path = table.required("path", faults);
    let condition = FileCondition {
        required: table.boolean("required", faults).unwrap_or(false),
        forbidden: table.boolean("forbidden", faults).unwrap_or(false),
        max_bytes: table.number("max-bytes", faults),
    };
    if condition == FileCondition::default() && faults.count() == before {
        let help = "add `required`, `forbidden` or `max-bytes`";
        faults.invalid(table.range.clone(), "`file` has no condition", help);
    } else if condition.forbidden && (condition.required || condition.max_bytes.is_some()) {
        let message = "`file` has `forbidden` and another condition";
        faults.invalid(table.range.clone(), message, "remove one of the two");
    }
    Some((files(path?, condition.max_bytes.is_some(), faults)?, condition))
}

/// Returns the files below the directory of a skill that a path or a glob names.
fn files(path: At<&str>, sized: bool, faults: &mut Faults) -> Option<Files> {
    let path = Some(path).filter(|path| faults.counts(&path.range))?;
    let set = paths::files_of_skill(path.value).and_then(paths::set);
    let matcher = set.map_err(|bad| faults.invalid(path.range, bad.message, bad.help)).ok()?;
    Some(Files { pattern: path.value.to_owned(), matcher, sized })
}

/// Returns a list of words, each of which can be printed.
pub(in super::super) fn words(table: &Table<'_>, key: &str, faults: &mut Faults) -> Vec<String> {
    let Some(written) = table.strings(key, faults) else { return Vec::new() };
    if written.value.is_empty() || written.value.len() > WORDS {
        let message = format!("`{key}` has {} words; it needs 1 to {WORDS}", written.value.len());
        faults.invalid(written.range, message, "write at least one word and at most 100");
        return Vec::new();
    }
    let mut words = Vec::new();
    for word in written.value {
        if word.value.trim().is_empty() {
            faults.invalid(word.range, format!("`{key}` has an empty word"), "remove it");
        } else {
            words.extend(plain(&word, key, faults));
        }
    }
    words
}
