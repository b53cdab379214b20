//! What is checked, and the files that a run writes.
#![allow(clippy::disallowed_methods, reason = "a test makes what it judges")]

use std::fs;

use super::{BROKEN, mixed};
use crate::common::{self, Repository, good, skilltree, skilltree_with_input};
use serde_json::Value;

#[test]
fn lists_each_damaged_object_on_its_line() {
    let repository = Repository::new();
    for name in ["one", "two"] {
        repository.skill(".agent/skills", name);
    }
    repository.skill(".agent/skills/odd\nerror: name", "three").add();
    let objects = repository.path().join(".git/objects");
    for directory in fs::read_dir(&objects).unwrap().map(Result::unwrap).filter(|entry| entry.file_name().len() == 2) {
        fs::remove_dir_all(directory.path()).unwrap();
    }
    let run = repository.skilltree(&["check", "--staged"]);
    assert_eq!(run.status, 2);
    let lines: Vec<&str> = run.stderr.lines().collect();
    assert_eq!(lines[0], "error: 3 objects cannot be read");
    assert!(lines[1].starts_with("  .agent/skills/odd\\nerror: name/three/SKILL.md ("), "{}", run.stderr);
    assert!(
        lines[2].starts_with("  .agent/skills/one/SKILL.md (") && lines[2].ends_with("): missing"),
        "{}",
        run.stderr
    );
    assert_eq!(&lines[4..], ["  help: run `git fsck`"], "{}", run.stderr);
}

#[test]
fn reports_missing_skills() {
    let repository = Repository::new();
    repository.write("README.md", "# Nothing\n").commit();
    let run = repository.skilltree(&["check"]);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("there is no SKILL.md"), "{}", run.stderr);
    let words = "here is no skill to check";
    for format in ["full", "concise", "json", "sarif", "github", "markdown", "gitlab", "rdjson", "junit", "html"] {
        let run = repository.skilltree(&["check", "--error-on-empty", "--format", format]);
        assert_eq!(run.status, 1, "{format}");
        assert!(run.stdout.contains(words), "{format}: {}", run.stdout);
        let is_marked = match format {
            "junit" => run.stdout.contains("failures=\"1\"") && run.stdout.contains("<failure type=\"failed\""),
            "github" => run.stdout.starts_with("::error "),
            "full" | "concise" => run.stdout.starts_with("error: ") && !run.stderr.contains(words),
            _ => true,
        };
        assert!(is_marked, "{format}: {}", run.stdout);
    }
    let counts = repository.skilltree(&["check", "--error-on-empty", "--format", "counts"]);
    assert!(counts.stdout.contains("skills=0\n") && counts.stderr.contains(words), "{}", counts.stdout);
    repository.write("skilltree.toml", "error-on-empty = true\n");
    assert_eq!(repository.skilltree(&["check"]).status, 1);
}

#[test]
fn checks_named_paths_outside_skills_directories() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "good").write("tests/data/one/SKILL.md", "text\n");
    repository.write("skilltree.toml", "exclude = [\"tests\"]\n").add();
    assert_eq!(repository.skilltree(&["check"]).status, 0);
    for path in ["tests", "tests/data", "tests/data/one", "tests/data/one/SKILL.md"] {
        let run = repository.skilltree(&["check", path, "--format", "concise"]);
        assert_eq!(run.status, 1, "{path}: {}", run.stderr);
        assert!(run.stdout.starts_with("tests/data/one/SKILL.md:1:1: error[missing-front-matter]"), "{}", run.stdout);
        assert_eq!(repository.skilltree(&["check", "--staged", path]).status, 1);
    }
    assert_eq!(repository.skilltree(&["check", "."]).status, 0);
    assert_eq!(repository.skilltree(&["check", ".agent/skills/good"]).status, 0);
    assert_eq!(repository.skilltree(&["check", "src"]).status, 2);
}

#[test]
fn writes_several_outputs_in_one_run() {
    let repository = mixed();
    let run = repository.skilltree(&[
        "check",
        "--format",
        "concise",
        "--output",
        "sarif=a.sarif",
        "--output",
        "markdown=a.md",
        "--output",
        "json=a.json",
    ]);
    assert_eq!(run.status, 1);
    for (file, format) in [("a.sarif", "sarif"), ("a.md", "markdown"), ("a.json", "json")] {
        let written = fs::read_to_string(repository.path().join(file)).unwrap();
        assert_eq!(written, repository.skilltree(&["check", "--format", format]).stdout, "{file}");
    }
}

#[cfg(unix)]
#[test]
fn keeps_existing_file_when_write_fails() {
    let repository = mixed();
    repository.write("kept.sarif", "the old file\n");
    fs::create_dir(repository.path().join("directory")).unwrap();
    std::os::unix::fs::symlink("kept.sarif", repository.path().join("link")).unwrap();
    for path in ["directory", "link", "nowhere/a.sarif"] {
        let run = repository.skilltree(&["check", "--output", &format!("sarif={path}")]);
        assert_eq!(run.status, 2, "{path}: {}", run.stderr);
        assert!(run.stderr.contains("help: "), "{path}: {}", run.stderr);
    }
    assert_eq!(fs::read_to_string(repository.path().join("kept.sarif")).unwrap(), "the old file\n");
}

#[test]
fn reads_skill_from_standard_input() {
    let anywhere = tempfile::tempdir().unwrap();
    let check = |text: &str| {
        skilltree_with_input(anywhere.path(), &["check", "-", "--format", "concise"], &[], text.as_bytes())
    };
    let run = check(BROKEN);
    assert_eq!(run.status, 1);
    assert!(run.stdout.contains("SKILL.md:3:27: error[invalid-yaml]"), "{}", run.stdout);
    assert_eq!(check(&good("pdf")).status, 0);
}

#[test]
fn skips_directory_rules_without_path() {
    let anywhere = tempfile::tempdir().unwrap();
    let description = "description: Does it. Use when it is wanted.";
    let cases = [
        (format!("name: Foo Bar\n{description}"), 1, "help: rename it to `foo-bar`\n"),
        (format!("name: Foo_Bar\n{description}"), 1, "help: rename it to `foo-bar`\n"),
        (description.to_owned(), 1, "help: write `name: …`"),
        (format!("name : pdf\n{description}"), 0, ""),
        (format!("name: \"pdf\" # so\n{description}"), 0, ""),
    ];
    for (fields, status, words) in cases {
        let text = format!("---\n{fields}\n---\nDo it.\n");
        let run = skilltree_with_input(anywhere.path(), &["check", "-", "--target", "roo"], &[], text.as_bytes());
        assert_eq!(run.status, status, "{fields}: {}", run.stdout);
        assert!(run.stdout.contains(words), "{fields}: {}", run.stdout);
        assert!(!run.stdout.contains("directory is"), "{fields}: {}", run.stdout);
        assert!(!run.stdout.contains("like its directory"), "{fields}: {}", run.stdout);
        assert!(!run.stderr.contains("skilltree fix"), "{fields}: {}", run.stderr);
    }
}

#[test]
fn counts_skills_of_named_path() {
    let repository = mixed();
    let check = |arguments: &[&str]| repository.skilltree(&[&["check"], arguments].concat());
    let good = ".agent/skills/good-one";
    let words = check(&[good]).stderr;
    assert!(words.starts_with("no findings in 1 of 2 skills (working tree)\n"), "{words}");
    let words = check(&[".agent/skills/nameless"]).stderr;
    assert!(words.starts_with("1 error in 1 of 2 skills (working tree)\n"), "{words}");
    let words = check(&[".agent/skills"]).stderr;
    assert!(words.starts_with("1 error in 2 skills (working tree)\n"), "{words}");
    let text = check(&[good, "--format", "markdown"]).stdout;
    assert!(text.contains("\n1 of 2 skills (working tree).\n"), "{text}");
    let report: Value = serde_json::from_str(&check(&[good, "--format", "json"]).stdout).unwrap();
    assert_eq!(report["summary"]["words"], "no findings in 1 of 2 skills (working tree)");
}

#[test]
fn reads_directory_outside_repository() {
    let anywhere = tempfile::tempdir().unwrap();
    let skill = anywhere.path().join("skills/pdf/SKILL.md");
    fs::create_dir_all(skill.parent().unwrap()).unwrap();
    fs::write(&skill, BROKEN).unwrap();
    for path in ["skills", "skills/pdf", "skills/pdf/SKILL.md"] {
        let run = skilltree(anywhere.path(), &["check", path, "--format", "concise"], &[]);
        assert_eq!(run.status, 1, "{path}: {}", run.stderr);
        assert!(run.stdout.contains("SKILL.md:3:27: error[invalid-yaml]"), "{path}: {}", run.stdout);
    }
    assert_eq!(skilltree(anywhere.path(), &["check"], &[]).status, 2, "no repository, and nothing was named");
}

#[test]
fn hook_checks_index() {
    let repository = mixed();
    repository.write(".agent/skills/good-one/SKILL.md", BROKEN);
    let check = |variables: &[(&str, &str)]| skilltree(repository.path(), &["check"], variables).stderr;
    assert!(check(&[]).contains("(working tree)"));
    assert!(check(&[("PRE_COMMIT", "1")]).contains("(index)"));
    assert!(check(&[("GIT_INDEX_FILE", ".git/index")]).contains("(index)"));
    assert!(check(&[("PRE_COMMIT", "1"), ("PRE_COMMIT_TO_REF", "main")]).contains("(main at "));
}

#[test]
fn bare_repository_checks_head() {
    let repository = mixed();
    let bare = tempfile::tempdir().unwrap();
    let path = bare.path().join("bare.git");
    repository.git(&["clone", "--quiet", "--bare", ".", path.to_str().unwrap()]);
    let run = skilltree(&path, &["check"], &[]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains(" (HEAD at "), "{}", run.stderr);
}

#[test]
fn output_depends_only_on_skills() {
    let repository = mixed();
    let elsewhere = Repository::new();
    elsewhere.git(&["pull", "--quiet", repository.path().to_str().unwrap(), "main"]);
    for format in ["full", "json", "sarif", "markdown", "github"] {
        let arguments = |jobs| ["check", "--rev", "HEAD", "--format", format, "--jobs", jobs];
        let one = repository.skilltree(&arguments("1"));
        let many = skilltree(
            elsewhere.path(),
            &arguments("8"),
            &[("TZ", "Asia/Tokyo"), ("LANG", "de_DE.UTF-8"), ("HOME", "/dev/null/none"), ("COLUMNS", "40")],
        );
        assert_eq!(one.stdout, many.stdout, "{format}");
        assert_eq!(one.stderr, many.stderr, "{format}");
    }
}

#[test]
fn closed_pipe_keeps_exit_status() {
    use std::process::{Command, Stdio};
    let repository = mixed();
    let mut child = Command::new(common::program())
        .args(["check", "--staged", "--format", "json"])
        .current_dir(repository.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn quiet_verify_reports_differences() {
    let repository = mixed();
    assert_eq!(repository.skilltree(&["prompt", "--out", "out"]).status, 0);
    assert_eq!(repository.skilltree(&["prompt", "--verify", "out", "-q"]).stderr, "");
    repository.skill(".agent/skills", "another");
    let run = repository.skilltree(&["prompt", "--verify", "out", "-q"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    assert!(run.stderr.contains("out: available-skills.md differs from line "), "{}", run.stderr);
    let run = repository.skilltree(&["prompt", "--verify", "out"]);
    assert!(
        run.stderr.ends_with("run `skilltree prompt --out out` with the same options to update it\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn reads_deltified_pack_like_loose_objects() {
    let repository = Repository::new();
    let body: String =
        (0..80).map(|line| format!("{line}: do what line {line} of the procedure asks for.\n")).collect();
    for number in 0..150 {
        let name = format!("copy-{number}");
        let broken = if number % 50 == 7 { "description: Build for AWS: ECS" } else { "description: A copy. Use it." };
        // Each copy keeps a line less than the one before, so that each is nearest to its neighbour.
        let kept: String = body.lines().skip(number / 2).map(|line| format!("{line}\n")).collect();
        let text = format!("---\nname: {name}\n{broken}\n---\n{kept}{}\n", "more ".repeat(number));
        repository.write(&format!(".agent/skills/{name}/SKILL.md"), text);
    }
    repository.commit();
    let check = || repository.skilltree(&["check", "--rev", "HEAD", "--format", "json"]);
    let loose = check();
    assert_eq!(loose.status, 1);
    repository.git(&["repack", "-adfq", "--depth=50", "--window=50"]);
    let packs = repository.path().join(".git/objects/pack");
    let index = fs::read_dir(packs).unwrap().map(|entry| entry.unwrap().path());
    let index = index.into_iter().find(|path| path.extension().is_some_and(|end| end == "idx")).unwrap();
    let chains = repository.git(&["verify-pack", "-v", index.to_str().unwrap()]);
    assert!(chains.contains("chain length = 3"), "git stored no chain of copies: {chains}");
    let packed = check();
    assert_eq!((packed.status, packed.stdout), (loose.status, loose.stdout));
}

#[test]
fn reports_skills_missing_in_working_tree() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "good").write(".agent/skills/bad/SKILL.md", "nothing good").commit();
    for index in ["--sparse-index", "--no-sparse-index"] {
        repository.git(&["sparse-checkout", "set", "--cone", index, "elsewhere"]);
        let run = repository.skilltree(&["check"]);
        assert_eq!(run.status, 1, "{}", run.stderr);
        assert!(run.stdout.contains(".agent/skills/bad/SKILL.md"), "{}", run.stdout);
        assert!(repository.skilltree(&["list"]).stdout.contains("good"));
    }
    let parent = tempfile::tempdir().unwrap();
    let place = repository.path().display().to_string();
    common::git(parent.path(), &["clone", "--quiet", "--no-checkout", &place, "clone"], &[]);
    let clone = parent.path().join("clone");
    let commands: [&[&str]; 5] = [&["check"], &["check", "--staged"], &["check", "--quiet"], &["list"], &["forecast"]];
    for command in commands {
        let run = skilltree(&clone, command, &[]);
        assert_eq!(run.status, 2, "{command:?}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains("it has no index") && run.stderr.contains("`--rev HEAD`"), "{}", run.stderr);
    }
    assert_eq!(skilltree(&clone, &["check", "--rev", "HEAD"], &[]).status, 1);
    let empty = Repository::new();
    assert!(!empty.skilltree(&["check"]).stderr.contains("index"), "nothing was committed yet");
}

#[test]
fn root_option_ends_the_search_and_says_how_to_add_more() {
    let repository = Repository::new();
    for root in ["stuff", ".claude/skills", "odd name"] {
        repository.skill(root, &format!("pdf-{}", root.len()));
    }
    repository.add();
    let run = repository.skilltree(&["check", "--root", "stuff"]);
    assert!(run.stderr.contains("in 1 skill "), "{}", run.stderr);
    let advice = "add `--root .claude/skills` and `--root 'odd name'` to check them; or `exclude = [";
    let text = run.stdout.replace("\n         ", " ");
    assert!(text.contains(advice) && !text.contains("[[root]]"), "{}", run.stdout);
    // In a run without the option, the search ends with a table of the file.
    assert!(repository.skilltree(&["check"]).stdout.contains("add to skilltree.toml, one `[[root]]` each"));
}
