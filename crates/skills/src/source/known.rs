//! Skills that another state of the repository has, too: they are parsed once for both.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};

use super::walk::Walked;
use crate::roots;
use crate::skill::{Parsed, Skill};
use crate::snapshot::{Body, File, Role};
use skilltree_front_matter::text::{self, FileId};

/// Returns the skills of another state that are the same in this one, by file: the same object at the same path, next to the same
/// files. Without the same paths in both states there are none, because links in a body depend on them.
pub(super) fn skills<'a>(other: Option<&'a Parsed>, walked: &Walked) -> HashMap<FileId, &'a Skill> {
    let none = HashMap::new();
    let Some(other) = other.filter(|other| other.roots == walked.roots) else { return none };
    let files = listed(other);
    if files.len() != walked.files.len() || !files.iter().zip(&walked.files).all(|(one, two)| has_same_name(one, two)) {
        return none;
    }
    let is_same = |skill: &&Skill| is_same(skill, files, &walked.files);
    other.skills.iter().filter(is_same).map(|skill| (skill.file, skill)).collect()
}

fn has_same_name(one: &File, two: &File) -> bool {
    let is_absent = |file: &File| file.body == Body::Absent;
    one.path == two.path && one.root == two.root && one.through == two.through && is_absent(one) == is_absent(two)
}

/// Returns whether everything that a skill was parsed from is the same. What was looked up outside its directory may differ.
fn is_same(skill: &Skill, files: &[File], others: &[File]) -> bool {
    let (one, two) = (&files[skill.file.index()], &others[skill.file.index()]);
    let is_file = |file: &File| file.role == Role::Skill && file.body == Body::NotRead;
    let directory = text::parent(one.path.as_bstr());
    let is_inside = |path: &BString| roots::is_within(path.as_bstr(), directory);
    is_file(one)
        && is_file(two)
        && skill.body.is_some()
        && skill.links().all(|(_, links)| !links.looked_up && links.calls.iter().all(|call| is_inside(&call.path)))
        && skill.references.scripts.iter().all(|script| is_inside(&files[script.file.index()].path))
        && within(files, skill.file, directory).all(|number| {
            let (one, two) = (&files[number], &others[number]);
            one.mode == two.mode && one.state == two.state && has_same_content(one, two)
        })
}

/// Returns whether the content of a file is known to be the same: by its id, or in a working tree by what the file system notes.
fn has_same_content(one: &File, two: &File) -> bool {
    let same = |one: Option<_>, two| one.is_some() && one == two;
    same(one.id, two.id) || (one.stamp.is_some() && one.stamp == two.stamp)
}

/// Copies the ids of the files of known skills: they were computed when the files were read.
pub(super) fn copy_ids(other: Option<&Parsed>, known: &HashMap<FileId, &Skill>, files: &mut [File]) {
    let Some(others) = other.map(listed) else { return };
    for &skill in known.keys() {
        let directory = text::parent(others[skill.index()].path.as_bstr());
        for number in within(others, skill, directory) {
            let file = &mut files[number];
            file.id = file.id.or(others[number].id);
        }
    }
}

/// Returns the files below the skills directories, without those of the configuration.
fn listed(parsed: &Parsed) -> &[File] {
    &parsed.files[..parsed.files.iter().take_while(|file| file.role != Role::Config).count()]
}

/// Returns the numbers of the files in the directory of a skill, which are next to its own.
fn within(files: &[File], skill: FileId, directory: &BStr) -> impl Iterator<Item = usize> {
    let is_in = |file: &&File| roots::is_within(file.path.as_bstr(), directory);
    let before = files[..skill.index()].iter().rev().take_while(is_in).count();
    let after = files[skill.index()..].iter().take_while(is_in).count();
    skill.index() - before..skill.index() + after
}
