//! Every format of a report: data parses back, and no control character is in any of them.

use bstr::ByteSlice;
use skilltree_front_matter::text::{FileId, Place};
use skilltree_lint::excerpt::Excerpts;
use skilltree_lint::rule::{Finding, Sink, Subject};
use skilltree_lint::rules;
use skilltree_report::render::{self, Format, Look, Options};
use skilltree_skills::characters;

use super::files::{Linted, entry, part, parts};

/// Renders the report of two skills, and findings with the texts of the input at any places. The first four bytes are settings,
/// then follow the skills, a message and a path.
pub fn render(data: &[u8]) {
    let Some((&[look, start, length, rule], rest)) = data.split_first_chunk::<4>() else { return };
    let parts = parts(rest, 4);
    let name: Vec<u8> = part(&parts, 3).iter().copied().filter(|byte| !matches!(byte, b'/' | 0)).take(100).collect();
    let name = if matches!(name.as_slice(), b"" | b"." | b"..") { b"pdf".to_vec() } else { name };
    let path = [b".agent/skills/".as_slice(), &name, b"/SKILL.md"].concat();
    let files = [entry(".agent/skills/forms/SKILL.md", parts[0]), entry(path, part(&parts, 1))];
    let mut linted = Linted::new(&files).expect("no configuration is a configuration");
    let message = part(&parts, 2).to_str_lossy().into_owned();
    let range = usize::from(start) * 3..usize::from(start) * 3 + usize::from(length);
    linted.report.findings.extend(findings(&message, range, rule));
    let excerpts = linted.excerpts();
    let look = Look { width: usize::from(look), color: look % 2 == 1, unicode: look % 4 > 1, hyperlinks: false };
    let options = Options { look, source: "memory".to_owned(), ..Options::default() };
    for (name, format) in Format::NAMES {
        check(name, format, &linted, &excerpts, &options);
    }
}

/// Returns a finding about each file, with a message, an edit and help.
fn findings(message: &str, range: std::ops::Range<usize>, rule: u8) -> Vec<Finding> {
    let rule = rules::ALL[usize::from(rule) % rules::ALL.len()];
    let mut sink = Sink::new(rule, Subject::Tree);
    for file in [0, 1] {
        let place = Place::new(FileId(file), range.clone());
        sink.report(place, message).help(message).note(message).related(place, message).edit(place, message);
    }
    sink.into_findings()
}

fn check(name: &str, format: Format, linted: &Linted, excerpts: &Excerpts, options: &Options) {
    let written = || {
        let mut out = Vec::new();
        render::write(format, &linted.report, excerpts, options, &mut out).expect("a vector takes everything");
        out
    };
    let bytes = written();
    assert_eq!(bytes, written(), "{name}: the second output differs");
    let text = bytes.to_str().unwrap_or_else(|error| panic!("{name} is not UTF-8: {error}"));
    let is_color = |c: char| options.look.color && c == '\u{1b}';
    let hidden = text.chars().find(|&c| !(c == '\n' || characters::is_plain(c) || is_color(c)));
    assert_eq!(hidden, None, "{name} has a hidden character");
    let active = linted.report.active().count();
    match format {
        Format::Json => {
            let report = json(name, text);
            assert_eq!(report["findings"].as_array().map(Vec::len), Some(active), "{name} lists all findings");
        }
        Format::Sarif => {
            let report = json(name, text);
            let results = report["runs"][0]["results"].as_array().map_or(0, Vec::len);
            assert!(results >= active.min(1) && report["version"] == "2.1.0", "{name} has {results} results");
        }
        Format::Gitlab => assert!(json(name, text).as_array().is_some_and(|issues| issues.len() >= active.min(1))),
        Format::Rdjson => assert!(json(name, text)["diagnostics"].is_array(), "{name} has diagnostics"),
        Format::Junit => {
            let document = roxmltree::Document::parse(text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            let failures = document.descendants().filter(|node| node.has_tag_name("failure")).count();
            assert!(failures >= active.min(1), "{name} has {failures} failures of {active}");
        }
        Format::Counts => assert!(text.lines().all(|line| line.contains('=')), "{name}: {text}"),
        Format::Github => check_commands(text),
        Format::Full | Format::Concise | Format::Markdown => assert!(!text.contains("##["), "{name}: {text}"),
        Format::Html => {}
    }
}

/// Reads the output as a runner does: outside of what it writes as plain text, only three commands.
fn check_commands(text: &str) {
    assert!(!text.contains("##["), "{text}");
    let mut stopped = None;
    for line in text.lines() {
        match &stopped {
            Some(token) if line == format!("::{token}::") => stopped = None,
            Some(_) => {}
            None => {
                stopped = line.strip_prefix("::stop-commands::").map(str::to_owned);
                let commands = ["::error ", "::warning ", "::notice "];
                let is_known = stopped.is_some() || commands.iter().any(|start| line.starts_with(start));
                assert!(is_known || !line.starts_with("::"), "{line}");
            }
        }
    }
    assert_eq!(stopped, None, "commands stay stopped");
}

fn json(name: &str, text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"))
}
