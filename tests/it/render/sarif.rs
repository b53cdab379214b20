//! Requirements of GitHub code scanning for SARIF files.

use pulldown_cmark::{Event, Parser, Tag};
use serde_json::{Value, json};
use skilltree_front_matter::text::Place;
use skilltree_lint::rule::RuleRef;
use skilltree_report::render::Format;
use skilltree_skills::snapshot::{ObjectId, Origin};

use crate::render::fixture::{BAD, Case, HIDDEN, ordinary};

/// The address of the pages of this version.
const RULES: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/docs/rules/");

fn results(case: &Case) -> Vec<Value> {
    case.json(Format::Sarif)["runs"][0]["results"].as_array().expect("results are a list").clone()
}

#[test]
fn describes_every_rule() {
    let mut case = ordinary();
    case.options.rules = skilltree_lint::rules::ALL.iter().copied().map(RuleRef::from).collect();
    let driver = &case.json(Format::Sarif)["runs"][0]["tool"]["driver"];
    let rules = driver["rules"].as_array().expect("rules are a list");
    assert_eq!(rules.len(), skilltree_lint::rules::ALL.len());
    for rule in rules {
        for part in ["shortDescription", "fullDescription"] {
            let text = rule[part]["text"].as_str().expect("a description");
            assert!(text.ends_with('.') && text.chars().count() <= 1_024, "{text}");
            assert!(text.starts_with(|c: char| !c.is_lowercase()), "{text}");
        }
        let id = rule["id"].as_str().expect("an id");
        let url = format!("{RULES}{id}.md");
        assert_eq!(rule["helpUri"], url);
        assert!(rule["help"]["text"].is_string());
        // An alert is not a page of the documentation: a relative link would lead nowhere.
        let markdown = rule["help"]["markdown"].as_str().expect("help in Markdown");
        for event in Parser::new(markdown) {
            if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
                assert!(dest_url.starts_with("https://") && !dest_url.contains("/../"), "{id}: {dest_url}");
            }
        }
        for kind in ["\n## Fires", "\n## Quiet"] {
            assert!(markdown.matches(kind).count() <= 1, "{id}: {markdown}");
        }
    }
    assert_eq!(driver["fullName"], format!("skilltree {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn ranks_guesses_below_facts() {
    let mut case = ordinary();
    case.options.rules = skilltree_lint::rules::ALL.iter().copied().map(RuleRef::from).collect();
    let log = case.json(Format::Sarif);
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules are a list");
    let precision = |id: &str| {
        let rule = rules.iter().find(|rule| rule["id"] == id).unwrap_or_else(|| panic!("there is no rule {id}"));
        rule["properties"]["precision"].as_str().expect("a precision")
    };
    for (id, expected) in [
        ("possible-secret", "medium"),
        ("near-identical-description", "medium"),
        ("leaked-secret", "high"),
        ("piped-download", "high"),
        ("missing-name", "very-high"),
        ("invalid-yaml", "very-high"),
    ] {
        assert_eq!(precision(id), expected, "{id}");
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
fn category_is_written_on_request() {
    let mut case = ordinary();
    let details = |case: &Case| case.json(Format::Sarif)["runs"][0]["automationDetails"].clone();
    assert_eq!(details(&case), Value::Null);
    for category in ["job/a", "job/a/"] {
        case.options.sarif_category = Some(category.into());
        assert_eq!(details(&case), json!({ "id": "job/a/" }));
    }
}

/// Review bots offer each fix as a suggestion.
#[test]
fn unsafe_edits_are_no_fixes() {
    let mut case = ordinary();
    assert_eq!(results(&case)[0]["fixes"].as_array().map(Vec::len), Some(1));
    case.report.findings.iter_mut().flat_map(|finding| &mut finding.edits).for_each(|edit| edit.safe = false);
    assert_eq!(results(&case)[0]["fixes"], Value::Null);
}

/// A byte order mark has no column, so a region of lines and columns deletes nothing.
#[test]
fn fix_of_byte_order_mark_deletes_its_bytes() {
    let mut case = Case::new(&[("s/x/SKILL.md", b"\xef\xbb\xbf---\nname: x\n---\n")]);
    let place = Place::new(case.file("s/x/SKILL.md"), 0..3);
    case.report(&BAD, place, "bad").edit(place, "");
    let fix = &results(&case)[0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(
        *fix,
        json!({ "deletedRegion": { "byteOffset": 0, "byteLength": 3 }, "insertedContent": { "text": "" } })
    );
}

#[test]
fn empty_places_show_their_line() {
    let mut case = Case::new(&[("s/x/SKILL.md", "é😀: x\n\nlast")]);
    let file = case.file("s/x/SKILL.md");
    case.report(&BAD, Place::whole(file), "the file");
    case.report(&HIDDEN, Place::new(file, 3..3), "an insertion");
    let results = results(&case);
    let line =
        json!({ "startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 7, "snippet": { "text": "é😀: x" } });
    for result in &results {
        assert_eq!(result["locations"][0]["physicalLocation"]["region"], line);
    }
    assert_eq!(results.len(), 2);
}

#[test]
fn long_snippets_are_omitted() {
    let long = "word ".repeat(100);
    let mut case = Case::new(&[("s/x/SKILL.md", format!("---\ndescription: {long}\n---\n"))]);
    let place = case.place("s/x/SKILL.md", &long);
    case.report(&BAD, place, "bad");
    let location = &results(&case)[0]["locations"][0]["physicalLocation"];
    assert_eq!((&location["region"]["snippet"], &location["contextRegion"]), (&Value::Null, &Value::Null));
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
