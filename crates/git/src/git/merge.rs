//! The commits that a merge in progress brings in.
#![allow(clippy::disallowed_methods, reason = "MERGE_HEAD is a file of the repository")]

use std::fs;
use std::path::Path;

use bstr::ByteSlice;
use skilltree_skills::snapshot::{ObjectId, Origin};
use skilltree_skills::source::{Error, Source};

use super::revision::{peel, resolve};
use super::{Opened, layout};
use crate::environment::Environment;

/// Maximum number of merged commits that are read (ours; git itself warns about octopus merges of more than 16).
const MERGED: usize = 16;

/// The name that git gives to the merged commits.
const MERGE_HEAD: &str = "MERGE_HEAD";

/// Opens the commits that the merge in progress brings in, if an index or a working tree is compared with `HEAD`: each of them is
/// a parent of the next commit, as `HEAD` is. Otherwise returns none.
pub(crate) fn open(
    place: &Path,
    head: &Origin,
    base: &Origin,
    environment: &Environment,
) -> Result<Vec<Source>, Error> {
    let (Origin::Index | Origin::WorkTree, Origin::Tree { commit: Some(base), .. }) = (head, base) else {
        return Ok(Vec::new());
    };
    let opened = Opened::new(place, environment)?;
    let ids = ids(&opened, environment);
    if ids.is_empty() || resolve(&mut opened.objects.reader(), "HEAD")?.commit.as_ref() != Some(base) {
        return Ok(Vec::new());
    }
    let source = |id: ObjectId| {
        let opened = Opened::new(place, environment)?;
        let found = peel(&mut opened.objects.reader(), id, MERGE_HEAD)?;
        Ok(opened.tree(place, MERGE_HEAD, found))
    };
    ids.into_iter().map(source).collect()
}

/// Returns the ids in `MERGE_HEAD` and in the environment, each once.
fn ids(opened: &Opened, environment: &Environment) -> Vec<ObjectId> {
    let is_file = layout::validate_file(&opened.git_dir, MERGE_HEAD, layout::LINE_BYTES).is_ok();
    let text = if is_file { fs::read(opened.git_dir.join(MERGE_HEAD)).unwrap_or_default() } else { Vec::new() };
    let named = environment.merge_heads.iter().map(String::as_bytes);
    let digits = opened.objects.repository.objects.object_hash().len_in_hex();
    let words = text.lines().chain(named).filter(|word| word.len() == digits);
    let mut ids: Vec<ObjectId> = Vec::new();
    for id in words.filter_map(|word| gix::ObjectId::from_hex(word).ok()) {
        let id = ObjectId::new(id.as_bytes());
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids.truncate(MERGED);
    ids
}
