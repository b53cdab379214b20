//! What GitHub's code scanning asks of a SARIF file.

use serde_json::{Value, json};
use skilltree::render::Format;
use skilltree::snapshot::{ObjectId, Origin};
use skilltree::text::Place;

use crate::fixture::{BAD, Case, HIDDEN, ordinary};

fn results(case: &Case) -> Vec<Value> {
    case.json(Format::Sarif)["runs"][0]["results"].as_array().expect("results are a list").clone()
}

#[test]
fn every_rule_of_the_catalogue_is_described() {
    let mut case = ordinary();
    case.options.rules = skilltree::rules::ALL;
    let driver = &case.json(Format::Sarif)["runs"][0]["tool"]["driver"];
    let rules = driver["rules"].as_array().expect("rules are a list");
    assert_eq!(rules.len(), skilltree::rules::ALL.len());
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
fn only_security_rules_have_a_score() {
    let case = ordinary();
    let rules = &case.json(Format::Sarif)["runs"][0]["tool"]["driver"]["rules"];
    let scores: Vec<_> = (0..3).map(|rule| rules[rule]["properties"]["security-severity"].clone()).collect();
    assert_eq!(scores, [Value::Null, json!("5.0"), Value::Null]);
}

#[test]
fn findings_of_a_rule_on_a_line_are_one_result() {
    let mut case = Case::new(&[("s/x/SKILL.md", "bad bad bad\nbad\n")]);
    let file = case.file("s/x/SKILL.md");
    for start in [0, 4, 8, 12] {
        case.report(&BAD, Place::new(file, start..start + 3), "bad").edit(Place::new(file, start..start + 3), "good");
    }
    case.report(&HIDDEN, Place::new(file, 0..3), "hidden");
    let results = results(&case);
    let found: Vec<_> = results.iter().map(|result| (&result["ruleId"], &result["message"]["text"])).collect();
    let expected = [
        ("bad-thing", "Bad. The same holds 2 times more on this line."),
        ("bad-thing", "Bad."),
        ("hidden-thing", "Hidden."),
    ];
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
fn ignored_findings_are_left_out_unless_asked_for() {
    let mut case = ordinary();
    assert!(results(&case).iter().all(|result| result["ruleId"] != "hidden-thing"));
    case.options.suppressed = true;
    let results = results(&case);
    let hidden = results.iter().find(|result| result["ruleId"] == "hidden-thing").expect("it is there");
    assert_eq!(hidden["suppressions"], json!([{ "kind": "inSource", "justification": "it is a demonstration" }]));
}

#[test]
fn a_commit_and_a_repository_make_a_provenance() {
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
fn a_file_behind_a_link_is_named_by_its_own_path() {
    let mut case = ordinary();
    let file = case.file("s/pdf/SKILL.md");
    let text = case.render_after(Format::Sarif, |files| files[file.index()].through = Some("shared/a b.md".into()));
    let sarif: Value = serde_json::from_str(&text).expect("SARIF is JSON");
    let artifact = &sarif["runs"][0]["results"][1]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(*artifact, json!({ "uri": "shared/a%20b.md", "uriBaseId": "%SRCROOT%" }));
}
