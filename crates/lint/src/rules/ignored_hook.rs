//! Reports hooks of the front matter that a runtime in scope ignores or cannot run.

use std::borrow::Cow;

use bstr::{BStr, BString, ByteSlice};

use super::{acting, matchers};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::{Field, Node, NodeKind, text};
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::loads::Hooks;
use skilltree_skills::manifest;
use skilltree_skills::roots;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::{Body, File, Mode};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ignored-hook",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime in scope ignores a hook of the skill, or cannot run it",
    why: "the check or the command that the author relies on never runs",
    explanation: include_str!("ignored_hook.md"),
    check: Check::Catalog(check),
    reads: Reads::Directory,
    ..Rule::DEFAULT
};

/// The field, and the key of the list in an entry.
const HOOKS: &str = "hooks";
/// The type of a hook that runs a command, and the key with that command.
const COMMAND: &str = "command";

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, _) in catalog.skills() {
        of_skill(catalog, id, facts, sink.about(Subject::Skill(id)));
    }
}

fn of_skill(catalog: &Catalog, id: SkillId, facts: &Facts<'_>, sink: &mut Sink) {
    let skill = catalog.skill(id);
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
        let place = Directory::new(catalog, id, profile, hooks);
        let (tools, actor) = (&profile.loads.keys.tools, profile.actor());
        let checked = Checked { place: &place, hooks, tools, actor, guard: None };
        match &field.value.kind {
            NodeKind::Map(events) => events.iter().for_each(|event| checked.event(event, sink)),
            NodeKind::Scalar { text, .. } if text.trim().is_empty() => {}
            _ => {
                checked.report(&field.value, "`hooks` is not a mapping", "write `hooks:` and below it the events", sink)
            }
        }
    }
}

/// The directory of a skill, as its hooks see it.
struct Directory<'a> {
    catalog: &'a Catalog,
    path: &'a BStr,
    /// The directory that the variable in a hook is: that of the package, or else that of the skill.
    base: BString,
    /// How a hook writes the directory of the skill.
    written: String,
}

impl<'a> Directory<'a> {
    fn new(catalog: &'a Catalog, id: SkillId, profile: &Profile, hooks: &Hooks) -> Self {
        let path = text::parent(catalog.path(id));
        let packages = catalog.packages(profile);
        let mut declared = packages.of_skill(id).map(|(number, _)| &packages.all[number]);
        let package = declared.find(|package| package.is_declared());
        let base = package.map_or_else(|| path.to_owned(), |package| package.directory.clone());
        let written = match roots::relative(path, base.as_bstr()) {
            Some(inside) if !inside.is_empty() => format!("{}/{}", hooks.directory, text::lossless(inside)),
            _ => hooks.directory.clone(),
        };
        Self { catalog, path, base, written }
    }

    fn is_of_package(&self) -> bool {
        self.base != self.path
    }

    /// Returns a file of the skill by its path from a directory; `None` if it is not there, or the path leaves the skill.
    fn file(&self, base: &BStr, path: &str) -> Option<Option<&'a File>> {
        let path = manifest::below(base, path).filter(|path| roots::is_within(path.as_bstr(), self.path))?;
        let files = catalog::sorted(&self.catalog.parsed.files);
        let found = files.binary_search_by(|file| file.path.cmp(&path)).ok().map(|found| &files[found]);
        Some(found.filter(|file| file.body != Body::Directory))
    }
}

/// The hooks that a runtime runs.
#[derive(Clone, Copy)]
struct Checked<'a> {
    place: &'a Directory<'a>,
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
            if name.contains(matchers::ABOUT_TOOLS) {
                self.matcher(entry, sink);
            }
            self.entry(entry, sink);
        }
    }

    /// Reports a matcher that matches no tool, or every one.
    fn matcher(&self, entry: &Node, sink: &mut Sink) {
        let Some(matcher) = entry.field("matcher").map(|field| &field.value) else { return };
        for fault in matchers::faults(matcher.scalar().unwrap_or_default(), self.tools, self.actor) {
            sink.report(matcher.place, fault.message).help(fault.help);
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
                .help(format!("write `{}`: it is the directory of the skill", self.place.written));
            return;
        }
        self.script(&command.value, written, sink);
    }

    /// Reports a script of the skill that does not run.
    fn script(&self, command: &Node, written: &str, sink: &mut Sink) {
        let (place, actor) = (self.place, self.actor);
        let shown = |path| text::shortened(path, 64);
        let owner = if place.is_of_package() { "plugin" } else { "skill" };
        let own = manifest::script(written).map(|path| (Cow::Borrowed(path), place.base.as_bstr(), owner));
        let in_project = || {
            let path = manifest::script_in_project(written).filter(|_| !place.is_of_package())?;
            Some((Cow::Owned(path), BStr::new(""), "project"))
        };
        if let Some((path, base, owner)) = own.or_else(in_project) {
            let is_direct = manifest::starts_with_variable(written);
            match place.file(base, &path) {
                Some(None) => {
                    sink.report(
                        command.place,
                        format!("`{}` does not exist, so the hook of {actor} fails", shown(&path)),
                    )
                    .help(format!("add the script, or correct its path; it starts at the directory of the {owner}"));
                }
                Some(Some(file)) if is_direct && file.mode == Mode::File => {
                    let whole = text::lossless(file.path.as_ref());
                    sink.report(
                        command.place,
                        format!("`{}` is not executable, so the hook of {actor} fails", shown(&path)),
                    )
                    .help(format!("run `git update-index --chmod=+x {whole}`"));
                }
                _ => {}
            }
        } else if let Some(path) = manifest::relative_script(written)
            && let Some(Some(_)) = place.file(place.path, path)
        {
            sink.report(command.place, format!("`{}` is relative to the working directory of {actor}", shown(path)))
                .help(format!("write `{}/{}`", place.written, shown(path.trim_start_matches("./"))));
        }
    }
}
