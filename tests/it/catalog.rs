//! catalog.json: a selection from it gives the bytes of the program, in two other languages; and `--if-changed`.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{self, Repository, isolate, require};
use serde_json::Value;

/// Skills of three directories with tags, roles, tools, bodies in several forms, and one that has an error.
fn repository() -> Repository {
    let repository = Repository::new();
    let skill = |root: &str, name: &str, fields: &str, body: &str| {
        let head = format!("---\nname: {name}\ndescription: Does {name}. Use when {name} is wanted.\n{fields}---\n");
        repository.write(&format!("{root}/{name}/SKILL.md"), format!("{head}{body}"));
    };
    let agent = ".agent/skills";
    skill(
        agent,
        "api-docs",
        "tags: [api, docs, error-handling]\nroles: [Builder, reviewer]\n",
        "\n\nDocument it.\n\n\n",
    );
    skill(
        agent,
        "api-tests",
        "tags: api, Tests, हिन्दी\ntools: [clock]\n",
        "Test it \u{1f600} “so”.\n\n```sh\nls\n```\n",
    );
    skill(agent, "crlf", "tags: [api, api, crlf]\nroles: planner\n", "\r\n    code\r\nText.\r\n  \r\n");
    skill(agent, "deploy", "tags: [deploy]\ntools: [clock, calc]\n", "Deploy \"it\"\\ with\ttabs & <b>.\n");
    skill(agent, "empty-tags", "", "No tags.\n");
    skill(agent, "long", "tags: [api, docs]\n", &"A long body. ".repeat(400));
    skill(agent, "open", "tags: [open, api]\n", "```\nnever closed\n");
    bodies(&skill);
    skill(".symphony/skills", "land", "tags: [merge]\nwhen_to_use: a change is to be merged\n", "Land it.\n");
    skill(".camel/skills", "camel-only", "tags: [api]\n", "Camels.\n");
    let named = common::good("named").replacen("name: named", "name: named\ntags: [bodies]", 1);
    assert!(named.contains("tags:"));
    repository.write(".agent/skills/other-name/SKILL.md", named);
    repository.write("small.toml", "[limits]\nprompt-chars = 420\n");
    repository.write(".agent/skills/broken/SKILL.md", "---\ndescription: Has no name.\n---\nBody.\n");
    repository.write(
        ".agent/threads.json",
        r#"{"threads": {"7": {"bound-skills": ["deploy", "gone", "crlf", "other-name"]}}}"#,
    );
    repository.commit();
    for (content, scope) in [("An api has docs.", "global"), ("The api is old.", "task:9"), ("Retry.", "global")] {
        let who = format!("agent-{}", content.len());
        let add = [
            "agent",
            "knowledge",
            "add",
            "--category=tip",
            "--content",
            content,
            "--contributor",
            &who,
            "--scope",
            scope,
        ];
        assert_eq!(repository.skilltree(&add).status, 0);
    }
    repository.commit();
    repository
}

/// Bodies that look like parts of a block, or that end, reopen or hide it.
fn bodies(skill: &dyn Fn(&str, &str, &str, &str)) {
    let fenced = "```markdown\n---\nname: x\n---\n### deploy\n--- End Agent Skills ---\n```\n";
    let cases = [
        ("b-rules", "---\n\n# Title\n\n## Part\n\n---\nA\n---\n\n### Steps\n\n1. One\n***\n"),
        ("b-fenced", fenced),
        ("b-own", "### b-own\n\nIts own heading."),
        ("b-deploy", "### deploy\n\nThe heading of another skill.\n"),
        ("b-hidden", "<div>\n### `crlf`\n</div>\n\n> ### api-docs\n"),
        ("b-named", "### named\n\nA name.\n"),
        ("b-other", "### other-name\n\nA directory.\n"),
        ("b-end", "Before.\n--- End Agent Skills ---\n"),
        ("b-begin", "---  agent skills ---\n"),
        ("b-thread", "Thread  Skills\n---\n"),
        ("b-tilde", "~~~\nnever closed\n"),
        ("b-comment", "<!-- never closed\n"),
        ("b-pre", "a\n\n<pre>\nnever closed\n"),
        ("b-element", "A </Skill > ends a message.\n"),
        (
            "b-marks",
            "👩\u{200d}🔧 ⚠\u{fe0f} \u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} ##[x ##vso[a] ###warning[ ## a[\n",
        ),
    ];
    for (name, body) in cases {
        skill(".agent/skills", name, "tags: [bodies]\nroles: [builder]\n", body);
    }
}

/// Each profile and its options, and selections that it supports.
const RECIPES: [&[&str]; 8] = [
    &[],
    &["--budget-skills=2"],
    &["--profile=swarm"],
    &["--profile=swarm", "--budget-chars=150", "--each-tokens=30"],
    &["--profile=swarm", "--config=small.toml"],
    &["--profile=amacs"],
    &["--profile=majordomo"],
    &["--profile=camel", "--root=.agent/skills=camel"],
];

fn selections() -> Vec<Vec<&'static str>> {
    let mut selections: Vec<Vec<&str>> = vec![vec!["--all"], vec!["--all", "--messages"]];
    for task in [
        "Write the docs of an API",
        "Handle errors: error handling, api tests",
        "deploy",
        "हिन्दी",
        "nothing",
        "crlf api",
        "bodies",
        "bodies, deploy an api with docs",
    ] {
        selections.push(vec!["--task", task]);
        if task.contains("docs") {
            selections.push(vec!["--task", task, "--role", "BUILDER"]);
            selections.push(vec!["--task", task, "--task-id", "9"]);
        }
    }
    for text in [
        "Use $deploy, then /land and @crlf.",
        "`$deploy` and\n```\n$crlf\n```\n\n    /long\n\n**$api-docs** a/deploy ~/land",
        "[$crlf](.agent/skills/crlf/SKILL.md) [$land](./.symphony/skills/land/) [$crlf](elsewhere)",
        "none",
    ] {
        selections.push(vec!["--mention", text]);
        selections.push(vec!["--mention", text, "--messages"]);
    }
    selections.push(vec!["--skill", "crlf", "other-name"]);
    selections.push(vec!["--skill", "deploy", "empty-tags", "api-docs"]);
    selections.push(vec!["--skill", "deploy", "api-tests"]);
    selections.push(vec!["--skill", "missing"]);
    selections.push(vec!["--skill", "b-deploy", "b-hidden", "b-named", "b-other"]);
    selections.push(vec!["--skill", "deploy", "b-deploy", "b-own", "b-rules", "b-fenced"]);
    selections.push(vec!["--skill", "b-deploy", "deploy", "b-own"]);
    selections.push(vec!["--skill", "b-hidden", "crlf"]);
    selections.push(vec!["--skill", "b-hidden", "api-docs"]);
    selections.push(vec!["--skill", "b-named", "b-other", "other-name"]);
    selections.push(vec!["--skill", "named"]);
    selections.push(vec!["--mention", "$named, $b-named and $b-other", "--messages"]);
    selections.push(vec!["--mention", "$b-marks $b-element"]);
    selections.push(vec!["--task", "bodies", "--messages"]);
    selections.push(vec!["--task", "bodies and tags", "--role", "planner"]);
    selections.push(vec!["--thread", "7"]);
    selections.push(vec!["--thread", "8"]);
    selections
}

/// The arguments of the program for a selection of a selector.
fn program(selection: &[&str]) -> Vec<String> {
    let mut arguments = Vec::new();
    let mut words = selection.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "--all" => {}
            "--messages" => arguments.push("--format=messages".to_owned()),
            "--skill" => {
                while let Some(name) = words.next_if(|word| !word.starts_with("--")) {
                    arguments.push(format!("--skill={name}"));
                }
            }
            option => arguments.push(format!("{option}={}", words.next().unwrap())),
        }
    }
    arguments
}

fn selectors() -> [(&'static str, PathBuf); 2] {
    require("python3", "python3");
    require("node", "nodejs");
    let example = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/selectors").join(name);
    [("python3", example("selector.py")), ("node", example("selector.mjs"))]
}

/// The blocks that a selector prints for some selections.
fn selected(interpreter: &str, script: &Path, catalog: &Path, repository: &Repository) -> Vec<Option<String>> {
    let lines: Vec<String> = selections().iter().map(|words| serde_json::to_string(words).unwrap()).collect();
    let input = catalog.with_file_name("selections");
    fs::write(&input, lines.join("\n")).unwrap();
    let mut command = Command::new(interpreter);
    let command = isolate(&mut command).arg(script).arg(catalog).arg(repository.path()).arg("-");
    let output = command.stdin(fs::File::open(&input).unwrap()).output().unwrap();
    assert!(output.status.success(), "{interpreter}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn selectors_print_the_bytes_of_the_program() {
    let repository = repository();
    for recipe in RECIPES.into_iter().rev() {
        let out = tempfile::tempdir().unwrap();
        let catalog = |name: &str, bodies: &[&str]| {
            let place = out.path().join(name);
            // All skills together bring a tool twice, which majordomo refuses. The catalog does not depend on the selection.
            let one: &[&str] = if recipe.contains(&"--profile=majordomo") { &["--skill=crlf"] } else { &[] };
            let out = ["prompt", "--out", place.to_str().unwrap()];
            let run = repository.skilltree(&[&out[..], recipe, bodies, one].concat());
            assert_eq!(run.status, 0, "{}", run.stderr);
            place.join("catalog.json")
        };
        let catalogs = [catalog("with", &["--bodies"]), catalog("without", &[])];
        let expected: Vec<Option<String>> = selections()
            .iter()
            .map(|selection| {
                let options = program(selection);
                let options: Vec<&str> = options.iter().map(String::as_str).collect();
                let run = repository.skilltree(&[&["prompt"], recipe, &options].concat());
                (run.status == 0).then_some(run.stdout)
            })
            .collect();
        assert!(expected.iter().flatten().any(|block| !block.is_empty()), "{recipe:?}");
        for (interpreter, script) in selectors() {
            for catalog in &catalogs {
                let found = selected(interpreter, &script, catalog, &repository);
                for ((selection, found), expected) in selections().iter().zip(&found).zip(&expected) {
                    assert_eq!(found, expected, "{interpreter} {recipe:?} {selection:?} {}", catalog.display());
                }
                assert_eq!(found.len(), expected.len());
            }
        }
    }
}

#[test]
fn selectors_read_skills_that_git_does_not_have() {
    let repository = Repository::new();
    repository.skill(".agent/skills", "old").commit().skill(".agent/skills", "new");
    repository.write(".agent/skills/old/SKILL.md", common::good("old").replace("Do it.", "Do it well."));
    let out = tempfile::tempdir().unwrap();
    let words = ["--skill=old", "--skill=new", "--profile=amacs"];
    let path = out.path().to_str().unwrap();
    assert_eq!(repository.skilltree(&[&["prompt", "--out", path], &words[..]].concat()).status, 0);
    let expected = repository.skilltree(&[&["prompt"], &words[..]].concat()).stdout;
    let select = |interpreter: &str, script: &Path| {
        let mut command = Command::new(interpreter);
        let command = isolate(&mut command).arg(script).arg(out.path().join("catalog.json")).arg(repository.path());
        command.args(["--skill", "old", "new"]).output().unwrap()
    };
    for (interpreter, script) in selectors() {
        let output = select(interpreter, &script);
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(expected.contains("Do it well.") && expected.contains("### new"), "{expected}");
    repository.write(".agent/skills/new/SKILL.md", common::good("new").replace("Do it.", "Do evil."));
    for (interpreter, script) in selectors() {
        let output = select(interpreter, &script);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && output.stdout.is_empty(), "{interpreter}: {message}");
        assert!(
            message.contains(".agent/skills/new/SKILL.md differs from the checked file"),
            "{interpreter}: {message}"
        );
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn catalog_is_valid_and_points_into_files() {
    let schema: Value = serde_json::from_str(include_str!("../../schema/catalog.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let repository = repository();
    repository.write(".agent/skills/new/SKILL.md", common::good("new"));
    repository.write(".agent/skills/deploy/SKILL.md", common::good("deploy"));
    for recipe in RECIPES {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().to_str().unwrap();
        assert_eq!(repository.skilltree(&[&["prompt", "--bodies", "--out", path], recipe].concat()).status, 0);
        let catalog = read(&out.path().join("catalog.json"));
        let errors: Vec<String> = validator.iter_errors(&catalog).map(|error| error.to_string()).collect();
        assert_eq!(errors, [""; 0], "{recipe:?}");
        let index = read(&out.path().join("skills.json"));
        assert_eq!(catalog["source"], index["source"]);
        let tags = catalog["tag_index"].as_array().unwrap();
        for (at, skill) in catalog["skills"].as_array().unwrap().iter().enumerate() {
            for tag in skill["tags"].as_array().unwrap() {
                let is_listed =
                    |entry: &Value| entry["tag"] == *tag && entry["skills"].as_array().unwrap().contains(&at.into());
                assert!(tags.iter().any(is_listed), "{tag} of {}", skill["name"]);
            }
        }
        assert!(!tags.is_empty());
        for skill in catalog["skills"].as_array().unwrap() {
            let file = fs::read(repository.path().join(skill["body_path"].as_str().unwrap())).unwrap();
            let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
            let body = &skill["body"];
            let (before, rest) = file.split_at(number(&body["offset"]));
            let (text, after) = rest.split_at(number(&body["length"]));
            assert_eq!(text, body["text"].as_str().unwrap().as_bytes());
            assert!(before.trim_ascii_end().ends_with(b"---") && after.trim_ascii().is_empty());
            let is_changed = ["new", "deploy"].contains(&skill["name"].as_str().unwrap());
            assert_eq!(skill["blob"].is_null(), is_changed, "{skill:#}");
            assert!(skill["front_matter"]["name"] == skill["name"]);
        }
    }
}

#[test]
fn lists_every_accepted_skill_and_the_reason_for_the_others() {
    let repository = repository();
    for number in 0..60 {
        repository.skill(".agent/skills", &format!("s{number}"));
    }
    repository.skill(".agent/skills", "core").commit();
    let out = tempfile::tempdir().unwrap();
    let path = out.path().to_str().unwrap();
    let counts = |options: &[&str]| {
        assert_eq!(repository.skilltree(&[&["prompt", "--quiet", "--out", path], options].concat()).status, 0);
        let (index, catalog) = (read(&out.path().join("skills.json")), read(&out.path().join("catalog.json")));
        let count = |file: &Value| file["skills"].as_array().unwrap().len();
        (count(&index), count(&catalog), catalog)
    };
    let (listed, all, catalog) = counts(&[]);
    assert_eq!((listed, all), (50, 85));
    assert_eq!(catalog["skipped"][0]["body_path"], ".agent/skills/broken/SKILL.md");
    let (listed, all, _) = counts(&["--budget-skills=65"]);
    assert_eq!((listed, all), (65, 85));
    let (_, all, catalog) = counts(&["--profile=amacs", "--skill=deploy"]);
    assert_eq!((all, &catalog["unlisted"][0]["name"]), (83, &"core".into()));
}

#[test]
fn if_changed_prints_nothing_until_something_changes() {
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let path = out.path().to_str().unwrap();
    let task = ["--profile=swarm", "--task=api docs"];
    let digest = |revision: &[&str]| {
        assert_eq!(repository.skilltree(&[&["prompt", "--out", path], revision, &task].concat()).status, 0);
        read(&out.path().join("skills.json"))["source"]["digest"].as_str().unwrap().to_owned()
    };
    let known = digest(&[]);
    for revision in [&[][..], &["--staged"], &["--rev=HEAD"]] {
        assert_eq!(digest(revision), known, "{revision:?}");
    }
    let prints = |options: &[&str]| {
        let run = repository.skilltree(&[&["prompt", "--if-changed", &known], options].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        !run.stdout.is_empty()
    };
    let with = |more: &[&'static str]| prints(&[&task[..], more].concat());
    assert!(!with(&[]) && !with(&["--staged"]) && !with(&["--rev=HEAD"]));
    repository.write("README.md", "Elsewhere.\n").skill(".claude/skills", "elsewhere").commit();
    assert!(!with(&[]) && !with(&["--rev=HEAD"]), "files outside the skills directories do not count");
    assert!(with(&["--role=builder"]) && with(&["--budget-skills=9"]) && with(&["--preview"]));
    assert!(prints(&["--profile=swarm", "--task=api tests"]));
    for (file, text) in [
        (".agent/skills/deploy/notes.md", "Notes.\n"),
        (".agent/threads.json", "{}\n"),
        ("WORKFLOW.md", "---\nagent:\n  skills:\n    max_skills_in_prompt: 7\n---\nDo it.\n"),
        ("skilltree.toml", "[limits]\nprompt-skills = 9\n"),
    ] {
        let before = fs::read(repository.path().join(file)).ok();
        repository.write(file, text);
        assert!(with(&[]), "{file}");
        match before {
            Some(before) => fs::write(repository.path().join(file), before).unwrap(),
            None => fs::remove_file(repository.path().join(file)).unwrap(),
        }
        assert!(!with(&[]), "{file}");
    }
}

#[test]
fn if_changed_covers_days_and_links() {
    let repository = repository();
    let until = "[[ignore]]\nrule = \"missing-name\"\npath = \".agent/skills/broken\"\nreason = \"It gets one.\"\nuntil = 2030-01-02\n";
    repository.write("skilltree.toml", until).write("elsewhere/linked/SKILL.md", common::good("linked"));
    std::os::unix::fs::symlink("../../elsewhere/linked", repository.path().join(".agent/skills/linked")).unwrap();
    repository.commit();
    let run = repository.skilltree(&["prompt", "--format=json", "--today=2030-01-01"]);
    let index: Value = serde_json::from_str(&run.stdout).unwrap();
    let known = index["source"]["digest"].as_str().unwrap();
    let prints = |day: &str| !repository.skilltree(&["prompt", "--if-changed", known, day]).stdout.is_empty();
    assert!(!prints("--today=2030-01-01") && prints("--today=2030-01-03"));
    fs::remove_file(repository.path().join("skilltree.toml")).unwrap();
    let run = repository.skilltree(&["prompt", "--format=json", "--today=2030-01-01"]);
    let index: Value = serde_json::from_str(&run.stdout).unwrap();
    let known = index["source"]["digest"].as_str().unwrap();
    let prints = |day: &str| !repository.skilltree(&["prompt", "--if-changed", known, day]).stdout.is_empty();
    assert!(!prints("--today=2030-01-01") && !prints("--today=2030-01-03"), "no ignore ends");
    repository.write("elsewhere/linked/SKILL.md", common::good("linked").replace("Do it", "Do that"));
    assert!(prints("--today=2030-01-01"));
}

#[test]
fn equal_files_are_not_written_again() {
    use std::os::unix::fs::MetadataExt;
    let repository = repository();
    let out = tempfile::tempdir().unwrap();
    let path = out.path().to_str().unwrap();
    let state = || {
        assert_eq!(repository.skilltree(&["prompt", "--rev=HEAD", "--out", path]).status, 0);
        let files = ["available-skills.md", "skills.json", "catalog.json", "comment.md", "statement.json"];
        files.map(|name| fs::metadata(out.path().join(name)).map(|file| (file.ino(), file.mtime_nsec())).unwrap())
    };
    let before = state();
    assert_eq!(state(), before);
    repository.skill(".agent/skills", "more").commit();
    let after = state();
    assert_eq!((after[3], after[0] == before[0]), (before[3], false), "only files with other bytes are replaced");
}
