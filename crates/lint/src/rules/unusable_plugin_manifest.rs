//! Reports manifests of packages with which a runtime loads nothing of the package.

use super::manifests::{self, Fault, titles};
use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{Place, grouped};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::packages::Wrong;
use skilltree_skills::manifest::json::Json;
use skilltree_skills::manifest::{Manifest, ONLY_PATH, Unread};
use skilltree_skills::roots;
use skilltree_skills::source::CONFIG_BYTES;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unusable-plugin-manifest",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a manifest with which a runtime loads nothing of a plugin",
    why: "the runtime refuses the installation, or installs the plugin without a skill",
    explanation: include_str!("unusable_plugin_manifest.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for manifest in catalog.parsed.manifests.all.iter().filter(|manifest| is_manifest(manifest)) {
        if let Err(unread) = &manifest.content {
            report(manifest, unread, sink);
        }
    }
    let mut faults = manifests::faults(catalog, facts);
    faults.retain(|fault| !fault.without_package.is_empty());
    for group in manifests::alike(&faults) {
        let message = |fault: &Fault<'_>| {
            let verb = if fault.without_package.len() == 1 { "loads" } else { "load" };
            let is_about_all =
                fault.range.is_empty() || matches!(fault.what, Wrong::ByteOrderMark) || is_outside_entries(fault);
            let noun = match fault.manifest.is_marketplace() {
                true if is_about_all => "this marketplace",
                true => "this entry",
                false => "this plugin",
            };
            format!("{} {verb} nothing of {noun}: {}", titles(&fault.without_package), fault.what)
        };
        let (Some(fault), Some(finding)) = (group.first(), manifests::report(&group, message, sink)) else { continue };
        if !fault.is_meant {
            // A marketplace that was made for other programs needs no manifest there.
            // A fault that all programs report comes first: its edit often corrects the other one.
            let is_known = faults.iter().any(|other| other.is_meant && other.directory == fault.directory);
            if !fault.emptied || is_known || matches!(fault.what, Wrong::NoManifest(_)) {
                finding.at_most(Level::Note);
            }
            if fault.is_loaded(catalog, facts) {
                finding.note("the runtime that the format was made for loads it");
            }
        }
        if matches!(fault.what, Wrong::Hook(_)) && !fault.manifest.is_marketplace() {
            finding.note("the hook may be what guards the use of a tool, so without it the runtime refuses the plugin");
        }
        if !fault.without_entry.is_empty() {
            let verb = if fault.without_entry.len() == 1 { "ignores" } else { "ignore" };
            finding.note(format!("{} {verb} it", titles(&fault.without_entry)));
        }
    }
}

/// Returns whether a file is a manifest: neither a part of a plugin nor settings, about which `unusable-settings` is.
fn is_manifest(manifest: &Manifest) -> bool {
    let names_skills =
        |manifest: &Manifest| [".pi/settings.json", ".vscode/settings.json"].contains(&manifest.name.as_ref());
    // Whether settings that are too large name skills is not known.
    let is_unknown = matches!(manifest.content, Err(Unread::TooLarge(_)));
    let is_settings =
        roots::is_claude_settings(&manifest.name) || manifest.is_settings() && (is_unknown || !names_skills(manifest));
    manifest.part.is_none() && !is_settings
}

/// Returns whether a fault is about the marketplace itself, not about one of its entries.
fn is_outside_entries(fault: &Fault<'_>) -> bool {
    let entries = fault.manifest.content.as_ref().ok().and_then(|json| json.get("plugins"));
    let is_inside = |entries: &Json| entries.range.contains(&fault.range.start) && !entries.items().is_empty();
    fault.manifest.is_marketplace() && !entries.is_some_and(is_inside)
}

/// Reports a manifest that was not read. It is an error if programs reject it, too, or if it was not read: what only it names would
/// look checked.
fn report(manifest: &Manifest, unread: &Unread, sink: &mut Sink) {
    let level = match unread {
        Unread::Link => Level::Warning,
        // Most are about no skills.
        Unread::TooLarge(_) if manifest.name == roots::NPM_PACKAGE => Level::Note,
        _ => Level::Error,
    };
    let place = match unread {
        Unread::Malformed(_, at) => Place::new(manifest.file, *at..at + 1),
        _ => Place::whole(manifest.file),
    };
    let finding = sink.about(Subject::Tree).report(place, described(unread));
    finding.at_most(level).help(help(unread)).note("skilltree does not find the skills that only this manifest names");
}

fn described(unread: &Unread) -> String {
    match unread {
        Unread::Malformed(reason, _) => format!("the manifest is not valid JSON: {reason}"),
        Unread::NotAnObject => "the manifest is not an object".to_owned(),
        Unread::Link => "the manifest is a symbolic link, which is not followed".to_owned(),
        Unread::Unmerged => "the manifest is unmerged in the index".to_owned(),
        Unread::TooLarge(bytes) => {
            format!("the manifest has {} bytes; the limit is {}", grouped(bytes), grouped(CONFIG_BYTES))
        }
    }
}

fn help(unread: &Unread) -> String {
    let edit = match unread {
        Unread::Malformed(reason, _) if reason == ONLY_PATH => {
            "commit a symbolic link in its place, or the file that it leads to"
        }
        Unread::Malformed(..) => "correct the JSON here",
        Unread::NotAnObject => "write an object: `{ \"name\": … }`",
        Unread::Link => "commit the file instead of the link",
        Unread::Unmerged => "resolve the conflict, then run `git add`",
        Unread::TooLarge(_) => {
            return format!("shorten it to at most {} bytes, so that it is read", grouped(CONFIG_BYTES));
        }
    };
    edit.to_owned()
}
