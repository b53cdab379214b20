//! Skills that another state of the repository has, too: they are parsed once for both.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

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
    let files = &other.files[..other.files.iter().take_while(|file| file.role != Role::Config).count()];
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
    let is_file = |file: &File| file.role == Role::Skill && file.body == Body::NotRead && file.through.is_none();
    let directory = text::parent(one.path.as_bstr());
    is_file(one)
        && is_file(two)
        && skill.body.is_some()
        && skill.links().all(|(_, links)| !links.looked_up)
        && within(files, skill.file, directory).all(|number| {
            let (one, two) = (&files[number], &others[number]);
            one.mode == two.mode && one.id.is_some() && one.id == two.id
        })
}

/// Returns the numbers of the files in the directory of a skill, which are next to its own.
fn within(files: &[File], skill: FileId, directory: &BStr) -> impl Iterator<Item = usize> {
    let is_in = |file: &&File| roots::is_within(file.path.as_bstr(), directory);
    let before = files[..skill.index()].iter().rev().take_while(is_in).count();
    let after = files[skill.index()..].iter().take_while(is_in).count();
    skill.index() - before..skill.index() + after
}
