//! Requirements of the designs: docs/dev/seeds.md has one row for each. Also tests requirements that fit no other file.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::Path;

use crate::common::{self, Repository};
use pulldown_cmark::{Event, Parser, Tag};

fn read(path: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

/// Rows of the page: id, and place of the requirement.
fn rows() -> Vec<(String, String)> {
    let page = read("docs/dev/seeds.md").unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| ")).filter(|row| row.as_bytes()[1].is_ascii_digit());
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        assert_eq!(cells.len(), 3, "{row}");
        (cells[0].to_owned(), cells[2].to_owned())
    })
    .collect()
}

#[test]
fn page_has_one_row_per_requirement() {
    let ids: Vec<String> = rows().into_iter().map(|(id, _)| id).collect();
    let known: Vec<&str> = include_str!("designs/requirements.txt").lines().collect();
    assert_eq!(known.len(), 110);
    assert_eq!(ids, known);
}

#[test]
fn at_most_twelve_rows_differ() {
    assert!(rows().iter().filter(|(_, place)| place.starts_with("different: ")).count() <= 12);
}

/// Returns how a test with this name is declared in a file.
fn declarations(file: &str, name: &str) -> Vec<String> {
    match file.rsplit('.').next().unwrap() {
        "rs" => vec![format!("#[test]\nfn {name}()"), format!("    fn {name}()"), format!("#[cfg(unix)]\nfn {name}()")],
        "exs" => vec![format!("  test \"{name}\"")],
        "py" => vec![format!("    def {name}(self)")],
        "cs" => vec![format!("    static void {name}(Skilltree skilltree")],
        "el" => vec![format!("(ert-deftest {name} ()")],
        "go" => vec![format!("func {name}(t *testing.T)")],
        other => panic!("{file}: no tests are written in {other}"),
    }
}

#[test]
fn rows_name_existing_tests_or_give_reason() {
    for (id, place) in rows() {
        if let Some(reason) = place.strip_prefix("not ours: ").or(place.strip_prefix("different: ")) {
            assert!(reason.len() > 20, "{id} says why in a sentence");
            continue;
        }
        let place = place.trim_matches('`');
        let (file, function) = place.split_once("::").unwrap_or((place, ""));
        let text = read(file).unwrap_or_else(|| panic!("{id}: there is no {file}"));
        match function {
            "" => assert!(
                file.starts_with("crates/lint/src/rules/") && text.contains("## "),
                "{id}: {file} is no page of a rule"
            ),
            _ => assert!(
                declarations(file, function).iter().any(|declaration| text.contains(declaration.as_str())),
                "{id}: {file} has no `{function}`"
            ),
        }
    }
}

#[test]
fn own_skills_are_listed_for_symphony() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = common::skilltree(top, &["prompt", "--worktree", "--profile", "symphony"], &[]);
    assert!(run.stdout.contains("\n- release — ") && run.stdout.contains("\n- add-a-profile — "), "{}", run.stdout);
}

#[test]
fn skill_of_symphony_loads_in_other_agents() {
    let repository = Repository::new();
    repository.skill(".symphony/skills", "add-migration");
    repository.skill(".agents/skills", "add-migration").skill(".claude/skills", "add-index").add();
    let targets = ["--target=codex", "--target=opencode", "--target=claude-code"];
    let forecast = repository.skilltree(&[&["forecast", "--format=json"], &targets[..]].concat());
    assert_eq!(forecast.status, 0, "{}", forecast.stderr);
    // Codex reads one of the directories, Claude Code another, opencode both, and none of them that of Symphony.
    assert_eq!(forecast.stdout.matches("\"loads\"").count(), 4, "{}", forecast.stdout);
    assert_eq!(forecast.stdout.matches("\"not-read\"").count(), 5, "{}", forecast.stdout);
}

#[test]
fn documentation_explains_layout_compatibility_and_authoring() {
    let page = |path: &str| read(path).unwrap();
    let layout = page("docs/prompt.md");
    for words in [".symphony/skills/<name>/SKILL.md", "WORKFLOW.md", "## Select skills"] {
        assert!(layout.contains(words), "{words}");
    }
    let compatibility = page("docs/runtimes.md");
    for words in ["Symphony", ".symphony/skills", "Codex", "Claude Code"] {
        assert!(compatibility.contains(words), "{words}");
    }
    let authoring = page(".agent/skills/write-a-skill/SKILL.md");
    for words in ["name", "description", "when_to_use", "skilltree"] {
        assert!(authoring.contains(words), "{words}");
    }
}

#[test]
fn skill_about_writing_skills_has_no_findings() {
    let repository = Repository::new();
    repository.write(".agent/skills/write-a-skill/SKILL.md", read(".agent/skills/write-a-skill/SKILL.md").unwrap());
    let check = repository.add().skilltree(&["check", "--fail-on=note"]);
    assert!(check.stderr.contains(" in 1 skill (working tree)"), "{}", check.stderr);
    assert_eq!(check.status, 0, "{}{}", check.stdout, check.stderr);
}

#[test]
fn tracker_comment_contains_no_active_markup() {
    let repository = Repository::new();
    let hostile = "---\nname: \"@team #12 <b>\"\ndescription: |\n  https://x.example @all\n  # heading\n---\nBody.\n";
    repository.write(".agent/skills/a|b @team #7/SKILL.md", hostile);
    repository.write(".agent/skills/nameless/SKILL.md", "---\ndescription: Has no name.\n---\nBody.\n");
    let out = tempfile::tempdir().unwrap();
    let prompt = repository.skilltree(&["prompt", "--out", out.path().to_str().unwrap()]);
    assert_eq!(prompt.status, 0, "{}", prompt.stderr);
    let comment = fs::read_to_string(out.path().join("comment.md")).unwrap();
    assert!(comment.chars().all(|c| c == '\n' || !c.is_control()), "{comment}");
    let mut code = 0;
    for event in Parser::new(&comment) {
        match event {
            Event::Text(text) => assert!(!text.contains(['@', '#', '<', '|']) && !text.contains("://"), "{text}"),
            Event::Code(_) => code += 1,
            // The marker, which no repository can write.
            Event::Html(text) => assert_eq!(&*text, "<!-- skilltree: skipped skills -->\n"),
            Event::Start(Tag::HtmlBlock) => {}
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::List(None) | Tag::Item | Tag::Strong) => {}
            Event::End(_) | Event::SoftBreak => {}
            other => panic!("a comment has {other:?}: {comment}"),
        }
    }
    assert!(code > 3, "{comment}");
    let lines: Vec<&str> = comment.lines().filter(|line| line.starts_with("- ")).collect();
    let mut once = lines.clone();
    once.dedup();
    assert_eq!(lines, once);
}

#[test]
fn forecasts_fields_that_majordomo_drops() {
    let repository = Repository::new();
    repository.write(
        ".agent/skills/hooked/SKILL.md",
        common::good("hooked").replace("when_to_use", "hooks: [start]\nwhen_to_use"),
    );
    repository.write("skilltree.toml", "[[root]]\npath = '.agent/skills'\nprofile = 'majordomo'\n");
    let forecast = repository.skilltree(&["forecast", "--target=majordomo", "--format=json"]);
    assert_eq!(forecast.status, 0, "{}", forecast.stderr);
    assert!(forecast.stdout.contains("hooks"), "{}", forecast.stdout);
}

/// The programs of the designs need toolchains that few machines have. Without one, this finds an option that was renamed.
#[test]
fn programs_pass_options_that_exist() {
    let repository = Repository::new();
    let commands =
        ["prompt", "show", "agent thread list", "agent thread bind", "agent thread unbind", "agent knowledge add"];
    let help = |command: &str| {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        repository.skilltree(&words).stdout
    };
    let help: String = commands.into_iter().map(help).collect();
    let is_option = |character: char| character.is_ascii_lowercase() || character == '-';
    let known: Vec<&str> = help.split(|character| !is_option(character)).collect();
    for path in
        ["amacs/agent-skills.el", "majordomo/skill/skill.go", "swarm/RolePromptFactory.cs", "symphony/loader_test.exs"]
    {
        let text = read(&format!("examples/designs/{path}")).unwrap();
        let options: Vec<&str> = text
            .split("\"--")
            .skip(1)
            .filter_map(|rest| rest.split(|character| !is_option(character)).next())
            .filter(|name| name.starts_with(|character: char| character.is_ascii_lowercase()))
            .collect();
        assert!(!options.is_empty(), "{path}");
        for option in options {
            assert!(known.contains(&format!("--{option}").as_str()), "{path}: --{option}");
        }
    }
}
