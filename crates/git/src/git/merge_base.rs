//! The merge base that a source is compared with.

use std::path::Path;

use skilltree_core::snapshot::{ObjectId, Origin};
use skilltree_core::source::{Error, Source};

use super::Opened;
use super::objects::{self, ObjectReader};
use super::revision::{beyond, peel, resolve};
use crate::environment::Environment;

/// Opens the merge base of a revision and the commit of a source, which is `HEAD` for an index and a working tree;
/// without a known merge base the revision itself.
pub(crate) fn open(place: &Path, revision: &str, head: &Origin, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let mut reader = opened.objects.reader();
    let mut found = resolve(&mut reader, revision).map_err(|error| beyond(error, &reader, revision))?;
    if let Some(base) = found.commit.and_then(|commit| merge_base(&reader, head, commit))
        && found.commit != Some(base)
    {
        found = peel(&mut reader, base, revision)?;
    }
    Ok(opened.tree(place, revision, found))
}

/// Returns the best common ancestor of a source's commit and another one; `None` if the history is damaged or shallow.
fn merge_base(reader: &ObjectReader, head: &Origin, other: ObjectId) -> Option<ObjectId> {
    let repository = &reader.repository;
    let commit = match head {
        Origin::Tree { commit, .. } => objects::oid(&(*commit)?).ok()?.to_owned(),
        _ => repository.head_id().ok()?.detach(),
    };
    // The commit-graph file is not used, because its contents are not verified.
    let mut graph = repository.revision_graph(None);
    let base = repository.merge_base_with_graph(commit, objects::oid(&other).ok()?.to_owned(), &mut graph).ok()??;
    Some(ObjectId::new(base.as_bytes()))
}
