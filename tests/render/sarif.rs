//! Requirements of GitHub code scanning for SARIF files.

use serde_json::{Value, json};
use skilltree_core::render::Format;
use skilltree_core::snapshot::{ObjectId, Origin};
use skilltree_core::text::Place;

use crate::fixture::{BAD, Case, HIDDEN, ordinary};

fn results(case: &Case) -> Vec<Value> {
    case.json(Format::Sarif)["runs"][0]["results"].as_array().expect("results are a list").clone()
}

#[test]
fn describes_every_rule() {
    let mut case = ordinary();
    case.options.rules = skilltree_core::rules::ALL;
    let driver = &case.json(Format::Sarif)["runs"][0]["tool"]["driver"];
    let rules = driver["rules"].as_array().expect("rules are a list");
    assert_eq!(rules.len(), skilltree_core::rules::ALL.len());
    for rule in rules {
        for part in ["shortDescription", "fullDescription"] {
            let text = rule[part]["text"].as_str().expect("a description");
            assert!(text.ends_with('.') && text.chars().count() <= 1_024, "{text}");
            assert!(text.starts_with(|c: char| !c.is_lowercase()), "{text}");
        }
        let id = rule["id"].as_str().expect("an id");
        let url = format!("https://github.com/skilltree-dev/skilltree/blob/main/docs/rules/{id}.md");
        assert_eq!(rule["helpUri"], url);
        assert!(rule["help"]["text"].is_string() && rule["help"]["markdown"].is_string());
    }
}

#[test]
fn scores_security_rules_only() {
    let case = ordinary();
    let rules = &case.json(Format::Sarif)["runs"][0]["tool"]["driver"]["rules"];
    let scores: Vec<_> = (0..3).map(|rule| rules[rule]["properties"]["security-severity"].clone()).collect();
    assert_eq!(scores, [Value::Null, json!("5.0"), Value::Null]);
}

#[test]
fn merges_findings_of_rule_on_line() {
    let mut case = Case::new(&[("s/x/SKILL.md", "bad bad bad\nbad\n")]);
    let file = case.file("s/x/SKILL.md");
    for start in [0, 4, 8, 12] {
        case.report(&BAD, Place::new(file, start..start + 3), "bad").edit(Place::new(file, start..start + 3), "good");
    }
    case.report(&HIDDEN, Place::new(file, 0..3), "hidden");
    let results = results(&case);
    let found: Vec<_> = results.iter().map(|result| (&result["ruleId"], &result["message"]["text"])).collect();
    let expected =
        [("bad-thing", "Bad. Reported 2 times more on this line."), ("bad-thing", "Bad."), ("hidden-thing", "Hidden.")];
    assert_eq!(found.len(), expected.len());
    for ((rule, message), (expected_rule, expected_message)) in found.into_iter().zip(expected) {
        assert_eq!((rule, message), (&json!(expected_rule), &json!(expected_message)));
    }
    assert_eq!(results[0]["fixes"].as_array().map(Vec::len), Some(3));
    let hashes: Vec<_> =
        results.iter().map(|result| &result["partialFingerprints"]["primaryLocationLineHash"]).collect();
    assert_eq!(hashes[0], hashes[2]);
    assert_ne!(hashes[0], hashes[1]);
}

#[test]
fn omits_ignored_findings_by_default() {
    let mut case = ordinary();
    assert!(results(&case).iter().all(|result| result["ruleId"] != "hidden-thing"));
    case.options.suppressed = true;
    let results = results(&case);
    let hidden = results.iter().find(|result| result["ruleId"] == "hidden-thing").expect("it is there");
    assert_eq!(hidden["suppressions"], json!([{ "kind": "inSource", "justification": "it is a demonstration" }]));
}

#[test]
fn commit_and_repository_give_provenance() {
    let mut case = ordinary();
    case.options.repository = Some("https://example.org/r".into());
    assert_eq!(case.json(Format::Sarif)["runs"][0]["versionControlProvenance"], Value::Null);
    let commit = Some(ObjectId::new(&[0x12; 20]));
    case.report.catalog.parsed.origin = Origin::Tree { revision: "main".into(), commit };
    let provenance = case.json(Format::Sarif)["runs"][0]["versionControlProvenance"].clone();
    let expected = json!([{
        "repositoryUri": "https://example.org/r",
        "revisionId": "12".repeat(20),
        "mappedTo": { "uriBaseId": "%SRCROOT%" },
    }]);
    assert_eq!(provenance, expected);
}

#[test]
fn names_linked_file_by_target_path() {
    let mut case = ordinary();
    let file = case.file("s/pdf/SKILL.md");
    let text = case.render_after(Format::Sarif, |files| files[file.index()].through = Some("shared/a b.md".into()));
    let sarif: Value = serde_json::from_str(&text).expect("SARIF is JSON");
    let artifact = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(*artifact, json!({ "uri": "shared/a%20b.md", "uriBaseId": "%SRCROOT%" }));
}
