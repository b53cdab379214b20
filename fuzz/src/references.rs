//! References: whatever the files contain, a revision is a commit that exists, or the run fails.

use std::cell::RefCell;

use skilltree_git::{Environment, Revision};
use skilltree_skills::snapshot::Origin;

use super::files::{part, parts};
use super::repository::{Repository, SKILL};

thread_local! {
    static FILES: RefCell<Option<Repository>> = const { RefCell::new(None) };
    static TABLES: RefCell<Option<Repository>> = const { RefCell::new(None) };
}

const REVISIONS: [&str; 6] = ["HEAD", "main", "v1", "refs/heads/main", "origin", "HEAD~1^{tree}"];

/// Writes the parts of the input as `HEAD`, `packed-refs`, `refs/heads/main` and `refs/tags/v1`.
pub fn references(data: &[u8]) {
    let parts = parts(data, 4);
    FILES.with_borrow_mut(|repository| {
        let repository = repository.get_or_insert_with(with_commits);
        for (number, name) in ["HEAD", "packed-refs", "refs/heads/main", "refs/tags/v1"].into_iter().enumerate() {
            match part(&parts, number) {
                b"" => repository.remove(name),
                bytes => repository.write(name, bytes),
            }
        }
        check(repository);
    });
}

/// Writes the parts of the input as `reftable/tables.list` and as the tables `a.ref` and `b.ref`. If the first byte is odd, the
/// checksums in the footers are those of the footers.
pub fn reftable(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    // A table contains the byte that separates the parts of other inputs: here each part follows its length in two bytes.
    let mut rest = rest;
    let mut next = || {
        let (&[low, high], after) = rest.split_first_chunk::<2>()?;
        let (part, after) = after.split_at(usize::from(u16::from_le_bytes([low, high])).min(after.len()));
        rest = after;
        Some(part)
    };
    TABLES.with_borrow_mut(|repository| {
        let repository = repository.get_or_insert_with(|| {
            let repository = with_commits();
            repository.write(
                "config",
                b"[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\trefStorage = reftable\n",
            );
            repository.write("HEAD", b"ref: refs/heads/.invalid\n");
            repository
        });
        for name in ["tables.list", "a.ref", "b.ref"] {
            let bytes = next().unwrap_or_default();
            let bytes = if first % 2 == 1 && name.ends_with(".ref") { with_checksum(bytes) } else { bytes.to_vec() };
            repository.write(&format!("reftable/{name}"), &bytes);
        }
        check(repository);
    });
}

/// Returns a table whose footer, of 68 bytes for SHA-1, ends with its own checksum.
fn with_checksum(table: &[u8]) -> Vec<u8> {
    let mut table = table.to_vec();
    if let Some(start) = table.len().checked_sub(68) {
        let end = table.len() - 4;
        let checksum = crc32fast::hash(&table[start..end]);
        table[end..].copy_from_slice(&checksum.to_be_bytes());
    }
    table
}

/// A repository with the three commits and the tag that the fixtures in tests/it/source/reftables refer to, and one with a skill.
fn with_commits() -> Repository {
    let mut repository = Repository::new();
    let author = "author a <a@example.com> 1700000000 +0000\ncommitter c <c@example.com> 1700000001 +0100";
    for number in 1..=3 {
        let blob = repository.object("blob", format!("{number}\n").as_bytes());
        let tree = repository.object("tree", &[b"100644 file\0", blob.as_bytes()].concat());
        let commit = repository.object("commit", format!("tree {tree}\n{author}\n\ncommit {number}\n").as_bytes());
        if number == 2 {
            let tag =
                format!("object {commit}\ntype commit\ntag v1\ntagger c <c@example.com> 1700000001 +0100\n\nv1\n");
            repository.object("tag", tag.as_bytes());
        }
    }
    let blob = repository.object("blob", SKILL);
    let mut tree = repository.object("tree", &[b"100644 SKILL.md\0", blob.as_bytes()].concat());
    for name in ["pdf", "skills", ".agent"] {
        tree = repository.object("tree", &[format!("40000 {name}\0").as_bytes(), tree.as_bytes()].concat());
    }
    repository.object("commit", format!("tree {tree}\n{author}\n\nskill\n").as_bytes());
    repository
}

fn check(repository: &Repository) {
    for revision in REVISIONS {
        let open = || {
            let opened = repository.open(&Revision::Tree(revision.to_owned()));
            opened.map(|source| (source.origin().clone(), source.tree()))
        };
        let opened = open();
        assert_eq!(opened, open(), "{revision}: the second reading differs");
        let Ok((Origin::Tree { commit, .. }, tree)) = opened else { continue };
        let kind = |id: Option<skilltree_skills::snapshot::ObjectId>| {
            id.map(|id| repository.objects.get(&id.to_string()).copied().unwrap_or("missing"))
        };
        assert!(matches!(kind(commit), None | Some("commit")), "{revision} is {commit:?}");
        assert!(matches!(kind(tree), Some("tree")), "{revision} has the tree {tree:?}");
    }
    let head = Revision::Tree("HEAD".to_owned());
    assert_eq!(repository.check(&head), repository.check(&head), "the second check differs");
    let environment = Environment::default();
    drop(skilltree_git::has_references(repository.top(), &environment));
}
