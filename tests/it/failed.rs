//! Runs that fail or lack their base: reviewers see why in the formats that they read.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;

use crate::common::{self, Repository, good};
use serde_json::{Value, json};

const ARGUMENTS: [&str; 6] = [
    "--format=github",
    "--output=sarif=o.sarif",
    "--output=markdown=o.md",
    "--output=junit=o.xml",
    "--output=json=o.json",
    "--exit-zero",
];

fn check(repository: &Repository, more: &[&str]) -> common::Run {
    repository.skilltree(&[&["check"], &ARGUMENTS[..], more].concat())
}

fn read(repository: &Repository, name: &str) -> String {
    fs::read_to_string(repository.path().join(name)).unwrap_or_default()
}

fn invocation(repository: &Repository) -> Value {
    let log: Value = serde_json::from_str(&read(repository, "o.sarif")).unwrap();
    log["runs"][0]["invocations"][0].clone()
}

#[test]
fn failed_run_says_why_in_every_output() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    let run = check(&repository, &["--rev", "nope"]);
    assert_eq!(run.status, 2);
    let fact = "`nope` is not a commit, tag or tree";
    assert!(run.stdout.starts_with(&format!("::error title=skilltree failed::{fact}%0Ahelp: ")), "{}", run.stdout);
    assert_eq!(run.stdout.lines().count(), 1);
    assert!(run.stderr.contains(fact), "{}", run.stderr);
    assert!(read(&repository, "o.md").starts_with(&format!("## skilltree: failed\n\n{fact}\n")));
    assert!(read(&repository, "o.xml").contains(&format!("<error type=\"failed\" message=\"{fact}\">")));
    assert!(!repository.path().join("o.json").exists(), "JSON has no form for it");
    let invocation = invocation(&repository);
    assert_eq!(invocation["executionSuccessful"], false);
    let text = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with(&format!("{fact}. Run `git rev-parse")), "{text}");
    // The next run replaces the reports.
    assert_eq!(check(&repository, &["--rev", "HEAD"]).status, 0);
    assert!(read(&repository, "o.md").starts_with("## skilltree: no findings"));
}

#[test]
fn failed_run_replaces_its_page() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    let page = |revision: &str| {
        repository.skilltree(&["check", "--rev", revision, "--output", "html=o.html"]);
        read(&repository, "o.html")
    };
    assert!(page("HEAD").contains("no findings"));
    for _ in 0..2 {
        assert!(page("nope").contains("<code>nope</code> is not a commit, tag or tree"));
    }
    assert!(page("HEAD").contains("no findings"));
}

#[test]
fn broken_configuration_is_annotated_at_its_line() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write("skilltree.toml", "edition = \"2026\"\ntargets = [\n").commit();
    let run = check(&repository, &["--staged"]);
    assert_eq!(run.status, 2);
    assert!(run.stdout.starts_with("::error file=skilltree.toml,line=2,col="), "{}", run.stdout);
    let location = &invocation(&repository)["toolExecutionNotifications"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        (&location["artifactLocation"]["uri"], &location["region"]["startLine"]),
        (&json!("skilltree.toml"), &json!(2))
    );
}

/// A failed run does not know which files are checked, so it replaces only its own reports.
#[test]
fn failed_run_keeps_files_of_others() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write("notes.md", "my notes\n").write("empty.md", "").commit();
    let skill = read(&repository, ".agent/skills/pdf/SKILL.md");
    let outside = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), repository.path().join("link")).unwrap();
    let paths = ["notes.md", "empty.md", ".agent/skills/pdf/SKILL.md", ".git/o.md", "link/o.md", "nowhere/o.md"];
    let outputs: Vec<String> = paths.iter().map(|path| format!("--output=markdown={path}")).collect();
    for output in &outputs {
        assert_eq!(repository.skilltree(&["check", "--rev", "nope", output]).status, 2);
    }
    assert_eq!(read(&repository, "notes.md"), "my notes\n");
    assert!(read(&repository, "empty.md").starts_with("## skilltree: failed"));
    assert_eq!(read(&repository, ".agent/skills/pdf/SKILL.md"), skill);
    assert!(!repository.path().join(".git/o.md").exists());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[test]
fn timeout_is_annotated() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    let run = repository.skilltree(&["check", "--format=github", "--max-time=1ms"]);
    // A fast machine may finish first.
    if run.status == 2 {
        assert!(run.stdout.starts_with("::error title=skilltree failed::stopped after 1ms while "), "{}", run.stdout);
    }
}

#[test]
fn missing_base_is_a_warning_in_every_output() {
    let repository = Repository::new();
    repository
        .write(".agent/skills/pdf/SKILL.md", "---\nname: other\ndescription: Reads. Use when asked.\n---\nDo it.\n");
    repository.commit();
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "Another"]);
    let url = format!("file://{}", repository.path().display());
    let clone = Repository::new();
    clone.git(&["fetch", "--quiet", "--depth=1", &url, "main"]);
    clone.git(&["checkout", "--quiet", "-B", "main", "FETCH_HEAD"]);
    for base in ["HEAD^1", "0000000000000000000000000000000000000000"] {
        let run = check(&clone, &["--rev", "HEAD", "--base", base]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let words = "so every finding counts";
        assert!(run.stderr.contains(words), "{}", run.stderr);
        assert!(
            run.stdout.starts_with("::warning title=skilltree::") && run.stdout.lines().next().unwrap().contains(words),
            "{}",
            run.stdout
        );
        assert!(run.stdout.contains("::error file=.agent/skills/pdf/SKILL.md"), "{}", run.stdout);
        let markdown = read(&clone, "o.md");
        assert!(markdown.contains("\n**warning**: ") && markdown.contains(words), "{markdown}");
        assert!(!markdown.contains("since"), "{markdown}");
        assert!(read(&clone, "o.xml").contains("<system-err>"));
        let invocation = invocation(&clone);
        assert_eq!(invocation["executionSuccessful"], true);
        assert_eq!(invocation["toolExecutionNotifications"][0]["level"], "warning");
        let report: Value = serde_json::from_str(&read(&clone, "o.json")).unwrap();
        assert_eq!((&report["base"]["revision"], &report["base"]["commit"]), (&json!(base), &Value::Null));
        assert_eq!((&report["base"]["new"], &report["base"]["unchanged"]), (&json!(1), &json!(0)));
        assert!(report["base"]["missing"].as_str().unwrap().contains(words), "{report}");
        assert_eq!(report["base"]["missing"], report["warnings"][0]["message"]);
    }
    let present = repository.skilltree(&["check", "--rev", "HEAD", "--base", "HEAD^1", "--format=json"]);
    let report: Value = serde_json::from_str(&present.stdout).unwrap();
    assert_eq!((&report["base"]["missing"], &report["warnings"]), (&Value::Null, &json!([])));
}

#[test]
fn output_dash_is_refused() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    let run = repository.skilltree(&["check", "--output", "sarif=-"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("`-` is not a file; for standard output, use `--format sarif`"), "{}", run.stderr);
    assert!(!repository.path().join("-").exists());
    assert_eq!(repository.skilltree(&["check", "--output", "sarif=./-"]).status, 0);
    assert!(repository.path().join("-").exists());
}

#[test]
fn sarif_over_the_limit_is_a_warning() {
    let repository = Repository::new();
    for number in 0..251 {
        let text = good(&format!("s{number}")) + &"<!-- skilltree: nothing -->\n\n".repeat(100);
        repository.write(&format!(".agent/skills/s{number}/SKILL.md"), text);
    }
    repository.commit();
    let run =
        repository.skilltree(&["check", "--quiet", "--format=github", "--output=sarif=o.sarif", "--fail-on=never"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let log: Value = serde_json::from_str(&read(&repository, "o.sarif")).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), 25_000);
    let omitted =
        invocation(&repository)["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap().to_owned();
    let number = omitted.split(' ').next().unwrap();
    assert!(
        run.stderr.contains(&format!("warning: the SARIF is not complete: {number} more findings are not shown")),
        "{}",
        run.stderr
    );
}

#[test]
fn no_skills_directory_is_said() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "default-roots = false\n").commit();
    let run = repository.skilltree(&["check"]);
    assert!(run.stderr.contains("no skills directory is checked: `default-roots` is false"), "{}", run.stderr);
}
