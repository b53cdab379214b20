//! The formats of other reviewers: GitLab, reviewdog, and readers of JUnit XML.

use std::collections::BTreeSet;

use jsonschema::Validator;
use serde_json::{Value, json};
use skilltree_front_matter::text::Place;
use skilltree_lint::lint::Warning;
use skilltree_lint::rule::{Occurrence, Severity, State};
use skilltree_report::render::{self, Format, Reason};

use crate::render::fixture::{BAD, Case, HIDDEN, SMALL, ordinary};
use crate::render::injection::hostile;

const PATH: &str = "s/x/SKILL.md";

fn validator(schema: &str) -> Validator {
    let schema = serde_json::from_str(schema).expect("the schema is JSON");
    jsonschema::validator_for(&schema).expect("the schema compiles")
}

fn errors(validator: &Validator, value: &Value) -> Vec<String> {
    validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

/// An ordinary report, a hostile one, one without findings, and one with 3 findings on one line.
fn cases() -> Vec<Case> {
    let mut line = Case::new(&[(PATH, "bad bad bad\n")]);
    let file = line.file(PATH);
    for start in [0, 4, 8] {
        line.report(&BAD, Place::new(file, start..start + 3), "bad");
    }
    vec![ordinary(), hostile(), Case::new(&[(PATH, "x")]), line]
}

#[test]
fn gitlab_accepts_every_entry() {
    let validator = validator(include_str!("gitlab.schema.json"));
    for case in cases() {
        let report = case.json(Format::Gitlab);
        assert_eq!(errors(&validator, &report), Vec::<String>::new());
        let entries = report.as_array().expect("a list");
        assert_eq!(entries.len(), case.report.active().count());
        // GitLab keeps one entry per fingerprint.
        let prints: BTreeSet<&str> = entries.iter().filter_map(|entry| entry["fingerprint"].as_str()).collect();
        assert_eq!(prints.len(), entries.len());
    }
}

/// A finding that merges three places of a file; the base has the second one.
fn merged() -> Case {
    let mut case = Case::new(&[(PATH, "bad one\nbad two\nbad three\n")]);
    let places = ["one", "two", "three"].map(|word| case.place(PATH, word));
    let occurrences = places.iter().zip([State::New, State::Unchanged, State::New]).map(|(&place, state)| Occurrence {
        place,
        message: format!("bad at {}", place.start),
        help: None,
        identity: [0; 16],
        count: 1,
        state: Some(state),
    });
    let occurrences = occurrences.collect();
    let finding = case.report(&BAD, places[0], "bad, and 2 more like it");
    finding.occurrences = occurrences;
    finding.state = Some(State::New);
    case
}

#[test]
fn each_new_place_has_its_own_entry() {
    let case = merged();
    let found: Vec<Value> = case
        .json(Format::Gitlab)
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| json!([entry["description"], entry["location"]["lines"]["begin"]]))
        .collect();
    assert_eq!(found, [json!(["bad at 4", 1]), json!(["bad at 20", 3])]);
    let report = case.json(Format::Rdjson);
    let found: Vec<Value> = report["diagnostics"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| json!([one["message"], one["location"]["range"]["start"]]))
        .collect();
    assert_eq!(
        found,
        [json!(["bad at 4", { "line": 1, "column": 5 }]), json!(["bad at 20", { "line": 3, "column": 5 }])]
    );
    assert_eq!(case.render(Format::Junit).matches("<failure").count(), 1);
}

#[test]
fn gitlab_maps_severities() {
    let mut case = Case::new(&[(PATH, "bad\nbad\nbad\nbad\n")]);
    let file = case.file(PATH);
    case.report(&SMALL, Place::new(file, 0..3), "small");
    case.report(&HIDDEN, Place::new(file, 4..7), "hidden").severity = Severity::Error;
    case.report(&HIDDEN, Place::new(file, 8..11), "hidden");
    case.report(&BAD, Place::new(file, 12..15), "bad");
    let report = case.json(Format::Gitlab);
    let found: Vec<Value> = report
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| json!([entry["severity"], entry["location"]["lines"]["begin"]]))
        .collect();
    assert_eq!(found, [json!(["critical", 2]), json!(["major", 4]), json!(["minor", 3]), json!(["info", 1])]);
}

#[test]
fn reviewdog_accepts_every_diagnostic() {
    let validator = validator(include_str!("rdjson.schema.json"));
    for case in cases() {
        let report = case.json(Format::Rdjson);
        assert_eq!(errors(&validator, &report), Vec::<String>::new());
        assert_eq!(report["diagnostics"].as_array().map(Vec::len), Some(case.report.active().count()));
    }
}

/// reviewdog.proto defines a column as an offset in bytes, from 1. The byte order mark is in the file, so it counts.
#[test]
fn rdjson_counts_columns_in_bytes() {
    let cases: [(&[u8], usize); 7] = [
        ("---\na: 😀é bad\n".as_bytes(), 2),
        (b"---\na:\t\tbad\n", 2),
        (b"---\r\na: bad\r\n---\r\n", 2),
        (b"\xef\xbb\xbfbad: a\n", 1),
        (b"\xef\xbb\xbf---\nbad: a\n", 2),
        (b"---\na: \xff\xfe bad\n", 2),
        (b"---\nbad", 2),
    ];
    for (text, line) in cases {
        let mut case = Case::new(&[(PATH, text)]);
        let place = case.place(PATH, "bad");
        case.report(&BAD, place, "bad");
        let line_text = text.split(|byte| *byte == b'\n').nth(line - 1).expect("a line");
        let start = line_text.windows(3).position(|window| window == b"bad").expect("the text is on the line") + 1;
        let expected =
            json!({ "start": { "line": line, "column": start }, "end": { "line": line, "column": start + 3 } });
        assert_eq!(case.json(Format::Rdjson)["diagnostics"][0]["location"]["range"], expected, "{text:?}");
    }
}

#[test]
fn rdjson_suggests_complete_safe_edits_only() {
    let suggestions = |edit: &dyn Fn(&mut Case)| {
        let mut case = Case::new(&[(PATH, "---\nname: pdf-tools\n---\n"), ("s/y/SKILL.md", "y")]);
        let place = case.place(PATH, "pdf-tools");
        case.report(&BAD, place, "bad");
        edit(&mut case);
        case.json(Format::Rdjson)["diagnostics"][0]["suggestions"].clone()
    };
    let range = json!({ "start": { "line": 2, "column": 7 }, "end": { "line": 2, "column": 16 } });
    let safe = |case: &mut Case| {
        let place = case.report.findings[0].place;
        case.report.findings[0].edit(place, "pdf");
    };
    assert_eq!(suggestions(&safe), json!([{ "range": range, "text": "pdf" }]));
    assert_eq!(
        suggestions(&|case| {
            safe(case);
            case.report.findings[0].edits[0].safe = false;
        }),
        Value::Null
    );
    assert_eq!(
        suggestions(&|case| {
            safe(case);
            safe(case);
        }),
        Value::Null,
        "one of two edits is no fix"
    );
    let elsewhere = |case: &mut Case| {
        let other = case.place("s/y/SKILL.md", "y");
        case.report.findings[0].edit(other, "z");
    };
    assert_eq!(suggestions(&elsewhere), Value::Null);
}

/// reviewdog posts messages as Markdown.
#[test]
fn rdjson_messages_are_inert_markdown() {
    for diagnostic in hostile().json(Format::Rdjson)["diagnostics"].as_array().expect("a list") {
        let message = diagnostic["message"].as_str().expect("a message");
        let parser = pulldown_cmark::Parser::new(message);
        for event in parser {
            use pulldown_cmark::{Event, Tag};
            let is_markup = matches!(
                event,
                Event::Html(_)
                    | Event::InlineHtml(_)
                    | Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::CodeBlock(_))
            );
            assert!(!is_markup, "{event:?} in {message}");
            if let Event::Text(text) = event {
                assert!(!text.contains(['@', '<', '#']), "{text} in {message}");
            }
        }
    }
}

/// The elements and attributes of junit-10.xsd of Jenkins that a report can have: required attributes, optional ones, children. The
/// `file` of a case is not among them; Jenkins ignores it, and GitLab and CircleCI link it.
fn xsd(element: &str) -> (&'static [&'static str], &'static [&'static str], &'static [&'static str]) {
    match element {
        "testsuites" => (&[], &["name", "time", "tests", "failures", "errors"], &["testsuite"]),
        "testsuite" => (
            &["name", "tests", "failures", "errors"],
            &["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"],
            &["testsuite", "properties", "testcase", "system-out", "system-err"],
        ),
        "testcase" => (
            &["name"],
            &["time", "classname", "group", "file"],
            &[
                "skipped",
                "error",
                "failure",
                "rerunFailure",
                "rerunError",
                "flakyFailure",
                "flakyError",
                "system-out",
                "system-err",
            ],
        ),
        "failure" | "error" | "skipped" => (&[], &["type", "message"], &[]),
        "system-out" | "system-err" => (&[], &[], &[]),
        other => panic!("junit-10.xsd has no element {other}"),
    }
}

/// Parses JUnit XML, checks it against the schema, and checks its counts.
fn junit(text: &str) -> roxmltree::Document<'_> {
    let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        let (required, optional, children) = xsd(node.tag_name().name());
        let attributes: Vec<&str> = node.attributes().map(|attribute| attribute.name()).collect();
        assert!(required.iter().all(|name| attributes.contains(name)), "{attributes:?}");
        assert!(attributes.iter().all(|name| required.contains(name) || optional.contains(name)), "{attributes:?}");
        assert!(
            node.children()
                .filter(roxmltree::Node::is_element)
                .all(|child| children.contains(&child.tag_name().name()))
        );
    }
    let count = |name: &str| document.descendants().filter(|node| node.has_tag_name(name)).count().to_string();
    for suite in document.descendants().filter(|node| node.has_tag_name("testsuite") || node.has_tag_name("testsuites"))
    {
        assert_eq!(suite.attribute("tests"), Some(count("testcase").as_str()));
        assert_eq!(suite.attribute("failures"), Some(count("failure").as_str()));
        assert_eq!(suite.attribute("errors"), Some(count("error").as_str()));
    }
    document
}

#[test]
fn junit_has_one_case_per_skill() {
    for case in cases() {
        let text = case.render(Format::Junit);
        let document = junit(&text);
        let cases: Vec<_> = document.descendants().filter(|node| node.has_tag_name("testcase")).collect();
        assert_eq!(cases.len(), case.report.catalog.parsed.skills.len());
        let names: BTreeSet<_> =
            cases.iter().map(|case| (case.attribute("classname"), case.attribute("name"))).collect();
        assert_eq!(names.len(), cases.len(), "each has its own name");
        let files: BTreeSet<_> = cases.iter().filter_map(|case| case.attribute("file")).collect();
        assert_eq!(files.len(), cases.len(), "each names its file");
        let skills_with_errors: BTreeSet<_> = case
            .report
            .active()
            .filter(|finding| finding.severity == Severity::Error)
            .map(|finding| finding.place.file)
            .collect();
        assert_eq!(
            document.descendants().filter(|node| node.has_tag_name("failure")).count(),
            skills_with_errors.len()
        );
    }
}

#[test]
fn junit_failures_follow_the_exit_status() {
    let failures = |fail_on: Option<Severity>| {
        let mut case = ordinary();
        case.options.fail_on = fail_on;
        let text = case.render(Format::Junit);
        junit(&text).descendants().filter(|node| node.has_tag_name("failure")).count()
    };
    assert_eq!([None, Some(Severity::Error), Some(Severity::Note)].map(failures), [0, 1, 2]);
}

#[test]
fn junit_names_findings_about_other_files() {
    let mut case = ordinary();
    let file = case.file("s/pdf/SKILL.md");
    let finding = case.report(&BAD, Place::whole(file), "bad");
    finding.subject = skilltree_lint::rule::Subject::Tree;
    let text = case.render_after(Format::Junit, |files| files[file.index()].path = "s/<&\">/SKILL.md".into());
    let document = junit(&text);
    let names: Vec<_> = document
        .descendants()
        .filter_map(|node| Some((node.attribute("classname")?, node.attribute("name")?)))
        .collect();
    assert_eq!(names, [("s", "<&\">"), ("s", "ocr")]);
}

#[test]
fn a_failed_run_says_why() {
    let reason = Reason {
        message: "a `]` is missing ##[error]\u{202e}<b>@org</b>".into(),
        details: vec!["object 1".into()],
        help: Some("close the list".into()),
        place: Some(("a::b,c".into(), skilltree_lint::excerpt::Position { line: 2, column: 7, ..Default::default() })),
    };
    let written = |format: Format| {
        let mut out = Vec::new();
        let options = render::Options { rules: crate::render::fixture::rules(), ..render::Options::default() };
        render::write_failed(format, &reason, &options, &mut out).expect("a vector takes it all");
        String::from_utf8(out).expect("every format is UTF-8")
    };
    for (name, format) in Format::NAMES {
        let text = written(format);
        assert_eq!(text.is_empty(), !format.reports_failure(), "{name}");
        assert_eq!(text.is_empty(), !format.is_report(text.as_bytes()), "{name}");
        assert!(!text.contains("##[") && !text.contains('\u{202e}'), "{text}");
    }
    assert_eq!(
        written(Format::Github),
        "::error file=a%3A%3Ab%2Cc,line=2,col=7,title=skilltree failed::a:\\u{3a}b,c:2:7: a `]` is missing #\\u{23}[error]\\u{202e}<b>@org</b>%0Aobject 1%0Ahelp: close the list\n"
    );
    let markdown = written(Format::Markdown);
    assert!(markdown.starts_with("## skilltree: failed\n\n`a:\\u{3a}b,c:2:7`: a `]` is missing `#"), "{markdown}");
    let log: Value = serde_json::from_str(&written(Format::Sarif)).expect("SARIF is JSON");
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!((&invocation["executionSuccessful"], &log["runs"][0]["results"]), (&json!(false), &json!([])));
    let notification = &invocation["toolExecutionNotifications"][0];
    assert_eq!(notification["level"], "error");
    assert_eq!(notification["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    let xml = written(Format::Junit);
    assert_eq!(junit(&xml).descendants().filter(|node| node.has_tag_name("error")).count(), 1);
}

/// A warning about the run, such as a base that is missing.
#[test]
fn every_format_for_reviewers_repeats_warnings() {
    let mut case = ordinary();
    case.report.warnings =
        vec![Warning { message: "there is no base".into(), help: Some("fetch it".into()), fails: false }];
    assert!(case.render(Format::Github).starts_with("::warning title=skilltree::there is no base%0Ahelp: fetch it\n"));
    assert!(case.render(Format::Markdown).contains("\n**warning**: there is no base\n\nhelp: fetch it\n"));
    assert_eq!(case.json(Format::Json)["warnings"], json!([{ "message": "there is no base", "help": "fetch it" }]));
    let invocation = &case.json(Format::Sarif)["runs"][0]["invocations"][0];
    let expected = json!({
        "executionSuccessful": true,
        "toolExecutionNotifications": [{ "level": "warning", "message": { "text": "There is no base. Fetch it." } }],
    });
    assert_eq!(*invocation, expected);
    let text = case.render(Format::Junit);
    let error = junit(&text)
        .descendants()
        .find(|node| node.has_tag_name("system-err"))
        .and_then(|node| node.text().map(str::to_owned));
    assert_eq!(error.as_deref(), Some("there is no base"));
}

#[test]
fn counts_have_one_name_and_number_per_line() {
    let mut case = Case::new(&[(PATH, "bad\nbad\n")]);
    let file = case.file(PATH);
    case.report(&BAD, Place::new(file, 0..3), "bad\nerrors=0");
    case.report(&SMALL, Place::new(file, 4..7), "small");
    let text = case.render(Format::Counts);
    let lines: Vec<(&str, &str)> = text.lines().map(|line| line.split_once('=').expect(&text)).collect();
    let (version, counts) = lines.split_first().expect(&text);
    assert_eq!(*version, ("version", env!("CARGO_PKG_VERSION")));
    let errors_warnings_notes = ["1", "0", "1"];
    let names = ["skills", "errors", "warnings", "notes", "new", "existing", "fixed", "ignored"];
    assert_eq!(counts.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
    assert_eq!(counts[1..4].iter().map(|(_, number)| *number).collect::<Vec<_>>(), errors_warnings_notes);
    assert_eq!(counts[4].1, "2", "without a base, every finding is new");
}
