//! Working trees: the files that git would add, and the directories that are never entered.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use skilltree_git::Revision;
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::Mode;
use skilltree_skills::source::{Error, Source};

use crate::source::repository::{Repository, git, pipe};
use crate::source::shown::{BOUNDS, default_roots, shown};

fn read(source: &Source) -> Parsed {
    source.read(&default_roots(), BOUNDS).expect("it can be read")
}

#[track_caller]
fn assert_shown(repository: &Repository, expected: &[&str]) {
    let expected: String = expected.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(shown(&read(&repository.open(&Revision::WorkTree))), expected);
}

/// The ids of the trees of the roots.
fn trees(repository: &Repository, revision: &Revision) -> Vec<Option<String>> {
    let source = repository.open(revision);
    let trees = source.trees(&read(&source)).expect("the ids can be computed");
    trees.into_iter().map(|tree| tree.map(|tree| tree.to_string())).collect()
}

#[test]
fn nested_repository_becomes_submodule() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.write(".agent/skills/tracked/SKILL.md", "tracked");
    repository.write(".gitignore", "/.agent/skills/ignored/\n");
    repository.commit();
    for name in ["nested", "ignored", "tracked"] {
        repository.git(&["init", "-q", &format!(".agent/skills/{name}")]);
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), name);
    }
    repository.git(&["init", "-q", "--separate-git-dir", ".git/apart", ".agent/skills/apart"]);
    repository.write(".agent/skills/apart/SKILL.md", "apart");
    repository.write(".agent/skills/g/deep/SKILL.md", "deep");
    repository.git(&["init", "-q", ".agent/skills/g/deep"]);
    fs::create_dir_all(repository.path().join(".agent/skills/none/.git/objects")).expect("a directory can be made");
    repository.write(".agent/skills/none/SKILL.md", "none");
    assert_shown(
        &repository,
        &[
            "root   .agent/skills",
            "skill  .agent/skills/a/SKILL.md",
            "skill  .agent/skills/apart Submodule Untracked",
            "beside .agent/skills/g/deep Submodule Untracked",
            "skill  .agent/skills/ignored Submodule Ignored",
            "skill  .agent/skills/nested Submodule Untracked",
            "skill  .agent/skills/none/SKILL.md Untracked",
            "skill  .agent/skills/tracked/SKILL.md",
        ],
    );
    for name in ["apart", "nested", "g/deep"] {
        let place = repository.path().join(".agent/skills").join(name);
        git(&place, &["commit", "-q", "--allow-empty", "-m", "x"], &[]);
    }
    repository.git(&["-c", "advice.addEmbeddedRepo=false", "add", "-A"]);
    let index = shown(&read(&repository.open(&Revision::Index)));
    let expected = shown(&read(&repository.open(&Revision::WorkTree)));
    assert_eq!(index, expected.replace("skill  .agent/skills/ignored Submodule Ignored\n", ""));
}

#[test]
fn reads_sparse_files_from_index() {
    for options in [&["--cone", "--sparse-index"][..], &["--cone", "--no-sparse-index"], &["--no-cone"]] {
        let repository = Repository::new();
        for name in ["a", "b", "c", "gone"] {
            repository.write(&format!(".agent/skills/{name}/SKILL.md"), name);
        }
        repository.write(".agent/skills/a/deep/er/x.md", "x");
        repository.link(".agent/skills/d", "../../elsewhere/d");
        repository.write("elsewhere/d/SKILL.md", "d");
        repository.write("src/x", "x");
        repository.commit();
        let before = (shown(&read(&repository.open(&Revision::WorkTree))), trees(&repository, &Revision::WorkTree));
        for kept in ["src", ".agent/skills/b"] {
            repository.git(&[&["sparse-checkout", "set"], options, &[kept]].concat());
            assert!(!repository.path().join(".agent/skills/a").exists(), "{options:?} {kept}");
            let source = repository.open(&Revision::WorkTree);
            let parsed = read(&source);
            assert_eq!(shown(&parsed), before.0, "{options:?} {kept}");
            assert_eq!(trees(&repository, &Revision::WorkTree), before.1, "{options:?} {kept}");
            let skills: Vec<_> = parsed.skills.iter().map(|skill| parsed.files[skill.file.index()].clone()).collect();
            let bodies = source.bodies(&skills).expect("they can be read again");
            assert_eq!(bodies.concat(), b"abcdgone", "{options:?} {kept}");
        }
        repository.git(&["sparse-checkout", "set", "--no-cone", "/.agent/skills/gone", "/.agent/skills/b"]);
        fs::remove_dir_all(repository.path().join(".agent/skills/gone")).expect("it is there");
        repository.write(".agent/skills/b/SKILL.md", "another");
        repository.write(".agent/skills/c/SKILL.md", "present");
        repository.write(".agent/skills/new/SKILL.md", "new");
        let source = repository.open(&Revision::WorkTree);
        let parsed = read(&source);
        let shown = shown(&parsed);
        assert!(!shown.contains("gone"), "what was deleted is not there: {shown}");
        assert!(shown.contains("skills/a/SKILL.md\n") && shown.contains("new/SKILL.md Untracked"), "{shown}");
        let skills: Vec<_> = parsed.skills.iter().map(|skill| parsed.files[skill.file.index()].clone()).collect();
        assert_eq!(source.bodies(&skills).expect("they can be read again").concat(), b"aanotherpresentdnew");
    }
}

#[test]
fn rejects_repository_as_root() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.git(&["init", "-q", ".agent/skills"]);
    assert_shown(&repository, &["root   .agent/skills Submodule Untracked"]);
}

#[test]
fn reads_link_target_from_file_without_symlinks() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.write("shared/b/SKILL.md", "b");
    repository.link(".agent/skills/alias", "../../shared/b");
    repository.link(".agent/skills/c/SKILL.md", "../a/SKILL.md");
    repository.link(".agent/skills/d/SKILL.md", "/etc/passwd");
    repository.link(".symphony", ".agent");
    repository.commit();
    let linked = shown(&read(&repository.open(&Revision::WorkTree)));
    let ids = trees(&repository, &Revision::WorkTree);
    for link in [".agent/skills/alias", ".agent/skills/c/SKILL.md", ".agent/skills/d/SKILL.md", ".symphony"] {
        let path = repository.path().join(link);
        let target = fs::read_link(&path).expect("it is a link");
        fs::remove_file(&path).expect("it can be removed");
        fs::write(&path, target.display().to_string()).expect("it can be written");
    }
    let typed = shown(&read(&repository.open(&Revision::WorkTree)));
    assert!(typed.contains("root   .symphony of .symphony/skills\n"), "the type of four files changed: {typed}");
    repository.git(&["config", "core.symlinks", "false"]);
    assert_eq!(shown(&read(&repository.open(&Revision::WorkTree))), linked);
    assert_eq!(trees(&repository, &Revision::WorkTree), ids);
    assert_eq!(trees(&repository, &Revision::Index), ids);
    // A text too long for any path leads nowhere.
    repository.write(".agent/skills/c/SKILL.md", "x".repeat(5_000));
    let long = shown(&read(&repository.open(&Revision::WorkTree)));
    assert!(long.contains("skill  .agent/skills/c/SKILL.md -> : Dangling\n"), "{long}");
}

#[test]
fn reads_modes_from_index_without_filemode() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    let script = repository.write(".agent/skills/a/run.sh", "x");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("a mode can be set");
    repository.commit();
    let ids = trees(&repository, &Revision::Index);
    fs::set_permissions(&script, fs::Permissions::from_mode(0o644)).expect("a mode can be set");
    let other = repository.path().join(".agent/skills/a/SKILL.md");
    fs::set_permissions(other, fs::Permissions::from_mode(0o755)).expect("a mode can be set");
    assert_ne!(trees(&repository, &Revision::WorkTree), ids);
    repository.git(&["config", "core.fileMode", "false"]);
    assert_eq!(trees(&repository, &Revision::WorkTree), ids);
    let expected =
        ["root   .agent/skills", "skill  .agent/skills/a/SKILL.md", "beside .agent/skills/a/run.sh executable"];
    assert_shown(&repository, &expected);
}

#[test]
fn respects_ignorecase() {
    let repository = Repository::new();
    repository.write(".agent/skills/Pdf/SKILL.md", "a");
    repository.commit();
    let place = |name: &str| repository.path().join(".agent/skills").join(name);
    fs::rename(place("Pdf"), place("pdf")).expect("it can be moved");
    assert_shown(&repository, &["root   .agent/skills", "skill  .agent/skills/pdf/SKILL.md Untracked"]);
    repository.git(&["config", "core.ignoreCase", "true"]);
    assert_shown(&repository, &["root   .agent/skills", "skill  .agent/skills/pdf/SKILL.md"]);
    repository.git(&["init", "-q", ".agent/skills/pdf"]);
    assert_shown(&repository, &["root   .agent/skills", "skill  .agent/skills/pdf/SKILL.md"]);
    // On such a file system both names are one file. The name in the index is shown.
    let repository = Repository::new();
    repository.write(".agent/skills/pdf/SKILL.md", "a");
    repository.commit();
    repository.git(&["config", "core.ignoreCase", "true"]);
    let place = repository.path().join(".agent/skills/pdf");
    fs::hard_link(place.join("SKILL.md"), place.join("Skill.md")).expect("a file has two names");
    let skill = "skill  .agent/skills/pdf/SKILL.md";
    assert_shown(&repository, &["root   .agent/skills", skill, skill]);
}

#[test]
fn line_endings_of_checkout_keep_id() {
    let repository = Repository::new();
    let text = "---\nname: a\ndescription: b\n---\nRead.\n";
    repository.write(".agent/skills/a/SKILL.md", text);
    repository.write(".agent/skills/mixed/SKILL.md", "one\r\ntwo\n");
    repository.write(".agent/skills/a/notes.txt", text);
    repository.commit();
    let (ids, before) = (trees(&repository, &Revision::Index), read(&repository.open(&Revision::Index)));
    repository.git(&["config", "core.autocrlf", "true"]);
    fs::remove_dir_all(repository.path().join(".agent")).expect("it can be removed");
    repository.git(&["checkout", "-q", "--", ".agent"]);
    let on_disk = fs::read_to_string(repository.path().join(".agent/skills/a/SKILL.md")).expect("it is there");
    assert_eq!(on_disk, text.replace('\n', "\r\n"));
    assert_eq!(trees(&repository, &Revision::WorkTree), ids);
    let source = repository.open(&Revision::WorkTree);
    let parsed = read(&source);
    let id = |parsed: &Parsed| {
        parsed.files.iter().map(|file| (file.path.clone(), file.id)).find(|(path, _)| path.ends_with(b"a/SKILL.md"))
    };
    assert_eq!(id(&parsed), id(&before));
    let skill = parsed.file(parsed.skills[0].file).clone();
    assert_eq!(source.bodies(&[skill]), Ok(vec![on_disk.into_bytes()]), "what is shown is what is on the disk");
    // Another text has another id, whatever its line ends are.
    repository.write(".agent/skills/a/SKILL.md", text.replace('\n', "\r\n").replace("Read", "Write"));
    assert_ne!(trees(&repository, &Revision::WorkTree), ids);
}

#[test]
fn follows_no_link_outside_working_tree() {
    let outside = tempfile::tempdir().expect("a directory can be made");
    fs::create_dir_all(outside.path().join("skills/evil")).expect("a directory can be made");
    fs::write(outside.path().join("skills/evil/SKILL.md"), "---\nname: evil\n---\n").expect("it can be written");
    pipe(&outside.path().join("skills/pipe/SKILL.md"));
    let target = outside.path().display().to_string();
    let name = outside.path().file_name().expect("it has one").to_string_lossy().into_owned();
    for (link, to) in [
        (".agent", target.clone()),
        (".agent/skills", format!("{target}/skills")),
        (".agent/skills", format!("../../{name}/skills")),
        (".agent/skills/evil", format!("{target}/skills/evil")),
        (".agent/skills/evil/SKILL.md", format!("{target}/skills/pipe/SKILL.md")),
        (".agent/skills/evil/SKILL.md", format!("../../../../{name}/skills/evil/SKILL.md")),
    ] {
        let repository = Repository::new();
        repository.link(link, &to);
        let parsed = read(&repository.open(&Revision::WorkTree));
        let found = shown(&parsed);
        assert!(found.contains(": Absolute") || found.contains(": Outside"), "{link} -> {to}: {found}");
        assert!(parsed.skills.iter().all(|skill| parsed.file(skill.file).mode == Mode::Link), "{found}");
    }
}

#[test]
fn follows_no_link_created_during_read() {
    let repository = Repository::new();
    let outside = tempfile::tempdir().expect("a directory can be made");
    for (moved, name) in [(".agent", ".agent"), (".agent/skills/a", "a"), (".agent/skills/a/SKILL.md", "SKILL.md")] {
        let (inside, elsewhere) = (repository.path().join(moved), outside.path().join(name));
        repository.write(".agent/skills/a/SKILL.md", "a");
        let source = repository.open(&Revision::WorkTree);
        let parsed = read(&source);
        fs::rename(&inside, &elsewhere).expect("it can be moved");
        symlink(&elsewhere, &inside).expect("a link can be made");
        let skill = parsed.file(parsed.skills[0].file).clone();
        let expected = Error::Changed { path: ".agent/skills/a/SKILL.md".into() };
        assert_eq!(source.bodies(&[skill]), Err(expected), "{moved}");
        fs::remove_file(&inside).expect("it can be removed");
    }
}

#[test]
fn reports_file_that_vanishes_or_becomes_pipe() {
    let repository = Repository::new();
    let path = repository.write(".agent/skills/a/SKILL.md", "a");
    let source = repository.open(&Revision::WorkTree);
    let parsed = read(&source);
    let skill = [parsed.file(parsed.skills[0].file).clone()];
    fs::remove_file(&path).expect("it is there");
    assert!(matches!(source.bodies(&skill), Err(Error::Unreadable { .. })));
    pipe(&path);
    assert_eq!(source.bodies(&skill), Err(Error::Changed { path: ".agent/skills/a/SKILL.md".into() }));
}
