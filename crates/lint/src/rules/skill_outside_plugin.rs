//! Reports skills in a plugin that are where its runtime does not look.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::manifests::{self, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place, joined_first};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Package, Packages};
use skilltree_runtimes::places;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::CLAUDE_MANIFESTS;
use skilltree_skills::roots::{self, Owner};
use skilltree_skills::snapshot::Mode;

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
    takes_key: bool,
}

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if catalog.parsed.manifests.all.is_empty() {
        return;
    }
    let all = all(catalog);
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
        let bases = directories(&Package::is_declared);
        let giving = directories(&|package| package.skills.iter().any(|member| member.lost.is_none()));
        for package in packages.all.iter().filter(is_wanted) {
            let Some(manifest) = package.manifest.or(package.way.marketplace()) else { continue };
            let strays = strays(package, &members, &bases, &all);
            if strays.is_empty() {
                continue;
            }
            let has_others = giving.contains(package.directory.as_bstr());
            let found = found.entry(package.directory.clone()).or_insert_with(|| Found {
                file: catalog.parsed.manifests.all[manifest].file,
                runtimes: Vec::new(),
                strays: BTreeSet::new(),
                has_others,
                takes_key: package.key().is_some(),
            });
            found.strays.extend(strays);
            if !found.runtimes.iter().any(|known| known.id == profile.id) {
                found.runtimes.push(profile);
            }
        }
    }
    found.into_values().for_each(|found| report(&found, sink));
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

/// Returns the directories of the skills below a package that no package gives to the runtime, and that it does not find otherwise.
fn strays(
    package: &Package,
    members: &BTreeSet<&BStr>,
    bases: &BTreeSet<&BStr>,
    all: &BTreeSet<&BStr>,
) -> BTreeSet<BString> {
    let base = package.directory.as_bstr();
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
            && !roots::is_packaged(directory)
            && !above().chain([base]).any(|directory| all.contains(directory))
            && !above().chain([**directory]).any(|directory| bases.contains(directory))
    };
    below.filter(is_stray).filter_map(|directory| Some(roots::relative(directory, base)?.to_owned())).collect()
}

fn report(found: &Found<'_>, sink: &mut Sink) {
    let code = |text: String| format!("`{}`", text::shortened(&text, 80));
    let list =
        |path: &dyn Fn(&BString) -> String| joined_first(found.strays.iter().map(|stray| code(path(stray))), NAMED);
    let lossless = |stray: &BString| text::lossless(stray.as_bstr());
    let names = list(&lossless);
    let (runtimes, one) = (titles(&found.runtimes), found.runtimes.len() == 1);
    let (is, it) = if found.strays.len() == 1 { ("is", "it") } else { ("are", "they") };
    let message = match found.has_others {
        true => format!(
            "{runtimes} {} not load {names} of this plugin: {it} {is} not below `{SKILLS}/`",
            if one { "does" } else { "do" }
        ),
        false => format!(
            "{runtimes} {} no skill of this plugin: {names} {is} not below `{SKILLS}/`",
            if one { "loads" } else { "load" }
        ),
    };
    let target = |stray: &BString| format!("{SKILLS}/{}", text::lossless(text::file_name(stray.as_bstr())));
    let moved = if found.strays.len() == 1 { "move it to" } else { "move them to" };
    let is_visible = found.strays.iter().all(|stray| !stray.starts_with(b"."));
    let paths: Vec<String> = found.strays.iter().map(|stray| format!("\"./{}\"", lossless(stray))).collect();
    let key = match found.takes_key && is_visible && found.strays.len() <= NAMED {
        true => format!(", or add `\"{SKILLS}\": [{}]`", text::shortened(&paths.join(", "), 200)),
        false => String::new(),
    };
    let finding = sink.about(Subject::Tree).report(Place::whole(found.file), message);
    finding.help(format!("{moved} {}{key}", list(&target)));
    if found.has_others {
        finding.at_most(Level::Warning);
    }
}
