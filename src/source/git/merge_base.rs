//! What a source is compared with: the commit at which its history and that of a revision parted.

use std::path::Path;

use super::Opened;
use super::objects::{self, ObjectReader};
use super::revision::{beyond, peel, resolve};
use crate::snapshot::{ObjectId, Origin};
use crate::source::{Environment, Error, Source};

/// Opens the merge base of a revision and the commit of a source, which for an index and a work tree is `HEAD`; the
/// revision itself where there is none to know.
pub(in crate::source) fn open(
    place: &Path,
    revision: &str,
    head: &Origin,
    environment: &Environment,
) -> Result<Source, Error> {
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

/// The best common ancestor of the commit of a source and another one. A walk that a damaged or cut history ends finds
/// none.
fn merge_base(reader: &ObjectReader, head: &Origin, other: ObjectId) -> Option<ObjectId> {
    let repository = &reader.repository;
    let commit = match head {
        Origin::Tree { commit, .. } => objects::oid(&(*commit)?).ok()?.to_owned(),
        _ => repository.head_id().ok()?.detach(),
    };
    // The file that speeds such walks up is not used: nobody checks what it says.
    let mut graph = repository.revision_graph(None);
    let base = repository.merge_base_with_graph(commit, objects::oid(&other).ok()?.to_owned(), &mut graph).ok()??;
    Some(ObjectId::new(base.as_bytes()))
}
