//! Layouts of public repositories: which skills are found in each, the same from the index, a tree, the working tree and a plain
//! directory.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the test writes repositories, and prints its table"
)]

use std::collections::BTreeSet;
use std::fs;

use crate::common::{self, Repository, good, skilltree};

/// A layout: its name, the files that are not skills, the skills that are checked, and the SKILL.md files that are not.
struct Layout {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    links: &'static [(&'static str, &'static str)],
    checked: &'static [&'static str],
    others: &'static [&'static str],
    status: i32,
}

const NONE: Layout = Layout { name: "", files: &[], links: &[], checked: &[], others: &[], status: 0 };

const MARKETPLACE: &str = r#"{"name": "m", "owner": {"name": "o"}, "plugins": [
  {"name": "documents", "source": "./", "skills": ["./document-skills/pdf", "./document-skills/docx"]},
  {"name": "web", "source": "./bundles/web"},
  {"name": "remote", "source": {"source": "github", "repo": "a/b"}}]}"#;

const LAYOUTS: &[Layout] = &[
    Layout { name: "one runtime", checked: &[".claude/skills/a"], ..NONE },
    Layout { name: "two runtimes", checked: &[".claude/skills/a", ".codex/skills/b"], ..NONE },
    Layout { name: "the open directory", checked: &[".agents/skills/a", ".agents/skills/b"], ..NONE },
    Layout { name: "the defaults", checked: &[".agent/skills/a", ".symphony/skills/b"], ..NONE },
    Layout {
        name: "GitHub",
        checked: &[".github/skills/a"],
        files: &[(".github/workflows/x.yml", "on: push\n")],
        ..NONE
    },
    Layout { name: "OpenCode's other name", checked: &[".opencode/skill/a"], ..NONE },
    Layout { name: "a mode of Roo", checked: &[".roo/skills-code/a"], ..NONE },
    Layout { name: "a collection in skills", checked: &["skills/a", "skills/b"], others: &["template"], ..NONE },
    Layout {
        name: "a collection in groups",
        checked: &["skills/.curated/a", "skills/web/b", "skills/web/deep/c"],
        ..NONE
    },
    Layout {
        name: "a collection at the top",
        checked: &["a", "b", "c"],
        files: &[("docs/guide.md", "# Guide\n")],
        ..NONE
    },
    Layout { name: "a collection at the top that uses a runtime", checked: &["a", "b", ".claude/skills/c"], ..NONE },
    Layout { name: "a repository that is one skill", checked: &["."], files: &[("scripts/run.py", "pass\n")], ..NONE },
    Layout { name: "plugins", checked: &["plugins/x/skills/a", "plugins/y/skills/b"], ..NONE },
    Layout {
        name: "a marketplace",
        files: &[(".claude-plugin/marketplace.json", MARKETPLACE)],
        checked: &["document-skills/pdf", "document-skills/docx", "bundles/web/skills/a"],
        others: &["bundles/other/skills/z"],
        ..NONE
    },
    Layout {
        name: "a plugin with its own directory",
        files: &[("tool/.claude-plugin/plugin.json", r#"{"name": "tool", "skills": "./custom"}"#)],
        checked: &["tool/custom/a", "tool/skills/b"],
        ..NONE
    },
    Layout {
        name: "a broken manifest",
        files: &[(".claude-plugin/marketplace.json", "{ not JSON")],
        checked: &["skills/a"],
        status: 1,
        ..NONE
    },
    Layout { name: "packages", checked: &["packages/web/.claude/skills/a", "apps/api/.agents/skills/b"], ..NONE },
    Layout {
        name: "a package that lacks a dot",
        checked: &[".agents/skills/a"],
        others: &["packages/web/skills/b"],
        ..NONE
    },
    Layout {
        name: "test data",
        checked: &["skills/a"],
        others: &["tests/data/.claude/skills/b", "fixtures/c", "pkg/testdata/skills/d"],
        ..NONE
    },
    Layout {
        name: "a vendored copy",
        checked: &["skills/a"],
        others: &["vendor/x/skills/a", "third_party/skills/b"],
        ..NONE
    },
    Layout { name: "only test data", others: &["tests/data/b", "tests/data/c"], ..NONE },
    Layout { name: "only documentation", others: &["docs/examples/b"], ..NONE },
    Layout {
        name: "only excluded test data",
        files: &[("skilltree.toml", "exclude = ['tests/**']\n"), ("tests/data/b/SKILL.md", "no skill\n")],
        ..NONE
    },
    Layout { name: "nothing", files: &[("README.md", "# Nothing\n")], ..NONE },
    Layout {
        name: "a linked skills directory",
        links: &[(".claude/skills", "../.agents/skills"), (".codex/skills", "../.agents/skills")],
        checked: &[".agents/skills/a", ".agents/skills/b"],
        ..NONE
    },
    Layout {
        name: "a link to a directory of another name",
        links: &[(".claude/skills", "../team/knowledge")],
        checked: &["team/knowledge/a"],
        ..NONE
    },
    Layout {
        name: "a linked runtime directory",
        links: &[(".claude", ".agents")],
        checked: &[".agents/skills/a"],
        ..NONE
    },
    Layout {
        name: "installed packages",
        files: &[
            ("node_modules/x/skills/n/SKILL.md", "no skill\n"),
            ("web/node_modules/.claude/skills/n/SKILL.md", "\n"),
        ],
        checked: &[".claude/skills/a"],
        ..NONE
    },
    Layout {
        name: "a document called skill.md",
        files: &[("docs/skill.md", "# A page\n"), ("skill.md", "# A page\n")],
        checked: &["skills/a"],
        ..NONE
    },
];

/// Writes a layout.
fn write(layout: &Layout) -> Repository {
    let repository = Repository::new();
    for directory in layout.checked.iter().chain(layout.others) {
        let name = directory.rsplit('/').next().unwrap_or_default().trim_matches('.');
        let name = if name.is_empty() { "whole" } else { name };
        let text = format!(
            "---\nname: {name}\ndescription: Does {directory}. Use when {directory} is asked.\n---\nDo it.\n\nThen stop.\n"
        );
        repository.write(&format!("{directory}/SKILL.md"), text);
    }
    layout.files.iter().for_each(|(path, text)| {
        repository.write(path, *text);
    });
    #[cfg(unix)]
    for (path, target) in layout.links {
        let link = repository.path().join(path);
        fs::create_dir_all(link.parent().expect("a link is in the repository")).expect("a directory can be made");
        std::os::unix::fs::symlink(target, link).expect("a link can be made");
    }
    repository
}

/// Returns the paths of the checked skills and the number of the others, from the JSON of a run without rules about single skills.
fn found(run: &common::Run) -> (BTreeSet<String>, usize) {
    let report: serde_json::Value = serde_json::from_str(&run.stdout).expect("the report is JSON");
    let findings = report["findings"].as_array().expect("findings are a list");
    let message = findings.iter().find(|finding| {
        let rule = finding["rule"].as_str().expect("a rule is text");
        matches!(rule, "unchecked-skills" | "no-skills-checked")
    });
    let count =
        message.map_or("0", |finding| finding["message"].as_str().expect("text").split(' ').next().expect("a number"));
    let long = findings.iter().filter(|finding| finding["rule"] == "body-too-long");
    let path = |finding: &serde_json::Value| finding["path"].as_str().expect("a path is text").to_owned();
    (long.map(path).collect(), count.parse().expect("a number"))
}

#[test]
#[cfg(unix)]
fn finds_skills_in_public_layouts() {
    println!("| layout | skills found / present | not checked | exit status | lines |\n|---|---|---|---|---|");
    for layout in LAYOUTS {
        let repository = write(layout);
        // Every skill gets one finding, so that the report names it.
        let options = ["check", "--format", "json", "--rule", "body-too-long=note"];
        let limit = "[limits]\nbody-lines = 1\n";
        let settings = repository.path().join("skilltree.toml");
        let own = fs::read_to_string(&settings).unwrap_or_default();
        repository.write("skilltree.toml", own + limit).commit();
        let sources: [&[&str]; 3] = [&["--staged"], &["--rev", "HEAD"], &["--worktree"]];
        let runs = sources.map(|source| repository.skilltree(&[&options, source].concat()));
        let outside = tempfile::tempdir().expect("a directory can be made");
        fs::remove_dir_all(repository.path().join(".git")).expect("it is there");
        let directory = repository.path().to_str().expect("a path is text").to_owned();
        let plain = skilltree(outside.path(), &[&options, &[directory.as_str()][..]].concat(), &[]);
        let expected: BTreeSet<String> = layout.checked.iter().map(|path| skill_file(path)).collect();
        // A plain directory with a SKILL.md is a skill directory, whose name counts.
        let plain = Some(&plain).filter(|_| layout.checked != ["."]);
        for run in runs.iter().chain(plain) {
            assert_eq!(run.status, layout.status, "{}: {}{}", layout.name, run.stdout, run.stderr);
            assert_eq!(found(run), (expected.clone(), layout.others.len()), "{}: {}", layout.name, run.stderr);
        }
        let present = layout.checked.len() + layout.others.len();
        let lines = runs[0].stderr.lines().count();
        println!(
            "| {} | {} / {present} | {} | {} | {lines} |",
            layout.name,
            expected.len(),
            layout.others.len(),
            layout.status
        );
    }
}

fn skill_file(directory: &str) -> String {
    if directory == "." { "SKILL.md".to_owned() } else { format!("{directory}/SKILL.md") }
}

#[test]
fn repository_that_is_a_skill_is_in_the_block_however_it_is_configured() {
    let repository = Repository::new();
    repository.write("SKILL.md", good("one")).add();
    let blocks = |options: &[&str]| {
        let prompt = repository.skilltree(&[&["prompt"], options].concat());
        assert!(
            prompt.stdout.contains("- one — ") && prompt.stdout.contains("(`SKILL.md`)"),
            "{options:?}: {}{}",
            prompt.stdout,
            prompt.stderr
        );
        assert!(!prompt.stdout.contains("<name>"), "{}", prompt.stdout);
        let show = repository.skilltree(&[&["show", "one"], options].concat());
        assert_eq!(show.status, 0, "{options:?}: {}", show.stderr);
        let list = repository.skilltree(&[&["list"], options].concat());
        assert!(list.stdout.starts_with("one "), "{options:?}: {}{}", list.stdout, list.stderr);
    };
    blocks(&[]);
    blocks(&["--root", "."]);
    repository.write("skilltree.toml", "edition = \"2026\"\n[[root]]\npath = \".\"\n").add();
    blocks(&[]);
    blocks(&["--staged"]);
    // Exactly one directory deep, there is no skill.
    let run = repository.skilltree(&["check", "--root", ".=symphony", "--no-config"]);
    let help = "help: move it to `one/SKILL.md`";
    assert!(run.stdout.starts_with("warning[skill-file-in-root]") && run.stdout.contains(help), "{}", run.stdout);
    // Next to others, it is one of them.
    repository.write("two/SKILL.md", good("two")).add();
    let prompt = repository.skilltree(&["prompt"]);
    let opening = "Read `<name>/SKILL.md` in full before using a skill from this list.\n";
    let lines = ["- one — The task mentions one. (`SKILL.md`)\n", "- two — The task mentions two.\n"];
    assert!(
        prompt.stdout.contains(opening) && lines.iter().all(|line| prompt.stdout.contains(line)),
        "{}",
        prompt.stdout
    );
}

/// Below the top, the runtime also reads the directory above it, and `forecast` counts both skills as loaded.
#[test]
fn name_of_two_packages_is_an_error_only_if_a_skill_is_lost() {
    let repository = Repository::new();
    for root in [".agents/skills", "packages/a/.agents/skills"] {
        let text =
            format!("---\nname: pdf\ndescription: Reads pdf in {root}. Use when {root} is meant.\n---\nDo {root}.\n");
        repository.write(&format!("{root}/pdf/SKILL.md"), text);
    }
    repository.commit();
    for target in [&[][..], &["--target", "opencode"]] {
        let forecast = repository.skilltree(&[&["forecast"], target].concat()).stdout;
        assert!(forecast.contains("2 of 2 loaded") && !forecast.contains("dropped"), "{forecast}");
        let check = repository.skilltree(&[&["check", "--format", "concise"], target].concat());
        assert!(check.status == 0 && check.stdout.contains("warning[duplicate-name]"), "{}", check.stdout);
    }
    // In one directory, a skill is lost.
    repository.write(".agents/skills/other/SKILL.md", good("pdf")).commit();
    assert!(repository.skilltree(&["check", "--format", "concise"]).stdout.contains("error[duplicate-name]"));
}
