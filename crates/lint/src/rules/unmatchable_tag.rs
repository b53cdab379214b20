//! Tags that never match a task in the profile `swarm`.

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unmatchable-tag",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    summary: "a tag never matches a task in the profile `swarm`",
    why: "the profile `swarm` compares tags with single words of three or more letters; any other tag only lowers the rank",
    explanation: include_str!("unmatchable_tag.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        sink.about(Subject::Skill(id));
        for tag in skill.field("tags").map(swarm::words).unwrap_or_default() {
            let Some(flaw) = flaw(tag.value) else { continue };
            let shown = text::shortened(tag.value, 64);
            sink.report(tag.place, format!("the tag `{shown}` never matches a task in the profile `swarm`: {flaw}"))
                .help(help(tag.value));
        }
    }
}

/// Returns why a tag cannot equal a word of a task, which is a run of three or more letters from `a` to `z`.
fn flaw(tag: &str) -> Option<&'static str> {
    let of = |found: fn(char) -> bool| tag.chars().any(found);
    if of(char::is_whitespace) || of(|character| matches!(character, '-' | '_')) {
        Some("it is more than one word")
    } else if of(|character| character.is_ascii_digit()) {
        Some("it contains a digit")
    } else if of(|character| !character.is_ascii_alphabetic()) {
        Some("it contains a character other than the letters `a` to `z`")
    } else {
        (tag.len() < LETTERS).then_some("it has fewer than three letters")
    }
}

/// Minimum number of letters of a compared word (SwarmAssistant's tokenizer, `[a-z]{3,}`).
const LETTERS: usize = 3;

fn help(tag: &str) -> String {
    let words = tag.split(|character: char| !character.is_ascii_alphabetic());
    let words: Vec<String> = words.filter(|word| word.len() >= LETTERS).map(|word| format!("`{word}`")).collect();
    if words.is_empty() {
        "use a word that occurs in tasks, or remove the tag".to_owned()
    } else {
        format!("replace it with {}", words.join(" and "))
    }
}
