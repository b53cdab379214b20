//! Reports hooks of a plugin that a runtime leaves out.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::manifests::{self, Fault, titles};
use super::matchers;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::Place;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{Costs, HookFault, Wrong};
use skilltree_runtimes::project_hooks;
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
    check_own(catalog, facts, sink);
}

/// Reports hooks of plugins that a program with a format of its own does not run.
fn check_own(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let files = catalog.parsed.manifests.all.iter().filter(|manifest| manifest.name == roots::HOOKS);
    let files: BTreeMap<&BStr, &Manifest> = files.map(|manifest| (manifest.base.as_bstr(), manifest)).collect();
    if files.is_empty() {
        return;
    }
    let readers = manifests::readers(facts).into_iter();
    for (profile, rule) in readers.filter_map(|one| Some((one, one.loads.project_hooks.filter(|rule| rule.is_strict)?)))
    {
        let packages = catalog.packages(profile);
        let own = packages.all.iter().filter(|package| package.is_whole_for(&profile.id) && !package.is_lost());
        let directories: BTreeSet<&BStr> = own.map(|package| package.directory.as_bstr()).collect();
        for manifest in directories.into_iter().filter_map(|directory| files.get(directory)) {
            // An event that it does not know may be one of another program.
            let flaws = project_hooks::flaws(manifest, rule).into_iter();
            for flaw in flaws.filter(|flaw| flaw.costs == Costs::Package) {
                let place = match flaw.range.is_empty() {
                    true => Place::whole(manifest.file),
                    false => Place::new(manifest.file, flaw.range),
                };
                sink.about(Subject::Tree)
                    .report(place, format!("{} runs no hook of this plugin: {}", profile.title, flaw.what))
                    .help(flaw.help);
            }
        }
    }
}

/// Reports matchers that name no tool, in the hooks of plugins. Where several programs share a directory, a tool may be that of another one.
fn check_matchers(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let all = &catalog.parsed.manifests.all;
    let mut files: BTreeMap<&BStr, Vec<usize>> = BTreeMap::new();
    let mut programs: BTreeMap<&BStr, usize> = BTreeMap::new();
    for (number, manifest) in all.iter().enumerate() {
        match manifest.part {
            Some(Part::Hooks) => files.entry(manifest.base.as_bstr()).or_default().push(number),
            None if manifest.name.ends_with("plugin.json") => {
                *programs.entry(manifest.base.as_bstr()).or_default() += 1
            }
            _ => {}
        }
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
