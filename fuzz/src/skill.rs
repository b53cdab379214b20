//! One skill: every place of its report is in its file, and every excerpt is the text there.

use bstr::ByteSlice;
use skilltree_front_matter::text::Place;

use super::files::{Linted, check_place, entry, part, parts};

/// Checks a SKILL.md and a reference next to it.
pub fn skill(data: &[u8]) {
    let parts = parts(data, 2);
    let files = [
        entry(".agent/skills/pdf/SKILL.md", parts[0]),
        entry(".agent/skills/pdf/reference.md", part(&parts, 1)),
        entry(".agent/skills/pdf/scripts/run.sh", b"#!/bin/sh\n"),
    ];
    let linted = Linted::new(&files).expect("no configuration is a configuration");
    let again = Linted::new(&files).expect("no configuration is a configuration");
    let excerpts = linted.excerpts();
    assert_eq!(linted.report.findings.len(), again.report.findings.len(), "the second report differs");
    for finding in &linted.report.findings {
        let all = finding.related.iter().map(|(place, _)| *place).chain(finding.edits.iter().map(|edit| edit.place));
        for place in finding.places().chain(all) {
            let path = &linted.report.catalog.file(place.file).path;
            let file = files.iter().find(|file| file.path == *path);
            let text = match file.map(|file| &file.content) {
                Some(skilltree_skills::source::Content::File(text)) => text.as_slice(),
                _ => panic!("{}: a finding about `{path}`", finding.rule.id()),
            };
            check_place(place, text, finding.rule.id());
            check_excerpt(&excerpts, place, text, finding.rule.id());
        }
        assert!(!finding.message.is_empty(), "{} reports nothing", finding.rule.id());
        let hides = |text: &str| text.contains('\n');
        assert!(
            !hides(&finding.message),
            "{}: the message has several lines: {:?}",
            finding.rule.id(),
            finding.message
        );
    }
}

fn check_excerpt(excerpts: &skilltree_lint::excerpt::Excerpts, place: Place, text: &[u8], rule: &str) {
    let excerpt = excerpts.get(place);
    let start = excerpt.start;
    let lines =
        text[..place.range().start].find_iter("\n").count() + text[..place.range().start].find_iter("\r").count();
    assert!(start.line >= 1 && start.column >= 1, "{rule}: {start:?}");
    assert!(start.line as usize <= lines + 1, "{rule}: line {} after {lines} line ends", start.line);
    assert!((excerpt.end.line, excerpt.end.column) >= (start.line, start.column), "{rule}: {excerpt:?}");
}
