//! A commit that changes nothing which a rule reads: the hook opens no skill, prints nothing and lets it pass.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, Repository, Run, git, good};

const SKILL: &str = ".agent/skills/pdf/SKILL.md";
const INDEX: &[(&str, &str)] = &[("GIT_INDEX_FILE", ".git/index")];

/// Runs the hook as Git does before a commit.
fn hook(directory: &Path) -> Run {
    common::skilltree(directory, &["hook", "run", "pre-commit"], INDEX)
}

#[track_caller]
fn assert_silent(run: &Run) {
    assert_eq!((run.status, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
}

/// A repository with a skill that has a finding, some other files, and a large file.
fn repository() -> Repository {
    let repository = Repository::new();
    repository.write(SKILL, good("pdf").replacen("name: pdf", "name: other", 1));
    repository.write("README.md", "# A project\n\n## Usage\n\nRun it.\n").write("src/app.py", "1\n").write("b", "b\n");
    repository.commit();
    repository
}

/// Returns the paths of all objects of a repository; none is in a pack.
fn objects(repository: &Repository) -> Vec<PathBuf> {
    let directories = fs::read_dir(repository.path().join(".git/objects")).unwrap().map(|entry| entry.unwrap().path());
    let directories = directories.filter(|path| path.file_name().unwrap().len() == 2);
    directories.flat_map(|directory| fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path())).collect()
}

/// Removes all objects but some, and returns how many there were.
fn keep_objects(repository: &Repository, kept: &[&str]) -> usize {
    let ids: Vec<String> = kept.iter().map(|name| repository.git(&["rev-parse", name])).collect();
    let all = objects(repository);
    for path in &all {
        let id = [path.parent().unwrap(), path].map(|path| path.file_name().unwrap().to_str().unwrap()).concat();
        if !ids.contains(&id) {
            fs::remove_file(path).unwrap();
        }
    }
    assert_eq!(objects(repository).len(), kept.len());
    all.len()
}

#[test]
fn opens_only_what_changed_among_many_skills() {
    let repository = Repository::new();
    for number in 0..200 {
        repository.skill(".agent/skills", &format!("skill-{number}"));
    }
    repository.write("README.md", "# A project\n").write("src/app.py", "1\n").commit();
    repository.write("src/app.py", "2\n").add();
    // The commit, and the two trees that differ.
    assert!(keep_objects(&repository, &["HEAD", "HEAD^{tree}", "HEAD:src"]) > 400);
    assert_silent(&hook(repository.path()));
}

#[test]
fn opens_an_edited_readme_and_nothing_else() {
    let repository = repository();
    repository.write("README.md", "# A project\n\n## Usage\n\nRun it twice.\n\n## More\n").add();
    keep_objects(&repository, &["HEAD", "HEAD^{tree}", "HEAD:README.md", ":README.md"]);
    assert_silent(&hook(repository.path()));
}

#[test]
fn opens_only_the_commit_if_nothing_is_staged() {
    let repository = repository();
    keep_objects(&repository, &["HEAD", "HEAD^{tree}"]);
    assert_silent(&hook(repository.path()));
}

fn written(_: &Repository) {}

/// Changes that a rule may read: each with the place of the change.
#[test]
fn reads_everything_if_a_rule_may_read_the_change() {
    type Change = fn(&Repository);
    let cases: &[(&str, Change)] = &[
        ("a skill", |repository| written(repository.write(SKILL, good("pdf")))),
        ("a file next to it", |repository| written(repository.write(".agent/skills/pdf/x.txt", "x"))),
        ("a new file in a skills directory", |repository| {
            written(repository.write(".agent/skills/notes.md", "# Notes\n"))
        }),
        ("another spelling of a skills directory", |repository| written(repository.write(".Agent/Skills/x.md", "x"))),
        ("a new skill elsewhere", |repository| written(repository.skill("other", "csv"))),
        ("a removed file", |repository| fs::remove_file(repository.path().join("b")).unwrap()),
        ("a removed section", |repository| written(repository.write("README.md", "# A project\n"))),
        ("a new link", |repository| std::os::unix::fs::symlink("src", repository.path().join("link")).unwrap()),
        ("the configuration", |repository| written(repository.write("skilltree.toml", "edition = \"2026\"\n"))),
        ("a manifest", |repository| written(repository.write(".claude-plugin/plugin.json", "{\"name\": \"x\"}"))),
        ("an agent", |repository| written(repository.write(".claude/agents/rev.md", "---\nname: rev\n---\n"))),
        ("a mode", |repository| {
            repository.git(&["update-index", "--chmod=+x", "b"]);
        }),
    ];
    for (name, change) in cases {
        let repository = repository();
        change(&repository);
        if *name != "a mode" {
            repository.add();
        }
        let run = hook(repository.path());
        assert!(!run.stderr.is_empty(), "{name}");
    }
}

/// Whatever runs, and nothing else below a directory with a dot: each with a file that changes.
#[test]
fn reads_everything_if_the_change_may_grant_something() {
    const HOOK: &str = r#"{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "tools/guard.sh"}]}]}}"#;
    const PLUGIN: &str = "mail/.claude-plugin/plugin.json";
    let in_plugin = HOOK.replace("tools/", "${CLAUDE_PLUGIN_ROOT}/tools/");
    let is_short = |settings: &str, text: &str, path: &str| {
        let repository = repository();
        repository.write(PLUGIN, r#"{"name": "mail"}"#);
        repository.write(settings, text).write(path, "a\n").commit();
        repository.write(path, "#!/bin/sh\ncurl example.com\n").add();
        let run = hook(repository.path());
        assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
        run.stderr.is_empty()
    };
    for path in [
        ".github/workflows/ci.yml",
        ".config/nextest.toml",
        ".roo/notes.txt",
        "src/.cache/agents/x.py",
        "bin/run.sh",
        "tools/other.sh",
        "mail/src/main.py",
    ] {
        assert!(is_short(".claude/settings.json", HOOK, path), "{path}");
    }
    for path in [
        ".claude/settings.local.json",
        "packages/x/.codex/config.toml",
        ".github/hooks/a.json",
        "packages/x/.opencode/plugins/a.ts",
        ".claude/commands/go.md",
        "mail/commands/go.md",
        "mail/bin/run.sh",
        "tools/guard.sh",
    ] {
        assert!(!is_short(".claude/settings.json", HOOK, path), "{path}");
    }
    let flat = r#"{"hooks": {"stop": [{"command": "tools/guard.sh"}]}}"#;
    assert!(!is_short("packages/x/.cursor/hooks.json", flat, "packages/x/tools/guard.sh"));
    assert!(!is_short("mail/hooks/hooks.json", &in_plugin, "mail/tools/guard.sh"));
    assert!(is_short("mail/hooks/hooks.json", &in_plugin, "tools/guard.sh"));
}

#[test]
fn reads_everything_if_a_command_may_hide_a_skill() {
    let repository = repository();
    repository.write(".claude-plugin/plugin.json", "{\"name\": \"x\"}").skill("skills", "csv").commit();
    repository.write("extra/other.md", "Other.\n").add();
    assert_silent(&hook(repository.path()));
    repository.write("extra/csv.md", "Csv.\n").add();
    assert!(!hook(repository.path()).stderr.is_empty());
}

#[test]
fn reads_what_links_in_skills_directories_lead_to() {
    let repository = repository();
    std::os::unix::fs::symlink("../../src/pdf.md", repository.path().join(".agent/skills/link.md")).unwrap();
    repository.write("src/pdf.md", "x\n").commit();
    repository.write("src/app.py", "2\n").add();
    assert_silent(&hook(repository.path()));
    repository.write("src/pdf.md", "y\n").add();
    assert!(hook(repository.path()).stderr.contains("new finding"));
}

#[test]
fn reports_what_a_removed_file_breaks() {
    let repository = repository();
    repository.write(SKILL, format!("{}[More](../../../b.md)\n", good("pdf"))).write("b.md", "b\n").commit();
    repository.git(&["rm", "--quiet", "b.md"]);
    let run = hook(repository.path());
    assert!(
        run.stdout.contains("`../../../b.md` does not exist: this change deleted it"),
        "{}{}",
        run.stdout,
        run.stderr
    );
}

#[test]
fn carries_out_what_options_ask_for() {
    let repository = repository();
    repository.write("src/app.py", "2\n").add();
    let run = |options: &[&str]| {
        common::skilltree(repository.path(), &[&["hook", "run", "pre-commit", "--"], options].concat(), INDEX)
    };
    assert_silent(&run(&["--fail-on", "warning"]));
    assert_eq!(run(&["--all"]).status, 1);
    assert!(run(&["--format", "json"]).stdout.starts_with('{'));
    assert_eq!(run(&["--output", "json=report.json"]).status, 0);
    assert!(repository.path().join("report.json").is_file());
}

/// Commits in a directory with the installed hook; returns whether it succeeded, and what was printed.
fn commit(directory: &Path, arguments: &[&str]) -> (bool, String) {
    let output = git(directory, &[&["commit", "--quiet", "--message", "Try"], arguments].concat(), &[]);
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

fn install(directory: &Path) {
    assert_eq!(common::skilltree(directory, &["hook", "install"], &[]).status, 0);
}

/// A clone of a repository, made with these options, with the hook.
fn cloned(from: &Repository, options: &[&str]) -> tempfile::TempDir {
    from.git(&["config", "uploadpack.allowFilter", "true"]);
    from.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let directory = tempfile::tempdir().unwrap();
    let address = format!("file://{}", from.path().display());
    let words = [&["clone", "--quiet"], options, &[&address, "."]].concat();
    assert!(git(directory.path(), &words, &[]).status.success());
    install(directory.path());
    directory
}

#[test]
fn stays_silent_in_every_kind_of_clone() {
    let origin = repository();
    fs::create_dir(origin.path().join(".claude")).unwrap();
    std::os::unix::fs::symlink("../.agent/skills", origin.path().join(".claude/skills")).unwrap();
    origin.commit();
    for options in [
        &["--filter=blob:none", "--sparse"][..],
        &["--filter=blob:none"],
        &["--depth=1"],
        &["--filter=blob:none", "--depth=1", "--sparse"],
        &[],
    ] {
        let clone = cloned(&origin, options);
        if options.contains(&"--sparse") {
            assert!(git(clone.path(), &["sparse-checkout", "set", "--sparse-index", "src"], &[]).status.success());
        }
        fs::write(clone.path().join("src/app.py"), "2\n").unwrap();
        assert_eq!(commit(clone.path(), &["--all"]), (true, String::new()), "{options:?}");
        fs::write(clone.path().join("src/new.py"), "3\n").unwrap();
        assert!(git(clone.path(), &["add", "--all"], &[]).status.success());
        assert_eq!(commit(clone.path(), &[]), (true, String::new()), "{options:?}");
    }
}

#[test]
fn names_what_a_sparse_partial_clone_has_to_fetch() {
    let origin = repository();
    let clone = cloned(&origin, &["--filter=blob:none", "--sparse"]);
    assert!(git(clone.path(), &["rm", "--quiet", "b"], &[]).status.success());
    let (committed, messages) = commit(clone.path(), &[]);
    assert!(!committed);
    let id = origin.git(&["rev-parse", &format!("HEAD:{SKILL}")]);
    assert!(messages.contains(&format!("{SKILL} ({id}): not fetched")), "{messages}");
    let command = format!("git cat-file -p {id}");
    assert!(messages.contains(&format!("`{command}`")), "{messages}");
    let words: Vec<&str> = command.split(' ').skip(1).collect();
    assert!(git(clone.path(), &words, &[]).status.success());
    assert!(commit(clone.path(), &[]).0);
}

/// A sparse partial clone of a repository with two skills, of which only `csv` was fetched.
fn with_one_of_two_skills() -> tempfile::TempDir {
    let origin = repository();
    origin.skill(".agent/skills", "csv").write(".agent/skills/pdf/references/form.md", "# Form\n").commit();
    let clone = cloned(&origin, &["--filter=blob:none", "--sparse"]);
    let words = ["sparse-checkout", "set", ".agent/skills/csv"];
    assert!(git(clone.path(), &words, &[]).status.success());
    clone
}

/// Commits a text of the skill that was fetched.
fn commit_csv(clone: &Path, text: &str) -> (bool, String) {
    fs::write(clone.join(".agent/skills/csv/SKILL.md"), text).unwrap();
    commit(clone, &["--all"])
}

#[test]
fn checks_an_edit_without_the_skills_that_it_does_not_concern() {
    let clone = with_one_of_two_skills();
    let more = |line: &str| format!("{}{line}\n", good("csv"));
    let (committed, messages) = commit_csv(clone.path(), &more("More."));
    assert!(committed, "{messages}");
    let unread =
        "not checked: `.agent/skills/pdf/SKILL.md` and `.agent/skills/pdf/references/form.md`; this clone lacks them";
    assert!(messages.contains(unread), "{messages}");
    assert!(messages.contains("no new findings in 1 skill ("), "{messages}");
    fs::write(clone.path().join("skilltree.toml"), "[limits]\nroot-bytes = 100000\n").unwrap();
    let check = ["check", "--staged", "--base", "HEAD", "--config", "skilltree.toml"];
    fs::write(clone.path().join(".agent/skills/csv/SKILL.md"), more("Twice.")).unwrap();
    assert!(git(clone.path(), &["add", ".agent/skills/csv"], &[]).status.success());
    assert_eq!(common::skilltree(clone.path(), &check[..4], &[]).status, 0);
    let run = common::skilltree(clone.path(), &check, &[]);
    assert!(run.status == 2 && run.stderr.contains(": not fetched"), "the bytes of all skills count: {}", run.stderr);
    fs::remove_file(clone.path().join("skilltree.toml")).unwrap();
    let (committed, messages) = commit_csv(clone.path(), &more("<<<<<<< HEAD\n=======\n>>>>>>> x"));
    assert!(!committed && messages.contains("error[conflict-marker]"), "{messages}");
}

#[test]
fn reads_the_other_skills_if_a_change_concerns_them() {
    type Change = fn(&Path);
    let cases: [(&str, Change); 4] = [
        ("a description", |clone| {
            fs::write(clone, good("csv").replace("description: ", "description: Quickly ")).unwrap()
        }),
        ("a removed skill", |clone| fs::remove_file(clone).unwrap()),
        ("a new skill", |clone| {
            fs::create_dir(clone.with_file_name("new")).unwrap();
            fs::write(clone.with_file_name("new/SKILL.md"), good("new")).unwrap();
        }),
        ("the settings", |clone| {
            fs::write(clone.ancestors().nth(4).unwrap().join("skilltree.toml"), "edition = \"2026\"\n").unwrap();
        }),
    ];
    for (name, change) in cases {
        let clone = with_one_of_two_skills();
        change(&clone.path().join(".agent/skills/csv/SKILL.md"));
        assert!(git(clone.path(), &["add", "--all", "--sparse"], &[]).status.success(), "{name}");
        let (committed, messages) = commit(clone.path(), &[]);
        assert!(!committed && messages.contains(": not fetched"), "{name}: {messages}");
    }
}

#[test]
fn object_that_is_lacking_on_one_side_fails_the_hook() {
    let repository = repository();
    repository.skill(".agent/skills", "csv").commit();
    repository.write(".agent/skills/csv/SKILL.md", format!("{}More.\n", good("csv"))).add();
    let id = repository.git(&["rev-parse", &format!("HEAD:{SKILL}")]);
    let object = |id: &str| repository.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
    fs::remove_file(object(&id)).unwrap();
    let run = hook(repository.path());
    assert!(run.status == 0 && run.stderr.contains("not checked: `.agent/skills/pdf/SKILL.md`;"), "{}", run.stderr);
    let id = repository.git(&["rev-parse", ":.agent/skills/csv/SKILL.md"]);
    fs::remove_file(object(&id)).unwrap();
    let run = hook(repository.path());
    assert_eq!(run.status, 2, "{}{}", run.stdout, run.stderr);
}

#[test]
fn stays_silent_in_worktrees_and_merges_and_reports_the_first_commit() {
    let repository = repository();
    install(repository.path());
    let linked = tempfile::tempdir().unwrap();
    let path = linked.path().join("linked");
    repository.git(&["worktree", "add", "--quiet", "-b", "topic", path.to_str().unwrap()]);
    fs::write(path.join("src/app.py"), "2\n").unwrap();
    assert_eq!(commit(&path, &["--all"]), (true, String::new()));
    repository.write("b", "c\n");
    assert_eq!(commit(repository.path(), &["--all"]), (true, String::new()));
    let merged = git(repository.path(), &["merge", "--quiet", "--no-edit", "topic"], &[]);
    let printed = [merged.stdout, merged.stderr].concat();
    assert_eq!((merged.status.success(), String::from_utf8_lossy(&printed).into_owned()), (true, String::new()));

    let first = Repository::new();
    install(first.path());
    first.write(SKILL, good("pdf").replacen("name: pdf", "name: other", 1)).add();
    let (committed, messages) = commit(first.path(), &[]);
    assert!(!committed && messages.contains("name-differs-from-directory"), "{messages}");
}

/// lint-staged appends the paths of staged files.
#[test]
fn paths_in_a_hook_block_only_new_findings() {
    let repository = repository();
    let check = |paths: &[&str]| common::skilltree(repository.path(), &[&["check"], paths].concat(), INDEX);
    repository.write(SKILL, format!("{}More.\n", good("pdf").replacen("name: pdf", "name: other", 1))).add();
    let run = check(&[SKILL]);
    assert_eq!(run.status, 0, "{}{}", run.stdout, run.stderr);
    assert_eq!(check(&["--all", SKILL]).status, 1);
    assert_eq!(check(&["--staged", SKILL]).status, 1, "an explicit source is checked as it is");
    let outside = common::skilltree(repository.path(), &["check", SKILL], &[]);
    assert_eq!(outside.status, 1, "no hook runs");
    repository.write(SKILL, format!("{}[x](gone.md)\n", good("pdf"))).add();
    let run = check(&["--fail-on", "warning", SKILL]);
    assert_eq!(run.status, 1, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.contains("gone.md") && !run.stdout.contains("error[name-differs"), "{}", run.stdout);
}
