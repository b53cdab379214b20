//! Words of a text, as tags and full-text ranking compare them.

use std::collections::BTreeSet;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Words without information about a task, sorted: articles, pronouns, prepositions, auxiliary verbs, and common words
/// of tasks ("please", "make"). No tag of a public skill contains one of them.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "an", "and", "any", "are", "at", "be", "been", "but", "by", "can", "could", "did",
    "do", "doe", "done", "each", "for", "from", "ha", "had", "have", "how", "i", "if", "in", "into", "it", "let",
    "make", "may", "me", "must", "my", "need", "new", "no", "not", "of", "on", "or", "our", "please", "s", "should",
    "so", "some", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these", "they", "thi",
    "those", "to", "u", "up", "use", "using", "wa", "want", "we", "were", "what", "when", "where", "which", "while",
    "who", "will", "with", "would", "you", "your",
];

/// Returns the words without information about a task.
pub(crate) fn stop_words() -> &'static [&'static str] {
    STOP_WORDS
}

/// Splits a text into normalized words, in order.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    runs(text).map(fold)
}

/// Splits a text into runs of letters, marks and digits. Every language with Unicode's general categories can do the same.
pub(super) fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !is_word(character)).filter(|run| !run.is_empty())
}

fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    let group = character.general_category_group();
    matches!(group, GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number)
}

/// Normalizes a run: lowercase, without a final `s` unless it follows another `s`, so that `reviews` equals `review`
/// and `class` is kept.
pub(super) fn fold(run: &str) -> String {
    let mut word = run.to_lowercase();
    word.truncate(singular(&word).len());
    word
}

/// Removes the final `s` of a lowercase word, as [`fold`] does.
pub(super) fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(rest) if !rest.is_empty() && !rest.ends_with('s') => rest,
        _ => word,
    }
}

/// Returns the significant words of a task.
pub(super) fn significant(text: &str) -> BTreeSet<String> {
    words(text).filter(|word| STOP_WORDS.binary_search(&word.as_str()).is_err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_and_normalizes_words() {
        let cases = [
            ("Review the API's error-handling", "review the api s error handling"),
            ("class Reviews s 3D", "class review s 3d"),
            ("ÜBER straße 日本語", "über straße 日本語"),
            ("हिन्दी-लिपि e\u{301}t\u{e9} Ⓐ", "हिन्दी लिपि e\u{301}t\u{e9}"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text).collect::<Vec<_>>().join(" "), expected);
        }
    }

    #[test]
    fn skips_stop_words() {
        assert!(STOP_WORDS.is_sorted());
        let folded = |word: &&&str| words(word).next().as_deref() == Some(**word);
        assert!(STOP_WORDS.iter().all(|word| folded(&word)), "a stop word is written as it is compared");
        let found: Vec<String> = significant("Please review these migrations for the users").into_iter().collect();
        assert_eq!(found, ["migration", "review", "user"]);
    }

    #[test]
    fn stop_words_are_sorted_and_normalized() {
        assert!(stop_words().is_sorted() && stop_words().contains(&"the"));
        for word in stop_words() {
            assert_eq!(&fold(word), word);
        }
    }
}
