//! One policy for many repositories: `extends` in skilltree.toml, and `--policy`.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test creates the files that it checks")]

use std::fs;

use crate::common::{self, Repository, Run};

const POLICY: &str = "[rules]\ndescription-without-trigger = \"error\"\nloosened-policy = \"error\"\n";
const LOOSER: &str = "[rules]\ndescription-without-trigger = \"off\"\n";

fn vague(name: &str) -> String {
    format!("---\nname: {name}\ndescription: Fills in {name} forms with values.\n---\n# {name}\n\nDo it.\n")
}

/// A repository with a skill whose description has no trigger.
fn repository(settings: &str) -> Repository {
    let repository = Repository::new();
    repository.write(".agents/skills/pdf/SKILL.md", vague("pdf"));
    if !settings.is_empty() {
        repository.write("skilltree.toml", settings);
    }
    repository
}

fn lines(run: &Run) -> Vec<&str> {
    run.stdout.lines().filter(|line| line.contains(": error[") || line.contains(": warning[")).collect()
}

#[test]
fn policy_of_the_caller_is_a_floor() {
    let outside = tempfile::tempdir().unwrap();
    let policy = outside.path().join("org.toml");
    fs::write(&policy, POLICY).unwrap();
    let policy = policy.to_str().unwrap();
    let repository = repository(LOOSER);
    repository.commit();
    let check = |words: &[&str]| repository.skilltree(&[&["check", "--format", "concise"], words].concat());
    assert_eq!(lines(&check(&[])), [""; 0]);
    for source in [&["--policy", policy][..], &["--policy", policy, "--staged"], &["--policy", policy, "--rev", "HEAD"]]
    {
        let run = check(source);
        let found = lines(&run);
        assert_eq!((run.status, found.len()), (1, 2), "{}{}", run.stdout, run.stderr);
        assert!(found[0].contains("error[description-without-trigger]"), "{found:?}");
        let expected = "skilltree.toml:2:1: error[loosened-policy] `description-without-trigger` is off, but the policy sets error, which applies";
        assert!(found[1].starts_with(expected), "{found:?}");
    }
    // The configuration is ignored, not the policy.
    assert_eq!(lines(&check(&["--policy", policy, "--no-config"])).len(), 1);
    // The caller decides about one run.
    assert_eq!(
        lines(&check(&[
            "--policy",
            policy,
            "--rule",
            "description-without-trigger=off",
            "--rule",
            "loosened-policy=off"
        ])),
        [""; 0]
    );
    // A prompt block holds what the policy accepts.
    assert!(repository.skilltree(&["prompt"]).stdout.contains("pdf"));
    assert_eq!(repository.skilltree(&["prompt", "--policy", policy]).stdout, "");
    for missing in ["nowhere.toml", "/", ".agents"] {
        let run = check(&["--policy", missing]);
        assert!(run.status == 2 && run.stderr.contains("the policy `"), "{missing}: {}", run.stderr);
    }
}

#[test]
fn file_of_the_tree_is_extended() {
    let repository = repository(&format!("extends = \"policy/org.toml\"\n{LOOSER}"));
    repository.write("policy/org.toml", POLICY).commit();
    repository.write("policy/org.toml", "").write("skilltree.toml", "");
    // Each revision has its own policy.
    for (source, count) in [(&["--rev", "HEAD"][..], 2), (&["--staged"], 2), (&["--worktree"], 0)] {
        let run = repository.skilltree(&[&["check", "--format", "concise"], source].concat());
        assert_eq!(
            lines(&run).iter().filter(|line| line.contains("error[")).count(),
            count,
            "{source:?}: {}",
            run.stdout
        );
    }
    repository.add();
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--format", "concise"]);
    assert!(run.stdout.contains("[loosened-policy] the policy `policy/org.toml` no longer applies"), "{}", run.stdout);
    // The policy itself can be loosened, too.
    repository.git(&["checkout", "--quiet", "HEAD", "--", "."]);
    repository.write("policy/org.toml", "[rules]\ndescription-without-trigger = \"warning\"\n").add();
    let run = repository.skilltree(&["check", "--staged", "--base", "HEAD", "--format", "concise"]);
    assert!(
        run.stdout.contains("[loosened-policy] `description-without-trigger` is warning instead of error"),
        "{}",
        run.stdout
    );
    // With the configuration of the base, the change cannot do it.
    let run = repository.skilltree(&["check", "--staged", "--config-from", "HEAD", "--format", "concise"]);
    assert!(run.stdout.contains("error[description-without-trigger]"), "{}", run.stdout);
}

#[test]
fn refuses_what_is_no_file_of_the_tree() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("org.toml"), "[rules]\nsecret = \"top\"\n").unwrap();
    let elsewhere = outside.path().join("org.toml");
    let run = |settings: &str| {
        let repository = repository(settings);
        #[cfg(unix)]
        std::os::unix::fs::symlink(&elsewhere, repository.path().join("link.toml")).unwrap();
        repository.write("directory/x", "").write("big.toml", "#".repeat((1 << 20) + 1)).add();
        repository.skilltree(&["check", "--format", "concise"])
    };
    let missing = run("extends = \"nowhere.toml\"\n");
    assert_eq!(missing.status, 2);
    assert!(
        missing.stderr.contains("the policy `nowhere.toml` that `extends` names does not exist"),
        "{}",
        missing.stderr
    );
    for (path, reason) in
        [("directory", "a directory"), ("big.toml", "over the limit of 1,048,576"), ("link.toml", "a symbolic link")]
    {
        let run = run(&format!("extends = \"{path}\"\n"));
        assert!(run.status == 2 && run.stderr.contains(reason), "{path}: {}", run.stderr);
        assert!(
            !run.stderr.contains("secret") && !run.stderr.contains(outside.path().to_str().unwrap()),
            "{}",
            run.stderr
        );
    }
    for path in ["../org.toml", elsewhere.to_str().unwrap()] {
        let run = run(&format!("extends = \"{path}\"\n"));
        assert!(run.status == 2 && run.stderr.contains("is not a path below"), "{path}: {}", run.stderr);
    }
    for path in ["skilltree.toml", "./skilltree.toml"] {
        let run = run(&format!("extends = \"{path}\"\n"));
        assert!(
            run.status == 1 && run.stdout.contains("error[invalid-configuration]"),
            "{path}: {}{}",
            run.stdout,
            run.stderr
        );
    }
    let broken = repository("extends = \"org.toml\"\n");
    let run = broken.write("org.toml", "[rules\n").skilltree(&["check"]);
    assert!(run.status == 2 && run.stderr.contains("org.toml:1:"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn hook_and_fleet_take_a_policy() {
    let outside = tempfile::tempdir().unwrap();
    let policy = outside.path().join("org.toml");
    fs::write(&policy, POLICY).unwrap();
    let policy = policy.to_str().unwrap();
    let repository = repository(LOOSER);
    repository.commit();
    repository.write(".agents/skills/csv/SKILL.md", vague("csv")).add();
    let hook = repository.skilltree(&["hook", "run", "pre-commit"]);
    assert_eq!(hook.status, 0, "{}{}", hook.stdout, hook.stderr);
    let hook = repository.skilltree(&["hook", "run", "pre-commit", "--", "--policy", policy]);
    assert!(hook.status == 1 && hook.stdout.contains("description-without-trigger"), "{}{}", hook.stdout, hook.stderr);
    if cfg!(feature = "fleet") {
        repository.commit();
        fs::write(outside.path().join("repos"), format!("{}\n", repository.path().display())).unwrap();
        let list = outside.path().join("repos");
        let tables = outside.path().join("tables");
        let fleet = |more: &[&str]| {
            let words = ["fleet", "--repos", list.to_str().unwrap(), "--out", tables.to_str().unwrap(), "--jsonl"];
            let run = common::skilltree(outside.path(), &[&words[..], more].concat(), &[]);
            assert_eq!(run.status, 0, "{}", run.stderr);
            let mut text = String::new();
            for entry in fs::read_dir(tables.join("findings")).unwrap() {
                text += &fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
            }
            text
        };
        assert!(!fleet(&[]).contains("\"description-without-trigger\""));
        let found = fleet(&["--policy", policy]);
        assert!(found.contains("\"description-without-trigger\"") && found.contains("\"loosened-policy\""), "{found}");
        // Another text of the policy is another key.
        fs::write(policy, "").unwrap();
        assert!(!fleet(&["--policy", policy]).contains("\"description-without-trigger\""));
    }
}

/// An editor does not know the policy that CI gives.
#[test]
fn rule_of_a_policy_is_known_only_with_it() {
    let outside = tempfile::tempdir().unwrap();
    let policy = outside.path().join("org.toml");
    let rule =
        "[[require]]\nid = \"acme/license\"\nseverity = \"error\"\nkey = { name = \"license\", required = true }\n";
    fs::write(&policy, rule).unwrap();
    let policy = policy.to_str().unwrap();
    let ignore = "[[ignore]]\nrule = \"acme/license\"\npath = \".agents\"\nreason = \"ours\"\n";
    let repository = repository(&format!("[rules]\n\"acme/license\" = \"note\"\n\n{ignore}"));
    let text = "---\nname: pdf\ndescription: Fills in forms. Use when a form is given.\n---\n<!-- skilltree: ignore[acme/license] ours -->\nDo it.\n";
    repository.write(".agents/skills/pdf/SKILL.md", text).commit();
    let check = |words: &[&str]| repository.skilltree(&[&["check", "--format", "concise"], words].concat());
    let run = check(&[]);
    assert_eq!((run.status, run.stdout.matches("note[unknown-rule]").count()), (0, 3), "{}", run.stdout);
    assert!(!run.stdout.contains("error["), "{}", run.stdout);
    assert!(!check(&["--policy", policy]).stdout.contains("unknown-rule"));
    // Another rule with the same first word is known, so the id is misspelled.
    let own = rule.replace("license", "owner").replace("name = \"owner\"", "name = \"name\"");
    repository.write("skilltree.toml", [own.as_str(), ignore].concat());
    assert!(check(&[]).stdout.contains("error[unknown-rule]"), "{}", check(&[]).stdout);
}

#[test]
fn rule_of_a_policy_is_attributed_to_it() {
    let outside = tempfile::tempdir().unwrap();
    let policy = outside.path().join("org.toml");
    fs::write(&policy, "[[require]]\nid = \"acme/license\"\nkey = { name = \"license\", required = true }\n").unwrap();
    let policy = policy.to_str().unwrap();
    let repository = repository("");
    let found = repository.skilltree(&["check", "--policy", policy]).stdout;
    assert!(found.contains("note: the policy of the repository requires it"), "{found}");
    let explain = |directory: &std::path::Path| {
        common::skilltree(directory, &["explain", "--policy", policy, "acme/license"], &[])
    };
    for directory in [repository.path(), outside.path()] {
        let run = explain(directory);
        assert!(run.status == 0 && run.stdout.contains("defined in the policy"), "{}{}", run.stdout, run.stderr);
    }
    assert!(repository.skilltree(&["explain", "--policy", policy]).stdout.contains("acme/license"));
    for rule in [&[][..], &["empty-body"]] {
        assert_eq!(repository.skilltree(&[&["explain", "--policy", "nowhere.toml"], rule].concat()).status, 2);
    }
    assert_eq!(repository.skilltree(&["explain", "acme/license"]).status, 2);
}

#[test]
fn explain_shows_severities_of_the_policy() {
    let outside = tempfile::tempdir().unwrap();
    let policy = outside.path().join("org.toml");
    fs::write(&policy, "[rules]\nbody-too-long = \"error\"\n").unwrap();
    let policy = policy.to_str().unwrap();
    let explain = |rule: &[&str]| {
        let run = common::skilltree(outside.path(), &[&["explain", "--policy", policy], rule].concat(), &[]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    let text = explain(&["body-too-long"]);
    assert!(text.contains("\n- **Severity**: note (") && text.contains("); the configuration sets error\n"), "{text}");
    let list = explain(&[]);
    let line = list.lines().find(|line| line.trim_start().starts_with("body-too-long ")).unwrap();
    assert!(line.contains(" error "), "{line}");
}

#[test]
fn warns_about_a_configuration_that_is_not_read() {
    let cases = [
        ("sub/skilltree.toml", "move it to the top, or pass it with `--config`"),
        (".skilltree.toml", "rename it to `skilltree.toml`"),
        ("skiltree.toml", "rename it to `skilltree.toml`"),
        ("skilltree.yml", "write its settings as TOML in `skilltree.toml`"),
    ];
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf");
    for (path, help) in cases {
        repository.write(path, "targets = [\"codex\"]\n").add();
        for source in ["--worktree", "--staged"] {
            let run = repository.skilltree(&["check", source]);
            let expected =
                format!("warning: `{path}` is not read: only `skilltree.toml` at the top is\n  help: {help}\n");
            assert!(run.stderr.contains(&expected), "{path} {source}: {}", run.stderr);
        }
        let run = repository.skilltree(&["check", "--config", path]);
        assert!(!run.stderr.contains("is not read"), "{path}: {}", run.stderr);
        fs::remove_file(repository.path().join(path)).unwrap();
    }
    // Others are examples, or belong to another program.
    for path in ["sub/skiltree.toml", "skillet.toml", "skilltree.json"] {
        repository.write(path, "").add();
    }
    repository.write("skilltree.toml", "[limits]\n").write("sub/skilltree.toml", "").add();
    let run = repository.skilltree(&["check"]);
    assert!(!run.stderr.contains("not read"), "{}", run.stderr);
    fs::remove_file(repository.path().join("skilltree.toml")).unwrap();
    fs::remove_file(repository.path().join("sub/skilltree.toml")).unwrap();
    let run = repository.skilltree(&["check"]);
    assert!(!run.stderr.contains("not read"), "{}", run.stderr);
}
