//! `skilltree diff` in real repositories: what a change does for the model, next to what Git and the other commands report.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Stdio;

use crate::common::{self, Repository, Run, git, good, skilltree};
use pulldown_cmark::{Event, Options as Extensions, Parser, Tag};
use serde_json::Value;

/// The id that a push gives for a branch that does not exist yet.
const NO_COMMIT: &str = "0000000000000000000000000000000000000000";

fn path(name: &str) -> String {
    format!(".agent/skills/{name}/SKILL.md")
}

fn skill(name: &str, description: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n{body}\n")
}

/// A body that shares no line with that of another skill.
fn body(name: &str) -> String {
    (0..9).map(|line| format!("Step {line} of {name}: read the page about {name} again.\n")).collect()
}

fn plain(name: &str) -> String {
    skill(name, &format!("Does {name}. Use when {name} is wanted."), &body(name))
}

/// A repository with every kind of change between the tags `old` and `new`.
fn changed() -> Repository {
    let repository = Repository::new();
    for name in ["moved", "renamed", "rewritten", "edited", "scripted", "removed", "same"] {
        repository.write(&path(name), plain(name));
    }
    repository.write(".agent/skills/scripted/run.sh", "#!/bin/sh\n").write(".agent/skills/same/run.sh", "#!/bin/sh\n");
    repository.commit();
    repository.git(&["tag", "old"]);
    repository.git(&["mv", ".agent/skills/moved", ".agent/skills/elsewhere"]);
    repository.git(&["rm", "--quiet", "-r", ".agent/skills/removed"]);
    repository
        .write(&path("added"), plain("added"))
        .write(&path("renamed"), plain("renamed").replace("name: renamed", "name: another"))
        .write(&path("rewritten"), skill("rewritten", "Says it better. Use when it is wanted.", &body("rewritten")))
        .write(
            &path("edited"),
            plain("edited").replace("Step 3", "A much longer third step, with more words than before,"),
        )
        .write(".agent/skills/scripted/run.sh", "#!/bin/sh\nexit 1\n")
        .write(".agent/skills/scripted/more.sh", "#!/bin/sh\n");
    repository.commit();
    repository.git(&["tag", "new"]);
    repository
}

fn run(repository: &Repository, arguments: &[&str]) -> Run {
    let run = repository.skilltree(&[&["diff"], arguments].concat());
    assert_eq!(run.status, 0, "{arguments:?}: {}", run.stderr);
    run
}

/// Runs `diff` and validates its JSON.
fn diff(repository: &Repository, arguments: &[&str]) -> Value {
    let run = run(repository, &[&["--format", "json"], arguments].concat());
    let diff: Value = serde_json::from_str(&run.stdout).unwrap();
    let schema = serde_json::from_str(include_str!("../../schema/diff.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> = validator.iter_errors(&diff).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "the output matches the schema");
    diff
}

/// Returns the paths of the changed skills by change.
fn by_change(diff: &Value) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for change in diff["skills"].as_array().unwrap() {
        let state = if change["after"].is_null() { &change["before"] } else { &change["after"] };
        let path = state["path"].as_str().unwrap().replace(".agent/skills/", "").replace("/SKILL.md", "");
        found.entry(change["change"].as_str().unwrap().to_owned()).or_default().push(path);
    }
    found
}

fn change<'a>(diff: &'a Value, name: &str) -> &'a Value {
    let is_it = |change: &&Value| change["after"]["path"] == path(name) || change["before"]["path"] == path(name);
    diff["skills"].as_array().unwrap().iter().find(is_it).unwrap()
}

/// The estimate of tokens that the documentation describes.
fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

#[test]
fn reports_each_kind_of_change() {
    let repository = changed();
    let diff = diff(&repository, &["old..new"]);
    let expected: BTreeMap<String, Vec<String>> = [
        ("added", &["added"][..]),
        ("removed", &["removed"]),
        ("renamed", &["elsewhere", "renamed"]),
        ("rewritten", &["rewritten"]),
        ("edited", &["edited", "scripted"]),
    ]
    .map(|(change, names)| (change.to_owned(), names.iter().map(|&name| name.to_owned()).collect()))
    .into();
    assert_eq!(by_change(&diff), expected);
    for (change, names) in expected {
        assert_eq!(diff["counts"][&change], names.len(), "{change}");
    }
    assert_eq!(change(&diff, "elsewhere")["before"]["path"], path("moved"));
    assert_eq!(change(&diff, "renamed")["before"]["name"], "renamed");
    assert_eq!(change(&diff, "renamed")["after"]["name"], "another");
    let rewritten = change(&diff, "rewritten");
    assert_eq!(rewritten["before"]["description"], "Does rewritten. Use when rewritten is wanted.");
    assert_eq!(rewritten["after"]["description"], "Says it better. Use when it is wanted.");
    assert_eq!(change(&diff, "scripted")["other_files"], 2);
    assert!(
        diff["summary"]
            .as_str()
            .unwrap()
            .starts_with("1 gain of authority; +1 skill, -1, 2 renamed, 1 rewritten, 2 edited; list ")
    );
}

#[test]
fn backward_comparison_swaps_both_sides() {
    let repository = changed();
    let (forward, backward) = (diff(&repository, &["old..new"]), diff(&repository, &["new..old"]));
    assert_eq!(backward["counts"]["added"], forward["counts"]["removed"]);
    assert_eq!(backward["list"]["tokens"], forward["list"]["tokens_before"]);
    assert_eq!(change(&backward, "moved")["before"]["path"], path("elsewhere"));
    assert_eq!(by_change(&diff(&repository, &["new..new"])), BTreeMap::new());
}

#[test]
fn counts_tokens_of_list_and_bodies() {
    let repository = changed();
    let diff = diff(&repository, &["old..new"]);
    let block = |revision: &str| repository.skilltree(&["prompt", "--rev", revision]).stdout;
    assert!(!block("old").is_empty());
    assert_eq!(diff["list"]["tokens_before"], tokens(&block("old")));
    assert_eq!(diff["list"]["tokens"], tokens(&block("new")));
    for revision in ["old", "new"] {
        let index = repository.skilltree(&["prompt", "--rev", revision, "--format", "json"]).stdout;
        let index: Value = serde_json::from_str(&index).unwrap();
        let member = if revision == "old" { "tokens_before" } else { "tokens" };
        assert_eq!(diff["list"][member], index["block"]["tokens"], "block.tokens of skills.json");
    }
    let of_file = |text: &str| tokens(text.rsplit("---\n").next().unwrap().trim());
    let edited = change(&diff, "edited");
    assert_eq!(edited["before"]["body_tokens"], of_file(&plain("edited")));
    let after = fs::read_to_string(repository.path().join(path("edited"))).unwrap();
    assert_eq!(edited["after"]["body_tokens"], of_file(&after));
    assert_ne!(edited["before"]["body_tokens"], edited["after"]["body_tokens"]);
}

/// Applies the diff that a run printed to a file with the old block, as Git does.
fn applied(text: &str, block: &str, options: &[&str]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().join("available-skills.md");
    fs::write(&place, block).unwrap();
    fs::write(directory.path().join("text"), text).unwrap();
    let output = git(directory.path(), &[&["apply"], options, &["text"]].concat(), &[]);
    assert!(output.status.success(), "{}\n{text}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(place).unwrap()
}

#[test]
fn printed_diff_turns_old_block_into_new_one() {
    let repository = changed();
    for arguments in [&["old..new"][..], &["new..old"], &["old..new", "--profile", "agentskills"]] {
        let (base, head) = arguments[0].split_once("..").unwrap();
        let profile: &[&str] = if arguments.len() > 1 { &arguments[1..] } else { &[] };
        let block = |revision: &str| {
            let run = repository.skilltree(&[&["prompt", "--rev", revision], profile].concat());
            assert!(run.status == 0 && !run.stdout.is_empty(), "{}", run.stderr);
            run.stdout
        };
        let text = run(&repository, arguments).stdout;
        assert_eq!(applied(&text, &block(base), &[]), block(head), "{arguments:?}");
        assert_eq!(applied(&text, &block(head), &["--reverse"]), block(base), "{arguments:?}");
        let json = diff(&repository, arguments);
        assert_eq!(applied(json["block_diff"].as_str().unwrap(), &block(base), &[]), block(head));
    }
}

#[test]
fn block_ignores_skills_of_other_directories() {
    // The skills of a directory that was found have errors together with those of the default one, but not in its block.
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).write(".claude/skills/pdf/SKILL.md", plain("pdf")).commit();
    repository.git(&["tag", "old"]);
    repository.write(&path("csv"), plain("csv")).write(".claude/skills/csv/SKILL.md", plain("csv")).commit();
    let diff = diff(&repository, &["old..HEAD"]);
    assert_eq!(diff["counts"]["added"], 2);
    let block = |revision: &str| repository.skilltree(&["prompt", "--rev", revision]).stdout;
    assert!(block("HEAD").contains("\n- csv "), "{}", block("HEAD"));
    assert_eq!(diff["list"]["tokens"], tokens(&block("HEAD")));
    assert_eq!(applied(diff["block_diff"].as_str().unwrap(), &block("old"), &[]), block("HEAD"));
}

#[test]
fn profile_names_its_own_directories() {
    let repository = Repository::new();
    let place = |name: &str| format!(".camel/skills/{name}/SKILL.md");
    repository.write(&place("pdf"), plain("pdf")).commit();
    repository.git(&["tag", "old"]);
    repository.write(&place("csv"), plain("csv")).commit();
    let block = |revision: &str| repository.skilltree(&["prompt", "--profile", "camel", "--rev", revision]).stdout;
    assert!(block("HEAD").contains("csv") && !block("old").contains("csv"));
    let diff = diff(&repository, &["old..HEAD", "--profile", "camel"]);
    assert_eq!(diff["list"]["tokens"], tokens(&block("HEAD")));
    assert_eq!(applied(diff["block_diff"].as_str().unwrap(), &block("old"), &[]), block("HEAD"));
}

#[cfg(unix)]
#[test]
fn link_in_place_of_a_skill_is_not_its_neighbors() {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf"));
    std::os::unix::fs::symlink("nowhere", repository.path().join(".agent/skills/gone")).unwrap();
    repository.commit();
    repository.write(".agent/skills/pdf/more.md", "More.\n").add();
    assert_eq!(by_change(&diff(&repository, &[])), BTreeMap::from([("edited".to_owned(), vec!["pdf".to_owned()])]));
}

#[test]
fn broken_configuration_of_the_base_is_named() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "targets = [").write(&path("pdf"), plain("pdf")).commit();
    repository.write("skilltree.toml", "colour = 1\n").add();
    let run = repository.skilltree(&["diff"]);
    assert_eq!(run.status, 2, "the base has no block: {}", run.stdout);
    repository.git(&["commit", "--quiet", "--message", "Repaired"]);
    let run = repository.skilltree(&["diff"]);
    assert_eq!(run.status, 0);
    assert!(run.stderr.contains("warning: skilltree.toml:1: "), "{}", run.stderr);
}

/// Returns the outcomes and the list of a runtime, as `forecast` prints them: dropped and shortened or lost skills by path.
fn forecast(repository: &Repository, revision: &str, target: &str) -> (Vec<String>, usize, usize) {
    let arguments = ["forecast", "--rev", revision, "--target", target, "--format", "json"];
    let forecast: Value = serde_json::from_str(&repository.skilltree(&arguments).stdout).unwrap();
    let is_dropped = |skill: &&Value| skill["forecasts"][0]["outcome"] == "drops";
    let skills = forecast["skills"].as_array().unwrap().iter().filter(is_dropped);
    let dropped = skills.map(|skill| skill["path"].as_str().unwrap().to_owned()).collect();
    let lists = forecast["lists"].as_array().unwrap();
    let shortened = lists.iter().map(|list| list["shortened"].as_u64().unwrap() as usize).sum();
    let lost = lists.iter().map(|list| list["lost"].as_array().unwrap().len()).sum();
    (dropped, shortened, lost)
}

/// Returns the outcome of an impact, and how much the list shows.
fn handled(impact: &Value) -> String {
    let words = [&impact["outcome"], &impact["in_list"]].map(|word| word.as_str());
    words.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns the impacts of a runtime: count and paths.
fn impacts(diff: &Value, runtime: &str) -> BTreeMap<String, (usize, Vec<String>)> {
    let runtimes = diff["runtimes"].as_array().unwrap();
    let Some(found) = runtimes.iter().find(|one| one["runtime"] == runtime) else { return BTreeMap::new() };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let impact = |impact: &Value| {
        let skills = impact["skills"].as_array().unwrap().iter().map(|skill| text(&skill["path"])).collect();
        (handled(impact), (impact["count"].as_u64().unwrap() as usize, skills))
    };
    found["impacts"].as_array().unwrap().iter().map(impact).collect()
}

#[test]
fn reports_what_runtimes_newly_drop() {
    let repository = Repository::new();
    let place = |name: &str| format!(".agents/skills/{name}/SKILL.md");
    let broken = |name: &str| plain(name).replace("description: Does", "about: Does");
    repository.write(&place("pdf"), plain("pdf")).write(&place("old"), broken("old")).commit();
    repository.git(&["tag", "old"]);
    repository.write(&place("pdf"), broken("pdf")).write(&place("csv"), broken("csv")).commit();
    let change = diff(&repository, &["old..HEAD", "--target", "codex"]);
    let (before, ..) = forecast(&repository, "old", "codex");
    let (mut after, ..) = forecast(&repository, "HEAD", "codex");
    assert_eq!(before, [place("old")], "Codex drops a skill without a description");
    after.retain(|path| !before.contains(path));
    assert_eq!(impacts(&change, "codex"), BTreeMap::from([("drops".to_owned(), (2, after))]));
    assert!(change["summary"].as_str().unwrap().ends_with("; Codex now drops 2 skills"), "{}", change["summary"]);
    let back = diff(&repository, &["HEAD..old", "--target", "codex"]);
    assert_eq!(impacts(&back, "codex"), BTreeMap::from([("loads full".to_owned(), (1, vec![place("pdf")]))]));
}

#[test]
fn reports_what_lists_newly_shorten() {
    let repository = Repository::new();
    let write = |from: usize, to: usize| {
        for number in from..to {
            let name = format!("skill-{number:03}");
            let description = format!("Handles case {number}. Use when {}.", "the case is at hand, again ".repeat(8));
            repository.write(&format!(".agents/skills/{name}/SKILL.md"), skill(&name, &description, &body(&name)));
        }
        repository.commit();
    };
    write(0, 3);
    repository.git(&["tag", "old"]);
    write(3, 200);
    assert_eq!(forecast(&repository, "old", "codex").1, 0);
    let (_, shortened, lost) = forecast(&repository, "HEAD", "codex");
    assert!(shortened > 100, "{shortened}");
    let change = diff(&repository, &["old..HEAD", "--target", "codex"]);
    let impacts = impacts(&change, "codex");
    assert_eq!(impacts["loads shortened"].0, shortened);
    assert_eq!(impacts.get("loads omitted").map_or(0, |(count, _)| *count), lost);
    let summary = change["summary"].as_str().unwrap();
    assert!(summary.contains(&format!("; Codex now shortens {shortened} descriptions")), "{summary}");
    let again = diff(&repository, &["HEAD..HEAD", "--target", "codex"]);
    assert_eq!(again["runtimes"].as_array().unwrap().len(), 0, "what was shortened before is not new");
}

#[test]
fn compares_index_unless_another_state_is_named() {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).commit();
    repository.git(&["tag", "old"]);
    repository.write(&path("staged"), plain("staged")).add();
    repository.write(&path("unstaged"), plain("unstaged"));
    let added = |arguments: &[&str]| by_change(&diff(&repository, arguments)).remove("added").unwrap_or_default();
    assert_eq!(added(&[]), ["staged"]);
    assert_eq!(added(&["--staged"]), ["staged"]);
    assert_eq!(added(&["--worktree"]), ["staged", "unstaged"]);
    repository.git(&["commit", "--quiet", "--message", "Staged"]);
    assert_eq!(added(&["--base", "old"]), ["staged"]);
    assert_eq!(added(&["--rev", "HEAD", "--base", "old"]), ["staged"]);
    assert_eq!(added(&["old..HEAD"]), ["staged"]);
    let nothing = run(&repository, &[]);
    assert_eq!(nothing.stdout, "no changes for the model\n");
    assert!(nothing.stderr.contains("`--worktree` compares the working tree"), "{}", nothing.stderr);
}

#[test]
fn two_dots_compare_ends_and_three_the_merge_base() {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).commit();
    repository.git(&["switch", "--quiet", "--create", "topic"]);
    repository.write(&path("topic"), plain("topic")).commit();
    repository.git(&["switch", "--quiet", "main"]);
    repository.write(&path("main"), plain("main")).commit();
    let counts = |arguments: &[&str]| {
        let diff = diff(&repository, arguments);
        [&diff["counts"]["added"], &diff["counts"]["removed"]].map(|count| count.as_u64().unwrap())
    };
    assert_eq!(counts(&["main..topic"]), [1, 1], "as `git diff main..topic`");
    assert_eq!(counts(&["main...topic"]), [1, 0], "as `git diff main...topic`");
    assert_eq!(counts(&["--rev", "topic", "--base", "main"]), [1, 0], "as `check`");
}

#[test]
fn everything_is_new_without_a_base() {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).add();
    for arguments in [&[][..], &["--base", NO_COMMIT]] {
        let first = diff(&repository, arguments);
        assert_eq!((&first["base"], &first["counts"]["added"]), (&Value::Null, &1.into()), "{arguments:?}");
        assert_eq!(first["list"]["tokens_before"], 0);
    }
}

#[test]
fn unusable_arguments_fail() {
    let repository = changed();
    for (arguments, message) in [
        (&["nowhere..new"][..], "nowhere"),
        (&["old"], "`--base old`"),
        (&["old.."], "the end of the range is empty"),
        (&["--base", "odl"], "did you mean `old`?"),
        (&["old..new", "--staged"], "cannot be used with"),
        (&["old..new", "--target", "no-such"], "no-such"),
    ] {
        let run = repository.skilltree(&[&["diff"], arguments].concat());
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}");
        assert!(run.stderr.contains(message), "{arguments:?}: {}", run.stderr);
    }
    let bare = tempfile::tempdir().unwrap();
    let clone = ["clone", "--quiet", "--bare", repository.path().to_str().unwrap(), "bare"];
    assert!(git(bare.path(), &clone, &[]).status.success());
    let directory = bare.path().join("bare");
    assert_eq!(skilltree(&directory, &["diff"], &[]).status, 2, "a bare repository has no index");
    assert_eq!(skilltree(&directory, &["diff", "old..new"], &[]).status, 0);
    assert_eq!(skilltree(&directory, &["diff", "--base", "old"], &[]).status, 0);
}

#[test]
fn each_side_has_its_own_configuration() {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).write(&path("csv"), plain("csv")).commit();
    repository.git(&["tag", "old"]);
    repository.write("skilltree.toml", "[limits]\nprompt-skills = 1\n").commit();
    let change = diff(&repository, &["old..HEAD"]);
    assert_eq!(change["skills"].as_array().unwrap().len(), 0);
    let block = |revision: &str| repository.skilltree(&["prompt", "--rev", revision]).stdout;
    assert_ne!(block("old"), block("HEAD"));
    assert_eq!(change["list"]["tokens_before"], tokens(&block("old")));
    assert_eq!(change["list"]["tokens"], tokens(&block("HEAD")));
}

#[test]
fn ignored_files_and_conversions_are_no_change() {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).write(".gitignore", "*.pyc\n").commit();
    repository.write(".agent/skills/pdf/x.pyc", "bytes");
    assert_eq!(diff(&repository, &["--worktree"])["skills"].as_array().unwrap().len(), 0);
    repository.write(".agent/skills/pdf/x.py", "pass\n");
    assert_eq!(change(&diff(&repository, &["--worktree"]), "pdf")["other_files"], 1);
}

#[cfg(unix)]
#[test]
fn executable_bit_is_a_change() {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).write(".agent/skills/pdf/run.sh", "#!/bin/sh\n").commit();
    repository.git(&["update-index", "--chmod=+x", ".agent/skills/pdf/run.sh"]);
    assert_eq!(change(&diff(&repository, &[]), "pdf")["other_files"], 1);
}

/// Texts that would act in a log, on a terminal or in a comment.
const HOSTILE: &str =
    "`@octocat` <img src=x onerror=1> [a](javascript:b) #1 ##[error]x ::error::y www.x.example https://x.example";

fn hostile() -> Repository {
    let repository = Repository::new();
    repository.write(&path("pdf"), plain("pdf")).commit();
    let quoted = HOSTILE.replace('"', "");
    let text = |name: &str| format!("---\nname: {name}\ndescription: \"{quoted}\"\n---\n::error::z\n{quoted}\n");
    repository.write(&path("@team [x](y) <b>"), text("x"));
    repository.write(&path("::error::a"), text("\"::error::b\""));
    repository.write(&path("t`i`ck"), text("\"t`i`ck\""));
    repository.write(&path("csv"), text("csv"));
    repository
        .write(&path("pdf"), format!("{}\n\u{202e}\u{1b}[31m\n", plain("pdf").replace("Does pdf", "\u{202e}Does")));
    repository.add();
    repository
}

#[test]
fn hostile_texts_stay_inert() {
    let repository = hostile();
    for format in ["text", "markdown", "json"] {
        let run = run(&repository, &["--format", format, "--color", "always"]);
        assert!(run.stdout.lines().all(|line| !line.trim_start().starts_with("::")), "{}", run.stdout);
        assert!(!run.stdout.contains("##[") && !run.stdout.contains('\u{202e}'), "{}", run.stdout);
    }
    let colored = run(&repository, &["--color", "always"]).stdout;
    assert!(!colored.contains("\u{1b}[31m\n"), "only own sequences");
    let markdown = run(&repository, &["--format", "markdown"]).stdout;
    let (mut html, mut outside) = (Vec::new(), String::new());
    let mut is_code = false;
    for event in Parser::new_ext(&markdown, Extensions::all()) {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => html.push(text.to_string()),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => panic!("no link: {markdown}"),
            Event::Start(Tag::CodeBlock(_)) => is_code = true,
            Event::End(pulldown_cmark::TagEnd::CodeBlock) => is_code = false,
            Event::Text(text) if !is_code => outside.push_str(&text),
            _ => {}
        }
    }
    assert_eq!(html, ["<!-- skilltree: diff -->\n"], "{markdown}");
    for word in ["@", "#1", "x.example", "octocat", "::", "<"] {
        assert!(!outside.contains(word), "{word}: {outside}");
    }
    assert!(markdown.contains("octocat") && markdown.contains("x.example"), "the texts are shown");
}

#[test]
fn comment_begins_with_marker_and_summary() {
    let repository = changed();
    let markdown = run(&repository, &["old..new", "--format", "markdown"]).stdout;
    let summary = diff(&repository, &["old..new"])["summary"].as_str().unwrap().to_owned();
    assert!(markdown.starts_with(&format!("<!-- skilltree: diff -->\n### {summary}\n\n")), "{markdown}");
    assert!(markdown.contains("\n- **added** `.agent/skills/added/SKILL.md`: entry 12 tokens, body "), "{markdown}");
    assert!(
        markdown.contains("\n  - description before: `Does rewritten. Use when rewritten is wanted.`\n"),
        "{markdown}"
    );
    assert!(markdown.contains("\n```diff\ndiff --git a/available-skills.md"), "{markdown}");
}

#[test]
fn links_files_of_both_commits_in_a_runner() {
    let repository = changed();
    let ids = ["old", "new"].map(|tag| repository.git(&["rev-parse", tag]));
    let variables = [
        ("GITHUB_SERVER_URL", "https://git.example"),
        ("GITHUB_REPOSITORY", "o/r"),
        ("GITHUB_SHA", "0123456789abcdef0123456789abcdef01234567"),
    ];
    let run = |arguments: &[&str]| skilltree(repository.path(), arguments, &variables).stdout;
    let markdown = run(&["diff", "old..new", "--format", "markdown"]);
    let link = |id: &str, name: &str| format!("[`{0}`](https://git.example/o/r/blob/{id}/{0})", path(name));
    assert!(markdown.contains(&format!("**added** {}", link(&ids[1], "added"))), "{markdown}");
    assert!(markdown.contains(&format!("**removed** {}", link(&ids[0], "removed"))), "{markdown}");
    assert!(markdown.contains(&format!("{} to {}", link(&ids[0], "moved"), link(&ids[1], "elsewhere"))), "{markdown}");
    repository.write(&path("bad name"), plain("bad")).add();
    let check = run(&["check", "--staged", "--format", "markdown"]);
    let address =
        "https://git.example/o/r/blob/0123456789abcdef0123456789abcdef01234567/.agent/skills/bad%20name/SKILL.md";
    assert!(check.contains(&format!("### [`.agent/skills/bad name/SKILL.md`]({address})\n")), "{check}");
    assert!(check.contains(&format!("]({address}?plain=1#L")), "{check}");
}

#[test]
fn comment_stays_below_limit_and_counts_the_rest() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "[limits]\nprompt-skills = 100000\n").commit();
    let long = "is at hand, and nothing else fits it as well as this one does ".repeat(12);
    for number in 0..800 {
        let name = format!("skill-{number:04}");
        let description = format!("Handles {number}. Use when `{number}` {long}");
        repository.write(&path(&name), skill(&name, &description, &body(&name)));
    }
    repository.add();
    let run = run(&repository, &["--format", "markdown"]);
    assert!(run.stdout.len() < 65_536 && run.stdout.len() > 40_000, "{}", run.stdout.len());
    assert!(run.stdout.starts_with("<!-- skilltree: diff -->\n### +800 skills; list 0 to "), "{}", &run.stdout[..200]);
    let shown = run.stdout.matches("\n- **added** ").count();
    assert!(run.stdout.contains(&format!("\n- and {} more, which are not shown\n", 800 - shown)), "{shown}");
    assert!(run.stdout.contains(" more lines of the diff are not shown.\n"));
    let fences = run.stdout.lines().filter(|line| line.starts_with("```")).count();
    assert_eq!(fences, 2, "the block is closed");
    let text = self::run(&repository, &[]).stdout;
    assert_eq!(text.matches("\nadded ").count(), 200);
    assert!(text.contains("\nand 600 more (`--format json` lists all)\n"));
    assert_eq!(diff(&repository, &[])["skills"].as_array().unwrap().len(), 800);
}

#[test]
fn summary_of_check_begins_with_changes() {
    let repository = changed();
    repository.write(&path("broken"), plain("broken").replace(": Does", ": Note: does")).add();
    let run = repository.skilltree(&["check", "--staged", "--base", "old", "--format", "markdown"]);
    assert_eq!(run.status, 1);
    let summary = diff(&repository, &["--base", "old"])["summary"].as_str().unwrap().to_owned();
    assert!(summary.starts_with("1 gain of authority; +2 skills, -1, "), "{summary}");
    let lines: Vec<&str> = run.stdout.lines().take(3).collect();
    assert_eq!(lines, ["## skilltree: 3 errors, 1 note", "", &format!("**{summary}**")]);
    let alone = repository.skilltree(&["check", "--staged", "--format", "markdown"]).stdout;
    assert!(!alone.contains("+2 skills"), "without a base there is no change: {alone}");
    let out = repository.path().join("summary.md");
    let output = format!("markdown={}", out.display());
    repository.skilltree(&["check", "--staged", "--base", "old", "--output", &output]);
    assert_eq!(fs::read_to_string(out).unwrap(), run.stdout);
}

#[test]
fn says_what_has_no_description_and_no_block() {
    let repository = Repository::new();
    let path = ".agents/skills/memo/SKILL.md";
    repository.write(path, plain("memo")).commit();
    repository.write(path, plain("memo").replace("Does memo. Use when memo is wanted.", "[open")).add();
    let run = run(&repository, &["--profile", "symphony", "--target", "agentskills"]);
    assert!(
        run.stdout.contains("\n  - description: Does memo. Use when memo is wanted.\n  + description: (none)\n"),
        "{}",
        run.stdout
    );
    assert!(
        run.stderr.contains("1 skill in .agents/skills cannot be in the prompt block of symphony: "),
        "{}",
        run.stderr
    );
    let markdown = self::run(&repository, &["--format", "markdown", "--target", "agentskills"]).stdout;
    assert!(markdown.contains("\n  - description after: none\n"), "{markdown}");
}

#[test]
fn names_fixed_findings() {
    let repository = Repository::new();
    let broken = plain("pdf").replace(": Does", ": Note: does");
    repository.write(&path("pdf"), &broken).write(&path("csv"), plain("csv")).commit();
    repository.write(&path("pdf"), plain("pdf")).add();
    let check =
        |format: &str| repository.skilltree(&["check", "--staged", "--base", "HEAD", "--format", format]).stdout;
    let full = check("full");
    assert!(full.starts_with("fixed[invalid-yaml]: .agent/skills/pdf/SKILL.md: "), "{full}");
    let markdown = check("markdown");
    assert!(markdown.contains("\n### Fixed\n\n- `.agent/skills/pdf/SKILL.md` [invalid-yaml]("), "{markdown}");
    repository.git(&["commit", "--quiet", "--message", "Fixed"]);
    assert!(!check("full").contains("fixed[") && !check("markdown").contains("### Fixed"));
}

#[test]
fn summary_of_check_keeps_errors_below_limit() {
    let repository = Repository::new();
    for number in 0..400 {
        let name = format!("skill-{number:04}");
        let text = format!(
            "---\nname: {name}\ndescription: Formats {number}.\nlicence: {}\n---\nDo it.\n",
            "\u{202e}@x".repeat(300)
        );
        repository.write(&path(&name), text);
    }
    for number in 0..30 {
        repository.write(&path(&format!("zz-{number}")), "no front matter\n");
    }
    repository.add();
    let run = repository.skilltree(&["check", "--staged", "--format", "markdown"]);
    assert!(run.stdout.len() < 65_536, "{}", run.stdout.len());
    assert!(run.stdout.contains(" are not shown, "), "what is left out is counted");
    let of = |severity: &str| run.stdout.matches(&format!(" **{severity}** ")).count();
    assert!(of("error") > 20 && of("note") == 0, "errors come first: {} {}", of("error"), of("note"));
}

#[test]
fn library_returns_what_the_program_prints() {
    let repository = changed();
    repository.write(&path("more"), plain("more")).add();
    let options = skilltree::Options { base: Some("old".into()), ..skilltree::Options::default() };
    let diff = skilltree::diff(repository.path(), &options).unwrap();
    for (format, name) in [
        (skilltree::DiffFormat::Json, "json"),
        (skilltree::DiffFormat::Markdown, "markdown"),
        (skilltree::DiffFormat::Text, "text"),
    ] {
        let printed = run(&repository, &["--base", "old", "--format", name]).stdout;
        assert_eq!(String::from_utf8(diff.render(format)).unwrap(), printed);
    }
    let added: Vec<String> = diff.added().into_iter().map(|skill| skill.path).collect();
    assert_eq!(added, [path("added"), path("more")]);
    assert_eq!(diff.removed().len(), 1);
    let [authority] = diff.authority().try_into().unwrap();
    let json = self::diff(&repository, &["--base", "old"]);
    assert_eq!(json["authority"][0]["path"], authority.path.as_str());
    assert!(!authority.powers.is_empty() && !authority.name.is_empty());
    assert!(diff.summary().starts_with("1 gain of authority; +2 skills, -1, "), "{}", diff.summary());
    assert_eq!(diff.tokens().1, tokens(&repository.skilltree(&["prompt", "--staged"]).stdout));
    assert!(diff.patch().starts_with(b"diff --git "), "the diff of the block");
    assert!(diff.warnings().is_empty(), "{:?}", diff.warnings());
    let runtimes: Vec<(String, usize)> = diff.runtimes().into_iter().map(|one| (one.runtime, one.count)).collect();
    let drops = impacts(&json, "agentskills")["drops"].0;
    assert_eq!(runtimes, [("agentskills".to_owned(), drops)]);
}

#[test]
fn threads_do_not_change_the_bytes() {
    let repository = changed();
    for format in ["text", "markdown", "json"] {
        let one = run(&repository, &["old..new", "--format", format, "--jobs", "1"]).stdout;
        assert_eq!(run(&repository, &["old..new", "--format", format, "--jobs", "4"]).stdout, one);
    }
}

#[test]
fn closed_pipe_is_no_failure() {
    let repository = changed();
    let mut command = std::process::Command::new(common::program());
    common::isolate(&mut command).current_dir(repository.path()).args(["diff", "old..new"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Checks the index with the rule about versions alone, and returns the status and what it reports.
fn versions(repository: &Repository, source: &str) -> (i32, String) {
    let rule = "version-not-bumped=error";
    let run = repository.skilltree(&["check", source, "--base", "old", "--rule", rule, "--format", "concise"]);
    assert!(run.status < 2, "{}", run.stderr);
    let lines = run.stdout.lines().filter(|line| line.contains("[version-not-bumped]"));
    (run.status, lines.map(|line| format!("{line}\n")).collect())
}

#[test]
fn version_rule_compares_any_file_below_a_skill() {
    let versioned =
        |name: &str, version: &str| plain(name).replace("\nname", &format!("\nversion: \"{version}\"\nname"));
    let repository = Repository::new();
    for name in ["body", "script", "bumped", "same", "moved"] {
        repository.write(&path(name), versioned(name, "1.0"));
        repository.write(&format!(".agent/skills/{name}/scripts/run.sh"), "#!/bin/sh\n");
    }
    repository.write(&path("unversioned"), plain("unversioned"));
    repository.commit();
    repository.git(&["tag", "old"]);
    assert_eq!(versions(&repository, "--staged"), (0, String::new()));
    repository
        .write(&path("body"), versioned("body", "1.0").replace("Step 1", "Another"))
        .write(".agent/skills/script/scripts/run.sh", "#!/bin/sh\nexit\n")
        .write(&path("bumped"), versioned("bumped", "1.1").replace("Step 1", "Another"))
        .write(&path("unversioned"), plain("unversioned").replace("Step 1", "Another"))
        .write(&path("new"), versioned("new", "1.0"));
    repository.git(&["mv", ".agent/skills/moved", ".agent/skills/gone"]);
    repository.write(".agent/skills/gone/scripts/run.sh", "#!/bin/sh\nexit 2\n");
    let (status, worktree) = versions(&repository, "--worktree");
    repository.add();
    let (_, found) = versions(&repository, "--staged");
    assert_eq!((status, &worktree), (1, &found), "the working tree and the index have the same files");
    let files: Vec<&str> = found.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(files, [path("body"), path("gone"), path("script")], "{found}");
    assert!(found.contains("but its `version` is still `1.0`"), "{found}");
    let off = repository.skilltree(&["check", "--staged", "--base", "old"]);
    assert!(!off.stdout.contains("version-not-bumped"), "it is off by default");
    let alone = repository.skilltree(&["check", "--staged", "--rule", "version-not-bumped=error"]);
    assert!(!alone.stdout.contains("version-not-bumped"), "without a base nothing changed");
    let warning = "warning: `version-not-bumped` did not run, because it compares the skills with a base\n";
    assert!(!off.stderr.contains("did not run") && alone.stderr.contains(warning), "{}", alone.stderr);
    let compared = repository.skilltree(&["check", "--staged", "--base", "old", "--rule", "version-not-bumped=error"]);
    assert!(!compared.stderr.contains("did not run"), "{}", compared.stderr);
    assert!(good("pdf").starts_with("---\n"));
}

/// What `forecast` says that runtimes read of the only skill, without those that load nothing.
fn read_by_runtimes(repository: &Repository) -> BTreeSet<String> {
    let forecast: Value =
        serde_json::from_str(&repository.skilltree(&["forecast", "--staged", "--format", "json"]).stdout).unwrap();
    let forecasts = forecast["skills"][0]["forecasts"].as_array().unwrap().iter();
    forecasts.filter_map(|forecast| forecast["description"].as_str().map(str::to_owned)).collect()
}

#[test]
fn shows_each_description_that_runtimes_read() {
    for description in
        ["Does a: quickly.", "Does a: \"x\" # y", "it's: a #b", "2026-01-02", "Does a. Use when a is due."]
    {
        let one = Repository::new();
        one.write(".claude/skills/a/SKILL.md", skill("a", "Does it. Use when it is due.", "Do it.")).commit();
        one.write(".claude/skills/a/SKILL.md", skill("a", description, "Do it.")).add();
        let expected = read_by_runtimes(&one);
        let diff: Value = serde_json::from_str(&one.skilltree(&["diff", "--format", "json"]).stdout).unwrap();
        let after = &diff["skills"][0]["after"];
        let readings = after["readings"].as_array().unwrap();
        let mut found: BTreeSet<String> =
            readings.iter().map(|reading| reading["description"].as_str().unwrap().to_owned()).collect();
        assert!(readings.len() != 1 && (readings.is_empty() || readings[0]["description"] == after["description"]));
        found.insert(after["description"].as_str().unwrap().to_owned());
        assert_eq!(found, expected, "{description}");
    }
}

#[test]
fn a_repaired_description_is_not_none() {
    let one = Repository::new();
    one.write("skilltree.toml", "targets = [\"claude-code\", \"vscode-copilot\"]\n");
    one.write(".claude/skills/a/SKILL.md", skill("a", "Does it. Use when it is due.", "Do it.")).commit();
    one.write(".claude/skills/a/SKILL.md", skill("a", "Does a: \"x\" # y", "Do it.")).add();
    let text = one.skilltree(&["diff"]).stdout;
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("  ")).collect();
    let expected = [
        "  - description: Does it. Use when it is due.",
        "  + description for Claude Code: Does a: \"x\" # y",
        "  + description for VS Code Copilot: Does a: \"x\"",
    ];
    assert_eq!(lines, expected, "{text}");
    let markdown = one.skilltree(&["diff", "--format", "markdown"]).stdout;
    assert!(markdown.contains("\n  - description after for Claude Code: `Does a: \"x\" # y`\n"), "{markdown}");
}

#[test]
fn profile_is_the_runtime_of_its_skills() {
    let repository = Repository::new();
    repository.write(".camel/skills/a/SKILL.md", plain("a")).commit();
    repository.write(".camel/skills/b_c/SKILL.md", plain("b_c")).write(".agents/skills/d/SKILL.md", plain("d")).add();
    let run = run(&repository, &["--profile", "camel"]);
    assert!(run.stdout.contains("\n+b_c\n"), "the block has the skill: {}", run.stdout);
    assert!(!run.stderr.contains("in .camel/skills cannot be"), "{}", run.stderr);
    assert!(run.stderr.contains("1 skill in .agents/skills cannot be in the prompt block of camel"), "{}", run.stderr);
    let first = run.stdout.lines().next().unwrap();
    assert!(first.starts_with("+2 skills; ") && !first.contains("drop"), "{first}");
    let all = self::run(&repository, &["--profile", "camel", "--target", "agentskills"]);
    assert!(all.stdout.contains("the Agent Skills validator now drops 1 skill"), "{}", all.stdout);
}

#[test]
fn compares_entries_of_one_runtime() {
    let repository = Repository::new();
    let path = ".claude/skills/a/SKILL.md";
    repository.write(path, plain("a")).commit();
    let always_on = |arguments: &[&str]| {
        let diff = diff(&repository, arguments);
        ["before", "after"].map(|side| diff["skills"][0][side]["always_on"].as_u64().unwrap())
    };
    let own = always_on_of(&repository);
    repository.write(path, plain("a").replace("---\nStep", "disable-model-invocation: true\n---\nStep")).add();
    assert_eq!(always_on(&[]), [own, 0], "Claude Code no longer lists it, whatever opencode does");
    assert_eq!(always_on(&["--target", "claude-code"]), [own, 0]);
    let first = run(&repository, &[]).stdout.lines().next().unwrap().to_owned();
    assert!(first.contains(&format!("always in the context: -{own} tokens")), "{first}");
    repository.commit();
    repository.write(path, plain("a")).add();
    assert_eq!(always_on(&[]), [0, own]);
}

/// Returns the tokens of the entry of the only skill in the list of Claude Code.
fn always_on_of(repository: &Repository) -> u64 {
    let run = repository.skilltree(&["cost", "claude-code", "--format", "json"]);
    let cost: Value = serde_json::from_str(&run.stdout).unwrap();
    cost["skills"][0]["always_on"]["tokens"].as_u64().unwrap_or_else(|| panic!("{cost:#}"))
}

#[test]
fn says_that_a_hidden_skill_is_no_longer_checked() {
    let hiding = [
        ("exclude = [\".agent/skills/kept\"]\n", 1),
        ("default-roots = false\n[[root]]\npath = \".claude/skills\"\n", 2),
    ];
    for (text, hidden) in hiding {
        let one = Repository::new();
        one.write(&path("kept"), plain("kept")).write(&path("gone"), plain("gone")).write(&path("same"), plain("same"));
        one.commit();
        one.git(&["rm", "--quiet", "-r", ".agent/skills/gone"]);
        one.write("skilltree.toml", text).add();
        let shown = run(&one, &[]).stdout;
        assert!(shown.starts_with(&format!("-1 skill, {hidden} no longer checked")), "{shown}");
        assert!(shown.contains("\nno longer checked .agent/skills/kept/SKILL.md: "), "{shown}");
        assert!(shown.contains("\nremoved .agent/skills/gone/SKILL.md: "), "{shown}");
        let comment = run(&one, &["--format", "markdown"]).stdout;
        assert!(comment.contains("**no longer checked** `.agent/skills/kept/SKILL.md`"), "{comment}");
        let json = diff(&one, &[]);
        let unchecked = json["skills"].as_array().unwrap().iter().filter(|change| change["unchecked"] == true);
        assert_eq!(unchecked.count(), hidden, "{json}");
    }
}

#[cfg(unix)]
#[test]
fn an_edit_of_a_linked_skill_is_one_change() {
    let repository = Repository::new();
    repository.write("shared/pdf/SKILL.md", plain("pdf")).write(".claude/skills/csv/SKILL.md", plain("csv"));
    repository.write(".cursor/skills/own/SKILL.md", plain("own"));
    for directory in [".claude/skills", ".cursor/skills"] {
        std::os::unix::fs::symlink("../../shared/pdf", repository.path().join(directory).join("pdf")).unwrap();
    }
    repository.commit();
    repository
        .write("shared/pdf/SKILL.md", skill("pdf", "Does other things. Use when pdf is wanted.", &body("pdf")))
        .add();
    let diff = repository.skilltree(&["diff", "--format", "json"]);
    let document: Value = serde_json::from_str(&diff.stdout).unwrap();
    assert_eq!(document["skills"].as_array().unwrap().len(), 1, "{}", document["skills"]);
}
