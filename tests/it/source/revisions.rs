//! Revision names: every step is resolved and checked, and failures report the step.
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;

use skilltree_git::{Environment, Revision};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, BadObject, Damage, Error};

use crate::source::repository::{Repository, git};
use crate::source::shown::{BOUNDS, default_roots, shown};

fn open(repository: &Repository, name: &str) -> Result<source::Source, Error> {
    repository.try_open(&Revision::Tree(name.into()))
}

fn failure(repository: &Repository, name: &str) -> Error {
    open(repository, name).err().unwrap_or_else(|| panic!("`{name}` names something"))
}

fn commit_of(repository: &Repository, name: &str) -> Option<String> {
    let source = open(repository, name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let Origin::Tree { commit, .. } = source.origin() else { panic!("{name} is not a tree") };
    commit.map(|commit| commit.to_string())
}

/// Two branches that were merged: `main` is `first`, `second`, the merge; `side` is `first`, `other`.
fn merged() -> Repository {
    let repository = Repository::new();
    for (branch, text) in [("main", "first"), ("side", "other"), ("main", "second")] {
        let new = if branch == "side" { vec!["checkout", "-qb"] } else { vec!["checkout", "-qB"] };
        if text != "first" {
            let from = if branch == "main" { "main" } else { "HEAD" };
            repository.git(&[&new[..], &[branch, from]].concat());
        }
        repository.write(&format!(".agent/skills/{text}/SKILL.md"), text);
        repository.commit();
    }
    repository.git(&["merge", "-q", "--no-edit", "side"]);
    repository.git(&["tag", "-am", "t", "v1.0", "main~1"]);
    repository
}

#[test]
fn resolves_revision_steps_like_git() {
    let repository = merged();
    for name in [
        "@",
        "HEAD^",
        "HEAD^1",
        "HEAD^2",
        "HEAD^2~1",
        "HEAD~2",
        "HEAD^0",
        "HEAD^{commit}",
        "HEAD^2^{commit}^",
        "v1.0~0",
        "v1.0^{}^",
        "heads/side",
        "refs/heads/main",
        "tags/v1.0^{commit}",
        "HEAD@{1}",
        "@{-1}",
        "main@{0}~1",
        "HEAD~1^{object}",
    ] {
        let expected = repository.git(&["rev-parse", &format!("{name}^{{commit}}")]);
        assert_eq!(commit_of(&repository, name), Some(expected), "{name}");
    }
    let described = repository.git(&["describe", "--long", "HEAD"]);
    assert!(described.starts_with("v1.0-"), "{described}");
    assert_eq!(commit_of(&repository, &described), Some(repository.git(&["rev-parse", "HEAD"])));
    repository.git(&["config", "remote.origin.url", "https://example.com/x.git"]);
    repository.git(&["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"]);
    repository.git(&["update-ref", "refs/remotes/origin/main", "main"]);
    repository.git(&["config", "branch.side.remote", "origin"]);
    repository.git(&["config", "branch.side.merge", "refs/heads/main"]);
    assert_eq!(commit_of(&repository, "side@{upstream}"), Some(repository.git(&["rev-parse", "main"])));
}

#[test]
fn rejects_ambiguous_reference_name() {
    let repository = merged();
    for (reference, commit) in [
        ("refs/tags/main", "side"),
        ("refs/tags/same", "main"),
        ("refs/heads/same", "main"),
        ("refs/tags/heads/main", "side"),
        ("refs/tags/refs/heads/main", "side"),
        ("refs/heads/refs/heads/gone", "side"),
        ("refs/heads/HEAD", "side"),
        ("refs/remotes/origin/HEAD", "side"),
        ("refs/heads/origin", "main"),
    ] {
        let commit = repository.git(&["rev-parse", &format!("refs/heads/{commit}")]);
        repository.git(&["update-ref", reference, &commit]);
    }
    for packed in [false, true] {
        if packed {
            repository.git(&["pack-refs", "--all"]);
        }
        for (name, names) in [
            ("main", ["refs/tags/main", "refs/heads/main"]),
            ("main~1", ["refs/tags/main", "refs/heads/main"]),
            ("main@{0}", ["refs/tags/main", "refs/heads/main"]),
            ("heads/main", ["refs/heads/main", "refs/tags/heads/main"]),
            ("origin", ["refs/heads/origin", "refs/remotes/origin/HEAD"]),
        ] {
            let revision = name.split(['~', '@']).next().unwrap_or_default().to_owned();
            let names = names.map(str::to_owned).to_vec();
            assert_eq!(failure(&repository, name), Error::Ambiguous { revision, names }, "{name}");
        }
        for (name, commit) in [
            ("refs/heads/main", "refs/heads/main"),
            ("refs/tags/main", "refs/tags/main"),
            ("same", "refs/heads/main"),
            ("HEAD", "refs/heads/main"),
        ] {
            let expected = repository.git(&["rev-parse", commit]);
            assert_eq!(commit_of(&repository, name), Some(expected), "{name}");
        }
        let error = failure(&repository, "refs/heads/gone");
        assert!(matches!(error, Error::Revision { .. }), "a complete name has one place: {error}");
    }
    let error = failure(&repository, "main");
    assert_eq!(error.to_string(), "`main` is the name of 2 references: `refs/tags/main`, `refs/heads/main`");
    assert_eq!(error.help().as_deref(), Some("write the full name: `refs/tags/main` or `refs/heads/main`"));
}

#[test]
fn resolves_directory_of_revision() {
    let repository = Repository::new();
    repository.write("packages/one/.agent/skills/a/SKILL.md", "a");
    repository.commit();
    for name in ["HEAD:packages/one", "HEAD:packages/one/", "HEAD^{tree}:packages/one"] {
        let source = open(&repository, name).expect("it is a tree");
        let parsed = source.read(&default_roots(), BOUNDS).expect("it can be read");
        assert_eq!(shown(&parsed), "root   .agent/skills\nskill  .agent/skills/a/SKILL.md\n");
        assert_eq!(source.time(), None);
    }
    for name in ["HEAD:packages/two", "HEAD:packages/one/.agent/skills/a/SKILL.md"] {
        assert!(matches!(failure(&repository, name), Error::Revision { .. }), "{name}");
    }
}

#[test]
fn suggests_similar_revision() {
    let repository = merged();
    repository.git(&["branch", "release-1"]);
    repository.git(&["branch", "release-2"]);
    repository.git(&["pack-refs", "--all"]);
    let error = failure(&repository, "relaese-1");
    assert_eq!(error.to_string(), "`relaese-1` is not a commit, tag or tree");
    assert_eq!(error.help().as_deref(), Some("did you mean `release-1` or `release-2`?"));
    assert_eq!(failure(&repository, "mian~3").help().as_deref(), Some("did you mean `main`?"));
    repository.git(&["update-ref", "refs/remotes/origin/topic", "HEAD"]);
    assert_eq!(failure(&repository, "topic").help().as_deref(), Some("did you mean `origin/topic`?"));
    for name in ["HEAD^3", "HEAD~9", "HEAD^0^9", "main..side", "^main", ":README.md", "", "~1", "HEAD^{blob}", "zzzzzz"]
    {
        let Error::Revision { nearest, .. } = failure(&repository, name) else { panic!("{name}") };
        assert_eq!(nearest, [""; 0], "{name}");
    }
    for name in [":/first", "HEAD^{/first}"] {
        let error = failure(&repository, name);
        assert_eq!(error, Error::Search { revision: name.into() });
        assert_eq!(error.help().as_deref(), Some("pass the id that Git finds: `--rev \"$(git rev-parse REV)\"`"));
    }
}

#[test]
fn rejects_malformed_commit_or_tag_in_chain() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    let parent = repository.commit();
    let tree = repository.git(&["rev-parse", "HEAD^{tree}"]);
    let person = "a <a@example.com> 1700000000 +0000";
    for (kind, text) in [
        ("commit", String::new()),
        ("commit", "tree of nothing\n".to_owned()),
        ("commit", format!("parent {parent}\nauthor {person}\ncommitter {person}\n\n")),
        ("commit", format!("tree {tree}\nparent of nothing\nauthor {person}\ncommitter {person}\n\n")),
        ("commit", format!("tree {tree}\nparent {parent}\n")),
        ("tag", String::new()),
        ("tag", format!("object of nothing\ntype commit\ntag t\ntagger {person}\n\n")),
    ] {
        let file = repository.write("object", &text);
        let path = file.display().to_string();
        let id = repository.git(&["hash-object", "-w", "-t", kind, "--literally", &path]);
        fs::write(repository.path().join(".git/refs/heads/bad"), format!("{id}\n")).expect("it can be written");
        for name in [format!("{id}^"), "bad~1".to_owned(), "bad^{tree}:.agent".to_owned(), id[..12].to_owned() + "^{}^"]
        {
            // The tree of a commit that is cut off after its parents is known; its parents are not.
            let is_enough =
                text.starts_with("tree ") && text.contains(&tree) && !name.contains('^') && !name.contains('~');
            match open(&repository, &name) {
                Err(Error::Objects(bad)) => assert_eq!(bad[0].damage, Damage::Undecodable, "{kind} {text:?} {name}"),
                Err(error) => panic!("{kind} {text:?} {name}: {error:?}"),
                Ok(_) => assert!(is_enough || name.ends_with(":.agent"), "{kind} {text:?} {name}"),
            }
        }
    }
}

#[test]
fn detects_every_flipped_bit_in_commit() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    let first = repository.commit();
    repository.write(".agent/skills/b/SKILL.md", "b");
    let second = repository.commit();
    let path = repository.path().join(".git/objects").join(&second[..2]).join(&second[2..]);
    let sound = fs::read(&path).expect("it is there");
    fs::remove_file(&path).expect("it is there");
    let mut refused = 0;
    for bit in 0..sound.len() * 8 {
        let mut flipped = sound.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        fs::write(&path, flipped).expect("it can be written");
        match open(&repository, "main~1") {
            Ok(source) => {
                let Origin::Tree { commit, .. } = source.origin() else { panic!("it is not a tree") };
                assert_eq!(commit.map(|id| id.to_string()).as_ref(), Some(&first), "bit {bit}");
            }
            Err(_) => refused += 1,
        }
        fs::remove_file(&path).expect("it is there");
    }
    assert!(refused > sound.len() * 4, "most bits mean something");
}

#[test]
fn limits_tag_chain_to_16() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let mut target = "HEAD".to_owned();
    for number in 1..=17 {
        let name = format!("t{number}");
        repository.git(&["tag", "-am", "t", &name, &target]);
        target = name;
    }
    assert!(open(&repository, "t15").is_ok());
    assert!(matches!(failure(&repository, "t17"), Error::Revision { .. }));
}

#[test]
fn reports_commit_missing_in_shallow_clone() {
    let repository = merged();
    let clone = tempfile::tempdir().expect("a directory can be made");
    let from = format!("file://{}", repository.path().display());
    git(clone.path(), &["clone", "-q", "--depth=1", &from, "c"], &[]);
    let place = clone.path().join("c");
    let open = |name: &str| skilltree_git::open(&place, &Revision::Tree(name.into()), &Environment::default());
    assert_eq!(
        open("HEAD").expect("it is there").read(&default_roots(), BOUNDS).expect("it can be read").skills.len(),
        3
    );
    let error = open("HEAD~1").err().expect("it is not there");
    assert_eq!(error, Error::Shallow { revision: "HEAD~1".into() });
    assert!(error.help().is_some_and(|help| help.contains("fetch-depth: 2")));
}

#[test]
fn rejects_ambiguous_short_id() {
    let repository = Repository::new();
    let names: Vec<String> = (0..2_000).map(|number| format!("{number}")).collect();
    for name in &names {
        repository.write(name, name);
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let ids = repository.git(&[&["hash-object", "-w"], &names[..]].concat());
    let mut ids: Vec<&str> = ids.lines().collect();
    ids.sort_unstable();
    let mut pairs = ids.windows(2).map(|pair| (pair[0], pair[1]));
    let prefix = pairs.find(|(a, b)| a[..4] == b[..4]).map(|(id, _)| id[..4].to_owned());
    let error = failure(&repository, &prefix.expect("there are only 65,536 prefixes"));
    assert!(matches!(error, Error::Revision { .. }), "{error:?}");
}

#[test]
fn ignores_grafts_and_replacements() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    let first = repository.commit();
    repository.write(".agent/skills/b/SKILL.md", "b");
    let second = repository.commit();
    repository.write(".agent/skills/c/SKILL.md", "c");
    let third = repository.commit();
    fs::write(repository.path().join(".git/info/grafts"), format!("{third} {first}\n")).expect("it can be written");
    assert_eq!(commit_of(&repository, "HEAD~1"), Some(second.clone()));
    repository.git(&["replace", &third, &first]);
    assert_eq!(commit_of(&repository, "HEAD"), Some(third));
    assert_eq!(commit_of(&repository, "HEAD~1"), Some(second));
    let source = open(&repository, "HEAD").expect("it is there");
    assert_eq!(source.read(&default_roots(), BOUNDS).expect("it can be read").skills.len(), 3);
}

#[test]
fn names_missing_tree_of_commit() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.commit();
    let tree = repository.git(&["rev-parse", "HEAD^{tree}"]);
    fs::remove_file(repository.path().join(".git/objects").join(&tree[..2]).join(&tree[2..])).expect("it is there");
    let error = failure(&repository, "HEAD:.agent");
    let Error::Objects(bad) = &error else { panic!("{error:?}") };
    let [BadObject { path, id, damage }] = bad.as_slice() else { panic!("{error:?}") };
    assert_eq!((path.to_string().as_str(), id.to_string(), *damage), ("HEAD:.agent", tree, Damage::Missing));
    assert_eq!(error.help().as_deref(), Some("run `git fsck`"));
}
