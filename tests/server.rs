//! The hooks of docs/server.md, word for word, on servers that real pushes go to.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test makes what it judges, and fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

mod common;

use common::{Repository, git, good, program};

const SKILL: &str = ".agent/skills/pdf/SKILL.md";

/// The first script of the page, which judges what is pushed, and the second, which judges what is new in it.
fn script(number: usize) -> String {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/server.md")).unwrap();
    let script = page.split("```sh\n").nth(number).unwrap().split("```").next().unwrap();
    script.to_owned()
}

/// A bare repository with a hook, and the program on the path of whoever pushes.
struct Server {
    _directory: TempDir,
    place: PathBuf,
    path: String,
}

impl Server {
    fn new(script: &str, options: &[&str]) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("server.git");
        git(directory.path(), &[&["init", "--quiet", "--bare"], options, &["server.git"]].concat(), &[]);
        hook(&place, script);
        let path = std::env::var("PATH").unwrap();
        let path = format!("{}:{path}", program().parent().unwrap().display());
        Self { _directory: directory, place, path }
    }

    /// Pushes; gives whether the push was let in, and what was said.
    fn push(&self, from: &Repository, arguments: &[&str]) -> (bool, String) {
        let place = self.place.display().to_string();
        let words = [&["push", "--quiet", &place], arguments].concat();
        let output = git(from.path(), &words, &[("PATH", &self.path)]);
        (output.status.success(), String::from_utf8(output.stderr).unwrap())
    }

    fn refs(&self) -> String {
        String::from_utf8(git(&self.place, &["for-each-ref"], &[]).stdout).unwrap()
    }
}

fn hook(server: &Path, script: &str) {
    let hook = server.join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, script).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Every file below a directory with its bytes.
fn files(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    files
}

fn broken(name: &str) -> String {
    good(name).replace("description: Does", "description: Note: does")
}

#[test]
fn the_script_has_five_lines() {
    let script = script(1);
    assert_eq!(script.lines().count(), 5, "{script}");
    assert!(script.contains("skilltree check --rev"), "{script}");
}

#[test]
fn a_good_push_is_let_in_and_a_broken_one_is_not() {
    for format in ["sha1", "sha256"] {
        for limit in ["1", "10000"] {
            // Below the limit pushed objects are loose, from it on they stay a pack.
            let server = Server::new(&script(1), &["--object-format", format]);
            git(&server.place, &["config", "receive.unpackLimit", limit], &[]);
            let repository = Repository::with(&["--object-format", format]);
            repository.skill(".agent/skills", "pdf").commit();
            let (let_in, said) = server.push(&repository, &["main"]);
            assert!(let_in, "{format} {limit}: {said}");
            let before = (server.refs(), files(&server.place));
            repository.write(SKILL, broken("pdf")).commit();
            let (let_in, said) = server.push(&repository, &["main"]);
            assert!(!let_in, "{format} {limit}");
            assert!(said.contains("SKILL.md:3:") && said.contains("error[invalid-yaml]"), "{said}");
            assert_eq!((server.refs(), files(&server.place)), before, "{format} {limit}: nothing was left behind");
            repository.write(SKILL, good("pdf").replace("Do it", "Do it well")).commit();
            let (let_in, said) = server.push(&repository, &["main"]);
            assert!(let_in, "{format} {limit}: the end of the push is good: {said}");
        }
    }
}

#[test]
fn every_branch_and_tag_of_a_push_is_judged() {
    let server = Server::new(&script(1), &[]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    repository.git(&["checkout", "--quiet", "-b", "bad"]);
    repository.write(SKILL, broken("pdf")).commit();
    repository.git(&["tag", "--annotate", "--message", "v1", "v1"]);
    for names in [&["main", "bad"][..], &["main", "v1"], &["v1"]] {
        let (let_in, said) = server.push(&repository, names);
        assert!(!let_in && said.contains("invalid-yaml"), "{names:?}: {said}");
        assert_eq!(server.refs(), "");
    }
    let (let_in, said) = server.push(&repository, &["main", "main:refs/tags/v2", "main:other"]);
    assert!(let_in, "{said}");
    let (let_in, said) = server.push(&repository, &["--delete", "other", "v2"]);
    assert!(let_in, "nothing is judged where a name is deleted: {said}");
    let blob = repository.git(&["rev-parse", &format!("main:{SKILL}")]);
    let (let_in, said) = server.push(&repository, &[&format!("{blob}:refs/tags/blob")]);
    assert!(!let_in && said.contains("names no commit, tag or tree"), "{said}");
}

#[test]
fn a_fork_on_the_server_is_judged_with_the_objects_that_it_shares() {
    let server = Server::new(&script(1), &[]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    assert!(server.push(&repository, &["main"]).0);
    let parent = server.place.parent().unwrap();
    git(parent, &["clone", "--quiet", "--bare", "--shared", "server.git", "fork.git"], &[]);
    let fork = parent.join("fork.git");
    fs::write(fork.join("objects/info/alternates"), "../../server.git/objects\n").unwrap();
    hook(&fork, &script(1));
    let fork = Server { place: fork, path: server.path.clone(), _directory: tempfile::tempdir().unwrap() };
    repository.skill(".agent/skills", "other").commit();
    let (let_in, said) = fork.push(&repository, &["main:topic"]);
    assert!(let_in, "{said}");
    repository.write(SKILL, broken("pdf")).commit();
    let (let_in, said) = fork.push(&repository, &["main:topic"]);
    assert!(!let_in && said.contains("invalid-yaml"), "{said}");
}

#[test]
fn what_was_wrong_before_refuses_no_push_where_the_page_says_so() {
    let server = Server::new(&script(2), &[]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    assert!(server.push(&repository, &["main"]).0);
    fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
    repository.write(".agent/skills/old/SKILL.md", broken("old")).commit();
    assert!(server.push(&repository, &["main"]).0, "without the hook everything is let in");
    hook(&server.place, &script(2));
    repository.write(SKILL, good("pdf").replace("Do it", "Do it well")).commit();
    let (let_in, said) = server.push(&repository, &["main"]);
    assert!(let_in, "{said}");
    repository.write(SKILL, broken("pdf")).commit();
    let (let_in, said) = server.push(&repository, &["main"]);
    assert!(!let_in && said.contains("pdf/SKILL.md:3:") && !said.contains("old/SKILL.md"), "{said}");
    let (let_in, _) = server.push(&repository, &["main:new"]);
    assert!(!let_in, "a new branch is judged as it is");
}

/// A tag of the branch's name is what git would read in its place, and everybody may push one.
#[test]
fn a_pushed_tag_does_not_become_what_a_push_is_judged_by() {
    let hook = |options: &str| format!("#!/bin/sh\nexec skilltree hook run pre-receive -- {options}\n");
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/server.md")).unwrap();
    let whole = "--config-from refs/heads/main";
    assert!(page.contains(whole));
    for (options, said_of_it) in [
        (whole, "error[invalid-yaml]"),
        ("--config-from main", "`main` is the name of 2 references: `refs/tags/main`, `refs/heads/main`"),
        ("--base main", "`main` is the name of 2 references: `refs/tags/main`, `refs/heads/main`"),
    ] {
        let server = Server::new("#!/bin/sh\n", &[]);
        let repository = Repository::new();
        repository.skill(".agent/skills", "pdf").commit();
        assert!(server.push(&repository, &["main"]).0);
        self::hook(&server.place, &hook(options));
        repository.git(&["checkout", "--quiet", "-b", "evil"]);
        repository.write("skilltree.toml", "[rules]\ninvalid-yaml = \"off\"\n");
        if options.contains("--base") {
            fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
            repository.write(SKILL, broken("pdf"));
        }
        repository.commit();
        assert!(server.push(&repository, &["evil:refs/tags/main"]).0, "nothing of it is wrong yet");
        self::hook(&server.place, &hook(options));
        repository.write(SKILL, broken("pdf").replace("Do it", "Do it well")).commit();
        let (let_in, said) = server.push(&repository, &["evil:refs/heads/evil"]);
        assert!(!let_in && said.contains(said_of_it), "{options}: {said}");
    }
}
