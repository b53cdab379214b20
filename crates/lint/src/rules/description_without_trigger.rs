//! Reports descriptions that do not say when to use the skill.

use std::borrow::Cow;

use bstr::ByteSlice;
use unicode_script::{Script, UnicodeScript};

use super::text_read_as_key;
use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink};
use skilltree_front_matter::What;
use skilltree_front_matter::text::Place;
use skilltree_skills::skill::Skill;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "description-without-trigger",
    group: Group::Fields,
    since: E2026,
    level: Level::Note,
    summary: "a description does not say when to use the skill",
    why: "an agent selects skills by description, so a skill that never says when is rarely selected",
    explanation: include_str!("description_without_trigger.md"),
    check: Check::Skill(check),
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

/// Words of European languages that each indicate when to use a skill.
const WORDS: [&str; 36] = [
    "activate",
    "activates",
    "after",
    "asked",
    "asking",
    "asks",
    "before",
    "cuando",
    "during",
    "falls",
    "if",
    "invoke",
    "invoked",
    "lorsque",
    "mention",
    "mentioned",
    "mentions",
    "need",
    "needed",
    "needs",
    "once",
    "proactively",
    "quand",
    "quando",
    "trigger",
    "triggered",
    "triggers",
    "unless",
    "until",
    "upon",
    "want",
    "wants",
    "wenn",
    "when",
    "whenever",
    "while",
];

/// Phrases that do so. Their words alone say nothing.
const PHRASES: [&str; 5] = ["applies to", "apply to", "designed for", "ideal for", "run this"];

/// Words that do so after `use`, `used`, `using` or `useful`: `use this to fill in forms`, `useful for forms`.
const AFTER_USE: [&str; 9] = ["as", "at", "by", "for", "in", "it", "on", "this", "to"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    // In Symphony's roots a separate rule requires `when_to_use`.
    if facts.root(skill).profile == "symphony" || skill.field("when_to_use").is_some_and(|when| !when.value.is_blank())
    {
        return;
    }
    let Some(description) = skill.field("description").map(|field| &field.value) else { return };
    let Some(text) = description.scalar().filter(|text| !text.trim().is_empty()) else { return };
    // The model never chooses such a skill.
    if skill.field("disable-model-invocation").and_then(|field| field.value.scalar()).is_some_and(is_true) {
        return;
    }
    if !states_trigger(text) && !states_trigger(&lost(skill, description.place)) {
        sink.report(description.place, "the description does not say when to use the skill")
            .help("add a sentence that begins with `Use when` and contains the words of a typical request");
    }
}

/// Returns whether a value is true in any YAML version.
fn is_true(value: &str) -> bool {
    ["true", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Returns a value together with the part that a comment or a key cuts off, which another rule reports.
fn lost(skill: &Skill, value: Place) -> Cow<'_, str> {
    let field = skill.fields().find(|field| field.value.place == value);
    if let Some((_, whole)) = field.and_then(|field| text_read_as_key::continuation(skill, field)) {
        return skill.source(whole).to_str_lossy();
    }
    let cut = skill.faults.iter().find_map(|fault| match fault.what {
        What::CutByComment { value: whole, .. } if whole.start == value.start => Some(whole),
        _ => None,
    });
    cut.map_or(Cow::Borrowed(""), |whole| skill.source(whole).to_str_lossy())
}

/// Returns whether a text says when to use a skill. A text with non-Latin letters always does: the word lists do not
/// cover it.
fn states_trigger(text: &str) -> bool {
    let is_latin = |character: char| matches!(character.script(), Script::Latin | Script::Common | Script::Inherited);
    if !text.is_ascii() && !text.chars().all(is_latin) {
        return true;
    }
    let lower = text.to_ascii_lowercase();
    if PHRASES.iter().any(|phrase| lower.contains(phrase)) {
        return true;
    }
    let mut after_use = false;
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).any(|word| {
        let lower = word.to_ascii_lowercase();
        let says = WORDS.binary_search(&lower.as_str()).is_ok() || (after_use && AFTER_USE.contains(&lower.as_str()));
        after_use = matches!(lower.as_str(), "use" | "used" | "useful" | "using");
        says
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted() {
        assert!(WORDS.is_sorted(), "binary search needs sorted words");
    }

    #[test]
    fn recognizes_when_to_use_a_skill() {
        for text in [
            "Fills in PDF forms. Use when a form is named.",
            "Use this for forms",
            "Useful for anybody with forms",
            "ALWAYS USE IT IF A FORM IS THERE",
            "Formulare ausfüllen, wenn jemand fragt",
            "PDF \u{30d5}\u{30a9}\u{30fc}\u{30e0}",
            "Triggers: pdf, form",
            "Ideal for forms",
            "Applies to every form",
            "Run this for each form",
        ] {
            assert!(states_trigger(text), "{text}");
        }
        for text in ["Fills in PDF forms.", "A user of forms", "Whence forms come", "Uses qpdf for forms", "Ça remplit"]
        {
            assert!(!states_trigger(text), "{text}");
        }
    }
}
