//! Reports what hides skills that are there: a SKILL.md, a key of a manifest, a command, a setting.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BString, ByteSlice};

use super::manifests::{self, titles};
use super::several;
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{self, Effect};
use skilltree_runtimes::packages::{Lost, Member, Package, Way, Wrong};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::roots;
use skilltree_skills::skill::{CommandFile, SkillId};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "hidden-skills",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a SKILL.md, a key of a manifest, a command or a setting hides skills",
    why: "the runtime works without these skills, and says nothing",
    explanation: include_str!("hidden_skills.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// What hides skills, and from whom.
#[derive(Default)]
struct Hidden<'a> {
    skills: BTreeSet<SkillId>,
    /// The directory of the package.
    base: BString,
    runtimes: Vec<&'a Profile>,
    /// Whether the format was made for one of the runtimes.
    is_meant: bool,
    /// Whether a runtime that reads a directory of skills is not among them: the key has to name each skill.
    names_each: bool,
    /// Whether nothing of a package is left for such a runtime.
    is_everything: bool,
}

/// What hides skills.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    /// A SKILL.md in the directory of skills.
    InRoot(FileId),
    /// The value of a key.
    Key(FileId, usize, usize),
    /// A SKILL.md at the top of the repository.
    Top(FileId),
    /// The manifest next to a SKILL.md, which is not read.
    Own(FileId),
    /// The file of a command that has the name of a skill.
    Command(FileId, BString),
}

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    settings(catalog, facts, sink);
    let mut found: BTreeMap<Cause, Hidden<'_>> = BTreeMap::new();
    let mut entries = Entries::default();
    for profile in manifests::readers(facts) {
        let given = given(catalog, profile);
        for package in
            catalog.packages(profile).all.iter().filter(|package| package.is_declared() && !package.is_lost())
        {
            let mut add = |cause: Cause, skills: &mut dyn Iterator<Item = SkillId>| {
                let skills: BTreeSet<SkillId> = skills.collect();
                if skills.is_empty() {
                    return;
                }
                let hidden = found.entry(cause).or_default();
                hidden.skills.extend(skills);
                let is_meant = manifests::is_meant(package, profile, facts);
                hidden.is_meant |= is_meant;
                hidden.base.clone_from(&package.directory);
                // Entries of a marketplace share a directory, each with its own skills.
                hidden.names_each |=
                    package.names_each_skill() || package.way.marketplace().is_some() && package.manifest.is_none();
                hidden.is_everything |= is_meant && package.skills.iter().all(|member| member.lost.is_some());
                if !hidden.runtimes.iter().any(|known| known.id == profile.id) {
                    hidden.runtimes.push(profile);
                }
            };
            let lost = |reason: Lost| {
                package.skills.iter().filter(move |member| member.lost == Some(reason)).map(|member| member.skill)
            };
            for own in package.skills.iter().filter(|member| member.is_own && member.lost.is_none()) {
                let file = catalog.skill(own.skill).file;
                let directory = text::parent(catalog.path(own.skill));
                add(
                    Cause::InRoot(file),
                    &mut lost(Lost::Hidden).filter(|&id| roots::is_within(catalog.path(id), directory)),
                );
            }
            if lost(Lost::Replaced).next().is_some()
                && let Some(cause) = entries.key(catalog, package)
            {
                let meant = meant(catalog, package);
                let is_corrected =
                    |id: &SkillId| meant.iter().any(|path| roots::is_within(catalog.path(*id), path.as_bstr()));
                let is_given = |id: &SkillId| given.contains(id);
                add(cause, &mut lost(Lost::Replaced).filter(|id| !is_corrected(id) && !is_given(id)));
            }
            let own = |member: &&Member| member.lost == Some(Lost::Own) && package.way != Way::Project;
            for member in package.skills.iter().filter(own) {
                add(Cause::Own(catalog.skill(member.skill).file), &mut std::iter::once(member.skill));
            }
            for member in package.skills.iter().filter(|member| member.lost == Some(Lost::Command)) {
                let directory = text::file_name(text::parent(catalog.path(member.skill)));
                let Some(command) = package.command(directory) else { continue };
                let cause = Cause::Command(catalog.skill(member.skill).file, command.to_owned());
                add(cause, &mut std::iter::once(member.skill));
            }
            if let Some(top) = alone(catalog, package) {
                let others = catalog.skills().filter(|(id, _)| *id != top && is_published(catalog, *id));
                add(Cause::Top(catalog.skill(top).file), &mut others.map(|(id, _)| id));
            }
        }
    }
    found.retain(|_, hidden| hidden.is_meant || hidden.runtimes.iter().any(|profile| profile.is_widely_used()));
    report_found(catalog, found, sink);
}

/// Reports what hides skills. A command that starts a skill is there on purpose.
fn report_found(catalog: &Catalog, mut found: BTreeMap<Cause, Hidden<'_>>, sink: &mut Sink) {
    let path = |command: &CommandFile| catalog.file(command.skill.file).path.clone();
    let starting: BTreeSet<BString> = catalog.parsed.commands.iter().filter(|one| one.starts_skill).map(path).collect();
    found.retain(|cause, _| !matches!(cause, Cause::Command(_, command) if starting.contains(command)));
    let mut of_package: BTreeMap<BString, Vec<(Cause, Hidden<'_>)>> = BTreeMap::new();
    for (cause, hidden) in found {
        match cause {
            Cause::Command(..) => of_package.entry(hidden.base.clone()).or_default().push((cause, hidden)),
            _ => report(catalog, &cause, &hidden, sink),
        }
    }
    for commands in of_package.values() {
        match commands.as_slice() {
            all if all.len() > SEPARATE => report_commands(all, sink),
            few => few.iter().for_each(|(cause, hidden)| report(catalog, cause, hidden, sink)),
        }
    }
}

/// Number of commands in place of skills that have a finding each (ours: 3). More are a habit of their plugin.
const SEPARATE: usize = 3;

/// Reports the commands of a plugin that are in place of skills as one finding.
fn report_commands(all: &[(Cause, Hidden<'_>)], sink: &mut Sink) {
    let occurrences = all.iter().filter_map(|(cause, hidden)| {
        let Cause::Command(id, command) = cause else { return None };
        let text = in_place(command, &hidden.runtimes);
        Some(Occurrence::new(Place::whole(*id), text, command).with_help(COMMAND.to_owned()))
    });
    let is_meant = all.iter().any(|(_, hidden)| hidden.is_meant);
    let Some(finding) = several::report(sink.about(Subject::Tree), occurrences) else { return };
    if !is_meant {
        finding.at_most(Level::Warning);
    }
}

/// The edit of a command in place of a skill.
const COMMAND: &str = "remove the command or rename it: a person can start the skill by the same name";

/// Says that runtimes load a command.
fn in_place(command: &BString, runtimes: &[&Profile]) -> String {
    let verb = if runtimes.len() == 1 { "loads" } else { "load" };
    let command = text::lossless(command.as_ref());
    format!("{} {verb} the command `{command}` in place of this skill", titles(runtimes))
}

/// Returns the skills that some entry of a marketplace gives to a runtime: entries may share a directory, each with its own skills.
fn given(catalog: &Catalog, profile: &Profile) -> BTreeSet<SkillId> {
    let packages = catalog.packages(profile);
    let entries = packages.all.iter().filter(|package| matches!(package.way, Way::Entry(..)));
    let members = entries.flat_map(|package| &package.skills).filter(|member| member.lost.is_none());
    members.map(|member| member.skill).collect()
}

/// Reports the settings of the repository that keep skills from a model: authors forget them.
fn settings(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for profile in manifests::readers(facts) {
        let mut found: BTreeMap<(FileId, usize, Effect), (Place, Vec<SkillId>)> = BTreeMap::new();
        for setting in forecast::overrides(catalog, profile) {
            let file = setting.manifest.file;
            let of_value = found.entry((file, setting.range.start, setting.effect));
            of_value.or_insert_with(|| (Place::new(file, setting.range), Vec::new())).1.push(setting.skill);
        }
        for ((file, _, effect), (place, skills)) in found {
            let names = catalog.name_list(&skills, 3);
            let path = catalog.file(file).path.as_bstr();
            let is_local = path.ends_with(roots::LOCAL_SETTINGS.as_bytes());
            let (message, help) = match effect {
                Effect::Hidden => (
                    format!("{} is told to hide {names} from its model", profile.title),
                    "remove the entry if the model should choose the skill",
                ),
                Effect::NameOnly => (
                    format!("{} is told to hide the description of {names} from its model", profile.title),
                    "remove the entry if the model should choose the skill",
                ),
                Effect::Refused => (
                    format!("{} is told to list {names}, and to refuse the start by its model", profile.title),
                    "remove the entry, or hide the skill with `skillOverrides` as well",
                ),
            };
            let help = match is_local {
                true => format!("run `git rm --cached {}`: the file is for one user", text::lossless(path)),
                false => help.to_owned(),
            };
            sink.about(Subject::Tree).report(place, message).at_most(Level::Note).help(help);
        }
    }
}

/// Returns whether a skill is in a directory for skills at the top: installers look there.
fn is_published(catalog: &Catalog, id: SkillId) -> bool {
    catalog.path(id).starts_with(b"skills/")
}

/// Returns the SKILL.md at the top, if an installer offers only this one.
fn alone(catalog: &Catalog, package: &Package) -> Option<SkillId> {
    match (&package.way, package.skills.as_slice()) {
        (Way::Installer, [only]) if !catalog.path(only.skill).contains(&b'/') => Some(only.skill),
        _ => None,
    }
}

/// Returns the paths that dead ones in the manifest of a package mean. `dead-plugin-path` says so, and its edit shows their skills.
fn meant(catalog: &Catalog, package: &Package) -> Vec<BString> {
    let faults = package.faults.iter().filter_map(|fault| match &fault.what {
        Wrong::Gone(_, Some(path)) => {
            manifest::below(catalog.parsed.manifests.all[fault.manifest].base.as_bstr(), path)
        }
        _ => None,
    });
    faults.collect()
}

/// The first entry of each name, by marketplace.
#[derive(Default)]
struct Entries<'a>(BTreeMap<usize, BTreeMap<&'a str, &'a Json>>);

impl<'a> Entries<'a> {
    /// Returns the place of the key that names the directories of a package.
    fn key(&mut self, catalog: &'a Catalog, package: &Package) -> Option<Cause> {
        let all = &catalog.parsed.manifests.all;
        let place = |number: usize, value: &Json| Cause::Key(all[number].file, value.range.start, value.range.end);
        let own = package.manifest.and_then(|number| {
            let json = all[number].content.as_ref().ok()?;
            Some(place(number, json.at(package.key()?)?))
        });
        own.or_else(|| {
            let Way::Entry(market, name) = &package.way else { return None };
            let by_name = self.0.entry(*market).or_insert_with(|| {
                let plugins = all[*market].content.as_ref().ok().and_then(|json| json.get("plugins"));
                let entries = plugins.map_or(&[][..], Json::items).iter().rev();
                entries.filter_map(|entry| Some((entry.get("name")?.text()?, entry))).collect()
            });
            Some(place(*market, by_name.get(name.as_str())?.get("skills")?))
        })
    }
}

fn report(catalog: &Catalog, cause: &Cause, hidden: &Hidden<'_>, sink: &mut Sink) {
    let count = hidden.skills.len();
    let skills = if count == 1 { "1 skill".to_owned() } else { format!("{} skills", grouped(count)) };
    let runtimes = titles(&hidden.runtimes);
    let (one, names) = (hidden.runtimes.len() == 1, names(catalog, hidden));
    let file = |file: FileId| text::lossless(catalog.file(file).path.as_ref());
    let (place, message, help, level) = match cause {
        &Cause::InRoot(id) => (
            Place::whole(id),
            format!("`{}` hides {skills} next to it from {runtimes}", file(id)),
            "move it to a directory of its own".to_owned(),
            Level::Error,
        ),
        &Cause::Key(id, start, end) => {
            let verb = if one { "reads" } else { "read" };
            let directory = directory(catalog, hidden);
            (
                Place::new(id, start..end),
                format!("{runtimes} {verb} only the directories that this key names, not {skills} in `{directory}`"),
                match hidden.names_each {
                    true => format!("add the directory of each skill to the list: {}", paths(catalog, hidden)),
                    false => format!("add `./{directory}` to the list, or remove the key"),
                },
                if hidden.is_everything { Level::Error } else { Level::Warning },
            )
        }
        &Cause::Top(id) => (
            Place::whole(id),
            format!(
                "{runtimes} {} only the skill at the top, not {skills} below `skills/`",
                if one { "offers" } else { "offer" }
            ),
            "move it to a directory below `skills/`".to_owned(),
            Level::Warning,
        ),
        &Cause::Own(id) => (
            Place::whole(id),
            format!("{runtimes} {} not read a SKILL.md next to the manifest", if one { "does" } else { "do" }),
            "move it to a directory below `skills/`".to_owned(),
            Level::Warning,
        ),
        Cause::Command(id, command) => {
            (Place::whole(*id), in_place(command, &hidden.runtimes), COMMAND.to_owned(), Level::Error)
        }
    };
    let finding = sink.about(Subject::Tree).report(place, message);
    finding.at_most(if hidden.is_meant { level } else { level.min(Level::Warning) }).help(help);
    if !matches!(cause, Cause::Own(_) | Cause::Command(..)) {
        finding.note(format!("hidden: {names}"));
    }
}

/// Returns the first directories of the hidden skills, from their package.
fn paths(catalog: &Catalog, hidden: &Hidden<'_>) -> String {
    const SHOWN: usize = 3;
    let inside = |id: &SkillId| {
        let directory = text::parent(catalog.path(*id));
        format!("`./{}`", text::lossless(roots::relative(directory, hidden.base.as_bstr()).unwrap_or(directory)))
    };
    let shown: Vec<String> = hidden.skills.iter().take(SHOWN).map(inside).collect();
    match hidden.skills.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {} more", shown.join(", "), grouped(more)),
    }
}

fn names(catalog: &Catalog, hidden: &Hidden<'_>) -> String {
    let skills: Vec<SkillId> = hidden.skills.iter().copied().collect();
    catalog.name_list(&skills, 8)
}

/// Returns the directory of the hidden skills, from the package.
fn directory(catalog: &Catalog, hidden: &Hidden<'_>) -> BString {
    let first =
        hidden.skills.iter().next().map(|&id| catalog.root(catalog.skill(id).root).path.clone()).unwrap_or_default();
    roots::relative(first.as_bstr(), hidden.base.as_bstr()).unwrap_or(first.as_bstr()).to_owned()
}
