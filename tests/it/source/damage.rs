//! Damaged objects: reported as errors, never as missing files.
#![allow(clippy::disallowed_methods, reason = "a test damages what it made")]

use std::fs;

use skilltree_git::{Environment, Revision};
use skilltree_skills::source::{Damage, Error};

use crate::source::repository::{Entry, Repository, git};
use crate::source::shown::{BOUNDS, default_roots};

fn failure(repository: &Repository, revision: &str) -> Error {
    let source = match repository.try_open(&Revision::Tree(revision.into())) {
        Ok(source) => source,
        Err(error) => return error,
    };
    source.read(&default_roots(), BOUNDS).expect_err("what is damaged is not read")
}

#[track_caller]
fn assert_damage(error: &Error, expected: &[(&str, Damage)]) {
    let Error::Objects(bad) = error else { panic!("{error:?}") };
    let found: Vec<(String, Damage)> = bad.iter().map(|bad| (bad.path.to_string(), bad.damage)).collect();
    let found: Vec<(&str, Damage)> = found.iter().map(|(path, damage)| (path.as_str(), *damage)).collect();
    assert_eq!(found, expected);
    assert_eq!(error.help().as_deref(), Some("run `git fsck`"));
}

fn object(repository: &Repository, name: &str) -> std::path::PathBuf {
    let id = repository.git(&["rev-parse", name]);
    repository.path().join(".git/objects").join(&id[..2]).join(&id[2..])
}

#[test]
fn reports_path_of_missing_object() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.write(".agent/skills/b/SKILL.md", "b");
    repository.write("outside", "not asked for");
    repository.commit();
    fs::remove_file(object(&repository, "HEAD:outside")).expect("it is there");
    assert!(repository.open(&Revision::Tree("HEAD".into())).read(&default_roots(), BOUNDS).is_ok());
    fs::remove_file(object(&repository, "HEAD:.agent/skills/b/SKILL.md")).expect("it is there");
    fs::remove_file(object(&repository, "HEAD:.agent/skills/a/SKILL.md")).expect("it is there");
    let error = failure(&repository, "HEAD");
    assert_damage(
        &error,
        &[(".agent/skills/a/SKILL.md", Damage::Missing), (".agent/skills/b/SKILL.md", Damage::Missing)],
    );
    let blob = repository.git(&["rev-parse", "HEAD:.agent/skills/a/SKILL.md"]);
    assert_eq!(error.details()[0], format!(".agent/skills/a/SKILL.md ({blob}): missing"));
    fs::remove_file(object(&repository, "HEAD:.agent/skills")).expect("it is there");
    assert_damage(&failure(&repository, "HEAD"), &[(".agent/skills", Damage::Missing)]);
}

#[test]
fn rejects_object_with_wrong_hash() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "good");
    repository.write("other", "bad!");
    repository.commit();
    let good = object(&repository, "HEAD:.agent/skills/a/SKILL.md");
    fs::remove_file(&good).expect("it is there");
    fs::copy(object(&repository, "HEAD:other"), &good).expect("it can be copied");
    assert_damage(&failure(&repository, "HEAD"), &[(".agent/skills/a/SKILL.md", Damage::Mismatch)]);
}

#[test]
fn detects_every_flipped_bit_in_skill() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "---\nname: a\ndescription: one\n---\n");
    repository.commit();
    let path = object(&repository, "HEAD:.agent/skills/a/SKILL.md");
    let sound = fs::read(&path).expect("it is there");
    fs::remove_file(&path).expect("it is there");
    let before = repository.git(&["rev-parse", "HEAD"]);
    for bit in 0..sound.len() * 8 {
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, flipped).expect("it can be written");
        let read = repository.open(&Revision::Tree(before.clone())).read(&default_roots(), BOUNDS);
        // A few bits of the compressed stream mean nothing: then the content is the same.
        if let Ok(parsed) = read {
            let file = parsed.file(parsed.skills[0].file);
            let text = repository.open(&Revision::Tree(before.clone())).bodies(std::slice::from_ref(file));
            assert_eq!(text, Ok(vec![b"---\nname: a\ndescription: one\n---\n".to_vec()]), "bit {bit}");
        }
        fs::remove_file(&path).expect("it is there");
    }
}

#[test]
fn rejects_ambiguous_tree() {
    let repository = Repository::new();
    let file = repository.write("file", "---\nname: a\n---\n");
    let blob = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    let skill = repository.tree(&[("100644", "SKILL.md", &blob)]);
    let other = repository.tree(&[("100644", "OTHER.md", &blob)]);
    let cases: &[(&str, &[Entry<'_>])] = &[
        ("twice", &[("40000", "a", &other), ("40000", "a", &skill)]),
        ("a file and a directory", &[("100644", "a", &blob), ("100644", "a-", &blob), ("40000", "a", &skill)]),
        ("out of order", &[("40000", "b", &skill), ("40000", "a", &skill)]),
        ("no name", &[("40000", "", &skill)]),
        ("a slash", &[("40000", "a/b", &skill)]),
        ("a mode", &[("177777", "a", &skill)]),
        ("another mode", &[("100000", "a", &blob)]),
    ];
    for (name, entries) in cases {
        let skills = repository.tree(entries);
        let agent = repository.tree(&[("40000", "skills", &skills)]);
        let top = repository.tree(&[("40000", ".agent", &agent)]);
        let Error::Objects(bad) = failure(&repository, &top) else { panic!("{name}") };
        assert_eq!(
            (bad[0].path.to_string().as_str(), bad[0].damage),
            (".agent/skills", Damage::MalformedTree),
            "{name}"
        );
    }
}

#[test]
fn rejects_entry_of_wrong_kind() {
    let repository = Repository::new();
    let file = repository.write("file", "text");
    let blob = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    let empty = repository.tree(&[]);
    for (mode, id, path) in [("40000", &blob, ".agent/skills/a"), ("100644", &empty, ".agent/skills/a/SKILL.md")] {
        let directory = if mode == "40000" { blob.clone() } else { repository.tree(&[(mode, "SKILL.md", id)]) };
        let skills = repository.tree(&[("40000", "a", &directory)]);
        let agent = repository.tree(&[("40000", "skills", &skills)]);
        let top = repository.tree(&[("40000", ".agent", &agent)]);
        assert_damage(&failure(&repository, &top), &[(path, Damage::Mistyped)]);
    }
}

#[test]
fn rejects_damaged_index() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let path = repository.path().join(".git/index");
    let sound = fs::read(&path).expect("it is there");
    for (name, bytes) in [("cut", &sound[..sound.len() - 3]), ("short", &sound[..8]), ("empty", &[])] {
        fs::write(&path, bytes).expect("it can be written");
        let error = repository.try_open(&Revision::Index).err();
        assert!(matches!(error, Some(Error::Index { .. })), "{name}: {error:?}");
    }
    fs::remove_file(&path).expect("it is there");
    fs::create_dir(&path).expect("a directory can be made");
    assert_eq!(repository.try_open(&Revision::Index).err(), Some(Error::Index { reason: "it is not a regular file" }));
}

#[test]
fn ignores_replacement_objects() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "bad");
    repository.commit();
    let bad = repository.git(&["rev-parse", "HEAD:.agent/skills/a/SKILL.md"]);
    let file = repository.write("good", "good");
    let good = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    repository.git(&["replace", &bad, &good]);
    let source = repository.open(&Revision::Tree("HEAD".into()));
    let parsed = source.read(&default_roots(), BOUNDS).expect("it can be read");
    let skill = parsed.file(parsed.skills[0].file).clone();
    assert_eq!(source.bodies(&[skill]), Ok(vec![b"bad".to_vec()]));
}

#[test]
fn lists_names_that_git_refuses() {
    let repository = Repository::new();
    let file = repository.write("file", "---\nname: a\n---\n");
    let blob = repository.git(&["hash-object", "-w", &file.display().to_string()]);
    let skill = repository.tree(&[("100644", "SKILL.md", &blob)]);
    let skills = repository.tree(&[("40000", "..", &skill), ("40000", ".git", &skill), ("40000", "a\\b", &skill)]);
    let agent = repository.tree(&[("40000", "skills", &skills)]);
    let top = repository.tree(&[("40000", ".agent", &agent)]);
    let source = repository.open(&Revision::Tree(top));
    let parsed = source.read(&default_roots(), BOUNDS).expect("it can be read");
    let paths: Vec<String> = parsed.files.iter().skip(1).map(|file| file.path.to_string()).collect();
    let expected = ["..", ".git", "a\\b"].map(|name| format!(".agent/skills/{name}/SKILL.md"));
    assert_eq!(paths, expected);
}

#[test]
fn distinguishes_partial_clone_from_damage() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    repository.git(&["config", "remote.origin.promisor", "true"]);
    fs::remove_file(object(&repository, "HEAD:.agent/skills/a/SKILL.md")).expect("it is there");
    let error = failure(&repository, "HEAD");
    let Error::Objects(bad) = &error else { panic!("{error:?}") };
    assert_eq!(bad[0].damage, Damage::NotFetched);
    assert!(error.help().is_some_and(|help| help.contains("partial clone")));
}

#[test]
fn rejects_damaged_commit_or_tag() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    repository.git(&["tag", "-am", "t", "v1"]);
    for name in ["v1^{tag}", "v1^{commit}"] {
        let path = object(&repository, name);
        let sound = fs::read(&path).expect("it is there");
        fs::remove_file(&path).expect("it is there");
        for bit in 0..sound.len() * 8 {
            let mut flipped = sound.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, flipped).expect("it can be written");
            // It may be read where the bit means nothing; it must not panic, and nothing else may be read.
            if let Ok(source) = repository.try_open(&Revision::Tree("v1^{tree}".into())) {
                let parsed = source.read(&default_roots(), BOUNDS).expect("the rest is sound");
                assert_eq!(parsed.skills.len(), 1, "{name} bit {bit}");
            }
            fs::remove_file(&path).expect("it is there");
        }
        fs::write(&path, sound).expect("it can be written");
    }
}

#[test]
fn partial_clone_error_names_fetch_command() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    repository.git(&["config", "uploadpack.allowFilter", "true"]);
    repository.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let directory = tempfile::tempdir().expect("a directory can be made");
    let from = format!("file://{}", repository.path().display());
    for filter in ["--filter=blob:none", "--filter=tree:0"] {
        let place = directory.path().join(&filter[9..13]);
        let to = place.display().to_string();
        git(directory.path(), &["clone", "-q", "--no-checkout", filter, &from, &to], &[]);
        let open = || skilltree_git::open(&place, &Revision::Tree("HEAD".into()), &Environment::default());
        let read = || open().and_then(|source| source.read(&default_roots(), BOUNDS));
        // A command fetches what one run misses: of trees, what is in them is missing next.
        let mut runs = 0;
        let parsed = loop {
            let failed = match read() {
                Ok(parsed) => break parsed,
                Err(failed) => failed,
            };
            let Error::Objects(bad) = &failed else { panic!("{failed:?}") };
            assert!(bad.iter().all(|object| object.damage == Damage::NotFetched), "{bad:?}");
            let help = failed.help().expect("there is something to do");
            let command = help.split('`').nth(1).expect("it names a command");
            let words: Vec<&str> = command.split(' ').skip(1).collect();
            git(&place, &words, &[]);
            runs += 1;
            assert!(runs < 8, "{help}");
        };
        assert!(runs > 0, "the rest is not there");
        assert_eq!(parsed.skills.len(), 1);
    }
}
