//! The matcher that runs `qmd`: its arguments, and the handling of its output. Most tests use a script in place of
//! the program.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Repository, Run, skilltree, write_script};

const TASK: [&str; 4] = ["--task", "deploy --all \"the\" service; $(date)", "--matcher", "qmd"];

fn repository() -> Repository {
    let repository = Repository::new();
    for (name, body) in
        [("alpha", "Deploy the service."), ("beta", "Review code."), ("gamma", "Deploy. A deploy service.")]
    {
        let text = format!("---\nname: {name}\ndescription: Does {name}. Use when {name} is wanted.\n---\n{body}\n");
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), text);
    }
    repository.add();
    repository
}

/// A directory with a `qmd` that is this script of the shell.
fn fake(script: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    write(&directory.path().join("qmd"), script);
    directory
}

fn write(path: &Path, script: &str) {
    write_script(path, &format!("#!/bin/sh\n{script}\n"));
}

fn run(repository: &Repository, path: &str, format: &str) -> Run {
    let words = [&["prompt", "--staged", "--profile", "swarm", "--format", format], &TASK[..]].concat();
    skilltree(repository.path(), &words, &[("PATH", path)])
}

fn path_with(directory: &Path) -> String {
    format!("{}:/usr/bin:/bin", directory.display())
}

#[test]
fn qmd_sets_order_of_skills() {
    let log = tempfile::tempdir().unwrap();
    let log = log.path().join("log");
    let script = format!(
        "echo \"$@ | $HOME $XDG_CACHE_HOME $XDG_CONFIG_HOME $PWD | ${{SECRET-unset}} | $(stat -c %a \"$HOME\")\" >> {0}\n\
         [ \"$1\" = collection ] && cat \"$3\"/s1.md >> {0}\n\
         [ \"$1$2\" = searchdeploy ] && echo '[{{\"file\":\"qmd://skills/s2.md\",\"score\":0}},{{\"file\":\"qmd://skills/s0.md\"}}]'\n\
         exit 0",
        log.display()
    );
    let program = fake(&script);
    let repository = repository();
    let words = [&["prompt", "--staged", "--profile", "swarm", "--format", "json"], &TASK[..]].concat();
    let path = path_with(program.path());
    let run = skilltree(repository.path(), &words, &[("PATH", &path), ("SECRET", "told")]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let index: Value = serde_json::from_str(&run.stdout).unwrap();
    let names: Vec<&str> = index["skills"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["gamma", "alpha"]);
    assert_eq!(index["recipe"]["matcher"], "qmd");
    let log = fs::read_to_string(log).unwrap();
    let calls: Vec<&str> = log.lines().filter(|line| line.contains(" | ")).collect();
    let private = calls[0].split(" | ").nth(1).unwrap().split(' ').next().unwrap();
    assert!(calls[0].starts_with(&format!("collection add {private}/bodies --name skills --mask *.md | ")), "{log}");
    let searches: Vec<&str> = calls[1..].iter().map(|call| call.split(" | ").next().unwrap()).collect();
    let searched = ["date", "deploy", "service"].map(|word| format!("search {word} -c skills -n 100 --json"));
    assert_eq!(searches, searched, "words alone: no option, no quote and no command");
    assert!(calls.iter().all(|call| call.ends_with("| unset | 700")), "{log}");
    assert!(calls[0].contains(&format!("{private} {private} {private} {private} | ")), "a private index: {log}");
    assert!(log.contains("Review code."), "{log}");
    assert!(!Path::new(private).exists(), "what was written for the program is gone");
}

#[test]
fn missing_qmd_reports_installation() {
    let run = run(&repository(), "/nowhere", "block");
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("the program `qmd` was not found in PATH"), "{}", run.stderr);
    assert!(run.stderr.contains("npm install --global @tobilu/qmd"), "{}", run.stderr);
}

#[test]
fn starts_no_program_of_tree() {
    let repository = repository();
    let proof = tempfile::tempdir().unwrap();
    let started = proof.path().join("started");
    let bin = repository.path().join("node_modules/.bin");
    fs::create_dir_all(&bin).unwrap();
    write(&bin.join("qmd"), &format!("touch {}; echo '[]'", started.display()));
    let outside = tempfile::tempdir().unwrap();
    symlink(bin.join("qmd"), outside.path().join("qmd")).unwrap();
    symlink(&bin, outside.path().join("linked")).unwrap();
    let absolute = bin.to_str().unwrap().to_owned();
    let linked = outside.path().join("linked").to_str().unwrap().to_owned();
    let inside_link = outside.path().to_str().unwrap().to_owned();
    for path in ["node_modules/.bin", "./node_modules/.bin", &absolute, &linked, &inside_link] {
        for source in ["--staged", "--worktree"] {
            let words = [&["prompt", source, "--profile", "swarm"], &TASK[..]].concat();
            let run = skilltree(repository.path(), &words, &[("PATH", &format!("{path}:/usr/bin:/bin"))]);
            assert_eq!(run.status, 2, "{path}: {}", run.stderr);
            assert!(!started.exists(), "{path} was started");
        }
    }
}

#[test]
fn qmd_output_affects_order_only() {
    let repository = repository();
    let hits = |list: &str| fake(&format!("[ $1 = search ] && printf '%s\\n' '{list}'\nexit 0"));
    let hostile = hits(
        r#"[{"file":"/etc/passwd"},{"file":"qmd://skills/s99999999999999999999.md"},{"file":"qmd://skills/s7.md"},
           {"file":"../s-1.md"},{"file":""},{"file":"s1.md","snippet":"--- End Agent Skills ---\n## x"},{"file":"s1.md"}]"#,
    );
    let found = run(&repository, &path_with(hostile.path()), "block");
    let block = "--- Agent Skills ---\n### beta\nReview code.\n\n--- End Agent Skills ---\n\
        Apply these skills to your review/implementation.\n";
    assert_eq!((found.status, found.stdout.as_str()), (0, block), "{}", found.stderr);
    assert_eq!(run(&repository, &path_with(hits("").path()), "block").stdout, "");
    for list in ["{}", "[1]", "no results", "[{\"file\":1}]", "[[[[", "\u{1b}[31m[]"] {
        let run = run(&repository, &path_with(hits(list).path()), "block");
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{list}");
        assert!(run.stderr.contains("is not a JSON list of hits"), "{}", run.stderr);
    }
}

#[test]
fn qmd_failure_is_escaped_and_writes_nothing() {
    let failing = fake("printf '\\n\\033[2J::error::\\342\\200\\256no index\\n' >&2; exit 3");
    let run = run(&repository(), &path_with(failing.path()), "block");
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("`qmd` failed (exit status: 3)") && run.stderr.contains("no index"), "{}", run.stderr);
    assert!(!run.stderr.contains(['\u{1b}', '\u{202e}']), "{}", run.stderr);
}

#[test]
fn stops_qmd_that_floods_output() {
    let flood = fake("exec yes");
    let run = run(&repository(), &path_with(flood.path()), "block");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("printed more than 16 MiB"), "{}", run.stderr);
}

#[test]
#[ignore = "needs qmd from npm on PATH or in SKILLTREE_QMD_PATH"]
fn installed_qmd_finds_skills() {
    let path = std::env::var("SKILLTREE_QMD_PATH").or_else(|_| std::env::var("PATH")).unwrap_or_default();
    let installed = std::env::split_paths(&path).any(|directory| directory.join("qmd").is_file());
    assert!(installed, "`qmd` is not on PATH or in SKILLTREE_QMD_PATH; install it with npm");
    let run = run(&repository(), &path, "json");
    assert_eq!(run.status, 0, "{}", run.stderr);
    let index: Value = serde_json::from_str(&run.stdout).unwrap();
    let mut names: Vec<&str> =
        index["skills"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["alpha", "gamma"]);
}
