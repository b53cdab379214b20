//! Severities: which findings are shown, and which fail.
#![allow(clippy::disallowed_methods, reason = "a test makes what it judges")]

use super::{BROKEN, mixed};
use crate::common::{Repository, good, link};
use serde_json::{Value, json};

#[test]
fn statistics_keep_exit_status() {
    let repository = mixed();
    let nameless = "---\ndescription: Has no name. Use when it has none.\n---\n\nDo it.\n";
    repository.write(".agent/skills/other/SKILL.md", nameless);
    repository.write(".agent/skills/tabs/SKILL.md", "---\nname: tabs\ndescription: Says nothing. Use when nothing is message.\n---\n").write(
        "skilltree.toml",
        "[rules]\ndescription-without-trigger = 'off'\n\n[[ignore]]\nrule = 'missing-name'\npath = '.agent/skills/other'\nreason = 'r'\n\n[[ignore]]\nrule = 'empty-body'\npath = '.agent/skills/good-one'\nreason = 'r'\n\n[[ignore]]\nrule = 'empty-body'\npath = '.agent/skills/gone'\nreason = 'r'\n",
    );
    repository.add();
    let run = repository.skilltree(&["check", "--statistics"]);
    assert_eq!(run.status, 1);
    let expected = "\
2  warning  [*] unused-ignore  an ignore matches no finding
1  error        empty-body     a skill has no body
1  error    [*] missing-name   a skill has no name
[*] 3 findings with a fix
";
    assert_eq!(run.stdout, expected);
    let run = repository.skilltree(&["check", "--statistics", "--format", "json", "--fail-on", "never"]);
    let statistics: Value = serde_json::from_str(&run.stdout).expect("it is JSON");
    let schema = serde_json::from_str(include_str!("../../../schema/statistics.json")).expect("the schema is JSON");
    assert!(jsonschema::is_valid(&schema, &statistics), "{statistics:#}");
    let missing =
        json!({ "rule": "missing-name", "severity": "error", "findings": 1, "files": 1, "edits": 1, "ignored": 1 });
    assert_eq!((run.status, &statistics["rules"][2]), (0, &missing));
    let clean = Repository::new();
    clean.skill(".agent/skills", "good-one").commit();
    assert_eq!(clean.skilltree(&["check", "--statistics"]).stdout, "");
}

#[test]
fn warns_about_links_that_a_program_refuses() {
    let repository = Repository::new();
    repository.skill(".agents/skills", "own").add();
    for name in ["one", "two"] {
        repository.skill(".cline/skills", name);
        link(&repository, &format!(".agents/skills/{name}"), &format!("../../.cline/skills/{name}"));
    }
    repository.add();
    let run = repository.skilltree(&["check"]);
    assert!(run.stdout.contains("note[linked-skill]: 2 symbolic links"), "{}", run.stdout);
    assert!(!run.stdout.contains("target-drops-skill"), "{}", run.stdout);
    assert_eq!(run.status, 0);
    let run = repository.skilltree(&["check", "--rule", "linked-skill=off"]);
    assert!(run.stdout.contains("warning[target-drops-skill]: OpenClaw would drop"), "{}", run.stdout);
    assert_eq!(run.status, 0);
    assert_eq!(repository.skilltree(&["check", "--target", "openclaw"]).status, 1);
}

#[test]
fn warns_about_files_that_a_program_reads_only_from_below_the_top() {
    // OpenClaw reads `skills` where it is started.
    for (path, manifest, status) in [
        ("skills/pdf/SKILL.md", None, 1),
        ("plugins/docs/skills/pdf/SKILL.md", None, 0),
        ("plugins/docs/skills/pdf/SKILL.md", Some("plugins/docs/.claude-plugin/plugin.json"), 1),
        ("packages/web/.agents/skills/pdf/SKILL.md", None, 1),
    ] {
        let repository = Repository::new();
        repository.skill(".claude/skills", "good-one").write(path, "# A page\n");
        if let Some(manifest) = manifest {
            repository.write(manifest, "{\"name\": \"docs\"}");
        }
        let run = repository.add().skilltree(&["check"]);
        assert!(run.stdout.contains("missing-front-matter"), "{path}: {}", run.stdout);
        assert_eq!(run.status, status, "{path}: {}", run.stdout);
    }
}

#[test]
fn fail_on_sets_failing_severity() {
    let repository = mixed();
    let cases: &[(&[&str], i32)] = &[
        (&[], 1),
        (&["--fail-on", "never"], 0),
        (&["--exit-zero"], 0),
        (&["--rule", "missing-name=warning"], 0),
        (&["--rule", "missing-name=warning", "--fail-on", "warning"], 1),
        (&["--rule", "missing-name=note", "--fail-on", "warning"], 0),
        (&["--rule", "missing-name=off", "--rule", "target-drops-skill=off", "--fail-on", "note"], 0),
        (&[".agent/skills/good-one"], 0),
        (&[".agent/skills/nameless/SKILL.md"], 1),
    ];
    for (arguments, status) in cases {
        for (format, _) in skilltree_report::render::Format::NAMES {
            let arguments: Vec<&str> = [&["check", "--format", format], *arguments].concat();
            assert_eq!(repository.skilltree(&arguments).status, *status, "{arguments:?}");
        }
    }
}

#[test]
fn min_severity_hides_lower_findings_in_every_format() {
    let repository = mixed();
    repository.write(".agent/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Reads forms.\n---\n\nDo it.\n").add();
    // Counts name no finding.
    for (format, _) in skilltree_report::render::Format::NAMES.into_iter().filter(|(name, _)| *name != "counts") {
        let check = |options: &[&str]| {
            let run = repository.skilltree(&[&["check", "--format", format], options].concat());
            let results = run.stdout.split("\"results\":").last().unwrap_or_default().to_owned();
            (run.status, results.contains("missing-name"), results.contains("description-without-trigger"), run.stderr)
        };
        let (status, has_error, has_note, words) = check(&[]);
        assert_eq!((status, has_error, has_note), (1, true, true), "{format}");
        assert!(words.contains("1 error, 1 note in 3 skills"), "{words}");
        for least in ["warning", "error"] {
            let (status, has_error, has_note, words) = check(&["--min-severity", least]);
            assert_eq!((status, has_error, has_note), (1, true, false), "{format} {least}");
            assert!(words.contains("1 error in 3 skills"), "{words}");
        }
        let shown = check(&["--min-severity", "error", "--rule", "missing-name=note", "--fail-on", "note"]);
        assert_eq!((shown.0, shown.1), (1, false), "a hidden finding still fails: {format}");
        assert!(shown.3.contains("no findings"), "{}", shown.3);
    }
    repository.write("skilltree.toml", "min-severity = \"error\"\n").add();
    let shown = |options: &[&str]| repository.skilltree(&[&["check", "--format", "concise"], options].concat()).stdout;
    assert_eq!(shown(&[]).lines().count(), 1);
    assert_eq!(shown(&["--min-severity", "note"]).lines().count(), 2);
    repository.write("skilltree.toml", "min-severity = \"off\"\n").add();
    assert!(shown(&[]).contains("skilltree.toml:1:16: error[invalid-configuration]"), "{}", shown(&[]));
    assert_eq!(repository.skilltree(&["check", "--min-severity", "off"]).status, 2);
}

#[test]
fn misspelled_description_is_one_finding() {
    let repository = Repository::new();
    let text = good("pdf").replace("description:", "descirption:");
    repository.write(".agent/skills/pdf/SKILL.md", text).add();
    let run = repository.skilltree(&["check", "--format", "concise"]);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    assert!(run.stdout.contains("error[missing-description] the skill has no `description`"), "{}", run.stdout);
    assert_eq!(repository.skilltree(&["fix"]).status, 0);
    assert_eq!(repository.skilltree(&["check"]).status, 0);
}

#[test]
fn concise_line_names_runtimes_that_lose_skill() {
    let repository = Repository::new();
    for name in ["one", "two"] {
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), BROKEN.replace("pdf", name));
    }
    let run = repository.add().skilltree(&["check", "--format", "concise"]);
    assert_eq!(run.stdout.lines().count(), 2);
    assert!(run.stdout.lines().all(|line| line.contains("; ") && line.contains(" by ")), "{}", run.stdout);
}

#[test]
fn base_keeps_failing_severity() {
    let repository = mixed();
    repository.write("skilltree.toml", "[rules]\nmissing-name = \"off\"\n").commit();
    assert_eq!(repository.skilltree(&["check", "--rev", "HEAD"]).status, 0);
    assert_eq!(repository.skilltree(&["check", "--rev", "HEAD", "--config-from", "HEAD~1"]).status, 1);
}
