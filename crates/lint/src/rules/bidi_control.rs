//! Reports bidirectional controls that reorder displayed text.

use bstr::{BStr, ByteSlice};

use super::several;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink, Subject, Sweep};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::components;
use skilltree_skills::characters::{self, names};

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "bidi-control",
    group: Group::Security,
    since: E2026,
    level: Level::Error,
    summary: "a skill contains control characters that reorder displayed text",
    why: "a reviewer sees one sentence and the model reads another (CVE-2021-42574, Trojan Source)",
    explanation: include_str!("bidi_control.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in catalog.skills() {
        let Some(body) = &skill.body else { continue };
        sink.about(Subject::Skill(id));
        for marked in skill.marked(&body.bidi, |key, text| if key == "name" { any(text) } else { suspicious(text) }) {
            let holder = marked.field.map_or("the file".to_owned(), |key| format!("`{key}`"));
            let finding = report(sink, marked.place, &holder, &marked.characters, marked.count);
            finding.occurrences(several::of_marked(skill, &marked, &holder, "bidirectional control"));
            for mark in marked.known {
                finding.unsafe_edit(mark.place, "");
            }
            finding.sweep(Sweep { find: suspicious, inside: marked.inside, outside: marked.outside });
        }
    }
    for loss in components::losses(catalog, |name| !controls(name).is_empty()) {
        let name = loss.component.name();
        let found = controls(name);
        let holder = format!("the name `{}` in the path", text::shortened(&text::lossless(name), 80));
        sink.about(loss.skill.map_or(Subject::Tree, Subject::Skill));
        report(sink, Place::whole(loss.file), &holder, &found, found.len());
    }
}

/// Finds controls that are unbalanced, overriding or empty, or whose text is not right-to-left.
fn suspicious(text: &str) -> Vec<(usize, char)> {
    characters::suspects(text).bidi
}

/// Finds every control: a name needs none.
fn any(text: &str) -> Vec<(usize, char)> {
    text.char_indices().filter(|&(_, character)| characters::is_bidi_control(character)).collect()
}

/// Returns the controls in a path component.
fn controls(name: &BStr) -> Vec<char> {
    name.chars().filter(|&character| characters::is_bidi_control(character)).collect()
}

fn report<'s>(sink: &'s mut Sink, place: Place, holder: &str, found: &[char], count: usize) -> &'s mut Finding {
    let what = names::counted("bidirectional control", found, count);
    sink.report(place, format!("{holder} contains {what}"))
        .extent(count)
        .help("delete them, or close each isolate on the line where it opens")
}
