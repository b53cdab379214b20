//! The digest of a skill: equal for equal skill directories, in any repository.

use bstr::{BStr, ByteSlice};
use sha2::{Digest as _, Sha256};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_skills::skill::Skill;

/// Returns the digest of all files in the directory of a skill; `None` if an id is not known.
pub(super) fn of(catalog: &Catalog, skill: &Skill) -> Option<String> {
    let directory = text::parent(catalog.file(skill.file).path.as_bstr());
    let prefix = if directory.is_empty() { Vec::new() } else { [directory.as_bytes(), b"/"].concat() };
    let files = catalog::sorted(&catalog.parsed.files);
    let first = files.partition_point(|file| file.path.as_slice() < prefix.as_slice());
    let mut digest = Sha256::new();
    for file in files[first..].iter().take_while(|file| file.path.starts_with(&prefix)) {
        let below: &BStr = file.path[prefix.len()..].as_bstr();
        // A length before the path, so that no two lists of files give the same bytes.
        digest.update((below.len() as u64).to_le_bytes());
        digest.update(below);
        digest.update(format!("{:?}", file.mode));
        digest.update(file.id?.as_bytes());
    }
    Some(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
