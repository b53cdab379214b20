//! The index: a damaged one is an error, and any other gives the same result every time.

use std::cell::RefCell;

use skilltree_git::Revision;

use super::repository::{Repository, SKILL, sha1};

thread_local! {
    static REPOSITORY: RefCell<Option<Repository>> = const { RefCell::new(None) };
}

/// Opens bytes as `.git/index`. If the first byte is odd, the checksum at the end is added, so that the bytes before it matter.
pub fn index(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let mut bytes = rest.to_vec();
    if first % 2 == 1 {
        bytes.extend_from_slice(sha1(rest).as_bytes());
    }
    REPOSITORY.with_borrow_mut(|repository| {
        let repository = repository.get_or_insert_with(|| {
            let mut repository = Repository::new();
            repository.object("blob", SKILL);
            repository
        });
        repository.write("index", &bytes);
        let checked = repository.check(&Revision::Index);
        assert_eq!(checked, repository.check(&Revision::Index), "the second reading differs");
        drop(repository.check(&Revision::WorkTree));
        let Ok(checked) = checked else { return };
        assert!(has_checksum(&bytes), "an index is read whose checksum is wrong");
        for (path, id) in &checked.files {
            assert!(repository.objects.contains_key(id), "{path} is {id}, which does not exist");
            assert!(is_in(&bytes, path.as_bytes()), "{path} is not in the index");
        }
    });
}

/// Returns whether the last bytes are the SHA-1 of those before, or zeros, which `index.skipHash` writes.
fn has_checksum(bytes: &[u8]) -> bool {
    let Some((content, end)) = bytes.split_last_chunk::<20>() else { return false };
    *end == [0; 20] || end == sha1(content).as_bytes()
}

/// Returns whether the index has the last component of a path. Version 4 shares the start of paths.
fn is_in(bytes: &[u8], path: &[u8]) -> bool {
    let last = path.len().min(3);
    let end = &path[path.len() - last..];
    bytes.windows(last).any(|window| window == end)
}
