//! Order of texts as `localeCompare` of JavaScript has it: the root collation of Unicode. Punctuation comes before digits,
//! digits before letters. Accents decide only between texts with the same letters, and the case only after them. This is
//! exact for ASCII and for Latin letters with accents.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Punctuation and symbols of ASCII, in the order of the collation.
const PUNCTUATION: &str = "\t\n\u{b}\u{c}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Sort key of a text: its letters, its accents, the case of its letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    letters: Vec<u32>,
    accents: Vec<u32>,
    cases: Vec<bool>,
}

/// Returns the key of a text.
pub fn key(text: &str) -> Key {
    let mut key = Key { letters: Vec::new(), accents: Vec::new(), cases: Vec::new() };
    for character in text.nfd() {
        if is_combining_mark(character) {
            key.accents.push(u32::from(character));
            continue;
        }
        for lower in character.to_lowercase() {
            key.letters.push(primary(lower));
            // A letter without an accent comes before one with an accent.
            key.accents.push(0);
            key.cases.push(lower != character);
        }
    }
    key
}

fn primary(character: char) -> u32 {
    const DIGITS: u32 = 0x100;
    const LETTERS: u32 = 0x200;
    match character {
        '0'..='9' => DIGITS + u32::from(character),
        'a'..='z' => LETTERS + u32::from(character),
        _ => match PUNCTUATION.chars().position(|known| known == character) {
            // Lossless: there are fewer than a hundred.
            Some(place) => place as u32,
            // Other scripts come after Latin, in the order of their code points.
            None => 0x1000 + u32::from(character),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_as_javascript_does() {
        // As `localeCompare` of Node.js 24 sorts them.
        let sorted = [
            "_x", "-x", "a b", "ab", "Alpha", "Ålpha", "alpha-10", "alpha-2", "co_op", "co-op", "CO-OP", "coop",
            "resume", "Resume", "résumE", "résumé", "resumes", "zeta", "жук",
        ];
        let mut texts = sorted;
        texts.reverse();
        texts.sort_by_cached_key(|text| key(text));
        assert_eq!(texts, sorted);
    }

    #[test]
    fn sorts_punctuation_before_digits_and_letters() {
        let mut texts: Vec<String> = ('\t'..='~').filter(|c| *c == '\t' || !c.is_control()).map(String::from).collect();
        texts.sort_by_cached_key(|text| key(text));
        let expected =
            "\t _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789aAbBcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ";
        assert_eq!(texts.concat(), expected);
    }
}
