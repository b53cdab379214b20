//! The prompt block that a dispatcher gets at the first try: which skills it holds, and why it is empty.
#![allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test creates the files that it checks")]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{self, Repository, Run, good, skilltree_with_input};
use skilltree::{Options, PromptOptions, Selection};

/// Names of the skills that a block lists.
fn listed(run: &Run) -> Vec<&str> {
    assert_eq!(run.status, 0, "{}", run.stderr);
    let entries = run.stdout.lines().filter_map(|line| line.strip_prefix("- "));
    entries.filter_map(|entry| entry.split_once(" — ").map(|(name, _)| name)).collect()
}

#[test]
fn block_without_configuration_holds_what_discovery_found() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "one").skill(".agents/skills", "two").skill("skills", "three");
    repository.skill("tests/data", "no-skill").skill(".agent/skills", "four").commit();
    for source in [&["prompt"][..], &["prompt", "--staged"], &["prompt", "--rev", "HEAD"]] {
        let run = repository.skilltree(source);
        // By skills directory: the default one first.
        assert_eq!(listed(&run), ["four", "two", "one", "three"], "{source:?}");
        assert_eq!(run.stderr, "", "{source:?}");
    }
    // A configured directory is the only one, as in `check`.
    repository.write("skilltree.toml", "[[root]]\npath = \"skills\"\n");
    assert_eq!(listed(&repository.skilltree(&["prompt"])), ["four", "three"]);
}

#[test]
fn digest_covers_discovered_directories() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "one").commit();
    let digest = |words: &[&str]| -> String {
        let run = repository.skilltree(&[&["prompt", "--format", "json"], words].concat());
        let index: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        index["source"]["digest"].as_str().unwrap().to_owned()
    };
    let first = digest(&["--rev", "HEAD"]);
    assert_eq!(digest(&["--staged"]), first);
    let unchanged = |known: &str| repository.skilltree(&["prompt", "--if-changed", known]).stdout.is_empty();
    assert!(unchanged(&first));
    repository.skill("plugins/p/skills", "two").write("plugins/p/.claude-plugin/plugin.json", "{\"name\":\"p\"}").add();
    assert_ne!(digest(&["--staged"]), first);
    assert!(!unchanged(&first));
    // A discovery finds nothing new in these: the block, and so its digest, are the same.
    repository.commit();
    let second = digest(&["--rev", "HEAD"]);
    repository.write("README.md", "# R\n").commit();
    assert_eq!(digest(&["--rev", "HEAD"]), second);
}

#[test]
fn says_why_a_block_is_empty() {
    let empty = Repository::new();
    empty.write("README.md", "# R\n").commit();
    let reason = |repository: &Repository, words: &[&str]| {
        let run = repository.skilltree(&[&["prompt"], words].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{words:?}");
        run.stderr
    };
    assert_eq!(reason(&empty, &[]), "the block is empty: no skills directory has a skill\n");
    let expected = "the block is empty: there is no skill in .camel/skills\n";
    assert_eq!(reason(&empty, &["--profile", "camel"]), expected);

    let elsewhere = Repository::new();
    elsewhere.skill(".claude/skills", "one").commit();
    let said = reason(&elsewhere, &["--profile", "camel"]);
    assert!(said.starts_with(expected), "{said}");
    let edit = "`[[root]]` with `path = \".claude/skills\"` and `profile = \"camel\"`";
    assert!(said.contains(edit), "{said}");
    elsewhere.write("skilltree.toml", "[[root]]\npath = \".claude/skills\"\nprofile = \"camel\"\n");
    let run = elsewhere.skilltree(&["prompt", "--profile", "camel", "--skill", "one"]);
    assert!(run.stdout.contains("name: one") || run.stdout.contains("one"), "{}{}", run.stdout, run.stderr);

    let broken = Repository::new();
    broken.write(".agent/skills/a/SKILL.md", "no front matter\n").commit();
    let said = reason(&broken, &[]);
    let expected = "the block is empty: 1 skill found, but none is accepted; run `skilltree check` to see why\n";
    assert!(said.starts_with("skipped .agent/skills/a/SKILL.md: ") && said.ends_with(expected), "{said}");

    let disabled = Repository::new();
    disabled.skill(".symphony/skills", "a");
    disabled.write("WORKFLOW.md", "---\nagent:\n  skills:\n    enabled: false\n---\nWork.\n").commit();
    assert_eq!(reason(&disabled, &[]), "the block is empty: `agent.skills` in WORKFLOW.md is disabled\n");

    let reserved = Repository::new();
    reserved.skill(".agent/skills", "core").commit();
    let said = reason(&reserved, &["--profile", "amacs"]);
    assert_eq!(said, "the block is empty: the runtime always includes `core`\n");
}

#[test]
fn profile_without_targets_is_the_scope_of_acceptance() {
    let skill = "---\nname: snake_case\ndescription: Does it. Use when asked.\n---\nBody\n";
    let repository = Repository::new();
    repository.write(".camel/skills/snake_case/SKILL.md", skill).commit();
    assert!(repository.skilltree(&["list", "--profile", "camel"]).stdout.starts_with("snake_case "));
    let mentioned = repository.skilltree(&["prompt", "--profile", "camel", "--mention", "use $snake_case"]);
    assert!(mentioned.stdout.contains("Body") && mentioned.stderr.is_empty(), "{}", mentioned.stderr);
    assert_eq!(repository.skilltree(&["show", "snake_case", "--profile", "camel"]).stdout, "Body\n");
    // The runtime does not load a skill without a description.
    repository.write(".camel/skills/other/SKILL.md", "---\nname: other\n---\nBody\n").commit();
    let run = repository.skilltree(&["list", "--profile", "camel"]);
    assert!(!run.stdout.contains("other") && run.stderr.contains("1 file rejected"), "{}{}", run.stdout, run.stderr);
    // Configured targets decide.
    repository.write("skilltree.toml", "targets = [\"agentskills\"]\n").commit();
    assert_eq!(repository.skilltree(&["list", "--profile", "camel"]).stdout, "");
}

#[test]
fn library_needs_no_repository_with_a_profile() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join(".camel/skills/snake_case");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("SKILL.md"), good("snake_case")).unwrap();
    let options = Options { profile: Some("camel".to_owned()), ..Options::default() };
    let selection = Selection::Mention("- use $snake_case".to_owned());
    let wanted = PromptOptions { selection, messages: true, ..PromptOptions::default() };
    let artifact = skilltree::prompt(directory.path(), &options, &wanted).unwrap();
    assert!(String::from_utf8_lossy(artifact.block()).contains("<name>snake_case</name>"));
    assert!(skilltree::prompt(directory.path(), &Options::default(), &PromptOptions::default()).is_err());
}

#[test]
fn matcher_is_tags_if_a_skill_has_tags() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").skill(".agent/skills", "csv").commit();
    let task = |words: &[&str]| {
        let run = repository.skilltree(&[&["prompt", "--task", "convert a csv file"], words].concat());
        listed(&run).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(task(&[]), ["csv"], "no skill has tags");
    assert_eq!(task(&["--matcher", "tags"]), [""; 0]);
    let tagged = good("tagged").replace("when_to_use:", "tags: [convert]\nwhen_to_use:");
    repository.write(".agent/skills/tagged/SKILL.md", tagged).commit();
    assert_eq!(task(&[]), ["tagged"]);
    let mut ranked = task(&["--matcher", "bm25"]);
    ranked.sort();
    assert_eq!(ranked, ["csv", "tagged"]);
}

#[test]
fn explains_options_that_need_a_task() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    for (option, value) in [("--role", "builder"), ("--top", "3"), ("--matcher", "bm25")] {
        let run = repository.skilltree(&["prompt", option, value]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.starts_with(&format!("error: `{option}` ")), "{}", run.stderr);
        assert!(
            run.stderr.contains("but there is no task") && run.stderr.contains("add `--task TEXT`"),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn free_text_may_begin_with_a_hyphen() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf").commit();
    for text in ["- use $pdf", "--use $pdf", "-x $pdf"] {
        for option in ["--mention", "--task"] {
            let run = repository.skilltree(&["prompt", option, text]);
            assert_eq!(listed(&run), ["pdf"], "{option} {text}");
            let piped = skilltree_with_input(repository.path(), &["prompt", option, "-"], &[], text.as_bytes());
            assert_eq!(piped.stdout, run.stdout, "{option} {text}");
        }
    }
    let content = "- never return null";
    let add = ["agent", "knowledge", "add", "--category", "tip", "--contributor", "r", "--scope", "global"];
    let added = repository.skilltree(&[&add[..], &["--content", content]].concat());
    assert_eq!(added.status, 0, "{}", added.stderr);
    assert!(fs::read_to_string(repository.path().join(".agent/knowledge.jsonl")).unwrap().contains(content));
    let query = repository.skilltree(&["agent", "knowledge", "query", "- null"]);
    assert!(query.status == 0 && query.stdout.contains(content), "{}{}", query.stdout, query.stderr);
    let piped = skilltree_with_input(repository.path(), &["agent", "knowledge", "query", "-"], &[], b"null\n");
    assert_eq!(piped.stdout, query.stdout);
}

/// Runs skilltree without the right to read what its owner protects, as in a container whose files belong to another user.
#[cfg(target_os = "linux")]
fn unprivileged(repository: &Repository, home: &Path, words: &[&str]) -> Run {
    let mut command = match common::is_root() {
        true => {
            let mut command = Command::new("setpriv");
            command.args(["--bounding-set", "-dac_override,-dac_read_search"]).arg(common::program());
            command
        }
        false => Command::new(common::program()),
    };
    common::isolate(&mut command)
        .current_dir(repository.path())
        .args(words)
        .env("HOME", home)
        .env_remove("XDG_CONFIG_HOME");
    let output = command.stdin(Stdio::null()).output().unwrap();
    Run {
        status: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[cfg(target_os = "linux")]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn unreadable_skill_makes_the_block_smaller() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "a").skill(".symphony/skills", "b").skill(".symphony/skills", "c").add();
    let home = tempfile::tempdir().unwrap();
    let skills = repository.path().join(".symphony/skills");
    set_mode(&skills.join("b/SKILL.md"), 0);
    set_mode(&skills.join("c"), 0);
    let run = |words: &[&str]| unprivileged(&repository, home.path(), words);
    let skipped = ["b/SKILL.md", "c"].map(|path| format!("skipped .symphony/skills/{path}: "));
    let out = tempfile::tempdir().unwrap();
    let path = out.path().to_str().unwrap();
    for words in [
        &["prompt", "--profile", "symphony"][..],
        &["prompt"],
        &["prompt", "--out", path],
        &["prompt", "--if-changed", "0"],
        &["list"],
        &["show", "a"],
    ] {
        let run = run(words);
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        assert!(skipped.iter().all(|line| run.stderr.contains(line)), "{words:?}: {}", run.stderr);
        assert!(words.contains(&path) || run.stdout.contains('a'), "{words:?}");
        assert!(!run.stdout.contains("- b"), "{words:?}: {}", run.stdout);
    }
    for (name, path) in [("b", "b/SKILL.md"), ("c", "c")] {
        let message =
            format!("error: the skill `{name}` is skipped: `.symphony/skills/{path}` cannot be read: permission");
        for words in [&["show", name][..], &["prompt", "--skill", name]] {
            let run = run(words);
            assert!(run.status == 2 && run.stderr.contains(&message), "{words:?}: {}", run.stderr);
        }
    }
    let index: serde_json::Value = serde_json::from_slice(&fs::read(out.path().join("skills.json")).unwrap()).unwrap();
    assert_eq!(index["errors"].as_array().unwrap().len(), 2, "{index:#}");
    let check = run(&["check"]);
    assert_eq!(check.status, 2, "{}", check.stderr);
    // The bytes in the index can be read.
    assert_eq!(listed(&run(&["prompt", "--staged"])), ["a", "b", "c"]);
    set_mode(&skills.join("c"), 0o755);
}

#[cfg(target_os = "linux")]
#[test]
fn ignore_files_that_cannot_be_read_are_skipped_with_a_warning() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "a").skill(".claude/skills", "b").skill("x/.claude/skills", "c");
    repository.write(".gitignore", "b/\n").write(".claude/.gitignore", "a/\n").write("x/.gitignore", "c/\n");
    repository.write(".git/info/exclude", "x\n");
    let home = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| unprivileged(&repository, home.path(), words);
    let unread = |path: &str| set_mode(&repository.path().join(path), 0);
    let listed = |words: &[&str]| {
        let run = run(words);
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        ["a", "b", "c"].into_iter().filter(|name| run.stdout.contains(&format!("- {name} "))).collect::<String>()
    };
    assert_eq!(listed(&["prompt"]), "");
    unread(".claude/.gitignore");
    assert_eq!(listed(&["prompt"]), "a", "the other ignore files count");
    let check = run(&["check"]);
    assert!(check.status == 0 && check.stderr.contains("in 1 skill"), "{}", check.stderr);
    let warning = "warning: `.claude/.gitignore` cannot be read: files that only it ignores are read";
    assert!(check.stderr.contains(warning), "{}", check.stderr);
    unread(".git/info/exclude");
    let check = run(&["check"]);
    assert!(check.status == 0 && check.stderr.contains("in 1 skill"), "{}", check.stderr);
    let warning = "warning: `.claude/.gitignore` and `.git/info/exclude` cannot be read";
    assert!(check.stderr.contains(warning), "{}", check.stderr);
    unread("x/.gitignore");
    assert_eq!(listed(&["prompt"]), "ac");
}

#[cfg(target_os = "linux")]
#[test]
fn unreadable_records_stop_only_the_block_that_needs_them() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "a").add();
    repository.write(".agent/knowledge.jsonl", "\n").write(".agent/threads.json", "{}\n");
    for name in ["knowledge.jsonl", "threads.json"] {
        set_mode(&repository.path().join(".agent").join(name), 0);
    }
    let home = tempfile::tempdir().unwrap();
    let run = |words: &[&str]| unprivileged(&repository, home.path(), words);
    let prompt = run(&["prompt", "--profile", "symphony"]);
    assert!(prompt.status == 0 && prompt.stdout.contains("- a "), "{}", prompt.stderr);
    assert!(!prompt.stderr.contains("cannot be read"), "it needs neither: {}", prompt.stderr);
    let swarm = run(&["prompt", "--profile", "swarm", "--task", "x", "--role", "builder"]);
    let skipped = "skipped .agent/knowledge.jsonl: `.agent/knowledge.jsonl` cannot be read: permission denied";
    assert!(swarm.status == 0 && swarm.stderr.contains(skipped), "{}", swarm.stderr);
    for words in [&["prompt", "--profile", "amacs", "--thread", "t"][..], &["agent", "thread", "list"], &["check"]] {
        let run = run(words);
        assert!(run.status == 2 && run.stderr.contains(".json` cannot be read"), "{words:?}: {}", run.stderr);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ignore_file_of_another_user_is_skipped_with_a_warning() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "a");
    let home = tempfile::tempdir().unwrap();
    fs::create_dir_all(home.path().join(".config/git")).unwrap();
    fs::write(home.path().join(".config/git/ignore"), "*\n").unwrap();
    let ignored = unprivileged(&repository, home.path(), &["check"]);
    assert!(ignored.stderr.contains("0 skills") || ignored.stdout.contains("ignore"), "{}", ignored.stderr);
    set_mode(home.path(), 0);
    let check = unprivileged(&repository, home.path(), &["check"]);
    set_mode(home.path(), 0o755);
    assert_eq!(check.status, 0, "{}", check.stderr);
    assert!(check.stderr.contains("in 1 skill"), "{}", check.stderr);
    let warning = format!("warning: `{}/.config/git/ignore` cannot be read", home.path().display());
    assert!(check.stderr.contains(&warning), "{}", check.stderr);
}

#[test]
fn empty_task_is_refused() {
    let repository = Repository::new();
    repository.skill(".agents/skills", "one").commit();
    for task in ["", " \n"] {
        let run = repository.skilltree(&["prompt", "--task", task]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{task:?}");
        assert!(run.stderr.contains("the text of `--task` is empty"), "{}", run.stderr);
    }
    let piped = skilltree_with_input(repository.path(), &["prompt", "--task", "-"], &[], b"\n");
    assert!(piped.status == 2 && piped.stderr.contains("`--task` is empty"), "{}", piped.stderr);
}

#[test]
fn rejected_skill_that_is_named_is_explained() {
    let repository = Repository::new();
    repository.skill(".agents/skills", "one").write(".agents/skills/bad/SKILL.md", "---\nname: bad\n---\nDo it.\n");
    let run = repository.commit().skilltree(&["prompt", "--skill", "one", "--skill", "bad"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    let expected = "error: `bad` cannot be used: `.agents/skills/bad/SKILL.md` has an error\n  missing-description: ";
    assert!(run.stderr.contains(expected), "{}", run.stderr);
}

#[test]
fn skills_of_the_default_block_are_grouped_by_directory() {
    let repository = Repository::new();
    repository.skill(".agents/skills", "one").skill(".agents/skills", "two").skill(".claude/skills", "three").commit();
    let run = repository.skilltree(&["prompt", "--skill", "two", "--skill", "three", "--skill", "one"]);
    assert_eq!(listed(&run), ["two", "one", "three"]);
}

/// `.agent/skills` is a default directory, which no search finds.
#[test]
fn block_of_symphony_names_the_skills_that_it_cannot_contain() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").skill(".claude/skills", "two").commit();
    for command in ["prompt", "list"] {
        let run = repository.skilltree(&[command, "--profile", "symphony"]);
        let expected = "2 skills in .agent/skills (1) and .claude/skills (1) cannot be in the prompt block of symphony: add to skilltree.toml, one `[[root]]` each: `path = \".agent/skills\"`, `path = \".claude/skills\"`, each with `profile = \"symphony\"`\n";
        assert!(run.stderr.contains(expected), "{command}: {}", run.stderr);
    }
    let more = "[[root]]\npath = \".agent/skills\"\nprofile = \"symphony\"\n[[root]]\npath = \".claude/skills\"\nprofile = \"symphony\"\n";
    repository.write("skilltree.toml", more);
    let run = repository.skilltree(&["prompt", "--profile", "symphony"]);
    assert!(run.stdout.contains("one") && run.stdout.contains("two") && run.stderr.is_empty(), "{}", run.stderr);
}
