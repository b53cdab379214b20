//! Reports hooks of a plugin that a runtime leaves out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::{BStr, ByteSlice};

use super::manifests::{self, Fault, titles};
use super::matchers;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Costs, HookFault, Wrong};
use skilltree_runtimes::project_hooks;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{Manifest, Part};
use skilltree_skills::roots;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "ignored-plugin-hook",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a runtime leaves out a hook of a plugin",
    why: "the check or the command that the author relies on never runs, and nothing says so",
    explanation: include_str!("ignored_plugin_hook.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut faults = manifests::faults(catalog, facts);
    let known = faults.iter().map(|fault| fault.manifest.file).collect();
    faults.retain(|fault| fault.without_package.is_empty() && matches!(fault.what, Wrong::Hook(_)));
    for fault in &faults {
        let message = |fault: &Fault<'_>| {
            let is_one = fault.without_entry.len() == 1;
            let loses = match &fault.what {
                Wrong::Hook(HookFault::Script(_)) => "cannot run a hook",
                what if is_about_all(what) && is_one => "runs no hook",
                what if is_about_all(what) => "run no hook",
                _ if is_one => "leaves out hooks",
                _ => "leave out hooks",
            };
            format!("{} {loses} of this plugin: {}", titles(&fault.without_entry), fault.what)
        };
        if let Some(finding) = manifests::report(&[fault], message, sink)
            && !fault.is_meant
        {
            finding.at_most(Level::Note);
        }
    }
    check_matchers(catalog, facts, sink);
    check_own(catalog, facts, &known, sink);
}

/// Reports hooks of plugins that a program with a format of its own does not run: of plugins for another one, if the file has no other fault.
fn check_own(catalog: &Catalog, facts: &Facts<'_>, known: &BTreeSet<FileId>, sink: &mut Sink) {
    let files = catalog.parsed.manifests.all.iter().filter(|manifest| manifest.name == roots::HOOKS);
    let files: BTreeMap<&BStr, &Manifest> = files.map(|manifest| (manifest.base.as_bstr(), manifest)).collect();
    if files.is_empty() {
        return;
    }
    let programs = programs(catalog);
    let readers = manifests::readers(facts).into_iter();
    // A versioned file is that of a project.
    let readers = readers.filter_map(|one| Some((one, one.loads.project_hooks.filter(|rule| !rule.is_versioned)?)));
    for (profile, rule) in readers {
        let packages = catalog.packages(profile);
        let mut directories: BTreeMap<&BStr, bool> = BTreeMap::new();
        for package in packages.all.iter().filter(|one| one.is_declared() && !one.is_settings() && !one.is_lost()) {
            *directories.entry(package.directory.as_bstr()).or_default() |= package.is_whole_for(&profile.id);
        }
        for (directory, is_own) in directories {
            let Some(manifest) = files.get(directory).filter(|file| is_own || !known.contains(&file.file)) else {
                continue;
            };
            // An event that it does not know may be one of another program.
            let is_alone = is_own && programs.get(directory).is_none_or(|count| *count < 2);
            // Of a plugin for another program, a key that this one does not know can go.
            let keys = manifest.content.as_ref().ok().map(Json::members).unwrap_or_default();
            let is_removable = |range: &Range<usize>| keys.iter().any(|member| member.range == *range);
            for flaw in project_hooks::flaws(manifest, rule) {
                if !is_own && !is_removable(&flaw.range) {
                    continue;
                }
                let loses = match flaw.costs {
                    Costs::Package if rule.is_strict => "runs no hook",
                    Costs::Entry if !rule.is_strict && is_alone => "leaves out hooks",
                    _ => continue,
                };
                let place = match flaw.range.is_empty() {
                    true => Place::whole(manifest.file),
                    false => Place::new(manifest.file, flaw.range),
                };
                let message = format!("{} {loses} of this plugin: {}", profile.title, flaw.what);
                let finding = sink.about(Subject::Tree).report(place, message).help(flaw.help);
                if !is_own && facts.targets.is_empty() {
                    finding.at_most(Level::Note);
                }
            }
        }
    }
}

/// Returns the number of manifests of plugins and extensions in each directory.
fn programs(catalog: &Catalog) -> BTreeMap<&BStr, usize> {
    let mut programs: BTreeMap<&BStr, usize> = BTreeMap::new();
    for manifest in catalog.parsed.manifests.all.iter().filter(|manifest| manifest.is_of_program()) {
        *programs.entry(manifest.base.as_bstr()).or_default() += 1;
    }
    programs
}

/// Reports matchers that name no tool, in the hooks of plugins. Where several programs share a directory, a tool may be that of another one.
fn check_matchers(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = &catalog.parsed.manifests.all;
    let mut files: BTreeMap<&BStr, Vec<usize>> = BTreeMap::new();
    let programs = programs(catalog);
    for (number, manifest) in all.iter().enumerate().filter(|(_, manifest)| manifest.part == Some(Part::Hooks)) {
        files.entry(manifest.base.as_bstr()).or_default().push(number);
    }
    let mut seen = BTreeSet::new();
    for profile in manifests::readers(facts).into_iter().filter(|profile| profile.loads.hooks.is_some()) {
        let packages = catalog.packages(profile);
        for package in packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost()) {
            let directory = package.directory.as_bstr();
            if programs.get(directory).is_some_and(|programs| *programs > 1) {
                continue;
            }
            for number in package.manifest.iter().chain(files.get(directory).into_iter().flatten()) {
                if let Ok(json) = all[*number].content.as_ref()
                    && seen.insert(*number)
                {
                    matchers::report(json, all[*number].file, profile, sink);
                }
            }
        }
    }
}

/// Returns whether a fault costs every hook of its file.
fn is_about_all(what: &Wrong) -> bool {
    matches!(what, Wrong::Hook(HookFault::Unread(_) | HookFault::NoEvents | HookFault::Wrapped))
}
