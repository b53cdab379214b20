//! What is found depends on the paths of a tree only: a copy of a directory, which shares its tree object, hides nothing.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fmt::Write as _;

use crate::common::{Repository, skilltree};

/// Ways to read a repository that is committed completely.
const SOURCES: [&str; 3] = ["--rev=HEAD", "--staged", "--worktree"];

/// A marketplace in the top directory that names a broken skill. A copy of its directory sorts before it.
fn marketplace() -> Repository {
    let repository = Repository::new();
    repository
        .skill(".claude/skills", "good")
        .write("pack/bad/SKILL.md", "---\nname: bad\n---\nx\n")
        .write(".claude-plugin/marketplace.json", MARKETPLACE)
        .write("-copy/marketplace.json", MARKETPLACE)
        .commit();
    repository
}

const MARKETPLACE: &str =
    r#"{"name":"p","owner":{"name":"o"},"plugins":[{"name":"p","source":"./","skills":["./pack/bad"]}]}"#;

/// Two directories with one tree, one of which is excluded.
fn excluded() -> Repository {
    let repository = Repository::new();
    repository.skill(".claude/skills", "good").write("skilltree.toml", "exclude = [\"samples/data/**\"]\n").commit();
    repository.git(&["branch", "base"]);
    for top in ["samples", "services"] {
        repository.write(&format!("{top}/data/.claude/skills/bad/SKILL.md"), "no front matter\n");
    }
    repository.commit();
    repository
}

#[test]
fn copy_of_a_manifest_hides_no_skill() {
    let repository = marketplace();
    for source in SOURCES {
        let run = repository.skilltree(&["check", source, "--format=concise"]);
        assert_eq!(run.status, 1, "{source}: {}", run.stderr);
        assert!(run.stdout.contains("pack/bad/SKILL.md"), "{source}: {}", run.stdout);
    }
}

#[test]
fn excluded_copy_hides_no_skill() {
    let repository = excluded();
    for source in SOURCES {
        let run = repository.skilltree(&["check", source, "--format=concise"]);
        assert_eq!(run.status, 1, "{source}: {}", run.stderr);
        assert!(run.stdout.contains("services/data/.claude/skills/bad/SKILL.md"), "{source}: {}", run.stdout);
        assert!(!run.stdout.contains("samples"), "{source}: {}", run.stdout);
    }
    let run = repository.skilltree(&["check", "--range", "base..HEAD", "--config-from", "base"]);
    assert_eq!(run.status, 1, "{}", run.stderr);
}

#[test]
fn bare_repository_and_push_find_the_skills_of_copies() {
    for repository in [marketplace(), excluded()] {
        let place = tempfile::tempdir().unwrap();
        let bare = place.path().join("bare.git");
        repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
        assert_eq!(skilltree(&bare, &["check", "--rev", "main"], &[]).status, 1);
        let id = repository.git(&["rev-parse", "HEAD"]);
        let line = format!("{} {id} refs/heads/topic\n", "0".repeat(40));
        // Without a default branch there is no base, and every finding counts.
        repository.git(&["--git-dir", bare.to_str().unwrap(), "update-ref", "-d", "refs/heads/main"]);
        let pushed = crate::common::skilltree_with_input(&bare, &["hook", "run", "pre-receive"], &[], line.as_bytes());
        assert_eq!(pushed.status, 1, "{}", pushed.stderr);
    }
}

#[test]
fn fleet_finds_the_skills_of_copies() {
    let repository = marketplace();
    let out = tempfile::tempdir().unwrap();
    let list = out.path().join("list");
    std::fs::write(&list, format!("{}\n", repository.path().display())).unwrap();
    let tables = out.path().join("tables");
    let arguments = ["fleet", "--repos", list.to_str().unwrap(), "--out", tables.to_str().unwrap(), "--jsonl"];
    let run = skilltree(out.path(), &arguments, &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let part = std::fs::read_dir(tables.join("findings")).unwrap().next().unwrap().unwrap().path();
    assert!(std::fs::read_to_string(part).unwrap().contains("missing-description"));
}

#[test]
fn too_many_manifests_fail() {
    let mut import = String::from(
        "blob\nmark :1\ndata 12\n{\"name\":\"d\"}\nblob\nmark :2\ndata 4\nnone\n\
         commit refs/heads/main\ncommitter C <c@example.com> 1700000000 +0000\ndata 1\nx\nM 100644 :2 .claude/skills/a/SKILL.md\n",
    );
    for number in 0..10_001 {
        writeln!(import, "M 100644 :1 a/{number}/.claude-plugin/plugin.json").unwrap();
    }
    let repository = Repository::with(&["--bare"]);
    let mut command = std::process::Command::new("git");
    crate::common::isolate(&mut command).args(["fast-import", "--quiet"]).current_dir(repository.path());
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), import.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    let run = repository.skilltree(&["check", "--rev", "main"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
    assert!(run.stderr.contains("more than 10,000 plugin manifests"), "{}", run.stderr);
}
