//! Settings, and what a command says when they leave nothing.
#![allow(clippy::disallowed_methods, reason = "a test makes what it judges")]

use std::fs;

use super::mixed;
use crate::common::Repository;

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
fn says_which_revision_has_the_malformed_configuration() {
    let repository = mixed();
    repository.write("skilltree.toml", "targets = [\n").commit();
    repository.write("skilltree.toml", "targets = [\"codex\"]\n");
    let run = repository.skilltree(&["check", "--config-from", "HEAD"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("--> HEAD:skilltree.toml:1:"), "{}", run.stderr);
}

/// A policy that is not there must not explain anything.
#[test]
fn explains_no_rule_by_a_missing_policy() {
    let run = mixed().skilltree(&["explain", "--policy", "missing.toml", "body-too-long"]);
    assert!(run.status == 2 && run.stdout.is_empty(), "{}", run.stdout);
}

#[test]
fn names_limit_of_configuration_that_is_too_large() {
    let repository = mixed();
    repository.write("skilltree.toml", "#\n".repeat(600_000));
    let run = repository.skilltree(&["check"]);
    let error = "error[invalid-configuration]: skilltree.toml has 1,200,000 bytes, over the limit of 1,048,576\n";
    assert!(run.status == 2 && run.stderr.contains(error), "{}", run.stderr);
    assert!(run.stderr.contains("help: shorten it, or run with --no-config"), "{}", run.stderr);
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
fn explains_empty_block() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").skill(".agent/skills", "csv").commit();
    let cases: &[(&[&str], &str)] = &[
        (&["--task", "nothing"], "no skill fits the task: 2 accepted skills compared; use `--explain` to see how\n"),
        (&["--profile", "camel", "--mention", "nothing"], "the block is empty: there is no skill in .camel/skills\n"),
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
