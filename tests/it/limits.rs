//! The most of everything that a checked tree may contain: each input at its limits, alone, within 512 MiB and 30 CPU seconds.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

mod inputs;

use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};

use self::inputs::{Input, Size, inputs};
use crate::common::{self, good};

/// Creates a bare repository with these files. Equal texts are one object.
fn repository(input: &Input) -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    common::init(directory.path(), &["--bare"]);
    let mut import = Command::new("git");
    common::isolate(&mut import).args(["fast-import", "--quiet"]).current_dir(directory.path());
    let mut child = import.stdin(Stdio::piped()).spawn().unwrap();
    let mut stream = std::io::BufWriter::new(child.stdin.take().unwrap());
    for (number, (text, _)) in (1..).zip(&input.files) {
        writeln!(stream, "blob\nmark :{number}\ndata {}\n{text}", text.len()).unwrap();
    }
    writeln!(stream, "commit refs/heads/main\ncommitter C <c@example.com> 1700000000 +0000\ndata 0\n").unwrap();
    for (number, (_, paths)) in (1..).zip(&input.files) {
        for path in paths {
            writeln!(stream, "M 100644 :{number} {path}").unwrap();
        }
    }
    drop(stream);
    assert!(child.wait().unwrap().success());
    directory
}

/// Prints the processor time in seconds and the peak memory in KiB of a command in the last line of the standard error stream.
const MEASURE: &str = "import resource, subprocess, sys\n\
    status = subprocess.call(sys.argv[1:])\n\
    used = resource.getrusage(resource.RUSAGE_CHILDREN)\n\
    print(f'{used.ru_utime + used.ru_stime:.2f} {used.ru_maxrss}', file=sys.stderr)\n\
    sys.exit(status)";

/// What a check used.
#[derive(Clone, Copy)]
struct Used {
    seconds: f64,
    kib: f64,
    status: i32,
}

/// Checks a repository with limited memory and time. Returns what is wrong with the run, and what it used if that is asked for.
fn run(input: &Input, is_measured: bool) -> (Option<String>, Option<Used>) {
    let repository = repository(input);
    let output = tempfile::tempdir().unwrap();
    let concise = output.path().join("concise");
    let limits = "ulimit -d 524288 && ulimit -t 30 && exec \"$@\"";
    let mut command = Command::new("bash");
    // Without memory, a backtrace can wait forever for memory.
    common::isolate(&mut command)
        .env("RUST_BACKTRACE", "0")
        .args(["-c", limits, "bash"])
        .current_dir(repository.path());
    if is_measured {
        command.args(["python3", "-c", MEASURE]);
    }
    command.arg(common::program());
    command.args(["check", "--rev", "main", "--jobs", "2", "--format", "json"]);
    command.arg(format!("--output=concise={}", concise.display()));
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let start: String = stderr.chars().take(400).collect();
    let Some(status @ 0..=2) = output.status.code() else {
        return (Some(format!("{}: {}: {start}", input.name, output.status)), None);
    };
    let used = stderr.lines().last().filter(|_| is_measured).and_then(|line| line.split_once(' '));
    let used = used.map(|(seconds, kib)| Used { seconds: seconds.parse().unwrap(), kib: kib.parse().unwrap(), status });
    let findings = std::fs::read_to_string(concise).unwrap_or_default();
    let (expected, words) = input.expected;
    let is_said = findings.contains(words) || stderr.contains(words);
    let first: String = findings.chars().take(400).collect();
    let fault = (status != expected || !is_said)
        .then(|| format!("{}: status {status}, expected {expected} and `{words}`: {start}\n{first}", input.name));
    (fault, used)
}

/// Files with a limit of their own, and the exit status if one is larger.
const LIMITED: [(&str, i32); 30] = [
    (".agent/knowledge.jsonl", 1),
    (".agent/threads.json", 1),
    (".claude/agents/x.md", 2),
    (".claude/commands/x.md", 0),
    (".claude/settings.json", 0),
    (".claude/skills/a/SKILL.md", 1),
    (".claude/skills/a/agents/openai.yaml", 1),
    (".codex/agents/x.toml", 0),
    (".codex/config.toml", 0),
    (".codex/hooks.json", 0),
    (".gemini/agents/x.md", 0),
    (".gemini/commands/x.toml", 0),
    (".gemini/settings.json", 0),
    (".github/agents/x.md", 0),
    (".github/hooks/x.json", 0),
    (".mcp.json", 0),
    (".opencode/agents/x.md", 0),
    (".pi/settings.json", 0),
    (".qwen/settings.json", 0),
    (".vscode/settings.json", 0),
    ("WORKFLOW.md", 1),
    ("gemini-extension.json", 1),
    ("opencode.json", 0),
    ("p/.claude-plugin/plugin.json", 1),
    ("p/.mcp.json", 0),
    ("p/agents/x.md", 0),
    ("p/commands/x.md", 0),
    ("p/hooks/hooks.json", 0),
    ("p/package.json", 0),
    ("skills-lock.json", 1),
];

/// Returns what is wrong with a check of a repository in which a file is larger than its limit.
fn with_large((path, status): (&'static str, i32)) -> Option<String> {
    let files = [
        (" ".repeat((16 << 20) + 1), path),
        (good("a"), ".claude/skills/a/SKILL.md"),
        (good("b"), "p/skills/b/SKILL.md"),
        (r#"{"name":"p"}"#.to_owned(), "p/.claude-plugin/plugin.json"),
    ];
    let mut files: Vec<(String, Vec<String>)> =
        files.into_iter().map(|(text, path)| (text, vec![path.to_owned()])).collect();
    let others = files.split_off(1);
    files.extend(others.into_iter().filter(|(_, paths)| paths[0] != path));
    run(&Input { name: "a large file", files, expected: (status, path) }, false).0
}

#[test]
fn names_each_file_over_its_limit() {
    let faults: Vec<String> = LIMITED.into_iter().filter_map(with_large).collect();
    assert!(faults.is_empty(), "{} files:\n{}", faults.len(), faults.join("\n"));
}

/// Checks each input, and prints what those that used most used, by file.
fn check(size: Size) {
    let mut worst: BTreeMap<&str, (&str, Used)> = BTreeMap::new();
    let mut faults = Vec::new();
    for input in inputs(size) {
        let (fault, used) = run(&input, size == Size::Most);
        faults.extend(fault);
        let Some(used) = used else { continue };
        let known = worst.entry(input.file()).or_insert((input.name, used));
        if used.kib > known.1.kib {
            *known = (input.name, used);
        }
    }
    for (file, (name, Used { seconds, kib, status })) in worst {
        println!("| {file} | {name} | {seconds:.1} | {:.0} | {status} |", kib / 1024.0);
    }
    assert!(faults.is_empty(), "{} inputs:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn reads_much_of_each_input_within_the_limits() {
    check(Size::Small);
}

#[test]
#[ignore = "a debug build takes minutes; `.ci/run full` runs it with a release build"]
fn reads_the_most_of_each_input_within_the_limits() {
    check(Size::Most);
}
