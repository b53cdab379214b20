//! Roots that a target does not read.

use std::collections::BTreeSet;

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject, listed};
use skilltree_front_matter::text::{self, Place, shell_word};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::scope;
use skilltree_skills::roots::{Owner, Root, RootId};
use skilltree_skills::snapshot::Role;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unread-root",
    group: Group::Configuration,
    since: E2026,
    level: Level::Error,
    summary: "a runtime in `targets` does not read a skills directory",
    why: "the runtime sees these skills only after you link or copy them to a directory that it reads",
    explanation: include_str!("unread_root.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if facts.targets.is_empty() {
        in_use(catalog, facts, sink);
        return;
    }
    let all = facts.targets.iter().filter_map(|id| facts.profiles.find(id));
    let lost: BTreeSet<&str> =
        all.filter(|profile| !reads_any(catalog, profile)).map(|profile| profile.id.as_str()).collect();
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Root) {
        let Some(number) = file.root.filter(|root| catalog.has_skills(*root)) else { continue };
        let root = catalog.root(number);
        // What the user has for other runtimes is no mistake.
        if root.owner == Owner::User {
            continue;
        }
        let is_cut_off = |profile: &Profile| {
            !catalog.reads(profile, number)
                && catalog.skills_of(number).any(|(id, _)| !catalog.is_linked_for(profile, id))
        };
        // Skip runtimes whose roots have not been established.
        let looks_elsewhere =
            |profile: &&Profile| scope::repository_roots(profile).next().is_some() && is_cut_off(profile);
        let mut targets: Vec<&Profile> = Vec::new();
        for profile in facts.targets.iter().filter_map(|id| facts.profiles.find(id)).filter(looks_elsewhere) {
            if targets.iter().all(|known| known.id != profile.id) {
                targets.push(profile);
            }
        }
        if file.path == root.path && !targets.is_empty() {
            // A dispatcher loads the skills for the target. A configured directory may be for other targets.
            let is_for_others = root.configured || facts.scope.is_dispatched(number);
            let (without, with): (Vec<&Profile>, Vec<&Profile>) =
                targets.into_iter().partition(|profile| !is_for_others && lost.contains(profile.id.as_str()));
            let path = text::lossless(root.shown_path());
            for (targets, is_lost) in [(without, true), (with, false)] {
                if !targets.is_empty() {
                    report(Place::whole(id), number, &path, &targets, is_lost, sink);
                }
            }
        }
    }
}

/// Without targets, notes the runtimes that find no skill though the repository has files of theirs.
fn in_use(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = || facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    let is_searched =
        |root: &Root| root.owner == Owner::Repository && all().any(|profile| scope::searches(profile, root));
    let mut roots = catalog.parsed.roots.iter().zip((0u32..).map(RootId)).filter(|(root, _)| is_searched(root));
    let Some((root, number)) = roots.find(|(_, number)| catalog.has_skills(*number)) else { return };
    let Some((file, _)) = catalog.files().find(|(_, file)| file.role == Role::Root && file.root == Some(number)) else {
        return;
    };
    let manifests = &catalog.parsed.manifests;
    let is_there = |path: &str| manifests.is_file(path.into()) || manifests.is_directory(path.into());
    for profile in all() {
        let Some(sign) = profile.loads.signs.iter().find(|sign| is_there(sign)) else { continue };
        if reads_any(catalog, profile) {
            continue;
        }
        let path = text::lossless(root.shown_path());
        let message = format!("{} does not read `{path}`, and the repository has `{sign}` for it", profile.title);
        let finding = sink.about(Subject::Root(number)).report(Place::whole(file), message);
        finding.at_most(Level::Note);
        if let Some(own) = scope::repository_roots(profile).next() {
            finding.help(format!("link the directory: `{}`", link(&own.path, &path)));
        }
    }
}

/// Returns the command that links a skills directory to another one.
fn link(own: &str, path: &str) -> String {
    let above = own.rsplit_once('/').map_or("", |(above, _)| above);
    let up = "../".repeat(own.matches('/').count());
    let make = if above.is_empty() { String::new() } else { format!("mkdir -p {above} && ") };
    format!("{make}ln -s {} {own}", shell_word(&format!("{up}{path}")))
}

/// Returns whether a runtime finds a skill of the repository somewhere.
fn reads_any(catalog: &Catalog, profile: &Profile) -> bool {
    let mut roots = (0u32..).map(RootId).take(catalog.parsed.roots.len());
    roots.any(|root| catalog.has_skills(root) && catalog.reads(profile, root))
        || catalog.skills().any(|(id, _)| catalog.is_linked_for(profile, id))
}

fn report(place: Place, root: RootId, path: &str, targets: &[&Profile], lost: bool, sink: &mut Sink) {
    let titles: Vec<&str> = targets.iter().map(|profile| profile.title.as_str()).collect();
    let verb = if titles.len() == 1 { "does" } else { "do" };
    let rest = match lost {
        true => format!("and {} no skill of the repository", if titles.len() == 1 { "loads" } else { "load" }),
        false => "skilltree checks its skills anyway".to_owned(),
    };
    let separator = if lost { "," } else { ";" };
    let message = format!("{} {verb} not read `{path}`{separator} {rest}", listed(&titles));
    let finding = sink.about(Subject::Root(root)).report(place, message);
    if !lost {
        finding.at_most(Level::Note);
    }
    for profile in targets {
        // A runtime may search one path at two kinds of places, such as the top and packages.
        let mut paths: Vec<String> = Vec::new();
        for path in scope::repository_roots(profile).map(|known| format!("`{}`", known.path)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        finding.note(format!("{} reads {}", profile.title, listed(&paths)));
    }
    finding.help("keep the skills in a directory that every target reads, or link one directory to the other");
}
