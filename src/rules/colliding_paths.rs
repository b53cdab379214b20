//! Two paths that one file system takes for one.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, BString, ByteSlice};

use crate::catalog::Catalog;
use crate::catalog::components::{self, Component, Owners};
use crate::name;
use crate::roots;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::snapshot::{File, Role};
use crate::text::{self, FileId, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "colliding-paths",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: false,
    faults: &[],
    summary: "two paths differ only in letter case or in how a letter is encoded",
    why: "on macOS and Windows one overwrites the other at checkout, and git shows changes that nobody made",
    explanation: include_str!("colliding_paths.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    catalog
        .files()
        .filter(|(_, file)| file.role == Role::Twin)
        .for_each(|(id, twin)| report_twin(facts, id, twin, sink));
    let collisions = collisions(catalog);
    if collisions.is_empty() {
        return;
    }
    let owners = Owners::new(catalog);
    for (later, first) in collisions {
        let (one, other) = (text::lossless(later.path), text::lossless(first.path));
        sink.about(owners.owner(later.path).map_or(Subject::Tree, Subject::Skill))
            .report(Place::whole(later.file), format!("`{one}` and `{other}` are one path on macOS and Windows"))
            .related(Place::whole(first.file), "the other path")
            .help("rename one of the two with `git mv`");
    }
}

/// Reports another spelling of a root, which may be none where nothing stands at the root itself.
fn report_twin(facts: &Facts<'_>, id: FileId, twin: &File, sink: &mut Sink) {
    let on_disk = |path: &BString| path.split_str(b"/").map(|name| name::on_disk(name.as_bstr())).collect::<Vec<_>>();
    let seen = on_disk(&twin.path);
    let root = facts.roots.iter().find(|root| on_disk(&root.path) == seen);
    let root = root.map_or("a root".to_owned(), |root| format!("the root `{}`", text::lossless(root.path.as_bstr())));
    let path = text::lossless(twin.path.as_bstr());
    sink.about(Subject::Tree)
        .report(Place::whole(id), format!("`{path}` is {root} on macOS and Windows, and nothing in it was judged"))
        .help("move what it holds to where it is judged, or give it another name with `git mv`");
}

/// Every name beside which an equal one stands earlier in the same directory, with that one. Where two directories
/// collide, what lies in them need not be compared, so each pair has the first difference only.
fn collisions(catalog: &Catalog) -> Vec<(Component<'_>, Component<'_>)> {
    let mut open: Vec<Directory<'_>> = Vec::new();
    let mut collisions = BTreeMap::new();
    for component in components::components(catalog) {
        let parent = component.parent();
        while open.last().is_some_and(|directory| !roots::is_within(parent, directory.path)) {
            open.pop();
        }
        if open.last().is_none_or(|directory| directory.path != parent) {
            open.push(Directory { path: parent, names: HashMap::new() });
        }
        let directory = open.last_mut().expect("the parent was opened");
        let first = *directory.names.entry(name::folded(component.name())).or_insert(component);
        if first.path != component.path {
            collisions.entry(component.path).or_insert((component, first));
        }
    }
    collisions.into_values().collect()
}

/// A directory whose files are being walked, with the names in it so far. Once its files are through it is dropped, so
/// that no more than the widest directories are held.
struct Directory<'a> {
    path: &'a BStr,
    names: HashMap<Cow<'a, BStr>, Component<'a>>,
}
