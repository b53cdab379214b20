//! Property test: fixes every rule page and generated files with common faults.

use proptest::prelude::*;
use skilltree_lint::rule::Level;
use skilltree_lint::rules;
use skilltree_report::explain::{Example, sections};
use skilltree_skills::source::{Content, Entry};

use crate::fix::proved::{memory, proved};

#[test]
fn fixes_findings_of_rule_pages() {
    let mut fixed = 0;
    for rule in rules::ALL {
        let on: &[&str] = if rule.level == Level::Off { &[rule.id()] } else { &[] };
        let sections = sections(rule.explanation()).into_iter();
        for section in sections.filter(|section| section.heading.starts_with("Fires")) {
            let source = memory(&Example::new(&section).files);
            for unsafe_edits in [false, true] {
                let repair = proved(&source, unsafe_edits, on);
                let repair = repair.unwrap_or_else(|error| panic!("{}: {}: {error}", rule.id(), section.heading));
                fixed += repair.fixed.len();
            }
        }
    }
    assert!(fixed > 40, "too few findings were fixed: {fixed}");
}

/// A line of front matter, sometimes with a fault.
fn line() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("Build for AWS: ECS".to_owned()),
        Just("Says \"hi\": it's C:\\x: so".to_owned()),
        Just("'quoted' and: more".to_owned()),
        Just("text # and a comment".to_owned()),
        Just("123".to_owned()),
        Just("yes".to_owned()),
        Just("2026-11-20".to_owned()),
        Just("@mention: first".to_owned()),
        Just("[a, b] and more".to_owned()),
        Just("|\n  a block: of text\n  and more".to_owned()),
        Just("zero\u{200b}width \u{202e}turned".to_owned()),
        Just("\"open".to_owned()),
        Just("PDF Tools".to_owned()),
        Just("".to_owned()),
        "[a-zé:# \"'\\\\-]{0,20}",
    ];
    let key = prop_oneof![
        Just("name"),
        Just("description"),
        Just("when_to_use"),
        Just("title"),
        Just("Name"),
        Just("descripton"),
        Just("license"),
        Just("metadata"),
    ];
    prop_oneof![
        8 => (key, value).prop_map(|(key, value)| format!("{key}: {value}")),
        1 => Just("name: pdf".to_owned()),
        1 => Just("description: Fills in forms. Use when a form is to be filled in.".to_owned()),
        1 => Just("# a comment".to_owned()),
        1 => Just("\ttabbed: x".to_owned()),
        1 => Just("...".to_owned()),
    ]
}

/// A SKILL.md with anything wrong with its fences, its line ends, its fields and its body.
fn skill() -> impl Strategy<Value = String> {
    let before = prop_oneof![4 => Just(""), 1 => Just("\u{feff}"), 1 => Just("\n\n"), 1 => Just("text\n")];
    let fence = || prop_oneof![4 => Just("---"), 1 => Just("--- "), 1 => Just("----"), 1 => Just("  ---")];
    let body = prop_oneof![
        3 => Just("Do it.\n"),
        1 => Just(""),
        1 => Just("\r\nDo\nit: \u{200b}now.\r\n"),
        1 => Just("---\nname: forged\n---\n"),
    ];
    let line_ending = prop_oneof![4 => Just("\n"), 2 => Just("\r\n"), 1 => Just("\r")];
    let parts = (before, fence(), prop::collection::vec(line(), 0..5), fence(), body, line_ending);
    parts.prop_map(|(before, opener, lines, closer, body, line_ending)| {
        let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
        format!("{before}{opener}\n{lines}{closer}\n").replace('\n', line_ending) + body
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fixes_arbitrary_text(one in skill(), other in skill(), unsafe_edits: bool) {
        let entry = |path: &str, text: &str| Entry { path: path.into(), content: Content::File(text.into()) };
        let files = [entry(".agent/skills/pdf/SKILL.md", &one), entry(".agent/skills/pdf-tools/SKILL.md", &other)];
        let proof = proved(&memory(&files), unsafe_edits, &[]);
        prop_assert!(proof.is_ok(), "{}", proof.unwrap_err());
    }
}
