//! Skills of a user, of a machine, and of directories named on the command line, read in addition to those of a repository.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::Path;

use crate::common::{Repository, Run, good, skilltree};
use bstr::ByteSlice;
use serde_json::Value;
use skilltree_git::{Environment, Revision, Volume};
use skilltree_lint::config::Config;
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::roots::Owner;
use skilltree_skills::source::Unread;
use tempfile::TempDir;

const HOME: &str = if cfg!(windows) { "USERPROFILE" } else { "HOME" };

/// A directory with these skills below a path of it.
fn directory(path: &str, names: &[&str]) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    for name in names {
        write(directory.path(), &format!("{path}/{name}/SKILL.md"), &good(name));
    }
    directory
}

fn write(directory: &Path, path: &str, text: &str) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn run(repository: &Repository, home: &Path, arguments: &[&str]) -> Run {
    skilltree(
        repository.path(),
        arguments,
        &[("HOME", home.to_str().unwrap()), ("USERPROFILE", home.to_str().unwrap())],
    )
}

fn json(run: &Run) -> Value {
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn orders_providers_repository_user_command_line() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "shared").skill(".agent/skills", "own");
    let home = directory(".agent/skills", &["shared", "mine", "both"]);
    let external = directory("team", &["shared", "both", "theirs"]);
    let team = external.path().join("team");
    let prompt = ["prompt", "--format=json", "--user", "--external", team.to_str().unwrap()];
    let prompt = run(&repository, home.path(), &prompt);
    let index = json(&prompt);
    let paths: Vec<&str> =
        index["skills"].as_array().unwrap().iter().map(|s| s["body_path"].as_str().unwrap_or("none")).collect();
    assert_eq!(
        paths,
        [
            ".agent/skills/own/SKILL.md",
            ".agent/skills/shared/SKILL.md",
            "~/.agent/skills/both/SKILL.md",
            "~/.agent/skills/mine/SKILL.md",
            "none",
        ]
    );
    let shadowed = index["shadowed"].as_array().unwrap().iter();
    let shadowed: Vec<[&str; 2]> =
        shadowed.map(|s| [s["body_path"].as_str().unwrap(), s["by"].as_str().unwrap()]).collect();
    assert_eq!(
        shadowed,
        [
            ["~/.agent/skills/shared/SKILL.md", ".agent/skills/shared/SKILL.md"],
            ["external:team/both/SKILL.md", "~/.agent/skills/both/SKILL.md"],
            ["external:team/shared/SKILL.md", ".agent/skills/shared/SKILL.md"],
        ]
    );
    let warning = "shadowed both (external:team/both/SKILL.md): ~/.agent/skills/both/SKILL.md has precedence\n";
    assert!(prompt.stderr.contains(warning), "{}", prompt.stderr);
    for place in [home.path(), external.path(), repository.path()] {
        let place = place.to_str().unwrap();
        assert!(!prompt.stdout.contains(place) && !prompt.stderr.contains(place), "a path of the machine is shown");
    }
}

/// A model gets a path that it can open, or none.
#[test]
fn blocks_show_only_paths_that_open() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "own").add();
    let home = directory(".agent/skills", &["mine"]);
    let external = directory("team", &["theirs"]);
    let team = external.path().join("team");
    let outside = ["--user", "--external", team.to_str().unwrap()];
    for (format, user) in [
        (&["--profile=agentskills"][..], "wanted.\n</description>\n</skill>\n"),
        (&["--profile=camel", "--mention=$theirs $mine"], "<skill>"),
        (&["--format=messages"], "<path>~/.agent/skills/mine/SKILL.md</path>"),
        (&[], "Read `~/.agent/skills/<name>/SKILL.md` in full"),
    ] {
        let run = run(&repository, home.path(), &[&["prompt"], format, &outside[..]].concat());
        assert_eq!(run.status, 0, "{format:?}: {}", run.stderr);
        assert!(run.stdout.contains("theirs") && run.stdout.contains(user), "{format:?}: {}", run.stdout);
        assert!(!run.stdout.contains("external:"), "{format:?}: {}", run.stdout);
    }
}

#[test]
fn reads_external_directories_only_on_request() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "own");
    let home = directory(".agent/skills", &["mine"]);
    let index = json(&run(&repository, home.path(), &["prompt", "--format=json"]));
    assert_eq!(index["skills"].as_array().unwrap().len(), 1);
}

#[test]
fn reports_invalid_home_for_user_skills() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "own");
    repository.write("file", "").write("tests/home/.agent/skills/mine/SKILL.md", good("mine"));
    let file = repository.path().join("file");
    let missing = repository.path().join("missing");
    let run = |home: &str, arguments: &[&str]| {
        let run = skilltree(repository.path(), arguments, &[("HOME", home), ("USERPROFILE", home)]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(!run.stdout.contains("mine") && !run.stdout.is_empty(), "{}", run.stdout);
        run.stderr
    };
    for (home, fact) in [
        ("", "is not set"),
        ("tests/home", "is not an absolute path"),
        (file.to_str().unwrap(), "is not a directory"),
        (missing.to_str().unwrap(), "is not a directory"),
    ] {
        let warning = format!("warning: user skills are not read: {HOME} {fact}\n");
        for command in [&["prompt"][..], &["list"], &["show", "own"]] {
            let said = run(home, &[command, &["--user"]].concat());
            assert_eq!(said.matches(&warning).count(), 1, "{command:?}: {said}");
            assert!(!run(home, command).contains("home"), "the home directory is not named without request");
        }
        assert!(run(home, &["list", "--user", "--quiet"]).contains(&warning));
        let majordomo = run(home, &["prompt", "--user", "--profile", "majordomo"]);
        assert!(!majordomo.contains("of the user"), "majordomo takes no skills of a user: {majordomo}");
    }
}

#[test]
fn output_is_independent_of_directory_and_home() {
    let build = || {
        let repository = Repository::new();
        repository.skill(".agent/skills", "own").commit();
        let home = directory(".agent/skills", &["mine"]);
        let team = directory("team", &["theirs"]);
        let team = team.path().join("team");
        let sources: [&[&str]; 3] = [&["--staged"], &["--worktree"], &["--rev=HEAD"]];
        sources.map(|source| {
            let external = ["prompt", "--format=json", "--user", "--external", team.to_str().unwrap()];
            run(&repository, home.path(), &[&external, source].concat()).stdout
        })
    };
    let (first, second) = (build(), build());
    assert_eq!(
        serde_json::from_str::<Value>(&first[0]).unwrap()["skills"].as_array().unwrap().len(),
        3,
        "{}",
        first[0]
    );
    for other in first.iter().chain(&second) {
        assert_eq!(*other, first[0]);
    }
}

#[test]
fn keeps_user_findings_out_of_tracker_comment() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "own");
    let home = directory(".agent/skills", &["mine"]);
    write(home.path(), ".agent/skills/broken/SKILL.md", "---\nname: broken\n---\nBody.\n");
    let out = tempfile::tempdir().unwrap();
    let prompt = run(&repository, home.path(), &["prompt", "--user", "--out", out.path().to_str().unwrap()]);
    assert_eq!(prompt.status, 0, "{}", prompt.stderr);
    assert!(
        prompt.stderr.contains("skipped ~/.agent/skills/broken/SKILL.md: missing-description"),
        "{}",
        prompt.stderr
    );
    assert!(!out.path().join("comment.md").exists());
    let index: Value = serde_json::from_slice(&fs::read(out.path().join("skills.json")).unwrap()).unwrap();
    assert_eq!(index["skipped"][0]["body_path"], "~/.agent/skills/broken/SKILL.md");
}

#[test]
fn list_and_show_read_external_directories() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "shared");
    let home = directory(".agent/skills", &["shared", "mine"]);
    write(home.path(), ".agent/skills/shared/SKILL.md", &good("shared").replace("Do it.", "The user's."));
    let one = directory("skills", &["theirs"]);
    let other = directory("skills", &["others"]);
    let place = |directory: &TempDir| directory.path().join("skills").to_str().unwrap().to_owned();
    let (one, other) = (place(&one), place(&other));
    let external = ["--user", "--external", &one, "--external", &other];
    let listing = json(&run(&repository, home.path(), &[&["list", "--format=json"], &external[..]].concat()));
    let paths: Vec<&str> =
        listing["skills"].as_array().unwrap().iter().map(|s| s["path"].as_str().unwrap_or("none")).collect();
    assert_eq!(paths, [".agent/skills/shared/SKILL.md", "~/.agent/skills/mine/SKILL.md", "none", "none",]);
    assert_eq!(listing["shadowed"][0]["by"], ".agent/skills/shared/SKILL.md");
    let show = |name: &str| run(&repository, home.path(), &[&["show", name], &external[..]].concat()).stdout;
    assert_eq!(show("shared"), "# shared\n\nDo it.\n");
    assert_eq!(show("others"), "# others\n\nDo it.\n");
}

#[test]
fn rejects_missing_external_directory() {
    let repository = Repository::new();
    repository.write("file", "");
    for (named, what) in [("missing", "does not exist"), ("file", "is not a directory")] {
        let run = repository.skilltree(&["list", "--external", named]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains(&format!("`--external {named}` {what}")), "{}", run.stderr);
    }
    repository.skill("~/.agent/skills", "own");
    let home = directory(".agent/skills", &["mine"]);
    let both = run(&repository, home.path(), &["list", "--user", "--root=*/.agent/skills"]);
    assert_eq!(both.status, 2, "{}", both.stdout);
    assert!(both.stderr.contains("`~/.agent/skills` has the path of a directory"), "{}", both.stderr);
}

#[test]
fn profiles_set_user_and_machine_directories() {
    let profiles = Profiles::default();
    let outside = |id: &str| profiles.find(id).unwrap().outside().collect::<Vec<_>>();
    assert_eq!(outside("camel"), [("~/.camel/skills", Owner::User), ("/etc/camel/skills", Owner::System)]);
    assert_eq!(outside("amacs"), [("~/.agent/skills", Owner::User)]);
    assert_eq!(outside("codex"), []);
}

/// The volume of a machine: only root may write the real one.
fn system(place: &Path) -> Volume {
    Volume {
        shown: "system:/etc/camel/skills".to_owned(),
        place: place.to_owned(),
        owner: Owner::System,
        profile: "camel".to_owned(),
        depth: None,
        ..Volume::default()
    }
}

#[test]
fn follows_no_link_across_external_directory() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "own").skill("elsewhere", "secret").commit();
    let home = directory("skills", &["mine"]);
    write(home.path(), "private/hidden/SKILL.md", &good("hidden"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../private/hidden", home.path().join("skills/hidden")).unwrap();
        std::os::unix::fs::symlink("../../system:/etc/camel/skills/mine", repository.path().join(".agent/skills/in"))
            .unwrap();
    }
    let config = Config::default();
    let opened = skilltree_git::open(repository.path(), &Revision::WorkTree, &Environment::default()).unwrap();
    let (source, unread) = skilltree_git::mount(opened, &[system(&home.path().join("skills"))], &config.roots);
    assert_eq!(unread, Vec::<Unread>::new());
    let parsed = source.read(&config.roots, config.limits.bounds()).unwrap();
    let path = |skill: &skilltree_skills::skill::Skill| parsed.file(skill.file).path.to_str_lossy().into_owned();
    let read: Vec<String> = parsed.skills.iter().filter(|skill| skill.name().is_some()).map(path).collect();
    assert_eq!(read, [".agent/skills/own/SKILL.md", "system:/etc/camel/skills/mine/SKILL.md"]);
    let trees = source.trees(&parsed).unwrap();
    assert!(trees.last().unwrap().is_some(), "an external directory has the tree that git would create");
}

#[cfg(unix)]
#[test]
fn skips_and_reports_unreadable_external_files() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "own").commit();
    let machine = directory("skills", &["fine", "gone"]);
    // A pipe is never opened. A name that has vanished is like one that may not be read.
    let place = machine.path().join("skills");
    let config = Config::default();
    let opened = skilltree_git::open(repository.path(), &Revision::WorkTree, &Environment::default()).unwrap();
    let (source, _) = skilltree_git::mount(opened, &[system(&place)], &config.roots);
    let parsed = source.read(&config.roots, config.limits.bounds()).unwrap();
    let gone = parsed.skills.iter().find(|skill| skill.name() == Some("gone")).unwrap();
    fs::remove_file(place.join("gone/SKILL.md")).unwrap();
    let error = source.bodies(&[parsed.file(gone.file).clone()]).unwrap_err().to_string();
    assert_eq!(error, "`system:/etc/camel/skills/gone/SKILL.md` cannot be read: it does not exist");
}
