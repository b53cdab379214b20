//! Hooks of a project in the files of programs other than Claude Code: what of them a program does not run.

use std::ops::Range;

use crate::packages::Costs;
use crate::profile::loads::ProjectHooks;
use crate::settings::Flaw;
use skilltree_front_matter::text;
use skilltree_skills::manifest::json::{Json, Member, Value};
use skilltree_skills::manifest::{HOOKS, Manifest, Unread};

/// Number of flaws of one file that are reported (ours: 20).
const FLAWS: usize = 20;

/// Returns whether a program reads hooks in a file.
pub fn reads(manifest: &Manifest, rule: &ProjectHooks) -> bool {
    let name = manifest.name.as_ref();
    manifest.base.is_empty() && (name == rule.file || rule.file.ends_with('/') && name.starts_with(rule.file))
}

/// Returns which hooks a program does not run, in the order of the file. [`Costs::Package`] is the loss of all.
pub fn flaws(manifest: &Manifest, rule: &ProjectHooks) -> Vec<Flaw> {
    let json = match &manifest.content {
        Ok(json) => json,
        Err(Unread::Malformed(reason, at)) => {
            return vec![all(*at..at + 1, reason.clone(), "correct the JSON here")];
        }
        Err(Unread::NotAnObject) => {
            return vec![all(0..0, "it is not an object".to_owned(), "write an object: `{ … }`")];
        }
        Err(_) => return Vec::new(),
    };
    let mut found = Vec::new();
    for member in
        json.members().iter().filter(|member| !rule.top.is_empty() && !rule.top.contains(&member.key.as_str()))
    {
        let is_event = rule.events.contains(&member.key.as_str());
        let help = if is_event { format!("move it into `{HOOKS}`") } else { "remove it".to_owned() };
        let what = format!("`{}` is not a key of the file", text::shortened(&member.key, 64));
        found.push(Flaw { help, ..all(member.range.clone(), what, "") });
    }
    let version = json.get("version").filter(|version| rule.is_versioned && version.value != Value::Number(true));
    if let Some(version) = version {
        found.push(all(version.range.clone(), "`version` is not a number".to_owned(), "write `1`"));
    }
    match json.get(HOOKS) {
        None if rule.is_versioned && found.is_empty() => {
            found.push(all(0..0, format!("it has no key `{HOOKS}`"), "put the events below `hooks`"));
        }
        None => {}
        Some(hooks) if matches!(hooks.value, Value::Object(_) | Value::Deep) => {
            hooks.members().iter().for_each(|event| self::event(event, rule, &mut found));
        }
        Some(hooks) if rule.is_versioned => {
            found.push(all(hooks.range.clone(), format!("`{HOOKS}` is not an object"), "write an object of events"));
        }
        Some(_) => {}
    }
    found.truncate(FLAWS);
    found
}

fn event(event: &Member, rule: &ProjectHooks, found: &mut Vec<Flaw>) {
    let (name, entries) = (event.key.as_str(), event.value.items());
    if rule.next.contains(&name) {
        return;
    }
    if !rule.events.contains(&name) {
        let same = rule.same.iter().find(|(known, _)| *known == name).map(|(_, same)| *same);
        let in_other_case = || rule.events.iter().copied().find(|known| known.eq_ignore_ascii_case(name));
        let near = same.or_else(in_other_case).or_else(|| text::one_letter_off(name, rule.events.iter().copied()));
        let help = near.map_or_else(
            || format!("remove it, or use one of its events, such as `{}`", rule.events[0]),
            |near| format!("rename it to `{near}`"),
        );
        if !entries.is_empty() {
            let what = format!("`{}` is not an event", text::shortened(name, 64));
            // Without the quotes.
            let range = event.range.start + 1..event.range.end.saturating_sub(1).max(event.range.start + 1);
            found.push(Flaw { help, costs: Costs::Entry, ..all(range, what, "") });
        }
        return;
    }
    if !matches!(event.value.value, Value::List(_) | Value::Deep) {
        // Gemini CLI runs it, though it warns.
        if rule.is_strict || rule.is_versioned {
            found.push(all(event.value.range.clone(), format!("`{name}` is not a list"), "write a list: `[ … ]`"));
        }
        return;
    }
    for entry in entries {
        match entry.get(HOOKS) {
            Some(hooks) => hooks.items().iter().for_each(|hook| self::hook(hook, rule, found)),
            None if rule.nested => {
                let what = format!("an entry of `{name}` has no `{HOOKS}`");
                let help = format!("write `{{ \"{HOOKS}\": [ … ] }}` for each entry");
                found.push(Flaw { help, costs: Costs::Entry, ..all(entry.range.clone(), what, "") });
            }
            None => hook(entry, rule, found),
        }
    }
}

fn hook(hook: &Json, rule: &ProjectHooks, found: &mut Vec<Flaw>) {
    if hook.value == Value::Deep {
        return;
    }
    let costs = if rule.is_strict { Costs::Package } else { Costs::Entry };
    let mut add = |range: &Range<usize>, what: String, help: String, costs: Costs| {
        found.push(Flaw { help, costs, ..all(range.clone(), what, "") });
    };
    let kind = hook.get("type");
    let written = kind.and_then(Json::text).unwrap_or_default();
    if !rule.kinds.is_empty() && !rule.kinds.contains(&written) {
        let kinds: Vec<String> = rule.kinds.iter().map(|kind| format!("`{kind}`")).collect();
        let (range, what) = match kind {
            Some(kind) => {
                (&kind.range, format!("`{}` is not a type of hook that it runs", text::shortened(written, 64)))
            }
            None => (&hook.range, "a hook has no `type`".to_owned()),
        };
        let costs = if rule.skipped.contains(&written) { Costs::Entry } else { costs };
        return add(range, what, format!("write {}", kinds.join(" or ")), costs);
    }
    let is_command = written == "command" || rule.kinds.is_empty() && kind.is_none();
    let command = rule.commands.iter().find_map(|key| hook.get(key));
    match command {
        None if is_command => {
            add(&hook.range, "a hook has no command".to_owned(), format!("add `{}`", rule.commands[0]), costs);
        }
        Some(command) if rule.is_strict && command.text().is_some_and(|text| text.trim().is_empty()) => {
            add(
                &command.range,
                "the command of a hook is blank".to_owned(),
                "write a command".to_owned(),
                Costs::Entry,
            );
        }
        _ => {}
    }
    if let Some(timeout) =
        hook.get(rule.timeout).filter(|timeout| !matches!(timeout.value, Value::Number(_) | Value::Null))
    {
        add(&timeout.range, format!("`{}` is not a number", rule.timeout), "write a number".to_owned(), costs);
    }
}

fn all(range: Range<usize>, what: String, help: &str) -> Flaw {
    Flaw { range, what, help: help.to_owned(), meant: None, costs: Costs::Package, is_minor: false }
}
