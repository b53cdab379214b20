//! Reading what the walk found: every SKILL.md is read, hashed and parsed by one worker, and its text is dropped.

use bstr::BString;
use rayon::prelude::*;

use super::Error;
use super::git::OBJECT_BYTES;
use super::store::{Content, Reader, Spot, Store};
use super::walk::Walked;
use crate::front_matter::Bounds;
use crate::roots::Root;
use crate::skill::{self, Skill};
use crate::snapshot::{Body, File, ObjectId, Role};
use crate::text::FileId;

/// A skill, and what was learned of its file by reading it.
struct Judged {
    skill: Skill,
    id: Option<ObjectId>,
    body: Option<Body>,
}

/// Parses every skill in parallel. The files get the ids of what was read.
pub(super) fn skills(store: &dyn Store, walked: &mut Walked, limit: u64, bounds: Bounds) -> Result<Vec<Skill>, Error> {
    let Walked { roots, files } = walked;
    let places: Vec<(FileId, &File)> =
        (0u32..).map(FileId).zip(files.iter()).filter(|(_, file)| file.role == Role::Skill).collect();
    let judged = places
        .par_iter()
        .filter_map(|&(id, file)| Some((id, file, &roots[file.root?.index()])))
        .map_init(|| store.reader(), |reader, (id, file, root)| judge(&mut **reader, id, file, root, limit, bounds))
        .collect();
    let mut skills = Vec::with_capacity(places.len());
    for Judged { skill, id, body } in Error::collect(judged)? {
        let file = &mut files[skill.file.index()];
        file.id = id.or(file.id);
        if let Some(body) = body {
            file.body = body;
        }
        skills.push(skill);
    }
    skill::sort(&mut skills, files);
    Ok(skills)
}

fn judge(
    reader: &mut dyn Reader,
    number: FileId,
    file: &File,
    root: &Root,
    limit: u64,
    bounds: Bounds,
) -> Result<Judged, Error> {
    let Some(spot) = text_spot(file) else {
        return Ok(Judged { skill: skill::parse(number, file, root, bounds), id: None, body: None });
    };
    let mut read = file.clone();
    let (id, body) = match reader.content(&spot, limit)? {
        Content::Bytes { bytes, id } => {
            read.body = Body::Text(bytes);
            read.id = Some(id);
            (Some(id), None)
        }
        Content::TooLarge { bytes } => {
            read.body = Body::TooLarge { bytes };
            (None, Some(read.body.clone()))
        }
    };
    Ok(Judged { skill: skill::parse(number, &read, root, bounds), id, body })
}

/// Where the text of a SKILL.md is: at its own place, or where a link leads.
fn text_spot(file: &File) -> Option<Spot> {
    let is_text = match &file.body {
        Body::NotRead => true,
        Body::Symlink { .. } => file.through.is_some(),
        _ => false,
    };
    is_text.then(|| spot(file))
}

/// Where the bytes of a file are.
pub(super) fn spot(file: &File) -> Spot {
    Spot { path: file.shown_path().clone(), id: file.id }
}

/// The bytes of files that were read before: the same bytes, or an error.
pub(super) fn bodies(store: &dyn Store, files: &[File]) -> Result<Vec<Vec<u8>>, Error> {
    let read = files
        .par_iter()
        .map_init(
            || store.reader(),
            |reader, file| match reader.content(&spot(file), OBJECT_BYTES)? {
                Content::Bytes { id, .. } if file.id.is_some_and(|known| known != id) => {
                    Err(Error::Changed { path: BString::clone(file.shown_path()) })
                }
                Content::Bytes { bytes, .. } => Ok(bytes),
                Content::TooLarge { .. } => Err(Error::Changed { path: BString::clone(file.shown_path()) }),
            },
        )
        .collect();
    Error::collect(read)
}
