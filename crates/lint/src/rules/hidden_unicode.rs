//! Reports hidden characters.

use bstr::{BStr, ByteSlice};

use super::several;
use crate::rule::{Check, E2026, Facts, Finding, Group, Level, Rule, Sink, Subject, Sweep};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::components;
use skilltree_skills::characters::{self, names};
use skilltree_skills::snapshot::Role;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "hidden-unicode",
    group: Group::Security,
    since: E2026,
    level: Level::Error,
    unusable: true,
    unusable_if: "the name, the description, `when_to_use` or the path contains one",
    summary: "a skill contains hidden characters",
    why: "a model reads characters that a reviewer cannot see, so they can hide instructions",
    explanation: include_str!("hidden_unicode.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in catalog.skills() {
        let Some(body) = &skill.body else { continue };
        sink.about(Subject::Skill(id));
        for marked in skill.marked(&body.hidden, |_, text| found(text)) {
            let holder = marked.field.map_or("the file".to_owned(), |key| format!("`{key}`"));
            let finding = report(sink, marked.place, &holder, &marked.characters, marked.count);
            finding.unusable(marked.field.is_some());
            finding.occurrences(several::of_marked(skill, &marked, &holder, "hidden character"));
            for mark in marked.known {
                finding.unsafe_edit(mark.place, "");
            }
            finding.sweep(Sweep { find: found, inside: marked.inside, outside: marked.outside });
        }
    }
    for loss in components::losses(catalog, |name| !hidden(name).is_empty()) {
        let name = loss.component.name();
        let characters = hidden(name);
        let holder = format!("the name `{}` in the path", text::shortened(&text::lossless(name), 80));
        sink.about(loss.skill.map_or(Subject::Tree, Subject::Skill));
        let finding = report(sink, Place::whole(loss.file), &holder, &characters, characters.len());
        // A prompt shows only the paths of skills.
        finding.unusable(catalog.file(loss.file).role == Role::Skill);
    }
}

/// Finds the hidden characters of a text, with their offsets.
fn found(text: &str) -> Vec<(usize, char)> {
    characters::suspects(text).hidden
}

/// Returns the hidden characters of a name. `unsafe-path` reports a name that is not UTF-8.
fn hidden(name: &BStr) -> Vec<char> {
    let suspects = name.to_str().map(characters::suspects).unwrap_or_default();
    suspects.hidden.into_iter().map(|(_, character)| character).collect()
}

fn report<'s>(sink: &'s mut Sink, place: Place, holder: &str, found: &[char], count: usize) -> &'s mut Finding {
    let finding = sink.report(place, format!("{holder} contains {}", names::counted("hidden character", found, count)));
    if let Some(spelled) = names::spelled_by_tags(found) {
        finding.note(format!("the tag characters spell `{}`", text::shortened(&spelled, 80)));
    }
    finding.extent(count).help("delete them; to show one in an example, write its code point, such as `U+200B`")
}
