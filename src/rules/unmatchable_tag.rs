//! A tag that matches no task.

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::swarm;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unmatchable-tag",
    group: Group::Fields,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a tag can match no task in SwarmAssistant",
    why: "SwarmAssistant compares tags with single words of three letters or more: a tag that is no such word never matches, and lowers the share of those that do",
    explanation: include_str!("unmatchable_tag.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, skill) in swarm::skills(catalog, facts) {
        sink.about(Subject::Skill(id));
        for tag in skill.field("tags").map(swarm::words).unwrap_or_default() {
            let Some(flaw) = flaw(tag.value) else { continue };
            let shown = text::shortened(tag.value, 64);
            sink.report(tag.place, format!("no task can match the tag `{shown}`: {flaw}")).help(help(tag.value));
        }
    }
}

/// Why a tag is no word of a task: those are runs of three letters from `a` to `z` or more.
fn flaw(tag: &str) -> Option<&'static str> {
    let of = |found: fn(char) -> bool| tag.chars().any(found);
    if of(char::is_whitespace) || of(|character| matches!(character, '-' | '_')) {
        Some("it is more than one word")
    } else if of(|character| character.is_ascii_digit()) {
        Some("words have no digits there")
    } else if of(|character| !character.is_ascii_alphabetic()) {
        Some("words are of the letters `a` to `z` there")
    } else {
        (tag.len() < LETTERS).then_some("words have three letters or more there")
    }
}

/// Letters of the shortest word that is compared (SwarmAssistant's tokenizer, `[a-z]{3,}`).
const LETTERS: usize = 3;

fn help(tag: &str) -> String {
    let words = tag.split(|character: char| !character.is_ascii_alphabetic());
    let words: Vec<String> = words.filter(|word| word.len() >= LETTERS).map(|word| format!("`{word}`")).collect();
    if words.is_empty() {
        "write a word that tasks use, or remove it: every tag that does not match lowers the rank".to_owned()
    } else {
        format!("write {} instead", words.join(" and "))
    }
}
