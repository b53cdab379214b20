//! One commit in every form in which git can store it.
#![allow(clippy::disallowed_methods, reason = "a test makes what it reads")]

use std::fs;
use std::path::Path;

use bstr::ByteSlice;
use skilltree_git::{Environment, Revision};
use skilltree_skills::skill::Parsed;
use skilltree_skills::snapshot::{Body, Origin, Role, State};
use skilltree_skills::source::{self, Error, Source};

use crate::source::repository::{Repository, git};
use crate::source::shown::{BOUNDS, default_roots, roots, shown};

fn read(source: &Source) -> Parsed {
    source.read(&default_roots(), BOUNDS).expect("the source can be read")
}

fn head() -> Revision {
    Revision::Tree("HEAD".into())
}

/// A snapshot without its origin and without the ids that only git knows without reading the file.
fn comparable(mut parsed: Parsed) -> Parsed {
    parsed.origin = Origin::Memory;
    for file in &mut parsed.files {
        // Only a working tree has stamps.
        file.stamp = None;
        if file.role == Role::Other {
            file.id = None;
        }
    }
    parsed
}

fn fill(repository: &Repository) {
    for (path, text) in [
        (".agent/skills/pdf/SKILL.md", "---\nname: pdf\n---\nRead.\n"),
        (".agent/skills/pdf/scripts/run.sh", "#!/bin/sh\n"),
        (".agent/skills/pdf-old/Skill.md", "old"),
        (".agent/skills/a/b/SKILL.md", "deep"),
        (".symphony/skills/z/SKILL.md", "---\r\nname: z\r\n---\r\n"),
        ("shared/linked/SKILL.md", "linked"),
        ("README.md", "readme"),
    ] {
        repository.write(path, text);
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let script = repository.path().join(".agent/skills/pdf/scripts/run.sh");
        fs::set_permissions(script, fs::Permissions::from_mode(0o755)).expect("a mode can be set");
        repository.link(".agent/skills/alias", "pdf");
        repository.link(".agent/skills/linked", "../../shared/linked");
        repository.link(".agent/skills/through/SKILL.md", "../../../shared/linked/SKILL.md");
        repository.link(".agent/skills/gone", "nowhere");
        repository.link(".agent/skills/etc", "/etc");
    }
}

#[cfg(unix)]
#[test]
fn reads_commit_equally_in_every_state() {
    for format in ["--object-format=sha1", "--object-format=sha256"] {
        let repository = Repository::with(&[format]);
        fill(&repository);
        let commit = repository.commit();
        let tree = comparable(read(&repository.open(&head())));
        assert_eq!(
            shown(&tree),
            "root   .agent/skills\n\
             skill  .agent/skills/a/b/SKILL.md\n\
             beside .agent/skills/alias -> pdf: Directory(\".agent/skills/pdf\")\n\
             skill  .agent/skills/etc -> /etc: Absolute\n\
             skill  .agent/skills/gone -> nowhere: Dangling\n\
             beside .agent/skills/linked -> ../../shared/linked: Directory(\"shared/linked\")\n\
             skill  .agent/skills/linked/SKILL.md through shared/linked/SKILL.md\n\
             skill  .agent/skills/pdf-old/Skill.md\n\
             skill  .agent/skills/pdf/SKILL.md\n\
             beside .agent/skills/pdf/scripts/run.sh executable\n\
             skill  .agent/skills/through/SKILL.md -> ../../../shared/linked/SKILL.md: \
             File(\"shared/linked/SKILL.md\") through shared/linked/SKILL.md\n\
             root   .symphony/skills\n\
             skill  .symphony/skills/z/SKILL.md\n",
        );
        let same = |name: &str, source: &Source| assert_eq!(comparable(read(source)), tree, "{name} {format}");
        same("index", &repository.open(&Revision::Index));
        same("work tree", &repository.open(&Revision::WorkTree));
        same("commit", &repository.open(&Revision::Tree(commit.clone())));
        let bare = tempfile::tempdir().expect("a directory can be made");
        repository.git(&["clone", "-q", "--bare", ".", &bare.path().display().to_string()]);
        let open = |revision: &Revision| skilltree_git::open(bare.path(), revision, &Environment::default());
        same("bare", &open(&head()).expect("it opens"));
        assert_eq!(open(&Revision::WorkTree).err(), Some(Error::NoWorkTree));
        assert_eq!(open(&Revision::Index).err(), Some(Error::NoWorkTree));
        let linked = tempfile::tempdir().expect("a directory can be made");
        repository.git(&["worktree", "add", "-q", "--detach", &linked.path().join("w").display().to_string()]);
        for revision in [head(), Revision::Index, Revision::WorkTree] {
            let source = skilltree_git::open(&linked.path().join("w/shared"), &revision, &Environment::default());
            same("linked working tree", &source.expect("it opens"));
        }
        repository.git(&["gc", "-q"]);
        same("pack", &repository.open(&head()));
        for version in ["2", "3", "4"] {
            repository.git(&["update-index", "--index-version", version]);
            same("index version", &repository.open(&Revision::Index));
        }
        repository.git(&["update-index", "--split-index"]);
        same("split index", &repository.open(&Revision::Index));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread can be made");
        pool.install(|| same("one thread", &repository.open(&head())));
    }
}

#[cfg(unix)]
#[test]
fn root_trees_have_git_ids() {
    let repository = Repository::new();
    fill(&repository);
    repository.write(".gitignore", "*.log\n");
    repository.commit();
    repository.write(".agent/skills/pdf/x.log", "ignored");
    let expected =
        [".symphony/skills", ".agent/skills"].map(|root| Some(repository.git(&["rev-parse", &format!("HEAD:{root}")])));
    for revision in [head(), Revision::Index, Revision::WorkTree] {
        let source = repository.open(&revision);
        let trees = source.trees(&read(&source)).expect("the ids can be computed");
        let trees: Vec<Option<String>> = trees.into_iter().map(|tree| Some(tree?.to_string())).collect();
        assert_eq!(trees, expected, "{revision:?}");
        assert_eq!(source.time(), Some(1_700_000_001), "{revision:?}");
    }
    repository.write(".agent/skills/new/SKILL.md", "new");
    let source = repository.open(&Revision::WorkTree);
    let tree = source.trees(&read(&source)).expect("the ids can be computed")[1];
    repository.git(&["add", "-A"]);
    let written = repository.git(&["write-tree"]);
    assert_eq!(
        tree.map(|tree| tree.to_string()),
        Some(repository.git(&["rev-parse", &format!("{written}:.agent/skills")]))
    );
}

#[test]
fn accepts_every_tree_ish() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "one");
    let first = repository.commit();
    repository.git(&["tag", "-am", "t", "v1"]);
    repository.git(&["tag", "-am", "tt", "v1.1", "v1"]);
    repository.write(".agent/skills/a/SKILL.md", "two");
    let second = repository.commit();
    let tree = repository.git(&["rev-parse", "HEAD^{tree}"]);
    for (name, commit) in [
        ("HEAD", Some(&second)),
        ("main", Some(&second)),
        ("HEAD~1", Some(&first)),
        ("v1", Some(&first)),
        ("v1.1", Some(&first)),
        ("v1^{}", Some(&first)),
        ("v1^{commit}", Some(&first)),
        (&second[..8], Some(&second)),
        ("HEAD^{tree}", Some(&second)),
        (&tree, None),
    ] {
        let source = repository.open(&Revision::Tree(name.into()));
        let Origin::Tree { revision, commit: found } = source.origin() else { panic!("{name} is not a tree") };
        assert_eq!(revision, name);
        assert_eq!(found.map(|id| id.to_string()).as_ref(), commit, "{name}");
        assert_eq!(source.time(), commit.map(|_| 1_700_000_001), "{name}");
        assert_eq!(read(&source).skills.len(), 1, "{name}");
    }
    let fails = |name: &str| repository.try_open(&Revision::Tree(name.into())).err().expect("it names no tree");
    assert_eq!(fails("mian"), Error::Revision { revision: "mian".into(), nearest: vec!["main".into()] });
    let blob = repository.git(&["rev-parse", "HEAD:.agent/skills/a/SKILL.md"]);
    assert!(matches!(fails(&blob), Error::Revision { .. }));
    assert!(matches!(fails(&"0".repeat(40)), Error::Objects(_)));
    assert!(matches!(fails(""), Error::Revision { .. }));
    assert!(matches!(fails("HEAD..main"), Error::Revision { .. }));
}

#[test]
fn unborn_branch_has_index_only() {
    let repository = Repository::new();
    let source = repository.open(&Revision::Index);
    assert_eq!((read(&source).files, source.time()), (Vec::new(), None));
    assert_eq!(repository.try_open(&head()).err(), Some(Error::Unborn { revision: "HEAD".into() }));
    repository.write(".agent/skills/a/SKILL.md", "one");
    assert_eq!(read(&repository.open(&Revision::Index)).skills.len(), 0);
    assert_eq!(read(&repository.open(&Revision::WorkTree)).skills.len(), 1);
    repository.git(&["add", "-A"]);
    assert_eq!(read(&repository.open(&Revision::Index)).skills.len(), 1);
}

#[test]
fn reads_directory_outside_repository() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    let place = directory.path();
    let none = skilltree_git::open(place, &Revision::Index, &Environment::default()).err();
    assert_eq!(none, Some(Error::NoRepository { place: place.to_owned() }));
    fs::create_dir_all(place.join("skills/pdf")).expect("a directory can be made");
    fs::create_dir_all(place.join("skills/other")).expect("a directory can be made");
    fs::write(place.join("skills/pdf/SKILL.md"), "text").expect("a file can be written");
    fs::write(place.join("skills/other/SKILL.md"), "text").expect("a file can be written");
    let one = "root   skills\nskill  skills/pdf/SKILL.md\n";
    let two = "root   skills\nskill  skills/other/SKILL.md\nskill  skills/pdf/SKILL.md\n";
    for (named, expected) in [("skills", two), ("skills/pdf", one), ("skills/pdf/SKILL.md", one)] {
        let source = skilltree_git::directory(place, Path::new(named)).expect("it is there");
        assert_eq!(shown(&read(&source)), expected, "{named}");
        assert!(source.repository_path(&place.join(named)).is_some_and(|path| path.starts_with(b"skills")), "{named}");
    }
    // From anywhere else but above, the root is known by its name; none of its characters is a wildcard.
    let source = skilltree_git::directory(&place.join("skills"), Path::new(".")).expect("it is there");
    assert_eq!(shown(&read(&source)), two);
    fs::create_dir(place.join("all")).expect("a directory can be made");
    fs::rename(place.join("skills"), place.join("all/[s]kills")).expect("a directory can be moved");
    for named in ["all/[s]kills", "./all/../all/[s]kills"] {
        let source = skilltree_git::directory(place, Path::new(named)).expect("it is there");
        assert_eq!(shown(&read(&source)), two.replace("skills", "all/[s]kills"), "{named}");
    }
    fs::rename(place.join("all/[s]kills"), place.join("skills")).expect("a directory can be moved");
    fs::create_dir_all(place.join(".agent")).expect("a directory can be made");
    fs::rename(place.join("skills"), place.join(".agent/skills")).expect("a directory can be moved");
    let source = skilltree_git::directory(place, Path::new("")).expect("it is there");
    assert_eq!(shown(&read(&source)), two.replace("skills", ".agent/skills"));
    assert!(skilltree_git::directory(place, Path::new("nothing")).is_err());
    fs::write(place.join("notes.md"), "text").expect("a file can be written");
    let error = skilltree_git::directory(place, Path::new("notes.md")).err().expect("it is not a skill");
    assert_eq!(error.to_string(), "`notes.md` is neither a directory nor a SKILL.md");
    assert_eq!(error.help().as_deref(), Some("read it from standard input: `skilltree check - < notes.md`"));
}

#[test]
fn reads_skill_from_standard_input() {
    let source = source::standard_input(b"---\nname: \"pdf\"\n---\n".to_vec());
    assert_eq!(shown(&read(&source)), "root   stdin\nskill  stdin/pdf/SKILL.md\n");
    let source = source::standard_input(b"---\nname: ../../x\n---\n".to_vec());
    assert_eq!(shown(&read(&source)), "root   stdin\nskill  stdin/skill/SKILL.md\n");
}

#[test]
fn maps_file_system_path_to_repository_path() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "one");
    let source = repository.open(&Revision::WorkTree);
    let path = |path: &str| source.repository_path(&repository.path().join(path)).map(|path| path.to_string());
    assert_eq!(path(".agent/skills/a").as_deref(), Some(".agent/skills/a"));
    assert_eq!(path(".agent/../.agent/./skills").as_deref(), Some(".agent/skills"));
    assert_eq!(path("not/there").as_deref(), Some("not/there"));
    assert_eq!(path("").as_deref(), Some(""));
    assert_eq!(path("../elsewhere"), None);
}

#[test]
fn marks_untracked_files() {
    let repository = Repository::new();
    repository.write(".gitignore", "/.agent/skills/ignored/\n*.tmp\n");
    repository.write(".agent/skills/a/SKILL.md", "one");
    repository.write(".agent/skills/a/.gitignore", "secret*\n");
    repository.commit();
    repository.write(".agent/skills/ignored/SKILL.md", "x");
    repository.write(".agent/skills/new/SKILL.md", "x");
    repository.write(".agent/skills/a/secret.txt", "x");
    repository.write(".agent/skills/a/x.tmp", "x");
    repository.write(".agent/skills/intended/SKILL.md", "x");
    repository.git(&["add", "-N", ".agent/skills/intended/SKILL.md"]);
    repository.write(".agent/skills/forced/a.tmp", "x");
    repository.git(&["add", "-f", ".agent/skills/forced/a.tmp"]);
    repository.git(&["init", "-q", ".agent/skills/nested"]);
    repository.write(".agent/skills/nested/SKILL.md", "x");
    repository.write(".agent/skills/a/SKILL.md", "changed");
    let expected = "root   .agent/skills\n\
        beside .agent/skills/a/.gitignore\n\
        skill  .agent/skills/a/SKILL.md\n\
        beside .agent/skills/a/secret.txt Ignored\n\
        beside .agent/skills/a/x.tmp Ignored\n\
        beside .agent/skills/forced/a.tmp\n\
        skill  .agent/skills/ignored/SKILL.md Ignored\n\
        skill  .agent/skills/intended/SKILL.md Untracked\n\
        skill  .agent/skills/nested Submodule Untracked\n\
        skill  .agent/skills/new/SKILL.md Untracked\n";
    let source = repository.open(&Revision::WorkTree);
    let parsed = read(&source);
    assert_eq!(shown(&parsed), expected);
    let changed = parsed.files.iter().find(|file| file.path == ".agent/skills/a/SKILL.md").expect("it is there");
    assert_eq!(changed.id.map(|id| id.to_string()), Some(repository.git(&["hash-object", ".agent/skills/a/SKILL.md"])));
    assert!(parsed.files.iter().all(|file| file.state == State::Tracked || file.body != Body::Absent));
    assert_eq!(source.bodies(std::slice::from_ref(changed)), Ok(vec![b"changed".to_vec()]));
    repository.write(".agent/skills/a/SKILL.md", "changed again");
    let again = source.bodies(std::slice::from_ref(changed));
    assert_eq!(again, Err(Error::Changed { path: ".agent/skills/a/SKILL.md".into() }));
    let index = repository.open(&Revision::Index);
    assert_eq!(shown(&read(&index)).lines().filter(|line| line.starts_with("skill")).count(), 1);
}

#[test]
fn reads_index_of_hook() {
    let repository = Repository::new();
    let path = ".agent/skills/a/SKILL.md";
    repository.write(path, "committed");
    repository.commit();
    repository.write(path, "staged");
    repository.git(&["add", "-A"]);
    repository.write(path, "on disk");
    // `git commit -a` creates a separate index and passes it to the hook.
    let git_dir = repository.path().join(".git");
    fs::copy(git_dir.join("index"), git_dir.join("index.lock.test")).expect("the index can be copied");
    git(repository.path(), &["add", "-u"], &[("GIT_INDEX_FILE", ".git/index.lock.test")]);
    let text = |environment: &Environment| {
        let source = skilltree_git::open(repository.path(), &Revision::Index, environment).expect("it opens");
        let file = source.file(path.as_bytes().as_bstr()).expect("it can be read").expect("it is there");
        let Body::Text(text) = file.body else { panic!("it is not text") };
        String::from_utf8(text).expect("it is UTF-8")
    };
    assert_eq!(text(&Environment::default()), "staged");
    let relative = Environment { index_file: Some(".git/index.lock.test".into()), ..Environment::default() };
    assert_eq!(text(&relative), "on disk");
    let absolute = Environment {
        git_dir: Some(git_dir.clone()),
        index_file: Some(git_dir.join("index.lock.test")),
        ..Environment::default()
    };
    assert_eq!(text(&absolute), "on disk");
}

#[test]
fn reads_unusual_index_entries_like_git() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.write(".agent/skills/b/SKILL.md", "b");
    repository.write(".agent/skills/c/SKILL.md", "c");
    let commit = repository.commit();
    repository.git(&["update-index", "--assume-unchanged", ".agent/skills/a/SKILL.md"]);
    repository.git(&["update-index", "--skip-worktree", ".agent/skills/b/SKILL.md"]);
    repository.stage("160000", &commit, ".agent/skills/sub");
    repository.stage("160000", &commit, ".symphony");
    let blob = repository.git(&["rev-parse", "HEAD:.agent/skills/a/SKILL.md"]);
    repository.git(&["rm", "-q", "--cached", ".agent/skills/c/SKILL.md"]);
    let stages = format!("100644 {blob} 1\t.agent/skills/c/SKILL.md\n100644 {blob} 2\t.agent/skills/c/SKILL.md\n");
    let file = repository.write("stages", stages);
    let shell = format!("git update-index --index-info < '{}'", file.display());
    repository.git(&["-c", &format!("alias.x=!{shell}"), "x"]);
    let expected = "root   .agent/skills\n\
        skill  .agent/skills/a/SKILL.md\n\
        skill  .agent/skills/b/SKILL.md\n\
        skill  .agent/skills/c/SKILL.md Unmerged\n\
        skill  .agent/skills/sub Submodule\n\
        root   .symphony of .symphony/skills Submodule\n";
    let source = repository.open(&Revision::Index);
    let parsed = read(&source);
    assert_eq!(shown(&parsed), expected);
    assert_eq!(source.trees(&parsed), Ok(vec![None, None]));
}

#[test]
fn sparse_index_shows_skills() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.write("src/x", "x");
    repository.commit();
    repository.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "src"]);
    assert!(repository.git(&["ls-files", "--sparse"]).contains(".agent/\n"), "the directory is outside the cone");
    let source = repository.open(&Revision::Index);
    let parsed = read(&source);
    assert_eq!(shown(&parsed), "root   .agent/skills\nskill  .agent/skills/a/SKILL.md\n");
    let tree = repository.git(&["rev-parse", "HEAD:.agent/skills"]);
    assert_eq!(source.trees(&parsed).expect("it is known")[0].map(|id| id.to_string()), Some(tree));
}

#[test]
fn reads_quarantined_objects() {
    let repository = Repository::new();
    repository.commit();
    let server = tempfile::tempdir().expect("a directory can be made");
    repository.git(&["clone", "-q", "--bare", ".", &server.path().display().to_string()]);
    repository.write(".agent/skills/a/SKILL.md", "pushed");
    let pushed = repository.commit();
    let environment = Environment {
        git_dir: Some(".".into()),
        object_directory: Some(repository.path().join(".git/objects")),
        alternates: vec!["objects".into()],
        ..Environment::default()
    };
    let revision = Revision::Tree(pushed);
    let without = skilltree_git::open(server.path(), &revision, &Environment::default()).err();
    assert!(matches!(without, Some(Error::Objects(_))), "{without:?}");
    let source = skilltree_git::open(server.path(), &revision, &environment).expect("it opens");
    assert_eq!(read(&source).skills.len(), 1);
}

#[test]
fn skips_body_of_oversized_file() {
    let repository = Repository::new();
    repository.write("s/a/SKILL.md", "x".repeat(5_000));
    repository.commit();
    let mut set = roots(&["s"]);
    set.file_bytes = 4_999;
    for revision in [head(), Revision::Index, Revision::WorkTree] {
        let parsed = repository.open(&revision).read(&set, BOUNDS).expect("it can be read");
        assert_eq!(parsed.files[1].body, Body::TooLarge { bytes: 5_000 }, "{revision:?}");
    }
}

#[cfg(unix)]
#[test]
fn lists_pipe_as_special_without_opening() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", "a");
    repository.write(".agent/skills/b/x", "b");
    let pipe = repository.path().join(".agent/skills/b/SKILL.md");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is installed");
    assert!(made.success());
    repository.link(".agent/skills/c/SKILL.md", "../b/SKILL.md");
    let expected = "root   .agent/skills\n\
        skill  .agent/skills/a/SKILL.md Untracked\n\
        skill  .agent/skills/b/SKILL.md Special\n\
        beside .agent/skills/b/x Untracked\n\
        skill  .agent/skills/c/SKILL.md -> ../b/SKILL.md: Dangling Untracked\n";
    assert_eq!(shown(&read(&repository.open(&Revision::WorkTree))), expected);
}

#[test]
fn rejects_unknown_repository_format() {
    for (name, value) in [("core.repositoryFormatVersion", "99"), ("extensions.tomorrow", "true")] {
        let repository = Repository::new();
        repository.commit();
        repository.git(&["config", "core.repositoryFormatVersion", "1"]);
        assert!(repository.try_open(&head()).is_ok());
        repository.git(&["config", name, value]);
        let error = repository.try_open(&head()).err();
        assert!(matches!(error, Some(Error::Format { .. })), "{name}: {error:?}");
    }
}
