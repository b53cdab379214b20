//! `[[require]]`: rules that a repository defines for its skills, without code. Each is a list of conditions that every skill must
//! meet, and examples that test them.

mod conditions;
mod describe;
pub(super) mod patterns;

use std::collections::BTreeSet;
use std::ops::Range;

use bstr::BStr;
use globset::GlobSet;

pub(super) use self::conditions::words;

use super::faults::Faults;
use super::table::{At, Table};
use super::{as_path, exceptions, keys, paths};
use crate::rule::{Level, RuleRef, is_own_id};
use skilltree_front_matter::text::grouped;
use skilltree_skills::characters;
use skilltree_skills::queries::{Pattern, Query};
use skilltree_skills::source::{Content, Entry};

/// Maximum number of entries (ours: 100).
const RULES: usize = 100;

/// Maximum length of a message, a help text and other words, in code points.
const WORDS_CHARS: usize = 200;

/// Maximum number of files of an example.
const EXAMPLE_FILES: usize = 20;

/// The directory of the skill in an example.
pub(crate) const EXAMPLE: &str = "skills/example";

/// An entry of `[[require]]`.
#[derive(Clone, Debug)]
pub struct Requirement {
    /// Its rule.
    pub rule: RuleRef,
    /// The fact that a finding states, in place of the default one.
    pub message: Option<String>,
    /// The edit as text.
    pub help: Option<String>,
    /// The skills; all of them if there is no pattern.
    pub paths: Option<GlobSet>,
    /// The patterns of the skills as written.
    pub patterns: Vec<String>,
    /// What a skill must meet.
    pub conditions: Conditions,
    /// Files of a skill that the rule must report; empty without an example.
    pub fires: Vec<Entry>,
    /// Files of a skill that the rule must not report; empty without an example.
    pub quiet: Vec<Entry>,
    /// Byte range in skilltree.toml.
    pub written: Range<usize>,
}

impl Requirement {
    /// Returns whether another entry demands the same with the same severity and words.
    pub(super) fn means_the_same(&self, other: &Self) -> bool {
        (self.rule.level, &self.message, &self.help) == (other.rule.level, &other.message, &other.help)
            && (&self.patterns, &self.conditions) == (&other.patterns, &other.conditions)
    }
}

/// What a skill must meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions {
    /// On a key of the front matter.
    pub key: Option<KeyCondition>,
    /// The only keys that the front matter may have; empty for any.
    pub allowed_keys: Vec<String>,
    /// On the text and on the files.
    pub query: Query,
    /// On the files that the query names.
    pub file: Option<FileCondition>,
}

/// A condition on a key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyCondition {
    /// The key; a dot separates it from a key of a mapping.
    pub name: String,
    /// Whether it must be present.
    pub required: bool,
    /// Whether it must be absent.
    pub forbidden: bool,
    /// The type of its value.
    pub kind: Option<Kind>,
    /// The only values; empty for any.
    pub values: Vec<String>,
    /// A pattern that a value must match.
    pub pattern: Option<Pattern>,
    /// Minimum length: code points of a scalar, entries of a list or a mapping.
    pub min_length: Option<u64>,
    /// Maximum length.
    pub max_length: Option<u64>,
}

/// A condition on files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCondition {
    /// Whether a file must exist.
    pub required: bool,
    /// Whether no file may exist.
    pub forbidden: bool,
    /// Maximum size of each file.
    pub max_bytes: Option<u64>,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A string in every YAML version.
    Text,
    /// A boolean.
    Boolean,
    /// A number.
    Number,
    /// A date or a time.
    Date,
    /// A list.
    List,
    /// A mapping.
    Mapping,
}

impl Kind {
    /// The types by their names in the configuration.
    pub const NAMES: [(&'static str, Self); 6] = [
        ("string", Self::Text),
        ("boolean", Self::Boolean),
        ("number", Self::Number),
        ("date", Self::Date),
        ("list", Self::List),
        ("mapping", Self::Mapping),
    ];

    /// Returns the name with its article.
    pub fn described(self) -> &'static str {
        ["a string", "a boolean", "a number", "a date", "a list", "a mapping"][self as usize]
    }
}

impl Requirement {
    /// Returns whether the rule applies to a skill.
    pub fn applies_to(&self, path: &BStr) -> bool {
        self.paths.as_ref().is_none_or(|paths| paths.is_match(&*as_path(path)))
    }
}

/// Reads the entries. One with a fault has no effect.
pub(super) fn read(file: &Table<'_>, faults: &mut Faults) -> Vec<Requirement> {
    let tables = file.tables("require", "`[[require]]`", faults);
    if let Some(table) = tables.get(RULES) {
        let message = format!("there are more than {RULES} entries of `[[require]]`");
        faults.fatal(table.range.clone(), message, "remove some, or combine conditions in one entry");
        return Vec::new();
    }
    let mut known = BTreeSet::new();
    let mut requirements = Vec::new();
    for table in tables {
        let Some(requirement) = faults.within_entry(|faults| entry(&table, faults)) else { continue };
        if known.insert(requirement.rule.clone()) {
            requirements.push(requirement);
        } else {
            let message = format!("the id `{}` is used twice", requirement.rule.id());
            faults.invalid(table.range, message, "give each rule a different id");
        }
    }
    requirements
}

fn entry(table: &Table<'_>, faults: &mut Faults) -> Option<Requirement> {
    table.only(&keys::names(keys::REQUIRE), faults);
    let before = faults.count();
    let id = table.required("id", faults).and_then(|id| checked_id(&id, faults));
    let level = severity(table, faults);
    let message = line(table, "message", faults);
    let help = line(table, "help", faults);
    let (patterns, paths) = skills(table, faults);
    let conditions = conditions::read(table, faults);
    let (fires, quiet) = (example(table, "fires", faults), example(table, "quiet", faults));
    if faults.count() > before {
        return None;
    }
    if conditions == Conditions::default() {
        let help = "add `key`, `allowed-keys`, `headings`, `text` or `file`";
        faults.invalid(table.range.clone(), "the rule has no condition", help);
        return None;
    }
    let id = id?;
    let facts = describe::conditions(&conditions);
    let summary = message.clone().unwrap_or_else(|| describe::summary(&facts));
    let rule =
        RuleRef::own(&id, level, &summary, &describe::page(&id, &summary, &facts, help.as_deref()), faults.in_policy);
    let written = table.extent();
    Some(Requirement { rule, message, help, paths, patterns, conditions, fires, quiet, written })
}

fn checked_id(id: &At<&str>, faults: &mut Faults) -> Option<String> {
    if is_own_id(id.value) {
        return Some(id.value.to_owned());
    }
    let message = "the id of a rule of the repository is not two words joined by a slash";
    let help = "write lowercase letters, digits and hyphens, such as `acme/license-required`, at most 64 characters";
    faults.invalid(id.range.clone(), message, help);
    None
}

fn severity(table: &Table<'_>, faults: &mut Faults) -> Level {
    let Some(word) = table.string("severity", faults) else { return Level::Warning };
    exceptions::severity(&word, faults).map_or(Level::Warning, Level::from)
}

/// Returns a text of one line, which is printed as it is.
fn line(table: &Table<'_>, key: &str, faults: &mut Faults) -> Option<String> {
    if !table.has(key) {
        return None;
    }
    let text = table.required(key, faults)?;
    plain(&text, key, faults)
}

/// Returns a text that can be printed: one line without hidden characters.
fn plain(text: &At<&str>, key: &str, faults: &mut Faults) -> Option<String> {
    let trimmed = text.value.trim();
    let length = trimmed.chars().count();
    if length > WORDS_CHARS {
        let message = format!("`{key}` has {} characters; the limit is {WORDS_CHARS}", grouped(length));
        faults.invalid(text.range.clone(), message, "shorten it");
        return None;
    }
    if !trimmed.chars().all(characters::is_plain) {
        let message = format!("`{key}` contains a line ending, or a hidden or control character");
        faults.invalid(text.range.clone(), message, "write one line of visible characters");
        return None;
    }
    Some(trimmed.to_owned())
}

pub(super) fn skills(table: &Table<'_>, faults: &mut Faults) -> (Vec<String>, Option<GlobSet>) {
    let Some(written) = table.strings("paths", faults) else { return (Vec::new(), None) };
    if written.value.is_empty() {
        faults.invalid(written.range.clone(), "`paths` lists no path", "add a path, or remove the line");
    }
    let (patterns, globs) = paths::list(written.value, faults);
    match paths::set(globs) {
        Ok(set) => (patterns, Some(set)),
        Err(bad) => {
            faults.invalid(written.range, bad.message, bad.help);
            (patterns, None)
        }
    }
}

/// Returns the files of an example, below the directory of its skill.
fn example(table: &Table<'_>, key: &str, faults: &mut Faults) -> Vec<Entry> {
    let Some(files) = table.table(key, "an example of `[[require]]`", faults) else { return Vec::new() };
    let mut entries = Vec::new();
    for (path, value) in files.iter().take(EXAMPLE_FILES + 1) {
        let Some(text) = super::table::string(path.value, value, faults) else { continue };
        match paths::file_of_skill(path.value) {
            Ok(path) => entries.push(Entry {
                path: format!("{EXAMPLE}/{path}").into(),
                content: Content::File(text.value.as_bytes().to_vec()),
            }),
            Err(bad) => faults.invalid(path.range, bad.message, bad.help),
        }
    }
    if entries.len() > EXAMPLE_FILES {
        let message = format!("the example has more than {EXAMPLE_FILES} files");
        faults.invalid(files.range.clone(), message, "remove some");
    }
    if !entries.iter().any(|entry| entry.path == format!("{EXAMPLE}/SKILL.md")) {
        faults.invalid(files.range, format!("`{key}` has no SKILL.md"), "add `\"SKILL.md\" = '''…'''`");
    }
    entries
}
