//! The hooks of docs/server.md, word for word, on servers that real pushes go to.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::common::{self, Repository, git, good, program, write_script};

const SKILL: &str = ".agent/skills/pdf/SKILL.md";

/// The first script of the page, which checks the pushed commit, and the second, which checks only new findings.
fn script(number: usize) -> String {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/server.md")).unwrap();
    let script = page.split("```sh\n").nth(number).unwrap().split("```").next().unwrap();
    script.to_owned()
}

/// A bare repository with a hook, and a PATH that contains the program.
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

    /// Pushes; returns whether the push was accepted, and the messages.
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
    write_script(&hook, script);
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
fn script_has_five_lines() {
    let script = script(1);
    assert_eq!(script.lines().count(), 5, "{script}");
    assert!(script.contains("skilltree check --rev"), "{script}");
}

#[test]
fn accepts_good_push_and_rejects_broken_push() {
    for format in ["sha1", "sha256"] {
        for limit in ["1", "10000"] {
            // Below the limit pushed objects are loose, from it on they stay a pack.
            let server = Server::new(&script(1), &["--object-format", format]);
            git(&server.place, &["config", "receive.unpackLimit", limit], &[]);
            let repository = Repository::with(&["--object-format", format]);
            repository.skill(".agent/skills", "pdf").commit();
            let (accepted, messages) = server.push(&repository, &["main"]);
            assert!(accepted, "{format} {limit}: {messages}");
            let before = (server.refs(), files(&server.place));
            repository.write(SKILL, broken("pdf")).commit();
            let (accepted, messages) = server.push(&repository, &["main"]);
            assert!(!accepted, "{format} {limit}");
            assert!(messages.contains("SKILL.md:3:") && messages.contains("error[invalid-yaml]"), "{messages}");
            assert_eq!((server.refs(), files(&server.place)), before, "{format} {limit}: no file remains");
            repository.write(SKILL, good("pdf").replace("Do it", "Do it well")).commit();
            let (accepted, messages) = server.push(&repository, &["main"]);
            assert!(accepted, "{format} {limit}: the last commit of the push is good: {messages}");
        }
    }
}

#[test]
fn checks_every_branch_and_tag_of_push() {
    let server = Server::new(&script(1), &[]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    repository.git(&["checkout", "--quiet", "-b", "bad"]);
    repository.write(SKILL, broken("pdf")).commit();
    repository.git(&["tag", "--annotate", "--message", "v1", "v1"]);
    for names in [&["main", "bad"][..], &["main", "v1"], &["v1"]] {
        let (accepted, messages) = server.push(&repository, names);
        assert!(!accepted && messages.contains("invalid-yaml"), "{names:?}: {messages}");
        assert_eq!(server.refs(), "");
    }
    let (accepted, messages) = server.push(&repository, &["main", "main:refs/tags/v2", "main:other"]);
    assert!(accepted, "{messages}");
    let (accepted, messages) = server.push(&repository, &["--delete", "other", "v2"]);
    assert!(accepted, "deleting a reference checks nothing: {messages}");
    let blob = repository.git(&["rev-parse", &format!("main:{SKILL}")]);
    let (accepted, messages) = server.push(&repository, &[&format!("{blob}:refs/tags/blob")]);
    assert!(!accepted && messages.contains("is not a commit, tag or tree"), "{messages}");
}

#[test]
fn checks_fork_with_shared_objects() {
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
    let (accepted, messages) = fork.push(&repository, &["main:topic"]);
    assert!(accepted, "{messages}");
    repository.write(SKILL, broken("pdf")).commit();
    let (accepted, messages) = fork.push(&repository, &["main:topic"]);
    assert!(!accepted && messages.contains("invalid-yaml"), "{messages}");
}

#[test]
fn existing_findings_accept_push_with_base() {
    let server = Server::new(&script(2), &[]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    assert!(server.push(&repository, &["main"]).0);
    fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
    repository.write(".agent/skills/old/SKILL.md", broken("old")).commit();
    assert!(server.push(&repository, &["main"]).0, "without the hook every push is accepted");
    hook(&server.place, &script(2));
    repository.write(SKILL, good("pdf").replace("Do it", "Do it well")).commit();
    let (accepted, messages) = server.push(&repository, &["main"]);
    assert!(accepted, "{messages}");
    repository.write(SKILL, broken("pdf")).commit();
    let (accepted, messages) = server.push(&repository, &["main"]);
    assert!(!accepted && messages.contains("pdf/SKILL.md:3:") && !messages.contains("old/SKILL.md"), "{messages}");
    let (accepted, _) = server.push(&repository, &["main:new"]);
    assert!(!accepted, "a new branch is checked without a base");
}

/// Git resolves a tag before a branch of the same name, and every user may push a tag.
#[test]
fn pushed_tag_does_not_become_base() {
    let hook = |options: &str| format!("#!/bin/sh\nexec skilltree hook run pre-receive -- {options}\n");
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/server.md")).unwrap();
    let current = "--config-from refs/heads/main";
    assert!(page.contains(current));
    for (options, said_of_it) in [
        (current, "error[invalid-yaml]"),
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
        let (accepted, messages) = server.push(&repository, &["evil:refs/heads/evil"]);
        assert!(!accepted && messages.contains(said_of_it), "{options}: {messages}");
    }
}

/// Installs the hook `pre-receive` with `skilltree hook install`.
fn install(server: &Server, options: &[&str]) {
    let run = common::skilltree(&server.place, &[&["hook", "install", "--"], options].concat(), &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
}

fn commit_unchecked(repository: &Repository, message: &str) {
    repository.git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--no-verify", "--allow-empty", "--message", message]);
}

#[test]
fn installed_hook_compares_with_old_value_or_default_branch() {
    let server = Server::new("#!/bin/sh\n", &["--initial-branch=main"]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write(".agent/skills/old/SKILL.md", broken("old")).commit();
    assert!(server.push(&repository, &["main"]).0, "the hook is not installed yet");
    fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
    install(&server, &["--format", "concise"]);
    repository.write("README.md", "# A project\n").commit();
    let (accepted, messages) = server.push(&repository, &["main"]);
    assert!(accepted, "{messages}");
    assert!(messages.contains("no new findings in 2 skills (main at "), "{messages}");
    assert!(messages.contains("; 1 existing: skilltree check --rev "), "{messages}");
    // A new branch is compared with the default branch, where it left it.
    repository.git(&["switch", "--quiet", "--create", "topic"]);
    repository.write("README.md", "# A topic\n").commit();
    let (accepted, messages) = server.push(&repository, &["topic", "topic:refs/tags/v1"]);
    assert!(accepted, "{messages}");
    repository.write(SKILL, broken("pdf"));
    commit_unchecked(&repository, "broken");
    for name in ["topic", "topic:another", "topic:refs/tags/v2"] {
        let (accepted, messages) = server.push(&repository, &[name]);
        assert!(!accepted, "{name}");
        assert!(messages.contains("pdf/SKILL.md:3:") && !messages.contains("old/SKILL.md"), "{name}: {messages}");
    }
    install(&server, &["--all", "--format", "concise"]);
    repository.write(SKILL, good("pdf")).commit();
    let (accepted, messages) = server.push(&repository, &["topic"]);
    assert!(!accepted && messages.contains("old/SKILL.md"), "everything counts: {messages}");
}

#[test]
fn first_push_to_empty_repository_uses_its_own_configuration() {
    let server = Server::new("#!/bin/sh\n", &["--initial-branch=main"]);
    fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
    install(&server, &["--config-from", "refs/heads/main", "--format", "concise"]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write("docs/skills/bad/SKILL.md", broken("bad"));
    repository.write("skilltree.toml", "[[root]]\npath = \"docs/skills\"\n").commit();
    let (accepted, messages) = server.push(&repository, &["main"]);
    assert!(!accepted && messages.contains("docs/skills/bad/SKILL.md:3:"), "{messages}");
    repository.write("docs/skills/bad/SKILL.md", good("bad")).commit();
    let (accepted, messages) = server.push(&repository, &["main"]);
    assert!(accepted, "{messages}");
    // From now on, a push cannot loosen the configuration.
    repository.write("skilltree.toml", "[rules]\ninvalid-yaml = \"off\"\n").write(SKILL, broken("pdf"));
    commit_unchecked(&repository, "loosened");
    let (accepted, messages) = server.push(&repository, &["main"]);
    assert!(!accepted && messages.contains("error[invalid-yaml]"), "{messages}");
    // A repository with other branches lacks the configuration: that is not a first push.
    let other = Server::new("#!/bin/sh\n", &["--initial-branch=main"]);
    assert!(other.push(&repository, &["main:other"]).0);
    for pack in [false, true] {
        if pack {
            git(&other.place, &["pack-refs", "--all"], &[]);
        }
        let _ = fs::remove_file(other.place.join("hooks/pre-receive"));
        install(&other, &["--config-from", "refs/heads/main"]);
        let (accepted, messages) = other.push(&repository, &["main:topic"]);
        assert!(!accepted && messages.contains("`refs/heads/main` is not a commit"), "{messages}");
    }
}

#[test]
fn push_without_temporary_directory_names_tmpdir() {
    let server = Server::new("#!/bin/sh\n", &[]);
    fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
    install(&server, &[]);
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    let place = server.place.display().to_string();
    let none = repository.path().join("none");
    let output = git(repository.path(), &["push", "--quiet", &place, "main"], &[("TMPDIR", none.to_str().unwrap())]);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    let error = format!("error: a temporary directory cannot be created in `{}`: no such file", none.display());
    assert!(messages.contains(&error), "{messages}");
    assert!(messages.contains("help: set `TMPDIR` to a directory that you can write to"), "{messages}");
}

#[test]
fn push_to_path_with_line_break_names_the_reason() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("a\nb/server.git");
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    git(place.parent().unwrap(), &["init", "--quiet", "--bare", "server.git"], &[]);
    hook(&place, "#!/bin/sh\nexec skilltree hook run pre-receive\n");
    let path = format!("{}:{}", program().parent().unwrap().display(), std::env::var("PATH").unwrap());
    let server = Server { place, path, _directory: directory };
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    let (accepted, messages) = server.push(&repository, &["main"]);
    assert!(!accepted && messages.contains("the path of an object directory contains a line break"), "{messages}");
}

#[test]
fn pre_push_hook_compares_with_remote() {
    let server = Server::new("#!/bin/sh\n", &["--initial-branch=main"]);
    let repository = Repository::new();
    repository.write(".agent/skills/old/SKILL.md", broken("old")).skill(".agent/skills", "pdf").commit();
    let run = repository.skilltree(&["hook", "install", "pre-push"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    repository.git(&["remote", "add", "origin", server.place.to_str().unwrap()]);
    let push = |words: &[&str]| {
        let output = git(repository.path(), &[&["push", "--quiet", "origin"], words].concat(), &[]);
        (output.status.success(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (accepted, messages) = push(&["main"]);
    assert!(!accepted && messages.contains("old/SKILL.md"), "the remote is empty: {messages}");
    assert!(push(&["--no-verify", "main"]).0);
    repository.write("README.md", "# A project\n").commit();
    let (accepted, messages) = push(&["main"]);
    assert!(accepted, "the old value is known: {messages}");
    let (accepted, messages) = push(&["main:topic"]);
    assert!(accepted, "the default branch is known: {messages}");
    // The old value is an object that only another clone has.
    let unknown =
        format!("refs/heads/main {} refs/heads/x {}\n", repository.git(&["rev-parse", "HEAD"]), "1".repeat(40));
    let words = ["hook", "run", "pre-push", "origin", "ssh://somewhere"];
    let run = common::skilltree_with_input(repository.path(), &words, &[], unknown.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    repository.write(SKILL, broken("pdf"));
    commit_unchecked(&repository, "broken");
    let (accepted, messages) = push(&["main:topic"]);
    assert!(!accepted && messages.contains("pdf/SKILL.md") && !messages.contains("old/SKILL.md"), "{messages}");
}

/// Skills with an error each, in a repository with many branches and tags at the same tree.
fn branches(skills: usize, branches: usize) -> Repository {
    let repository = Repository::new();
    for number in 0..skills {
        repository.write(&format!(".agent/skills/skill-{number}/SKILL.md"), broken(&format!("skill-{number}")));
    }
    repository.commit();
    for number in 0..branches {
        repository.git(&["commit", "--quiet", "--allow-empty", "--message", &format!("branch {number}")]);
        repository.git(&["branch", &format!("branch-{number:03}")]);
    }
    repository.git(&["tag", "--annotate", "--message", "v1", "v1"]);
    repository
}

#[test]
fn checks_a_tree_once_however_many_references_point_to_it() {
    let server = Server::new("#!/bin/sh\n", &["--initial-branch=main"]);
    fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
    install(&server, &["--format", "concise"]);
    let repository = branches(3, 30);
    let (accepted, messages) = server.push(&repository, &["--all"]);
    assert!(!accepted);
    assert_eq!(messages.matches("error[invalid-yaml]").count(), 3, "{messages}");
    assert!(messages.contains(" (branch-000, branch-001, branch-002, branch-003 and 27 more at "), "{messages}");
    let (accepted, messages) = server.push(&repository, &["main", "v1"]);
    assert!(!accepted && messages.contains(" (main and v1 at "), "{messages}");
    assert!(!messages.contains(&repository.git(&["rev-parse", "v1"])), "a tag is named: {messages}");
    // Another tree has its own result, and the one with the error is first.
    repository.git(&["switch", "--quiet", "--orphan", "good"]);
    repository.skill(".agent/skills", "pdf").commit();
    let (accepted, messages) = server.push(&repository, &["good", "branch-000"]);
    assert!(!accepted);
    let place = |text: &str| messages.find(text).unwrap_or_else(|| panic!("{messages}"));
    assert!(place("(branch-000 at ") < place("(good at "), "{messages}");
    // A failure names the reference, and the results before it are printed.
    let blob = repository.git(&["rev-parse", &format!("good:{SKILL}")]);
    let (accepted, messages) = server.push(&repository, &["branch-000", &format!("{blob}:refs/tags/z")]);
    assert!(!accepted && messages.contains("error[invalid-yaml]") && messages.contains("pushed as z"), "{messages}");
}

#[test]
fn push_prints_a_limited_number_of_bytes_errors_first() {
    let server = Server::new("#!/bin/sh\n", &["--initial-branch=main"]);
    fs::remove_file(server.place.join("hooks/pre-receive")).unwrap();
    install(&server, &[]);
    let repository = branches(40, 0);
    for number in 0..25 {
        repository.git(&["switch", "--quiet", "--create", &format!("tree-{number:02}")]);
        repository.write("README.md", format!("{number}\n")).commit();
    }
    // The last branch is the only one without errors.
    repository.git(&["switch", "--quiet", "--orphan", "a-good-one"]);
    repository.skill(".agent/skills", "pdf").commit();
    let (accepted, messages) = server.push(&repository, &["--all"]);
    assert!(!accepted);
    assert!(messages.len() < 96 << 10, "{} bytes with `remote: ` before each line", messages.len());
    assert!(messages.contains(" of them errors (limits.shown-findings, 4 KiB of text)"), "{messages}");
    let omitted = "are not shown; the limit of a push is 64 KiB of text";
    let line = messages.lines().find(|line| line.contains(omitted)).unwrap_or_else(|| panic!("{messages}"));
    assert!(
        line.contains(" results (") && line.contains(" with errors") && !messages.contains("a-good-one at"),
        "{line}"
    );
}
