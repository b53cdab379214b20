//! A description that does not say when.

use std::borrow::Cow;

use bstr::ByteSlice;
use unicode_script::{Script, UnicodeScript};

use crate::front_matter::What;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::skill::Skill;
use crate::text::Place;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "description-without-trigger",
    group: Group::Fields,
    since: E2026,
    level: Level::Note,
    unusable: false,
    faults: &[],
    summary: "a description says what a skill does and not when to use it",
    why: "an agent chooses by the description alone: a skill that never says when it is wanted is listed and not used",
    explanation: include_str!("description_without_trigger.md"),
    check: Check::Skill(check),
};

/// Words of European languages that say when, each for itself.
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

/// What follows `use`, `used`, `using` or `useful`: `use this to fill in forms`, `useful for forms`.
const BEHIND_USE: [&str; 9] = ["as", "at", "by", "for", "in", "it", "on", "this", "to"];

fn check(skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    // In Symphony's roots the key that says when is asked for by a rule of its own.
    if facts.root(skill).profile == "symphony" || skill.field("when_to_use").is_some_and(|when| !when.value.is_blank())
    {
        return;
    }
    let Some(description) = skill.field("description").map(|field| &field.value) else { return };
    let Some(text) = description.scalar().filter(|text| !text.trim().is_empty()) else { return };
    if !says_when(text) && !says_when(&lost(skill, description.place)) {
        sink.report(description.place, "the description does not say when to use the skill")
            .help("add a sentence that begins with `Use when`, with the words that people use when they want it");
    }
}

/// What a comment cut off a value, with the value: that it is lost is another finding.
fn lost(skill: &Skill, value: Place) -> Cow<'_, str> {
    let cut = skill.faults.iter().find_map(|fault| match fault.what {
        What::CutByComment { value: whole, .. } if whole.start == value.start => Some(whole),
        _ => None,
    });
    cut.map_or(Cow::Borrowed(""), |whole| skill.source(whole).to_str_lossy())
}

/// Whether a text says when something is wanted. A text with letters of another script is not judged: its words are not
/// in the list.
fn says_when(text: &str) -> bool {
    let is_latin = |character: char| matches!(character.script(), Script::Latin | Script::Common | Script::Inherited);
    if !text.is_ascii() && !text.chars().all(is_latin) {
        return true;
    }
    let mut after_use = false;
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).any(|word| {
        let lower = word.to_ascii_lowercase();
        let says = WORDS.binary_search(&lower.as_str()).is_ok() || (after_use && BEHIND_USE.contains(&lower.as_str()));
        after_use = matches!(lower.as_str(), "use" | "used" | "useful" | "using");
        says
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_are_sorted() {
        assert!(WORDS.is_sorted(), "they are searched by halves");
    }

    #[test]
    fn a_description_says_when_or_not() {
        for text in [
            "Fills in PDF forms. Use when a form is named.",
            "Use this for forms",
            "Useful for anybody with forms",
            "ALWAYS USE IT IF A FORM IS THERE",
            "Formulare ausfüllen, wenn jemand fragt",
            "PDF \u{30d5}\u{30a9}\u{30fc}\u{30e0}",
            "Triggers: pdf, form",
        ] {
            assert!(says_when(text), "{text}");
        }
        for text in ["Fills in PDF forms.", "A user of forms", "Whence forms come", "Uses qpdf for forms", "Ça remplit"]
        {
            assert!(!says_when(text), "{text}");
        }
    }
}
