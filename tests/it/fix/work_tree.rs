//! Files that `fix` writes, and files that it must never write.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};

use crate::common::{Repository, good, skilltree};

const SKILL: &str = ".agent/skills/pdf/SKILL.md";
const BAD: &str = "---\nname: pdf\ndescription: Use when building for AWS: ECS\n---\n\nDo it.\n";
const GOOD: &str = "---\nname: pdf\ndescription: \"Use when building for AWS: ECS\"\n---\n\nDo it.\n";

fn bad() -> Repository {
    let repository = Repository::new();
    repository.write(SKILL, BAD).commit();
    repository
}

#[test]
fn fixes_working_tree_and_keeps_index() {
    let repository = bad();
    let index = fs::read(repository.path().join(".git/index")).unwrap();
    // In a hook, the index is checked, but the working tree is fixed.
    let run = skilltree(repository.path(), &["fix"], &[("PRE_COMMIT", "1")]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with(".agent/skills/pdf/SKILL.md: fixed invalid-yaml: "), "{}", run.stdout);
    assert!(run.stderr.contains("1 finding fixed in 1 file of the working tree; no findings remain"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(repository.path().join(SKILL)).unwrap(), GOOD);
    assert_eq!(fs::read(repository.path().join(".git/index")).unwrap(), index);
    assert_eq!(repository.skilltree(&["check", "--worktree"]).status, 0);
    let run = repository.skilltree(&["fix"]);
    assert_eq!((run.status, run.stdout.as_str()), (0, ""));
    assert!(run.stderr.contains("nothing to fix"), "{}", run.stderr);
}

#[test]
fn fixes_findings_over_the_limit_of_a_file() {
    let repository = Repository::new();
    let comments = |count| (0..count).map(|turn| format!("<!-- skilltree: ignore[broken-link] r{turn} -->\n\n"));
    repository.write(SKILL, good("pdf") + &comments(250).collect::<String>()).commit();
    let check = repository.skilltree(&["check", "--format", "concise"]);
    assert!(check.stdout.contains("150 more findings of this rule in this file; 100 are listed"), "{}", check.stdout);
    let run = repository.skilltree(&["fix"]);
    assert!(run.stderr.starts_with("250 findings fixed in 1 file of the working tree; "), "{}", run.stderr);
    assert_eq!(fs::read_to_string(repository.path().join(SKILL)).unwrap().trim_end(), good("pdf").trim_end());
    assert!(repository.skilltree(&["fix"]).stderr.starts_with("nothing to fix"));
}

#[test]
fn keeps_mode_and_leaves_no_temporary_file() {
    let repository = bad();
    let path = repository.path().join(SKILL);
    for mode in [0o755, 0o600, 0o664] {
        fs::write(&path, BAD).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(repository.skilltree(&["fix"]).status, 0);
        assert_eq!(fs::read_to_string(&path).unwrap(), GOOD);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, mode);
    }
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn keeps_owner() {
    let repository = bad();
    let path = repository.path().join(SKILL);
    if !crate::common::is_root() {
        return; // Only root can change the owner of a file.
    }
    chown(&path, Some(1_000), Some(1_001)).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o6755)).unwrap();
    let run = repository.skilltree(&["fix"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(!run.stderr.contains("warning"), "{}", run.stderr);
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), GOOD);
    assert_eq!((metadata.uid(), metadata.gid(), metadata.mode() & 0o7777), (1_000, 1_001, 0o6755));
}

#[test]
fn reports_read_only_file_and_fixes_others() {
    let repository = bad();
    let locked = ".agent/skills/locked/SKILL.md";
    repository.write(locked, BAD.replace("pdf", "locked"));
    fs::set_permissions(repository.path().join(locked), fs::Permissions::from_mode(0o444)).unwrap();
    let run = repository.skilltree(&["fix"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("was not written: it is read-only"), "{}", run.stderr);
    let summary = "1 finding fixed in 1 file of the working tree; 2 findings remain";
    assert!(run.stderr.starts_with(summary), "one is not fixed, one is not in the index: {}", run.stderr);
    assert_eq!(run.stdout.lines().count(), 1, "{}", run.stdout);
    assert_eq!(fs::read_to_string(repository.path().join(SKILL)).unwrap(), GOOD);
}

#[test]
fn edits_linked_skill_at_its_real_path_only() {
    let repository = Repository::new();
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("SKILL.md"), BAD).unwrap();
    repository.write("real/pdf/SKILL.md", BAD);
    fs::create_dir_all(repository.path().join(".agent/skills/outside")).unwrap();
    symlink(repository.path().join("real/pdf"), repository.path().join(".agent/skills/absolute")).unwrap();
    symlink("../../real/pdf", repository.path().join(".agent/skills/pdf")).unwrap();
    let link = repository.path().join(".agent/skills/outside/SKILL.md");
    symlink(outside.path().join("SKILL.md"), &link).unwrap();
    let run = repository.skilltree(&["fix", "--unsafe", "--signed"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("real/pdf/SKILL.md: fixed invalid-yaml"), "{}", run.stdout);
    assert_eq!(fs::read_to_string(outside.path().join("SKILL.md")).unwrap(), BAD);
    assert_ne!(
        fs::read_to_string(repository.path().join("real/pdf/SKILL.md")).unwrap(),
        BAD,
        "the file of the linked skill"
    );
    assert!(link.is_symlink() && repository.path().join(".agent/skills/pdf").is_symlink());
}

#[test]
fn edits_signed_skill_only_on_request() {
    let repository = bad();
    repository.write(".agent/skills/pdf/skill.oms.sig", "signature");
    let run = repository.skilltree(&["fix"]);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("1 more fixable with `--signed`"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(repository.path().join(SKILL)).unwrap(), BAD);
    assert_eq!(repository.skilltree(&["fix", "--signed"]).status, 0);
    assert_eq!(fs::read_to_string(repository.path().join(SKILL)).unwrap(), GOOD);
}

#[test]
fn fixes_only_named_paths() {
    let repository = bad();
    repository.write(".agent/skills/other/SKILL.md", BAD.replace("pdf", "other"));
    let run = skilltree(&repository.path().join(".agent"), &["fix", "skills/other/"], &[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(fs::read_to_string(repository.path().join(SKILL)).unwrap(), BAD);
    assert_eq!(repository.skilltree(&["check", ".agent/skills/other"]).status, 0);
    assert_eq!(repository.skilltree(&["fix", "nowhere"]).status, 2);
    assert_eq!(repository.skilltree(&["fix", "-"]).status, 2);
}

#[test]
fn fixes_directory_outside_repository() {
    let anywhere = tempfile::tempdir().unwrap();
    for (number, path) in ["skills/pdf", "skills/pdf/", "skills/pdf/SKILL.md", "skills"].iter().enumerate() {
        let top = anywhere.path().join(number.to_string());
        fs::create_dir_all(top.join("skills/pdf")).unwrap();
        fs::write(top.join("skills/pdf/SKILL.md"), BAD).unwrap();
        let run = skilltree(&top, &["fix", path], &[]);
        assert_eq!(run.status, 0, "{path}: {}", run.stderr);
        assert_eq!(fs::read_to_string(top.join("skills/pdf/SKILL.md")).unwrap(), GOOD, "{path}");
    }
}

#[test]
fn check_reports_fixable_findings() {
    let repository = bad();
    repository.write(".agent/skills/cut/SKILL.md", good("cut").replace("wanted.", "wanted # or not"));
    let run = repository.skilltree(&["check"]);
    assert!(run.stderr.ends_with("1 fixable: skilltree fix; 1 more with --unsafe\n"), "{}", run.stderr);
}

#[test]
fn check_of_index_reports_findings_that_the_working_tree_has_fixed() {
    let repository = bad();
    repository.git(&["add", "-A"]);
    let staged = repository.skilltree(&["check", "--staged"]);
    assert!(staged.stderr.ends_with("1 fixable: skilltree fix\n"), "{}", staged.stderr);
    repository.skilltree(&["fix"]);
    let repaired = repository.skilltree(&["check", "--staged"]);
    assert_eq!(repaired.status, 1, "{}", repaired.stderr);
    let expected = "1 finding already fixed in the working tree: run `git add .agent/skills/pdf/SKILL.md`\n";
    assert!(repaired.stderr.ends_with(expected), "{}", repaired.stderr);
}

#[test]
fn fixes_configuration_of_working_tree() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "pdf");
    let kept = "edition = \"2026\"\r\n\r\n[limits]\r\nname-chars = 32\r\n";
    let unused = "[[ignore]]\r\nrule = \"empty-body\"\r\npath = \".agent/skills/pdf\"\r\nreason = \"none\"\r\n\r\n";
    let text = kept.replace("[limits]", &format!("{unused}[limits]"));
    repository.write("skilltree.toml", &text).write("elsewhere.toml", &text).commit();
    let run = repository.skilltree(&["fix", "--config", "elsewhere.toml"]);
    assert!(
        run.stdout.contains("skipped unused-ignore: the configuration does not come from the working tree"),
        "{}",
        run.stdout
    );
    assert_eq!(repository.git(&["status", "--porcelain"]), "");
    let run = repository.skilltree(&["fix"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.starts_with("skilltree.toml: fixed unused-ignore: "), "{}", run.stdout);
    assert_eq!(fs::read_to_string(repository.path().join("skilltree.toml")).unwrap(), kept);
}
