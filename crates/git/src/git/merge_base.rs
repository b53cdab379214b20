//! The merge bases that a source is compared with.

use std::path::Path;

use skilltree_skills::snapshot::{ObjectId, Origin};
use skilltree_skills::source::{Error, Source};

use super::Opened;
use super::objects::{self, ObjectReader};
use super::references;
use super::revision::{Resolved, beyond, peel, resolve};
use crate::environment::Environment;

/// Maximum number of merge bases that are read (ours). Branches that merge each other have two.
const BASES: usize = 8;

/// Opens the merge base of a revision and the commit of a source, which is `HEAD` for an index and a working tree;
/// without a known merge base the revision itself.
pub(crate) fn open(place: &Path, revision: &str, head: &Origin, environment: &Environment) -> Result<Source, Error> {
    let opened = Opened::new(place, environment)?;
    let mut found = found(&opened, revision, head)?;
    let first = found.swap_remove(0);
    Ok(opened.tree(place, revision, first))
}

/// Opens the merge bases after the first one, and then the revision itself. There are none unless two branches merged each other.
pub(crate) fn open_others(
    place: &Path,
    revision: &str,
    head: &Origin,
    environment: &Environment,
) -> Result<Vec<Source>, Error> {
    let found = found(&Opened::new(place, environment)?, revision, head)?;
    let opened = |found| Ok(Opened::new(place, environment)?.tree(place, revision, found));
    found.into_iter().skip(1).map(opened).collect()
}

/// Returns the merge bases, the best first. If there are several, the revision itself is the last.
pub(super) fn found(opened: &Opened, revision: &str, head: &Origin) -> Result<Vec<Resolved>, Error> {
    let mut reader = opened.objects.reader();
    let named = resolve(&mut reader, revision).map_err(|error| beyond(error, &reader, revision))?;
    let bases = named.commit.and_then(|commit| merge_bases(&reader, head, commit)).unwrap_or_default();
    let peeled: Result<Vec<Resolved>, Error> =
        bases.iter().take(BASES).map(|&base| peel(&mut reader, base, revision)).collect();
    let mut found = peeled?;
    if found.len() != 1 {
        found.push(named);
    }
    Ok(found)
}

/// Returns the best common ancestors of a source's commit and another one; `None` if the history is damaged or shallow.
fn merge_bases(reader: &ObjectReader, head: &Origin, other: ObjectId) -> Option<Vec<ObjectId>> {
    let repository = &reader.repository;
    let commit = match head {
        Origin::Tree { commit, .. } => objects::oid(&(*commit)?).ok()?.to_owned(),
        _ => references::find(repository, "HEAD").ok()??,
    };
    // The commit-graph file is not used, because its contents are not verified.
    let mut graph = repository.revision_graph(None);
    let other = objects::oid(&other).ok()?.to_owned();
    let bases = repository.merge_bases_many_with_graph(commit, &[other], &mut graph).ok()?;
    Some(bases.iter().map(|base| ObjectId::new(base.as_bytes())).collect())
}
