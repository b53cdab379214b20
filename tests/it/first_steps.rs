//! `init`, `new` and `hook`: the first commands of a user, and the files that they must keep.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::common::{self, Repository, git, good, skilltree, skilltree_with_input};
use ::skilltree::{Finding, Options, Overrides, Severity};

const BROKEN: &str = "---\nname: pdf\ndescription: Build for AWS: ECS\n---\n\nDo it.\n";

fn read(repository: &Repository, path: &str) -> String {
    fs::read_to_string(repository.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn new_skill_has_only_placeholders() {
    for root in [None, Some(".symphony/skills"), Some(".agent/skills"), Some("packages/a/.agent/skills/")] {
        let repository = Repository::new();
        let root_arguments = root.map_or(Vec::new(), |root| vec!["--root", root]);
        let run = repository.skilltree(&[&["new", "pdf-forms"], root_arguments.as_slice()].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        let root = root.unwrap_or(".agents/skills").trim_end_matches('/');
        assert!(run.stderr.contains(&format!("wrote {root}/pdf-forms/SKILL.md")), "{}", run.stderr);
        assert!(run.stderr.ends_with("`skilltree check` warns until you replace each TODO\n"), "{}", run.stderr);
        let check = ["check", "--root", root, "--fail-on", "note", "--format", "concise"];
        let run = repository.add().skilltree(&check);
        assert_eq!((run.status, run.stdout.lines().count()), (1, 1), "{}", run.stdout);
        assert!(run.stdout.contains(" warning[placeholder-text] "), "{}", run.stdout);
        let run = repository.skilltree(&[&check[..], &["--rule", "placeholder-text=off"]].concat());
        assert_eq!((run.status, run.stdout.as_str()), (0, ""), "{}", run.stderr);
        assert!(run.stderr.starts_with("no findings in 1 skill (working tree)"), "{}", run.stderr);
    }
}

#[test]
fn new_skill_loads_in_its_runtimes() {
    let profiles = Repository::new().skilltree(&["profiles"]).stdout;
    let mut ids: Vec<&str> = profiles.lines().filter_map(|line| line.split_whitespace().next()).collect();
    ids.retain(|id| skilltree_runtimes::profile::Profiles::default().contains(id));
    assert!(ids.len() >= 18, "{profiles}");
    for id in ids {
        let repository = Repository::new();
        let root = format!("skills={id}");
        for name in ["pdf-forms", "123", "yes", "a1"] {
            let run = repository.skilltree(&["new", name, "--root", &root]);
            assert_eq!(run.status, 0, "{id}: {}", run.stderr);
            // AMACS shows the quotes of the placeholder.
            let warning = run.stderr.lines().find(|line| line.contains("warning"));
            assert!(warning.is_none_or(|line| line.ends_with("target-changes-skill")), "{id} {name}: {}", run.stderr);
            assert!(run.stderr.contains(&format!("run `git add skills/{name}/SKILL.md`")), "{}", run.stderr);
        }
        let overrides = Overrides { roots: vec![root], ..Overrides::default() };
        let options = Options { overrides, targets: vec![id.to_owned()], ..Options::default() };
        let report = ::skilltree::check(repository.path(), &options).unwrap();
        assert_eq!(report.skills, 4, "{id}");
        let is_lost = |finding: &Finding| finding.severity == Severity::Error || finding.rule.contains("target-drops");
        assert!(!report.findings.iter().any(is_lost), "{id}: {:?}", report.findings);
    }
    // The profile of a root that is there decides, and that of the first root where none is.
    for (root, has_when) in [(".symphony/skills", true), (".agent/skills", false)] {
        let repository = Repository::new();
        assert_eq!(repository.skilltree(&["new", "one", "--root", root]).status, 0);
        assert_eq!(repository.skilltree(&["new", "two"]).status, 0);
        assert_eq!(read(&repository, &format!("{root}/two/SKILL.md")).contains("when_to_use:"), has_when);
    }
    let repository = Repository::new();
    repository.write("skilltree.toml", "[rules]\ndescription-too-long = \"error\"\n[limits]\ndescription-chars = 10\n");
    let run = repository.skilltree(&["new", "one"]);
    assert!(run.stderr.contains("reports 1 finding for it: description-too-long"), "{}", run.stderr);
}

#[test]
fn new_skill_is_placed_next_to_existing_skills() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "one");
    assert_eq!(repository.skilltree(&["new", "two"]).status, 0);
    assert!(repository.path().join(".symphony/skills/two/SKILL.md").is_file());
    let below = repository.path().join(".symphony");
    assert_eq!(skilltree(&below, &["new", "three"], &[]).status, 0);
    assert!(repository.path().join(".symphony/skills/three/SKILL.md").is_file());
}

#[test]
fn new_rejects_invalid_name() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "pdf").skill(".agent/skills", "other");
    repository.write(".symphony/skills/there/notes.md", "words\n");
    fs::create_dir(repository.path().join("elsewhere")).unwrap();
    symlink("elsewhere", repository.path().join("linked")).unwrap();
    let long = "a".repeat(65);
    let cases: &[(&[&str], &str)] = &[
        (&["PDF Forms"], "use `pdf-forms`"),
        (&["../up"], "use `up`"),
        (&["résumé"], "use `resume`"),
        (&["con"], "`con` is a reserved device name on Windows"),
        (&["lpt1"], "`lpt1` is a reserved device name on Windows"),
        (&["文"], "use lowercase letters `a` to `z`"),
        (&[&long], "the name has 65 characters; the limit is 64"),
        (&["there"], "`.symphony/skills/there` already exists"),
        (&["pdf"], "`.symphony/skills/pdf` already exists"),
        (&["other"], "`.agent/skills/other/SKILL.md` already has the name `other`"),
        (&["new", "--root", "../outside"], "is not a skills directory"),
        (&["new", "--root", "packages/*/skills"], "is not a skills directory"),
        (&["new", "--root", "linked"], "is not a skills directory"),
    ];
    let before = repository.git(&["status", "--porcelain", "--untracked-files=all"]);
    for (arguments, words) in cases {
        let run = repository.skilltree(&[&["new"], *arguments].concat());
        assert_eq!(run.status, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    }
    assert_eq!(repository.git(&["status", "--porcelain", "--untracked-files=all"]), before, "nothing is written");
}

#[test]
fn new_does_not_write_into_a_pattern() {
    let repository = Repository::new();
    repository
        .write("skilltree.toml", "[[root]]\npath = \"packages/*/skills\"\n")
        .write("packages/a/page.md", "words\n");
    let run = repository.skilltree(&["new", "pdf"]);
    assert_eq!((run.status, run.stderr.contains("--root PATH")), (2, true), "{}", run.stderr);
    assert!(run.stderr.contains("no directory matches the root `packages/*/skills`"), "{}", run.stderr);
    repository.skill("packages/a/skills", "other");
    assert_eq!(repository.skilltree(&["new", "pdf"]).status, 0);
    assert!(repository.path().join("packages/a/skills/pdf/SKILL.md").is_file());
}

#[test]
fn new_and_init_work_outside_repository() {
    let anywhere = tempfile::tempdir().unwrap();
    for arguments in [&["init"][..], &["new", "pdf"], &["check", "."]] {
        let run = skilltree(anywhere.path(), arguments, &[]);
        assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
    }
    assert!(anywhere.path().join(".agents/skills/pdf/SKILL.md").is_file());
}

#[test]
fn init_writes_edition_and_reports_findings() {
    let repository = Repository::new();
    let run = repository.skilltree(&["init"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("no skills yet: run `skilltree new NAME`"), "{}", run.stdout);
    let settings = read(&repository, "skilltree.toml");
    assert!(settings.contains("\nedition = \"2026\"\n") && settings.starts_with("#:schema https://"), "{settings}");

    repository.skill(".agent/skills", "good").write(".agent/skills/pdf/SKILL.md", BROKEN);
    repository.write(".agent/skills/nameless/SKILL.md", "---\ndescription: Use it when wanted.\n---\nDo it.\n");
    repository.write("skilltree.toml", "# mine\n").add();
    let run = repository.skilltree(&["init"]);
    assert_eq!(read(&repository, "skilltree.toml"), "# mine\n");
    assert!(run.stderr.contains("skilltree.toml already exists"), "{}", run.stderr);
    for words in [
        "3 skills in the working tree",
        "1  invalid-yaml  error",
        "1  missing-name  error",
        "--base main",
        "\n  default_install_hook_types: [pre-commit, pre-merge-commit]\n",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    // The proposed lines work: with them, nothing fails.
    let rules: String = run.stdout.split("  [rules]\n").nth(1).unwrap().split("\n\n").next().unwrap().to_owned();
    repository.write("skilltree.toml", format!("[rules]\n{rules}\n"));
    assert_eq!(repository.skilltree(&["check"]).status, 0, "{rules}");
}

#[test]
fn init_writes_requested_files_into_empty_directory() {
    let repository = Repository::new();
    let run = repository.skilltree(&["init", "--hook", "--workflow"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let workflow = read(&repository, ".github/workflows/skills.yml");
    let parsed: serde_yaml::Value = serde_yaml::from_str(&workflow).unwrap();
    assert_eq!(parsed["permissions"]["contents"], "read");
    // Until the first release there is no tag to name.
    let revision = workflow.split("skilltree-dev/skilltree@").nth(1).unwrap().trim();
    let released = format!("v{}", env!("CARGO_PKG_VERSION"));
    let is_explained = run.stderr.contains("replace COMMIT in .github/workflows/skills.yml with a commit of");
    assert_eq!(is_explained, revision == "COMMIT", "{}", run.stderr);
    let expected = if is_explained { "COMMIT" } else { option_env!("SKILLTREE_COMMIT").unwrap_or(&released) };
    assert_eq!(revision, expected);
    assert!(repository.path().join(".git/hooks/pre-commit").is_file());
    repository.write(".github/workflows/skills.yml", "mine\n");
    let run = repository.skilltree(&["init", "--workflow"]);
    assert_eq!(run.status, 2);
    assert_eq!(read(&repository, ".github/workflows/skills.yml"), "mine\n");
}

/// Tries to commit everything.
fn commit(repository: &Repository) -> bool {
    repository.git(&["add", "--all"]);
    git(repository.path(), &["commit", "--quiet", "--message", "Try"], &[]).status.success()
}

#[test]
fn installed_hook_checks_commits_until_uninstalled() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one");
    // The path of the program contains a quote and a space, so the hook must quote it.
    let odd = tempfile::tempdir().unwrap();
    let program = odd.path().join("it's here/skilltree");
    fs::create_dir(program.parent().unwrap()).unwrap();
    common::copy_program(&program);
    let run = |words: &[&str]| {
        let run = std::process::Command::new(&program).args(words).current_dir(repository.path()).output().unwrap();
        assert!(run.status.success(), "{words:?}: {}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stderr).unwrap()
    };
    assert!(run(&["hook", "install"]).contains("pre-merge-commit"));
    assert!(run(&["hook", "install"]).contains("is already installed"));
    let hook = repository.path().join(".git/hooks/pre-commit");
    assert_eq!(fs::metadata(&hook).unwrap().permissions().mode() & 0o111, 0o111);
    assert!(commit(&repository));
    repository.write(".agent/skills/pdf/SKILL.md", BROKEN);
    assert!(!commit(&repository));
    run(&["hook", "uninstall"]);
    assert!(!hook.exists());
    assert!(commit(&repository));
}

#[test]
fn keeps_foreign_hook() {
    let repository = Repository::new();
    let hook = repository.path().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\nexit 0\n").unwrap();
    let run = repository.skilltree(&["hook", "install"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`skilltree hook run pre-commit || exit $?`"), "{}", run.stderr);
    assert_eq!(repository.skilltree(&["hook", "uninstall"]).status, 0);
    assert_eq!(repository.skilltree(&["hook", "remove"]).status, 0, "the same in other words");
    assert_eq!(fs::read_to_string(&hook).unwrap(), "#!/bin/sh\nexit 0\n");
    assert_eq!(repository.skilltree(&["hook", "install", "pre-push"]).status, 0);
    // A dangling link belongs to the user, too. Nothing is written to its target.
    fs::remove_file(&hook).unwrap();
    symlink("../elsewhere", &hook).unwrap();
    assert_eq!(repository.skilltree(&["hook", "install"]).status, 2);
    assert!(!repository.path().join(".git/elsewhere").exists());
}

#[test]
fn installed_hook_keeps_options_and_is_updated() {
    let repository = Repository::new();
    repository.write(".agent/skills/pdf/SKILL.md", good("other"));
    repository.write("it's here/skilltree.toml", "[rules]\nname-differs-from-directory = \"off\"\n");
    let install = |words: &[&str]| {
        let run = repository.skilltree(&[&["hook", "install"], words].concat());
        assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
        run.stderr
    };
    let hook = ".git/hooks/pre-commit";
    let options = ["pre-commit", "--", "--config", "it's here/skilltree.toml", "--fail-on=warning", "-q"];
    assert!(install(&options).contains("wrote "));
    let first = read(&repository, hook);
    assert!(
        first.ends_with("\"$@\" -- '--config' 'it'\\''s here/skilltree.toml' '--fail-on=warning' '-q'\n"),
        "{first}"
    );
    repository.git(&["add", "--all"]);
    let committed = git(repository.path(), &["commit", "--quiet", "--message", "Try"], &[]);
    assert!(committed.status.success() && committed.stderr.is_empty(), "{committed:?}");
    assert!(install(&["pre-commit"]).contains("is already installed"));
    assert_eq!(read(&repository, hook), first, "an update without options keeps them");
    // A hook of another program path is written by skilltree, too.
    let moved = first.replace("program='", "program='/moved");
    repository.write(hook, &moved);
    assert!(install(&["pre-commit"]).contains("updated "));
    assert_eq!(read(&repository, hook), first);
    assert!(install(&["pre-commit", "--", "--all"]).contains("updated "));
    assert!(read(&repository, hook).ends_with(" -- '--all'\n"));
    assert_eq!(fs::metadata(repository.path().join(hook)).unwrap().permissions().mode() & 0o111, 0o111);
    // The hook of 0.1.0 is updated, and a hook that a person edited is not.
    let old = "#!/bin/sh\n# Written by `skilltree hook install`, and removed by `skilltree hook uninstall`.\nprogram='/x'\n[ -x \"$program\" ] || program=skilltree\nexec \"$program\" hook run pre-commit\n";
    repository.write(hook, old);
    assert!(install(&["pre-commit"]).contains("updated "));
    let edited = old.replace("exec", "make lint || exit 1\nexec");
    repository.write(hook, &edited);
    assert!(install(&["pre-commit"]).contains("it was edited, so it is not updated"));
    let run = repository.skilltree(&["hook", "install", "pre-commit", "--", "--all"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("was edited, so its options cannot be changed"), "{}", run.stderr);
    assert_eq!(read(&repository, hook), edited);
}

#[test]
fn hook_keeps_lines_that_somebody_added() {
    for name in ["pre-commit", "pre-merge-commit", "pre-push", "pre-receive"] {
        let repository = Repository::new();
        let hook = format!(".git/hooks/{name}");
        for options in [&[][..], &["--", "--fail-on=warning"]] {
            assert_eq!(repository.skilltree(&[&["hook", "install", name], options].concat()).status, 0);
            let written = read(&repository, &hook);
            let edits = [
                format!("{written}my-own-check || exit 1\n"),
                format!("{written}# A comment.\n"),
                written.replace("exec ", "my-own-check || exit 1\nexec "),
                written.replace('\n', "\r\n"),
            ];
            for edited in edits {
                repository.write(&hook, &edited);
                assert_eq!(repository.skilltree(&["hook", "install", name, "--", "--all"]).status, 2, "{edited}");
                assert_eq!(repository.skilltree(&["hook", "install", name]).status, 0);
                let run = repository.skilltree(&["hook", "uninstall"]);
                assert!(run.stderr.contains("was edited and was not removed"), "{}", run.stderr);
                assert_eq!(read(&repository, &hook), edited);
            }
            repository.write(&hook, &written);
            assert_eq!(repository.skilltree(&["hook", "uninstall", name]).status, 0);
            assert!(!repository.path().join(&hook).exists());
        }
    }
}

#[test]
fn hook_install_rejects_options_that_hook_cannot_have() {
    let repository = Repository::new();
    for (options, words) in [
        (&["--nonsense"][..], "unexpected argument '--nonsense'"),
        (&["--rev", "HEAD"], "the hook chooses the source that it checks"),
        (&["--worktree"], "the hook chooses the source that it checks"),
        (&["--range", "a..b"], "the hook chooses the source that it checks"),
        (&["-C", "x"], "`-C` is not an option of a hook"),
        (&["--help"], "`--help` is not an option of a hook"),
    ] {
        for action in [&["install"][..], &["run", "pre-commit"]] {
            let run = repository.skilltree(&[&["hook"], action, &["--"], options].concat());
            assert_eq!(run.status, 2, "{options:?}: {}", run.stdout);
            assert!(run.stderr.contains(words), "{options:?}: {}", run.stderr);
        }
    }
    assert!(!repository.path().join(".git/hooks/pre-commit").exists());
}

#[test]
fn hook_without_program_says_what_to_do() {
    let repository = Repository::new();
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("skilltree");
    common::copy_program(&program);
    let installed =
        std::process::Command::new(&program).args(["hook", "install"]).current_dir(repository.path()).output();
    assert!(installed.unwrap().status.success());
    fs::remove_file(&program).unwrap();
    repository.write("README.md", "# A project\n").add();
    let path = ("PATH", "/usr/bin:/bin:/usr/local/bin");
    let refused = git(repository.path(), &["commit", "--quiet", "--message", "Try"], &[path]);
    let messages = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success(), "nothing was checked");
    let lines: Vec<&str> = messages.lines().collect();
    let fact = format!("error: skilltree is neither at {} nor on PATH, so nothing was checked", program.display());
    assert_eq!(lines[0], fact, "{messages}");
    assert!(lines[1].contains("run `skilltree hook install`, or delete .git/hooks/pre-commit"), "{messages}");
    assert_eq!(lines.len(), 2, "{messages}");
}

#[test]
fn hook_install_opens_no_pipe() {
    let repository = Repository::new();
    let hooks = repository.path().join(".git/hooks");
    fs::create_dir_all(&hooks).unwrap();
    let made = std::process::Command::new("mkfifo").arg(hooks.join("pre-commit")).status().unwrap();
    assert!(made.success());
    let run = repository.skilltree(&["--max-time", "20s", "hook", "install"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("exists and was not installed by skilltree"), "{}", run.stderr);
    let run = repository.skilltree(&["--max-time", "20s", "hook", "uninstall"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("was not installed by skilltree and was not removed"), "{}", run.stderr);
}

#[test]
fn hook_install_outside_repository_says_where_to_run_it() {
    let anywhere = tempfile::tempdir().unwrap();
    let run = skilltree(anywhere.path(), &["hook", "install"], &[]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("help: run it inside a repository, or run `git init` first"), "{}", run.stderr);
    assert!(!run.stderr.contains("skilltree check"), "{}", run.stderr);
}

#[test]
fn reports_custom_hooks_path_without_writing() {
    let repository = Repository::new();
    repository.git(&["config", "core.hooksPath", ".husky"]);
    fs::create_dir(repository.path().join(".husky")).unwrap();
    let run = repository.skilltree(&["hook", "install"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("`core.hooksPath`") && run.stderr.contains(".husky"), "{}", run.stderr);
    assert!(run.stderr.contains("`skilltree hook run pre-commit`"), "{}", run.stderr);
    assert_eq!(fs::read_dir(repository.path().join(".husky")).unwrap().count(), 0);
    repository.git(&["config", "core.hooksPath", "~/hooks"]);
    let home = tempfile::tempdir().unwrap();
    let run = skilltree(repository.path(), &["hook", "install"], &[("HOME", home.path().to_str().unwrap())]);
    assert!(run.status == 2 && run.stderr.contains(home.path().join("hooks").to_str().unwrap()), "{}", run.stderr);
    // Git 2.47.3 looks for `/pre-commit`.
    repository.git(&["config", "core.hooksPath", ""]);
    let run = repository.skilltree(&["hook", "install"]);
    assert!(run.status == 2 && run.stderr.contains("run the hooks in `/` instead"), "{}", run.stderr);
    repository.git(&["config", "core.hooksPath", ".git/hooks"]);
    assert_eq!(repository.skilltree(&["hook", "install"]).status, 0);
}

#[test]
fn refuses_hook_link_outside_git_directory() {
    let repository = Repository::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let hooks = repository.path().join(".git/hooks");
    // A template of git may have made it.
    let _ = fs::remove_dir_all(&hooks);
    for (target, words) in
        [(elsewhere.path(), "not inside the Git directory"), ("nowhere".as_ref(), "link to a missing target")]
    {
        symlink(target, &hooks).unwrap();
        let run = repository.skilltree(&["hook", "install"]);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains(words), "{}", run.stderr);
        fs::remove_file(&hooks).unwrap();
    }
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    fs::create_dir(repository.path().join(".git/own")).unwrap();
    symlink("own", &hooks).unwrap();
    let run = repository.skilltree(&["hook", "install", "pre-commit"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains(".git/own/pre-commit"), "{}", run.stderr);
    assert!(repository.path().join(".git/own/pre-commit").is_file());
}

#[test]
fn linked_working_trees_share_hooks() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").commit();
    let linked = tempfile::tempdir().unwrap();
    let path = linked.path().join("linked");
    repository.git(&["worktree", "add", "--quiet", path.to_str().unwrap()]);
    assert_eq!(skilltree(&path, &["hook", "install"], &[]).status, 0);
    assert!(repository.path().join(".git/hooks/pre-commit").is_file());
}

#[test]
fn server_rejects_push_with_errors() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").commit();
    let server = tempfile::tempdir().unwrap();
    let bare = server.path().join("server.git");
    repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let run = skilltree(&bare, &["hook", "install"], &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(bare.join("hooks/pre-receive").is_file(), "{}", run.stderr);
    let push = |refs: &[&str]| {
        let words = [&["push", "--quiet", bare.to_str().unwrap()], refs].concat();
        git(repository.path(), &words, &[])
    };
    repository.skill(".agent/skills", "two").commit();
    assert!(push(&["main", "main:refs/heads/topic"]).status.success());
    repository.write(".agent/skills/pdf/SKILL.md", BROKEN).commit();
    let refused = push(&["main"]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("invalid-yaml"), "{:?}", refused.stderr);
    // Deleting a branch brings nothing in.
    assert!(push(&[":topic"]).status.success());
}

#[test]
fn pre_push_hook_checks_push() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "one").commit();
    let server = tempfile::tempdir().unwrap();
    repository.git(&["init", "--quiet", "--bare", server.path().to_str().unwrap()]);
    assert_eq!(repository.skilltree(&["hook", "install", "pre-push"]).status, 0);
    let push = || git(repository.path(), &["push", "--quiet", server.path().to_str().unwrap(), "main"], &[]);
    assert!(push().status.success());
    repository.write(".agent/skills/pdf/SKILL.md", BROKEN).commit();
    // The working tree is not pushed.
    repository.write(".agent/skills/pdf/SKILL.md", good("pdf"));
    assert!(!push().status.success());
}

#[test]
fn hook_accepts_check_options_and_rejects_others() {
    let repository = Repository::new();
    repository.write(".agent/skills/pdf/SKILL.md", BROKEN).git(&["add", "--all"]);
    let hook = |words: &[&str]| repository.skilltree(&[&["hook", "run", "pre-commit"], words].concat());
    assert_eq!(hook(&[]).status, 1);
    assert_eq!(hook(&["--", "--fail-on", "never"]).status, 0);
    assert_eq!(hook(&["--", "--nonsense"]).status, 2);
    let receive = |input: &[u8]| skilltree_with_input(repository.path(), &["hook", "run", "pre-receive"], &[], input);
    let zeros = "0".repeat(40);
    let long = format!("{zeros} {zeros} refs/heads/{}\n", "x".repeat(5_000));
    let endless = vec![b'0'; 1 << 20];
    for input in [&b"nonsense\n"[..], b"0 --help refs/heads/main\n", b"\xff \xff \xff\n", long.as_bytes(), &endless] {
        let run = receive(input);
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains("standard input is not what Git passes to pre-receive"), "{}", run.stderr);
    }
    assert_eq!(receive(b"").status, 0);
}

#[test]
fn hook_install_takes_the_line_that_it_advises() {
    let repository = Repository::new();
    let hook = repository.path().join(".git/hooks/pre-commit");
    fs::write(&hook, "#!/bin/sh\necho mine\n# skilltree hook run pre-commit\n").unwrap();
    assert_eq!(repository.skilltree(&["hook", "install"]).status, 2);
    fs::write(&hook, "#!/bin/sh\necho mine\nskilltree hook run pre-commit || exit $?\n").unwrap();
    let run = repository.skilltree(&["hook", "install"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("already runs `skilltree hook run pre-commit`"), "{}", run.stderr);
    assert!(repository.path().join(".git/hooks/pre-merge-commit").is_file());
    assert!(fs::read_to_string(&hook).unwrap().contains("echo mine"));
}

#[test]
fn new_writes_where_the_targets_look() {
    for (targets, existing, expected) in [
        ("\"claude-code\"", None, ".claude/skills/csv-tables"),
        ("\"codex\"", Some(".claude/skills"), ".agents/skills/csv-tables"),
        ("\"copilot-cli\", \"claude-code\"", Some(".agents/skills"), ".agents/skills/csv-tables"),
    ] {
        let repository = Repository::new();
        repository.write("skilltree.toml", format!("edition = \"2026\"\ntargets = [{targets}]\n"));
        if let Some(root) = existing {
            repository.skill(root, "other");
        }
        let run = repository.skilltree(&["new", "csv-tables"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(repository.path().join(expected).is_dir(), "{targets}: {}", run.stderr);
    }
}

#[test]
fn misspelled_directory_is_an_error_next_to_a_right_one() {
    for directory in [".claude/skill", ".agents/skils", ".claud/skills", ".codex/skill", ".agents/skill"] {
        let repository = Repository::new();
        repository.skill(".claude/skills", "other").skill(directory, "lost").add();
        let run = repository.skilltree(&["check"]);
        assert_eq!(run.status, 1, "{directory}: {}", run.stdout);
        assert!(
            run.stdout.contains("help: rename") || run.stdout.contains("help: move"),
            "{directory}: {}",
            run.stdout
        );
        assert_eq!(repository.skilltree(&["check", directory]).status, 1, "{directory}");
    }
}

#[test]
fn target_that_loads_nothing_is_an_error() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "targets = [\"codex\"]\n").skill(".claude/skills", "one").add();
    let run = repository.skilltree(&["check"]);
    assert_eq!(run.status, 1, "{}", run.stdout);
    assert!(run.stdout.contains("Codex does not read `.claude/skills`, and loads no skill"), "{}", run.stdout);
    repository.skill(".agents/skills", "two").add();
    assert_eq!(repository.skilltree(&["check"]).status, 0);
}
