//! The playground gives what the program gives: for the examples of the rules, the same findings, forecasts and fixes.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeMap;
use std::fs;

use bstr::ByteSlice;
use serde_json::{Value, json};
use skilltree::{Format, Options, Revision};
use skilltree_lint::memory::Files;
use skilltree_lint::rule::RuleRef;
use skilltree_lint::rules;
use skilltree_report::explain::{Example, sections};
use skilltree_skills::source::{Content, Entry};
use skilltree_web::answer;
use skilltree_web::request::{BYTES, Fix, Request};

use crate::common::Repository;
use crate::explain::explanations;

/// Returns the examples of a rule whose heading begins with a word.
fn examples(rule: &RuleRef, word: &str) -> Vec<Files> {
    let sections = sections(rule.explanation()).into_iter();
    let wanted = sections.filter(|section| section.heading.split(':').next() == Some(word));
    wanted.map(|section| Example::new(&section).under(rule)).collect()
}

fn all_rules() -> impl Iterator<Item = RuleRef> {
    rules::ALL.iter().copied().map(RuleRef::from)
}

fn ask(request: &Request) -> Value {
    serde_json::from_str(&answer(&serde_json::to_string(request).unwrap())).unwrap()
}

/// Adds the files to the index of a new repository; `None` if they need more than files.
fn repository(files: &Files) -> Option<Repository> {
    let is_file = |entry: &Entry| matches!(entry.content, Content::File(_) | Content::Executable(_));
    if !files.base.is_empty() || files.today.is_some() || !files.head.iter().all(is_file) {
        return None;
    }
    let repository = Repository::new();
    for Entry { path, content } in &files.head {
        let (Content::File(bytes) | Content::Executable(bytes)) = content else { return None };
        let place = repository.path().join(path.to_path().ok()?);
        fs::create_dir_all(place.parent()?).ok()?;
        fs::write(&place, bytes).ok()?;
        let mode = if matches!(content, Content::File(_)) { "--chmod=-x" } else { "--chmod=+x" };
        let path = path.to_str().ok()?;
        repository.git(&["add", "--force", mode, "--", path]);
    }
    Some(repository)
}

/// Returns the part of a report that depends neither on the source nor on the run.
fn findings(report: &[u8]) -> String {
    let report: Value = serde_json::from_slice(report).unwrap();
    json!([report["findings"], report["runtimes"]]).to_string()
}

#[test]
fn reports_the_findings_of_the_program() {
    let mut compared = 0;
    for rule in all_rules() {
        for files in examples(&rule, "Fires") {
            let Some(repository) = repository(&files) else { continue };
            let rules = files.overrides.rules.clone();
            let options = Options { revision: Some(Revision::Index), rules, ..Options::default() };
            let Ok(expected) =
                skilltree::open(repository.path(), &options).and_then(|skills| skills.render(Format::Json))
            else {
                continue;
            };
            let found = ask(&Request::of(&files))["report"].to_string();
            assert_eq!(findings(found.as_bytes()), findings(&expected), "{}: {:?}", rule.id(), files.head);
            compared += 1;
        }
    }
    assert!(compared > 150, "{compared} examples only");
}

/// One example of each rule, because each starts the program.
#[test]
fn forecasts_and_fixes_like_the_program() {
    let (mut forecasts, mut fixes) = (0, 0);
    for rule in all_rules() {
        let Some(files) = examples(&rule, "Fires").into_iter().next() else { continue };
        let Some(repository) = repository(&files) else { continue };
        let answer = ask(&Request { fix: Some(Fix::Unsafe), ..Request::of(&files) });
        let run = repository.skilltree(&["forecast", "--all", "--format=json", "--staged"]);
        if run.status == 0 {
            let expected: Value = serde_json::from_str(&run.stdout).unwrap();
            for key in ["skills", "roots", "packages", "lists"] {
                assert_eq!(answer["forecast"][key], expected[key], "{}: {key}", rule.id());
            }
            forecasts += 1;
        }
        // `fix` takes no severities of rules.
        if answer["fixed"]["files"] == json!([]) || !files.overrides.rules.is_empty() {
            continue;
        }
        repository.skilltree(&["fix", "--unsafe"]);
        for file in answer["fixed"]["files"].as_array().unwrap() {
            let written = fs::read_to_string(repository.path().join(file["path"].as_str().unwrap())).unwrap();
            assert_eq!(file["text"], json!(written), "{}", rule.id());
        }
        fixes += 1;
    }
    assert!(forecasts > 100 && fixes > 20, "{forecasts} forecasts and {fixes} fixes only");
}

/// `.ci/web/module.mjs` asks the module about every example; here the first link of each rule is followed.
#[test]
fn every_example_of_a_rule_has_a_link() {
    let pages: BTreeMap<String, String> =
        skilltree_web::site::pages(explanations(), &[]).into_iter().map(|page| (page.path, page.text)).collect();
    let mut links = 0;
    for rule in all_rules() {
        let page = &pages[&format!("rules/{}.md", rule.id())];
        let found = page.split("](../play/index.html#1:").skip(1).filter_map(|rest| rest.split(')').next());
        let requests: Vec<Request> = found.map(unpacked).collect();
        let examples = examples(&rule, "Fires").into_iter().chain(examples(&rule, "Quiet"));
        let expected: Vec<Request> = examples.map(|files| Request::of(&files)).collect();
        assert_eq!(requests, expected, "{}", rule.id());
        let answer = ask(&requests[0]);
        let mut findings = answer["report"]["findings"].as_array().unwrap().iter();
        let is_reported = findings.any(|finding| finding["rule"] == rule.id() && finding["suppressed"].is_null());
        assert!(is_reported, "{}: {answer}", rule.id());
        links += requests.len();
    }
    assert!(links > 300, "{links} links only");
}

/// Returns the request of a link.
fn unpacked(link: &str) -> Request {
    let packed = data_encoding::BASE64URL_NOPAD.decode(link.as_bytes()).unwrap();
    let request = miniz_oxide::inflate::decompress_to_vec(&packed).unwrap();
    Request::read(std::str::from_utf8(&request).unwrap()).unwrap()
}

#[test]
fn rejects_what_is_no_request() {
    let error = |request: &str| {
        let answer: Value = serde_json::from_str(&answer(request)).unwrap();
        answer["error"].as_str().expect("an error").to_owned()
    };
    let file = |text: &str| format!(r#"{{"files":[{{"path":"a/SKILL.md","text":{text}}}]}}"#);
    assert!(error("").starts_with("the request is not valid"));
    assert!(error(r#"{"files":[],"shell":"x"}"#).contains("unknown field"));
    assert_eq!(error(&file(r#"{"base64":"?"}"#)), "a file is not valid base64");
    assert_eq!(error(r#"{"files":[],"today":"soon"}"#), "`soon` is not a valid date");
    assert_eq!(error(&file(&format!("\"{}\"", "a".repeat(BYTES)))), "the files have more than 16 MiB");
    let many = vec![r#"{"path":"a"}"#; 2_001].join(",");
    assert_eq!(error(&format!(r#"{{"files":[{many}]}}"#)), "there are more than 2000 files");
    let settings = r#"{"files":[{"path":"skilltree.toml","text":"edition = 3"}]}"#;
    assert!(error(settings).starts_with("skilltree.toml, byte 10: "), "{}", error(settings));
}

#[test]
fn shows_the_entry_of_a_list() {
    let text = "---\nname: pdf\ndescription: Fills in forms. Use when a form is due.\n---\nRead it.\n";
    let request = json!({"files": [{"path": ".claude/skills/pdf/SKILL.md", "text": text}]});
    let answer: Value = serde_json::from_str(&answer(&request.to_string())).unwrap();
    let at = answer["runtimes"].as_array().unwrap().iter().position(|runtime| runtime["id"] == "claude-code").unwrap();
    let seen = &answer["skills"][0]["runtimes"][at];
    assert_eq!(seen["entry"], "- pdf: Fills in forms. Use when a form is due.\n");
    assert_eq!((&seen["outcome"], &seen["reads"]), (&json!("loads"), &json!(true)));
    let verdict = answer["skills"][0]["verdict"].as_str().unwrap();
    assert!(verdict.contains("runtimes load .claude/skills/pdf/SKILL.md"), "{verdict}");
}
