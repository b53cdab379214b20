//! Reports skills in a plugin that are where its runtime does not look.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::manifests::{self, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, joined_first};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Package, Packages, Way};
use skilltree_runtimes::places;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{self, CLAUDE_MANIFESTS};
use skilltree_skills::roots::{self, Owner};
use skilltree_skills::snapshot::{Mode, Resolution};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "skill-outside-plugin",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a skill of a plugin is where its runtime does not look",
    why: "the plugin is installed without the skill, and no program reports it",
    explanation: include_str!("skill_outside_plugin.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum number of skills that a message names.
const NAMED: usize = 4;

/// The usual directory of the skills of a plugin.
const SKILLS: &str = "skills";

/// A plugin with skills that are elsewhere.
struct Found<'a> {
    file: FileId,
    runtimes: Vec<&'a Profile>,
    /// The directories of the skills, from that of the plugin.
    strays: BTreeSet<BString>,
    /// Whether a runtime gets another skill.
    has_others: bool,
    key: Key,
    /// Whether the skills are in directories of the project, such as `.claude/skills`, and the plugin has nothing else.
    of_project: bool,
    /// Whether another plugin has one of the skills, so that they have to stay.
    is_shared: bool,
}

/// The key that names skills.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    None,
    /// It can name skills, or directories of skills.
    Directories,
    /// It names them, and nothing else is searched.
    OnlyDirectories,
    /// It names each SKILL.md, and nothing else is searched.
    OnlyFiles,
}

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if catalog.parsed.manifests.all.is_empty() {
        return;
    }
    let (all, others) = (all(catalog), others(catalog));
    let mut found: BTreeMap<BString, Found<'_>> = BTreeMap::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        let is_wanted = |package: &&Package| package.is_whole_for(&profile.id) && !package.is_lost();
        if !packages.all.iter().any(|package| is_wanted(&package)) {
            continue;
        }
        let members = members(catalog, profile, &packages);
        let directories = |is_one: &dyn Fn(&Package) -> bool| -> BTreeSet<&BStr> {
            packages.all.iter().filter(|package| is_one(package)).map(|package| package.directory.as_bstr()).collect()
        };
        let bases = &(&directories(&Package::is_declared) | &others);
        let giving = directories(&|package| package.skills.iter().any(|member| member.lost.is_none()));
        let markets = markets(catalog, profile, &packages);
        let is_listed = |package: &&Package| {
            package.way != Way::Directory
                || !markets.iter().any(|base| roots::is_within(package.directory.as_bstr(), base))
        };
        for package in packages.all.iter().filter(is_wanted).filter(is_listed) {
            let Some(manifest) = package.manifest.or(package.way.marketplace()) else { continue };
            let has_others = giving.contains(package.directory.as_bstr());
            let mut strays = strays(catalog, package, &members, bases, &all);
            let of_project = strays.is_empty() && !has_others && !has_parts(catalog, package);
            if of_project {
                strays = of_projects(package, bases, &all);
            }
            if strays.is_empty() {
                continue;
            }
            let key = match package.key() {
                _ if package.names_files() => Key::OnlyFiles,
                _ if package.only_named => Key::OnlyDirectories,
                None => Key::None,
                Some(_) => Key::Directories,
            };
            let found = found.entry(package.directory.clone()).or_insert_with(|| Found {
                file: catalog.parsed.manifests.all[manifest].file,
                runtimes: Vec::new(),
                strays: BTreeSet::new(),
                has_others,
                key,
                of_project,
                is_shared: false,
            });
            found.strays.extend(strays);
            if !found.runtimes.iter().any(|known| known.id == profile.id) {
                found.runtimes.push(profile);
            }
        }
    }
    if found.is_empty() {
        return;
    }
    let given = given(catalog, facts);
    for (base, mut found) in found {
        let is_given = |stray: &BString| {
            given.contains(manifest::join(base.as_bstr(), &text::lossless(stray.as_bstr())).as_bstr())
        };
        found.is_shared = found.strays.iter().any(is_given);
        report(&found, sink);
    }
}

/// Returns the directories of the skills that some runtime, also one in no target, gets from a plugin.
fn given<'a>(catalog: &'a Catalog, facts: &Facts<'_>) -> BTreeSet<&'a BStr> {
    let mut given = BTreeSet::new();
    for profile in facts.profiles.ids().filter_map(|id| facts.profiles.find(id)) {
        let packages = catalog.packages(profile);
        let whole = packages.all.iter().filter(|package| package.is_whole_for(&profile.id));
        let members = whole.flat_map(|package| &package.skills).filter(|member| member.lost.is_none());
        given.extend(members.map(|member| text::parent(catalog.path(member.skill))));
    }
    given
}

/// Returns the directories of all SKILL.md files of the repository, also of those that are in no skills directory or too deep in one.
fn all(catalog: &Catalog) -> BTreeSet<&BStr> {
    let is_skill = |path: &BStr| text::file_name(path) == "SKILL.md";
    let files = catalog.files().map(|(_, file)| file).filter(|file| {
        let is_own = file.root.is_none_or(|root| catalog.root(root).owner == Owner::Repository);
        is_own && matches!(file.mode, Mode::File | Mode::Executable) && is_skill(file.path.as_bstr())
    });
    files.map(|file| text::parent(file.path.as_bstr())).filter(|directory| !directory.is_empty()).collect()
}

/// Returns the directories with a manifest of a package for any program: what is in them belongs to that package.
fn others(catalog: &Catalog) -> BTreeSet<&BStr> {
    let manifests = catalog.parsed.manifests.all.iter();
    let packages = manifests.filter(|one| one.part.is_none() && !one.is_marketplace() && !one.is_settings());
    packages.map(|one| one.base.as_bstr()).collect()
}

/// Returns the directories of the marketplaces from which a runtime installs: it gets a plugin in one only if that lists it.
fn markets<'a>(catalog: &'a Catalog, profile: &Profile, packages: &Packages) -> BTreeSet<&'a BStr> {
    let owned = packages.all.iter().filter(|package| package.is_owned_by(&profile.id));
    let numbers = owned.filter_map(|package| package.way.marketplace());
    numbers.map(|number| catalog.parsed.manifests.all[number].base.as_bstr()).collect()
}

/// Returns the directories of the skills that a runtime finds in a package or otherwise.
fn members<'a>(catalog: &'a Catalog, profile: &Profile, packages: &Packages) -> BTreeSet<&'a BStr> {
    let found = catalog
        .skills()
        .filter(|(id, skill)| {
            places::reads(profile, catalog.root(skill.root))
                || packages.of_skill(*id).any(|(number, _)| packages.all[number].is_declared())
        })
        .map(|(id, _)| text::parent(catalog.path(id)));
    found.collect()
}

/// Returns the directories of the skills below a package that no package gives to the runtime, and that it does not find otherwise. A
/// skill that the package has in another place, too, is not missing.
fn strays(
    catalog: &Catalog,
    package: &Package,
    members: &BTreeSet<&BStr>,
    bases: &BTreeSet<&BStr>,
    all: &BTreeSet<&BStr>,
) -> BTreeSet<BString> {
    let base = package.directory.as_bstr();
    let given = package.skills.iter().filter(|member| member.lost.is_none());
    let given: BTreeSet<&BStr> =
        given.map(|member| text::file_name(text::parent(catalog.path(member.skill)))).collect();
    let start = if base.is_empty() { BString::default() } else { [base.as_bytes(), b"/"].concat().into() };
    let below = all.range(start.as_bstr()..).take_while(|directory| directory.starts_with(&start));
    let is_stray = |directory: &&&BStr| {
        let Some(inside) = roots::relative(directory, base) else { return false };
        let mut names = inside.split_str("/");
        let is_shown = names.next().is_some_and(|name| name == CLAUDE_MANIFESTS.as_bytes() || !name.starts_with(b"."))
            && !names.any(|name| name.starts_with(b"."));
        let above = || {
            let ends = directory.find_iter("/").filter(|end| *end > base.len());
            ends.map(|end| directory[..end].as_bstr())
        };
        is_shown
            && !members.contains(**directory)
            && !given.contains(text::file_name(directory))
            && !roots::is_packaged(directory)
            && !above().chain([base]).any(|directory| all.contains(directory))
            && !above().chain([**directory]).any(|directory| bases.contains(directory))
    };
    below.filter(is_stray).filter_map(|directory| Some(roots::relative(directory, base)?.to_owned())).collect()
}

/// Returns whether a package has, or names, something other than skills.
fn has_parts(catalog: &Catalog, package: &Package) -> bool {
    let manifests = &catalog.parsed.manifests;
    let own = package.manifest.and_then(|number| manifests.all[number].content.as_ref().ok());
    let entry = match &package.way {
        Way::Entry(market, name) => {
            let is_it = |entry: &&Json| entry.get("name").and_then(Json::text) == Some(name);
            manifests.all[*market].entries().iter().find(is_it)
        }
        _ => None,
    };
    let keys = || manifest::PATH_KEYS.iter().filter(|key| **key != SKILLS).chain(&manifest::PART_KEYS);
    let names = |json: &Json| keys().any(|key| json.get(key).is_some());
    let exists = |name: &str| {
        let found = manifests.resolve(manifest::join(package.directory.as_bstr(), name).as_bstr());
        // What was not looked up may exist.
        found.is_none_or(|found| matches!(found, Resolution::File(_) | Resolution::Directory(_)))
    };
    own.into_iter().chain(entry).any(names) || manifest::PART_PLACES.iter().any(|name| exists(name))
}

/// Returns the skills below a package that are in directories of the project, such as `.claude/skills`.
fn of_projects(package: &Package, bases: &BTreeSet<&BStr>, all: &BTreeSet<&BStr>) -> BTreeSet<BString> {
    let base = package.directory.as_bstr();
    let inside = |directory: &&&BStr| {
        let inside = roots::relative(directory, base)?;
        let mut names = inside.split_str("/");
        let is_project = names.next()?.starts_with(b".") && names.next()? == SKILLS.as_bytes();
        let is_other =
            bases.iter().any(|other| other.as_bytes() != base.as_bytes() && roots::is_within(directory, other));
        (is_project && !is_other).then(|| inside.to_owned())
    };
    all.iter().filter_map(|directory| inside(&directory)).collect()
}

fn report(found: &Found<'_>, sink: &mut Sink) {
    let names = listed(found, |stray| text::lossless(stray.as_bstr()));
    let (runtimes, one) = (titles(&found.runtimes), found.runtimes.len() == 1);
    let (is, it, them) = if found.strays.len() == 1 { ("is", "it", "it") } else { ("are", "they", "them") };
    let verb = match (found.has_others, one) {
        (true, true) => "does not load",
        (true, false) => "do not load",
        (false, true) => "loads",
        (false, false) => "load",
    };
    let message = match (found.has_others, found.key) {
        (true, Key::OnlyFiles | Key::OnlyDirectories) => {
            format!("{runtimes} {verb} {names} of this plugin: the manifest does not name {them}")
        }
        (true, _) => format!("{runtimes} {verb} {names} of this plugin: {it} {is} not below `{SKILLS}/`"),
        (false, Key::OnlyFiles | Key::OnlyDirectories) => {
            format!("{runtimes} {verb} no skill of this plugin: the manifest does not name {names}")
        }
        (false, _) => format!("{runtimes} {verb} no skill of this plugin: {names} {is} not below `{SKILLS}/`"),
    };
    let finding = sink.about(Subject::Tree).report(Place::whole(found.file), message);
    finding.help(help(found));
    // An author who lists skills may leave some out on purpose.
    let is_chosen = matches!(found.key, Key::OnlyFiles | Key::OnlyDirectories);
    match (found.has_others, is_chosen) {
        (true, true) => drop(finding.at_most(Level::Note)),
        (true, false) => drop(finding.at_most(Level::Warning)),
        (false, _) => {}
    }
}

/// Lists something of each skill as code, the first ones if there are many.
fn listed(found: &Found<'_>, of: impl Fn(&BString) -> String) -> String {
    joined_first(found.strays.iter().map(|stray| format!("`{}`", text::shortened(&of(stray), 80))), NAMED)
}

/// Returns the edit: another place, or the paths in the manifest.
fn help(found: &Found<'_>) -> String {
    let lossless = |stray: &BString| text::lossless(stray.as_bstr());
    let targets = listed(found, |stray| format!("{SKILLS}/{}", text::lossless(text::file_name(stray.as_bstr()))));
    let is_visible = found.of_project || found.strays.iter().all(|stray| !stray.starts_with(b"."));
    let is_short = is_visible && found.strays.len() <= NAMED;
    let paths = |path: &dyn Fn(&BString) -> String| {
        text::shortened(&found.strays.iter().map(path).collect::<Vec<_>>().join(", "), 200).into_owned()
    };
    let it = if found.strays.len() == 1 { "it" } else { "them" };
    let directories = || paths(&|stray| format!("\"./{}\"", lossless(stray)));
    let key = match found.key {
        Key::OnlyFiles if is_short => {
            let paths = paths(&|stray| format!("{{\"path\": \"./{}/SKILL.md\"}}", lossless(stray)));
            return format!("add `{paths}` to the list of skills in the manifest");
        }
        Key::OnlyFiles => return "add the path of each SKILL.md to the list of skills in the manifest".to_owned(),
        Key::OnlyDirectories if is_short => {
            return format!("add `{}` to the list of skills in the manifest", directories());
        }
        Key::OnlyDirectories => return "add the path of each skill to the list of skills in the manifest".to_owned(),
        Key::Directories if is_short => Some(format!("add `\"{SKILLS}\": [{}]`", directories())),
        Key::Directories | Key::None => None,
    };
    // The other plugin loads the skills from where they are.
    let verb = if found.is_shared { "copy" } else { "move" };
    match (found.of_project, key) {
        // The project itself does, too.
        (true, Some(key)) => key,
        (true, None) => format!("copy {it} to {targets}"),
        (false, Some(key)) => format!("{verb} {it} to {targets}, or {key}"),
        (false, None) => format!("{verb} {it} to {targets}"),
    }
}
