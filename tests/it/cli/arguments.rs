//! Arguments, their error messages, and what a terminal gets.
#![allow(clippy::disallowed_methods, reason = "a test makes what it judges")]

use super::mixed;
use crate::common::skilltree;

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
        (&["--verison"], "tip: use `skilltree --version`\n"),
        (&["check", "--rul", "name-too-long=off"], "tip: use `--rule`\n"),
        (&["check", "--max-bytes", "3"], "unexpected argument '--max-bytes' found\n\nFor more"),
        (&["forecast", "--profile", "codex"], "tip: use `--target`\n"),
        (&["list", "--runtime", "camel"], "tip: use `--profile`\n"),
        (&["fix", "--safe"], "tip: use `skilltree fix`\n"),
        (&["hook", "add"], "did you mean `skilltree hook install`?"),
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
fn lint_is_check() {
    let repository = mixed();
    let run = |word: &str| repository.skilltree(&[word, "--format", "concise", "--color", "never"]);
    let (lint, check) = (run("lint"), run("check"));
    assert_eq!((lint.status, lint.stdout), (check.status, check.stdout));
    assert_eq!(check.status, 1);
}

#[test]
fn failures_contain_no_workflow_commands() {
    let repository = mixed();
    let run = repository.skilltree(&["check", "--rev", "##[error]forged"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("#\\u{23}[error]forged") && !run.stderr.contains("##["), "{}", run.stderr);
}

#[test]
fn negative_numbers_are_explained() {
    let repository = mixed();
    for words in [
        &["prompt", "--budget-bytes", "-5"][..],
        &["prompt", "--task", "x", "--top", "-5"],
        &["agent", "knowledge", "query", "x", "--top", "-5"],
    ] {
        let run = repository.skilltree(words);
        assert_eq!(run.status, 2, "{words:?}");
        assert!(run.stderr.contains("invalid value '-5' for "), "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains("expected a whole number, 0 or more"), "{words:?}: {}", run.stderr);
    }
    let jobs = repository.skilltree(&["check", "--jobs", "-1"]);
    assert!(jobs.stderr.contains("expected a number from 1 to 1,024"), "{}", jobs.stderr);
}
