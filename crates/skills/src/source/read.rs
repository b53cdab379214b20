//! Reading of the files that the walk found: one worker reads, hashes and parses each SKILL.md and drops its text.

use std::collections::{BTreeSet, HashMap};

use bstr::{BString, ByteSlice};

use super::memory_limit::MemoryLimit;
use super::presence;
use super::store::{Content, Position, Reader, Spot, Store};
use super::walk::Walked;
use super::{Error, OBJECT_BYTES, Progress};
use crate::parallel;
use crate::roots::{Owner, Root, RootSet};
use crate::skill::{self, Flat, Skill, links};
use crate::snapshot::{Body, File, Names, ObjectId, Presence, Role, Unread};
use skilltree_front_matter::Bounds;
use skilltree_front_matter::text::FileId;

/// Maximum size of a SKILL.md over the limit of its root that forecasts still read (ours: 4 MiB; no runtime that reads
/// files of a limited size reads more). No rule reads it.
const LARGE_BYTES: u64 = 4 << 20;

/// A parsed skill, and the id and body of its file if reading revealed them.
struct ReadSkill {
    skill: Skill,
    id: Option<ObjectId>,
    body: Option<Body>,
}

/// A skill, or its file and why it could not be read.
type Tried = Result<ReadSkill, (FileId, Error)>;

/// Parses every skill in parallel, except for known ones, and sets the ids of the files.
pub(super) fn skills(
    store: &dyn Store,
    walked: &mut Walked,
    known: &HashMap<FileId, &Skill>,
    set: &RootSet,
    bounds: Bounds,
    (progress, memory): (&Progress, &MemoryLimit),
) -> Result<Vec<Skill>, Error> {
    let Walked { roots, files, unread, .. } = walked;
    let places: Vec<Place<'_>> = (0u32..)
        .map(FileId)
        .zip(files.iter())
        .filter(|(id, file)| file.role == Role::Skill && !known.contains_key(id))
        .filter_map(|(id, file)| Some((id, file, &roots[file.root?.index()])))
        .collect();
    progress.begin(places.len());
    let read = each(
        store,
        &places,
        |(_, file, _)| text_spot(file),
        |reader, place| {
            progress.advance();
            memory.check()?;
            match read_skill(reader, place, files, set, bounds) {
                Ok(read) => {
                    memory.add(read.skill.kept_bytes())?;
                    Ok(Tried::Ok(read))
                }
                Err(error @ Error::Unreadable { .. }) if set.skips_unreadable => Ok(Tried::Err((place.0, error))),
                Err(error) => Err(error),
            }
        },
    );
    let of_known: usize = known.values().map(|skill| skill.kept_bytes()).sum();
    memory.add(of_known)?;
    let mut skip = |file: FileId, error: &Error| {
        let file = &mut files[file.index()];
        // Without its text the file is no skill.
        file.role = Role::Other;
        let owner = file.root.map_or(Owner::Repository, |root| roots[root.index()].owner);
        unread.push(Unread { path: file.path.clone(), owner, message: error.to_string() });
    };
    let mut read_skills = Vec::new();
    for tried in read? {
        match tried {
            Ok(read) => read_skills.push(read),
            Err((file, error)) => skip(file, &error),
        }
    }
    let mut skills: Vec<Skill> = read_skills
        .into_iter()
        .map(|ReadSkill { skill, id, body }| {
            let file = &mut files[skill.file.index()];
            file.id = id.or(file.id);
            if let Some(body) = body {
                file.body = body;
            }
            skill
        })
        .collect();
    unread.sort();
    skills.extend(known.values().map(|&skill| skill.clone()));
    skills.shrink_to_fit();
    skill::sort(&mut skills, files);
    Ok(skills)
}

/// Marks and returns the files directly in a root that have the front matter of a skill.
pub(super) fn mark_flat(
    store: &dyn Store,
    walked: &mut Walked,
    limit: u64,
    bounds: Bounds,
) -> Result<Vec<Flat>, Error> {
    let Walked { roots, files, .. } = walked;
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
            Content::Bytes { bytes, .. } => {
                Ok(skill::flat_name(&bytes, bounds).map(|name| Flat { file: FileId(*number as u32), name }))
            }
            Content::TooLarge { .. } => Ok(None),
        },
    )?;
    let mut flat: Vec<Flat> = flat.into_iter().flatten().collect();
    flat.sort_by_key(|flat| flat.file);
    flat.iter().for_each(|flat| files[flat.file.index()].role = Role::Flat);
    Ok(flat)
}

/// Looks up the link targets that the walk did not list: once for all skills, by name.
pub(super) fn look_for_links(store: &dyn Store, files: &[File], skills: &mut [Skill]) {
    let sought: Vec<BString> = links::sought(skills).into_iter().map(BString::from).collect();
    let found = presence::of(store, &sought);
    links::settle(skills, files, |path| {
        let number = sought.binary_search_by(|other| other.as_bstr().cmp(path));
        number.map_or(Presence::Unknown, |number| found[number].clone())
    });
}

/// Runs of items per thread: with one run per thread the slowest thread would decide.
const RUNS: usize = 4;

/// Number of bases that a reader is assumed to cache; its cache holds twice as many skills of typical size.
const KEPT: usize = 512;

/// An item, and its pack position if it is stored as a delta.
type Placed<'a, T> = (Option<Position>, &'a T);

/// Maps each item in parallel, in the cheapest read order; the results are unordered. For a pack of near-copies this is
/// several times faster.
pub(super) fn each<T: Sync, R: Send>(
    store: &dyn Store,
    items: &[T],
    spot: impl Fn(&T) -> Option<Spot> + Sync,
    work: impl Fn(&mut dyn Reader, &T) -> Result<R, Error> + Sync,
) -> Result<Vec<R>, Error> {
    let positions =
        parallel::map_init(items, || store.reader(), |reader, item| spot(item).and_then(|spot| reader.position(&spot)));
    let mut order: Vec<Placed<'_, T>> = positions.into_iter().zip(items).collect();
    order.sort_by(|(a, _), (b, _)| a.cmp(b));
    let run = order.len().div_ceil(RUNS * parallel::threads()).max(1);
    let init = || (store.reader(), BTreeSet::new());
    // All runs write into one list: a list for each would take the memory of the skills twice.
    let done = parallel::map_runs(&order, run, init, |(reader, kept), (position, item)| {
        if let Some(base) = position.as_deref().and_then(|position| base(position, &order, kept)) {
            // A reader caches the objects it was asked for, not the bases in between. An error of the base is
            // reported when it is its turn.
            let _ = spot(base).map(|spot| reader.content(&spot, OBJECT_BYTES));
        }
        work(&mut **reader, item)
    });
    Error::collect(done)
}

/// Returns the delta base of an item, unless the reader caches it.
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

/// A skill's location: the number of its file, the file, and its root.
type Place<'a> = (FileId, &'a File, &'a Root);

fn read_skill(
    reader: &mut dyn Reader,
    &(number, file, root): &Place<'_>,
    files: &[File],
    set: &RootSet,
    bounds: Bounds,
) -> Result<ReadSkill, Error> {
    let names = set.follows_links.then(|| Names::new(files));
    let Some(spot) = text_spot(file) else {
        return Ok(ReadSkill { skill: skill::parse(number, file, root, names, bounds), id: None, body: None });
    };
    let mut read = file.clone();
    let (id, body) = match reader.content(&spot, set.file_bytes)? {
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
    let mut skill = skill::parse(number, &read, root, names, bounds);
    if let Body::Text(bytes) = &read.body {
        skill::answer(&mut skill, bytes, &set.queries);
    }
    if matches!(read.body, Body::TooLarge { .. })
        && let Content::Bytes { bytes, .. } = reader.content(&spot, LARGE_BYTES)?
    {
        skill::set_runtime_text(&mut skill, &bytes);
    }
    Ok(ReadSkill { skill, id, body })
}

/// Returns the location of the text of a SKILL.md: its own path, or the target of a link.
pub(super) fn text_spot(file: &File) -> Option<Spot> {
    file.has_text().then(|| spot(file))
}

/// Returns the location of the bytes of a file.
pub(super) fn spot(file: &File) -> Spot {
    Spot { path: file.shown_path().clone(), id: file.id }
}

/// Reads the bytes of files again; an error if they changed.
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
