//! Comparison with a base in real repositories: existing findings do not fail, and hide no new ones.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::common::{Repository, Run, git, good, skilltree};
use serde_json::Value;

/// An error in one line: a description that YAML does not take.
fn broken(name: &str) -> String {
    good(name).replace("description: Does", "description: Note: does")
}

/// A skill whose body has this number of unique lines.
fn long(name: &str, lines: usize) -> String {
    let body: String = (0..lines).map(|line| format!("Step {line} of {name}.\n")).collect();
    format!("---\nname: {name}\ndescription: Does {name}. Use when {name} is wanted.\n---\n{body}")
}

fn path(name: &str) -> String {
    format!(".agent/skills/{name}/SKILL.md")
}

/// A repository with a good skill and a broken one, committed as the tag `old`.
fn legacy() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "clean").write(&path("legacy"), broken("legacy")).commit();
    repository.git(&["tag", "old"]);
    repository
}

/// The rules of findings by path and state.
type Found = BTreeMap<(String, String), Vec<String>>;

/// The rules of the findings by path and state, and how many are new, unchanged and fixed.
fn states(repository: &Repository, arguments: &[&str]) -> (Found, [u64; 3]) {
    let run = repository.skilltree(&[&["check", "--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let schema = serde_json::from_str(include_str!("../../schema/report.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&report).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "the output matches the schema");
    let mut found = Found::new();
    let word = |finding: &Value, key: &str| finding[key].as_str().unwrap_or("none").to_owned();
    for finding in report["findings"].as_array().unwrap() {
        let key = (word(finding, "path"), word(finding, "state"));
        found.entry(key).or_default().push(word(finding, "rule"));
    }
    let base = &report["base"];
    let counts = [&base["new"], &base["unchanged"]]
        .map(|count| count.as_u64().unwrap_or_else(|| panic!("{base} {}", run.stderr)));
    (found, [counts[0], counts[1], base["fixed"].as_array().unwrap().len() as u64])
}

fn counts(repository: &Repository, arguments: &[&str]) -> [u64; 3] {
    states(repository, arguments).1
}

#[test]
fn only_new_findings_fail() {
    let repository = legacy();
    repository.write(&path("clean"), format!("{}\nMore.\n", good("clean"))).commit();
    let run = repository.skilltree(&["check", "--rev", "HEAD", "--base", "old"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    assert!(run.stderr.contains("; 0 new, 1 existing, 0 fixed since "), "{}", run.stderr);
    assert_eq!(repository.skilltree(&["check", "--rev", "HEAD"]).status, 1);

    repository.write(&path("other"), broken("other")).commit();
    for source in [&["--rev", "HEAD"][..], &["--staged"], &["--worktree"]] {
        let run = repository.skilltree(&[&["check", "--format", "concise", "--base", "old"], source].concat());
        assert_eq!(run.status, 1);
        assert!(run.stdout.starts_with(".agent/skills/other/SKILL.md:3:"), "{}", run.stdout);
        assert!(!run.stdout.contains("legacy"), "{}", run.stdout);
        assert!(run.stderr.contains("; 1 new, 1 existing, 0 fixed since "), "{}", run.stderr);
    }
    for format in ["full", "github", "markdown"] {
        let run = repository.skilltree(&["check", "--base", "old", "--format", format]);
        assert!(run.stdout.contains("other/SKILL.md") && !run.stdout.contains("legacy"), "{}", run.stdout);
    }
    let run = repository.skilltree(&["check", "--base", "old", "--format", "markdown", "--fail-on", "never"]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("\n1 new, 1 existing, 0 fixed since "), "{}", run.stdout);
}

#[test]
fn matches_finding_that_moves_down() {
    let repository = legacy();
    let text = broken("legacy").replace("---\nname", "---\nlicense: MIT\nname").replace('\n', "\r\n");
    repository.write(&path("legacy"), text);
    let (found, _) = states(&repository, &["--base", "old"]);
    let invalid = found.iter().find(|(_, rules)| rules.contains(&"invalid-yaml".to_owned())).unwrap();
    assert_eq!(invalid.0.1, "unchanged");
}

#[test]
fn omits_fixed_finding_from_sarif() {
    let repository = legacy();
    repository.write(&path("legacy"), good("legacy")).write(&path("other"), broken("other")).add();
    assert_eq!(counts(&repository, &["--base", "old"]), [1, 0, 1]);
    repository.write(&path("third"), broken("third")).git(&["add", "--all"]);
    repository.git(&["commit", "--quiet", "--message", "Third", "--", &path("third")]);
    let run = repository.skilltree(&["check", "--format", "sarif", "--base", "HEAD"]);
    let sarif: Value = serde_json::from_str(&run.stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let states: Vec<_> = results.iter().map(|result| result["baselineState"].as_str().unwrap()).collect();
    assert_eq!(states, ["new", "unchanged"]);
    assert!(!run.stdout.contains("legacy"), "a fixed finding is not a result");
}

#[test]
fn matches_findings_of_renamed_directory() {
    let repository = legacy();
    repository.git(&["mv", ".agent/skills/legacy", ".agent/skills/moved"]);
    assert_eq!(counts(&repository, &["--staged", "--base", "old"]), [0, 1, 0]);
    // A copy is not a rename: its problems are new.
    repository.write(&path("legacy"), broken("legacy")).git(&["add", "--all"]);
    let (found, counts) = states(&repository, &["--staged", "--base", "old"]);
    assert_eq!(counts, [1, 1, 0]);
    assert_eq!(
        found.keys().cloned().collect::<Vec<_>>(),
        [(path("legacy"), "unchanged".to_owned()), (path("moved"), "new".to_owned())]
    );
}

#[test]
fn matches_renamed_skill_by_half_of_text() {
    let repository = Repository::new();
    let by_body = "---\nname: kept\ndescription: Use it.\nx: \"a\n---\n\nThe very same body, which is more than half of the text of the skill.\n";
    let by_lines = long("steps", 20).replace("---\nname", "---\nbad: a: b\nname");
    repository.write(&path("kept"), by_body).write(&path("steps"), &by_lines).commit();
    repository.git(&["rm", "--quiet", "-r", ".agent"]);
    let renamed = by_body.replace("kept", "renamed").replace("Use it", "Use this one, which says much more");
    repository.write(&path("renamed"), renamed);
    let edited = by_lines.replace("Step 1 ", "Another 1 ").replace("name: steps", "name: paces");
    repository.write(&path("paces"), edited).add();
    assert_eq!(counts(&repository, &["--base", "HEAD"])[0], 0, "{:?}", states(&repository, &["--base", "HEAD"]));
    let foreign = by_lines.replace("Step", "A wholly different line").replace("name: steps", "name: paces");
    repository.write(&path("paces"), foreign);
    assert_eq!(counts(&repository, &["--base", "HEAD"])[0], 1);
}

#[test]
fn matches_renamed_skill_among_skills_with_the_same_body() {
    let repository = Repository::new();
    let text = |name: &str, description: &str| {
        format!("---\nname: {name}\ndescription: {description}\n---\n## Steps\n\n1. Read.\n2. Do.\n")
    };
    repository.write(&path("rename-a"), text("rename-a", "Handles: papers.")).commit();
    repository.git(&["mv", ".agent/skills/rename-a", ".agent/skills/rename-b"]);
    repository.write(&path("rename-b"), text("rename-b", "Handles: papers."));
    repository.write(&path("added"), text("added", "Handles: bad.")).add();
    let (found, counts) = states(&repository, &["--staged", "--base", "HEAD"]);
    assert_eq!(counts, [1, 1, 0]);
    let found: Vec<_> = found.keys().cloned().collect();
    assert_eq!(found, [(path("added"), "new".to_owned()), (path("rename-b"), "unchanged".to_owned())]);
    let run = repository.skilltree(&["diff"]);
    assert!(run.stdout.starts_with("+1 skill, 1 renamed;"), "{}", run.stdout);
    // The body of a template alone does not make a rename of a removal and an addition.
    repository.git(&["rm", "-rqf", ".agent/skills/rename-b"]);
    let run = repository.skilltree(&["diff"]);
    assert!(run.stdout.starts_with("+1 skill, -1;"), "{}", run.stdout);
}

#[test]
fn reports_additional_equal_finding_as_new() {
    let repository = Repository::new();
    let hidden = |count: usize| format!("{}Do{} it.\n", good("pdf"), "\u{200b}".repeat(count));
    repository.write(&path("pdf"), hidden(2)).commit();
    for (count, expected) in [(1, [0, 1, 1]), (2, [0, 1, 0]), (3, [1, 0, 0]), (0, [0, 0, 1])] {
        repository.write(&path("pdf"), hidden(count));
        assert_eq!(counts(&repository, &["--base", "HEAD"]), expected, "{count}");
    }
    let keys = |count: usize| good("pdf").replace("---\n# pdf", &format!("{}---\n# pdf", "x: y\n".repeat(count)));
    repository.write(&path("pdf"), keys(3)).commit();
    for (count, expected) in [(2, [0, 1, 1]), (3, [0, 2, 0]), (4, [1, 2, 0])] {
        repository.write(&path("pdf"), keys(count));
        assert_eq!(counts(&repository, &["--base", "HEAD"]), expected, "{count}");
    }
}

#[test]
fn reports_cap_as_new_when_more_skills_exceed_it() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "[limits]\nprompt-skills = 2\n");
    for name in ["b", "c", "d"] {
        repository.skill(".agent/skills", name);
    }
    repository.commit();
    // Another skill exceeds the cap, and the number of such skills is the same.
    repository.git(&["mv", &path("d").replace("/SKILL.md", ""), ".agent/skills/a"]);
    repository.write(&path("a"), good("a"));
    assert_eq!(counts(&repository, &["--base", "HEAD"]), [0, 1, 0]);
    repository.skill(".agent/skills", "e").add();
    assert_eq!(counts(&repository, &["--base", "HEAD"]), [1, 0, 0]);
    repository.commit().git(&["rm", "--quiet", "-r", ".agent/skills/e"]);
    assert_eq!(counts(&repository, &["--base", "HEAD"]), [0, 1, 0]);
}

#[test]
fn reports_new_configuration_fault_at_its_place() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write("skilltree.toml", "[limits]\nname-cars = 3\n").commit();
    assert_eq!(counts(&repository, &["--base", "HEAD"]), [0, 1, 0]);
    repository.write("skilltree.toml", "# Moved.\n[limits]\nname-cars = 3\nname-lorries = 3\n");
    assert_eq!(counts(&repository, &["--base", "HEAD"]), [1, 1, 0]);
    // A base with an unreadable configuration hides no finding of the configuration, and every other existing finding.
    repository.write("skilltree.toml", "[").write(&path("legacy"), broken("legacy")).commit();
    repository.write("skilltree.toml", "[limits]\nname-cars = 3\n");
    assert_eq!(counts(&repository, &["--base", "HEAD"]), [1, 1, 0]);
}

#[test]
fn checks_base_with_configuration_of_head() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").write("docs/skills/old/SKILL.md", broken("old")).commit();
    repository.write("skilltree.toml", "[limits]\nname-chars = 2\n\n[[root]]\npath = \"docs/skills\"\n");
    let only_findings = ["--base", "HEAD", "--rule", "loosened-policy=off"];
    assert_eq!(counts(&repository, &only_findings)[0], 0, "findings of a stricter rule exist in the base, too");
    // The ignore now covers nothing: its finding moved to another skill.
    let ignore = "[[ignore]]\nrule = \"invalid-yaml\"\npath = \".agent/skills/vendor\"\nreason = \"not ours\"\n";
    repository.write("skilltree.toml", ignore).write(&path("vendor/x"), broken("x")).commit();
    repository.git(&["mv", ".agent/skills/vendor/x", ".agent/skills/x"]);
    assert_eq!(counts(&repository, &["--base", "HEAD"])[0], 2);
}

#[test]
fn says_which_versions_count_no_longer() {
    let repository = Repository::new();
    let rules = "[rules]\nversion-not-bumped = \"error\"\n";
    let versions = "[versions]\nfields = [\"metadata.version\"]\nignored-files = [\"evals\", \"*.txt\"]\n";
    repository.skill(".agent/skills", "pdf").write("skilltree.toml", rules).commit();
    repository.write("skilltree.toml", format!("{rules}\n{versions}")).add();
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--format", "concise", "--quiet"]);
    let expected = [
        "skilltree.toml:5:1: warning[loosened-policy] other versions of a skill count than before",
        "skilltree.toml:6:1: warning[loosened-policy] `*.txt` may change without a new version",
        "skilltree.toml:6:1: warning[loosened-policy] `evals` may change without a new version",
    ];
    assert!(run.stdout.lines().eq(expected), "{}{}", run.stdout, run.stderr);
    repository.commit().write("skilltree.toml", format!("[rules]\n\n{versions}")).add();
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--format", "concise", "--quiet"]);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
}

#[test]
fn finds_plugin_of_linked_skill_in_base() {
    let repository = Repository::new();
    let manifest = |version: &str| format!("{{\"name\":\"p\",\"version\":\"{version}\"}}");
    let link = repository.path().join(".codex/skills/p");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("../../p", &link).unwrap();
    let skill = good("p").replacen("---\n", "---\nmetadata:\n  version: \"2\"\n", 1);
    repository.write("p/.claude-plugin/plugin.json", manifest("1.0.0")).write("p/SKILL.md", skill).commit();
    fs::create_dir_all(repository.path().join("p/skills/p")).unwrap();
    repository.git(&["mv", "p/SKILL.md", "p/skills/p/SKILL.md"]);
    fs::remove_file(&link).unwrap();
    std::os::unix::fs::symlink("../../p/skills/p", &link).unwrap();
    let found = |version: &str| {
        repository.write("p/.claude-plugin/plugin.json", manifest(version)).add();
        let rule = "version-not-bumped=warning";
        let format = ["--format", "concise", "--quiet"];
        let run =
            repository.skilltree(&[&["check", "--staged", "--base", "HEAD", "--rule", rule], &format[..]].concat());
        run.stdout.lines().filter(|line| line.contains("[version-not-bumped]")).count()
    };
    assert_eq!(found("1.0.0"), 1, "no version changed");
    assert_eq!(found("1.0.1"), 0, "the version of the plugin changed");
}

#[test]
fn compares_with_merge_base_not_tip() {
    let repository = legacy();
    repository.git(&["switch", "--quiet", "--create", "topic"]);
    repository.write("README.md", "Topic.\n").commit();
    repository.git(&["switch", "--quiet", "main"]);
    // The tip of main is repaired; the topic began before that, and is not to blame.
    repository.write(&path("legacy"), good("legacy")).commit();
    repository.git(&["tag", "--annotate", "--message", "Repaired", "repaired"]);
    for base in ["main", "repaired"] {
        assert_eq!(counts(&repository, &["--rev", "topic", "--base", base]), [0, 1, 0], "{base}");
    }
    for range in ["main..topic", "main...topic"] {
        let run = repository.skilltree(&["check", "--range", range]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.stderr.contains("2 skills (topic at "), "{}", run.stderr);
    }
    repository.git(&["switch", "--quiet", "topic"]);
    assert_eq!(repository.skilltree(&["check", "--range", "main..HEAD"]).status, 0);
    assert_eq!(repository.skilltree(&["check", "--range", "main"]).status, 2);
    // Histories that never met, and a tree that has none, are compared as they are.
    repository.git(&["switch", "--quiet", "--orphan", "alone"]);
    repository.write(&path("legacy"), broken("legacy")).commit();
    assert_eq!(counts(&repository, &["--rev", "alone", "--base", "main"]), [1, 0, 0]);
    assert_eq!(counts(&repository, &["--rev", "alone", "--base", "old^{tree}"]), [0, 1, 0]);
}

#[test]
fn paths_filter_new_and_fixed_findings() {
    let repository = legacy();
    repository.write(&path("legacy"), good("legacy")).write(&path("other"), broken("other")).add();
    assert_eq!(counts(&repository, &["--base", "old", ".agent/skills/other"]), [1, 0, 0]);
    assert_eq!(counts(&repository, &["--base", "old", ".agent/skills/legacy"]), [0, 0, 1]);
}

#[test]
fn reports_all_findings_when_shallow_clone_lacks_base() {
    let origin = legacy();
    origin.write(&path("clean"), format!("{}\nMore.\n", good("clean"))).commit();
    let clone = |depth: &str| -> (tempfile::TempDir, Run) {
        let directory = tempfile::tempdir().unwrap();
        let url = format!("file://{}", origin.path().display());
        let cloned = git(directory.path(), &["clone", "--quiet", "--depth", depth, &url, "clone"], &[]);
        assert!(cloned.status.success(), "{}", String::from_utf8_lossy(&cloned.stderr));
        let run =
            skilltree(&directory.path().join("clone"), &["check", "--rev", "HEAD", "--base", "HEAD^1", "-q"], &[]);
        (directory, run)
    };
    let (_kept, run) = clone("1");
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stdout.contains("error[invalid-yaml]"), "{}", run.stdout);
    assert!(
        run.stderr.contains("warning: `HEAD^1` is not in this shallow clone, so every finding counts"),
        "{}",
        run.stderr
    );
    assert!(run.stderr.contains("fetch-depth: 2"), "{}", run.stderr);
    let (_kept, run) = clone("2");
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
}

#[test]
fn rejects_unknown_base() {
    let repository = legacy();
    let run = repository.skilltree(&["check", "--base", "odl"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("did you mean `old`?"), "{}", run.stderr);
    let run = repository.skilltree(&["check", "--base", &"0".repeat(40)]);
    assert_eq!(run.status, 1, "a branch that a push makes has no base");
    assert!(run.stderr.contains("warning: there is no base yet"), "{}", run.stderr);
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("SKILL.md"), good("pdf")).unwrap();
    assert_eq!(skilltree(directory.path(), &["check", "--base", "HEAD", "."], &[]).status, 2);
    let fresh = Repository::new();
    fresh.write(&path("first"), broken("first")).git(&["add", "--all"]);
    let run = fresh.skilltree(&["check", "--staged", "--base", "HEAD"]);
    assert_eq!(run.status, 1, "before the first commit everything is new: {}", run.stderr);
}

#[test]
fn unreadable_base_allows_repair() {
    let repository = Repository::new();
    let deep = format!(".agent/skills{}", "/a".repeat(16));
    repository.skill(".agent/skills", "pdf").skill(&deep, "deep").commit();
    assert_eq!(repository.skilltree(&["check", "--rev", "HEAD"]).status, 2);
    repository.git(&["rm", "--quiet", "-r", ".agent/skills/a"]);
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("the base `HEAD` cannot be checked"), "{}", run.stderr);
}

/// The number of findings of a whole check by rule, path and message, by place for those with several.
fn findings(repository: &Repository, revision: &str) -> BTreeMap<String, usize> {
    let run = repository.skilltree(&["check", "--format", "json", "--rev", revision]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{}", run.stderr));
    let mut found = BTreeMap::new();
    for finding in report["findings"].as_array().unwrap() {
        let message = finding["message"].as_str().unwrap().split(", and ").next().unwrap();
        let key = format!("{} {} {message}", finding["rule"], finding["path"]);
        *found.entry(key).or_default() += finding["occurrences"].as_array().unwrap().len().max(1);
    }
    found
}

fn missing_from(one: &BTreeMap<String, usize>, other: &BTreeMap<String, usize>) -> u64 {
    one.iter().map(|(key, count)| count.saturating_sub(other.get(key).copied().unwrap_or(0)) as u64).sum()
}

/// Skills of the head are reused for the base. What they refer to may differ there, though they are the same.
#[test]
fn base_is_judged_as_if_it_were_read_alone() {
    let repository = Repository::new();
    let linking = |name: &str, text: &str| format!("{}\n{text}\n", good(name));
    repository
        .write("docs/guide.md", "# Guide\n")
        .write("scripts/run.py", "print()\n")
        .write(&path("anchors"), linking("anchors", "See [the part](../target/SKILL.md#part)."))
        .write(&path("target"), linking("target", "# Part"))
        .write(&path("outside"), linking("outside", "See [the guide](../../../docs/guide.md)."))
        .write(&path("prose"), linking("prose", "Then run `scripts/run.py` and `scripts/own.py`."))
        .write(".agent/skills/prose/scripts/own.py", "print()\n")
        .write(&path("pages"), linking("pages", "See [more](references/more.md)."))
        .write(".agent/skills/pages/references/more.md", "See [this](other.md).\n")
        .write(".agent/skills/pages/references/other.md", "# Other\n")
        .write(&path("calls"), linking("calls", "```bash\n./scripts/ask.sh\n```"))
        .write(".agent/skills/calls/scripts/ask.sh", "#!/bin/sh\nread -p Name: name\n")
        .write(&path("same"), linking("same", "See [nothing](nothing.md)."))
        .commit();
    let script = repository.path().join(".agent/skills/calls/scripts/ask.sh");
    let set_mode = |mode| fs::set_permissions(&script, fs::Permissions::from_mode(mode)).unwrap();
    set_mode(0o755);
    repository.git(&["commit", "--quiet", "--all", "--message", "Executable"]);
    repository.git(&["tag", "step-0"]);
    let write = |path: &str, text: String| {
        repository.write(path, text);
    };
    let remove = |path: &str| fs::remove_file(repository.path().join(path)).unwrap();
    let steps: [&dyn Fn(); 7] = [
        &|| write(&path("target"), linking("target", "# Section")),
        &|| remove("docs/guide.md"),
        &|| remove("scripts/run.py"),
        &|| write(".agent/skills/pages/references/more.md", "See [this](missing.md).\n".to_owned()),
        &|| set_mode(0o644),
        &|| write(&path("same"), linking("same", "See [nothing](nothing.md) and [no](no.md).")),
        &|| write(&path("new"), broken("new")),
    ];
    for (number, step) in steps.iter().enumerate() {
        step();
        repository.git(&["add", "--all"]);
        repository.git(&["commit", "--quiet", "--message", "Step"]);
        repository.git(&["tag", &format!("step-{}", number + 1)]);
    }
    let all: Vec<BTreeMap<String, usize>> =
        (0..=7).map(|step| findings(&repository, &format!("step-{step}"))).collect();
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "each step changes the findings: {all:#?}");
    for (head, base) in (1..=7).flat_map(|head| (0..head).map(move |base| (head, base))) {
        let (revision, base_revision) = (format!("step-{head}"), format!("step-{base}"));
        let [new, _, fixed] = counts(&repository, &["--rev", &revision, "--base", &base_revision]);
        let expected = [missing_from(&all[head], &all[base]), missing_from(&all[base], &all[head])];
        assert_eq!([new, fixed], expected, "{base_revision} to {revision}");
    }
}

/// The variables of a push to a branch in GitHub Actions; the file of the event is next to the clone.
fn push_event(directory: &Path, branch: &str, before: &str) -> Vec<(&'static str, String)> {
    let event = serde_json::json!({
        "ref": format!("refs/heads/{branch}"), "before": before, "repository": {"default_branch": "main"},
    });
    let path = directory.join("event.json");
    fs::write(&path, event.to_string()).unwrap();
    vec![
        ("GITHUB_ACTIONS", "true".to_owned()),
        ("GITHUB_EVENT_NAME", "push".to_owned()),
        ("GITHUB_EVENT_PATH", path.to_str().unwrap().to_owned()),
    ]
}

fn run_with(directory: &Path, arguments: &[&str], variables: &[(&'static str, String)]) -> Run {
    let variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
    skilltree(directory, arguments, &variables)
}

#[test]
fn every_format_says_which_base_a_shallow_clone_of_a_new_branch_lacks() {
    let repository = Repository::new();
    repository.write(".agent/skills/a/SKILL.md", good("b")).commit();
    repository.git(&["switch", "--quiet", "--create", "topic"]);
    repository.write("README.md", "x\n").commit();
    let place = tempfile::tempdir().unwrap();
    let address = format!("file://{}", repository.path().display());
    let clone = place.path().join("clone");
    let words = ["clone", "--quiet", "--depth=1", "--branch=topic", &address, clone.to_str().unwrap()];
    assert!(git(place.path(), &words, &[]).status.success());
    let variables = push_event(place.path(), "topic", &"0".repeat(40));
    for format in ["github", "json", "sarif", "markdown", "junit", "full"] {
        let run = run_with(&clone, &["check", "--rev", "HEAD", "--base", "auto", "--format", format], &variables);
        let fact = "refs/remotes/origin/main` is not in this shallow clone";
        let is_said = run.stdout.contains(fact) || format == "full" && run.stderr.contains(fact);
        assert!(is_said && run.stderr.contains("fetch-depth: 0"), "{format}: {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn configuration_from_base_is_that_of_the_chosen_base() {
    let repository = Repository::new();
    let skill = ".agent/skills/a/SKILL.md";
    repository.write(skill, good("a")).commit();
    let before = repository.git(&["rev-parse", "HEAD"]);
    repository.write("skilltree.toml", "edition = \"2026\"\n[rules]\nname-differs-from-directory = \"off\"\n").commit();
    repository.write(skill, good("b")).commit();
    let place = tempfile::tempdir().unwrap();
    let from_base = ["check", "--rev", "HEAD", "--base", "auto", "--config-from", "base"];
    let check = |before: &str| {
        let variables = push_event(place.path(), "main", before);
        run_with(repository.path(), &from_base, &variables)
    };
    assert_eq!(check(&before).status, 1, "the base does not turn the rule off");
    assert_eq!(check(&"0".repeat(40)).status, 0, "the first push has no base: the checked side has the configuration");
    // A change must not choose its own configuration because the base was not fetched.
    let gone = check(&"1".repeat(40));
    assert_eq!(gone.status, 2, "the base is gone");
    assert!(gone.stderr.contains("the configuration of the base cannot be read"), "{}", gone.stderr);
    let clone = place.path().join("clone");
    let address = format!("file://{}", repository.path().display());
    repository.git(&["clone", "--quiet", "--depth=1", &address, &clone.display().to_string()]);
    let shallow = run_with(&clone, &from_base, &push_event(place.path(), "main", &before));
    assert_eq!(shallow.status, 2, "the base was not fetched");
    assert!(shallow.stderr.contains("fetch-depth: 0"), "{}", shallow.stderr);
}

#[test]
fn configuration_from_base_is_that_of_any_comparison() {
    let repository = Repository::new();
    let skill = ".agent/skills/a/SKILL.md";
    repository.write(skill, good("a")).commit();
    repository.write("skilltree.toml", "edition = \"2026\"\n[rules]\nname-differs-from-directory = \"off\"\n").commit();
    repository.write(skill, good("b")).commit();
    let words = "the checked side's own configuration applies";
    let check = |arguments: &[&str]| {
        let run = repository.skilltree(&[&["check", "--config-from", "base"], arguments].concat());
        assert_ne!(run.status, 2, "{arguments:?}: {}", run.stderr);
        let has_base = arguments.iter().any(|word| word.contains("HEAD~"));
        assert_eq!(run.stderr.contains(words), !has_base, "{arguments:?}: {}", run.stderr);
        run.status
    };
    for base in ["HEAD~2", "HEAD~1"] {
        let expected = i32::from(base == "HEAD~2");
        assert_eq!(check(&["--rev", "HEAD", "--base", base]), expected, "{base} turns the rule off?");
        assert_eq!(check(&["--range", &format!("{base}..HEAD")]), expected, "{base}");
    }
    assert_eq!(check(&["--rev", "HEAD"]), 0, "without a base, it is that of the checked side");
    assert_eq!(check(&["--rev", "HEAD", "--base", &"0".repeat(40)]), 0, "a new branch has no base");
    for arguments in [&["--base", "HEAD~2"][..], &["HEAD~2..HEAD"], &[]] {
        let run = repository.skilltree(&[&["diff", "--config-from", "base"], arguments].concat());
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
    }
    let unborn = Repository::new();
    unborn.skill(".agent/skills", "pdf").add();
    for arguments in [&["check", "--staged", "--base", "HEAD", "--format", "markdown"][..], &["diff", "--staged"]] {
        let run = unborn.skilltree(&[arguments, &["--config-from", "base"]].concat());
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
        assert_eq!(run.stdout.contains(words), arguments[0] == "check", "{}", run.stdout);
    }
}

#[test]
fn names_texts_that_use_old_names_and_paths_of_skills() {
    let repository = Repository::new();
    repository.write(".agent/skills/csv-tables/SKILL.md", good("csv-tables")).skill(".agent/skills", "pdf");
    repository.write("README.md", "# x\n\nSee [it](.agent/skills/pdf/SKILL.md) and csv-tables.\n");
    repository.write("CHANGELOG.md", "- csv-tables is new\n").write("docs/a.md", "no csv-tables-2 here\n").commit();
    assert!(!repository.skilltree(&["check", "--staged", "--base", "HEAD"]).stderr.contains("old name"));
    repository.git(&["rm", "-rq", ".agent/skills/pdf"]);
    repository.git(&["mv", ".agent/skills/csv-tables", ".agent/skills/tables"]);
    let renamed = good("csv-tables").replacen("name: csv-tables", "name: tables", 1);
    repository.write(".agent/skills/tables/SKILL.md", renamed).add();
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--format", "json"]);
    for fact in [
        "the skill `csv-tables` was renamed to `tables`, but its old name or path is in `README.md:3`",
        "the skill `pdf` was removed, but its old name or path is in `README.md:3`",
    ] {
        assert!(run.stderr.contains(fact) && run.stdout.contains(fact), "{}{}", run.stdout, run.stderr);
    }
    assert!(!run.stderr.contains("CHANGELOG") && !run.stderr.contains("docs/a.md"), "{}", run.stderr);
}

/// The name of its file is read in any letter case.
#[test]
fn says_of_no_skill_that_is_still_there_that_it_was_removed() {
    const MANIFEST: &str = ".claude-plugin/plugin.json";
    for name in ["SKILL.md", "skill.md"] {
        let repository = Repository::new();
        repository.skill(".agent/skills", "csv").write(&format!("extra/pdf-forms/{name}"), good("pdf-forms"));
        repository.write(MANIFEST, r#"{"name": "x", "description": "X.", "version": "1.0.0", "skills": "./extra/"}"#);
        repository.write("README.md", "See `pdf-forms`.\n").commit();
        repository.git(&["rm", "--quiet", MANIFEST]);
        let check = |repository: &Repository| repository.skilltree(&["check", "--staged", "--base", "HEAD"]).stderr;
        assert!(!check(&repository).contains("was removed"), "{}", check(&repository));
        let diff = repository.skilltree(&["diff"]).stdout;
        assert!(diff.contains(&format!("no longer checked extra/pdf-forms/{name}")), "{diff}");
        repository.git(&["rm", "-rq", "--force", "extra"]);
        assert!(check(&repository).contains("the skill `pdf-forms` was removed"), "{}", check(&repository));
    }
}
