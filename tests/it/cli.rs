//! The command line: exit statuses, streams, files and error messages.
#![allow(clippy::disallowed_methods, reason = "a test makes what it judges")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{self, Repository, good, skilltree, skilltree_with_input};
use serde_json::{Value, json};

const BROKEN: &str = "---\nname: pdf\ndescription: Build for AWS: ECS\n---\n\nDo it.\n";

/// A repository with one good skill and one without a name.
fn mixed() -> Repository {
    let repository = Repository::new();
    repository.skill(".agent/skills", "good-one");
    repository
        .write(".agent/skills/nameless/SKILL.md", "---\ndescription: Has no name. Use when asked.\n---\n\nDo it.\n")
        .commit();
    repository
}

#[test]
fn rejects_wrong_argument_with_suggestion() {
    let repository = mixed();
    let cases: &[(&[&str], &str)] = &[
        (&["check", "--rev", "$(touch pwned)"], "run `git rev-parse --verify REV`"),
        (&["check", "--rev", "mian"], "`mian` is not a commit, tag or tree"),
        (&["check", "--rule", "name-to-long=off"], "write `name-too-long`"),
        (&["check", "--rule", "name-too-long=of"], "write `off`"),
        (&["check", "--rule", "name-too-long"], "help"),
        (&["check", "--format", "sarfi"], "did you mean `sarif`?"),
        (&["check", "--output", "sarif"], "FORMAT=PATH"),
        (&["check", "--output", "json=x", "--output", "sarif=x"], "a different path"),
        (&["check", "--statistics", "--format", "sarif"], "`--statistics` does not support the format sarif"),
        (&["check", "--fail-on", "fatal"], "note, warning, error or never"),
        (&["check", "--jobs", "0"], "a number from 1 to 1,024"),
        (&["check", "--today", "2026-02-30"], "`2026-02-30` is not a valid date"),
        (&["check", "--config", "nowhere.toml"], "`nowhere.toml` cannot be read"),
        (&["check", "--staged", "--worktree"], "cannot be used with"),
        (&["check", ".agent/skills/nowhere"], "there is no skill at `.agent/skills/nowhere`"),
        (&["chek"], "did you mean `skilltree check`?"),
        (&["-C", "nowhere"], "`nowhere` is not a directory"),
        (&["explain", "empty-bodie"], "did you mean `empty-body`?"),
        (&["schema", "reprot"], "did you mean `report`?"),
        (&["show", "good-on"], "did you mean `good-one`?"),
        (&["show", "nameless"], "run `skilltree check` to see why"),
        (&["prompt", "--profile", "symfony"], "did you mean `symphony`?"),
        (&["prompt", "--per-root"], "--out"),
    ];
    for (arguments, words) in cases {
        let run = repository.skilltree(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.stdout, "", "{arguments:?}");
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    }
}

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
    let schema = serde_json::from_str(include_str!("../../schema/statistics.json")).expect("the schema is JSON");
    assert!(jsonschema::is_valid(&schema, &statistics), "{statistics:#}");
    let missing =
        json!({ "rule": "missing-name", "severity": "error", "findings": 1, "files": 1, "edits": 1, "ignored": 1 });
    assert_eq!((run.status, &statistics["rules"][2]), (0, &missing));
    let clean = Repository::new();
    clean.skill(".agent/skills", "good-one").commit();
    assert_eq!(clean.skilltree(&["check", "--statistics"]).stdout, "");
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
fn colors_can_be_forced() {
    let repository = mixed();
    let has_colors = |variables: &[(&str, &str)], options: &[&str]| {
        let run = skilltree(repository.path(), &[&["check"], options].concat(), variables);
        (run.stdout.contains('\u{1b}'), run.stderr.contains('\u{1b}'))
    };
    assert_eq!(has_colors(&[], &[]), (false, false));
    assert!(has_colors(&[("FORCE_COLOR", "1")], &[]).0);
    assert!(has_colors(&[("FORCE_COLOR", "3")], &[]).0);
    assert!(!has_colors(&[("FORCE_COLOR", "0")], &[]).0);
    assert!(!has_colors(&[("FORCE_COLOR", "")], &[]).0);
    assert!(!has_colors(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], &[]).0);
    assert!(!has_colors(&[("FORCE_COLOR", "1")], &["--color", "never"]).0);
}

#[test]
fn lists_each_damaged_object_on_its_line() {
    let repository = Repository::new();
    for name in ["one", "two"] {
        repository.skill(".agent/skills", name);
    }
    repository.skill(".agent/skills/odd\nerror: name", "three").add();
    let objects = repository.path().join(".git/objects");
    for directory in fs::read_dir(&objects).unwrap().map(Result::unwrap).filter(|entry| entry.file_name().len() == 2) {
        fs::remove_dir_all(directory.path()).unwrap();
    }
    let run = repository.skilltree(&["check", "--staged"]);
    assert_eq!(run.status, 2);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines[0], "error: 3 objects cannot be read");
    assert!(lines[1].starts_with("  .agent/skills/odd\\nerror: name/three/SKILL.md ("), "{}", run.stderr);
    assert!(
        lines[2].starts_with("  .agent/skills/one/SKILL.md (") && lines[2].ends_with("): missing"),
        "{}",
        run.stderr
    );
    assert_eq!(&lines[4..], ["  help: run `git fsck`"], "{}", run.stderr);
}

#[test]
fn reports_missing_skills() {
    let repository = Repository::new();
    repository.write("README.md", "# Nothing\n").commit();
    let run = repository.skilltree(&["check"]);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("there is no SKILL.md"), "{}", run.stderr);
    assert_eq!(repository.skilltree(&["check", "--error-on-empty"]).status, 1);
    repository.write("skilltree.toml", "error-on-empty = true\n");
    assert_eq!(repository.skilltree(&["check"]).status, 1);
}

#[test]
fn checks_named_paths_outside_skills_directories() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "good").write("tests/data/one/SKILL.md", "text\n");
    repository.write("skilltree.toml", "exclude = [\"tests\"]\n").add();
    assert_eq!(repository.skilltree(&["check"]).status, 0);
    for path in ["tests", "tests/data", "tests/data/one", "tests/data/one/SKILL.md"] {
        let run = repository.skilltree(&["check", path, "--format", "concise"]);
        assert_eq!(run.status, 1, "{path}: {}", run.stderr);
        assert!(run.stdout.starts_with("tests/data/one/SKILL.md:1:1: error[missing-front-matter]"), "{}", run.stdout);
        assert_eq!(repository.skilltree(&["check", "--staged", path]).status, 1);
    }
    assert_eq!(repository.skilltree(&["check", "."]).status, 0);
    assert_eq!(repository.skilltree(&["check", ".agent/skills/good"]).status, 0);
    assert_eq!(repository.skilltree(&["check", "src"]).status, 2);
}

#[test]
fn writes_several_outputs_in_one_run() {
    let repository = mixed();
    let run = repository.skilltree(&[
        "check",
        "--format",
        "concise",
        "--output",
        "sarif=a.sarif",
        "--output",
        "markdown=a.md",
        "--output",
        "json=a.json",
    ]);
    assert_eq!(run.status, 1);
    for (file, format) in [("a.sarif", "sarif"), ("a.md", "markdown"), ("a.json", "json")] {
        let written = fs::read_to_string(repository.path().join(file)).unwrap();
        assert_eq!(written, repository.skilltree(&["check", "--format", format]).stdout, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn keeps_existing_file_when_write_fails() {
    let repository = mixed();
    repository.write("kept.sarif", "the old file\n");
    fs::create_dir(repository.path().join("directory")).unwrap();
    std::os::unix::fs::symlink("kept.sarif", repository.path().join("link")).unwrap();
    for path in ["directory", "link", "nowhere/a.sarif"] {
        let run = repository.skilltree(&["check", "--output", &format!("sarif={path}")]);
        assert_eq!(run.status, 2, "{path}: {}", run.stderr);
        assert!(run.stderr.contains("help: "), "{path}: {}", run.stderr);
    }
    assert_eq!(fs::read_to_string(repository.path().join("kept.sarif")).unwrap(), "the old file\n");
}

#[test]
fn shows_syntax_error_of_configuration() {
    let repository = mixed();
    repository.write("skilltree.toml", "edition = \"2026\"\n[rules\n");
    let run = repository.skilltree(&["check"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("skilltree.toml:2:"), "{}", run.stderr);
    assert_eq!(repository.skilltree(&["check", "--no-config"]).status, 1);
    assert_eq!(repository.skilltree(&["check", "--config-from", "HEAD"]).status, 1, "HEAD has no skilltree.toml");
}

#[test]
fn base_keeps_failing_severity() {
    let repository = mixed();
    repository.write("skilltree.toml", "[rules]\nmissing-name = \"off\"\n").commit();
    assert_eq!(repository.skilltree(&["check", "--rev", "HEAD"]).status, 0);
    assert_eq!(repository.skilltree(&["check", "--rev", "HEAD", "--config-from", "HEAD~1"]).status, 1);
}

#[test]
fn reads_skill_from_standard_input() {
    let anywhere = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        skilltree_with_input(anywhere.path(), &["check", "-", "--format", "concise"], &[], text.as_bytes())
    };
    let run = check(BROKEN);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("SKILL.md:3:27: error[invalid-yaml]"), "{}", run.stdout);
    assert_eq!(check(&good("pdf")).status, 0);
}

#[test]
fn escapes_arguments_in_logs() {
    let repository = mixed();
    let cases: &[&[&str]] = &[
        &["check", "--output", "foo\n::error::x=z"],
        &["check", "--\n::error::x"],
        &["\n::error::x"],
        &["check", "--format", "\r\n::error::x\x1b[31m"],
        &["list", "--jobs", "##[error]x"],
    ];
    for arguments in cases {
        let run = repository.skilltree(arguments);
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("error: "), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.lines().any(|line| line.trim_start().starts_with("::")), "{arguments:?}: {}", run.stderr);
        assert!(!run.stderr.contains("##[") && !run.stderr.contains('\x1b'), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("::error::x") || run.stderr.contains("[error]x"), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn skips_directory_rules_without_path() {
    let anywhere = tempfile::tempdir().unwrap();
    let description = "description: Does it. Use when it is wanted.";
    let cases = [
        (format!("name: Foo Bar\n{description}"), 1, "help: rename it to `foo-bar`\n"),
        (format!("name: Foo_Bar\n{description}"), 1, "help: rename it to `foo-bar`\n"),
        (description.to_owned(), 1, "help: write `name: …`"),
        (format!("name : pdf\n{description}"), 0, ""),
        (format!("name: \"pdf\" # so\n{description}"), 0, ""),
    ];
    for (fields, status, words) in cases {
        let text = format!("---\n{fields}\n---\nDo it.\n");
        let run = skilltree_with_input(anywhere.path(), &["check", "-", "--target", "roo"], &[], text.as_bytes());
        assert_eq!(run.status, status, "{fields}: {}", run.stdout);
        assert!(run.stdout.contains(words), "{fields}: {}", run.stdout);
        assert!(!run.stdout.contains("directory is"), "{fields}: {}", run.stdout);
        assert!(!run.stdout.contains("like its directory"), "{fields}: {}", run.stdout);
        assert!(!run.stderr.contains("skilltree fix"), "{fields}: {}", run.stderr);
    }
}

#[test]
fn counts_skills_of_named_path() {
    let repository = mixed();
    let check = |arguments: &[&str]| repository.skilltree(&[&["check"], arguments].concat());
    let good = ".agent/skills/good-one";
    let words = check(&[good]).stderr;
    assert!(words.starts_with("no findings in 1 of 2 skills (working tree)\n"), "{words}");
    let words = check(&[".agent/skills/nameless"]).stderr;
    assert!(words.starts_with("1 error in 1 of 2 skills (working tree)\n"), "{words}");
    let words = check(&[".agent/skills"]).stderr;
    assert!(words.starts_with("1 error in 2 skills (working tree)\n"), "{words}");
    let text = check(&[good, "--format", "markdown"]).stdout;
    assert!(text.contains("\n1 of 2 skills (working tree).\n"), "{text}");
    let report: Value = serde_json::from_str(&check(&[good, "--format", "json"]).stdout).unwrap();
    assert_eq!(report["summary"]["words"], "no findings in 1 of 2 skills (working tree)");
}

#[test]
fn reads_directory_outside_repository() {
    let anywhere = tempfile::tempdir().unwrap();
    let skill = anywhere.path().join("skills/pdf/SKILL.md");
    fs::create_dir_all(skill.parent().unwrap()).unwrap();
    fs::write(&skill, BROKEN).unwrap();
    for path in ["skills", "skills/pdf", "skills/pdf/SKILL.md"] {
        let run = skilltree(anywhere.path(), &["check", path, "--format", "concise"], &[]);
        assert_eq!(run.status, 1, "{path}: {}", run.stderr);
        assert!(run.stdout.contains("SKILL.md:3:27: error[invalid-yaml]"), "{path}: {}", run.stdout);
    }
    assert_eq!(skilltree(anywhere.path(), &["check"], &[]).status, 2, "no repository, and nothing was named");
}

#[test]
fn hook_checks_index() {
    let repository = mixed();
    repository.write(".agent/skills/good-one/SKILL.md", BROKEN);
    let check = |variables: &[(&str, &str)]| skilltree(repository.path(), &["check"], variables).stderr;
    assert!(check(&[]).contains("(working tree)"));
    assert!(check(&[("PRE_COMMIT", "1")]).contains("(index)"));
    assert!(check(&[("GIT_INDEX_FILE", ".git/index")]).contains("(index)"));
    assert!(check(&[("PRE_COMMIT", "1"), ("PRE_COMMIT_TO_REF", "main")]).contains("(main at "));
}

#[test]
fn bare_repository_checks_head() {
    let repository = mixed();
    let bare = tempfile::tempdir().unwrap();
    let path = bare.path().join("bare.git");
    repository.git(&["clone", "--quiet", "--bare", ".", path.to_str().unwrap()]);
    let run = skilltree(&path, &["check"], &[]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains(" (HEAD at "), "{}", run.stderr);
}

#[test]
fn output_depends_only_on_skills() {
    let repository = mixed();
    let elsewhere = Repository::new();
    elsewhere.git(&["pull", "--quiet", repository.path().to_str().unwrap(), "main"]);
    for format in ["full", "json", "sarif", "markdown", "github"] {
        let arguments = |jobs| ["check", "--rev", "HEAD", "--format", format, "--jobs", jobs];
        let one = repository.skilltree(&arguments("1"));
        let many = skilltree(
            elsewhere.path(),
            &arguments("8"),
            &[("TZ", "Asia/Tokyo"), ("LANG", "de_DE.UTF-8"), ("HOME", "/dev/null/none"), ("COLUMNS", "40")],
        );
        assert_eq!(one.stdout, many.stdout, "{format}");
        assert_eq!(one.stderr, many.stderr, "{format}");
    }
}

#[test]
fn list_show_and_explain_print_details() {
    let repository = mixed();
    let list = repository.skilltree(&["list"]);
    assert_eq!(list.stdout, "good-one  Does what good-one says. Use when good-one is wanted.\n");
    assert!(list.stderr.contains("1 file rejected"), "{}", list.stderr);
    let json: Value = serde_json::from_str(&repository.skilltree(&["list", "--format", "json"]).stdout).unwrap();
    assert_eq!(json["skills"][0]["path"], ".agent/skills/good-one/SKILL.md");
    assert_eq!(json["errors"][0]["rule"], "missing-name");
    assert_eq!(repository.skilltree(&["show", "good-one"]).stdout, "# good-one\n\nDo it.\n");
    let explain = repository.skilltree(&["explain"]).stdout;
    for rule in skilltree_lint::rules::ALL {
        assert!(explain.contains(rule.id()), "{}", rule.id());
        assert!(repository.skilltree(&["explain", rule.id()]).stdout.starts_with(&format!("# {}", rule.id())));
    }
}

#[test]
fn prints_profiles_verbatim() {
    let repository = mixed();
    repository.write("skilltree.toml", "[profile.house]\nextends = \"codex\"\n[profile.house.loads]\ndepth = 2\n");
    let list = repository.skilltree(&["profiles"]).stdout;
    let ids: Vec<&str> = list.lines().filter_map(|line| line.split(' ').next()).filter(|id| !id.is_empty()).collect();
    assert_eq!(ids.len(), skilltree_runtimes::profile::Profiles::default().ids().count() + 1, "{list}");
    assert!(ids.is_sorted() && ids.contains(&"house") && ids.contains(&"codex"), "{list}");
    let codex = repository.skilltree(&["profiles", "codex"]).stdout;
    assert!(codex.starts_with(include_str!("../../crates/runtimes/src/profiles/codex.toml")), "{codex}");
    assert!(codex.ends_with("# Unknown: loads.empty-body.\n"), "{codex}");
    let house: toml::Table = repository.skilltree(&["profiles", "house"]).stdout.parse().unwrap();
    assert_eq!(house["loads"]["depth"].as_integer(), Some(2));
    assert_eq!(house["loads"]["files"]["name"].as_str(), Some("exact"));
    let json: Value =
        serde_json::from_str(&repository.skilltree(&["profiles", "cursor", "--format", "json"]).stdout).unwrap();
    assert_eq!(json["schema"], "skilltree/profiles/v1");
    assert_eq!(json["profiles"][0]["id"], "cursor");
    assert!(json["profiles"][0]["unknown"].as_array().unwrap().contains(&"loads.fence.pattern".into()));
    let wrong = repository.skilltree(&["profiles", "codx"]);
    assert_eq!((wrong.status, wrong.stdout.as_str()), (2, ""));
    assert!(wrong.stderr.contains("did you mean `codex`"), "{}", wrong.stderr);
}

#[test]
fn closed_pipe_keeps_exit_status() {
    use std::process::{Command, Stdio};
    let repository = mixed();
    let mut child = Command::new(common::program())
        .args(["check", "--staged", "--format", "json"])
        .current_dir(repository.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn prints_completions_manual_and_schemas() {
    let anywhere = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| skilltree(anywhere.path(), arguments, &[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(run(&["completions", shell]).stdout.contains("skilltree"), "{shell}");
    }
    assert!(run(&["man"]).stdout.contains(".TH skilltree"));
    assert_eq!(run(&["man", "chekc"]).status, 2);
    assert!(run(&["man", "chekc"]).stderr.contains("did you mean `check`?"));
    for name in run(&["schema"]).stdout.lines() {
        let schema: Value = serde_json::from_str(&run(&["schema", name]).stdout).unwrap();
        assert!(schema["$schema"].is_string(), "{name}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let directory = tempfile::tempdir().unwrap();
    let run = skilltree(directory.path(), &["man", "--out", "man1"], &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let commands = common::commands();
    for known in ["check", "hook install", "agent thread bind", "agent knowledge add"] {
        assert!(commands.iter().any(|words| words.join(" ") == known), "{commands:?}");
    }
    for words in commands.iter().map(Vec::as_slice).chain([&[][..]]) {
        let name = [&["skilltree".to_owned()], words].concat().join("-");
        let page = fs::read_to_string(directory.path().join(format!("man1/{name}.1"))).unwrap();
        let titles: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(".TH ")).collect();
        assert!(matches!(titles[..], [title] if title.starts_with(&name)), "{titles:?}");
        for section in ["NAME", "SYNOPSIS", "OPTIONS", "\"EXIT STATUS\"", "FILES", "ENVIRONMENT", "EXAMPLES"] {
            assert!(
                page.contains(&format!(".SH {section}\n.")) || page.contains(&format!(".SH {section}\n")),
                "{name} {section}: {page}"
            );
        }
        assert!(page.split(".SH EXAMPLES\n").nth(1).unwrap().contains("skilltree"), "{name} has an example");
        let arguments: Vec<&str> = ["man"].into_iter().chain(words.iter().map(String::as_str)).collect();
        assert_eq!(skilltree(directory.path(), &arguments, &[]).stdout, page);
    }
}

#[test]
fn first_page_lists_commands_in_groups() {
    let directory = tempfile::tempdir().unwrap();
    let page = skilltree(directory.path(), &["-h"], &[]).stdout;
    let headings: Vec<&str> = page.lines().filter(|line| line.ends_with(':')).collect();
    assert_eq!(headings, ["Check:", "Set up:", "Dispatch:", "Many:", "Options:"]);
    let rows = page.lines().take_while(|line| *line != "Options:").filter_map(|line| line.strip_prefix("  "));
    let names: Vec<&str> = rows.filter_map(|row| row.split(' ').next()).collect();
    let mut all: Vec<String> = common::commands().into_iter().filter(|words| words.len() == 1).flatten().collect();
    all.retain(|name| name != "man" && !names.contains(&name.as_str()));
    assert_eq!(all, [""; 0], "only `man` is not on the first page");
    assert!(names.len() <= 16, "{names:?}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    assert!(page.contains("  check        Check skills and report problems; the default command\n"), "{page}");
    assert_eq!(skilltree(directory.path(), &["help"], &[]).stdout.matches("  check  ").count(), 1);
}

#[test]
fn short_help_fits_one_screen() {
    let directory = tempfile::tempdir().unwrap();
    for words in common::commands().iter().chain([&Vec::new()]) {
        let arguments: Vec<&str> = words.iter().map(String::as_str).chain(["-h"]).collect();
        let help = skilltree(directory.path(), &arguments, &[]).stdout;
        assert!((5..=40).contains(&help.lines().count()), "{} lines: {help}", help.lines().count());
    }
    let long = skilltree(directory.path(), &["check", "--help"], &[]).stdout;
    assert!(long.contains("--config-from") && long.contains("--stdin-filename"), "{long}");
}

#[test]
fn lint_is_check() {
    let repository = mixed();
    let run = |word: &str| repository.skilltree(&[word, "--format", "concise", "--color", "never"]);
    let (lint, check) = (run("lint"), run("check"));
    assert_eq!((lint.status, lint.stdout), (check.status, check.stdout));
    assert_eq!(check.status, 1);
}

/// What bash offers for the last word of a command line, in a directory.
#[cfg(unix)]
fn completed(directory: &Path, words: &[&str]) -> Vec<String> {
    let script = skilltree(directory, &["completions", "bash"], &[]).stdout;
    fs::write(directory.join("completions.sh"), script).expect("the shell and the program can be run");
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let (last, before) = (words.len() - 1, words[words.len() - 2]);
    let bash = format!(
        ". ./completions.sh; COMP_WORDS=({}); COMP_CWORD={last}; _skilltree skilltree '{}' '{before}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        quoted.join(" "),
        words[last]
    );
    let path = format!(
        "{}:{}",
        common::program().parent().expect("the shell and the program can be run").display(),
        std::env::var("PATH").expect("the shell and the program can be run")
    );
    let mut command = std::process::Command::new("bash");
    let run = common::isolate(&mut command)
        .args(["-c", &bash])
        .env("PATH", path)
        .current_dir(directory)
        .output()
        .expect("the shell and the program can be run");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("the shell and the program can be run").lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn completions_offer_values() {
    let repository = mixed();
    let own = "[[require]]\nid = 'acme/license'\nkey = { name = 'license', required = true }\n";
    repository.write("skilltree.toml", own);
    let offers = |words: &[&str], expected: &[&str]| {
        let found = completed(repository.path(), &[&["skilltree"], words].concat());
        assert!(expected.iter().all(|word| found.iter().any(|other| other == word)), "{words:?}: {found:?}");
    };
    offers(&["check", "--format", ""], &["full", "concise", "json", "sarif", "github", "markdown"]);
    offers(&["check", "--fail-on", ""], &["note", "warning", "error", "never"]);
    offers(&["check", "--min-severity", ""], &["note", "warning", "error"]);
    offers(&["check", "--target", ""], &["codex", "claude-code"]);
    offers(&["check", "--rule", "empty-b"], &["empty-body=off", "empty-body=warning"]);
    offers(&["check", "--rule", "acme"], &["acme/license=off", "acme/license=error"]);
    offers(&["explain", ""], &["invalid-yaml", "empty-body", "acme/license"]);
    offers(&["schema", ""], &["report", "skilltree"]);
    offers(&["profiles", ""], &["codex"]);
    offers(&["show", ""], &["good-one"]);
    offers(&["prompt", "--skill", "good"], &["good-one"]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = repository.skilltree(&["completions", shell]).stdout;
        assert!(!script.contains("SKILLTREE_"), "{shell}");
        assert_eq!(script.contains("skilltree list"), ["bash", "zsh", "fish"].contains(&shell), "{shell}");
    }
}

/// A shell expands the words that it completes, so a name must not be a command.
#[cfg(unix)]
#[test]
fn completion_runs_no_name_of_a_skill() {
    let repository = mixed();
    repository.write("skilltree.toml", "[rules]\nmalformed-name = \"off\"\nname-differs-from-directory = \"off\"\n");
    for (number, name) in
        ["$(touch pwned)", "`touch pwned`", "a$(touch pwned)", "~", "x;touch pwned"].iter().enumerate()
    {
        let text = format!("---\nname: \"{name}\"\ndescription: Reads forms. Use when asked.\n---\n\nDo it.\n");
        repository.write(&format!(".agent/skills/s{number}/SKILL.md"), text);
    }
    let listed = repository.add().skilltree(&["list"]).stdout;
    assert!(listed.contains("touch pwned"), "the names are listed: {listed}");
    let found = completed(repository.path(), &["skilltree", "show", ""]);
    assert!(found.iter().any(|word| word == "good-one"), "{found:?}");
    assert!(!found.iter().any(|word| word.contains("touch")), "{found:?}");
    assert!(!repository.path().join("pwned").exists());
}

#[test]
fn pages_name_existing_commands() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut pages = vec![directory.join("README.md"), directory.join("CONTRIBUTING.md")];
    for below in ["docs", "crates/lint/src/rules"] {
        pages.extend(fs::read_dir(directory.join(below)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let repository = Repository::new();
    let mut commands = BTreeSet::new();
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(page).unwrap();
        let named = text.split("`skilltree ").skip(1).filter_map(|rest| rest.split([' ', '`']).next());
        commands.extend(named.filter(|word| !word.starts_with('-')).map(str::to_owned));
    }
    assert!(commands.contains("explain"), "{commands:?}");
    for command in commands {
        let help = repository.skilltree(&[&command, "--help"]).stdout;
        assert!(help.contains(&format!("Usage: skilltree {command}")), "`skilltree {command}`");
    }
}

/// Invalid settings have no effect, so these commands report them.
#[test]
fn every_command_reports_configuration_faults() {
    let repository = mixed();
    let text =
        "targets = [\"codx\"]\n\n[profile.swarm]\nextends = \"swarm\"\n\n[profile.swarm.prompt.budget]\nchras = 100\n";
    let commands: [&[&str]; 4] =
        [&["prompt", "--profile", "swarm"], &["list"], &["show", "good-one"], &["forecast", "--format", "json"]];
    for command in commands {
        fs::remove_file(repository.path().join("skilltree.toml")).ok();
        assert!(!repository.skilltree(command).stderr.contains("warning"), "{command:?}");
        repository.write("skilltree.toml", text);
        let run = repository.skilltree(command);
        assert_eq!(run.status, 0, "{command:?}: {}", run.stderr);
        for message in ["warning: skilltree.toml:1: ", "warning: skilltree.toml:7: ", "codx", "chras"] {
            assert!(run.stderr.contains(message), "{command:?}: {}", run.stderr);
        }
        let quiet = repository.skilltree(&[command, &["--quiet"]].concat());
        assert!(!quiet.stderr.contains("skilltree.toml"), "{command:?}: {}", quiet.stderr);
    }
}

/// A link, a pipe and an oversized file have no lines. Their settings have no effect either.
#[test]
fn every_command_reports_ignored_workflow() {
    let repository = mixed();
    repository
        .write("WORKFLOW.md", format!("---\nagent:\n  skills:\n    enabled: false\n---\n{}", "x".repeat(1 << 20)));
    for command in [&["prompt"][..], &["list"], &["forecast"]] {
        let run = repository.skilltree(command);
        assert_eq!(run.status, 0, "{command:?}: {}", run.stderr);
        let message = "warning: WORKFLOW.md: ";
        assert!(run.stderr.contains(message) && run.stderr.contains("`agent.skills` is not read"), "{}", run.stderr);
    }
}

#[test]
fn quiet_verify_reports_differences() {
    let repository = mixed();
    assert_eq!(repository.skilltree(&["prompt", "--out", "out"]).status, 0);
    assert_eq!(repository.skilltree(&["prompt", "--verify", "out", "-q"]).stderr, "");
    repository.skill(".agent/skills", "another");
    let run = repository.skilltree(&["prompt", "--verify", "out", "-q"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("out: available-skills.md differs from line "), "{}", run.stderr);
    let run = repository.skilltree(&["prompt", "--verify", "out"]);
    assert!(
        run.stderr.ends_with("run `skilltree prompt --out out` with the same options to update it\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn reads_deltified_pack_like_loose_objects() {
    let repository = Repository::new();
    let body: String =
        (0..80).map(|line| format!("{line}: do what line {line} of the procedure asks for.\n")).collect();
    for number in 0..150 {
        let name = format!("copy-{number}");
        let broken = if number % 50 == 7 { "description: Build for AWS: ECS" } else { "description: A copy. Use it." };
        // Each copy keeps a line less than the one before, so that each is nearest to its neighbour.
        let kept: String = body.lines().skip(number / 2).map(|line| format!("{line}\n")).collect();
        let text = format!("---\nname: {name}\n{broken}\n---\n{kept}{}\n", "more ".repeat(number));
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), text);
    }
    repository.commit();
    let check = || repository.skilltree(&["check", "--rev", "HEAD", "--format", "json"]);
    let loose = check();
    assert_eq!(loose.status, 1);
    repository.git(&["repack", "-adfq", "--depth=50", "--window=50"]);
    let packs = repository.path().join(".git/objects/pack");
    let index = fs::read_dir(packs).unwrap().map(|entry| entry.unwrap().path());
    let index = index.into_iter().find(|path| path.extension().is_some_and(|end| end == "idx")).unwrap();
    let chains = repository.git(&["verify-pack", "-v", index.to_str().unwrap()]);
    assert!(chains.contains("chain length = 3"), "git stored no chain of copies: {chains}");
    let packed = check();
    assert_eq!((packed.status, packed.stdout), (loose.status, loose.stdout));
}

#[test]
fn failures_contain_no_workflow_commands() {
    let repository = mixed();
    let run = repository.skilltree(&["check", "--rev", "##[error]forged"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("#\\u{23}[error]forged") && !run.stderr.contains("##["), "{}", run.stderr);
}

#[test]
fn explains_empty_block() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").skill(".agent/skills", "csv").commit();
    let cases: &[(&[&str], &str)] = &[
        (&["--task", "pdf"], "no skill fits the task: 2 accepted skills compared; use `--explain` to see how\n"),
        (&["--profile", "camel", "--mention", "nothing"], ""),
        (&["--profile", "agentskills", "--mention", "nothing"], "the text mentions none of 2 accepted skills\n"),
        (&["--profile", "agentskills", "--mention", "take $pdf"], ""),
        (&[], ""),
    ];
    for (arguments, words) in cases {
        let run = repository.skilltree(&[&["prompt"], *arguments].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, *words), "{arguments:?}: {}", run.stdout);
        assert_eq!(run.stdout.trim().is_empty(), arguments.contains(&"nothing") || !words.is_empty(), "{arguments:?}");
    }
}

#[test]
fn explains_empty_block_for_task() {
    let repository = Repository::new();
    let skill = "---\nname: api\ndescription: Adds endpoints. Use when asked.\ntags: api\nroles: planner\n---\nLook.\n";
    repository.write(".agent/skills/api/SKILL.md", skill).commit();
    let cases: &[(&[&str], &str)] = &[
        (&["pdf"], "no skill fits the task: 1 accepted skill compared; use `--explain` to see how\n"),
        (&["api", "--role", "builder"], "no skill has the role: 1 accepted skill compared\n"),
        (&["api", "--top", "0"], "no skill is selected: 1 skill fits the task, but the limit is 0\n"),
        (&["api"], ""),
    ];
    for (arguments, words) in cases {
        let run = repository.skilltree(&[&["prompt", "--task"], *arguments].concat());
        assert_eq!((run.status, run.stderr.as_str()), (0, *words), "{arguments:?}: {}", run.stdout);
    }
    for id in [&["--thread="][..], &["--task=api", "--task-id="]] {
        assert_eq!(repository.skilltree(&[&["prompt"], id].concat()).status, 2, "{id:?}: an id says something");
    }
}

#[test]
fn reports_unknown_role() {
    let repository = Repository::new();
    let skill = "---\nname: api\ndescription: Adds endpoints.\ntags: api\nroles: [Tester, '##[error]x']\n---\nLook.\n";
    repository.write(".agent/skills/api/SKILL.md", skill).skill(".agent/skills", "pdf").commit();
    let prompt = |role: &str| repository.skilltree(&["prompt", "--task", "api pdf", "--role", role]);
    for known in ["builder", "PLANNER", "tester"] {
        let run = prompt(known);
        assert!(run.status == 0 && !run.stderr.contains("has the role"), "{known}: {}", run.stderr);
    }
    for (role, near) in
        [("biulder", "; did you mean `builder`?"), ("testre", "; did you mean `Tester`?"), ("chef", "\n")]
    {
        let run = prompt(role);
        let words = format!("warning: no skill and no profile has the role `{role}`{near}");
        assert!(run.status == 0 && run.stderr.contains(&words), "{role}: {}", run.stderr);
        assert!(!run.stderr.contains("##["), "{}", run.stderr);
    }
}

#[test]
fn reports_skills_missing_in_working_tree() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "good").write(".agent/skills/bad/SKILL.md", "nothing good").commit();
    for index in ["--sparse-index", "--no-sparse-index"] {
        repository.git(&["sparse-checkout", "set", "--cone", index, "elsewhere"]);
        let run = repository.skilltree(&["check"]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stdout.contains(".agent/skills/bad/SKILL.md"), "{}", run.stdout);
        assert!(repository.skilltree(&["list"]).stdout.contains("good"));
    }
    let parent = tempfile::tempdir().unwrap();
    let place = repository.path().display().to_string();
    common::git(parent.path(), &["clone", "--quiet", "--no-checkout", &place, "clone"], &[]);
    let clone = parent.path().join("clone");
    for command in [&["check"][..], &["list"], &["check", "--quiet"]] {
        let run = skilltree(&clone, command, &[]);
        assert!(run.stderr.contains("it has no index") && run.stderr.contains("`--rev HEAD`"), "{}", run.stderr);
    }
    let empty = Repository::new();
    assert!(!empty.skilltree(&["check"]).stderr.contains("index"), "nothing was committed yet");
}
