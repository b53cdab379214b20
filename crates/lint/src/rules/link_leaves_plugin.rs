//! Reports links and paths of a plugin's skills that lead out of the plugin.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::{manifests, several};
use crate::rule::{Check, E2026, Facts, Group, Level, Occurrence, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Package, Way};
use skilltree_skills::skill::SkillId;
use skilltree_skills::skill::links::{Links, To};
use skilltree_skills::{manifest, roots};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "link-leaves-plugin",
    group: Group::Body,
    since: E2026,
    level: Level::Warning,
    summary: "a link or a path leads out of the plugin",
    why: "an installed plugin is a copy of its directory, in which the agent does not find the file",
    explanation: include_str!("link_leaves_plugin.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// What leads out of a plugin in a file: the text, and whether it is a link.
type Found<'a> = BTreeMap<FileId, BTreeMap<usize, (Place, &'a str, bool)>>;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let leads = |links: &Links| !links.leaving.is_empty() || links.ways.iter().any(|way| !is_inside(&way.to));
    let leaves = |id: SkillId| catalog.skill(id).links().any(|(_, links)| leads(links));
    if !catalog.skills().any(|(id, _)| leaves(id)) {
        return;
    }
    let mut found = Found::new();
    let mut kept: BTreeSet<SkillId> = BTreeSet::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let members = package.skills.iter().filter(|member| member.lost.is_none());
            let leaving = members.map(|member| member.skill).filter(|&id| leaves(id));
            for id in leaving.filter(|&id| is_installed(package) && kept.insert(id)) {
                for (file, links) in catalog.skill(id).links() {
                    let outside = outside(links, package.directory.as_bstr()).into_iter();
                    found.entry(file).or_default().extend(outside.map(|found| (found.0.range().start, found)));
                }
            }
        }
    }
    for places in found.into_values() {
        let message = |written: &str| format!("`{}` is outside the plugin", text::shortened(written, 80));
        let occurrence =
            |(place, written, _): &(Place, &str, bool)| Occurrence::new(*place, message(written), written.as_bytes());
        let help = match places.values().all(|(.., is_link)| *is_link) {
            true => "copy the file into the plugin, or replace the link with plain text",
            false => "copy the file into the plugin, and write the path of the copy",
        };
        if let Some(finding) = several::report(sink.about(Subject::Tree), places.values().map(occurrence)) {
            finding.help(help);
        }
    }
}

/// Returns whether whoever installs a package gets a copy of its directory.
fn is_installed(package: &Package) -> bool {
    matches!(package.way, Way::Entry(..)) || package.listed_in.is_some()
}

/// Returns whether a path leads to the plugin.
fn is_inside(to: &To) -> bool {
    matches!(to, To::Above(_) | To::Around(_) | To::Own(_))
}

/// Returns the links and paths that lead out of the directory of a plugin.
fn outside<'a>(links: &'a Links, directory: &BStr) -> Vec<(Place, &'a str, bool)> {
    let leaves = |path: &BStr| !roots::is_within(path, directory);
    let of_links = links.leaving.iter().filter(|link| leaves(link.path.as_bstr()));
    let of_text = links.ways.iter().filter(|way| match &way.to {
        To::Outside => true,
        To::FromPlugin(path) => manifest::below(directory, path).is_none(),
        To::Path(path) => leaves(path.as_bstr()),
        To::Unknown(_) | To::Around(_) | To::Above(_) | To::Own(_) => false,
    });
    let of_links = of_links.map(|link| (link.place, link.written.as_str(), true));
    of_links.chain(of_text.map(|way| (way.place, way.written.as_str(), false))).collect()
}
