//! Each directory of fixtures/ is a case: `repo/` becomes a git repository, which is checked as index, tree and working
//! tree. The output must be the same for all three, and equal to the expected files in the directory.
//!
//! `SNAPSHOTS=overwrite cargo test --test fixtures` writes the expected files; read the diff.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

mod common;

use common::Repository;

/// Files that not every file system can store, and the commands to run.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Case {
    /// More arguments for `check`.
    arguments: Vec<String>,
    /// The exit status of `check`.
    status: i32,
    /// Symbolic links: path and target.
    links: Vec<(String, String)>,
    /// Gitlinks.
    submodules: Vec<String>,
    /// Files whose names or bytes are odd: path and text.
    files: Vec<(String, String)>,
    /// Arguments for `prompt`, when the artifact is part of the case.
    prompt: Option<Vec<String>>,
}

impl Case {
    /// Returns whether this system can store every file of the case.
    fn has_working_tree(&self) -> bool {
        self.files.iter().all(|(path, _)| common::is_storable(path))
    }
}

fn main() {
    let arguments = Arguments::from_args();
    let mut cases: Vec<PathBuf> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    cases.sort();
    assert!(!cases.is_empty(), "fixtures/ has cases");
    let trials = cases.into_iter().map(|case| {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        Trial::test(name, move || run(&case))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

fn run(directory: &Path) -> Result<(), Failed> {
    let case: Case = match fs::read_to_string(directory.join("case.toml")) {
        Ok(text) => toml::from_str(&text)?,
        Err(_) => Case::default(),
    };
    let repository = build(directory, &case);
    let mut expected = Expected { directory, differences: Vec::new() };
    let check = |source: &[&str], format: &str| {
        let more = case.arguments.iter().map(String::as_str);
        let arguments: Vec<&str> =
            ["check"].into_iter().chain(source.iter().copied()).chain(["--format", format]).chain(more).collect();
        repository.skilltree(&arguments)
    };
    for (format, name) in
        [("full", "expected.txt"), ("sarif", "expected.sarif"), ("markdown", "expected.md"), ("json", "expected.json")]
    {
        let run = check(&["--staged"], format);
        expected.status(format, run.status, case.status);
        let text = match format {
            "full" => format!("{}\n{}", run.stdout, run.stderr),
            "sarif" => without_rules(&run.stdout)?,
            _ => run.stdout,
        };
        expected.file(name, text.as_bytes());
    }
    let staged = check(&["--staged"], "concise");
    for source in [&["--rev", "HEAD"][..], &["--worktree"][..]] {
        if source == ["--worktree"] && !(case.submodules.is_empty() && case.has_working_tree()) {
            continue;
        }
        let other = check(source, "concise");
        expected.same(&format!("{source:?} and --staged"), &other.stdout, &staged.stdout);
        expected.status(&format!("{source:?}"), other.status, case.status);
    }
    if let Some(arguments) = &case.prompt {
        prompt(&repository, arguments, &mut expected);
    }
    expected.into_result()
}

/// SARIF without the table of rules, which every new rule changes. tests/it/render checks the table.
fn without_rules(sarif: &str) -> Result<String, Failed> {
    let mut log: serde_json::Value = serde_json::from_str(sarif)?;
    let run = &mut log["runs"][0];
    run["tool"]["driver"].as_object_mut().ok_or("a driver")?.remove("rules");
    for result in run["results"].as_array_mut().ok_or("results")? {
        result.as_object_mut().ok_or("a result")?.remove("ruleIndex");
    }
    Ok(serde_json::to_string_pretty(&log)? + "\n")
}

fn prompt(repository: &Repository, arguments: &[String], expected: &mut Expected<'_>) {
    let out = tempfile::tempdir().unwrap();
    let out_path = out.path().join("artifact");
    let more: Vec<&str> = arguments.iter().map(String::as_str).collect();
    for source in [&["--rev", "HEAD"][..], &["--worktree"][..], &["--staged"][..]] {
        let path = out_path.to_str().unwrap();
        let build: Vec<&str> = [&["prompt"], source, &["--out", path], &more[..]].concat();
        let run = repository.skilltree(&build);
        expected.status(&format!("prompt {source:?}: {}", run.stderr), run.status, 0);
        expected.same("standard output of prompt --out", &run.stdout, "");
        let verify: Vec<&str> = [&["prompt"], source, &["--verify", path], &more[..]].concat();
        expected.status("prompt --verify", repository.skilltree(&verify).status, 0);
        if source == ["--staged"] {
            expected.file("expected.prompt.stderr", run.stderr.as_bytes());
        }
        for name in ["available-skills.md", "skills.json", "comment.md"] {
            let bytes = fs::read(out_path.join(name)).unwrap_or_else(|_| b"(absent)\n".to_vec());
            expected.file(&format!("expected.{name}"), &bytes);
        }
    }
}

fn build(directory: &Path, case: &Case) -> Repository {
    let repository = Repository::new();
    repository.git(&["config", "core.autocrlf", "false"]);
    let tree = directory.join("repo");
    if tree.is_dir() {
        common::copy(&tree, repository.path());
    }
    for (path, target) in &case.links {
        common::link(&repository, path, target);
    }
    for (path, text) in case.files.iter().filter(|(path, _)| common::is_storable(path)) {
        repository.write(path, text);
    }
    repository.git(&["add", "--all", "--force"]);
    for (path, text) in case.files.iter().filter(|(path, _)| !common::is_storable(path)) {
        common::stage(&repository, "100644", path, text);
    }
    for path in &case.submodules {
        let entry = format!("160000,{},{path}", "1".repeat(40));
        repository.git(&["update-index", "--add", "--cacheinfo", &entry]);
    }
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "The case"]);
    repository
}

/// The expected files of a case, and the formats in which the run differs.
struct Expected<'a> {
    directory: &'a Path,
    differences: Vec<String>,
}

impl Expected<'_> {
    fn file(&mut self, name: &str, actual: &[u8]) {
        let path = self.directory.join(name);
        if let Err(difference) = common::snapshot(&path, actual) {
            self.differences.push(format!("{name}: {difference}"));
        }
    }

    fn same(&mut self, what: &str, actual: &str, expected: &str) {
        if actual != expected {
            self.differences.push(format!("{what}: expected\n{expected}\nbut it is\n{actual}"));
        }
    }

    fn status(&mut self, what: &str, actual: i32, expected: i32) {
        if actual != expected {
            self.differences.push(format!("{what}: exit status {actual} instead of {expected}"));
        }
    }

    fn into_result(self) -> Result<(), Failed> {
        if self.differences.is_empty() {
            return Ok(());
        }
        let advice = "`SNAPSHOTS=overwrite cargo test --test fixtures` writes the expected files; read the diff";
        Err(format!("{}\n{advice}", self.differences.join("\n\n")).into())
    }
}
