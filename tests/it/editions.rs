//! Editions: a rule of an invented later edition does not change a frozen one.

use skilltree_lint::Report;
use skilltree_lint::config::{self, Config, Inputs};
use skilltree_lint::lint;
use skilltree_lint::rule::{Change, Defaults, E2026, Edition, Level, Severity};
use skilltree_skills::snapshot::{Body, File, Origin, Role};
use skilltree_skills::source::{self, Content, Entry};

const LATER: &[Change] = &[
    Change { since: Edition("2027"), rule: "empty-body", level: Level::Note },
    Change { since: Edition("2027"), rule: "name-differs-from-directory", level: Level::Off },
];

const SKILL: &str = "---\nname: portable\ndescription: Reads files. Use when a file is to be read.\n---\n";

/// A report under an edition, with lines of skilltree.toml.
fn report(edition: Edition, settings: &str) -> Report {
    let settings = File::new(config::SETTINGS, Role::Config, None, Body::Text(settings.into()));
    let config = config::read(Inputs { settings: Some(settings), ..Inputs::default() }).expect("it is valid");
    let levels = config::Levels { defaults: Defaults { edition, preview: false, changes: LATER }, ..config.levels };
    let config = Config { levels, ..config };
    let entry = Entry { path: ".agent/skills/pdf/SKILL.md".into(), content: Content::File(SKILL.into()) };
    let source = source::memory(Origin::Memory, vec![entry]);
    let parsed = source.read(&config.roots, config.limits.bounds()).expect("memory is always there");
    lint(parsed, &config)
}

fn found(report: &Report) -> Vec<(&str, Severity)> {
    report.findings.iter().map(|finding| (finding.rule.id(), finding.severity)).collect()
}

#[test]
fn applies_edition_of_configuration() {
    let before = report(E2026, "");
    assert_eq!(found(&before), [("name-differs-from-directory", Severity::Error), ("empty-body", Severity::Error)]);
    assert_eq!(before.accepted().skills, []);
    let after = report(Edition("2027"), "");
    assert_eq!(found(&after), [("empty-body", Severity::Note)]);
    assert_eq!(after.accepted().skills.len(), 1);
}

#[test]
fn configured_severity_overrides_every_edition() {
    let settings = "[rules]\nempty-body = 'off'\nname-differs-from-directory = 'warning'\n";
    for edition in [E2026, Edition("2027")] {
        assert_eq!(found(&report(edition, settings)), [("name-differs-from-directory", Severity::Warning)]);
    }
}

#[test]
fn ignore_of_rule_outside_edition_is_not_unused() {
    let entry = "[[ignore]]\nrule = 'name-differs-from-directory'\npath = '.agent'\nreason = 'r'\n";
    assert_eq!(found(&report(Edition("2027"), entry)), [("empty-body", Severity::Note)]);
}
