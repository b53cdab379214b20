//! An ordinary report in every format, to the byte, and the schema of ours.

use skilltree_front_matter::text::Place;
use skilltree_lint::Report;
use skilltree_report::render::{self, Format, Look, Options};
use snapbox::{assert_data_eq, file};

use crate::render::fixture::{BAD, Case, HIDDEN, ordinary};

#[test]
fn renders_ordinary_report() {
    let case = ordinary();
    assert_data_eq!(case.render(Format::Full), file!["golden/ordinary.txt"].raw());
    assert_data_eq!(case.render(Format::Concise), file!["golden/ordinary.concise.txt"].raw());
    assert_data_eq!(case.render(Format::Json), file!["golden/ordinary.json"].raw());
    assert_data_eq!(case.render(Format::Sarif), file!["golden/ordinary.sarif"].raw());
    assert_data_eq!(case.render(Format::Github), file!["golden/ordinary.github.txt"].raw());
    assert_data_eq!(case.render(Format::Markdown), file!["golden/ordinary.md"].raw());
    assert_data_eq!(case.render(Format::Gitlab), file!["golden/ordinary.gitlab.json"].raw());
    assert_data_eq!(case.render(Format::Rdjson), file!["golden/ordinary.rdjson"].raw());
    assert_data_eq!(case.render(Format::Junit), file!["golden/ordinary.junit.xml"].raw());
    assert_data_eq!(case.render(Format::Html), file!["golden/ordinary.html"].raw());
}

#[test]
fn terminal_gets_colors_lines_and_links() {
    let mut case = ordinary();
    case.options.look = Look { width: 80, color: true, unicode: true, hyperlinks: true };
    assert_data_eq!(case.render(Format::Full), file!["golden/ordinary.ansi"].raw());
}

#[test]
fn renders_nothing_without_findings() {
    let case = Case::new(&[("s/pdf/SKILL.md", "---\nname: pdf\n---\n")]);
    for format in [Format::Full, Format::Concise, Format::Github] {
        assert_eq!(case.render(format), "", "{format:?}");
    }
    assert_eq!(case.json(Format::Json)["findings"], serde_json::json!([]));
    assert_eq!(case.json(Format::Sarif)["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(case.render(Format::Markdown), "## skilltree: no findings\n\n1 skill (index).\n");
}

#[test]
fn summary_counts_active_findings() {
    let summary = |report: &Report, place: &str| {
        render::summary(report, &Options { place: place.to_owned(), ..Options::default() })
    };
    let words = "index";
    let empty = Case::new(&[("s/pdf/SKILL.md", "a")]);
    assert_eq!(summary(&empty.report, words), "no findings in 1 skill (index)");
    let mut case = ordinary();
    let expected = "1 error, 1 note (1 ignored) in 2 skills (index)";
    assert_eq!(summary(&case.report, words), expected);
    let whole = Place::whole(case.file("s/pdf/SKILL.md"));
    case.report(&BAD, whole, "bad");
    case.report(&HIDDEN, whole, "hidden");
    let expected = "2 errors, 1 warning, 1 note (1 ignored) in 2 skills (`x\\n`)";
    assert_eq!(summary(&case.report, "`x\n`"), expected);
}

#[test]
fn json_matches_schema() {
    let schema = serde_json::from_str(include_str!("../../../schema/report.json")).expect("the schema is JSON");
    jsonschema::meta::validate(&schema).expect("the schema is a schema");
    let validator = jsonschema::validator_for(&schema).expect("the schema compiles");
    for case in [ordinary(), crate::render::injection::hostile(), Case::new(&[("s/x/SKILL.md", "x")])] {
        let errors: Vec<String> = validator.iter_errors(&case.json(Format::Json)).map(|e| e.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new());
    }
}

#[test]
fn format_names_are_unique() {
    for (word, format) in Format::NAMES {
        assert_eq!((Format::parse(word), format.name()), (Some(format), word));
    }
    assert_eq!(Format::parse("xml"), None);
}
