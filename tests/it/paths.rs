//! Every way to name a skill: relative and absolute, as a directory or a file, here, in another repository, in none.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{self, Repository, git, skilltree};

const BROKEN: &str = "---\nname: pdf\ndescription: Build for AWS: ECS\n---\n\nDo it.\n";

/// Two repositories and a plain directory in one directory. In each, the skill `pdf` is broken and `good` is not.
struct Places {
    top: tempfile::TempDir,
}

impl Places {
    fn new() -> Self {
        let top = tempfile::tempdir().unwrap();
        let places = Self { top };
        for root in ["one/.agent/skills", "two/.agent/skills", "two/skills", "plain/skills"] {
            places.write(&format!("{root}/pdf/SKILL.md"), BROKEN);
            places.write(&format!("{root}/good/SKILL.md"), &common::good("good"));
        }
        for repository in ["one", "two"] {
            assert!(git(&places.path(repository), &["init", "--quiet"], &[]).status.success());
        }
        places
    }

    fn path(&self, path: &str) -> PathBuf {
        self.top.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

/// Checks a skill in all of its forms, typed in a directory.
#[track_caller]
fn assert_checked(typed_in: &Path, skill: &Path, status: i32) {
    let skill = skill.to_str().unwrap();
    let relative = pathdiff(typed_in, Path::new(skill));
    for name in [skill, relative.as_str()] {
        for form in [name.to_owned(), format!("{name}/"), format!("{name}/SKILL.md"), format!("./{relative}/./")] {
            let run = skilltree(typed_in, &["check", &form, "--format", "concise"], &[]);
            assert_eq!(run.status, status, "{form} in {}: {}{}", typed_in.display(), run.stdout, run.stderr);
            assert_eq!(
                run.stdout.contains("SKILL.md:3:27: error[invalid-yaml]"),
                status == 1,
                "{form}: {}",
                run.stdout
            );
        }
    }
}

/// The way from one directory to another below the same top.
fn pathdiff(from: &Path, to: &Path) -> String {
    let shared = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| "..".to_owned());
    let down = to.components().skip(shared).map(|part| part.as_os_str().to_str().unwrap().to_owned());
    let way = up.chain(down).collect::<Vec<_>>().join("/");
    if way.is_empty() { ".".to_owned() } else { way }
}

#[test]
fn resolves_skill_path_from_any_directory() {
    let places = Places::new();
    for typed_in in ["one", "one/.agent/skills/pdf", "two", "plain", "plain/skills", "."] {
        for root in ["one/.agent/skills", "two/.agent/skills", "plain/skills"] {
            assert_checked(&places.path(typed_in), &places.path(&format!("{root}/pdf")), 1);
            assert_checked(&places.path(typed_in), &places.path(&format!("{root}/good")), 0);
        }
    }
}

#[test]
fn reads_single_skill_outside_skills_directories() {
    let places = Places::new();
    assert_checked(&places.path("one"), &places.path("two/skills/pdf"), 1);
    assert_checked(&places.path("."), &places.path("two/skills/good"), 0);
    assert_checked(&places.path("two"), &places.path("two/skills/pdf"), 1);
}

#[test]
fn uses_configuration_of_named_repository() {
    let places = Places::new();
    places.write("two/skilltree.toml", "[rules]\ninvalid-yaml = \"note\"\n");
    let check = |words: &[&str]| skilltree(&places.path("one"), &[&["check"], words].concat(), &[]).status;
    assert_eq!(check(&["../two/.agent/skills/pdf"]), 0);
    assert_eq!(check(&["../one/.agent/skills/pdf"]), 1);
    places.write("one/mine.toml", "[rules]\ninvalid-yaml = \"error\"\n");
    assert_eq!(check(&["../two/.agent/skills/pdf", "--config", "mine.toml"]), 1);
    // Several of one repository can be named together, and a base is one of theirs.
    assert_eq!(check(&["../two/.agent/skills/pdf", "../two/.agent/skills/good"]), 0);
    let commit = |repository: &str| {
        git(&places.path(repository), &["add", "--all"], &[]);
        assert!(git(&places.path(repository), &["commit", "--quiet", "--message", "x"], &[]).status.success());
    };
    fs::remove_file(places.path("two/skilltree.toml")).unwrap();
    commit("two");
    assert_eq!(check(&["../two/.agent/skills/pdf"]), 1);
    assert_eq!(check(&["../two/.agent/skills/pdf", "--base", "HEAD"]), 0);
}

#[test]
fn nested_repository_is_separate() {
    let outer = Repository::new();
    outer.skill(".agent/skills", "outer").commit();
    outer.write("vendor/inner/.agent/skills/pdf/SKILL.md", BROKEN);
    let inner = outer.path().join("vendor/inner");
    assert!(git(&inner, &["init", "--quiet"], &[]).status.success());
    assert_checked(outer.path(), &inner.join(".agent/skills/pdf"), 1);
}

#[test]
fn reports_missing_path() {
    let places = Places::new();
    for typed_in in ["one", "plain", "."] {
        let run = skilltree(&places.path(typed_in), &["check", "nowhere/at/all"], &[]);
        assert_eq!(run.status, 2, "{typed_in}");
        assert!(run.stderr.contains("`nowhere/at/all`"), "{}", run.stderr);
    }
}

#[cfg(unix)]
#[test]
fn findings_of_a_linked_skill_file_have_places_in_its_target() {
    let repository = Repository::new();
    let text = "---\nname: x\ndescription: Does x. Use when x is due.\n---\n\nSee [t](template.md).\n";
    repository.write("docs/TEMPLATE.md", "x\n").write("docs/real.md", text);
    fs::create_dir_all(repository.path().join(".agents/skills/x")).unwrap();
    std::os::unix::fs::symlink("../../../docs/real.md", repository.path().join(".agents/skills/x/SKILL.md")).unwrap();
    repository.commit();
    for source in [&["--worktree"][..], &["--staged"], &["--rev", "HEAD"]] {
        let check = |format: &str| repository.skilltree(&[&["check", "--format", format], source].concat()).stdout;
        let json: serde_json::Value = serde_json::from_str(&check("json")).unwrap();
        let findings = json["findings"].as_array().unwrap();
        let link = findings.iter().find(|finding| finding["rule"] == "wrong-case-link").unwrap();
        assert_eq!((&link["range"]["start"]["line"], &link["range"]["start"]["column"]), (&6.into(), &9.into()));
        let sarif: serde_json::Value = serde_json::from_str(&check("sarif")).unwrap();
        let results = sarif["runs"][0]["results"].as_array().unwrap();
        let result = results.iter().find(|result| result["ruleId"] == "wrong-case-link").unwrap();
        let change = &result["fixes"][0]["artifactChanges"][0];
        assert_eq!(change["artifactLocation"]["uri"], "docs/real.md");
        let region = &change["replacements"][0]["deletedRegion"];
        assert_eq!(
            (&region["startLine"], &region["startColumn"], &region["endColumn"]),
            (&6.into(), &9.into(), &20.into())
        );
        assert!(check("github").contains("file=docs/real.md,line=6,"), "{}", check("github"));
    }
}
