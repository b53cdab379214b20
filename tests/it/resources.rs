//! A machine that gives little: one thread, sixteen descriptors, 256 MB, small stacks.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{self, Repository, good};

/// Result of a run under limits.
#[derive(Debug, PartialEq, Eq)]
struct Limited {
    status: Option<i32>,
    stdout: String,
    stderr: String,
}

fn run(command: &mut Command) -> Limited {
    let output = common::isolate(command).output().unwrap();
    Limited {
        status: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs skilltree in a shell that set a limit for it.
fn under(limit: &str, directory: &Path, arguments: &[&str]) -> Limited {
    let script = format!("{limit} && exec \"$0\" \"$@\"");
    run(Command::new("bash").args(["-c", &script]).arg(common::program()).args(arguments).current_dir(directory))
}

/// A bare repository with this many skills of five kilobytes, one of them broken.
fn many(skills: usize) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    assert!(common::git(directory.path(), &["init", "--quiet", "--bare"], &[]).status.success());
    let mut import = Command::new("git");
    common::isolate(&mut import).args(["fast-import", "--quiet"]).current_dir(directory.path());
    let mut child = import.stdin(Stdio::piped()).spawn().unwrap();
    let mut stream = child.stdin.take().unwrap();
    writeln!(stream, "commit refs/heads/main\ncommitter C <c@example.com> 1700000000 +0000\ndata 0\n").unwrap();
    for number in 0..skills {
        let text =
            good(&format!("skill-{number}")) + &"Read the report, and write down what it leaves out.\n".repeat(95);
        let text = if number == 7 { text.replace("name: ", "title: ") } else { text };
        writeln!(stream, "M 100644 inline .agent/skills/skill-{number}/SKILL.md\ndata {}\n{text}", text.len()).unwrap();
    }
    drop(stream);
    assert!(child.wait().unwrap().success());
    assert!(common::git(directory.path(), &["symbolic-ref", "HEAD", "refs/heads/main"], &[]).status.success());
    directory
}

#[test]
fn runs_with_16_descriptors() {
    let repository = Repository::new();
    for number in 0..300 {
        repository.skill(".agent/skills", &format!("skill-{number}"));
    }
    repository.commit().write(".agent/skills/skill-1/SKILL.md", "no front matter\n");
    for revision in ["--rev=HEAD", "--staged", "--worktree"] {
        let arguments = ["check", revision, "--jobs", "8", "--output", "sarif=out.sarif"];
        let plenty = repository.skilltree(&arguments);
        let few = under("ulimit -n 16", repository.path(), &arguments);
        assert_eq!(few.status, Some(plenty.status), "{revision}: {}", few.stderr);
        assert_eq!((few.stdout, few.stderr), (plenty.stdout, plenty.stderr), "{revision}");
    }
    let few = under("ulimit -n 4", repository.path(), &["check", "--rev=HEAD", "--jobs", "8"]);
    assert_eq!(few.status, Some(2), "{}", few.stderr);
    assert!(few.stderr.contains("too many open files") && few.stderr.contains("ulimit -n"), "{}", few.stderr);
}

#[test]
fn checks_10_000_skills_in_256_mb() {
    let repository = many(10_000);
    let beside = tempfile::tempdir().unwrap();
    let out = beside.path().join("out");
    let check = ["check", "--rev", "main", "--jobs", "16", "--format", "sarif"];
    let few = under("ulimit -d 262144", repository.path(), &check);
    assert_eq!(few.status, Some(1), "{}", few.stderr);
    assert!(few.stderr.starts_with("1 error in 10,000 skills "), "{}", few.stderr);
    let prompt = ["prompt", "--rev", "main", "--quiet", "--out", out.to_str().unwrap()];
    let few = under("ulimit -d 262144", repository.path(), &prompt);
    assert_eq!(few.status, Some(0), "{}", few.stderr);
    assert!(out.join("available-skills.md").is_file());
}

/// Returns a constructor of commands that run skilltree with a limit of one thread. The kernel does not limit the threads
/// of root, so root runs them as another user, who then owns the repository.
#[cfg(target_os = "linux")]
fn without_threads(repository: &Repository) -> impl Fn() -> Command {
    common::require("prlimit", "util-linux");
    common::require("setpriv", "util-linux");
    let program = repository.path().join(".git/program");
    common::copy_program(&program);
    let is_root = common::is_root();
    let before: &[&str] =
        if is_root { &["setpriv", "--reuid=65534", "--clear-groups", "prlimit"] } else { &["prlimit"] };
    if is_root {
        assert!(Command::new("chown").args(["-R", "65534"]).arg(repository.path()).status().unwrap().success());
    }
    let directory = repository.path().to_owned();
    move || {
        let mut command = Command::new(before[0]);
        command.args(&before[1..]).arg("--nproc=1").arg(&program).current_dir(&directory);
        command
    }
}

#[test]
#[cfg(target_os = "linux")]
fn runs_without_additional_threads() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").write(".agent/skills/two/SKILL.md", "no front matter\n").commit();
    let commands = [
        ["check", "--rev=HEAD", "--format=json", "--jobs=64"],
        ["check", "--staged", "--format=json", "--jobs=2"],
        ["check", "--worktree", "--format=json", "--quiet"],
    ];
    let many: Vec<_> = commands.iter().map(|arguments| repository.skilltree(arguments)).collect();
    let command = without_threads(&repository);
    for (arguments, many) in commands.iter().zip(many) {
        let alone = run(command().args(arguments));
        assert_eq!((alone.status, alone.stdout), (Some(1), many.stdout), "{arguments:?}: {}", alone.stderr);
        assert_eq!(alone.stderr, many.stderr, "{arguments:?}");
    }
    let watched = run(command().args(["check", "--max-time=60s"]));
    assert_eq!(watched.status, Some(2), "a time limit needs a timer thread");
    assert!(watched.stderr.contains("the timer thread for `--max-time` cannot be started"), "{}", watched.stderr);
}

#[test]
fn deep_nesting_keeps_stack_small() {
    let nested = |open: &str, close: &str| format!("{}a{}", open.repeat(20_000), close.repeat(20_000));
    let skill =
        |value: String| (".agent/skills/a/SKILL.md", good("a").replace("---\n#", &format!("x: {value}\n---\n#")));
    let settings = |text: String| ("skilltree.toml", text);
    let files = [
        skill(nested("[", "]")),
        skill(nested("{a: ", "}")),
        skill(format!("\n  {}a", "- ".repeat(20_000))),
        (".agent/skills/a/SKILL.md", good("a") + &nested("> ", "")),
        (".agent/skills/a/SKILL.md", good("a") + &nested("- ", "")),
        (".agent/skills/a/SKILL.md", good("a") + &nested("[", "](b)")),
        settings(format!("x = {}", nested("[", "]").replace('a', ""))),
        settings(format!("x = {}", nested("{a = ", "}").replacen("aa", "a", 1))),
        settings(format!("{}a = 1", "a.".repeat(20_000))),
        settings(format!("[{}a]", "a.".repeat(20_000))),
        settings(format!("[[root]]\npath = \"{}a{}\"\n", "{".repeat(2_000), "}".repeat(2_000))),
        settings(format!("[[override]]\npaths = [\"{}a{}\"]\n", "{a,".repeat(1_000), "}".repeat(1_000))),
        ("WORKFLOW.md", format!("---\nagent:\n  skills: {}\n---\n", nested("[", "]"))),
    ];
    for (path, text) in files {
        let repository = Repository::new();
        repository.skill(".agent/skills", "a").write(path, &text);
        let run = under("ulimit -s 1024; export RUST_MIN_STACK=65536", repository.path(), &["check", "--jobs", "2"]);
        let start: String = text.chars().take(120).collect();
        assert!(matches!(run.status, Some(0..=2)), "{path}: {start}: {run:?}");
    }
}

#[test]
fn verify_limits_read_to_expected_size() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one");
    assert_eq!(repository.skilltree(&["prompt", "--out", "out"]).status, 0);
    let block = repository.path().join("out/available-skills.md");
    fs::OpenOptions::new().write(true).open(block).unwrap().set_len(1 << 30).unwrap();
    fs::File::create(repository.path().join("out/comment.md")).unwrap().set_len(1 << 30).unwrap();
    let run = under("ulimit -d 262144", repository.path(), &["prompt", "--verify", "out"]);
    assert_eq!(run.status, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("available-skills.md differs from line"), "{}", run.stderr);
    assert!(run.stderr.contains("comment.md exists, but no skill was skipped"), "{}", run.stderr);
}

#[test]
fn fleet_continues_after_a_repository_that_would_fill_the_memory() {
    let place = tempfile::tempdir().unwrap();
    for name in ["a", "b", "c"] {
        let repository = Repository::new();
        repository.skill(".agent/skills", "one");
        if name == "b" {
            repository.write(".agent/knowledge.jsonl", "1\n".repeat(8_000_000));
        }
        repository.commit();
        repository.git(&["clone", "--quiet", "--bare", ".", place.path().join(name).to_str().unwrap()]);
    }
    let fleet = ["fleet", "--repos", ".", "--out", "tables", "--jsonl"];
    let run = under("ulimit -v 2000000", place.path(), &fleet);
    assert_eq!(run.status, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.contains("3 repositories: 3 read") || run.stderr.contains("3 repositories: 3 read"),
        "{}",
        run.stderr
    );
}

#[test]
fn names_the_limit_of_descriptors() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one");
    let few = under("ulimit -n 4", repository.path(), &["check", "--worktree"]);
    assert_eq!(few.status, Some(2), "{}", few.stderr);
    assert!(few.stderr.contains("too many open files"), "{}", few.stderr);
}

#[test]
fn refuses_more_threads_than_the_address_space_holds() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one");
    let check = ["check", "--jobs", "200"];
    let few = under("ulimit -v 1000000", repository.path(), &check);
    assert_eq!(few.status, Some(2), "{}", few.stderr);
    assert!(few.stderr.starts_with("error: 200 threads need more memory than the limit of 976 MiB"), "{}", few.stderr);
    assert_eq!(under("ulimit -v 1000000", repository.path(), &["check", "--jobs", "2"]).status, Some(0));
    assert_eq!(under("ulimit -v unlimited", repository.path(), &check).status, Some(0));
}

#[test]
#[ignore = "uses 30 seconds of processor time; `.ci/run full` runs it with a release build"]
fn check_fails_after_30_seconds_of_processor_time() {
    let directory = tempfile::tempdir().unwrap();
    common::init(directory.path(), &["--bare"]);
    let mut import = Command::new("git");
    common::isolate(&mut import).args(["fast-import", "--quiet"]).current_dir(directory.path());
    let mut child = import.stdin(Stdio::piped()).spawn().unwrap();
    let mut stream = child.stdin.take().unwrap();
    let text = good("a") + &"![](a)".repeat(40_000);
    writeln!(stream, "blob\nmark :1\ndata {}\n{text}", text.len()).unwrap();
    writeln!(stream, "commit refs/heads/main\ncommitter C <c@example.com> 1700000000 +0000\ndata 0\n").unwrap();
    for number in 0..600 {
        writeln!(stream, "M 100644 :1 .agent/skills/s{number}/SKILL.md").unwrap();
    }
    drop(stream);
    assert!(child.wait().unwrap().success());
    let run = under("ulimit -t 45", directory.path(), &["check", "--rev", "main"]);
    assert_eq!(run.status, Some(2), "{}", run.stderr);
    assert!(run.stderr.starts_with("error: stopped after 30s of processor time while "), "{}", run.stderr);
    let asked = under("ulimit -t 45", directory.path(), &["check", "--rev", "main", "--max-time", "1s"]);
    assert!(asked.stderr.starts_with("error: stopped after 1s while "), "{}", asked.stderr);
}
