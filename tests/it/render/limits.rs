//! Limits of each format, and the text that reports the rest.

use skilltree_front_matter::text::Place;
use skilltree_report::render::Format;

use crate::render::fixture::{BAD, Case, HIDDEN, SMALL};

const PATH: &str = "s/x/SKILL.md";

fn many(rule: &'static skilltree_lint::rule::Rule, number: usize, message: &str) -> Case {
    let text = "bad\n".repeat(number);
    let mut case = Case::new(&[(PATH, &text)]);
    let file = case.file(PATH);
    for line in 0..number {
        case.report(rule, Place::new(file, line * 4..line * 4 + 3), message);
    }
    case
}

#[test]
fn text_reports_its_limit() {
    let mut case = many(&HIDDEN, 12, "hidden");
    case.options.shown_findings = Some(5);
    let last = "7 more findings are not shown (limits.shown-findings, 16 MiB of text)\n";
    for format in [Format::Full, Format::Concise] {
        let text = case.render(format);
        assert!(text.ends_with(last), "{text}");
        assert_eq!(text.matches("warning[hidden-thing]").count(), 5);
    }
    let markdown = case.render(Format::Markdown);
    assert!(markdown.ends_with("\n7 more findings are not shown.\n"), "{markdown}");
    case.options.shown_findings = None;
    assert_eq!(case.render(Format::Concise).lines().count(), 12);
}

/// The number of findings that are shown limits warnings and notes only. Bytes limit errors too, and the text says so.
#[test]
fn limit_never_hides_an_error() {
    let mut case = many(&SMALL, 9, "small");
    let file = case.file(PATH);
    for line in 0..9 {
        case.report(&BAD, Place::new(file, line * 4..line * 4 + 3), "bad");
    }
    case.options.shown_findings = Some(4);
    for format in [Format::Full, Format::Concise, Format::Markdown, Format::Html] {
        let text = case.render(format);
        let errors = ["bad-thing](", "error[bad-thing]", ">bad-thing</a>"];
        assert_eq!(errors.map(|error| text.matches(error).count()).iter().sum::<usize>(), 9, "{text}");
        assert!(!text.contains("small-thing") && text.contains("9 more findings are not shown"), "{text}");
        assert!(!text.contains("of them"), "{text}");
    }
}

#[test]
fn summary_fits_a_comment() {
    let mut case = many(&BAD, 300, &"a`".repeat(2_000));
    case.options.shown_findings = Some(4);
    let markdown = case.render(Format::Markdown);
    assert!(markdown.len() < 65_536 && markdown.len() > 60_000, "{}", markdown.len());
    let left = skilltree_front_matter::text::grouped(300 - markdown.matches("bad-thing](").count());
    let words = format!("\n{left} more findings are not shown, {left} of them errors.\n");
    assert!(markdown.ends_with(&words), "{words}");
}

#[test]
fn text_stays_under_16_mib() {
    let mut case = many(&BAD, 5_000, &"😀".repeat(1_001));
    case.options.shown_findings = None;
    let text = case.render(Format::Concise);
    assert!(text.len() < 17 << 20 && text.len() > 15 << 20, "{}", text.len());
    assert!(text.contains("more findings are not shown"));
}

#[test]
fn annotations_are_capped_at_ten_per_severity() {
    let mut case = many(&HIDDEN, 11, "hidden");
    let file = case.file(PATH);
    for line in 0..10 {
        case.report(&SMALL, Place::new(file, line * 4..line * 4 + 3), "small");
    }
    let text = case.render(Format::Github);
    let omitted = "1 warning, 1 note more in the log of this step, among them hidden-thing, small-thing";
    assert!(text.starts_with(&format!("::notice title=skilltree::{omitted}\n")), "{text}");
    assert_eq!(text.matches("::warning file=").count(), 10);
    assert_eq!(text.matches("::notice ").count(), 10);
}

#[test]
fn sarif_keeps_25_000_most_severe() {
    let mut case = many(&SMALL, 25_001, "small");
    let file = case.file(PATH);
    case.report(&BAD, Place::new(file, 0..3), "bad");
    let run = &case.json(Format::Sarif)["runs"][0];
    let results = run["results"].as_array().expect("results are a list");
    assert_eq!((results.len(), &results[0]["level"]), (25_000, &"error".into()));
    let message = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert_eq!(
        message,
        "2 results are omitted; the limit of a run is 25,000 results and 10 MB compressed. The most severe ones are kept."
    );
    let message = &run["invocations"][0]["toolExecutionNotifications"][1]["message"]["text"];
    assert_eq!(message, "GitHub keeps the 5,000 most severe of these 25,000 results.");
}

/// GitHub rejects files of more than 10 MB after gzip. Its uploader compresses with the default level.
#[test]
fn sarif_stays_under_10_mb_compressed() {
    let number = 6_000;
    // Random ideographs: they hardly compress.
    let mut seed = 1_u64;
    let mut ideograph = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        char::from_u32(0x4e00 + (seed >> 33) as u32 % 20_000).expect("an ideograph")
    };
    let mut case = many(&SMALL, number, "small");
    for finding in &mut case.report.findings {
        finding.message = (0..1_000).map(|_| ideograph()).collect();
    }
    let file = case.file(PATH);
    case.report(&BAD, Place::new(file, 0..3), "bad");
    let mut text = Vec::new();
    let omitted =
        skilltree_report::render::write(Format::Sarif, &case.report, &case.excerpts(), &case.options, &mut text);
    let omitted = omitted.expect("a vector takes it all");
    let log: serde_json::Value = serde_json::from_slice(&text).expect("SARIF is JSON");
    let results = log["runs"][0]["results"].as_array().expect("results are a list");
    assert_eq!((results.len() + omitted.number, omitted.errors), (number + 1, 0));
    assert_eq!(results[0]["level"], "error");
    let message = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    let expected = format!("{} results are omitted;", skilltree_front_matter::text::grouped(omitted.number));
    assert!(message.as_str().is_some_and(|words| words.starts_with(&expected)), "{message}");
    // The level that gzip has by default; its header and its trailer have 18 bytes.
    let compressed = miniz_oxide::deflate::compress_to_vec(&text, 6).len() + 18;
    assert!((6_000_000..10_000_000).contains(&compressed), "{compressed}");
}

/// The position of the first error and of the first note in each format.
#[test]
fn errors_come_first_and_are_never_cut() {
    let mut case = many(&SMALL, 9, "small");
    let file = case.file(PATH);
    for line in 4..7 {
        case.report(&BAD, Place::new(file, line * 4..line * 4 + 3), "bad");
    }
    case.options.shown_findings = Some(4);
    // Counts name no finding.
    for (name, format) in Format::NAMES.into_iter().filter(|(_, format)| *format != Format::Counts) {
        let text = case.render(format);
        let findings =
            if format == Format::Sarif { text.split("\"results\":").nth(1).expect("results") } else { &text };
        let finding = |word: &str| findings.match_indices(word).map(|(at, _)| at).collect::<Vec<_>>();
        let (bad, small) = match format {
            Format::Json => (finding("\"rule\":\"bad-thing\""), finding("\"rule\":\"small-thing\"")),
            Format::Sarif => (finding("\"ruleId\":\"bad-thing\""), finding("\"ruleId\":\"small-thing\"")),
            Format::Github => (finding("title=bad-thing"), finding("title=small-thing")),
            Format::Markdown => (finding("[bad-thing]"), finding("[small-thing]")),
            Format::Html => (finding(">bad-thing</a>"), finding(">small-thing</a>")),
            Format::Gitlab => (finding("\"check_name\":\"bad-thing\""), finding("\"check_name\":\"small-thing\"")),
            Format::Rdjson => (finding("\"value\":\"bad-thing\""), finding("\"value\":\"small-thing\"")),
            Format::Full | Format::Concise | Format::Junit | Format::Counts => {
                (finding("error[bad-thing]"), finding("note[small-thing]"))
            }
        };
        assert_eq!(bad.len(), 3, "{name}: {text}");
        assert!(!small.is_empty() && bad.last() < small.first(), "{name}: {text}");
    }
}

#[test]
fn repeated_note_is_shown_once_with_its_count() {
    let mut case = many(&BAD, 4, "bad");
    for finding in &mut case.report.findings[..3] {
        finding.note("silently dropped by goose");
    }
    let text = case.render(Format::Full);
    let notes: Vec<&str> = text.lines().filter(|line| line.contains("= note: ")).collect();
    assert_eq!(
        notes,
        [
            "  = note: silently dropped by goose (the same for 2 other findings)",
            "  = note: some runtimes silently drop the skill"
        ]
    );
    // An annotation is read alone.
    let text = case.render(Format::Github);
    assert_eq!(text.matches("%0Anote: silently dropped by goose%0A").count(), 3, "{text}");
    assert_eq!(text.matches("%0Anote: some runtimes silently drop the skill\n").count(), 4, "{text}");
}

#[test]
fn notes_and_help_fit_terminal() {
    let mut case = many(&BAD, 1, "bad");
    let words = "a long note about what a runtime does with this file ".repeat(4);
    case.report.findings[0].note(words.trim_end()).help(words.trim_end());
    for width in [40, 60, 100] {
        case.options.look.width = width;
        let text = case.render(Format::Full);
        let longest = text.lines().map(str::len).max().expect("lines");
        assert!(longest <= width, "{longest} over {width}: {text}");
    }
}
