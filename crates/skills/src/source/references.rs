//! Reading of reference files: the Markdown files of skills other than SKILL.md, read, hashed and parsed like a SKILL.md.

use std::collections::{HashMap, HashSet};

use bstr::{BStr, ByteSlice};

use super::Error;
use super::find::Finder;
use super::memory_limit::MemoryLimit;
use super::read::{each, spot, text_spot};
use super::store::{Content, Reader, Store};
use super::walk::Walked;
use crate::roots::{self, RootSet};
use crate::skill::{self, Reference, Skill, Unread, UnreadReason, references};
use crate::snapshot::{Body, File, Mode, Names, ObjectId, Resolution, Role, State};
use skilltree_front_matter::text::{self, FileId, Place};

/// A reference file and the index of its skill.
type Owned = (FileId, usize);

/// A reference file after reading.
#[derive(Default)]
struct ReadReference {
    /// Boxed: all are kept until the last one is read.
    reference: Option<Box<(Reference, ObjectId)>>,
    unread: Option<Unread>,
}

/// Reads the reference files of every skill in parallel, except for known ones, and sets their ids.
pub(super) fn read(
    store: &dyn Store,
    walked: &mut Walked,
    skills: &mut [Skill],
    known: &HashMap<FileId, &Skill>,
    (set, memory): (&RootSet, &MemoryLimit),
) -> Result<(), Error> {
    if set.reference_files == 0 {
        return Ok(());
    }
    let files = &mut walked.files;
    let mut owned = references::owned(files, skills);
    owned.retain(|&(_, skill)| !known.contains_key(&skills[skill].file));
    unread_links(store, files, &owned, skills)?;
    let kept = within_limit(files, owned, skills, set.reference_files);
    let paths: Vec<FileId> = skills.iter().map(|skill| skill.file).collect();
    let found = each(
        store,
        &kept,
        |&(id, _)| text_spot(&files[id.index()]),
        |reader, &(id, skill)| {
            memory.check()?;
            let skill_file = &files[paths[skill].index()];
            let read = read_one(reader, files, id, skill_file, set)?;
            memory.add(read.reference.as_ref().map_or(0, |read| read.0.kept_bytes()))?;
            Ok((id, skill, read))
        },
    );
    memory.check()?;
    for (id, skill, ReadReference { reference, unread }) in found? {
        let references = &mut skills[skill].references;
        references.unread.extend(unread);
        if let Some((reference, object)) = reference.map(|read| *read) {
            references.read.push(reference);
            let file = &mut files[id.index()];
            // Git has no ids for files that it ignores.
            file.id = if file.state == State::Ignored { file.id } else { Some(object) };
        }
    }
    for skill in skills {
        skill.references.read.sort_by_key(|reference| reference.file);
        // The first of a list makes room for four.
        skill.references.read.shrink_to_fit();
        skill.references.unread.sort_by_key(|unread| unread.place);
    }
    Ok(())
}

fn read_one(
    reader: &mut dyn Reader,
    files: &[File],
    id: FileId,
    skill_file: &File,
    set: &RootSet,
) -> Result<ReadReference, Error> {
    let file = &files[id.index()];
    match reader.content(&spot(file), set.reference_bytes)? {
        Content::Bytes { bytes, id: object } => {
            let (mut reference, unread) = references::parse((id, file), &bytes, skill_file, Names::new(files));
            if set.queries.are_about_references() {
                let directory = text::parent(skill_file.path.as_bstr());
                let path = roots::relative(file.path.as_bstr(), directory).unwrap_or_default();
                reference.answers = skill::answers_of_reference(id, path, &bytes, &set.queries);
            }
            Ok(ReadReference { reference: Some(Box::new((reference, object))), unread })
        }
        Content::TooLarge { bytes } => {
            let unread = Unread { place: Place::whole(id), reason: UnreadReason::TooLarge(bytes) };
            Ok(ReadReference { reference: None, unread: Some(unread) })
        }
    }
}

/// Returns the files to read: regular ones, and per skill not more than the limit. Records the others as unread.
fn within_limit(files: &[File], owned: Vec<Owned>, skills: &mut [Skill], limit: u64) -> Vec<Owned> {
    let mut counts = vec![0u64; skills.len()];
    let mut over: Vec<Option<(FileId, usize)>> = vec![None; skills.len()];
    let mut kept = Vec::with_capacity(owned.len());
    for (id, skill) in owned {
        match &files[id.index()] {
            File { body: Body::Unmerged, .. } => {
                let unread = Unread { place: Place::whole(id), reason: UnreadReason::Unmerged };
                skills[skill].references.unread.push(unread);
            }
            File { body: Body::NotRead, mode: Mode::File | Mode::Executable, .. } => {
                counts[skill] += 1;
                match counts[skill] <= limit {
                    true => kept.push((id, skill)),
                    false => over[skill].get_or_insert((id, 0)).1 += 1,
                }
            }
            _ => {}
        }
    }
    for (skill, over) in skills.iter_mut().zip(over) {
        let unread = over.map(|(id, count)| Unread { place: Place::whole(id), reason: UnreadReason::TooMany(count) });
        skill.references.unread.extend(unread);
    }
    kept
}

/// Records the symbolic links that lead to no Markdown file that is read.
fn unread_links(store: &dyn Store, files: &[File], owned: &[Owned], skills: &mut [Skill]) -> Result<(), Error> {
    let is_link = |&&(id, _): &&Owned| files[id.index()].mode == Mode::Link;
    let mut links = owned.iter().filter(is_link).peekable();
    if links.peek().is_none() {
        return Ok(());
    }
    let skill_files = files.iter().filter(|file| file.role == Role::Skill);
    let references = owned.iter().map(|&(id, _)| &files[id.index()]).filter(|file| file.mode != Mode::Link);
    let read: HashSet<&BStr> = skill_files.chain(references).map(|file| file.shown_path().as_bstr()).collect();
    let mut finder = Finder::new(store);
    for &(id, skill) in links {
        let file = &files[id.index()];
        let reason = match links_to(store, &mut finder, file)? {
            Resolution::File(path) if read.contains(path.as_bstr()) => continue,
            Resolution::Directory(_) => continue,
            Resolution::File(_) => UnreadReason::Link,
            _ => UnreadReason::DanglingLink,
        };
        skills[skill].references.unread.push(Unread { place: Place::whole(id), reason });
    }
    Ok(())
}

/// Returns where a symbolic link leads. One outside the repository is not followed.
pub(super) fn links_to(store: &dyn Store, finder: &mut Finder<'_>, file: &File) -> Result<Resolution, Error> {
    match store.is_elsewhere(file.shown_path().as_bstr()) {
        true => Ok(Resolution::Outside),
        false => Ok(finder.follow(&spot(file))?.resolution),
    }
}
