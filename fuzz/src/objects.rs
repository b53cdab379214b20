//! Commits, tags and trees: whatever they contain, a checked file is an object that exists, and a damaged object changes nothing
//! unless the run fails.

use std::cell::RefCell;

use skilltree_git::Revision;
use skilltree_skills::snapshot::ObjectId;

use super::repository::{Repository, loose};

/// Maximum number of objects of an input.
const OBJECTS: usize = 24;

const KINDS: [&str; 4] = ["blob", "tree", "commit", "tag"];

/// In an object, this byte and the number of an earlier object are replaced by its id in 20 bytes.
const RAW: u8 = 0x1d;

/// As [`RAW`], but the id is in hexadecimal.
const HEX: u8 = 0x1e;

thread_local! {
    static REPOSITORY: RefCell<Option<Repository>> = const { RefCell::new(None) };
}

/// Writes objects, and checks the last one as `HEAD`. The first two bytes say which object is damaged where. An object is its kind,
/// its length in two bytes, and its bytes.
pub fn objects(data: &[u8]) {
    let Some((&[damaged, at], mut rest)) = data.split_first_chunk::<2>() else { return };
    REPOSITORY.with_borrow_mut(|repository| {
        let repository = repository.get_or_insert_with(Repository::new);
        let mut ids: Vec<ObjectId> = Vec::new();
        while let Some((&[kind, low, high], after)) = rest.split_first_chunk::<3>() {
            let length = usize::from(u16::from_le_bytes([low, high])).min(after.len());
            let (bytes, next) = after.split_at(length);
            rest = next;
            let bytes = with_ids(bytes, &ids);
            ids.push(repository.object(KINDS[usize::from(kind % 4)], &bytes));
            if ids.len() == OBJECTS {
                break;
            }
        }
        if let Some(last) = ids.last() {
            repository.write("refs/heads/main", format!("{last}\n").as_bytes());
            check(repository, &ids, damaged, at);
        }
        repository.remove_objects();
    });
}

fn check(repository: &Repository, ids: &[ObjectId], damaged: u8, at: u8) {
    let head = Revision::Tree("HEAD".to_owned());
    let checked = repository.check(&head);
    assert_eq!(checked, repository.check(&head), "the second reading differs");
    if let Ok(checked) = &checked {
        for (path, id) in &checked.files {
            assert_eq!(repository.objects.get(id), Some(&"blob"), "{path} is {id}, which is not a blob");
        }
        let commit = checked.commit.as_ref();
        assert!(commit.is_none_or(|id| repository.objects.get(id) == Some(&"commit")), "{commit:?} is not a commit");
    }
    let path = loose(&ids[usize::from(damaged) % ids.len()]);
    let file = repository.path(&path);
    #[allow(clippy::disallowed_methods, reason = "the target damages its own files")]
    let Ok(mut bytes) = std::fs::read(&file) else { return };
    let at = usize::from(at) % bytes.len();
    bytes[at] ^= 1 << (damaged % 8);
    repository.write(&path, &bytes);
    let after = repository.check(&head);
    assert!(after.is_err() || after == checked, "a damaged object changes the result from {checked:?} to {after:?}");
}

fn with_ids(bytes: &[u8], ids: &[ObjectId]) -> Vec<u8> {
    let mut written = Vec::with_capacity(bytes.len());
    let mut bytes = bytes.iter();
    while let Some(&byte) = bytes.next() {
        let id = |number: Option<&u8>| number.and_then(|&number| ids.get(usize::from(number)));
        match byte {
            RAW => written.extend(id(bytes.next()).into_iter().flat_map(|id| id.as_bytes())),
            HEX => written.extend(id(bytes.next()).into_iter().flat_map(|id| id.to_string().into_bytes())),
            byte => written.push(byte),
        }
    }
    written
}
