//! Hooks of a plugin, in its manifest or in its `hooks/hooks.json`, as Claude Code 2.1.331 loads them. It leaves out a hook that it does
//! not understand, and says nothing; but where the hook might guard what tools may do, it loads nothing of the plugin.

use std::fmt;
use std::ops::Range;

use super::parts::{self, Directory, Need, SHOWN, Script, unquoted};
use super::view::View;
use super::{Costs, Fault, Wrong};
use crate::profile::loads::Hooks;
use skilltree_front_matter::text::{self, shortened};
use skilltree_skills::manifest::json::{Json, Value};
use skilltree_skills::manifest::{self, HOOKS, Part};

/// Kinds of hooks, each with the key that it needs. The keys of the last one are left to the program.
const KINDS: [(&str, Option<&str>); 5] = [
    ("command", Some("command")),
    ("prompt", Some("prompt")),
    ("agent", Some("prompt")),
    ("http", Some("url")),
    ("mcp_tool", None),
];

/// What is wrong with the hooks of a plugin.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HookFault {
    /// The whole file is not read, for this reason.
    Unread(String),
    /// The key with the events is missing.
    NoEvents,
    /// An event is next to the key with the events.
    Outside(String),
    /// The events are in an object of their own, though the manifest has them directly.
    Wrapped,
    /// An event does not exist; with the nearest one that does.
    Event(String, Option<String>),
    /// An entry of an event is not an object.
    Entry(String),
    /// A value of a key has another type.
    Type(String, Need),
    /// A script of a hook does not run.
    Script(Script),
    /// A hook has no such key.
    Missing(String),
    /// A key is misspelled; with the one that is meant.
    Misspelled(String, String),
    /// A hook has an unknown kind.
    Kind(String),
}

impl fmt::Display for HookFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |text| shortened(text, SHOWN);
        match self {
            Self::Unread(reason) => write!(f, "{reason}"),
            Self::NoEvents => write!(f, "the file has no key `{HOOKS}`"),
            Self::Outside(event) => write!(f, "`{}` is next to `{HOOKS}`, not below it", short(event)),
            Self::Wrapped => write!(f, "`{HOOKS}` is not an event"),
            Self::Event(name, _) => write!(f, "`{}` is not an event", short(name)),
            Self::Entry(event) => write!(f, "an entry of `{}` is not an object", short(event)),
            Self::Type(key, need) => write!(f, "`{}` is not {}", short(key), need.words()),
            Self::Script(script) => script.fmt(f),
            Self::Missing(key) if key == HOOKS => write!(f, "an entry of an event has no `{HOOKS}`"),
            Self::Missing(key) => write!(f, "a hook has no `{key}`"),
            Self::Misspelled(key, meant) => write!(f, "a hook has `{}` instead of `{meant}`", short(key)),
            Self::Kind(kind) => write!(f, "`{}` is not a type of hook", short(kind)),
        }
    }
}

impl HookFault {
    /// Returns the edit that corrects it.
    pub(crate) fn help(&self) -> String {
        match self {
            Self::Unread(_) => "correct the file: an object with the key `hooks`".to_owned(),
            Self::NoEvents => format!("put the events below `{HOOKS}`: `{{ \"{HOOKS}\": {{ … }} }}`"),
            Self::Outside(event) => format!("move `{}` into `{HOOKS}`", shortened(event, SHOWN)),
            Self::Wrapped => format!("remove the inner `{HOOKS}`: a manifest has the events directly"),
            Self::Event(_, Some(near)) => format!("rename it to `{near}`"),
            Self::Event(_, None) => "use an event that the program knows, such as `PostToolUse`".to_owned(),
            Self::Entry(_) => format!("write `{{ \"{HOOKS}\": [ … ] }}` for each entry"),
            Self::Type(_, need) => format!("write {}", need.words()),
            Self::Script(script) => script.help(),
            Self::Missing(key) if key == "type" => "add `\"type\": \"command\"`".to_owned(),
            Self::Missing(key) if key == HOOKS => {
                format!("add `\"{HOOKS}\": [ … ]` with the hooks of the entry, each with `type` and `command`")
            }
            Self::Missing(key) => format!("add `{key}`"),
            Self::Misspelled(_, meant) => format!("rename it to `{meant}`"),
            Self::Kind(_) => "write `command`, `prompt`, `agent`, `http` or `mcp_tool`".to_owned(),
        }
    }
}

/// What is wrong with hooks, where, and what it costs.
pub(crate) type Found = (Range<usize>, HookFault, Costs);

/// Checks the hooks of a package: in its manifest, and, if it was made for the program, in files.
pub(super) fn package(
    search: &View<'_>,
    program: &Hooks,
    manifest: Option<(usize, &Json)>,
    directory: Directory<'_>,
    faults: &mut Vec<Fault>,
) {
    if let Some((number, json)) = manifest {
        inline(number, json, program, faults);
        scripts(search, number, json, directory, faults);
    }
    if !directory.is_own {
        return;
    }
    for number in search.parts(directory.path, (HOOKS, Part::Hooks), manifest.map(|(_, json)| json)) {
        file(search, program, number, directory, faults);
    }
}

/// Checks the hooks in a manifest or an entry.
pub(super) fn inline(number: usize, json: &Json, program: &Hooks, faults: &mut Vec<Fault>) {
    if let Some(value) = json.get(HOOKS) {
        let parts = std::iter::once(value).chain(value.items());
        add(number, parts.flat_map(|part| of_manifest(part, program)), faults);
    }
}

/// Returns what is wrong with the hooks of a project's settings. [`Costs::Package`] is the loss of all settings.
pub(crate) fn of_settings(json: &Json, program: &Hooks) -> Vec<Found> {
    let mut found = Vec::new();
    match json.get(HOOKS) {
        None => {}
        Some(hooks) if !Need::Object.is_met(hooks) => found.push(wrong(HOOKS, hooks, Need::Object, Costs::Entry)),
        Some(hooks) => events(hooks, program, &mut found),
    }
    found
}

/// Checks a file with hooks.
fn file(search: &View<'_>, program: &Hooks, number: usize, directory: Directory<'_>, faults: &mut Vec<Fault>) {
    let file = &search.manifests.all[number];
    let found = match (parts::unread(file), &file.content) {
        (Some((range, reason)), _) => vec![(range, HookFault::Unread(reason), Costs::Entry)],
        (None, Ok(json)) => of_file(json, program),
        (None, Err(_)) => Vec::new(),
    };
    // An event that this program does not know may be one of another program.
    let is_foreign = |fault: &HookFault| matches!(fault, HookFault::Event(..)) && search.is_shared(directory.path);
    add(number, found.into_iter().filter(|(_, fault, _)| !is_foreign(fault)), faults);
    if let Ok(json) = &file.content {
        scripts(search, number, json, directory, faults);
    }
}

/// Checks the scripts that hooks run.
fn scripts(search: &View<'_>, number: usize, json: &Json, directory: Directory<'_>, faults: &mut Vec<Fault>) {
    let found = manifest::commands(json).filter_map(|command| {
        let text = command.text()?;
        let own = manifest::script(text).map(|path| (path, manifest::direct(text).is_some()));
        // In a plugin of several programs, the hook may be one of another.
        let foreign = || Script::foreign(text).filter(|_| !search.is_shared(directory.path));
        let check = || Script::check(search, directory.path, own, manifest::relative_script(text));
        let script = Script::climbing(directory.path, text, directory.is_listed).or_else(foreign).or_else(check)?;
        Some((command.range.clone(), HookFault::Script(script), Costs::Entry))
    });
    add(number, found, faults);
}

fn add(manifest: usize, found: impl IntoIterator<Item = Found>, faults: &mut Vec<Fault>) {
    let fault = |(range, fault, costs)| Fault { manifest, range, what: Wrong::Hook(fault), costs };
    faults.extend(found.into_iter().map(fault));
}

fn of_file(json: &Json, program: &Hooks) -> Vec<Found> {
    let mut found = Vec::new();
    let hooks = json.get(HOOKS);
    for member in json.members() {
        let is_guard = program.guards.contains(&member.key);
        if is_guard || hooks.is_some() && program.events.contains(&member.key) {
            let costs = if is_guard { Costs::Package } else { Costs::Entry };
            found.push((member.range.clone(), HookFault::Outside(member.key.clone()), costs));
        }
    }
    match hooks {
        None if found.is_empty() && json.get("modules").is_none() => {
            found.push((0..0, HookFault::NoEvents, Costs::Entry))
        }
        None => {}
        Some(hooks) if hooks.value == Value::Null => found.push(wrong(HOOKS, hooks, Need::Object, Costs::Entry)),
        Some(hooks) if !Need::Object.is_met(hooks) => found.push(wrong(HOOKS, hooks, Need::Object, Costs::Package)),
        Some(hooks) => {
            typed(json, "description", Need::Text, costs(hooks, program), &mut found);
            events(hooks, program, &mut found);
        }
    }
    found
}

fn of_manifest(value: &Json, program: &Hooks) -> Vec<Found> {
    let mut found = Vec::new();
    match value.members().iter().find(|member| member.key == HOOKS) {
        Some(wrapped) => {
            found.push((wrapped.range.clone(), HookFault::Wrapped, costs(&wrapped.value, program)));
        }
        None => events(value, program, &mut found),
    }
    found
}

/// Returns what is lost with all hooks of some events.
fn costs(events: &Json, program: &Hooks) -> Costs {
    match events.members().iter().any(|event| program.guards.contains(&event.key)) {
        true => Costs::Package,
        false => Costs::Entry,
    }
}

fn events(hooks: &Json, program: &Hooks, found: &mut Vec<Found>) {
    let known = &program.events;
    for event in hooks.members() {
        let name = event.key.as_str();
        let costs = if program.guards.contains(&event.key) { Costs::Package } else { Costs::Entry };
        if !known.contains(&event.key) {
            let in_other_case = known.iter().find(|known| known.eq_ignore_ascii_case(name)).map(String::as_str);
            let near = in_other_case.or_else(|| text::nearest(name, known.iter().map(String::as_str)));
            let fault = HookFault::Event(name.to_owned(), near.map(str::to_owned));
            found.push((unquoted(&event.range), fault, Costs::Entry));
            continue;
        }
        match &event.value.value {
            Value::Null | Value::Deep => {}
            Value::List(entries) => entries.iter().for_each(|each| entry(name, each, costs, found)),
            _ => found.push(wrong(name, &event.value, Need::List, costs)),
        }
    }
}

fn entry(event: &str, value: &Json, costs: Costs, found: &mut Vec<Found>) {
    if !Need::Object.is_met(value) {
        return found.push((value.range.clone(), HookFault::Entry(event.to_owned()), costs));
    }
    typed(value, "matcher", Need::Text, costs, found);
    match value.get(HOOKS) {
        _ if value.value == Value::Deep => {}
        None => found.push(missing(value, HOOKS, costs)),
        Some(Json { value: Value::List(hooks), .. }) => hooks.iter().for_each(|each| hook(each, costs, found)),
        Some(hooks) if Need::List.is_met(hooks) => {}
        Some(hooks) => found.push(wrong(HOOKS, hooks, Need::List, costs)),
    }
}

fn hook(value: &Json, costs: Costs, found: &mut Vec<Found>) {
    if !Need::Object.is_met(value) {
        return found.push(wrong(HOOKS, value, Need::Object, costs));
    }
    if value.value == Value::Deep {
        return;
    }
    let Some(kind) = value.get("type") else {
        return found.push(missing(value, "type", costs));
    };
    let written = kind.text().unwrap_or_default();
    let Some((_, needed)) = KINDS.iter().find(|(known, _)| *known == written) else {
        return found.push((kind.range.clone(), HookFault::Kind(written.to_owned()), costs));
    };
    if let Some(key) = needed {
        match value.get(key) {
            None => found.push(missing(value, key, costs)),
            Some(_) => typed(value, key, Need::Text, costs, found),
        }
    }
    for (key, need) in [
        ("timeout", Need::Number),
        ("async", Need::Boolean),
        ("once", Need::Boolean),
        ("if", Need::Text),
        ("statusMessage", Need::Text),
        ("shell", Need::Shell),
        ("args", Need::List),
    ] {
        typed(value, key, need, costs, found);
    }
}

/// Reports the value of a key that has another type.
fn typed(object: &Json, key: &str, need: Need, costs: Costs, found: &mut Vec<Found>) {
    if let Some(value) = object.get(key).filter(|value| !need.is_met(value)) {
        found.push(wrong(key, value, need, costs));
    }
}

/// Reports a key that is not there: at one that is similar, else at the whole object.
fn missing(object: &Json, key: &str, costs: Costs) -> Found {
    match parts::similar(object, key) {
        Some(member) => (unquoted(&member.range), HookFault::Misspelled(member.key.clone(), key.to_owned()), costs),
        None => (object.range.clone(), HookFault::Missing(key.to_owned()), costs),
    }
}

fn wrong(key: &str, value: &Json, need: Need, costs: Costs) -> Found {
    (value.range.clone(), HookFault::Type(key.to_owned(), need), costs)
}
