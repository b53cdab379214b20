//! A directory of skills that no root reads, beside one that would be read.

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
    summary: "a directory holds skills, and no root reads it",
    why: "its name is nearly that of a root: nothing in it is judged, and a dispatcher that looks for the other name finds nothing",
    explanation: include_str!("near_miss_root.md"),
    check: Check::Catalog(check),
};

/// Roots whose readers are named.
const SHOWN: usize = 3;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Near) {
        let path = text::lossless(file.path.as_bstr());
        let message = format!("`{path}` holds skills, and no root reads it");
        let finding = sink.about(Subject::Tree).report(Place::whole(id), message);
        let roots = facts.roots.iter().map(|root| root.path.as_bstr()).take(SHOWN);
        for path in [file.path.as_bstr()].into_iter().chain(roots) {
            let readers = readers(facts, path);
            let readers = if readers.is_empty() { "none of the runtimes known".to_owned() } else { listed(&readers) };
            finding.note(format!("`{}` is read by {readers}", text::lossless(path)));
        }
        finding.help(help(facts, file, &path));
    }
}

/// The runtimes that look for a directory, by their titles. One that takes any directory looks for none.
fn readers(facts: &Facts<'_>, path: &BStr) -> Vec<String> {
    let looks_for = |profile: &&Profile| {
        let place = forecast::precedence(profile, path);
        place.and_then(|place| forecast::repository_roots(profile).nth(place)).is_some_and(|known| known.path != "**")
    };
    let profiles = facts.profiles.ids().filter_map(|id| facts.profiles.find(id));
    profiles.filter(looks_for).map(|profile| profile.title.clone()).collect()
}

fn help(facts: &Facts<'_>, file: &File, path: &str) -> String {
    let add = format!("add it to skilltree.toml: `[[root]]` with `path = \"{path}\"`");
    let near = facts.roots.iter().find(|root| text::parent(root.path.as_bstr()) == text::parent(file.path.as_bstr()));
    match near.or(facts.roots.first()) {
        Some(root) => format!("{add}; or move its skills to `{}`", text::lossless(root.path.as_bstr())),
        None => add,
    }
}
