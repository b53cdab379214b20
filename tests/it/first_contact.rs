//! What a new user sees: which skills are found, why others are not, and whether the advice loses none.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::os::unix::fs::symlink;

use crate::common::{self, Repository, Run, good, skilltree};

/// Skills in three places: found, found in a plugin, and test data.
fn three() -> Repository {
    let repository = Repository::new();
    repository.skill(".claude/skills", "one").skill("skills", "two").skill("tests/data", "three").commit();
    repository
}

fn text(run: &Run) -> String {
    format!("{}{}", run.stdout, run.stderr)
}

#[test]
fn advice_lists_every_directory_that_was_found() {
    let repository = three();
    let edit = "one `[[root]]` each: `path = \".claude/skills\"`, `path = \"skills\"`";
    let check = repository.skilltree(&["check", "--staged"]);
    let help = format!("{edit}, `path = \"tests/data\"` to check them; or `exclude = [\"tests/data/**\"]`");
    let unwrapped = check.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(unwrapped.contains(&help), "{unwrapped}");
    for command in ["prompt", "list"] {
        let run = repository.skilltree(&[command]);
        assert!(!run.stderr.contains("prompt block") && run.stdout.contains("two"), "{command}: {}", text(&run));
        let run = repository.skilltree(&[command, "--profile", "symphony"]);
        let unwrapped = run.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
        let said = format!(
            "2 skills in .claude/skills (1) and skills (1) cannot be in the prompt block of symphony: add to skilltree.toml, {edit}, \
             each with `profile = \"symphony\"`"
        );
        assert!(unwrapped.contains(&said), "{command}: {unwrapped}");
    }
    // Following the advice loses no skill and checks the one that was not checked.
    let tables = [".claude/skills", "skills", "tests/data"].map(|path| format!("[[root]]\npath = \"{path}\"\n"));
    repository.write("skilltree.toml", tables.concat()).add();
    let check = repository.skilltree(&["check", "--staged"]);
    assert!(check.stderr.contains("3 skills (index)"), "{}", text(&check));
    assert!(!text(&check).contains("unchecked-skills"), "{}", text(&check));
}

#[test]
fn one_root_does_not_hide_other_skills() {
    let repository = three();
    repository.write("skilltree.toml", "[[root]]\npath = \"skills\"\n").add();
    for source in ["--staged", "--worktree"] {
        let check = repository.skilltree(&["check", source, "--format", "concise"]);
        let said = "note[unchecked-skills] 2 SKILL.md files are in no skills directory and not checked: \
                    `.claude/skills` (1), `tests/data` (1)";
        assert!(check.stdout.contains(said), "{}", text(&check));
        assert_eq!(check.status, 0);
    }
    let exclude = "exclude = [\"tests/**\", \".claude/**\"]\n[[root]]\npath = \"skills\"\n";
    repository.write("skilltree.toml", exclude).add();
    let check = repository.skilltree(&["check", "--staged"]);
    assert!(!text(&check).contains("unchecked-skills"), "{}", text(&check));
}

#[test]
fn init_keeps_finding_every_directory() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "one").skill("packages/web/.agents/skills", "two");
    for plugin in ["a", "b", "c"] {
        repository.skill(&format!("plugins/{plugin}/skills"), "review");
    }
    fs::create_dir(repository.path().join(".cursor")).unwrap();
    symlink("../.claude/skills", repository.path().join(".cursor/skills")).unwrap();
    repository.commit();
    let before = repository.skilltree(&["check", "--format", "json"]).stdout;
    assert_eq!(repository.skilltree(&["init"]).status, 0);
    let after = repository.skilltree(&["check", "--format", "json"]).stdout;
    let skills = |json: &str| serde_json::from_str::<serde_json::Value>(json).unwrap()["summary"]["skills"].clone();
    assert_eq!(skills(&after), skills(&before));
}

#[test]
fn prompt_keeps_names_of_packages_apart_however_they_are_configured() {
    let by_glob = "[[root]]\npath = \"plugins/*/skills\"\n";
    let one_by_one = "[[root]]\npath = \"plugins/a/skills\"\n[[root]]\npath = \"plugins/b/skills\"\n";
    let blocks = [by_glob, one_by_one].map(|settings| {
        let repository = Repository::new();
        repository.skill("plugins/a/skills", "review").skill("plugins/b/skills", "review");
        repository.write("skilltree.toml", settings).commit();
        let check = repository.skilltree(&["check"]);
        assert_eq!(check.status, 0, "{}", text(&check));
        let prompt = repository.skilltree(&["prompt"]).stdout;
        fs::remove_dir_all(repository.path().join(".git")).unwrap();
        let outside = repository.skilltree(&["prompt", "--root", "plugins/*/skills"]);
        (prompt, outside.status)
    });
    assert_eq!(blocks[0], blocks[1]);
    assert_eq!(blocks[0].0.matches("\n- review ").count(), 2, "{}", blocks[0].0);
}

#[test]
fn explains_why_nothing_is_checked() {
    let repository = three();
    repository.write("skilltree.toml", "exclude = [\"**\"]\n").add();
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains("`exclude` in skilltree.toml covers 3 SKILL.md files"), "{said}");
    let repository = Repository::new();
    repository.skill("docs/x", "one").commit();
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains("no-skills-checked") && !said.contains("there is no SKILL.md"), "{said}");
    let repository = Repository::new();
    repository.write(".gitignore", "skills/\n").skill("skills", "one").add();
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains("[untracked-skill]") && said.contains("there is no SKILL.md to check; "), "{said}");
    // A finding that says why there is no skill says what to do.
    repository.write(".claude-plugin/plugin.json", "{\"name\": \"mail\"}\n").add();
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains("[untracked-plugin-skill]") && said.contains("there is no SKILL.md to check; "), "{said}");
    let repository = Repository::new();
    repository.write(".gitignore", "docs/\n").skill("docs", "one").add();
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains("there is no SKILL.md to check (ignored files, "), "{said}");
    let repository = Repository::new();
    repository.write(".claude/skills/pdf/skill.txt", good("pdf")).add();
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains("[misnamed-skill-file]") && !said.contains("create a skill"), "{said}");
}

#[test]
fn ignored_directory_has_no_skills_in_any_source() {
    let repository = Repository::new();
    repository.write(".gitignore", ".claude/\n").skill(".claude/skills", "one").skill("skills", "two").commit();
    for source in [&["--worktree"][..], &["--staged"], &["--rev", "HEAD"]] {
        let check = repository.skilltree(&[&["check"], source].concat());
        assert!(check.stderr.contains("no findings in 1 skill ("), "{source:?}: {}", text(&check));
    }
    for path in [".claude/skills/one", ".claude/skills", ".claude"] {
        let named = repository.skilltree(&["check", path]);
        assert_eq!(named.status, 2, "{path}: {}", text(&named));
        assert!(named.stderr.contains("Git ignores it"), "{path}: {}", named.stderr);
    }
    // An empty skills directory is one without findings.
    fs::create_dir_all(repository.path().join(".agents/skills")).unwrap();
    assert_eq!(repository.skilltree(&["check", ".agents/skills"]).status, 0);
    // Without any other skill, a finding names the line that hides it.
    let repository = Repository::new();
    repository.write(".gitignore", ".claude/\n").skill(".claude/skills", "one").add();
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains("Git ignores the skill in `.claude/skills`, so nobody else gets it"), "{said}");
    let said = text(&repository.skilltree(&["check", "--root", ".claude/skills"]));
    assert!(said.contains("[untracked-skill]") && said.contains(" in 1 skill (working tree)"), "{said}");
}

#[test]
fn whole_directory_without_skills_is_checked_as_without_path() {
    let repository = Repository::new();
    repository.write("README.md", "Nothing.\n").commit();
    assert_eq!(repository.skilltree(&["check"]).status, 0);
    assert_eq!(repository.skilltree(&["check", "."]).status, 0);
    assert_eq!(repository.skilltree(&["check", "missing"]).status, 2);
}

#[test]
fn explains_paths_that_are_never_searched() {
    let repository = three();
    repository.skill("node_modules/x/skills", "four");
    let elsewhere = tempfile::tempdir().unwrap();
    fs::write(elsewhere.path().join("SKILL.md"), good("five")).unwrap();
    symlink(elsewhere.path(), repository.path().join("out")).unwrap();
    for (path, words) in
        [("node_modules/x/skills/four", "`node_modules` is never searched"), ("out", "out of the repository")]
    {
        let run = repository.skilltree(&["check", "--staged", path]);
        assert_eq!(run.status, 2, "{path}: {}", text(&run));
        assert!(run.stderr.contains(words), "{path}: {}", run.stderr);
    }
}

#[test]
fn hidden_directory_keeps_its_name_outside_a_repository() {
    let place = tempfile::tempdir().unwrap();
    let skill = place.path().join(".claude/skills/one");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), good("other")).unwrap();
    fs::create_dir_all(place.path().join("skills/two")).unwrap();
    fs::write(place.path().join("skills/two/SKILL.md"), good("other")).unwrap();
    let run = skilltree(place.path(), &["check", ".claude", "--format", "concise"], &[]);
    assert!(run.stdout.starts_with(".claude/skills/one/SKILL.md:2:"), "{}", text(&run));
    assert!(
        run.stderr.contains("1 warning in 1 skill (directory)") && !run.stderr.contains("paths are relative"),
        "{}",
        run.stderr
    );
    fs::create_dir_all(place.path().join(".unknown/skills/three")).unwrap();
    fs::write(place.path().join(".unknown/skills/three/SKILL.md"), good("three")).unwrap();
    let run = skilltree(place.path(), &["check", ".unknown"], &[]);
    assert!(run.stderr.contains("1 skill (directory)"), "{}", text(&run));
    let away = tempfile::tempdir().unwrap();
    let named = place.path().join(".claude");
    let run = skilltree(away.path(), &["check", named.to_str().unwrap()], &[]);
    assert!(run.stderr.contains("paths are relative to "), "{}", run.stderr);
}

#[test]
fn linked_skill_is_reported_and_fixed_at_its_real_path() {
    let repository = Repository::new();
    let crlf = good("pdf").replace("name: pdf", "name: pdf   ").replace("\ndescription", "\r\ndescription");
    repository.write("lib/pdf/SKILL.md", crlf).write(".claude/skills/.keep", "");
    symlink("../../lib/pdf", repository.path().join(".claude/skills/pdf")).unwrap();
    repository.commit();
    let found = repository.skilltree(&["check", "--format", "concise"]);
    assert!(found.stdout.contains("lib/pdf/SKILL.md:"), "{}", text(&found));
    let of_skill = found.stdout.lines().filter(|line| !line.contains("linked-skill"));
    assert!(
        of_skill.clone().count() > 0 && of_skill.clone().all(|line| line.starts_with("lib/pdf/")),
        "{}",
        found.stdout
    );
    let fixed = repository.skilltree(&["fix", ".claude/skills/pdf"]);
    assert!(fixed.stdout.contains("lib/pdf/SKILL.md: fixed"), "{}", text(&fixed));
    assert!(repository.path().join(".claude/skills/pdf").symlink_metadata().unwrap().is_symlink());
}

#[test]
fn printed_patch_escapes_what_a_terminal_obeys() {
    let repository = Repository::new();
    let skill = good("pdf").replace('\n', "\r\n").replacen("\r\n", "\n", 1);
    repository.write(".agent/skills/pdf/SKILL.md", format!("{skill}\u{1b}[31mred\n")).commit();
    let run = repository.skilltree(&["fix", "--unsafe", "--diff"]);
    assert!(!run.stdout.is_empty() && !run.stdout.contains('\u{1b}'), "{:?}", run.stdout);
    assert!(run.stderr.contains("escaped, so Git rejects it"), "{}", run.stderr);
}

#[test]
fn search_outside_a_repository_is_bounded_in_depth() {
    let place = tempfile::tempdir().unwrap();
    let deep = |levels: usize| (0..levels).fold(place.path().to_owned(), |path, _| path.join("d"));
    fs::create_dir_all(deep(32)).unwrap();
    assert_eq!(skilltree(place.path(), &["check", "."], &[]).status, 0);
    fs::create_dir_all(deep(33)).unwrap();
    let run = skilltree(place.path(), &["check", "."], &[]);
    assert_eq!(run.status, 2, "{}", text(&run));
    assert!(run.stderr.contains("is nested more than 32 directories deep"), "{}", run.stderr);
}

#[test]
fn search_of_a_working_tree_is_bounded_in_depth() {
    let repository = Repository::new();
    repository.write(".agent/skills/pdf/SKILL.md", good("pdf")).commit();
    let deep = |levels: usize| (0..levels).fold(repository.path().to_owned(), |path, _| path.join("d"));
    fs::create_dir_all(deep(256)).unwrap();
    assert_eq!(repository.skilltree(&["check"]).status, 0);
    fs::create_dir_all(deep(257)).unwrap();
    let run = repository.skilltree(&["check"]);
    assert_eq!(run.status, 2, "{}", text(&run));
    assert!(run.stderr.contains("is nested more than 256 directories deep"), "{}", run.stderr);
    assert_eq!(repository.skilltree(&["check", "--staged"]).status, 0, "the index has no such directory");
}

#[test]
fn search_that_ends_early_next_to_named_directories_is_a_warning() {
    let repository = Repository::new();
    repository.write("team/pdf/SKILL.md", good("pdf")).write("skilltree.toml", "[[root]]\npath = \"team\"\n").commit();
    let deepest = (0..257).fold(repository.path().to_owned(), |path, _| path.join("d"));
    fs::create_dir_all(deepest).unwrap();
    let run = repository.skilltree(&["check", "--worktree"]);
    assert_eq!(run.status, 0, "{}", text(&run));
    let warning = "warning: skills outside the skills directories were not searched: ";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    let run = repository.skilltree(&["check", "--staged"]);
    assert!(!run.stderr.contains(warning), "{}", run.stderr);
}

#[test]
fn search_outside_a_repository_skips_repositories() {
    let place = tempfile::tempdir().unwrap();
    for skills in ["skills/one", "nested/skills/two"] {
        fs::create_dir_all(place.path().join(skills)).unwrap();
        fs::write(place.path().join(skills).join("SKILL.md"), good(&skills[skills.len() - 3..])).unwrap();
    }
    assert!(common::git(&place.path().join("nested"), &["init", "--quiet"], &[]).status.success());
    let run = skilltree(place.path(), &["check", "."], &[]);
    assert!(run.stderr.contains("1 skill (directory)") && !text(&run).contains("unchecked-skills"), "{}", text(&run));
}

#[test]
fn nested_repository_is_not_called_a_submodule() {
    let repository = Repository::new();
    repository.skill(".agent/skills/one/sub", "x").skill(".agent/skills", "one").add();
    assert!(common::git(&repository.path().join(".agent/skills/one/sub"), &["init", "--quiet"], &[]).status.success());
    repository.git(&["rm", "-r", "--quiet", "--cached", ".agent/skills/one/sub"]);
    let run = repository.skilltree(&["check", "--worktree", "--format", "concise"]);
    assert!(run.stdout.contains("`.agent/skills/one/sub` is a nested repository: "), "{}", text(&run));
}

#[test]
fn empty_bare_repository_says_what_to_do() {
    let place = tempfile::tempdir().unwrap();
    assert!(common::git(place.path(), &["init", "--quiet", "--bare"], &[]).status.success());
    for arguments in [&["check"][..], &["check", "--rev", "HEAD"]] {
        let run = skilltree(place.path(), arguments, &[]);
        assert_eq!(run.status, 2);
        assert!(run.stderr.contains("push a commit first") && !run.stderr.contains("--staged"), "{}", run.stderr);
    }
}

#[test]
fn near_miss_is_found_after_many_directories() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "default-roots = false\n[[root]]\npath = \".agent/skills\"\n");
    repository.skill(".agent/skills", "good").skill(".agents/skills", "z");
    for number in 0..70 {
        repository.write(&format!(".agents/skills/d{number}/notes.txt"), "x\n");
    }
    repository.commit();
    for source in ["--rev=HEAD", "--staged", "--worktree"] {
        let run = repository.skilltree(&["check", source, "--format=concise"]);
        assert!(run.stdout.contains("[near-miss-root]"), "{source}: {}{}", run.stdout, run.stderr);
    }
}

/// Returns the lines of an ignore file after the help of a finding: all words in code but the last are lines, and that is the pattern.
fn edited(lines: &str, help: &str) -> String {
    let words: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let (pattern, added) = words.split_last().unwrap();
    let added = format!("{}\n", added.join("\n"));
    let pattern = format!("{pattern}\n");
    assert!(lines.contains(&pattern), "{help}");
    match help.contains(" instead of ") {
        true => lines.replace(&pattern, &added),
        false => lines.replace(&pattern, &format!("{pattern}{added}")),
    }
}

#[test]
fn proposed_lines_bring_ignored_skills_back() {
    let top = [
        ".claude/",
        ".claude",
        "/.claude",
        ".claude/*",
        ".claude/skills/",
        "skills",
        "**/skills/",
        "*.md",
        "SKILL.md",
        "*",
        ".*",
        ".claude/**",
        "**/pdf/",
        ".claude/skills/*",
    ];
    let inner = [(".claude/.gitignore", "*"), (".claude/.gitignore", "skills/"), (".claude/skills/.gitignore", "*.md")];
    for (file, pattern) in top.map(|pattern| (".gitignore", pattern)).into_iter().chain(inner) {
        let repository = Repository::new();
        let lines = format!("# Local files\n{pattern}\n");
        repository.write(file, &lines).write(".claude/notes.txt", "x").skill(".claude/skills", "pdf");
        let seen = || repository.git(&["status", "--porcelain", "--untracked-files=all"]);
        assert!(!seen().contains("SKILL.md"), "{pattern}");
        let were_notes_seen = seen().contains("notes.txt");
        let check = repository.skilltree(&["check", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_str(&check.stdout).unwrap();
        let finding = &report["findings"][0];
        assert_eq!(finding["rule"], "untracked-skill", "{pattern}: {}", text(&check));
        assert_eq!((&finding["path"], &finding["range"]["start"]["line"]), (&file.into(), &2.into()), "{pattern}");
        repository.write(file, edited(&lines, finding["help"].as_str().unwrap()));
        assert!(seen().contains(".claude/skills/pdf/SKILL.md"), "{file} {pattern}: {}", finding["help"]);
        assert_eq!(seen().contains("notes.txt"), were_notes_seen, "{pattern}: {}", finding["help"]);
        let check = repository.skilltree(&["check"]);
        assert!(!text(&check).contains("Git ignores"), "{}", text(&check));
    }
}

#[test]
fn notes_no_skills_that_are_meant_for_one_machine() {
    let repository = Repository::new();
    repository.write(".git/info/exclude", ".claude/\n").skill(".claude/skills", "pdf").skill(".claude/skills", "csv");
    let said = text(&repository.skilltree(&["check"]));
    assert!(said.contains(".claude/skills") && said.contains("Git ignores 2 skills"), "{said}");
    assert!(said.contains("git check-ignore --verbose .claude/skills/csv/SKILL.md"), "{said}");
    // What is installed is recorded, and need not be in Git.
    repository.write("skills-lock.json", "{\"version\": 1, \"skills\": {}}\n").add();
    assert!(!text(&repository.skilltree(&["check"])).contains("untracked-skill"));
    repository.git(&["rm", "-q", "--cached", "skills-lock.json"]);
    fs::remove_file(repository.path().join("skills-lock.json")).unwrap();
    repository.skill("skills", "one").add();
    assert!(!text(&repository.skilltree(&["check"])).contains("untracked-skill"));
}
