//! Reports links and paths in the texts of skills to files that an installed skill lacks or has in another place.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::{manifests, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Package;
use skilltree_skills::roots;
use skilltree_skills::skill::SkillId;
use skilltree_skills::skill::links::{self, Links, To};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "uninstalled-file",
    group: Group::Body,
    since: E2026,
    level: Level::Note,
    summary: "a path names a file that an installed skill lacks",
    why: "installers copy the skill or its plugin, and the agent starts in another repository",
    explanation: include_str!("uninstalled_file.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    precision: Precision::High,
    ..Rule::DEFAULT
};

/// Maximum length of a path that is shown.
const SHOWN: usize = 80;

/// What an installation copies.
enum Copied {
    /// The directory of a plugin, and whether a marketplace lists it.
    Plugin(BString, bool),
    /// The directory of the skill.
    Skill,
}

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let leads = |links: &Links| !links.leaving.is_empty() || !links.ways.is_empty();
    let all = catalog.skills().filter(|(_, skill)| skill.links().any(|(_, links)| leads(links)));
    let candidates: BTreeSet<SkillId> = all.map(|(id, _)| id).collect();
    if candidates.is_empty() {
        return;
    }
    let plugins = plugins(catalog, facts, &candidates);
    let published = catalog.published();
    let directories = match published.contains(&true) {
        true => catalog.skills().map(|(id, _)| text::parent(catalog.path(id))).collect(),
        false => BTreeSet::new(),
    };
    let mut found: BTreeMap<FileId, BTreeMap<usize, Occurrence>> = BTreeMap::new();
    for &id in &candidates {
        let directory = text::parent(catalog.path(id));
        let copied = match plugins.get(&id) {
            Some((plugin, is_listed)) => Copied::Plugin(plugin.clone(), *is_listed),
            None if published[catalog.skill(id).root.index()] => Copied::Skill,
            None => continue,
        };
        for (file, links) in catalog.skill(id).links() {
            let occurrences = match &copied {
                Copied::Plugin(plugin, is_listed) => of_plugin(links, directory, plugin.as_bstr(), *is_listed),
                Copied::Skill => of_skill(links, directory, &directories),
            };
            let occurrences = occurrences.into_iter().map(|occurrence| (occurrence.place.range().start, occurrence));
            found.entry(file).or_default().extend(occurrences);
        }
    }
    for occurrences in found.into_values() {
        several::report(sink.about(Subject::Tree), occurrences.into_values());
    }
}

/// Returns the innermost plugin of each skill, and whether a marketplace lists it.
fn plugins(catalog: &Catalog, facts: &Facts<'_>, candidates: &BTreeSet<SkillId>) -> BTreeMap<SkillId, (BString, bool)> {
    let mut plugins: BTreeMap<SkillId, (BString, bool)> = BTreeMap::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        let is_read =
            |package: &&Package| package.is_whole_for(&profile.id) && !package.is_settings() && !package.is_lost();
        for package in packages.all.iter().filter(is_read) {
            let members = package.skills.iter().filter(|member| member.lost.is_none());
            for member in members.filter(|member| candidates.contains(&member.skill)) {
                let is_listed = package.way.marketplace().is_some() || package.listed_in.is_some();
                let known = plugins.entry(member.skill).or_insert_with(|| (package.directory.clone(), is_listed));
                if package.directory.len() > known.0.len() {
                    *known = (package.directory.clone(), is_listed);
                } else if package.directory == known.0 {
                    known.1 |= is_listed;
                }
            }
        }
    }
    plugins
}

/// Returns the paths in a text of a plugin's skill that are not where the agent starts.
fn of_plugin(links: &Links, directory: &BStr, plugin: &BStr, is_listed: bool) -> Vec<Occurrence> {
    let occurrence = |way: &links::Way| {
        let written = text::shortened(&way.written, SHOWN);
        let (message, help) = match &way.to {
            To::Above(path) if roots::is_within(path.as_bstr(), plugin) => {
                let relative = links::relative(directory, path.as_bstr());
                (
                    format!("`{written}` does not exist in the skill; it is a file of the plugin"),
                    format!("write `{}`", text::shortened(&relative, SHOWN)),
                )
            }
            To::Above(path) if is_listed => (
                format!("`{written}` does not exist in the plugin; it is a file of the repository"),
                format!("copy `{}` into the plugin, and write the path of the copy", shown(path)),
            ),
            To::Own(rest) => (
                format!("`{written}` is not there: the plugin is installed in another directory"),
                format!("write `{}`: paths start at the directory of the skill", text::shortened(rest, SHOWN)),
            ),
            _ => return None,
        };
        Some(Occurrence::new(way.place, message, way.written.as_bytes()).with_help(help))
    };
    links.ways.iter().filter_map(occurrence).collect()
}

/// Returns the links and paths in a text that lead out of a skill which is installed alone. Other skills may be installed next to it.
fn of_skill(links: &Links, directory: &BStr, skills: &BTreeSet<&BStr>) -> Vec<Occurrence> {
    let is_of_skill = |path: &BStr| {
        let above = std::iter::successors(Some(path), |at| (!at.is_empty()).then(|| text::parent(at)));
        above.take_while(|at| !at.is_empty()).any(|at| skills.contains(at))
    };
    let is_lost = |path: &BString| !is_of_skill(path.as_bstr()) && !roots::is_within(directory, path.as_bstr());
    let leaving = links.leaving.iter().filter(|link| is_lost(&link.path));
    let leaving = leaving.map(|link| (link.place, &link.written, Some(&link.path)));
    let ways = links.ways.iter().filter_map(|way| match &way.to {
        To::Above(path) | To::Path(path) if is_lost(path) => Some((way.place, &way.written, Some(path))),
        To::Outside => Some((way.place, &way.written, None)),
        _ => None,
    });
    let occurrence = |(place, written, path): (_, &String, Option<&BString>)| {
        let file = path.map_or_else(|| "the file".to_owned(), |path| format!("`{}`", shown(path)));
        let message =
            format!("`{}` is not in the copy of the skill that installers make", text::shortened(written, SHOWN));
        let help = format!("copy {file} into the skill directory, and write the path of the copy");
        Occurrence::new(place, message, written.as_bytes()).with_help(help)
    };
    leaving.chain(ways).map(occurrence).collect()
}

fn shown(path: &BString) -> String {
    text::shortened(&text::lossless(path.as_bstr()), SHOWN).into_owned()
}
