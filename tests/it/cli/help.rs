//! Help, manual, completions, and the commands that only print.
#![allow(clippy::disallowed_methods, reason = "a test makes what it judges")]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::mixed;
use crate::common::{self, Repository, skilltree};
use serde_json::Value;

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
    }
    assert!(repository.skilltree(&["explain", "missing-name"]).stdout.starts_with("# missing-name\n"));
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
    assert!(codex.starts_with(include_str!("../../../crates/runtimes/src/profiles/codex.toml")), "{codex}");
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
    all.retain(|name| !names.contains(&name.as_str()));
    assert_eq!(all, ["completions", "man", "schema"], "what a package or an editor runs is not on the first page");
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
    let first = completed(repository.path(), &["skilltree", ""]);
    let options = first.iter().position(|word| word.starts_with('-')).unwrap_or_default();
    assert!(first[0] == "check" && first[options..].iter().all(|word| word.starts_with('-')), "{first:?}");
    let page = repository.skilltree(&["man", "check"]).stdout;
    assert!(page.contains(&format!("skilltree {}", env!("CARGO_PKG_VERSION"))), "{page}");
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
