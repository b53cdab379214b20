//! `prompt --if-changed` keeps an artifact only if it is still right, whichever rule is an error.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use bstr::{BStr, ByteSlice};
use serde_json::Value;
use skilltree::{ArtifactFile, Options, PromptOptions, Revision};
use skilltree_lint::rule::{Reads, Rule};
use skilltree_lint::rules;
use skilltree_report::explain::{Example, sections};
use skilltree_skills::source::{Content, Entry};

use crate::common::{self, Repository};

const SOURCES: [&str; 3] = ["--worktree", "--staged", "--rev=HEAD"];

/// What a run of `prompt` gives, without the revision and the digest.
#[derive(Debug, PartialEq)]
struct Built {
    digest: Option<String>,
    block: String,
    skipped: Vec<String>,
}

/// Returns the artifact; `None` if the configuration has an error.
fn built(repository: &Repository, source: &str) -> Option<Built> {
    let revision = match source {
        "--worktree" => Revision::WorkTree,
        "--staged" => Revision::Index,
        _ => Revision::Tree("HEAD".into()),
    };
    let options = Options { revision: Some(revision), ..Options::default() };
    let artifact = skilltree::prompt(repository.path(), &options, &PromptOptions::default()).ok()?;
    let index: Value = serde_json::from_slice(artifact.file(ArtifactFile::Index).unwrap()).unwrap();
    Some(Built {
        digest: index["source"]["digest"].as_str().map(str::to_owned),
        block: String::from_utf8(artifact.block().to_vec()).unwrap(),
        skipped: artifact.skipped().iter().map(|skipped| format!("{skipped:?}")).collect(),
    })
}

/// Asserts that no digest from before a change keeps an artifact that the change made wrong. Returns the sources whose artifact
/// differs.
fn assert_current(name: &str, repository: &Repository, change: impl FnOnce(&Repository)) -> BTreeSet<&'static str> {
    let before = SOURCES.map(|source| built(repository, source));
    change(repository);
    let mut changed = BTreeSet::new();
    for (source, before) in SOURCES.into_iter().zip(before) {
        let after = built(repository, source);
        let Some(before) = before else { continue };
        let is_same =
            after.as_ref().is_some_and(|after| (&after.block, &after.skipped) == (&before.block, &before.skipped));
        if is_same {
            continue;
        }
        changed.insert(source);
        let Some(digest) = before.digest else { continue };
        assert_ne!(Some(&digest), after.as_ref().and_then(|after| after.digest.as_ref()), "{name} {source}");
        let run = repository.skilltree(&["prompt", source, "--format=json", "--if-changed", &digest]);
        assert!(run.status != 0 || !run.stdout.is_empty(), "{name} {source}: the old artifact is kept");
    }
    changed
}

/// Makes a rule an error in the text of a configuration.
fn with_error(settings: &str, rule: &Rule) -> String {
    let line = format!("{} = \"error\"", rule.id());
    let others = settings.lines().filter(|line| !line.starts_with(&format!("{} =", rule.id())));
    let text: String = others.map(|line| format!("{line}\n")).collect();
    match text.contains("[rules]\n") {
        true => text.replacen("[rules]\n", &format!("[rules]\n{line}\n"), 1),
        false => format!("{text}\n[rules]\n{line}\n"),
    }
}

/// Writes the files of an example, and commits them as far as their kinds allow.
fn write(repository: &Repository, files: &[Entry], rule: &Rule) {
    for entry in fs::read_dir(repository.path()).unwrap().map(|entry| entry.unwrap().path()) {
        match entry.file_name().unwrap().to_str() {
            Some(".git") => {}
            _ if entry.is_dir() => fs::remove_dir_all(&entry).unwrap(),
            _ => fs::remove_file(&entry).unwrap(),
        }
    }
    let settings = files.iter().find(|entry| entry.path == "skilltree.toml").map(|entry| match &entry.content {
        Content::File(bytes) => bytes.to_str_lossy().into_owned(),
        _ => String::new(),
    });
    let mut ignored = Vec::new();
    let mut staged = Vec::new();
    let (mut later, zeros) = (Vec::new(), "1".repeat(40));
    for Entry { path, content } in files {
        let place = repository.path().join(path.to_path().unwrap());
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        match content {
            Content::File(bytes) => fs::write(&place, bytes).unwrap(),
            Content::Executable(bytes) => {
                fs::write(&place, bytes).unwrap();
                fs::set_permissions(&place, fs::Permissions::from_mode(0o755)).unwrap();
            }
            Content::Link(target) => symlink(target.to_path().unwrap(), &place).unwrap(),
            Content::Directory => fs::create_dir_all(&place).unwrap(),
            Content::Submodule => staged.push(format!("160000 {zeros} 0\t{path}")),
            Content::Unmerged => staged.extend([2, 3].map(|stage| format!("100644 {zeros} {stage}\t{path}"))),
            Content::Untracked(bytes) => later.push((place, bytes)),
            Content::Ignored(bytes) => {
                ignored.push(format!("/{path}\n"));
                later.push((place, bytes));
            }
        }
    }
    repository.write("skilltree.toml", with_error(&settings.unwrap_or_default(), rule));
    repository.write(".gitignore", ignored.concat());
    repository.git(&["read-tree", "--empty"]);
    repository.add().git(&["commit", "--quiet", "--allow-empty", "--message", "A commit"]);
    later.iter().for_each(|(place, bytes)| fs::write(place, bytes).unwrap());
    for line in staged {
        let (entry, path) = line.split_once('\t').unwrap();
        let [mode, id, stage] = entry.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if stage == "0" {
            repository.git(&["update-index", "--add", "--cacheinfo", &format!("{mode},{id},{path}")]);
        }
    }
}

fn is_outside(path: &BStr) -> bool {
    !path.contains_str("skills/") && path != "skilltree.toml" && path != "WORKFLOW.md"
}

#[test]
fn no_rule_as_error_keeps_an_outdated_artifact() {
    let of_page = |rule: &'static Rule, kind: &str| -> Vec<Entry> {
        let section =
            sections(rule.explanation()).into_iter().find(|section| section.heading.starts_with(kind)).unwrap();
        Example::new(&section).files
    };
    std::thread::scope(|scope| {
        for part in rules::ALL.chunks(rules::ALL.len().div_ceil(4)) {
            scope.spawn(move || {
                let repository = Repository::new();
                for &rule in part {
                    let (fires, quiet) = (of_page(rule, "Fires"), of_page(rule, "Quiet"));
                    let (inside, outside) = (
                        |entry: &&Entry| !is_outside(entry.path.as_bstr()),
                        |entry: &&Entry| is_outside(entry.path.as_bstr()),
                    );
                    let moved: Vec<Entry> =
                        fires.iter().filter(inside).chain(quiet.iter().filter(outside)).cloned().collect();
                    let name = |change: &str| format!("{}: {change}", rule.id());
                    write(&repository, &fires, rule);
                    assert_current(&name("other files outside"), &repository, |repository| {
                        write(repository, &moved, rule)
                    });
                    assert_current(&name("other skills"), &repository, |repository| write(repository, &quiet, rule));
                }
            });
        }
    });
}

/// A file outside the skills directories that decides about a rule: the body of the skill, the path, its text before, and after.
type Scene = (&'static str, &'static str, &'static str, Option<&'static str>, Option<&'static str>);

/// One scene per rule that reads the repository.
const SCENES: [Scene; 7] = [
    ("broken-anchor", "Read [it](../../../docs/r.md#steps).", "docs/r.md", Some("## Steps\n"), Some("## How\n")),
    ("broken-link", "Read [it](../../../docs/r.md).", "docs/r.md", Some("Text.\n"), None),
    ("broken-reference", "Run `scripts/tool.py`.", "scripts/tool.py", Some("print()\n"), None),
    ("command-without-file", "Words: !`cat ${CLAUDE_PLUGIN_ROOT}/words.md`", "words.md", Some("Text.\n"), None),
    ("link-leaves-skill", "Read [it](../../../docs/r.md).", "docs/r.md", None, Some("Text.\n")),
    ("unknown-skill-reference", "Use the skill `other-one`.", ".claude/skill/other-one/SKILL.md", None, Some("x\n")),
    ("wrong-case-link", "Read [it](../../../docs/R.md).", "docs/r.md", None, Some("Text.\n")),
];

#[test]
fn rules_about_other_directories_decide_about_each_digest() {
    let reading = rules::ALL.iter().filter(|rule| rule.reads == Reads::Repository).map(|rule| rule.id());
    assert!(reading.eq(SCENES.iter().map(|scene| scene.0)), "each rule needs a scene");
    for (id, body, path, before, after) in SCENES {
        let repository = Repository::new();
        let put = |text: Option<&str>| {
            match text {
                Some(text) => repository.write(path, text),
                None => {
                    let _ = fs::remove_file(repository.path().join(path));
                    &repository
                }
            };
            repository.commit();
        };
        let text = common::good("guide").replace("Do it.", body);
        repository.write(".agent/skills/guide/SKILL.md", text).skill(".agent/skills", "other");
        repository.write(".agent/skills/guide/scripts/other.py", "print()\n");
        // No other runtime runs commands.
        let targets = if id == "command-without-file" { "targets = [\"claude-code\"]\n" } else { "" };
        repository.write("skilltree.toml", format!("{targets}[rules]\n{id} = \"error\"\n"));
        put(before);
        let changed = assert_current(id, &repository, |_| put(after));
        if id != "unknown-skill-reference" {
            assert_eq!(changed, BTreeSet::from(SOURCES), "{id}");
        }
        assert_eq!(built(&repository, "--worktree").unwrap().digest, None, "{id}");
    }
}

#[test]
fn a_digest_covers_what_git_tracks_ignores_and_links() {
    let repository = Repository::new();
    repository
        .skill(".agent/skills", "other")
        .write("skilltree.toml", "[rules]\nuntracked-skill = \"error\"\n")
        .commit();
    repository.skill(".agent/skills", "new");
    let changed = assert_current("add", &repository, |repository| drop(repository.git(&["add", "--all"])));
    assert_eq!(changed, BTreeSet::from(["--worktree", "--staged"]));
    fs::remove_file(repository.path().join("skilltree.toml")).unwrap();
    repository.write(".gitignore", "mine\n").skill(".agent/skills", "mine").commit();
    let edited = common::good("mine").replace("The task", "The job");
    let changed = assert_current("edit an ignored skill", &repository, |repository| {
        repository.write(".agent/skills/mine/SKILL.md", edited);
    });
    assert_eq!(changed, BTreeSet::from(["--worktree"]));
    fs::remove_dir_all(repository.path().join(".agent/skills/mine")).unwrap();
    fs::create_dir(repository.path().join(".agent/skills/guide")).unwrap();
    symlink("../../../docs/g.md", repository.path().join(".agent/skills/guide/SKILL.md")).unwrap();
    repository.commit();
    let changed = assert_current("create the target of a link", &repository, |repository| {
        repository.write("docs/g.md", common::good("guide")).commit();
    });
    assert_eq!(changed, BTreeSet::from(SOURCES));
}
