//! Reports paths that some file systems treat as the same path.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use bstr::{BStr, BString, ByteSlice};

use crate::rule::{Check, E2026, Elsewhere, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::components::{self, Component, Owners};
use skilltree_skills::name;
use skilltree_skills::roots;
use skilltree_skills::snapshot::{File, Role};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "colliding-paths",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "two paths differ only in letter case or Unicode normalization",
    why: "on macOS and Windows one file overwrites the other at checkout, and git reports changes that you did not make",
    explanation: include_str!("colliding_paths.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    catalog
        .files()
        .filter(|(_, file)| file.role == Role::Twin)
        .for_each(|(id, twin)| report_twin(catalog, facts, (id, twin), sink));
    let collisions = collisions(catalog);
    if collisions.is_empty() {
        return;
    }
    let owners = Owners::new(catalog);
    for (later, first) in collisions {
        let (one, other) = (text::lossless(later.path), text::lossless(first.path));
        let subject = |path| owners.owner(path).map_or(Subject::Tree, Subject::Skill);
        let message = format!("`{one}` and `{other}` are the same path on macOS and Windows");
        let place = Place::whole(first.file);
        sink.about(subject(later.path))
            .report(Place::whole(later.file), message.clone())
            .or_at(Elsewhere::Other { subject: subject(first.path), place, message })
            .related(place, "the other path")
            .help("rename one of the two with `git mv`");
    }
}

/// Reports another spelling of a root. The root itself may be missing from the snapshot.
fn report_twin(catalog: &Catalog, facts: &Facts<'_>, (id, twin): (FileId, &File), sink: &mut Sink) {
    let on_disk = |path: &BString| path.split_str(b"/").map(|name| name::on_disk(name.as_bstr())).collect::<Vec<_>>();
    let seen = on_disk(&twin.path);
    let root = facts.roots.iter().find(|root| on_disk(&root.path) == seen);
    let root = root.map_or("a skills directory".to_owned(), |root| {
        format!("the skills directory `{}`", text::lossless(root.shown_path()))
    });
    let path = text::lossless(twin.path.as_bstr());
    // Another root may have its skills.
    let files = &catalog.parsed.files;
    let after = files.partition_point(|file| file.path <= twin.path);
    let mut below = files[after..].iter().take_while(|file| file.path.starts_with(&twin.path));
    let is_checked =
        below.any(|file| file.role == Role::Skill && roots::is_within(file.path.as_bstr(), twin.path.as_bstr()));
    let rest = if is_checked { "" } else { "; it was not checked" };
    sink.about(Subject::Tree)
        .report(Place::whole(id), format!("`{path}` is {root} on macOS and Windows{rest}"))
        .help("move its files to the skills directory, or rename it with `git mv`");
}

/// Returns every path component that collides with an earlier one in the same directory, and that earlier one. If two
/// directories collide, their contents are not compared.
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

/// A directory during the walk, with the names seen in it. It is dropped after its last file, so memory is bounded by the
/// open directories.
struct Directory<'a> {
    path: &'a BStr,
    names: HashMap<Cow<'a, BStr>, Component<'a>>,
}
