//! Reports hooks of a plugin that a runtime leaves out.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use super::manifests::{self, Fault, titles};
use super::matchers;
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::{HookFault, Wrong};
use skilltree_skills::manifest::Part;

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
