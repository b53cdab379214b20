//! Indices that no git wrote, and those that only some git writes.
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;

use skilltree_git::Revision;
use skilltree_skills::source::Error;

use crate::source::repository::Repository;
use crate::source::shown::{BOUNDS, default_roots, shown};

/// Index entry: the number of bytes to cut from the previous path (version 4 only), the path and its flags.
type Entry<'a> = (usize, &'a [u8], u16);

/// An index with these entries and extensions, without a checksum, as `index.skipHash` makes it.
fn index(version: u32, count: u32, entries: &[Entry<'_>], extensions: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut bytes = b"DIRC".to_vec();
    bytes.extend(version.to_be_bytes());
    bytes.extend(count.to_be_bytes());
    for (cut, path, flags) in entries {
        let start = bytes.len();
        let mut stat = [0; 40];
        stat[24..28].copy_from_slice(&0o100_644u32.to_be_bytes());
        bytes.extend(stat);
        bytes.extend([7; 20]);
        bytes.extend((flags | u16::try_from(path.len().min(0xfff)).expect("it is capped")).to_be_bytes());
        if version == 4 {
            bytes.extend(varint(*cut));
            bytes.extend(*path);
            bytes.push(0);
        } else {
            bytes.extend(*path);
            bytes.push(0);
            while !(bytes.len() - start).is_multiple_of(8) {
                bytes.push(0);
            }
        }
    }
    for (signature, data) in extensions {
        bytes.extend(*signature);
        bytes.extend(u32::try_from(data.len()).expect("it is small").to_be_bytes());
        bytes.extend(data);
    }
    bytes.extend([0; 20]);
    bytes
}

/// A number as packs and version 4 write it.
fn varint(mut value: usize) -> Vec<u8> {
    let mut bytes = vec![u8::try_from(value & 127).expect("seven bits")];
    while value > 127 {
        value = (value >> 7) - 1;
        bytes.insert(0, 128 | u8::try_from(value & 127).expect("seven bits"));
    }
    bytes
}

#[track_caller]
fn assert_refused(bytes: &[u8], expected: &'static str) {
    let repository = Repository::new();
    fs::write(repository.path().join(".git/index"), bytes).expect("it can be written");
    assert_eq!(repository.try_open(&Revision::Index).err(), Some(Error::Index { reason: expected }));
}

#[track_caller]
fn assert_paths(bytes: &[u8], expected: &str) {
    let repository = Repository::new();
    fs::write(repository.path().join(".git/index"), bytes).expect("it can be written");
    let mut set = default_roots();
    set.file_bytes = 0;
    let source = repository.open(&Revision::Index);
    // The objects do not exist. The requests for them show which paths were listed.
    let found = match source.read(&set, BOUNDS) {
        Ok(parsed) => shown(&parsed),
        Err(error) => format!("{error} {:?}", error.details()),
    };
    assert!(found.contains(expected), "{found}");
}

#[test]
fn reads_every_index_version_without_checksum() {
    for version in [2, 3, 4] {
        let cut = ".agent/skills/a/SKILL.md".len();
        let paths: &[Entry<'_>] = &[(0, b".agent/skills/a/SKILL.md", 0), (cut, b".agent/skills/b/SKILL.md", 0)];
        assert_paths(&index(version, 2, paths, &[]), ".agent/skills/b/SKILL.md");
        assert_paths(&index(version, 2, paths, &[(b"ABCD", vec![1, 2, 3])]), ".agent/skills/b/SKILL.md");
    }
}

#[test]
fn limits_memory_for_index_paths() {
    let long = vec![b'x'; 5_000];
    assert_refused(&index(2, 1, &[(0, &long, 0)], &[]), "a path is longer than 4,096 bytes");
    assert_refused(&index(4, 1, &[(0, &long, 0)], &[]), "a path is longer than 4,096 bytes");
    // Entries of 65 bytes whose paths are 4,000 bytes each.
    let mut first = vec![b'a'; 3_996];
    first.extend(b"0000");
    let mut entries: Vec<Entry<'_>> = vec![(0, &first, 0)];
    entries.extend(std::iter::repeat_n((1, &b"1"[..], 0u16), 40_000));
    let bomb = index(4, 40_001, &entries, &[]);
    assert!(bomb.len() < 3_000_000);
    assert_refused(&bomb, "its paths have more than 128 MiB in total");
    assert_refused(&index(4, 2, &[(0, b"a", 0), (9, b"b", 0)], &[]), "it is truncated or has a malformed entry");
}

#[test]
fn limits_depth_of_index_caches() {
    let trees = |depth: usize| (b"TREE", b"a\0-1 1\n".repeat(depth));
    let untracked = |depth: usize| {
        let mut data = vec![0; 1 + 36 + 36 + 4 + 40 + 1];
        data.extend(varint(depth));
        data.extend(b"\0\x01a\0".repeat(depth));
        (b"UNTR", data)
    };
    for depth in [3_000, 300_000] {
        assert_refused(&index(2, 0, &[], &[trees(depth)]), "its tree cache is nested too deeply");
        assert_refused(&index(2, 0, &[], &[untracked(depth)]), "its untracked cache is nested too deeply");
    }
    for extension in [trees(50), untracked(50)] {
        assert_paths(&index(2, 1, &[(0, b".agent/skills/a/SKILL.md", 0)], &[extension]), ".agent/skills/a/SKILL.md");
    }
}

#[test]
fn rejects_index_of_zeros() {
    let sound = index(2, 1, &[(0, b".agent/skills/a/SKILL.md", 0)], &[]);
    for kept in [0, 4, 8, 11, 12, 60, 70] {
        let mut zeroed = sound.clone();
        zeroed[kept..].fill(0);
        let repository = Repository::new();
        fs::write(repository.path().join(".git/index"), &zeroed).expect("it can be written");
        let error = repository.try_open(&Revision::Index).err();
        assert!(matches!(error, Some(Error::Index { .. })), "{kept}: {error:?}");
    }
    let mut fewer = sound.clone();
    fewer[11] = 0;
    assert_refused(&fewer, "unexpected bytes follow its entries");
}

#[test]
fn rejects_unsorted_index() {
    let reason = "its entries are malformed or out of order";
    let cases: &[&[Entry<'_>]] = &[
        &[(0, b"b", 0), (0, b"a", 0)],
        &[(0, b"a", 0), (0, b"a", 0)],
        &[(0, b"", 0)],
        &[(0, b"/a", 0)],
        &[(0, b"a/", 0)],
        &[(0, b"a//b", 0)],
    ];
    for entries in cases {
        assert_refused(&index(2, u32::try_from(entries.len()).expect("few"), entries, &[]), reason);
    }
    let both: &[Entry<'_>] = &[(0, b".agent/skills/a", 0), (0, b".agent/skills/a/SKILL.md", 0)];
    assert_paths(&index(2, 2, both, &[]), "it has a file and a directory with the same name");
}

#[test]
fn rejects_false_index_counts_and_extensions() {
    let entry: &[Entry<'_>] = &[(0, b"a", 0)];
    assert_refused(&index(2, u32::MAX, entry, &[]), "it is truncated or has a malformed entry");
    assert_refused(&index(5, 1, entry, &[]), "its version is not supported");
    assert_refused(&index(2, 1, entry, &[(b"zzzz", vec![])]), "it is truncated, or its checksum is wrong");
    let mut longer = index(2, 1, entry, &[(b"ABCD", vec![1, 2, 3])]);
    let length = longer.len();
    longer[length - 20 - 3 - 1] = 200;
    assert_refused(&longer, "an extension is truncated");
    assert_refused(b"DIRC", "it is truncated");
    assert_refused(&[b'x'; 100], "it is not an index file");
}

#[test]
fn sparse_checkout_shows_skills_in_every_index_format() {
    for version in ["2", "3", "4"] {
        for (sparse, split) in [
            ("--sparse-index", "--no-split-index"),
            ("--no-sparse-index", "--no-split-index"),
            ("--no-sparse-index", "--split-index"),
        ] {
            let repository = Repository::new();
            repository.write(".agent/skills/a/SKILL.md", "a");
            repository.write(".agent/skills/b/SKILL.md", "b");
            repository.write("src/x", "x");
            repository.commit();
            repository.git(&["sparse-checkout", "set", "--cone", sparse, "src"]);
            repository.git(&["update-index", "--index-version", version]);
            repository.git(&["update-index", split]);
            repository.write("src/y", "y");
            repository.git(&["add", "src/y"]);
            let parsed = repository.open(&Revision::Index).read(&default_roots(), BOUNDS).expect("it can be read");
            let expected = "root   .agent/skills\nskill  .agent/skills/a/SKILL.md\nskill  .agent/skills/b/SKILL.md\n";
            assert_eq!(shown(&parsed), expected, "{version} {sparse} {split}");
        }
    }
}

#[test]
fn reads_additions_to_split_index() {
    for version in ["2", "4"] {
        let repository = Repository::new();
        repository.write(".agent/skills/a/SKILL.md", "a");
        repository.write(".agent/skills/b/SKILL.md", "b");
        repository.git(&["update-index", "--index-version", version]);
        repository.commit();
        repository.git(&["update-index", "--split-index"]);
        repository.write(".agent/skills/a/SKILL.md", "changed");
        repository.write(".agent/skills/c/SKILL.md", "c");
        repository.git(&["add", "-A"]);
        repository.git(&["rm", "-q", "--cached", ".agent/skills/b/SKILL.md"]);
        let source = repository.open(&Revision::Index);
        let parsed = source.read(&default_roots(), BOUNDS).expect("it can be read");
        let expected = "root   .agent/skills\nskill  .agent/skills/a/SKILL.md\nskill  .agent/skills/c/SKILL.md\n";
        assert_eq!(shown(&parsed), expected, "{version}");
        let first = parsed.file(parsed.skills[0].file).clone();
        assert_eq!(source.bodies(&[first]), Ok(vec![b"changed".to_vec()]));
    }
}

#[test]
fn ignores_intent_to_add() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    repository.write(".agent/skills/b/SKILL.md", "b");
    repository.git(&["add", "--intent-to-add", "."]);
    let parsed = repository.open(&Revision::Index).read(&default_roots(), BOUNDS).expect("it can be read");
    assert_eq!(shown(&parsed), "root   .agent/skills\nskill  .agent/skills/a/SKILL.md\n");
}
