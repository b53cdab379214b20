//! A directory of skills that is no root, but has nearly the name of one or is one to a runtime of `targets`.

use bstr::{BStr, ByteSlice};

use crate::catalog::Catalog;
use crate::forecast;
use crate::profile::Profile;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject, listed};
use crate::snapshot::{File, Role};
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "near-miss-root",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a directory holds skills, and is no root",
    why: "nothing in it is judged, whoever reads it, and no prompt holds any of it",
    explanation: include_str!("near_miss_root.md"),
    check: Check::Catalog(check),
};

/// Roots whose readers are named.
const SHOWN: usize = 3;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Near) {
        let path = text::lossless(file.path.as_bstr());
        let finding = sink.about(Subject::Tree).report(Place::whole(id), message(facts, file, &path));
        let roots = facts.roots.iter().map(|root| root.path.as_bstr()).take(SHOWN);
        for path in [file.path.as_bstr()].into_iter().chain(roots) {
            let readers = titles(facts.profiles.ids(), facts, path);
            let shown = text::lossless(path);
            finding.note(match readers.as_slice() {
                [] if path == file.path => {
                    format!("no runtime known looks into `{shown}`, whose name is nearly that of a root")
                }
                [] => format!("no runtime known looks into `{shown}`"),
                readers => format!("{} {} into `{shown}`", listed(readers), looks(readers)),
            });
        }
        finding.help(help(facts, file, &path));
    }
}

/// What the directory is to the targets comes first: to them its name is no slip.
fn message(facts: &Facts<'_>, file: &File, path: &str) -> String {
    match titles(facts.targets.iter().map(String::as_str), facts, file.path.as_bstr()).as_slice() {
        [] => format!("`{path}` holds skills, and is no root"),
        targets => format!("{} {} into `{path}`, which holds skills and is no root", listed(targets), looks(targets)),
    }
}

fn looks(titles: &[&str]) -> &'static str {
    if titles.len() == 1 { "looks" } else { "look" }
}

/// Those of some runtimes that look for a directory, by their titles. One that takes any directory looks for none.
fn titles<'a>(ids: impl Iterator<Item = &'a str>, facts: &Facts<'a>, path: &BStr) -> Vec<&'a str> {
    let looks_for = |profile: &&Profile| {
        let place = forecast::precedence(profile, path);
        place.and_then(|place| forecast::repository_roots(profile).nth(place)).is_some_and(|known| known.path != "**")
    };
    let mut titles: Vec<&str> = Vec::new();
    for profile in ids.filter_map(|id| facts.profiles.find(id)).filter(looks_for) {
        if !titles.contains(&profile.title.as_str()) {
            titles.push(&profile.title);
        }
    }
    titles
}

fn help(facts: &Facts<'_>, file: &File, path: &str) -> String {
    let add = format!("add it to skilltree.toml: `[[root]]` with `path = \"{path}\"`");
    let near = facts.roots.iter().find(|root| text::parent(root.path.as_bstr()) == text::parent(file.path.as_bstr()));
    match near.or(facts.roots.first()) {
        Some(root) => format!("{add}; or move its skills to `{}`", text::lossless(root.path.as_bstr())),
        None => add,
    }
}
