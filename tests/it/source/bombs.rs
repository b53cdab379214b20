//! Few bytes that look like more files than there is memory: trees that share their children.
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use skilltree_git::Revision;
use skilltree_skills::snapshot::Body;
use skilltree_skills::source::{Damage, Error};

use crate::source::repository::Repository;
use crate::source::shown::{BOUNDS, default_roots, roots};

/// A tree with this many levels, each of which contains the next level this many times; the last one contains a skill.
fn bomb(repository: &Repository, levels: usize, width: usize, name: &str) -> String {
    let file = repository.write("file", "---\nname: a\n---\n");
    let blob = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    let mut tree = repository.tree(&[("100644", "SKILL.md", &blob)]);
    for _ in 0..levels {
        let names: Vec<String> = (0..width).map(|number| format!("{name}{number:04}")).collect();
        let entries: Vec<_> = names.iter().map(|name| ("40000", name.as_str(), tree.as_str())).collect();
        tree = repository.tree(&entries);
    }
    tree
}

/// A tree with this one at a path.
fn at(repository: &Repository, path: &str, tree: String) -> String {
    path.rsplit('/').fold(tree, |tree, name| repository.tree(&[("40000", name, &tree)]))
}

fn failure(repository: &Repository, tree: &str, set: &skilltree_skills::roots::RootSet) -> Error {
    let source = repository.open(&Revision::Tree(tree.to_owned()));
    source.read(set, BOUNDS).expect_err("nobody lists all of it")
}

#[test]
fn pattern_terminates_in_shared_trees() {
    let repository = Repository::new();
    let tree = bomb(&repository, 12, 20, "d");
    for pattern in ["**/x", "**/d*/**/x", "**", "**/**/**/x", "*/*/*/*/*/*/*/x"] {
        let mut set = roots(&[pattern]);
        set.files = 200_000;
        let error = failure(&repository, &tree, &set);
        assert_eq!(error, Error::TooMany { root: "".into(), limit: 200_000 }, "{pattern}");
    }
    // Paths of 3,000 bytes: before there are too many of them they are too long.
    let tree = bomb(&repository, 10, 20, &"d".repeat(300));
    let error = failure(&repository, &tree, &roots_of_many("**"));
    assert_eq!(error, Error::TooLongTogether { limit: 16 << 20 });
}

fn roots_of_many(pattern: &str) -> skilltree_skills::roots::RootSet {
    let mut set = roots(&[pattern]);
    set.files = u64::MAX;
    set.depth = u64::MAX;
    set
}

#[test]
fn root_terminates_in_shared_trees() {
    let repository = Repository::new();
    let tree = at(&repository, ".agent/skills", bomb(&repository, 14, 20, "d"));
    let mut set = default_roots();
    set.files = 200_000;
    assert_eq!(failure(&repository, &tree, &set), Error::TooMany { root: ".agent/skills".into(), limit: 200_000 });
    // Whatever a configuration allows.
    let error = failure(&repository, &tree, &roots_of_many(".agent/skills"));
    assert_eq!(error, Error::TooManyTogether { limit: 1_000_000 });
    let tree = at(&repository, ".agent/skills", bomb(&repository, 9, 20, &"d".repeat(400)));
    let error = failure(&repository, &tree, &roots_of_many(".agent/skills"));
    assert_eq!(error, Error::TooLongTogether { limit: 128 << 20 });
}

#[test]
fn limits_repeated_listing_of_large_tree() {
    let repository = Repository::new();
    let file = repository.write("file", "x");
    let blob = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    let names: Vec<String> = (0..50_000).map(|number| format!("{number:06}")).collect();
    let files: Vec<_> = names.iter().map(|name| ("100644", name.as_str(), blob.as_str())).collect();
    let large = repository.tree(&files);
    let directories: Vec<_> = names.iter().map(|name| ("40000", name.as_str(), large.as_str())).collect();
    let tree = at(&repository, ".agent/skills", repository.tree(&directories));
    let mut set = default_roots();
    set.files = 200_000;
    assert_eq!(failure(&repository, &tree, &set), Error::TooMany { root: ".agent/skills".into(), limit: 200_000 });
}

#[test]
fn roots_share_listing_limit() {
    let repository = Repository::new();
    let skills = bomb(&repository, 2, 200, "d");
    let names: Vec<String> = (0..100).map(|number| format!("{number:03}")).collect();
    let packages: Vec<_> = names.iter().map(|name| ("40000", name.as_str(), skills.as_str())).collect();
    let tree = at(&repository, "packages", repository.tree(&packages));
    let mut set = roots(&["packages/*"]);
    set.files = 200_000;
    assert_eq!(failure(&repository, &tree, &set), Error::TooManyTogether { limit: 1_000_000 });
}

#[test]
fn ignores_files_outside_roots() {
    let repository = Repository::new();
    let bomb = bomb(&repository, 40, 20, "d");
    let file = repository.write("file", "---\nname: a\n---\n");
    let blob = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    let skill = repository.tree(&[("100644", "SKILL.md", &blob)]);
    let skills = repository.tree(&[("40000", "a", &skill)]);
    let agent = repository.tree(&[("40000", "beside", &bomb), ("40000", "skills", &skills)]);
    let top = repository.tree(&[("40000", ".agent", &agent), ("40000", "beside", &bomb)]);
    let source = repository.open(&Revision::Tree(top));
    assert_eq!(source.read(&default_roots(), BOUNDS).expect("it can be read").skills.len(), 1);
}

#[test]
fn rejects_oversized_object_by_header() {
    let repository = Repository::new();
    let file = repository.path().join("zeros");
    std::fs::File::create(&file).and_then(|file| file.set_len(64 << 20)).expect("a file can have holes");
    let blob = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    let skill = repository.tree(&[("100644", "SKILL.md", &blob)]);
    let names: Vec<String> = (0..64).map(|number| format!("{number:02}")).collect();
    let many: Vec<_> = names.iter().map(|name| ("40000", name.as_str(), skill.as_str())).collect();
    let tree = at(&repository, ".agent/skills", repository.tree(&many));
    for pack in [false, true] {
        if pack {
            repository.git(&["update-ref", "refs/heads/bomb", &commit(&repository, &tree)]);
            repository.git(&["repack", "-adfq"]);
            repository.git(&["prune-packed"]);
        }
        let parsed =
            repository.open(&Revision::Tree(tree.clone())).read(&default_roots(), BOUNDS).expect("it is listed");
        let large = Body::TooLarge { bytes: 64 << 20 };
        assert_eq!(parsed.files.iter().filter(|file| file.body == large).count(), 64);
        // As a tree it is refused whatever the limits are.
        let directory = at(&repository, ".agent", repository.tree(&[("40000", "skills", &blob)]));
        let Error::Objects(bad) = failure(&repository, &directory, &default_roots()) else { panic!("it is read") };
        assert_eq!(bad[0].damage, Damage::Oversized);
    }
}

#[test]
fn rejects_object_with_false_size() {
    let repository = Repository::new();
    let text = [b'x'; 300];
    for (header, damage) in [
        ("blob 5", Some(Damage::Undecodable)),
        ("blob 301", Some(Damage::Undecodable)),
        ("blob -1", Some(Damage::Undecodable)),
        ("blob 18446744073709551616", Some(Damage::Undecodable)),
        ("nonsense 300", Some(Damage::Undecodable)),
        ("tree 300", Some(Damage::Mistyped)),
        // It exceeds the read limit, so its content is not checked.
        ("blob 99999999999999", None),
    ] {
        let id = "0123456789abcdef0123456789abcdef01234567";
        let path = repository.write(&format!(".git/objects/{}/{}", &id[..2], &id[2..]), stored(header, &text));
        let skill = repository.tree(&[("100644", "SKILL.md", id)]);
        let top = at(&repository, ".agent/skills/a", skill);
        let read = repository.open(&Revision::Tree(top)).read(&default_roots(), BOUNDS);
        match (read, damage) {
            (Err(Error::Objects(bad)), Some(damage)) => {
                let other = bad[0].damage;
                assert!(other == damage || other == Damage::Mismatch, "{header}: {other:?}");
            }
            (Ok(parsed), None) => assert_eq!(parsed.files[1].body, Body::TooLarge { bytes: 99_999_999_999_999 }),
            (read, _) => panic!("{header}: {read:?}"),
        }
        std::fs::remove_file(path).expect("it is there");
    }
}

/// A loose object with this header, not compressed.
fn stored(header: &str, text: &[u8]) -> Vec<u8> {
    let data = [header.as_bytes(), b"\0", text].concat();
    let length = u16::try_from(data.len()).expect("it is short");
    let (mut low, mut high) = (1u32, 0u32);
    for byte in &data {
        low = (low + u32::from(*byte)) % 65_521;
        high = (high + low) % 65_521;
    }
    let checksum = (high << 16 | low).to_be_bytes();
    [&[0x78, 0x01, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes(), &data, &checksum].concat()
}

fn commit(repository: &Repository, tree: &str) -> String {
    repository.git(&["commit-tree", "-m", "bomb", tree])
}
