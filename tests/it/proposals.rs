//! The commands and paths that the output proposes: they do what this run did.
#![allow(clippy::disallowed_methods, reason = "a test creates the files that it checks")]

use std::fs;

use crate::common::{Repository, skilltree};

fn repository() -> Repository {
    let repository = Repository::new();
    for name in ["pdf", "csv"] {
        let text = format!("---\nname: {name}\ndescription: Reads: {name}. Use when {name} is given.\n---\nDo it.\n");
        repository.write(&format!(".claude/skills/{name}/SKILL.md"), text);
    }
    repository.commit();
    repository
}

/// Returns the line that begins or ends like this.
fn line<'r>(stderr: &'r str, part: &str) -> &'r str {
    stderr.lines().find(|line| line.contains(part)).unwrap_or_default().trim()
}

#[test]
fn commands_have_the_options_of_the_run() {
    let repository = repository();
    let place = tempfile::tempdir().expect("a directory");
    let policy = place.path().join("the policy.toml");
    fs::write(&policy, "").expect("written");
    let policy = policy.to_str().expect("UTF-8");
    let of = |words: &[&str]| repository.skilltree(&[&["check"], words].concat()).stderr;
    assert!(of(&[]).contains("fixable: skilltree fix\n"), "{}", of(&[]));
    let all =
        of(&["--policy", policy, "--target", "codex", "--target", "goose", "--root", ".claude/*", "--rev", "HEAD"]);
    let options = format!("--policy '{policy}' --root '.claude/*' --target codex --target goose");
    assert!(all.contains(&format!("fixable: skilltree fix --rev HEAD --diff {options}\n")), "{all}");
    let one = of(&[".claude/skills/pdf", "--no-config"]);
    assert!(one.contains("1 fixable: skilltree fix --no-config .claude/skills/pdf\n"), "{one}");
    // What is proposed for a revision shows the edits.
    let fixed = repository.skilltree(&["fix", "--rev", "HEAD", "--diff"]);
    assert!(fixed.status == 1 && fixed.stdout.contains("+++ b/.claude/skills/pdf/SKILL.md"), "{}", fixed.stderr);
    let there = skilltree(place.path(), &["-C", repository.path().to_str().expect("UTF-8"), "check"], &[]).stderr;
    let fix = line(&there, "fixable: ");
    assert!(fix.ends_with(&format!("skilltree fix -C {}", repository.path().display())), "{there}");
    for command in ["check", "forecast"] {
        let run = repository.skilltree(&[command, "--rev", "HEAD", "--no-config"]);
        let more = [run.stdout.as_str(), &run.stderr].concat();
        assert!(more.contains("skilltree forecast --all --rev HEAD --no-config\n"), "{command}: {more}");
    }
}

#[test]
fn other_commands_have_the_options_too() {
    let repository = repository();
    let bad = "---\nname: Bad Name\n---\nDo it.\n";
    repository.write(".claude/skills/bad/SKILL.md", bad).commit();
    let check = "run `skilltree check --rev HEAD --no-config";
    for words in [&["list"][..], &["show", "bad"], &["fix", "--diff"]] {
        let run = repository.skilltree(&[words, &["--rev", "HEAD", "--no-config"]].concat());
        assert!(run.stderr.contains(check), "{words:?}: {}", run.stderr);
    }
}

/// With a profile, the block takes what this runtime loads.
#[test]
fn check_of_an_empty_block_is_for_its_runtime() {
    let repository = Repository::new();
    repository.write(".camel/skills/bad/SKILL.md", "---\nname: bad\n---\nDo it.\n").commit();
    let run = repository.skilltree(&["prompt", "--profile", "camel", "--rev", "HEAD"]);
    assert!(run.stderr.contains("run `skilltree check --rev HEAD --target camel` to see why"), "{}", run.stderr);
    let plain = repository.skilltree(&["prompt"]);
    assert!(plain.stderr.contains("run `skilltree check` to see why"), "{}", plain.stderr);
}

#[test]
fn paths_below_the_top_are_explained() {
    let repository = repository();
    fs::create_dir(repository.path().join("docs")).expect("created");
    let below = repository.path().join("docs");
    let note = format!("paths are relative to {}", fs::canonicalize(repository.path()).expect("exists").display());
    for command in ["check", "fix"] {
        let run = skilltree(&below, &[command, "--no-config"], &[]);
        assert!(run.stderr.contains(&note), "{command}: {}", run.stderr);
        assert!(!repository.skilltree(&[command]).stderr.contains("paths are relative"));
    }
}

#[test]
fn staged_paths_are_for_the_directory_of_the_caller() {
    let repository = repository();
    fs::create_dir(repository.path().join("docs")).expect("created");
    repository.skilltree(&["fix"]);
    let below = skilltree(&repository.path().join("docs"), &["check", "--staged"], &[]).stderr;
    let add = "run `git add :/.claude/skills/csv/SKILL.md :/.claude/skills/pdf/SKILL.md`";
    assert!(below.contains(add), "{below}");
    let top = repository.skilltree(&["check", "--staged"]).stderr;
    assert!(top.contains("run `git add .claude/skills/csv/SKILL.md .claude/skills/pdf/SKILL.md`"), "{top}");
}
