//! How much is shown, and what is said of the rest.

use skilltree::render::Format;
use skilltree::text::Place;

use crate::fixture::{BAD, Case, HIDDEN, SMALL};

const PATH: &str = "s/x/SKILL.md";

fn many(rule: &'static skilltree::rule::Rule, number: usize, message: &str) -> Case {
    let text = "bad\n".repeat(number);
    let mut case = Case::new(&[(PATH, &text)]);
    let file = case.file(PATH);
    for line in 0..number {
        case.report(rule, Place::new(file, line * 4..line * 4 + 3), message);
    }
    case
}

#[test]
fn text_ends_at_the_limit_and_says_so() {
    let mut case = many(&BAD, 12, "bad");
    case.options.shown_findings = Some(5);
    let last = "7 more findings are not shown (limits.shown-findings, 16 MiB of text)\n";
    for format in [Format::Full, Format::Concise] {
        let text = case.render(format);
        assert!(text.ends_with(last), "{text}");
        assert_eq!(text.matches("error[bad-thing]").count(), 5);
    }
    let markdown = case.render(Format::Markdown);
    assert!(markdown.ends_with("\n7 more findings are not shown.\n"), "{markdown}");
    case.options.shown_findings = None;
    assert_eq!(case.render(Format::Concise).lines().count(), 12);
}

#[test]
fn a_summary_stays_under_a_mebibyte() {
    let mut case = many(&BAD, 3_000, &"a`".repeat(2_000));
    case.options.shown_findings = None;
    let markdown = case.render(Format::Markdown);
    assert!(markdown.len() < 1 << 20 && markdown.len() > 800 << 10, "{}", markdown.len());
    assert!(markdown.ends_with("more findings are not shown.\n"));
}

#[test]
fn all_text_stays_under_16_mebibytes() {
    let mut case = many(&BAD, 5_000, &"😀".repeat(1_001));
    case.options.shown_findings = None;
    let text = case.render(Format::Concise);
    assert!(text.len() < 17 << 20 && text.len() > 15 << 20, "{}", text.len());
    assert!(text.contains("more findings are not shown"));
}

#[test]
fn a_runner_gets_ten_of_a_kind_and_a_pointer_first() {
    let mut case = many(&HIDDEN, 11, "hidden");
    let file = case.file(PATH);
    for line in 0..10 {
        case.report(&SMALL, Place::new(file, line * 4..line * 4 + 3), "small");
    }
    let text = case.render(Format::Github);
    assert!(text.starts_with("::notice title=skilltree::2 more findings in the log of this step\n"), "{text}");
    assert_eq!(text.matches("::warning file=").count(), 10);
    assert_eq!(text.matches("::notice ").count(), 10);
}

#[test]
fn sarif_keeps_the_worst_25_000() {
    let mut case = many(&SMALL, 25_001, "small");
    let file = case.file(PATH);
    case.report(&BAD, Place::new(file, 0..3), "bad");
    let run = &case.json(Format::Sarif)["runs"][0];
    let results = run["results"].as_array().expect("results are a list");
    assert_eq!((results.len(), &results[0]["level"]), (25_000, &"error".into()));
    let said = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(said, "2 results are left out: a run holds at most 25000. The worst ones are kept.");
}
