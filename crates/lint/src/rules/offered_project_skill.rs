//! Reports skills of a project that an installer offers together with those that the repository publishes.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::manifests;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place, joined_first};
use skilltree_front_matter::{Node, NodeKind};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Way;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Skill, SkillId};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "offered-project-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Note,
    summary: "an installer offers skills of the project, too",
    why: "users who install the skills of the repository are also offered the skills for the work on it",
    explanation: include_str!("offered_project_skill.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Number of names that a finding shows.
const SHOWN: usize = 3;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let published = catalog.published();
    if !published.contains(&true) {
        return;
    }
    let profiles = facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    for profile in profiles.filter(|profile| profile.kind == Kind::Installer) {
        let Some(key) = profile.loads.keys.unlists.as_deref().and_then(|key| key.strip_prefix("metadata.")) else {
            continue;
        };
        let packages = catalog.packages(profile);
        let installers = packages.all.iter().filter(|package| package.way == Way::Installer && !package.is_lost());
        let offered = installers.flat_map(|package| &package.skills);
        let offered: BTreeSet<SkillId> =
            offered.filter(|member| member.lost.is_none() && member.through.is_none()).map(|one| one.skill).collect();
        let is_published = |id: &&SkillId| published[catalog.skill(**id).root.index()];
        let names: BTreeSet<&BStr> = offered.iter().filter(is_published).map(|id| directory(catalog, *id)).collect();
        let mut of_project: BTreeMap<RootId, Vec<SkillId>> = BTreeMap::new();
        for &id in &offered {
            let skill = catalog.skill(id);
            let is_project = catalog.root(skill.root).path.starts_with(b".");
            let is_hidden = hides(profile, key, skill);
            if is_project && !is_hidden && !names.contains(directory(catalog, id)) {
                of_project.entry(skill.root).or_default().push(id);
            }
        }
        if of_project.is_empty() {
            continue;
        }
        let packaged = packaged(catalog, facts);
        for (root, mut skills) in of_project {
            skills.retain(|id| !packaged.contains(id));
            report(catalog, profile, key, root, &skills, sink);
        }
    }
}

fn report(catalog: &Catalog, profile: &Profile, key: &str, root: RootId, skills: &[SkillId], sink: &mut Sink) {
    let Some(&first) = skills.first() else { return };
    let path = text::lossless(catalog.root(root).path.as_bstr());
    let shown = |id: &SkillId| format!("`{}`", text::shortened(&text::lossless(directory(catalog, *id)), 64));
    let (actor, path) = (profile.actor(), text::shortened(&path, 80));
    let message = format!("{actor} offers skills of `{path}`, too: {}", joined_first(skills.iter().map(shown), SHOWN));
    sink.about(Subject::Tree)
        .report(Place::whole(catalog.skill(first).file), message)
        .help(format!("add `{key}: true` below `metadata` to each that is for this repository only"))
        .extent(skills.len());
}

/// Returns the skills that a package has in another way.
fn packaged(catalog: &Catalog, facts: &Facts<'_>) -> BTreeSet<SkillId> {
    let mut packaged = BTreeSet::new();
    for profile in manifests::readers(facts) {
        let packages = catalog.packages(profile);
        let declared = packages.all.iter().filter(|package| package.is_declared() && package.way != Way::Installer);
        packaged.extend(declared.flat_map(|package| &package.skills).map(|member| member.skill));
    }
    packaged
}

/// Returns whether a key below `metadata` hides a skill.
fn hides(profile: &Profile, key: &str, skill: &Skill) -> bool {
    let Some(NodeKind::Map(fields)) = skill.field("metadata").map(|field| &field.value.kind) else { return false };
    let node = |path: &str| -> Option<&Node> {
        let inner = path.strip_prefix("metadata.").filter(|inner| *inner == key)?;
        fields.iter().find(|field| field.key.value == inner).map(|field| &field.value)
    };
    profile.loads.keys.hiding(node).is_some()
}

/// Returns the name of a skill's directory.
fn directory(catalog: &Catalog, id: SkillId) -> &BStr {
    text::file_name(text::parent(catalog.path(id)))
}
