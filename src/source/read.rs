//! Reading what the walk found: every SKILL.md is read, hashed and parsed by one worker, and its text is dropped.

use std::collections::BTreeSet;

use bstr::{BString, ByteSlice};
use rayon::prelude::*;

use super::git::OBJECT_BYTES;
use super::presence;
use super::store::{Content, Position, Reader, Spot, Store};
use super::walk::Walked;
use super::{Error, Progress};
use crate::front_matter::Bounds;
use crate::roots::Root;
use crate::skill::{self, Skill, links};
use crate::snapshot::{Body, File, Names, ObjectId, Presence, Role};
use crate::text::FileId;

/// A skill, and what was learned of its file by reading it.
struct Judged {
    skill: Skill,
    id: Option<ObjectId>,
    body: Option<Body>,
}

/// Parses every skill in parallel. The files get the ids of what was read.
pub(super) fn skills(
    store: &dyn Store,
    walked: &mut Walked,
    limit: u64,
    bounds: Bounds,
    progress: &Progress,
) -> Result<Vec<Skill>, Error> {
    let Walked { roots, files } = walked;
    let places: Vec<Place<'_>> = (0u32..)
        .map(FileId)
        .zip(files.iter())
        .filter(|(_, file)| file.role == Role::Skill)
        .filter_map(|(id, file)| Some((id, file, &roots[file.root?.index()])))
        .collect();
    progress.begin(places.len());
    let judged = each(
        store,
        &places,
        |(_, file, _)| text_spot(file),
        |reader, place| {
            progress.advance();
            judge(reader, place, files, limit, bounds)
        },
    )?;
    let mut skills = Vec::with_capacity(places.len());
    for Judged { skill, id, body } in judged {
        let file = &mut files[skill.file.index()];
        file.id = id.or(file.id);
        if let Some(body) = body {
            file.body = body;
        }
        skills.push(skill);
    }
    skill::sort(&mut skills, files);
    look_for_links(store, &mut skills);
    Ok(skills)
}

/// Marks the files right in a root that have the front matter of a skill.
pub(super) fn mark_flat(store: &dyn Store, walked: &mut Walked, limit: u64, bounds: Bounds) -> Result<(), Error> {
    let Walked { roots, files } = walked;
    let candidates: Vec<(usize, &File)> = files
        .iter()
        .enumerate()
        .filter(|(_, file)| file.body == Body::NotRead && skill::may_be_flat(file, roots))
        .collect();
    let flat = each(
        store,
        &candidates,
        |(_, file)| Some(spot(file)),
        |reader, (number, file)| match reader.content(&spot(file), limit)? {
            Content::Bytes { bytes, .. } if skill::is_flat(&bytes, bounds) => Ok(Some(*number)),
            Content::Bytes { .. } | Content::TooLarge { .. } => Ok(None),
        },
    )?;
    flat.into_iter().flatten().for_each(|number| files[number].role = Role::Flat);
    Ok(())
}

/// Looks for what the links of all skills lead to and the walk did not name: once, in one batch, by names alone.
fn look_for_links(store: &dyn Store, skills: &mut [Skill]) {
    let sought: Vec<BString> = links::sought(skills).into_iter().map(BString::from).collect();
    let found = presence::of(store, &sought);
    links::settle(skills, |path| {
        let number = sought.binary_search_by(|other| other.as_bstr().cmp(path));
        number.map_or(Presence::Unknown, |number| found[number].clone())
    });
}

/// Runs of items for each thread: with one alone the slowest thread would decide.
const RUNS: usize = 4;

/// Bases that are taken to be kept by a reader; what it keeps holds twice as many skills of usual size.
const KEPT: usize = 512;

/// An item, and where a pack stores it as a difference.
type Placed<'a, T> = (Option<Position>, &'a T);

/// Does something with each item, in parallel and in the order in which reading is cheapest; the results stand in no order.
/// A pack of near-copies is read several times as fast this way.
fn each<T: Sync, R: Send>(
    store: &dyn Store,
    items: &[T],
    spot: impl Fn(&T) -> Option<Spot> + Sync,
    work: impl Fn(&mut dyn Reader, &T) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let mut order: Vec<Placed<'_, T>> = items
        .par_iter()
        .map_init(|| store.reader(), |reader, item| (spot(item).and_then(|spot| reader.position(&spot)), item))
        .collect();
    order.sort_by(|(a, _), (b, _)| a.cmp(b));
    let run = order.len().div_ceil(RUNS * rayon::current_num_threads()).max(1);
    let done = order.par_chunks(run).flat_map_iter(|run| {
        let mut reader = store.reader();
        let mut kept = BTreeSet::new();
        let results = run.iter().map(|(position, item)| {
            if let Some(base) = position.as_deref().and_then(|position| base(position, &order, &mut kept)) {
                // A reader keeps what it was asked for, and not what it met on the way. What is wrong with the base is
                // said when it is its turn.
                let _ = spot(base).map(|spot| reader.content(&spot, OBJECT_BYTES));
            }
            work(&mut *reader, item)
        });
        results.collect::<Vec<_>>()
    });
    Error::collect(done.collect())
}

/// The item that this one differs from, unless the reader keeps it.
fn base<'a, T>(position: &[u64], order: &[Placed<'a, T>], kept: &mut BTreeSet<Position>) -> Option<&'a T> {
    if kept.len() >= KEPT {
        kept.clear();
    }
    let (_, above) = position.split_last()?;
    let is_kept = !kept.insert(above.to_vec());
    kept.insert(position.to_vec());
    if is_kept {
        return None;
    }
    let found = order.binary_search_by(|(other, _)| other.as_deref().cmp(&Some(above))).ok()?;
    Some(order[found].1)
}

/// Where a skill stands: the number of its file, the file, and its root.
type Place<'a> = (FileId, &'a File, &'a Root);

fn judge(
    reader: &mut dyn Reader,
    &(number, file, root): &Place<'_>,
    files: &[File],
    limit: u64,
    bounds: Bounds,
) -> Result<Judged, Error> {
    let names = Names::new(files, number);
    let Some(spot) = text_spot(file) else {
        return Ok(Judged { skill: skill::parse(number, file, root, names, bounds), id: None, body: None });
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
    Ok(Judged { skill: skill::parse(number, &read, root, names, bounds), id, body })
}

/// Where the text of a SKILL.md is: at its own place, or where a link leads.
fn text_spot(file: &File) -> Option<Spot> {
    is_text(file).then(|| spot(file))
}

/// Whether a file has bytes to read.
pub(super) fn is_text(file: &File) -> bool {
    match &file.body {
        Body::NotRead => true,
        Body::Symlink { .. } => file.through.is_some(),
        _ => false,
    }
}

/// Where the bytes of a file are.
pub(super) fn spot(file: &File) -> Spot {
    Spot { path: file.shown_path().clone(), id: file.id }
}

/// The bytes of files that were read before: the same bytes, or an error.
pub(super) fn bodies(store: &dyn Store, files: &[File]) -> Result<Vec<Vec<u8>>, Error> {
    let numbered: Vec<(usize, &File)> = files.iter().enumerate().collect();
    let mut read = each(
        store,
        &numbered,
        |(_, file)| Some(spot(file)),
        |reader, (number, file)| again(reader, file).map(|bytes| (*number, bytes)),
    )?;
    read.sort_by_key(|(number, _)| *number);
    Ok(read.into_iter().map(|(_, bytes)| bytes).collect())
}

fn again(reader: &mut dyn Reader, file: &File) -> Result<Vec<u8>, Error> {
    let changed = || Error::Changed { path: BString::clone(file.shown_path()) };
    match reader.content(&spot(file), OBJECT_BYTES)? {
        Content::Bytes { bytes, id } if file.id.is_none_or(|known| known == id) => Ok(bytes),
        Content::Bytes { .. } | Content::TooLarge { .. } => Err(changed()),
    }
}
