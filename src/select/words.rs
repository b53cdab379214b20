//! The words of a text, as tags and full-text ranking compare them.

use std::collections::BTreeSet;

/// Words that say nothing about a task, sorted: articles, pronouns, prepositions, auxiliary verbs, and what every task
/// says ("please", "make"). No word of the tags of public skills is among them.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "an", "and", "any", "are", "at", "be", "been", "but", "by", "can", "could", "did",
    "do", "doe", "done", "each", "for", "from", "ha", "had", "have", "how", "i", "if", "in", "into", "it", "let",
    "make", "may", "me", "must", "my", "need", "new", "no", "not", "of", "on", "or", "our", "please", "s", "should",
    "so", "some", "such", "t", "than", "that", "the", "their", "them", "then", "there", "these", "they", "thi",
    "those", "to", "u", "up", "use", "using", "wa", "want", "we", "were", "what", "when", "where", "which", "while",
    "who", "will", "with", "would", "you", "your",
];

/// The words of a text in their order.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    runs(text).map(fold)
}

/// The runs of letters and digits of a text.
pub(super) fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// A run as it is compared: in lower case, one final `s` left out unless it is one of two, so that `reviews` and `review`
/// are one word and `class` stays.
pub(super) fn fold(run: &str) -> String {
    let mut word = run.to_lowercase();
    word.truncate(singular(&word).len());
    word
}

/// A word in lower case without the one final `s` that is left out.
pub(super) fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(rest) if !rest.is_empty() && !rest.ends_with('s') => rest,
        _ => word,
    }
}

/// The words of a task that say what it is about.
pub(super) fn telling(text: &str) -> BTreeSet<String> {
    words(text).filter(|word| STOP_WORDS.binary_search(&word.as_str()).is_err()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_split_at_what_is_no_letter_or_digit() {
        let cases = [
            ("Review the API's error-handling", "review the api s error handling"),
            ("class Reviews s 3D", "class review s 3d"),
            ("ÜBER straße 日本語", "über straße 日本語"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text).collect::<Vec<_>>().join(" "), expected);
        }
    }

    #[test]
    fn what_every_task_says_is_left_out() {
        assert!(STOP_WORDS.is_sorted());
        let folded = |word: &&&str| words(word).next().as_deref() == Some(**word);
        assert!(STOP_WORDS.iter().all(|word| folded(&word)), "a stop word is written as it is compared");
        let told: Vec<String> = telling("Please review these migrations for the users").into_iter().collect();
        assert_eq!(told, ["migration", "review", "user"]);
    }
}
