//! What is wrong with manifests, in words.

use std::fmt;
use std::ops::Range;

use super::{NoManifest, ServerFault, Wrong};
use crate::formats::Form;
use skilltree_front_matter::text::{joined, shortened};
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::roots;

/// Maximum length of a path or a name in a message, in code points.
const SHOWN: usize = 80;

fn either(forms: &[Form]) -> String {
    let words: Vec<String> = forms.iter().map(|form| form.words()).collect();
    match words.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} or {last}", before.join(", ")),
        _ => joined(&words),
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text| shortened(text, SHOWN);
        match self {
            Self::ByteOrderMark => write!(f, "the manifest starts with a byte order mark (BOM)"),
            Self::Missing(key) => write!(f, "the key `{key}` is missing"),
            Self::Type(key, forms) => write!(f, "`{key}` is not {}", either(forms)),
            Self::Shape(path, words) => write!(f, "`{}` is not {words}", short(path)),
            Self::Unknown(key) => write!(f, "the key `{}` is not accepted", short(key)),
            Self::Name(name) => write!(f, "the name `{}` is not accepted", short(name)),
            Self::Reserved(name) => write!(f, "the name `{}` is reserved", short(name)),
            Self::Address(text) => write!(f, "the source `{}` is an address, not a path", short(text)),
            Self::Source(path, ..) => write!(f, "the source `{}` does not start with `./`", short(path)),
            Self::Entry(path) => write!(f, "the entry `{}` is not an object", short(path)),
            Self::Nowhere(path, _) => write!(f, "`{}` does not exist", short(path)),
            Self::Leaves(path, _) => write!(f, "the source `{}` leads out of the marketplace", short(path)),
            Self::Submodule(path) => write!(f, "`{}` is a submodule, which is not fetched", short(path)),
            Self::BelowRoot(path, _) => {
                write!(
                    f,
                    "`{}` does not exist; `pluginRoot` does not count for a source that starts with `./`",
                    short(path)
                )
            }
            Self::NotBelowRoot(path, _) => write!(f, "`{}` does not exist below `pluginRoot`", short(path)),
            Self::Above(path, _) => write!(f, "`{}` has plugins below it, and is none", short(path)),
            Self::NotRelative(path) => write!(f, "the path `{}` does not start with `./`", short(path)),
            Self::Indirect(path, _) => write!(f, "the path `{}` has `.` or `..` in it", short(path)),
            Self::DoubledRoot(root) => {
                write!(f, "sources that start with `./` are looked for below `{}`, too", short(root))
            }
            Self::Top(path) => write!(f, "the path `{}` names the whole plugin", short(path)),
            Self::Outside(path, _) => write!(f, "the path `{}` leads out of the directory", short(path)),
            Self::Gone(path, _) | Self::NoPlace(path, ..) => write!(f, "`{}` does not exist", short(path)),
            Self::File(path) => write!(f, "`{}` is a file, not a directory", short(path)),
            Self::Empty(path) => write!(f, "`{}` has no skill", short(path)),
            Self::Nothing(path) => write!(f, "`{}` has no skill, command, agent, hook or server", short(path)),
            Self::NotASkill(path, _) => write!(f, "`{}` is not a skill", short(path)),
            Self::NoManifest(missing) if missing.directory.is_empty() => {
                write!(f, "the directory of the marketplace has no plugin.json")
            }
            Self::NoManifest(missing) => write!(f, "`{}` has no plugin.json", short(&missing.directory)),
            Self::OtherName(entry, own, _) => {
                write!(f, "the entry is named `{}`, but the manifest `{}`", short(entry), short(own))
            }
            Self::Strict => write!(f, "`strict` is false, but the plugin has a manifest, too"),
            Self::SecondEntry(name) => write!(f, "another entry is named `{}`", short(name)),
            Self::Dependency(name, _) => write!(f, "it needs `{}`, which the marketplace does not list", short(name)),
            Self::Hook(fault) => fault.fmt(f),
            Self::Server(ServerFault::One(name, flaw)) => write!(f, "the server `{}`: {flaw}", short(name)),
            Self::Server(fault) => fault.fmt(f),
            Self::Kind(kind, _) => write!(f, "the kind of source `{}` is unknown", short(kind)),
        }
    }
}

/// Returns the words of a name in lower case, joined by hyphens.
fn hyphenated(name: &str) -> String {
    let words = name.split(|character: char| !character.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// Returns the last name of a path.
fn last(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// Returns a path as one that starts in the directory: with slashes, and without what leads out of it or stands for it.
pub(super) fn inside(path: &str) -> String {
    let mut path = &*path.replace('\\', "/");
    while let Some(rest) = ["../", "./", "/"].iter().find_map(|start| path.strip_prefix(start)) {
        path = rest;
    }
    if matches!(path, "." | "..") { String::new() } else { path.to_owned() }
}

/// Returns whether a text needs no escapes in JSON.
fn is_plain(text: &str) -> bool {
    !text.contains(|character: char| character.is_control() || matches!(character, '"' | '\\'))
}

/// Returns the source that stands for an address.
fn object(address: &str) -> String {
    let rest = ["https://github.com/", "http://github.com/", "git@github.com:", "github:"];
    let repository = rest.iter().find_map(|start| address.strip_prefix(start));
    let repository = repository.map(|path| path.trim_end_matches('/').trim_end_matches(".git"));
    let is_short = !address.contains(':');
    match repository
        .or(is_short.then_some(address))
        .filter(|path| path.split('/').filter(|name| !name.is_empty()).count() == 2)
    {
        Some(path) => format!("{{\"source\": \"github\", \"repo\": \"{path}\"}}"),
        None => format!("{{\"source\": \"url\", \"url\": \"{address}\"}}"),
    }
}

impl NoManifest {
    fn help(&self) -> String {
        let directory = shortened(&self.directory, SHOWN);
        let add = match directory.is_empty() {
            true => format!("add `{}`", self.manifest),
            false => format!("add `{directory}/{}`", self.manifest),
        };
        match self.directory.rsplit('/').next() {
            Some(name) if self.is_skill => {
                format!("move the skill to `{directory}/skills/{}`, and {add}", shortened(name, SHOWN))
            }
            _ => add,
        }
    }
}

/// Returns the edit for a path of settings that leads nowhere.
fn no_place(base: &str, meant: Option<&str>) -> String {
    let edit = match meant {
        Some(meant) => format!("write `{}`", shortened(meant, SHOWN)),
        None => "correct the path, or remove it".to_owned(),
    };
    match base {
        "" => format!("{edit}; paths start at the top of the repository"),
        base => format!("{edit}; paths start at `{base}`"),
    }
}

/// Returns the JSON value to write instead of one that has none of these forms, if its meaning is plain.
fn typed(forms: &[Form], value: &Value) -> Option<String> {
    let is_word = |word: &&str| !word.is_empty() && is_plain(word);
    match value {
        Value::Boolean(value) if forms.contains(&Form::String) => Some(format!("\"{value}\"")),
        Value::Text(word) if forms.contains(&Form::Boolean) => {
            Some(word.clone()).filter(|word| matches!(word.as_str(), "true" | "false"))
        }
        Value::Text(name) if forms.contains(&Form::Person) => {
            Some(name.as_str()).filter(is_word).map(|name| format!("{{\"name\": \"{name}\"}}"))
        }
        Value::Text(words) if forms.contains(&Form::Strings) => {
            let words: Vec<&str> = words.split(',').map(str::trim).filter(is_word).collect();
            (!words.is_empty()).then(|| format!("[\"{}\"]", words.join("\", \"")))
        }
        _ => None,
    }
}

/// Returns whether the value of a key is the directory that is read without it.
fn is_usual(key: &str, json: &Json) -> bool {
    let path = json.text().map(inside).unwrap_or_default();
    matches!(key, "agents" | "commands" | "hooks" | "skills") && path.trim_end_matches('/') == key
}

/// Returns whether a value is right in quotes.
fn lacks_quotes(forms: &[Form], value: &Value) -> bool {
    matches!(value, Value::Number(_)) && forms.contains(&Form::String)
}

/// Returns the path of the directory that a SKILL.md or a manifest describes.
fn directory_of(path: &str) -> Option<&str> {
    let of_manifest = || path.strip_suffix(roots::manifest(path.into())?.1);
    match path.strip_suffix("SKILL.md").or_else(of_manifest)? {
        "" | "./" => Some("./"),
        directory => directory.strip_suffix('/'),
    }
}

impl Wrong {
    /// Returns what to write where, so that a value is correct, if that is known.
    pub fn edits(&self, json: &Json) -> Vec<(Range<usize>, String)> {
        let Range { start, end } = json.range;
        let whole = match self {
            Self::Type(_, forms) if lacks_quotes(forms, &json.value) => {
                return [start, end].map(|at| (at..at, "\"".to_owned())).into();
            }
            Self::Type(_, forms) => typed(forms, &json.value),
            _ => json.text().and_then(|_| self.replacement()),
        };
        whole.map(|text| (start..end, text)).into_iter().collect()
    }

    /// Returns the edit that corrects a value, in words.
    pub fn help_for(&self, json: &Json) -> String {
        match self {
            Self::Type(_, forms) if lacks_quotes(forms, &json.value) => "put it in quotes".to_owned(),
            Self::Type(key, _) | Self::Shape(key, _) if is_usual(key, json) => {
                format!("remove it: `{key}` is read without it")
            }
            Self::Type(_, forms) => match typed(forms, &json.value) {
                Some(text) => format!("write `{}`", shortened(&text, SHOWN)),
                None => self.help(),
            },
            _ => self.help(),
        }
    }

    /// Returns the JSON value to write instead of a string, if it is known: the one in [`Self::help`].
    fn replacement(&self) -> Option<String> {
        let text = match self {
            Self::Address(text) => return is_plain(text).then(|| object(text)),
            // Another short name may be another plugin.
            Self::Nowhere(path, Some(meant))
                if !last(path).eq_ignore_ascii_case(last(meant)) && last(path).len() < 4 =>
            {
                return None;
            }
            Self::Nowhere(_, Some(meant))
            | Self::Leaves(_, Some(meant))
            | Self::Source(_, meant, false)
            | Self::Above(_, meant)
            | Self::Gone(_, Some(meant))
            | Self::NoPlace(.., Some(meant))
            | Self::Outside(_, Some(meant))
            | Self::Dependency(_, Some(meant)) => meant.clone(),
            Self::NotRelative(path) => format!("./{}", inside(path)),
            Self::Indirect(_, directory) => format!("./{directory}"),
            Self::File(path) => directory_of(path)?.to_owned(),
            Self::NotASkill(_, meant) => meant.clone()?,
            Self::Name(name) => Some(hyphenated(name)).filter(|better| !better.is_empty())?,
            _ => return None,
        };
        is_plain(&text).then(|| format!("\"{text}\""))
    }

    /// Returns the edit that corrects it.
    pub fn help(&self) -> String {
        let short = |text| shortened(text, SHOWN);
        match self {
            Self::ByteOrderMark => "save the file as UTF-8 without BOM".to_owned(),
            Self::Missing(key) => format!("add `{key}`"),
            Self::Type(_, forms) => format!("write {}", either(forms)),
            Self::Shape(_, words) => format!("write {words}"),
            Self::Unknown(_) => "remove the key, or correct its spelling".to_owned(),
            Self::Name(name) => match hyphenated(name) {
                better if better.is_empty() => "write lowercase words joined by hyphens".to_owned(),
                better => format!("write `{}`", short(&better)),
            },
            Self::Reserved(_) => "choose another name".to_owned(),
            Self::Address(text) => format!("write `{}`", short(&object(text))),
            Self::Entry(path) => {
                let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
                format!("write `{{\"name\": \"{}\", \"source\": \"{}\"}}`", short(name), short(path))
            }
            Self::Nowhere(_, Some(meant)) if !meant.starts_with("./") => {
                format!("write `{}`; sources without `./` start at `pluginRoot`", short(meant))
            }
            Self::Nowhere(_, Some(meant)) | Self::Leaves(_, Some(meant)) => {
                format!("write `{}`; sources start at the marketplace", short(meant))
            }
            Self::Leaves(_, None) => "move the plugin below the marketplace; sources start there".to_owned(),
            Self::Submodule(_) => "write the address of its repository as the source".to_owned(),
            Self::Nowhere(_, None) => {
                "correct the path, or remove the entry; sources start at the marketplace".to_owned()
            }
            Self::Source(_, meant, true) | Self::BelowRoot(_, meant) | Self::NotBelowRoot(_, meant) => {
                format!("write `{}`, and remove `pluginRoot`", short(meant))
            }
            Self::Source(_, meant, false) | Self::Above(_, meant) | Self::Dependency(_, Some(meant)) => {
                format!("write `{}`", short(meant))
            }
            Self::Dependency(_, None) => "list that plugin in the marketplace, or remove the dependency".to_owned(),
            Self::NotRelative(path) => format!("write `./{}`", short(&inside(path))),
            Self::Indirect(_, directory) => format!("write `./{}`", short(directory)),
            Self::DoubledRoot(_) => "remove `pluginRoot`".to_owned(),
            Self::Top(_) => "write the path of a directory of skills".to_owned(),
            Self::Outside(_, None) => "move the files below the directory; paths start at the plugin".to_owned(),
            Self::Gone(_, Some(meant)) | Self::Outside(_, Some(meant)) => {
                format!("write `{}`; paths start at the plugin", short(meant))
            }
            Self::NoPlace(_, base, meant) => no_place(base, meant.as_deref()),
            Self::Gone(_, None) => "correct the path, or remove the entry; paths start at the plugin".to_owned(),
            Self::File(path) => match directory_of(path) {
                Some(directory) => format!("write the directory: `{}`", short(directory)),
                None => "write the path of a directory".to_owned(),
            },
            Self::Empty(_) | Self::Nothing(_) => "add a skill, or remove the entry".to_owned(),
            Self::NotASkill(_, Some(meant)) => format!("write `{}`", short(meant)),
            Self::NotASkill(_, None) => "write the path of each skill".to_owned(),
            Self::NoManifest(missing) => missing.help(),
            Self::OtherName(_, own, true) => {
                format!("name one entry `{}`, and give each other one a plugin of its own", short(own))
            }
            Self::OtherName(entry, _, false) => format!("write `{}` in both", short(entry)),
            Self::Strict => "remove `strict`, or the lists of the entry".to_owned(),
            Self::SecondEntry(_) => "rename one of the two entries".to_owned(),
            Self::Hook(fault) => fault.help(),
            Self::Server(fault) => fault.help(),
            Self::Kind(_, known) => format!("write a path that starts with `./`, or one of {}", joined(known)),
        }
    }
}
