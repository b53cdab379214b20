//! The state of skills directories by their ids, without reading a skill.

use std::sync::Arc;

use bstr::BString;

use super::discover::Bounds;
use super::find::Finder;
use super::locate;
use super::store::{Spot, Store};
use super::volume::{self, Mounted};
use super::walk::{self, Walked};
use super::{Error, trees};
use crate::parallel;
use crate::roots::RootSet;
use crate::snapshot::{self, Body, File, ObjectId, Role};

/// The skills directories in order, and what links in them lead to. Two equal states have the same skills.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// Each directory with the paths that lead to it and the id of its tree; `None` if it does not exist.
    pub roots: Vec<(Vec<BString>, Option<ObjectId>)>,
    /// The files that are reached through links, which no tree above covers: path, real path and id.
    pub linked: Vec<(BString, BString, Option<ObjectId>)>,
}

/// Returns the state; `None` if some id is not known, for example with conflict stages.
pub(super) fn of(
    store: &dyn Store,
    combined: &dyn Store,
    (set, searched): (&RootSet, Option<Bounds>),
    volumes: &[Arc<Mounted>],
    has_links: bool,
) -> Result<Option<State>, Error> {
    let mut finder = Finder::new(store);
    let discovered = match searched {
        Some(bounds) => walk::discovered_roots(store, &mut finder, set, bounds)?,
        None => Default::default(),
    };
    let located = locate::roots(&mut finder, set, discovered)?;
    if located.iter().any(|located| located.root.path.is_empty()) {
        // Only a tree has an id for the whole repository.
        return Ok(None);
    }
    let has_ids = located.iter().all(|root| root.directory.as_ref().is_none_or(|directory| directory.id.is_some()));
    if has_ids && volumes.is_empty() && !has_links {
        let id = |directory: Option<Spot>| directory.and_then(|directory| directory.id);
        let root =
            |located: locate::Located| (located.root.paths().map(ToOwned::to_owned).collect(), id(located.directory));
        return Ok(Some(State { roots: located.into_iter().map(root).collect(), linked: Vec::new() }));
    }
    let Walked { roots, files, .. } = volume::append(walk::walk(store, set, searched)?, volumes)?;
    // The tree of a working tree has no files that Git ignores, but a prompt can contain their skills.
    if files.iter().any(|file| file.role == Role::Skill && file.state == snapshot::State::Ignored) {
        return Ok(None);
    }
    let ids = trees::trees(combined, &files, &roots, &[])?;
    let mut state = State::default();
    for (number, (root, id)) in roots.iter().zip(ids).enumerate() {
        let is_absent = |file: &File| file.root.is_some_and(|root| root.index() == number) && file.role == Role::Root;
        let is_absent = files.iter().any(|file| is_absent(file) && file.body == Body::Absent);
        if id.is_none() && !is_absent {
            return Ok(None);
        }
        state.roots.push((root.paths().map(ToOwned::to_owned).collect(), id));
    }
    if has_links {
        let linked: Vec<&File> = files.iter().filter(|file| file.through.is_some()).collect();
        let entries = parallel::map_init(
            &linked,
            || combined.reader(),
            |reader, file| {
                let (path, real) = (file.path.clone(), file.shown_path().clone());
                let id = match (file.id, file.role) {
                    (None, Role::Skill) => reader.id(&Spot { path: real.clone(), id: None })?,
                    (id, _) => id,
                };
                Ok((path, real, id))
            },
        );
        state.linked = Error::collect(entries)?;
        if state.linked.iter().zip(&linked).any(|(entry, file)| entry.2.is_none() && file.role == Role::Skill) {
            return Ok(None);
        }
        // Only skills have the same id in every kind of source.
        for (entry, file) in state.linked.iter_mut().zip(&linked) {
            entry.2 = entry.2.filter(|_| file.role == Role::Skill);
        }
    }
    Ok(Some(state))
}
