//! What a change newly lets an agent do: tools without asking, hooks, commands, scripts, servers. Only a runtime in scope that reads a
//! field grants what the field says.

use std::collections::{BTreeSet, HashMap, HashSet};

use bstr::{BStr, BString};

use self::sessions::Session;
use super::{Read, Side};
use crate::config::Config;
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_front_matter::{Field, Node, NodeKind};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_runtimes::scope::Scope;
use skilltree_skills::keys::USER_INVOCABLE;
use skilltree_skills::skill::{Command, CommandForm, Gain, Mark, Power, Skill, SkillId};
use skilltree_skills::source::{Error, Source};

mod acts;
mod agent_file;
mod definitions;
mod known;
mod packages;
mod places;
mod profiles;
mod project;
mod reach;
mod runtimes;
mod scripts;
mod sessions;
mod starts;
mod texts;
mod tools;

/// The file of a gain until it is known whether the catalog has the file at its path.
pub(crate) const NO_FILE: FileId = FileId(u32::MAX);

/// Fields that choose who does the work.
const SETTINGS: [&str; 3] = ["model", "context", "agent"];
/// The only value of this field with an effect: `agent` has one next to it alone.
const CONTEXT: (&str, &str) = ("context", "fork");
const ALLOWED: &str = "allowed-tools";
const DENIED: &str = "disallowed-tools";
const HOOKS: &str = "hooks";

/// Returns what the head newly lets an agent do: by skill in their order, then by package. Both sides must have the ids of their files.
///
/// # Errors
/// If a script or a manifest cannot be read.
pub fn gains(
    head: (Read<'_>, Side<'_>),
    base: (Read<'_>, Side<'_>),
    base_of: &HashMap<SkillId, SkillId>,
    config: &Config,
) -> Result<Vec<Gain>, Error> {
    let ((_, catalog), (_, before)) = (head.0, base.0);
    let packages = |profile: &Profile| catalog.packages(profile);
    let scope = Scope::with(&catalog.parsed.roots, &config.targets, &config.profiles, &packages, catalog.published());
    let mut gains = Vec::new();
    for (id, skill) in catalog.skills() {
        let other = base_of.get(&id).copied();
        let mut runtimes: Vec<&Profile> = scope.of(skill.root).collect();
        // A validator grants nothing.
        if runtimes.iter().any(|profile| profile.kind != Kind::Specification) {
            runtimes.retain(|profile| profile.kind != Kind::Specification);
        }
        let old = other.map(|other| before.skill(other));
        // What a runtime newly reads, it newly grants.
        let is_new =
            |profile: &Profile, old: &Skill| catalog.reads(profile, skill.root) && !before.reads(profile, old.root);
        let is_known = |profile: &&Profile| old.is_none_or(|old| !is_new(profile, old));
        let (known, new): (Vec<&Profile>, Vec<&Profile>) = runtimes.into_iter().partition(is_known);
        let mut powers = powers(&known, skill, old);
        if !new.is_empty() {
            let newly = Compared { runtimes: new.clone(), skill, before: None };
            powers.extend(old.and_then(|old| newly.freed((before, old), config)));
            powers.extend(self::powers(&new, skill, None));
            powers = distinct(powers);
        }
        let scripts = scripts::gains(head, id, base, other)?;
        let found = powers.into_iter().chain(scripts);
        gains.extend(found.map(|(place, power)| gain(catalog, id, place, power)));
    }
    gains.extend(of_packages(head.0, base.0, config)?);
    Ok(gains)
}

/// Returns what a SKILL.md newly grants. Runtimes differ in how they read front matter that has a fault: what one reads, it grants.
fn powers(runtimes: &[&Profile], skill: &Skill, before: Option<&Skill>) -> Vec<(Place, Power)> {
    if [Some(skill), before].into_iter().flatten().all(forecast::is_read_alike) {
        return Compared { runtimes: runtimes.to_vec(), skill, before }.powers();
    }
    let any = before.and_then(|before| runtimes.iter().find_map(|profile| forecast::as_read(before, profile)));
    let mut powers = Vec::new();
    for &profile in runtimes {
        let own = forecast::as_read(skill, profile);
        let old = before.and_then(|before| forecast::as_read(before, profile));
        let before = old.as_ref().or(any.as_ref()).or(before);
        let compared = Compared { runtimes: vec![profile], skill: own.as_ref().unwrap_or(skill), before };
        powers.extend(compared.powers());
    }
    distinct(powers)
}

/// Returns each power once, with its first place.
fn distinct(powers: Vec<(Place, Power)>) -> Vec<(Place, Power)> {
    let mut known = HashSet::new();
    powers.into_iter().filter(|(_, power)| known.insert(power.clone())).collect()
}

/// Returns what the packages of the head newly start, and what the settings of the project newly allow.
///
/// # Errors
/// If a manifest, or a file that it names, cannot be read.
pub fn of_packages(head: Read<'_>, base: Read<'_>, config: &Config) -> Result<Vec<Gain>, Error> {
    let (mut gains, plugins) = packages::gains(head, base)?;
    let (directories, mut owners): (BTreeSet<BString>, Vec<places::Owner>) = plugins.into_iter().unzip();
    let (own, old) = (places::Places::of_project(), places::Places::of_project());
    owners.insert(0, places::Owner { name: String::new(), own, old });
    gains.extend(definitions::gains(head, base, &owners, config)?);
    let (head, base) = ((&head.0.cached(), head.1), (&base.0.cached(), base.1));
    for session in
        Session::all(head, base, project::FILES.into_iter().chain(runtimes::paths_of_files().chain(runtimes::CODE)))?
    {
        let is_listed = !session.directory.is_empty() && directories.contains(&session.directory);
        let is_plugin = is_listed || packages::is_plugin(head, &session.directory);
        gains.extend(project::gains(head, base, &session, is_plugin)?);
        gains.extend(runtimes::gains(head, base, &session)?);
    }
    Ok(gains)
}

/// Returns whether one of some files outside the skills directories that differ may grant something. In doubt one may. Manifests, and
/// files that are gone, are for the caller.
///
/// # Errors
/// If the settings and manifests above a file cannot be read.
pub fn may_read(source: &Source, paths: &BTreeSet<&BStr>) -> Result<bool, Error> {
    reach::may_read(&source.cached(), paths)
}

fn gain(catalog: &Catalog, id: SkillId, place: Place, power: Power) -> Gain {
    let name = text::shortened(&catalog.skill(id).shown_name(), 64).into_owned();
    let path: BString = catalog.file(catalog.skill(id).file).reported_path().clone();
    Gain { skill: Some(id), noun: "", name, path, place, power }
}

/// A skill and its counterpart in the base.
struct Compared<'a> {
    runtimes: Vec<&'a Profile>,
    skill: &'a Skill,
    before: Option<&'a Skill>,
}

impl<'a> Compared<'a> {
    /// Returns what the SKILL.md newly grants, in the order of the kinds.
    fn powers(&self) -> Vec<(Place, Power)> {
        let mut powers = Vec::new();
        self.tools(&mut powers);
        self.hooks(&mut powers);
        self.commands(&mut powers);
        self.settings(&mut powers);
        self.starters(&mut powers);
        powers.extend(agent_file::servers(self.skill, self.before, &self.runtimes));
        powers
    }

    /// Returns a field that a runtime in scope reads.
    fn field(&self, key: &str) -> Option<&'a Field> {
        self.reads(key).then(|| self.skill.field(key)).flatten()
    }

    fn reads(&self, key: &str) -> bool {
        self.runtimes.iter().any(|profile| profile.loads.keys.known.iter().any(|known| known == key))
    }

    fn tools(&self, powers: &mut Vec<(Place, Power)>) {
        let of = |skill: Option<&'a Skill>, key: &str| skill.map(|skill| tools::of(skill, key)).unwrap_or_default();
        if let Some(field) = self.field(ALLOWED) {
            let new = tools::uncovered(of(Some(self.skill), ALLOWED), &of(self.before, ALLOWED));
            powers.extend(new.into_iter().map(|tool| (field.value.place, Power::Tool(tool.to_owned()))));
        }
        if self.before.is_some() && self.reads(DENIED) {
            let freed = tools::uncovered(of(self.before, DENIED), &of(Some(self.skill), DENIED));
            let place = self.skill.field(DENIED).map_or_else(|| self.skill.opener(), |field| field.value.place);
            powers.extend(freed.into_iter().map(|tool| (place, Power::Undenied(tool.to_owned()))));
        }
    }

    fn hooks(&self, powers: &mut Vec<(Place, Power)>) {
        let runs = |event: &str| {
            let hooks = self.runtimes.iter().filter_map(|profile| profile.loads.hooks.as_ref());
            hooks.into_iter().any(|hooks| hooks.events.iter().any(|known| known == event))
        };
        let known = self.before.map(hooks).unwrap_or_default();
        for (place, hook) in hooks(self.skill) {
            let is_known = known.iter().any(|(_, known)| known.label() == hook.label() && known.runs == hook.runs);
            if runs(hook.event) && !is_known {
                powers.push((place, Power::Hook { event: hook.label(), runs: hook.runs.to_owned() }));
            }
        }
        let guards = |event: &str| {
            let mut hooks = self.runtimes.iter().filter_map(|profile| profile.loads.hooks.as_ref());
            hooks.any(|hooks| hooks.guards.iter().any(|known| known == event))
        };
        let kept = hooks(self.skill);
        let is_kept = |hook: &Hook<'_>| kept.iter().any(|(_, own)| own.guards_like(hook));
        for (_, hook) in self.before.map(hooks).unwrap_or_default() {
            // Without its fields, the skill has a finding of its own.
            if guards(hook.event) && !hook.is_async && self.skill.has_fields() && !is_kept(&hook) {
                let power = Power::Unguarded { event: hook.label(), runs: hook.runs.to_owned() };
                powers.push((
                    self.skill.field(HOOKS).map_or_else(|| self.skill.opener(), |field| field.key.place),
                    power,
                ));
            }
        }
    }

    fn commands(&self, powers: &mut Vec<(Place, Power)>) {
        let Some(body) = &self.skill.body else { return };
        if !self.runtimes.iter().any(|profile| profile.loads.commands.is_some()) {
            return;
        }
        let before = self.before.and_then(|skill| skill.body.as_ref()).map(|body| &body.commands);
        let known: BTreeSet<_> = before.iter().flat_map(|found| &found.first).filter(is_run).map(key).collect();
        let new = body.commands.first.iter().filter(is_run).filter(|mark| !known.contains(&key(mark)));
        let written = |mark: &Mark<Command>| mark.value.text.lines().map(str::trim).collect::<Vec<_>>().join("; ");
        powers.extend(new.map(|mark| (mark.place, Power::Command(written(mark)))));
        if let Some(rest) = &body.commands.rest
            && before.and_then(|found| found.rest).is_none_or(|known| known.identity != rest.identity)
        {
            powers.push((rest.place, Power::MoreCommands));
        }
    }

    fn settings(&self, powers: &mut Vec<(Place, Power)>) {
        for key in SETTINGS.into_iter().filter(|key| self.reads(key)) {
            let (own, before) = (self.setting(self.skill, key), self.before.and_then(|skill| self.setting(skill, key)));
            let place = self.skill.field(key).map_or_else(|| self.skill.opener(), |field| field.value.place);
            match (own, before) {
                (Some(value), before) if before != Some(value) => {
                    powers.push((place, Power::Setting { key, value: value.to_owned() }));
                }
                // The work is no longer done apart from the main conversation.
                (None, Some(value)) if key == CONTEXT.0 && self.skill.has_fields() => {
                    powers.push((place, Power::Unset { key, value: value.to_owned() }));
                }
                _ => {}
            }
        }
    }

    /// Returns that the model may start a skill in a runtime that newly reads it, although one that read it kept it from the model.
    fn freed(&self, (base, before): (&Catalog, &Skill), config: &Config) -> Option<(Place, Power)> {
        let profiles = config.profiles.ids().filter_map(|id| config.profiles.find(id));
        let was_hidden = profiles
            .into_iter()
            .any(|profile| base.reads(profile, before.root) && freedom(before, profile) == Freedom::Hidden);
        let is_free = self.runtimes.iter().any(|profile| freedom(self.skill, profile) != Freedom::Hidden);
        (was_hidden && is_free).then(|| (self.skill.opener(), Power::StartedByModel))
    }

    /// Returns the value of a field that chooses who does the work, if it has an effect.
    fn setting(&self, skill: &'a Skill, key: &str) -> Option<&'a str> {
        let is_forked = || skill.scalar(CONTEXT.0) == Some(CONTEXT.1);
        skill.scalar(key).filter(|_| key == "model" || is_forked())
    }

    /// Adds who may start a skill that they could not start before. Whoever may start a new skill is no surprise.
    fn starters(&self, powers: &mut Vec<(Place, Power)>) {
        let Some(before) = self.before.filter(|_| self.skill.has_fields()) else { return };
        let place = |key: &str| self.skill.field(key).map_or_else(|| self.skill.opener(), |field| field.value.place);
        let value = |skill: &'a Skill, key: &str| skill.field(key).map(|field| &field.value);
        let by_field = |profile: &'a Profile| {
            let keys = &profile.loads.keys;
            keys.hiding(|key| value(before, key)).or_else(|| keys.waiting(|key| value(before, key)))
        };
        let is_freed = |profile: &&&'a Profile| freedom(before, profile) < freedom(self.skill, profile);
        if let Some(profile) = self.runtimes.iter().find(is_freed) {
            let in_file = || agent_file::place(self.skill).unwrap_or_else(|| self.skill.opener());
            powers.push((by_field(profile).map_or_else(in_file, place), Power::StartedByModel));
        }
        if self.reads(USER_INVOCABLE) && before.disables_user_invocation() && !self.skill.disables_user_invocation() {
            powers.push((place(USER_INVOCABLE), Power::StartedByPerson));
        }
    }
}

/// How freely the model may start a skill.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Freedom {
    /// The model does not see it.
    Hidden,
    /// It waits for a file.
    Waiting,
    Free,
}

/// Returns how freely the model of a runtime may start a skill.
fn freedom(skill: &Skill, profile: &Profile) -> Freedom {
    let keys = &profile.loads.keys;
    let value = |key: &str| skill.field(key).map(|field| &field.value);
    let is_hidden = || skilltree_runtimes::agent_file::hides(skill, keys.agent_file);
    match keys.hiding(value) {
        Some(_) => Freedom::Hidden,
        None if is_hidden() => Freedom::Hidden,
        None if keys.waiting(value).is_some() => Freedom::Waiting,
        None => Freedom::Free,
    }
}

/// Returns whether a runtime runs a command of a body.
fn is_run(mark: &&Mark<Command>) -> bool {
    mark.value.form != CommandForm::Glued
}

/// Returns what makes a command of a body another one: its text, or its hash if the text is too long to keep.
fn key(mark: &Mark<Command>) -> (&str, [u8; 16]) {
    let text = mark.value.text.trim();
    (text, if text.is_empty() { mark.identity } else { [0; 16] })
}

/// A hook of the front matter.
struct Hook<'a> {
    event: &'a str,
    matcher: &'a str,
    runs: &'a str,
    /// The condition under which it runs.
    condition: &'a str,
    /// Whether it runs on the side, so that it refuses nothing.
    is_async: bool,
}

impl Hook<'_> {
    /// Returns whether it refuses all that another hook does.
    fn guards_like(&self, other: &Self) -> bool {
        !self.is_async
            && (self.runs, self.condition) == (other.runs, other.condition)
            && known::runs_for(&self.label(), &other.label())
    }

    /// Returns the event, with the matcher if there is one.
    fn label(&self) -> String {
        if self.matcher.is_empty() { self.event.to_owned() } else { format!("{}({})", self.event, self.matcher) }
    }
}

/// Returns the hooks of a skill, in the order of the file.
fn hooks(skill: &Skill) -> Vec<(Place, Hook<'_>)> {
    let mut found = Vec::new();
    let Some(NodeKind::Map(events)) = skill.field(HOOKS).map(|field| &field.value.kind) else { return found };
    for event in events {
        for entry in items(Some(&event.value)) {
            let matcher = entry.field("matcher").and_then(|field| field.value.scalar()).unwrap_or_default();
            for hook in items(entry.field(HOOKS).map(|field| &field.value)) {
                let runs = ["command", "url", "prompt", "type"].iter().find_map(|key| hook.field(key)?.value.scalar());
                let Some(runs) = runs else { continue };
                let text = |key: &str| hook.field(key).and_then(|field| field.value.scalar()).unwrap_or_default();
                let (condition, is_async) = (text("if"), text("async") == "true");
                found.push((
                    hook.place,
                    Hook { event: &event.key.value, matcher, runs: runs.trim(), condition, is_async },
                ));
            }
        }
    }
    found
}

fn items(node: Option<&Node>) -> &[Node] {
    match node.map(|node| &node.kind) {
        Some(NodeKind::List(items)) => items,
        _ => &[],
    }
}
