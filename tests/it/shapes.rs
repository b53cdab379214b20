//! One commit in every form in which git can store it gives the same findings, byte for byte.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{self, Repository, git, good, program, skilltree, write_script};

/// Formats in which the findings are compared: two for people, one for programs.
const FORMATS: [&str; 3] = ["concise", "full", "json"];

/// Findings of a run in each format. The description of the source differs by design and is removed.
fn without_source(outputs: [String; 3]) -> [String; 3] {
    let [concise, full, json] = outputs;
    let report: Value = serde_json::from_str(&json).unwrap();
    [concise, full, report["findings"].to_string()]
}

fn findings(place: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> [String; 3] {
    without_source(FORMATS.map(|format| {
        let run = skilltree(place, &[&["check", "--format", format], arguments].concat(), variables);
        assert_eq!(run.status, 1, "{arguments:?}: {}", run.stderr);
        run.stdout
    }))
}

/// Skills with something wrong in each way that a source has a part in: bytes, links, names, places, line ends.
fn fill(repository: &Repository) {
    repository.skill(".agent/skills", "good").skill(".symphony/skills", "good").skill("shared", "linked");
    for (path, text) in [
        (".agent/skills/colon/SKILL.md", good("colon").replace("Does", "Note: does").into_bytes()),
        (".agent/skills/other-name/SKILL.md", good("name").into_bytes()),
        (".agent/skills/lower/skill.md", good("lower").into_bytes()),
        (".agent/skills/bytes/SKILL.md", [good("bytes").into_bytes(), b"\xff\xfe\n".to_vec()].concat()),
        (".agent/skills/crlf/SKILL.md", good("crlf").replace('\n', "\r\n").into_bytes()),
        (".agent/skills/hidden/SKILL.md", good("hidden").replace("Does", "Do\u{200b}es\u{202e}").into_bytes()),
        (".agent/skills/a/b/c/SKILL.md", b"no front matter".to_vec()),
        (".agent/skills/long/SKILL.md", vec![b'x'; 300_000]),
        (".agent/skills/empty/SKILL.md", Vec::new()),
        (".agent/skills/SKILL.md", good("skills").into_bytes()),
        ("skilltree.toml", b"[rules]\nempty-body = \"error\"\nnonsense = \"error\"\n".to_vec()),
    ] {
        repository.write(path, text);
    }
    for (path, target) in [
        (".agent/skills/gone", "nowhere"),
        (".agent/skills/absolute", "/etc"),
        (".agent/skills/outside", "../../../elsewhere"),
        (".agent/skills/loop", "loop"),
        (".agent/skills/linked", "../../shared/linked"),
        (".agent/skills/good-twin", "good"),
    ] {
        symlink(target, repository.path().join(path)).unwrap();
    }
    fs::create_dir(repository.path().join(".agent/skills/file")).unwrap();
    symlink("../../../shared/linked/SKILL.md", repository.path().join(".agent/skills/file/SKILL.md")).unwrap();
}

/// Output of a server hook for a push.
fn pushed(repository: &Repository, options: &[&str], unpack_limit: &str) -> [String; 3] {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name).display().to_string();
    git(directory.path(), &[&["init", "--quiet", "--bare"], options, &["server.git"]].concat(), &[]);
    git(&directory.path().join("server.git"), &["config", "receive.unpackLimit", unpack_limit], &[]);
    let program = program().display().to_string();
    let check = |format: &str| {
        let output = place(format);
        format!("'{program}' check --rev \"$new\" --format {format} > '{output}'; test $? = 1 || exit 1\n")
    };
    let hook = directory.path().join("server.git/hooks/pre-receive");
    write_script(&hook, &format!("#!/bin/sh\nread -r _ new _\n{}", FORMATS.map(check).concat()));
    repository.git(&["push", "--quiet", &place("server.git"), "HEAD:refs/heads/main"]);
    without_source(FORMATS.map(|format| fs::read_to_string(place(format)).unwrap()))
}

/// A clone in a separate directory, and the findings of its `HEAD`.
fn cloned(repository: &Repository, options: &[&str]) -> [String; 3] {
    let directory = tempfile::tempdir().unwrap();
    let from = format!("file://{}", repository.path().display());
    let from = if options.contains(&"--shared") { repository.path().display().to_string() } else { from };
    let output = git(directory.path(), &[&["clone", "--quiet"], options, &[&from, "clone"]].concat(), &[]);
    assert!(output.status.success(), "{options:?}: {}", String::from_utf8_lossy(&output.stderr));
    findings(&directory.path().join("clone"), &["--rev", "HEAD"], &[])
}

#[test]
fn findings_are_independent_of_repository_layout() {
    let mut first: Option<[String; 3]> = None;
    for format in ["sha1", "sha256"] {
        let options = ["--object-format", format];
        let repository = Repository::with(&options);
        fill(&repository);
        repository.commit();
        let expected = first.get_or_insert_with(|| findings(repository.path(), &["--staged"], &[])).clone();
        assert!(expected[0].lines().count() > 15, "{}", expected[0]);
        let same = |name: &str, found: [String; 3]| {
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "{name} {format}");
            }
        };
        let here = |arguments: &[&str]| findings(repository.path(), arguments, &[]);
        same("index", here(&["--staged"]));
        same("tree", here(&["--rev", "HEAD"]));
        same("id of a tree", here(&["--rev", &repository.git(&["rev-parse", "HEAD^{tree}"])]));
        same("work tree", here(&["--worktree"]));
        same("subdirectory", findings(&repository.path().join("shared/linked"), &["--worktree"], &[]));
        let git_dir = repository.path().join(".git").display().to_string();
        let top = repository.path().display().to_string();
        let elsewhere = TempDir::new().unwrap();
        let variables = [("GIT_DIR", git_dir.as_str()), ("GIT_WORK_TREE", top.as_str())];
        for source in [&["--staged"][..], &["--rev", "HEAD"], &["--worktree"]] {
            same("GIT_DIR", findings(elsewhere.path(), source, &variables));
        }
        let linked = elsewhere.path().join("linked");
        repository.git(&["worktree", "add", "--quiet", "--detach", linked.to_str().unwrap()]);
        for source in [&["--staged"][..], &["--rev", "HEAD"], &["--worktree"]] {
            same("linked work tree", findings(&linked, source, &[]));
        }
        for clone in [
            &["--bare"][..],
            &["--mirror"],
            &["--depth=1"],
            &["--bare", "--depth=1"],
            &["--shared"],
            &["--bare", "--shared"],
            &["--no-checkout"],
        ] {
            same(&format!("clone {clone:?}"), cloned(&repository, clone));
        }
        same("push of loose objects", pushed(&repository, &options, "10000"));
        same("push of a pack", pushed(&repository, &options, "1"));
        repository.git(&["update-index", "--split-index"]);
        same("split index", here(&["--staged"]));
        repository.git(&["update-index", "--no-split-index", "--index-version", "4"]);
        same("index of version 4", here(&["--staged"]));
        repository.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "nothing"]);
        same("sparse index", here(&["--staged"]));
        repository.git(&["gc", "--quiet"]);
        same("pack", here(&["--rev", "HEAD"]));
        repository.git(&["multi-pack-index", "write"]);
        same("several packs as one", here(&["--rev", "HEAD"]));
        repository.git(&["checkout", "--quiet", "--detach"]);
        same("detached HEAD", here(&["--rev", "HEAD"]));
    }
}

#[test]
fn safe_directory_allows_foreign_repository() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    if !common::is_root() {
        return; // Only root can change the owner of a file.
    }
    std::os::unix::fs::chown(repository.path().join(".git"), Some(65_534), None).unwrap();
    let home = tempfile::tempdir().unwrap();
    let variables = [("HOME", home.path().to_str().unwrap()), ("XDG_CONFIG_HOME", home.path().to_str().unwrap())];
    let run = || skilltree(repository.path(), &["check", "--rev", "HEAD"], &variables);
    let refused = run();
    assert_eq!(refused.status, 2, "{}", refused.stdout);
    assert!(refused.stderr.contains("belongs to another user"), "{}", refused.stderr);
    let config = format!("[safe]\n\tdirectory = {}\n", repository.path().display());
    fs::write(home.path().join(".gitconfig"), config).unwrap();
    assert_eq!(run().status, 0, "{}", run().stderr);
}
