//! Reports skills whose description differs from that of an earlier skill only in words without content.

use std::collections::HashMap;

use super::namesakes::is_one_skill;
use crate::rule::{Check, E2026, Elsewhere, Facts, Group, Level, Precision, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "near-identical-description",
    group: Group::Fields,
    since: E2026,
    level: Level::Note,
    summary: "two skills in a skills directory have almost the same description",
    why: "an agent selects a skill by its description, so it can only guess between the two",
    explanation: include_str!("near_identical_description.md"),
    check: Check::Catalog(check),
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

/// Returns whether a word does not say what a skill does.
#[rustfmt::skip]
fn is_empty(word: &str) -> bool {
    matches!(
        word,
            "a" | "an" | "and" | "are" | "as" | "at" | "be" | "by" | "can" | "for" | "from" | "has" | "have"
            | "if" | "in" | "is" | "it" | "its" | "may" | "of" | "on" | "or" | "should" | "that" | "the"
            | "their" | "this" | "to" | "use" | "used" | "user" | "when" | "whenever" | "will" | "with" | "you"
    )
}

/// Minimum number of other words. Two short descriptions are easily alike.
const WORDS: usize = 4;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let mut first: HashMap<(RootId, [u8; 16]), SkillId> = HashMap::new();
    for &id in &catalog.listed {
        let skill = catalog.skill(id);
        let Some(description) = skill.text("description") else { continue };
        let Some(content) = content(description.value) else { continue };
        let earlier = *first.entry((skill.root, content)).or_insert(id);
        let Some(original) = catalog.skill(earlier).field("description") else { continue };
        let is_identical = catalog.skill(earlier).text("description").is_some_and(|one| one.value == description.value);
        if earlier == id || is_identical || is_one_skill(catalog, earlier, id) {
            continue;
        }
        let message =
            |other| format!("the description says the same as that of `{}`", text::lossless(catalog.path(other)));
        let finding = sink.about(Subject::Skill(id)).report(description.place, message(earlier));
        let (subject, place) = (Subject::Skill(earlier), original.value.place);
        finding.or_at(Elsewhere::Other { subject, place, message: message(id) }).related(place, "first described here");
        finding.help("describe in each skill what only that skill does");
    }
}

/// Returns the hash of the words that say something, in their order, in lowercase; `None` if there are too few.
fn content(description: &str) -> Option<[u8; 16]> {
    let lower = description.to_lowercase();
    let words = lower
        .split(|character: char| !character.is_alphanumeric() && !matches!(character, '+' | '#'))
        .filter(|word| !word.is_empty());
    let words: Vec<&str> = words.filter(|word| !is_empty(word)).collect();
    (words.len() >= WORDS).then(|| text::digest(words.join(" ").as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_order_and_every_word_with_content() {
        let same = |one: &str, other: &str| content(one) == content(other);
        assert!(same("Writes the weekly report. Use when it is due.", "Writes a weekly report; use it when due!"));
        assert!(!same("Writes the weekly report when due.", "Writes the monthly report when due."));
        assert!(!same(
            "Writes idiomatic programs in C. Use when asked.",
            "Writes idiomatic programs in C++. Use when asked."
        ));
        assert!(!same("Copies files from Ada to Bob quickly.", "Copies files from Bob to Ada quickly."));
        assert!(!same("Fills in forms. Not for PDF forms: use pdf.", "Fills in forms. Not for web forms: use web."));
        assert_eq!(content("Use when the user has forms."), None);
    }
}
