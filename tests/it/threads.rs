//! Threads and the skills that they bind: the scenarios of the AMACS design (AI-IMP-023, Acceptance Criteria) by name, and
//! concurrent writes to the file.
#![allow(clippy::disallowed_methods, reason = "the test looks at what the program wrote")]

use std::fs;

use crate::common::{self, Repository, Run};

const ROOT: &str = ".agent/skills";
const FILE: &str = ".agent/threads.json";

/// A repository with some skills.
fn with_skills(names: &[&str]) -> Repository {
    let repository = Repository::new();
    for name in names {
        repository.skill(ROOT, name);
    }
    repository
}

fn bind(repository: &Repository, name: &str, thread: &str) -> Run {
    repository.skilltree(&["agent", "thread", "bind", name, "--thread", thread])
}

/// Prompt of the next tick of a thread.
fn context(repository: &Repository, thread: &str) -> String {
    let run = repository.skilltree(&["prompt", "--profile", "amacs", "--thread", thread]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.stdout
}

fn file(repository: &Repository) -> String {
    fs::read_to_string(repository.path().join(FILE)).expect("the file of threads is there")
}

#[test]
fn bind_skill_to_thread() {
    let repository = with_skills(&["rust-mode", "cargo"]);
    let run = bind(&repository, "rust-mode", "rust-debugging");
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.contains("Bound skill 'rust-mode' to thread 'rust-debugging'"), "{}", run.stderr);
    assert_eq!(context(&repository, "rust-debugging"), "## Thread Skills\n\n### rust-mode\n\n# rust-mode\n\nDo it.\n");
    let once = file(&repository);
    assert_eq!(bind(&repository, "rust-mode", "rust-debugging").status, 0);
    assert_eq!(file(&repository), once, "binding is idempotent");
    bind(&repository, "cargo", "rust-debugging");
    let both = context(&repository, "rust-debugging");
    let expected =
        "## Thread Skills\n\n### cargo\n\n# cargo\n\nDo it.\n\n---\n\n### rust-mode\n\n# rust-mode\n\nDo it.\n";
    assert_eq!(both, expected, "the last one bound comes first");
    assert_eq!(repository.skilltree(&["check"]).status, 0);
}

#[test]
fn switch_threads_changes_skills() {
    let repository = with_skills(&["rust-mode", "python-mode"]);
    bind(&repository, "rust-mode", "A");
    bind(&repository, "python-mode", "B");
    let (a, b) = (context(&repository, "A"), context(&repository, "B"));
    assert!(a.contains("### rust-mode\n") && !a.contains("python-mode"), "{a}");
    assert!(b.contains("### python-mode\n") && !b.contains("rust-mode"), "{b}");
}

#[test]
fn skill_discovery_excludes_core() {
    let repository = with_skills(&["core", "chat"]);
    let run = repository.skilltree(&["agent", "thread", "list", "--format", "json"]);
    let list: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    let names: Vec<_> =
        list["available"].as_array().unwrap().iter().map(|skill| skill["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["chat"]);
    let text = repository.skilltree(&["agent", "thread", "list"]);
    assert_eq!(text.stdout, "can be bound: chat\n");
    let bound = bind(&repository, "core", "A");
    assert_eq!(bound.status, 2);
    assert!(bound.stderr.contains("`core` is always in the prompt and cannot be bound"), "{}", bound.stderr);
    assert!(!context(&repository, "A").contains("core"));
}

#[test]
fn unbind_removes_from_context() {
    let repository = with_skills(&["rust-mode", "cargo"]);
    bind(&repository, "rust-mode", "A");
    bind(&repository, "cargo", "A");
    for is_bound in [true, false] {
        let run = repository.skilltree(&["agent", "thread", "unbind", "rust-mode", "--thread", "A"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let told = run.stderr.contains("Unbound skill 'rust-mode' from thread 'A'");
        assert_eq!((told, run.stderr.is_empty()), (is_bound, !is_bound), "unbinding an absent skill prints nothing");
        assert!(!context(&repository, "A").contains("rust-mode"));
    }
    assert!(context(&repository, "A").contains("### cargo\n"));
    repository.skilltree(&["agent", "thread", "unbind", "cargo", "--thread", "A"]);
    assert_eq!(context(&repository, "A"), "", "nothing bound: nothing");
    let elsewhere = Repository::new();
    let run = elsewhere.skilltree(&["agent", "thread", "unbind", "x", "--thread", "A"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(!elsewhere.path().join(".agent").exists(), "what need not be there is not made");
}

#[test]
fn bind_nonexistent_skill() {
    let repository = with_skills(&["rust-mode"]);
    let run = bind(&repository, "rust-mod", "A");
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("Skill 'rust-mod' not found; did you mean `rust-mode`?"), "{}", run.stderr);
    assert!(!repository.path().join(FILE).exists());
    for (action, words) in [("bind", "bind skill to"), ("unbind", "unbind skill from")] {
        for arguments in [
            vec!["agent", "thread", action, "rust-mode"],
            vec!["agent", "thread", action, "rust-mode", "--thread", " "],
        ] {
            let run = repository.skilltree(&arguments);
            assert_eq!(run.status, 2);
            assert!(run.stderr.contains(&format!("No active thread to {words}")), "{}", run.stderr);
        }
    }
}

#[test]
fn skips_bad_skill_and_keeps_rest() {
    let repository = with_skills(&["rust-mode", "cargo", "chat", "docs"]);
    for name in ["docs", "chat", "cargo", "rust-mode"] {
        bind(&repository, name, "A");
    }
    let run = repository.skilltree(&["prompt", "--profile", "amacs", "--thread", "A", "--format", "json"]);
    let index: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(index["dropped"][0]["name"], "docs");
    assert_eq!((&index["dropped"][0]["reason"], &index["skills"][0]["name"]), (&"budget".into(), &"rust-mode".into()));
    assert_eq!(index["source"]["config"][0]["path"], FILE);
    let check = repository.skilltree(&["check", "--format", "concise"]);
    assert!(
        check.stdout.contains("error[thread-over-budget] the prompt of thread `A` drops `docs`"),
        "{}",
        check.stdout
    );

    repository.write(".agent/skills/cargo/SKILL.md", "---\nname: cargo\n---\nNo description.\n");
    let run = repository.skilltree(&["prompt", "--profile", "amacs", "--thread", "A"]);
    let names: Vec<_> = run.stdout.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!((run.status, names), (0, vec!["rust-mode", "chat", "docs"]));
    assert!(run.stderr.contains("skipped .agent/skills/cargo/SKILL.md: missing-description"), "{}", run.stderr);
}

#[test]
fn bind_says_which_skills_do_not_load() {
    let repository = with_skills(&["a", "b", "c", "d"]);
    repository.write(".agent/skills/big/SKILL.md", common::good("big").replace("Do it.", &"x".repeat(6_200)));
    let big = bind(&repository, "big", "T");
    assert!(big.status == 0 && big.stderr.contains("`big` is bound but does not load: "), "{}", big.stderr);
    assert!(big.stderr.contains("the limit is 1,500"), "{}", big.stderr);
    for name in ["a", "b", "c"] {
        let run = bind(&repository, name, "U");
        assert!(!run.stderr.contains("does not load"), "{}", run.stderr);
    }
    let fourth = bind(&repository, "d", "U");
    assert!(fourth.stderr.contains("`a` is bound but does not load: "), "{}", fourth.stderr);
    assert!(!context(&repository, "U").contains("### a"));
}

#[test]
fn reads_threads_from_source_of_skills() {
    let repository = with_skills(&["rust-mode", "cargo"]);
    bind(&repository, "rust-mode", "A");
    repository.commit();
    bind(&repository, "cargo", "A");
    repository.add();
    repository.write(FILE, "{\"threads\": 1}");
    let skills = |source: &[&str]| {
        let run = repository.skilltree(&[&["prompt", "--profile", "amacs", "--thread", "A"], source].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout.lines().filter(|line| line.starts_with("### ")).count()
    };
    assert_eq!((skills(&["--rev", "HEAD"]), skills(&["--staged"]), skills(&["--worktree"])), (1, 2, 0));
    let check = repository.skilltree(&["check", "--format", "concise"]);
    let expected = ".agent/threads.json:1:13: error[malformed-bindings] `threads` is a number, not an object";
    assert!(check.status == 1 && check.stdout.contains(expected), "{}", check.stdout);
    assert_eq!(repository.skilltree(&["check", "--staged"]).status, 0);
    let bind = bind(&repository, "rust-mode", "A");
    assert_eq!(
        (bind.status, file(&repository)),
        (2, "{\"threads\": 1}".to_owned()),
        "what is not understood is not edited"
    );
}

#[test]
#[cfg(unix)]
fn keeps_mode_and_refuses_link() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let repository = with_skills(&["rust-mode", "cargo"]);
    bind(&repository, "rust-mode", "A");
    let path = repository.path().join(FILE);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    bind(&repository, "cargo", "A");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("threads.json");
    fs::rename(&path, &target).unwrap();
    let before = fs::read(&target).unwrap();
    symlink(&target, &path).unwrap();
    assert_eq!(bind(&repository, "rust-mode", "B").status, 2);
    assert_eq!(fs::read(&target).unwrap(), before);
    assert_eq!(repository.skilltree(&["check", "--quiet"]).status, 1);
}

#[test]
fn concurrent_binds_lose_nothing() {
    let repository = with_skills(&["rust-mode"]);
    std::thread::scope(|scope| {
        for number in 0..8 {
            let repository = &repository;
            scope.spawn(move || {
                let run = bind(repository, "rust-mode", &format!("t{number}"));
                // Where nothing is locked, a file that has changed is not written.
                assert!(run.status == 0 || !cfg!(unix), "{}", run.stderr);
            });
        }
    });
    if cfg!(unix) {
        let threads: serde_json::Value = serde_json::from_str(&file(&repository)).expect("JSON");
        assert_eq!(threads["threads"].as_object().unwrap().len(), 8);
    }
}

#[test]
fn reports_hostile_files() {
    let deep = format!("{{\"threads\": {}{}}}", "[".repeat(200_000), "]".repeat(200_000));
    let twice = format!("{{\"threads\": {{{}\"x\": {{}}}}}}", "\"x\": {},".repeat(500));
    let large = format!("{{\"threads\": {{\"{}\": {{}}}}}}", "x".repeat(2 << 20));
    let cases: [(&[u8], &str); 5] = [
        (deep.as_bytes(), "`threads` is a list, not an object"),
        (twice.as_bytes(), "duplicate thread `x`"),
        (large.as_bytes(), "the file is too large to read"),
        (b"{\"threads\": {\"\xff\": {}}}", "the file is not UTF-8"),
        (b"{\"threads\": {\"\x1b[2J\": 1}}", "the file is not JSON: control character"),
    ];
    let repository = with_skills(&["rust-mode"]);
    for (text, message) in cases {
        repository.write(FILE, text);
        let check = repository.skilltree(&["check", "--format", "concise"]);
        assert!(
            check.status == 1 && check.stdout.contains(message),
            "{message}: {}",
            check.stdout.get(..400).unwrap_or(&check.stdout)
        );
        assert!(!check.stdout.contains('\x1b'));
        assert_eq!(context(&repository, "x"), "");
        assert_eq!(bind(&repository, "rust-mode", "y").status, 2);
    }
}

/// AMACS reads the skills directories of its profile only.
#[test]
fn binding_of_a_skill_elsewhere_names_its_directory() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").skill(".claude/skills", "two");
    repository.write(".agent/threads.json", r#"{"threads":{"t":{"bound-skills":["two"]}}}"#).commit();
    let check = repository.skilltree(&["check"]).stdout;
    assert!(check.contains("help: move `.claude/skills/two` to `.agent/skills`, which AMACS reads"), "{check}");
}
