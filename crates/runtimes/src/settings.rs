//! Settings of a project: what of them a program does not apply.

use std::ops::Range;

use bstr::ByteSlice;

use crate::packages::{self, Costs};
use crate::permissions;
use crate::profile::Profile;
use crate::profile::loads::Overrides;
use skilltree_front_matter::text;
use skilltree_skills::keys;
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, ENABLED, MARKETPLACES, Manifest, Manifests, PERMISSIONS, RULES, Unread};
use skilltree_skills::snapshot::Resolution;

/// A value that a program does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The bytes of the value; empty for the whole file.
    pub range: Range<usize>,
    /// What is wrong.
    pub what: String,
    /// The edit that corrects it.
    pub help: String,
    /// The value that is meant.
    pub meant: Option<String>,
    /// What is lost: [`Costs::Package`] is everything in the file.
    pub costs: Costs,
    /// Whether the rest works, and only a person is asked more often.
    pub is_minor: bool,
}

/// Key of the mode in which a session starts, and its values.
const MODE: &str = "permissions.defaultMode";
const MODES: [&str; 6] = ["acceptEdits", "auto", "bypassPermissions", "default", "dontAsk", "plan"];

/// Maximum number of rules of a list that are reported (ours: 2,000). The others follow once these are corrected.
const IDLE: usize = 2_000;

impl Flaw {
    fn everything(range: Range<usize>, what: String, help: String) -> Self {
        Self { range, what, help, meant: None, costs: Costs::Package, is_minor: false }
    }
}

/// Returns what a program does not apply of its settings, in the order of the file; nothing for a file that is not its settings, or that
/// was not read.
pub fn flaws(manifest: &Manifest, profile: &Profile) -> Vec<Flaw> {
    let Some(settings) = profile.loads.overrides.as_ref().filter(|rule| rule.reads(&manifest.name)) else {
        return Vec::new();
    };
    let json = match &manifest.content {
        Ok(json) => json,
        Err(Unread::Malformed(reason, at)) => {
            return vec![Flaw::everything(*at..at + 1, reason.clone(), "correct the JSON here".to_owned())];
        }
        Err(Unread::NotAnObject) => {
            let what = "they are not an object".to_owned();
            return vec![Flaw::everything(0..0, what, "write an object: `{ … }`".to_owned())];
        }
        // A link is followed, and what was not read is unknown.
        Err(_) => return Vec::new(),
    };
    let mut flaws = values(json, settings);
    let hooks = profile.loads.hooks.iter().flat_map(|program| packages::hooks_of_settings(json, program));
    flaws.extend(hooks.map(|(range, fault, costs)| Flaw {
        range,
        what: fault.to_string(),
        help: fault.help(),
        meant: None,
        costs,
        is_minor: false,
    }));
    flaws.sort_by_key(|flaw| flaw.range.start);
    flaws
}

/// Returns whether a program applies its settings.
pub(crate) fn is_applied(manifest: &Manifest, profile: &Profile) -> bool {
    flaws(manifest, profile).iter().all(|flaw| flaw.costs != Costs::Package)
}

/// A script that a hook of settings runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script<'a> {
    /// The command.
    pub command: &'a Json,
    /// Its path from the directory of the project.
    pub path: String,
    /// Whether it is there.
    pub exists: bool,
    /// Whether its path starts at the working directory, which may be another one.
    pub is_relative: bool,
}

/// Returns the scripts of the project that hooks of its settings run.
pub fn scripts<'a>(manifest: &'a Manifest, manifests: &Manifests) -> Vec<Script<'a>> {
    let commands = manifest.content.iter().flat_map(manifest::commands);
    let script = |command: &'a Json| {
        let text = command.text()?;
        let path = manifest::project_script(text.split_ascii_whitespace())?;
        let target = manifest::below(manifest.base.as_bstr(), &path)?;
        let exists = match manifests.resolve(target.as_bstr())? {
            Resolution::File(_) => true,
            Resolution::Dangling => false,
            _ => return None,
        };
        Some(Script { command, path, exists, is_relative: !text.contains('$') })
    };
    commands.filter_map(script).collect()
}

/// Returns other values with which nothing is applied: `claude` 2.1.332 refuses more types than these.
fn others(json: &Json) -> Vec<Flaw> {
    let wrong = |key: &str, kind: &str, is_met: &dyn Fn(&Value) -> bool| {
        let value = json.get(key).filter(|value| !is_met(&value.value))?;
        Some(Flaw::everything(value.range.clone(), format!("`{key}` is not {kind}"), format!("write {kind}")))
    };
    let model = wrong("model", "a string", &|value| matches!(value, Value::Text(_)));
    let line = wrong("statusLine", "an object", &|value| matches!(value, Value::Object(_) | Value::Deep));
    let mode = json.at(MODE).filter(|mode| !mode.text().is_some_and(|word| MODES.contains(&word)));
    let mode = mode.map(|mode| {
        let near = mode.text().and_then(|word| text::nearest(word, MODES)).unwrap_or("default");
        Flaw::everything(mode.range.clone(), format!("`{MODE}` is not a mode"), format!("write `\"{near}\"`"))
    });
    [model, line, mode].into_iter().flatten().collect()
}

/// Returns the rules of a list that are not applied.
fn idle_rules<'a>(json: &'a Json, key: &'static str) -> impl Iterator<Item = Flaw> + 'a {
    json.at(key).map(Json::items).unwrap_or_default().iter().filter_map(move |rule| {
        let permissions::Idle { what, meant } = permissions::idle(key, rule.text()?)?;
        let help = match &meant {
            Some(meant) => format!("write `{}`", text::shortened(meant, 64)),
            None => "write `TOOL` or `TOOL(CONTENT)`, or remove it".to_owned(),
        };
        let is_plain = |meant: &String| !meant.contains(['"', '\\', '\n', '\t']);
        Some(Flaw {
            range: rule.range.clone(),
            what,
            help,
            meant: meant.filter(is_plain).map(|meant| format!("\"{meant}\"")),
            costs: Costs::Entry,
            is_minor: key == permissions::ALLOWED,
        })
    })
}

/// Returns the values of a wrong type, and unknown words.
fn values(json: &Json, settings: &Overrides) -> Vec<Flaw> {
    let mut flaws = Vec::new();
    let wrong = |value: &Json, key: &str, kind: &str| {
        Flaw::everything(value.range.clone(), format!("`{key}` is not {kind}"), format!("write {kind}"))
    };
    for key in [settings.key.as_str(), ENABLED, PERMISSIONS] {
        let Some(value) = json.get(key) else { continue };
        if !matches!(value.value, Value::Object(_)) {
            flaws.push(wrong(value, key, "an object"));
        }
    }
    if let Some(value) = json.get(MARKETPLACES).filter(|value| !matches!(value.value, Value::Object(_))) {
        let help = "write an object: `{ \"NAME\": { \"source\": { … } } }`".to_owned();
        let flaw = Flaw::everything(value.range.clone(), format!("`{MARKETPLACES}` is not an object"), help);
        flaws.push(Flaw { costs: Costs::Entry, ..flaw });
    }
    for key in RULES {
        let Some(value) = json.at(key).filter(|value| !matches!(value.value, Value::List(_))) else { continue };
        flaws.push(wrong(value, key, "a list"));
    }
    flaws.extend(others(json));
    flaws.extend(RULES.into_iter().flat_map(|key| idle_rules(json, key).take(IDLE)));
    let known: Vec<&String> = settings.shows.iter().chain(&settings.names).chain(&settings.hides).collect();
    for member in json.get(&settings.key).map(Json::members).unwrap_or_default() {
        let word = member.value.text();
        if word.is_some_and(|word| known.iter().any(|known| *known == word)) {
            continue;
        }
        let near = word.and_then(|word| {
            let bare = word.trim().to_lowercase();
            known.iter().find(|known| ***known == bare || keys::is_slip(&bare, known))
        });
        let switched = match member.value.value {
            Value::Boolean(true) => settings.shows.first(),
            Value::Boolean(false) => settings.hides.first(),
            _ => None,
        };
        let meant = near.copied().or(switched);
        let all: Vec<String> = known.iter().map(|word| format!("`\"{word}\"`")).collect();
        flaws.push(Flaw {
            range: member.value.range.clone(),
            what: match word {
                Some(word) => format!("`{}` is not a value of `{}`", text::shortened(word, 64), settings.key),
                None => format!("`{}` is not a string", text::shortened(&member.key, 64)),
            },
            help: meant
                .map_or_else(|| format!("write one of {}", all.join(", ")), |word| format!("write `\"{word}\"`")),
            meant: meant.map(|word| format!("\"{word}\"")),
            costs: Costs::Package,
            is_minor: false,
        });
    }
    for member in json.get(ENABLED).map(Json::members).unwrap_or_default() {
        if matches!(member.value.value, Value::Boolean(_) | Value::List(_) | Value::Object(_)) {
            continue;
        }
        let meant = match member.value.text().map(str::to_lowercase).as_deref() {
            Some("true" | "yes" | "on") => Some("true"),
            Some("false" | "no" | "off") => Some("false"),
            _ => None,
        };
        flaws.push(Flaw {
            range: member.value.range.clone(),
            what: format!("`{}` is neither true nor false", text::shortened(&member.key, 64)),
            help: meant.map_or_else(|| "write `true` or `false`".to_owned(), |word| format!("write `{word}`")),
            meant: meant.map(str::to_owned),
            costs: Costs::Package,
            is_minor: false,
        });
    }
    flaws
}
