//! Settings of a project with which a program does not start.

use std::ops::Range;

use bstr::ByteSlice;
use toml::de::{DeTable, DeValue};

use crate::definition::Flaw;
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_skills::manifest::json::{Json, Member, Value};
use skilltree_skills::manifest::{EMPTY, Manifest, Unread};

mod forms;

pub(crate) use forms::{CODEX, GEMINI_CLI, OPENCODE, QWEN_CODE};

/// Number of flaws of one file that are reported (ours: 20).
const FLAWS: usize = 20;

/// Levels of TOML whose values are compared (ours: 8).
const DEPTH: usize = 8;

/// Settings that a program needs to understand, or it does not start.
#[derive(Debug, PartialEq, Eq)]
pub struct Required {
    /// Their files at the top.
    pub files: &'static [&'static str],
    /// Whether it starts without the settings if they are not JSON.
    skips_malformed: bool,
    /// Whether it starts with an empty file.
    skips_empty: bool,
    /// Paths of keys, joined by dots, where `*` is any key, and what each may be.
    forms: &'static [(&'static str, Form)],
}

/// The form of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Any of these kinds.
    Of(&'static [Kind]),
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of these words, or a value of this kind.
    WordOr(Kind, &'static [&'static str]),
    /// A server of Codex.
    CodexServer,
    /// A server of opencode.
    OpencodeServer,
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    Boolean,
    Number,
    Text,
    List,
    Object,
}

impl Required {
    /// Returns whether a manifest is one of the files.
    pub fn reads(&self, manifest: &Manifest) -> bool {
        manifest.base.is_empty() && self.files.contains(&manifest.name.as_ref())
    }

    /// Returns why the program does not start with these settings in JSON, in the order of the file.
    #[must_use]
    pub fn flaws(&self, manifest: &Manifest) -> Vec<Flaw> {
        let found = match &manifest.content {
            Ok(json) => self.of_values(json),
            Err(Unread::Malformed(reason, _)) if self.skips_empty && reason == EMPTY => Vec::new(),
            Err(Unread::Malformed(reason, at)) if !self.skips_malformed => {
                vec![mistake(*at..at + 1, reason.clone(), "correct the JSON here")]
            }
            Err(Unread::NotAnObject) => {
                vec![mistake(0..0, "it is not an object".to_owned(), "write an object: `{ … }`")]
            }
            // A link is followed, and what was not read is unknown.
            Err(_) => Vec::new(),
        };
        found.into_iter().map(|mistake| mistake.at(manifest.file)).collect()
    }

    /// Returns why the program does not start with these settings in TOML.
    #[must_use]
    pub fn of_toml(&self, file: FileId, bytes: &[u8]) -> Vec<Flaw> {
        let found = match bytes.to_str().map(DeTable::parse) {
            Ok(Ok(table)) => self.of_values(&json(table.span(), table.get_ref())),
            Ok(Err(error)) => {
                let span = error.span().unwrap_or_default();
                // At the end of a line or of the file, the byte before it.
                let start = span.start.min(bytes.len().saturating_sub(1));
                let range = start..span.end.clamp(start + 1, bytes.len().max(start + 1));
                vec![mistake(range, "it is not valid TOML".to_owned(), "correct the TOML here")]
            }
            Err(_) => vec![mistake(0..0, "it is not UTF-8".to_owned(), "save it as UTF-8")],
        };
        found.into_iter().map(|mistake| mistake.at(file)).collect()
    }

    fn of_values(&self, json: &Json) -> Vec<Mistake> {
        let mut found = Vec::new();
        for (path, form) in self.forms {
            self.walk(json, path, "", *form, &mut found);
        }
        found.sort_by_key(|mistake| mistake.range.start);
        found.truncate(FLAWS);
        found
    }

    /// Compares the values at a path with a form. `name` is the last key.
    fn walk(&self, json: &Json, path: &str, name: &str, form: Form, found: &mut Vec<Mistake>) {
        if path.is_empty() {
            found.extend(form.mistake(json, name));
            return;
        }
        let (key, rest) = path.split_once('.').unwrap_or((path, ""));
        let is_meant = |member: &&Member| key == "*" || member.key == key;
        for member in json.members().iter().filter(is_meant) {
            self.walk(&member.value, rest, &member.key, form, found);
            if found.len() > FLAWS {
                return;
            }
        }
    }
}

impl Form {
    fn mistake(self, json: &Json, name: &str) -> Option<Mistake> {
        let kind = Kind::of(&json.value)?;
        let shown = text::shortened(name, 64);
        let wrong = |what: &str| {
            Some(mistake(json.range.clone(), format!("`{shown}` is not {what}"), &format!("write {what}")))
        };
        match self {
            Self::Of(kinds) if !kinds.contains(&kind) => wrong(&alternatives(kinds)),
            Self::WordOr(other, _) if kind == other => None,
            Self::Word(words) | Self::WordOr(_, words) => {
                let written = json.text();
                if written.is_some_and(|written| words.contains(&written)) {
                    return None;
                }
                let near = written.and_then(|written| text::nearest(written, words.iter().copied()));
                let all: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
                let help =
                    near.map_or_else(|| format!("write {}", all.join(", ")), |near| format!("write `\"{near}\"`"));
                let what = match written {
                    Some(written) => format!("`{}` is not a value of `{shown}`", text::shortened(written, 64)),
                    None => format!("`{shown}` is not a string"),
                };
                Some(mistake(json.range.clone(), what, &help))
            }
            Self::CodexServer if kind != Kind::Object => wrong("a table"),
            Self::CodexServer => codex_server(json, &shown),
            Self::OpencodeServer if kind != Kind::Object => wrong("an object"),
            Self::OpencodeServer => opencode_server(json, &shown),
            Self::Of(_) => None,
        }
    }
}

impl Kind {
    /// Returns the kind of a value; `None` if it is too deep to be known.
    fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Null => Self::Null,
            Value::Boolean(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::Text(_) => Self::Text,
            Value::List(_) => Self::List,
            Value::Object(_) => Self::Object,
            Value::Deep => return None,
        })
    }

    fn words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "true or false",
            Self::Number => "a number",
            Self::Text => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        }
    }
}

fn alternatives(kinds: &[Kind]) -> String {
    let words: Vec<&str> = kinds.iter().map(|kind| kind.words()).collect();
    words.join(" or ")
}

/// A server of Codex has a command or an address, and not both.
fn codex_server(json: &Json, name: &str) -> Option<Mistake> {
    let (command, url) = (json.get("command"), json.get("url"));
    match (command, url) {
        (None, None) => {
            let what = format!("the server `{name}` has neither `command` nor `url`");
            Some(mistake(json.range.clone(), what, "add `command = \"…\"` or `url = \"…\"`"))
        }
        (Some(_), Some(url)) => {
            let what = format!("the server `{name}` has both `command` and `url`");
            Some(mistake(url.range.clone(), what, "remove one of them"))
        }
        _ => None,
    }
}

/// Returns a server of another program as opencode reads it.
fn as_opencode(json: &Json) -> String {
    if json.get("url").is_some() {
        return "write `\"type\": \"remote\"`".to_owned();
    }
    let command = json.get("command").filter(|command| command.text().is_some());
    let arguments = json.get("command").into_iter().chain(json.get("args")).flat_map(Json::items);
    let words = command.into_iter().chain(arguments).filter_map(Json::text);
    let words: Vec<String> = words.take(20).map(|word| format!("\"{}\"", text::shortened(word, 80))).collect();
    let words = if words.is_empty() { "…".to_owned() } else { words.join(", ") };
    format!("write `\"type\": \"local\", \"command\": [{}]`", text::shortened(&words, 80))
}

/// A server of opencode has a type, and a list with its command or an address; one that is only switched has neither.
fn opencode_server(json: &Json, name: &str) -> Option<Mistake> {
    let kind = json.get("type").and_then(Json::text);
    let (range, what) = match kind {
        Some("local") => match json.get("command") {
            Some(command) if matches!(command.value, Value::List(_) | Value::Deep) => return None,
            Some(command) => (command.range.clone(), format!("the command of the server `{name}` is not a list")),
            None => (json.range.clone(), format!("the server `{name}` has no `command`")),
        },
        Some("remote") if json.get("url").is_some_and(|url| url.text().is_some()) => return None,
        Some("remote") => (json.range.clone(), format!("the server `{name}` has no `url`")),
        Some(other) => {
            let range = json.get("type").map_or(json.range.clone(), |kind| kind.range.clone());
            (range, format!("`{}` is not a type of server", text::shortened(other, 64)))
        }
        None if json.get("enabled").is_some() && json.members().len() == 1 => return None,
        None => (json.range.clone(), format!("the server `{name}` has no `type`")),
    };
    Some(mistake(range, what, &as_opencode(json)))
}

/// Returns a table as an object.
fn json(range: Range<usize>, table: &DeTable<'_>) -> Json {
    fn of(value: &DeValue<'_>, depth: usize) -> Value {
        match value {
            DeValue::String(text) => Value::Text(text.clone().into_owned()),
            DeValue::Boolean(is_on) => Value::Boolean(*is_on),
            DeValue::Integer(_) | DeValue::Float(_) => Value::Number(true),
            DeValue::Array(_) | DeValue::Table(_) if depth == 0 => Value::Deep,
            DeValue::Array(items) => Value::List(
                items.iter().map(|item| Json { range: item.span(), value: of(item.get_ref(), depth - 1) }).collect(),
            ),
            DeValue::Table(table) => members(table, depth - 1),
            // Of dates nothing is known.
            DeValue::Datetime(_) => Value::Deep,
        }
    }
    fn members(table: &DeTable<'_>, depth: usize) -> Value {
        let member = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| Member {
            range: key.span(),
            key: AsRef::<str>::as_ref(key.get_ref()).to_owned(),
            value: Json { range: value.span(), value: of(value.get_ref(), depth) },
        };
        Value::Object(table.iter().map(member).collect())
    }
    Json { range, value: members(table, DEPTH) }
}

/// A mistake, and its bytes; none for the whole file.
struct Mistake {
    range: Range<usize>,
    what: String,
    help: String,
}

impl Mistake {
    fn at(self, file: FileId) -> Flaw {
        let place = if self.range.is_empty() { Place::whole(file) } else { Place::new(file, self.range) };
        Flaw { place, what: self.what, help: self.help, is_syntax: false }
    }
}

fn mistake(range: Range<usize>, what: String, help: &str) -> Mistake {
    Mistake { range, what, help: help.to_owned() }
}
