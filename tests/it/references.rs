//! A skill with a dozen defects in what it points at: each is found at its place, from every source, and in SARIF.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeSet;

use crate::common::{self, Repository, skilltree};
use serde_json::Value;

const SKILL: &str = "---\nname: guide\ndescription: Writes guides. Use when a guide is due.\n---\n\n\
    Run `scripts/render.py`. Follow [the style](references/style.md#tone).\nSee [below](#no-such-part).\n\n\
    @references/glossary.md\n\n\
    Run `bash scripts/ask.sh`, then:\n\n\
    ```sh\n./scripts/ask.sh --all\n./scripts/dos.sh\n```\n\n\
    Then use the skill `proof-reader`.\n";

const STYLE: &str = "# Style\n\nSee [more](words.md), [the table](../Assets/table.md), [mine](/home/sam/notes.md) and\n\
    [the other](../../other/SKILL.md).\n\n[w]: missing.md\n";

/// The defects: rule, file, and the text at which each is.
const DEFECTS: [(&str, &str, &str); 13] = [
    ("broken-reference", "SKILL.md", "scripts/render.py"),
    ("broken-anchor", "SKILL.md", "#tone"),
    ("broken-anchor", "SKILL.md", "#no-such-part"),
    ("broken-reference", "SKILL.md", "references/glossary.md"),
    ("script-not-executable", "SKILL.md", "scripts/ask.sh --all"),
    ("script-not-executable", "SKILL.md", "scripts/dos.sh"),
    ("unknown-skill-reference", "SKILL.md", "proof-reader"),
    ("script-waits-for-input", "scripts/ask.sh", "read"),
    ("broken-link", "references/style.md", "words.md"),
    ("broken-link", "references/style.md", "missing.md"),
    ("wrong-case-link", "references/style.md", "../Assets/table.md"),
    ("machine-path", "references/style.md", "/home/sam/notes.md"),
    ("link-leaves-skill", "references/style.md", "../../other/SKILL.md"),
];

/// Rules that are off by default.
const ENABLED: [&str; 4] = ["--rule", "link-leaves-skill=warning", "--rule", "unknown-skill-reference=warning"];

const DIRECTORY: &str = "skills/guide";

fn text(file: &str) -> &'static str {
    match file {
        "SKILL.md" => SKILL,
        "references/style.md" => STYLE,
        "scripts/ask.sh" => "#!/bin/sh\nread -p \"Name: \" name\n",
        "scripts/dos.sh" => "#!/bin/sh\r\ntrue\r\n",
        _ => "# Table\n",
    }
}

/// A repository with the skill, in the index.
fn repository() -> Repository {
    let repository = Repository::new();
    for file in ["SKILL.md", "references/style.md", "scripts/ask.sh", "scripts/dos.sh", "assets/table.md"] {
        repository.write(&format!("{DIRECTORY}/{file}"), text(file));
    }
    repository.skill("skills", "other").add();
    repository
}

/// Rule, path, line and column of each defect, computed from the texts alone.
fn expected() -> BTreeSet<(String, String, u64, u64)> {
    let place = |&(rule, file, at): &(&str, &str, &str)| {
        let before = &text(file)[..text(file).rfind(at).unwrap()];
        let line = before.matches('\n').count() as u64 + 1;
        let column = before.chars().rev().take_while(|&character| character != '\n').count() as u64 + 1;
        (rule.to_owned(), format!("{DIRECTORY}/{file}"), line, column)
    };
    DEFECTS.iter().map(place).collect()
}

/// Rule, path, line and column of each result in SARIF.
fn results(sarif: &str) -> BTreeSet<(String, String, u64, u64)> {
    let log: Value = serde_json::from_str(sarif).unwrap_or_else(|_| panic!("{sarif}"));
    let place = |result: &Value| {
        let location = &result["locations"][0]["physicalLocation"];
        let (uri, region) = (&location["artifactLocation"]["uri"], &location["region"]);
        let number = |key: &str| region[key].as_u64().unwrap();
        let words = [&result["ruleId"], uri].map(|word| word.as_str().unwrap().to_owned());
        let [rule, path] = words;
        (rule, path, number("startLine"), number("startColumn"))
    };
    log["runs"][0]["results"].as_array().unwrap().iter().map(place).collect()
}

fn sarif(repository: &Repository, arguments: &[&str]) -> BTreeSet<(String, String, u64, u64)> {
    let run =
        repository.skilltree(&[&["check", "--format", "sarif", "--root", "skills"], &ENABLED[..], arguments].concat());
    assert!(run.status < 2, "{}", run.stderr);
    results(&run.stdout)
}

#[test]
fn finds_each_defect_at_its_place_in_every_source() {
    let repository = repository();
    assert_eq!(sarif(&repository, &["--staged"]), expected(), "the index");
    assert_eq!(sarif(&repository, &[]), expected(), "the working tree");
    repository.commit();
    assert_eq!(sarif(&repository, &["--rev", "HEAD"]), expected(), "a tree");
    let copy = tempfile::tempdir().unwrap();
    common::copy(&repository.path().join("skills"), &copy.path().join("skills"));
    let arguments = [&["check", ".", "--format", "sarif"], &ENABLED[..]].concat();
    assert_eq!(results(&skilltree(copy.path(), &arguments, &[]).stdout), expected(), "a directory");
}

#[test]
fn shows_the_line_in_a_reference_file() {
    let run = repository().skilltree(&["check", "--root", "skills", "--staged"]);
    assert!(run.stdout.contains("See [more](words.md), [the table]"), "{}", run.stdout);
    assert!(run.stdout.contains("skills/guide/references/style.md:3:12"), "{}", run.stdout);
}

#[test]
fn ignores_findings_in_reference_files() {
    let repository = repository();
    let style = STYLE.replace("See [more]", "<!-- skilltree: ignore[broken-link] a draft -->\n\nSee [more]");
    repository.write("skills/guide/references/style.md", style);
    let config = "[[ignore]]\nrule = \"machine-path\"\npath = \"skills/guide/references/**\"\nreason = \"a draft\"\n";
    repository.write("skilltree.toml", config).add();
    let found: Vec<String> = sarif_rules(&repository);
    assert!(!found.contains(&"machine-path".to_owned()), "{found:?}");
    // The reference definition is in a later block, which the comment does not cover.
    assert!(found.contains(&"wrong-case-link".to_owned()), "{found:?}");
}

/// Rules of the findings in reference files that are not ignored.
fn sarif_rules(repository: &Repository) -> Vec<String> {
    let run = repository.skilltree(&["check", "--format", "json", "--root", "skills", "--staged"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let active = findings.filter(|finding| finding["path"].as_str().unwrap().contains("/references/"));
    active
        .filter(|finding| finding["suppressed"].is_null())
        .map(|finding| finding["rule"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn reports_only_new_places_in_reference_files() {
    let repository = repository();
    repository.commit();
    let arguments = ["check", "--format", "concise", "--root", "skills", "--staged", "--base", "HEAD"];
    assert_eq!(repository.skilltree(&arguments).stdout, "");
    repository.write("skills/guide/references/style.md", format!("# Intro\n\n{STYLE}\nSee [new](new.md).\n")).add();
    let shown = repository.skilltree(&arguments).stdout;
    assert_eq!(shown.lines().count(), 1, "{shown}");
    assert!(shown.starts_with("skills/guide/references/style.md:10:11: ") && shown.contains("`new.md`"), "{shown}");
    repository.write("skills/guide/references/style.md", STYLE).add();
    repository.git(&["mv", "skills/guide", "skills/manual"]);
    repository.write("skills/manual/SKILL.md", SKILL.replace("name: guide", "name: manual")).add();
    assert_eq!(repository.skilltree(&arguments).stdout, "", "a renamed skill");
}

#[test]
fn fixes_links_in_reference_files() {
    let repository = repository();
    let run = repository.skilltree(&["fix", "--root", "skills"]);
    let style = std::fs::read_to_string(repository.path().join("skills/guide/references/style.md")).unwrap();
    assert_eq!(style, STYLE.replace("../Assets/", "../assets/"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn fails_if_a_reference_file_cannot_be_read() {
    let repository = repository();
    repository.commit();
    let id = repository.git(&["rev-parse", "HEAD:skills/guide/references/style.md"]);
    let object = repository.path().join(".git/objects").join(&id[..2]).join(&id[2..]);
    let mut permissions = std::fs::metadata(&object).unwrap().permissions();
    #[allow(clippy::permissions_set_readonly_false, reason = "the file is deleted with the test")]
    permissions.set_readonly(false);
    std::fs::set_permissions(&object, permissions).unwrap();
    std::fs::write(&object, b"damaged").unwrap();
    let run = repository.skilltree(&["check", "--root", "skills", "--rev", "HEAD"]);
    assert_eq!(run.status, 2, "{}{}", run.stdout, run.stderr);
}

#[test]
fn prints_the_graph_of_a_skill() {
    let repository = Repository::new();
    repository.write(
        "skills/a/SKILL.md",
        "---\nname: a\ndescription: Does a. Use when due.\n---\n\nSee [b](references/b.md).\n",
    );
    repository.write(
        "skills/a/references/b.md",
        "See [c](c.md), [gone](gone.md), [d](../../d/SKILL.md) and [up](../SKILL.md).\n",
    );
    repository
        .write("skills/a/references/c.md", "Words.\n\nRun `scripts/x.py`, see [b](b.md).\nRead `references/e.md`.\n");
    repository
        .write("skills/a/scripts/x.py", "pass\n")
        .write("skills/a/alone.md", "Words.\n")
        .skill("skills", "d")
        .add();
    let graph = |format: &str| {
        let run = repository.skilltree(&["show", "a", "--graph", "--format", format, "--root", "skills", "--staged"]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        run.stdout
    };
    let expected = "a: 5 files, depth 3, 1 cycle\n\
        SKILL.md (skill, depth 0)\n  6:9 link references/b.md\n\
        alone.md (reference, nothing leads here)\n\
        references/b.md (reference, depth 1)\n  1:9 link references/c.md\n  1:23 link references/gone.md\n  \
        1:37 link skills/d/SKILL.md\n  1:64 link SKILL.md\n\
        references/c.md (reference, depth 2)\n  3:6 path scripts/x.py\n  3:29 link references/b.md\n  4:7 path references/e.md\n\
        scripts/x.py (file, depth 3)\nreferences/gone.md (missing, depth 2)\nskills/d/SKILL.md (outside, depth 2)\n\
        references/e.md (missing, depth 3)\n\
        cycle: references/b.md, references/c.md\n";
    assert_eq!(graph("text"), expected);
    let json: Value = serde_json::from_str(&graph("json")).unwrap();
    let schema = serde_json::from_str(include_str!("../../schema/graph.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&json).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
    assert_eq!((json["depth"].as_u64(), json["cycles"].to_string()), (Some(3), "[[2,3]]".to_owned()));
    let dot = graph("dot");
    assert!(dot.starts_with("digraph \"a\" {") && dot.contains("n0 -> n2 [label=\"6\"];"), "{dot}");
}

#[test]
fn skill_at_the_top_has_reference_files() {
    let repository = Repository::new();
    let skill =
        "---\nname: guide\ndescription: Writes guides. Use when a guide is due.\n---\n\nRead [it](references/a.md).\n";
    repository
        .write("SKILL.md", skill)
        .write("references/a.md", "See [this](gone.md).\n")
        .write("docs/b.md", "See [this](gone.md).\n")
        .add();
    let run = repository.skilltree(&["check", "--format", "concise"]);
    assert!(run.stdout.contains("references/a.md:1:12: "), "{}\n{}", run.stdout, run.stderr);
    assert!(
        !run.stdout.contains("docs/b.md"),
        "other files of the repository are not part of the skill: {}",
        run.stdout
    );
}

#[test]
fn never_exits_with_0_if_a_script_is_too_large() {
    let repository = repository();
    repository.write("skilltree.toml", "[limits]\nreference-file-bytes = 200\n");
    let long = format!("#!/bin/sh\nread -p \"Name: \" name\n{}", "true\n".repeat(60));
    repository.write("skills/guide/scripts/ask.sh", long).add();
    let run = repository.skilltree(&["check", "--root", "skills", "--staged", "--format", "concise"]);
    let line = "skills/guide/scripts/ask.sh:1:1: error[unread-reference-file] the file has 332 bytes; the limit is 200";
    assert!(run.status == 1 && run.stdout.contains(line), "{}: {}", run.status, run.stdout);
    let explicit = ["check", "--root", "skills", "--staged", "--target", "codex"];
    assert_eq!(repository.skilltree(&explicit).status, 1, "no target excuses a file that was not checked");
}

#[test]
fn reports_a_command_that_claude_code_does_not_run() {
    let repository = Repository::new();
    let skill = "---\nname: audit\ndescription: Audits a change. Use when a change is ready.\n---\n\n\
        - !`git status`\n\nDIFF=!`git diff HEAD`\n";
    repository.write(".claude/skills/audit/SKILL.md", skill).add();
    let places = |arguments: &[&str]| {
        let run = repository.skilltree(&[&["check", "--staged", "--format", "sarif"], arguments].concat());
        let found = results(&run.stdout).into_iter().filter(|(rule, ..)| rule == "command-not-run");
        found.map(|(_, _, line, column)| (line, column)).collect::<Vec<_>>()
    };
    assert_eq!(places(&[]), [(8, 6)]);
    assert_eq!(places(&["--target", "codex"]), [(6, 3), (8, 6)]);
    assert_eq!(places(&["--target", "goose"]), [], "nothing is known about its commands");
}

#[test]
fn draws_the_graph_in_the_report_page() {
    let repository = repository();
    let page = repository.skilltree(&["check", "--root", "skills", "--staged", "--format", "html"]).stdout;
    let (_, graphs) = page.split_once("<section id=\"graphs\"").unwrap_or_else(|| panic!("{page}"));
    let (graphs, _) = graphs.split_once("</section>").unwrap();
    assert_eq!(graphs.matches("<details class=\"graph\">").count(), 1, "only `guide` has reference files: {graphs}");
    assert!(graphs.contains("<summary>guide: 5 files, depth 2, 5 missing</summary>"), "{graphs}");
    for text in
        [">SKILL.md</text>", ">references/style.md</text>", "class=\"missing\" x=", "<path class=\"link\" d=\"M"]
    {
        assert!(graphs.contains(text), "{text}: {graphs}");
    }
}

#[test]
fn missing_target_of_a_definition_is_reported_once() {
    let repository = Repository::new();
    repository.write(".agent/skills/pdf/references/a.md", "# A\n");
    let text = common::good("pdf") + "\nRead [a](references/a.md) and the [words].\n\n[words]: references/words.md\n";
    repository.write(".agent/skills/pdf/SKILL.md", text).add();
    let run = repository.skilltree(&["check", "--staged", "--format=concise"]);
    let found: Vec<&str> = run.stdout.lines().filter(|line| line.contains("references/words.md")).collect();
    assert!(found.len() == 1 && found[0].contains("broken-link"), "{}", run.stdout);
}
