//! Reports hooks of the front matter that a runtime in scope ignores.

use super::acting;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::{Field, Node, NodeKind, text};
use skilltree_runtimes::profile::loads::Hooks;
use skilltree_skills::keys::meant_tool;
use skilltree_skills::skill::Skill;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ignored-hook",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope ignores a hook of the skill",
    why: "the check or the command that the author relies on never runs",
    explanation: include_str!("ignored_hook.md"),
    check: Check::Skill(check),
    ..Rule::DEFAULT
};

/// The field, and the key of the list in an entry.
const HOOKS: &str = "hooks";
/// Part of the name of an event whose matchers name tools.
const ABOUT_TOOLS: &str = "ToolUse";
/// The type of a hook that runs a command, and the key with that command.
const COMMAND: &str = "command";

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let is_meant = |field: &&Field| {
        let is_near = ["hook", HOOKS].iter().any(|name| field.key.value.eq_ignore_ascii_case(name));
        is_near && (field.key.value == HOOKS || matches!(field.value.kind, NodeKind::Map(_)))
    };
    let Some(field) = skill.field(HOOKS).or_else(|| skill.fields().find(is_meant)) else { return };
    for profile in acting::runtimes(skill, facts, |profile| profile.loads.hooks.is_some()) {
        if field.key.value != HOOKS {
            let shown = text::shortened(&field.key.value, 64);
            let message = format!("`{shown}` is not a key of {}, which runs no hook of it", profile.actor());
            sink.report(field.key.place, message).help("rename it to `hooks`");
            continue;
        }
        let Some(hooks) = &profile.loads.hooks else { continue };
        let checked = Checked { hooks, tools: &profile.loads.keys.tools, actor: profile.actor(), guard: None };
        match &field.value.kind {
            NodeKind::Map(events) => events.iter().for_each(|event| checked.event(event, sink)),
            NodeKind::Scalar { text, .. } if text.trim().is_empty() => {}
            _ => {
                checked.report(&field.value, "`hooks` is not a mapping", "write `hooks:` and below it the events", sink)
            }
        }
    }
}

/// The hooks that a runtime runs.
#[derive(Clone, Copy)]
struct Checked<'a> {
    hooks: &'a Hooks,
    /// Its tools; empty if unknown.
    tools: &'a [String],
    actor: &'a str,
    /// The event, if its hooks guard what tools may do.
    guard: Option<&'a str>,
}

impl<'a> Checked<'a> {
    fn report(&self, node: &Node, fact: &str, help: &str, sink: &mut Sink) {
        let finding = sink.report(node.place, format!("{fact}, so {} ignores it", self.actor)).help(help);
        if let Some(event) = self.guard {
            let note =
                format!("without a hook of `{event}`, {} applies no hook and no `allowed-tools` of it", self.actor);
            finding.note(note);
        }
    }

    fn event(self, event: &'a Field, sink: &mut Sink) {
        let name = event.key.value.as_str();
        let guard = self.hooks.guards.iter().any(|guard| guard == name).then_some(name);
        Self { guard, ..self }.entries(event, sink);
    }

    fn entries(&self, event: &Field, sink: &mut Sink) {
        let name = &event.key.value;
        if !self.hooks.events.contains(name) {
            let shown = text::shortened(name, 64);
            let finding =
                sink.report(event.key.place, format!("`{shown}` is not an event of {}, which ignores it", self.actor));
            match text::nearest(name, self.hooks.events.iter().map(String::as_str)) {
                Some(near) => finding.help(format!("rename it to `{near}`")),
                None => finding.help(format!("use an event of {}, such as `{}`", self.actor, self.hooks.events[0])),
            };
        }
        let NodeKind::List(entries) = &event.value.kind else {
            let fact = format!("the value of `{name}` is not a list");
            return self.report(&event.value, &fact, "write each entry after a hyphen: `- hooks:`", sink);
        };
        for entry in entries {
            if let Some(matcher) = entry.field("matcher").filter(|matcher| matcher.value.scalar().is_none()) {
                let help = "write an expression for the names of tools, such as `Bash|Edit`";
                self.report(&matcher.value, "`matcher` is not a string", help, sink);
            }
            if name.contains(ABOUT_TOOLS) {
                self.matcher(entry, sink);
            }
            self.entry(entry, sink);
        }
    }

    /// Reports a matcher that is a misspelled tool. It may be an expression, of which only plain words are checked.
    fn matcher(&self, entry: &Node, sink: &mut Sink) {
        let Some(matcher) = entry.field("matcher").map(|field| &field.value) else { return };
        for word in matcher.scalar().unwrap_or_default().split('|').map(str::trim) {
            let is_plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !is_plain || self.tools.iter().any(|tool| tool == word) {
                continue;
            }
            let in_other_case = self.tools.iter().find(|tool| tool.eq_ignore_ascii_case(word)).map(String::as_str);
            if let Some(meant) = in_other_case.or_else(|| meant_tool(word, self.tools)) {
                let shown = text::shortened(word, 64);
                sink.report(matcher.place, format!("`{shown}` is not a tool of {}, so it matches nothing", self.actor))
                    .help(format!("write `{meant}`"));
            }
        }
    }

    fn entry(&self, entry: &Node, sink: &mut Sink) {
        let help = "write `- hooks:` and below it the list of hooks with `type` and `command`";
        let NodeKind::Map(fields) = &entry.kind else {
            return self.report(entry, "the entry is not a mapping", help, sink);
        };
        match fields.iter().find(|field| field.key.value == HOOKS).map(|field| &field.value) {
            None => self.report(entry, "the entry has no list `hooks`", help, sink),
            Some(Node { kind: NodeKind::List(hooks), .. }) => hooks.iter().for_each(|hook| self.hook(hook, sink)),
            Some(other) => self.report(other, "`hooks` of the entry is not a list", help, sink),
        }
    }

    fn hook(&self, hook: &Node, sink: &mut Sink) {
        let NodeKind::Map(fields) = &hook.kind else {
            return self.report(hook, "the hook is not a mapping", "write `type: command` and `command: …`", sink);
        };
        let Some(kind) = fields.iter().find(|field| field.key.value == "type") else {
            return self.report(hook, "the hook has no `type`", "add `type: command`", sink);
        };
        match kind.value.scalar() {
            Some(COMMAND) => {}
            Some(typed) if text::nearest(typed, [COMMAND]).is_some() => {
                let fact = format!("`{}` is not a type of hook", text::shortened(typed, 64));
                return self.report(&kind.value, &fact, "write `type: command`", sink);
            }
            _ => return,
        }
        let Some(command) = fields.iter().find(|field| field.key.value == COMMAND) else {
            return self.report(hook, "the hook has no `command`", "add `command: …` with what to run", sink);
        };
        let Some(written) = command.value.scalar() else {
            return self.report(&command.value, "`command` is not a string", "write the command as a string", sink);
        };
        if let Some(variable) = self.hooks.empty.iter().find(|variable| written.contains(variable.as_str())) {
            sink.report(command.value.place, format!("`{variable}` is empty in a hook of {}", self.actor))
                .help(format!("write `{}`: it is the directory of the skill", self.hooks.directory));
        }
    }
}
