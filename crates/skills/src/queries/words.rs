//! Whole words that a text must not contain.

use std::ops::Range;

use regex::Regex;

/// Words, with the pattern that finds them.
#[derive(Clone, Debug)]
pub struct Words {
    /// The words as written.
    pub written: Vec<String>,
    /// The result of [`pattern`], compiled.
    regex: Regex,
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl Eq for Words {}

/// What can follow a word: nothing that continues it, such as the `o` of `gpt-4o` or the `.1` of `gpt-4.1`.
const END: &str = r"(?:\z|[^\w.\-]|[._\-](?:\z|\W|_))";

/// Returns the pattern of words in any letter case. One of its groups is a word; the text after the group ends it.
pub fn pattern(words: &[String]) -> String {
    let (ended, free): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|word| word.chars().next_back().is_some_and(char::is_alphanumeric));
    let any = |words: &[&String]| words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
    let mut patterns = Vec::new();
    if !ended.is_empty() {
        patterns.push(format!("((?i:{})){END}", any(&ended)));
    }
    if !free.is_empty() {
        patterns.push(format!("((?i:{}))", any(&free)));
    }
    patterns.join("|")
}

impl Words {
    /// Combines words with their compiled [`pattern`].
    pub fn new(written: Vec<String>, regex: Regex) -> Self {
        Self { written, regex }
    }

    /// Returns the places of the words in a text, which do not overlap.
    pub fn find_iter<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
        let mut at = 0;
        std::iter::from_fn(move || {
            loop {
                let found = self.regex.captures_at(text, at)?;
                let word = found.iter().skip(1).flatten().next()?;
                if begins(&text[..word.start()], word.as_str()) {
                    at = word.end();
                    return Some(word.range());
                }
                at = word.start() + word.as_str().chars().next().map_or(1, char::len_utf8);
            }
        })
    }
}

/// Returns whether the text before a word does not belong to it, as the `x` of `xgpt-4` and the `my-` of `my-gpt-4` do.
fn begins(before: &str, word: &str) -> bool {
    let mut before = before.chars().rev();
    let continues = match before.next() {
        Some('.' | '-' | '_') => before.next().is_some_and(char::is_alphanumeric),
        other => other.is_some_and(char::is_alphanumeric),
    };
    !continues || !word.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'t>(words: &[&str], text: &'t str) -> Vec<&'t str> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let regex = Regex::new(&pattern(&words)).expect("a pattern");
        Words::new(words, regex).find_iter(text).map(|range| &text[range]).collect()
    }

    #[test]
    fn matches_whole_words_only() {
        let words = ["gpt-4", ".corp", "C++"];
        for text in ["use GPT-4.", "gpt-4", "(gpt-4)", "_gpt-4_", "gpt-4-", "a/gpt-4:", "db.corp", "a.Corp:", "c++11"] {
            assert_eq!(found(&words, text).len(), 1, "{text}");
        }
        for text in
            ["gpt-4o", "xgpt-4", "gpt-40", ".corpse", "gpt-4.1", "gpt-4-turbo", "gpt-4_x", "my-gpt-4", "a.gpt-4"]
        {
            assert_eq!(found(&words, text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn finds_each_of_several_words() {
        let text = "gpt-4 GPT-4, gpt-4.1 or gpt-4.1-mini. Not gpt-4.";
        assert_eq!(found(&["gpt-4"], text), ["gpt-4", "GPT-4", "gpt-4"]);
        assert_eq!(found(&["gpt-4", "gpt-4.1"], text), ["gpt-4", "GPT-4", "gpt-4.1", "gpt-4"]);
        assert_eq!(found(&["gpt-4", "gpt-4.1-mini"], text), ["gpt-4", "GPT-4", "gpt-4.1-mini", "gpt-4"]);
        assert_eq!(found(&["é-é"], "x-é-é é-é ñé-é é-é."), ["é-é", "é-é"]);
    }
}
