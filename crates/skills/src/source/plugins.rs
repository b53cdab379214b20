//! Manifests of plugins: the skills that `plugin.json` and `marketplace.json` name.

mod keys;
mod manifest;

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString};

use self::manifest::{NamedPath, Reading};
use super::find::{Finder, Link};
use super::store::{self, Content, Kind, Spot};
use super::{CONFIG_BYTES, Error};
use crate::snapshot::{Body, File, Manifest, ManifestFault, ManifestProblem, Mode, Resolution, Role};
use skilltree_front_matter::text::{self, FileId};

/// Maximum manifests that are read (ours: 10,000).
const MANIFESTS: usize = 10_000;

/// Maximum bytes of all manifests together (ours: 64 MiB).
const MANIFESTS_BYTES: usize = 64 << 20;

/// Maximum paths that all manifests together name (ours: 20,000). Each is looked up.
const NAMED: usize = 20_000;

/// The directories and SKILL.md files that manifests name.
#[derive(Debug, Default)]
struct Named {
    paths: BTreeSet<BString>,
    /// The number of paths as written.
    written: usize,
}

/// Returns the paths of a manifest that lead nowhere. A path in a directory that cannot be read is unknown.
fn missing(finder: &mut Finder<'_>, paths: Vec<NamedPath>) -> Vec<ManifestFault> {
    let mut faults = Vec::new();
    for NamedPath { range, written, path } in paths {
        let found = finder.resolve(BStr::new(""), path.as_ref());
        if matches!(found, Ok(Resolution::Dangling)) && matches!(finder.at(path.as_ref()), Ok(None)) {
            faults.push(ManifestFault { range, what: ManifestProblem::Gone { path: written } });
        }
    }
    faults
}

/// What the manifests of a tree say.
#[derive(Debug, Default)]
pub(super) struct Plugins {
    /// The skills directories that they name.
    pub(super) named: BTreeSet<BString>,
    /// Manifests that cannot be used.
    pub(super) unusable: Vec<Unusable>,
}

/// A manifest that cannot be used, and why.
pub(super) type Unusable = (File, Vec<ManifestFault>);

/// Returns the manifests among sorted files, with their faults by path.
pub(super) fn numbered(files: &[File], mut faults: BTreeMap<BString, Vec<ManifestFault>>) -> Vec<Manifest> {
    let manifests = (0u32..).map(FileId).zip(files).filter(|(_, file)| file.role == Role::Manifest);
    manifests.filter_map(|(id, file)| Some(Manifest { file: id, faults: faults.remove(&file.path)? })).collect()
}

/// Reads manifests. `skills` are all SKILL.md files, sorted.
pub(super) fn read(finder: &mut Finder<'_>, manifests: &[(Spot, Kind)], skills: &[BString]) -> Result<Plugins, Error> {
    if manifests.len() > MANIFESTS {
        return Err(Error::TooManyManifests { limit: MANIFESTS });
    }
    let mut unusable = Vec::new();
    let mut named = Named::default();
    let mut left = MANIFESTS_BYTES;
    for (spot, kind) in manifests {
        let file = |body| File { id: spot.id, ..File::new(spot.path.clone(), Role::Manifest, None, body) };
        let whole = |what| vec![ManifestFault { range: 0..0, what }];
        let (file, faults) = match kind {
            Kind::Known(Mode::Link) => {
                let Link { target, id, resolution } = finder.follow(spot)?;
                (File { id, ..file(Body::Symlink { target, resolution }) }, whole(ManifestProblem::Link))
            }
            Kind::Unmerged => (file(Body::Unmerged), whole(ManifestProblem::Unmerged)),
            _ => match finder.content(spot, CONFIG_BYTES)? {
                Content::TooLarge { bytes } => {
                    (file(Body::TooLarge { bytes }), whole(ManifestProblem::TooLarge { bytes }))
                }
                Content::Bytes { bytes, id } => {
                    let base = text::parent(text::parent(spot.path.as_ref()));
                    let rest = left.checked_sub(bytes.len());
                    left = rest.ok_or(Error::TooLongManifests { limit: MANIFESTS_BYTES })?;
                    let (mut faults, paths) = Reading::new(spot.path.as_ref(), base, &bytes, &mut named).read();
                    if named.written > NAMED {
                        return Err(Error::TooManyNamed { limit: NAMED });
                    }
                    faults.extend(missing(finder, paths));
                    (File { id: Some(id), ..file(Body::NotRead) }, faults)
                }
            },
        };
        if !faults.is_empty() {
            unusable.push((file, faults));
        }
    }
    // A manifest names single skills as well as directories of skills.
    let is_skill = |path: &BString| skills.binary_search(&store::join(path.as_ref(), BStr::new("SKILL.md"))).is_ok();
    let directory = |path| if is_skill(&path) { text::parent(path.as_ref()).to_owned() } else { path };
    Ok(Plugins { named: named.paths.into_iter().map(directory).collect(), unusable })
}
