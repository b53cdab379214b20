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

/// Maximum paths of manifests that are looked up (ours: 20,000).
const LOOKUPS: usize = 20_000;

/// Returns the paths of a manifest that lead nowhere. A path in a directory that cannot be read is unknown.
fn missing(finder: &mut Finder<'_>, paths: Vec<NamedPath>, lookups: &mut usize) -> Vec<ManifestFault> {
    let mut faults = Vec::new();
    for NamedPath { range, written, path } in paths {
        let Some(left) = lookups.checked_sub(1) else { break };
        *lookups = left;
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
    let mut plugins = Plugins::default();
    let mut lookups = LOOKUPS;
    for (spot, kind) in manifests.iter().take(MANIFESTS) {
        let file = |body| File { id: spot.id, ..File::new(spot.path.clone(), Role::Manifest, None, body) };
        let whole = |what| vec![ManifestFault { range: 0..0, what }];
        let unusable = match kind {
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
                    let (mut faults, paths) = Reading::new(spot.path.as_ref(), base, &bytes, &mut plugins.named).read();
                    faults.extend(missing(finder, paths, &mut lookups));
                    (File { id: Some(id), ..file(Body::NotRead) }, faults)
                }
            },
        };
        if !unusable.1.is_empty() {
            plugins.unusable.push(unusable);
        }
    }
    // A manifest names single skills as well as directories of skills.
    let is_skill = |path: &BString| skills.binary_search(&store::join(path.as_ref(), BStr::new("SKILL.md"))).is_ok();
    let directory = |path| if is_skill(&path) { text::parent(path.as_ref()).to_owned() } else { path };
    plugins.named = plugins.named.into_iter().map(directory).collect();
    Ok(plugins)
}
