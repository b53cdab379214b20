//! `--user`: the skills of the user and the plugins that the user has installed.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{self, Repository, Run, good, skilltree};

fn write(home: &Path, path: &str, text: &str) {
    let path = home.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A home as Claude Code 2.1 and Codex 0.16 leave it: skills, a plugin of each that is enabled, and one that is disabled.
fn home() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let top = home.path().canonicalize().unwrap();
    write(&top, ".claude/skills/mine/SKILL.md", &good("mine"));
    write(&top, ".agents/skills/shared/SKILL.md", &good("shared"));
    symlink("../../.agents/skills/shared", top.join(".claude/skills/shared")).unwrap();
    let cache = ".claude/plugins/cache/mk";
    for name in ["mailer", "unused"] {
        write(&top, &format!("{cache}/{name}/1.2.0/.claude-plugin/plugin.json"), &json!({ "name": name }).to_string());
        write(&top, &format!("{cache}/{name}/1.2.0/skills/post/SKILL.md"), &good("post"));
    }
    let place = |name: &str| json!([{ "scope": "user", "installPath": top.join(cache).join(name).join("1.2.0") }]);
    let installed = json!({ "version": 2, "plugins": { "mailer@mk": place("mailer"), "unused@mk": place("unused") } });
    write(&top, ".claude/plugins/installed_plugins.json", &installed.to_string());
    let enabled = json!({ "enabledPlugins": { "mailer@mk": true, "unused@mk": false } });
    write(&top, ".claude/settings.json", &enabled.to_string());
    let codex = ".codex/plugins/cache/mk/pager/0.1.0";
    write(&top, &format!("{codex}/.codex-plugin/plugin.json"), "{\"name\": \"pager\"}");
    write(&top, &format!("{codex}/skills/page/SKILL.md"), &good("page"));
    write(&top, ".codex/config.toml", "[plugins.\"pager@mk\"]\nenabled = true\n");
    home
}

fn run(repository: &Repository, home: &Path, arguments: &[&str]) -> Run {
    skilltree(repository.path(), arguments, &[("HOME", home.to_str().unwrap())])
}

fn parsed(run: &Run) -> Value {
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Returns the names that a runtime shows the model.
fn names(forecast: &Value, runtime: &str) -> BTreeSet<String> {
    let skills = forecast["skills"].as_array().unwrap().iter();
    let forecasts = skills.flat_map(|skill| skill["forecasts"].as_array().unwrap());
    let loaded = forecasts.filter(|found| found["target"] == runtime && found["outcome"] != "not-read");
    loaded.filter_map(|found| found["name"].as_str()).map(str::to_owned).collect()
}

#[test]
fn forecasts_what_the_user_has_installed() {
    let (home, repository) = (home(), Repository::new());
    repository.skill(".claude/skills", "own").add();
    let read = |flags: &[&str]| {
        parsed(&run(&repository, home.path(), &[&["forecast", "--all", "--format=json"], flags].concat()))
    };
    let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    assert_eq!(names(&read(&[]), "claude-code"), set(&["own"]), "nothing of the home without the flag");
    let forecast = read(&["--user"]);
    assert_eq!(names(&forecast, "claude-code"), set(&["mailer:post", "mine", "own", "shared"]));
    assert_eq!(names(&forecast, "codex"), set(&["pager:page", "shared"]));
    assert_eq!(names(&forecast, "gemini-cli"), set(&["shared"]));
    let lists = forecast["lists"].as_array().unwrap().iter().filter(|list| list["target"] == "claude-code");
    let session: Vec<&Value> = lists.filter(|list| list["package"].is_null()).collect();
    assert_eq!(session.len(), 1, "one list for a session");
    assert_eq!(session[0]["listed"], 4, "{}", session[0]);
}

#[test]
fn checks_lists_and_measures_skills_of_the_user() {
    let (home, repository) = (home(), Repository::new());
    repository.skill(".claude/skills", "own").add();
    write(home.path(), ".claude/skills/broken/SKILL.md", "---\nname: [x\n---\n");
    let broken = "~/.claude/skills/broken/SKILL.md";
    assert!(!run(&repository, home.path(), &["check", "--format=concise"]).stdout.contains("broken"));
    let check = run(&repository, home.path(), &["check", "--user", "--format=concise"]);
    assert!(check.stdout.contains(broken), "{}{}", check.stdout, check.stderr);
    assert!(!check.stdout.contains(home.path().to_str().unwrap()), "{}", check.stdout);
    let list = run(&repository, home.path(), &["list", "--user"]);
    assert!(list.stdout.contains("mine") && list.stdout.contains("own"), "{}", list.stdout);
    let cost = run(&repository, home.path(), &["cost", "--user", "--format=json"]);
    assert!(cost.stdout.contains("~/.claude/skills/mine"), "{}{}", cost.stdout, cost.stderr);
}

/// In the home directory, and above or below it, a directory of the user is one directory.
#[test]
fn reads_directories_of_the_user_once() {
    let place = tempfile::tempdir().unwrap();
    let home = place.path().join("home");
    write(&home, ".claude/skills/a/SKILL.md", &good("a"));
    write(&home, ".claude/skills/b/SKILL.md", &good("b").replace("description: ", "description: x: "));
    let ran = |directory: &Path, words: &[&str]| {
        let run = skilltree(directory, words, &[("HOME", home.to_str().unwrap()), ("XDG_CONFIG_HOME", "/nowhere")]);
        assert_ne!(run.status, 2, "{words:?} in {}: {}", directory.display(), run.stderr);
        run
    };
    let check = |directory: &Path| {
        let check = ran(directory, &["check", "--user"]);
        assert!(check.stderr.contains("1 error") && check.stderr.contains("in 2 skills"), "{}", check.stderr);
        let forecast = parsed(&ran(directory, &["forecast", "--user", "--all", "--format=json"]));
        assert_eq!(forecast["skills"].as_array().unwrap().len(), 2, "{forecast:#}");
        assert_eq!(names(&forecast, "cursor"), BTreeSet::from(["a".to_owned()]), "{forecast:#}");
        let list = ran(directory, &["list", "--user"]);
        assert_eq!(list.stdout.lines().count(), 1, "{}", list.stdout);
    };
    check(place.path());
    check(&home);
    check(&home.join(".claude/skills"));
    common::init(&home, &[]);
    check(&home);
}

/// The home is data: neither a link nor a setting leads out of it.
#[test]
fn reads_nothing_outside_the_home() {
    let (home, elsewhere, repository) = (home(), tempfile::tempdir().unwrap(), Repository::new());
    write(elsewhere.path(), "secret/SKILL.md", &good("secret"));
    write(elsewhere.path(), "plugin/skills/hidden/SKILL.md", &good("hidden"));
    symlink(elsewhere.path().join("secret"), home.path().join(".claude/skills/secret")).unwrap();
    symlink(elsewhere.path(), home.path().join(".agents/skills/more")).unwrap();
    fs::create_dir(home.path().join(".gemini")).unwrap();
    symlink(elsewhere.path(), home.path().join(".gemini/skills")).unwrap();
    let place = json!([{ "installPath": elsewhere.path().join("plugin") }]);
    let installed = json!({ "plugins": { "mailer@mk": place } });
    write(home.path(), ".claude/plugins/installed_plugins.json", &installed.to_string());
    write(home.path(), ".codex/config.toml", "[plugins.\"../../..@..\"]\nenabled = true\n");
    let run = run(&repository, home.path(), &["forecast", "--all", "--format=json", "--user"]);
    assert!(run.stdout.contains("mine"), "{}{}", run.stdout, run.stderr);
    for name in ["secret", "hidden", elsewhere.path().to_str().unwrap()] {
        assert!(!run.stdout.contains(&format!("{name}/SKILL.md")), "{name}: {}", run.stdout);
    }
    assert!(run.stderr.contains("it is outside the home directory"), "{}", run.stderr);
}

/// Claude Code loads the skill of the user, Codex both: the check, its verdict and the forecast agree.
#[test]
fn reports_skills_that_have_the_name_of_another_of_the_user() {
    let (home, repository) = (home(), Repository::new());
    repository.skill(".claude/skills", "own").skill(".claude/skills", "mine").add();
    write(home.path(), ".claude/skills/mine/SKILL.md", &good("mine").replace("---\nname", "---\nlicense: MIT\nname"));
    write(
        home.path(),
        ".codex/skills/shared/SKILL.md",
        &good("shared").replace("---\nname", "---\nlicense: MIT\nname"),
    );
    let check = |target: &[&str]| {
        let run = run(&repository, home.path(), &[&["check", "--user", "--format=concise"], target].concat());
        let lines =
            run.stdout.lines().filter(|line| line.contains("shadowed-skill") || line.contains("duplicate-name"));
        (lines.map(str::to_owned).collect::<Vec<_>>(), run.stderr)
    };
    for target in [&["--target", "claude-code"][..], &[]] {
        let (found, verdict) = check(target);
        let own = |line: &String| line.starts_with(".claude/skills/mine/SKILL.md:") && line.contains("shadowed-skill");
        assert!(found.iter().any(own), "{found:?}");
        assert!(
            verdict.contains(": mine silently dropped\n") || verdict.contains(": mine silently dropped, "),
            "{verdict}"
        );
    }
    let (found, _) = check(&["--target", "codex"]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("~/.codex/skills/shared/SKILL.md:") && found[0].contains("duplicate-name"),
        "{found:?}"
    );
    let forecast = run(&repository, home.path(), &["forecast", "claude-code", "--user"]).stdout;
    let line = forecast.lines().next().unwrap();
    let unread = ", 1 in ~/.agents/skills, 1 in ~/.codex/skills and 1 in 1 more";
    assert!(line.contains(&format!("mine silently dropped{unread}")), "{forecast}");
}

#[test]
fn names_the_commands_that_fix_skills_outside_the_repository() {
    let (home, repository) = (home(), Repository::new());
    repository.skill(".claude/skills", "own").add();
    let top = home.path().canonicalize().unwrap();
    let broken = |name: &str| good(name).replace("description: ", "description: One thing: ");
    write(&top, ".claude/skills/two/SKILL.md", &broken("two"));
    write(&top, "team skills/three/SKILL.md", &broken("three"));
    // An update replaces the files of a plugin.
    write(&top, ".claude/plugins/cache/mk/mailer/1.2.0/skills/post/SKILL.md", &broken("post"));
    let external = top.join("team skills");
    let external = external.to_str().unwrap();
    let checked = run(&repository, home.path(), &["check", "--user", "--external", external]);
    let offers: Vec<&str> = checked.stderr.lines().filter(|line| line.contains("fixable")).collect();
    let expected = ["1 fixable: skilltree fix ~/.claude/skills", &format!("1 fixable: skilltree fix '{external}'")];
    assert_eq!(offers, expected, "{}", checked.stderr);
    for (directory, file) in [(".claude/skills", "two"), ("team skills", "three")] {
        let fixed = run(&repository, home.path(), &["fix", top.join(directory).to_str().unwrap()]);
        assert!(fixed.stdout.contains("fixed invalid-yaml"), "{}{}", fixed.stdout, fixed.stderr);
        let text = fs::read_to_string(top.join(directory).join(file).join("SKILL.md")).unwrap();
        assert!(text.contains("description: \"One thing: "), "{text}");
    }
}

/// Someone who runs the program in `~/.claude/skills`, which is in no repository.
#[test]
fn names_the_commands_for_a_skills_directory_outside_a_repository() {
    let home = home();
    let top = home.path().canonicalize().unwrap();
    let here = top.join(".claude/skills");
    let run = |arguments: &[&str]| skilltree(&here, arguments, &[("HOME", home.path().to_str().unwrap())]);
    for (arguments, help) in [
        (&["check"][..], "run `skilltree check .` to read it as a directory, or `git init`"),
        (&["fix", "--diff"], "run `skilltree fix .` to read it as a directory, or `git init`"),
        (&["check", "--staged"], "run `git init`, or pass a directory"),
        (&["init"], "run `skilltree check .`, which checks it with the defaults, or `git init` first"),
    ] {
        let failed = run(arguments);
        assert!(failed.status == 2 && failed.stderr.contains(help), "{arguments:?}: {}", failed.stderr);
    }
    assert!(!here.join("skilltree.toml").exists());
    for arguments in [&["check", "."][..], &["forecast"], &["list"], &["show", "mine"]] {
        let done = run(arguments);
        assert_eq!(done.status, 0, "{arguments:?}: {}", done.stderr);
    }
    let new = run(&["new", "pdf"]);
    assert!(new.stderr.contains("wrote pdf/SKILL.md: fill it in, then run `skilltree check .`"), "{}", new.stderr);
    let init = skilltree(&top, &["init"], &[]);
    assert!(init.stdout.contains("run `git init`") && !init.stdout.contains("--base"), "{}", init.stdout);
}

/// A repository whose top is `~/.claude/skills`: a collection, unless the user's skills are read.
#[test]
fn names_the_option_for_a_repository_that_is_a_directory_of_the_user() {
    let (home, team) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    write(team.path(), "other/SKILL.md", &good("other"));
    let here = home.path().join(".claude/skills");
    write(home.path(), ".claude/skills/mine/SKILL.md", &good("mine"));
    common::git(&here, &["init", "--quiet"], &[]);
    common::git(&here, &["add", "--all"], &[]);
    let run = |arguments: &[&str]| skilltree(&here, arguments, &[("HOME", home.path().to_str().unwrap())]);
    let line = "this repository has `~/.claude/skills`: `--user` checks it for the runtimes that read it there";
    for (arguments, expected) in [(&["check"][..], true), (&["check", "--user"], false)] {
        let checked = run(arguments);
        assert_eq!((checked.status, checked.stderr.contains(line)), (0, expected), "{}", checked.stderr);
    }
    // The top contains every path, but no directory of that name.
    let both = run(&["check", "--external", team.path().to_str().unwrap()]);
    assert!(both.stderr.contains("in 2 skills"), "{}", both.stderr);
    let elsewhere = skilltree(&here, &["check", "--user"], &[("HOME", self::home().path().to_str().unwrap())]);
    assert_eq!(elsewhere.status, 0, "{}", elsewhere.stderr);
    let new = run(&["new", "pdf"]);
    assert!(new.stderr.contains("wrote pdf/SKILL.md"), "{}", new.stderr);
}
