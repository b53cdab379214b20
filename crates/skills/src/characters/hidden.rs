//! Hidden characters that have a function.
//!
//! The exceptions are Unicode's: joiners where a script needs them (UAX 31, section 2.3), emoji sequences (UTS 51),
//! variation sequences (UAX 44), fillers and selectors next to their own script. An exception needs the right
//! neighbors; in a run of such characters, as used to smuggle text, only the first can have them.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};

use super::is_ignorable;

/// Longest region code in tag characters: `gbeng` and similar, and future CLDR codes.
const FLAG_TAGS: usize = 6;

/// Returns whether the ignorable character at an offset has a function there.
pub(super) fn is_excused(text: &str, at: usize, character: char) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + character.len_utf8()..].chars().next();
    let preceded_by = |excuse: fn(char) -> bool| before.is_some_and(excuse);
    match character {
        '\u{200d}' => joins_emoji(text, at, after) || joins_letters(before, after),
        '\u{200c}' => joins_letters(before, after),
        '\u{200b}' => preceded_by(breaks_without_blanks) && after.is_some_and(breaks_without_blanks),
        '\u{fe0e}' | '\u{fe0f}' => preceded_by(takes_emoji_selector),
        '\u{fe00}'..='\u{fe0d}' => preceded_by(takes_variation_selector),
        '\u{e0100}'..='\u{e01ef}' => preceded_by(|base| base.script() == Script::Han),
        '\u{e0020}'..='\u{e007f}' => in_flag(text, at),
        '\u{180b}'..='\u{180f}' => preceded_by(|base| matches!(base.script(), Script::Mongolian | Script::Phags_Pa)),
        '\u{115f}' | '\u{1160}' => {
            [before, after].into_iter().flatten().any(|c| matches!(c, '\u{1100}'..='\u{11ff}') && !is_ignorable(c))
        }
        '\u{17b4}' | '\u{17b5}' => preceded_by(|base| base.script() == Script::Khmer && !is_ignorable(base)),
        '\u{1bca0}'..='\u{1bca3}' => preceded_by(|base| base.script() == Script::Duployan),
        '\u{1d173}'..='\u{1d17a}' => {
            preceded_by(|base| matches!(base, '\u{1d100}'..='\u{1d172}' | '\u{1d17b}'..='\u{1d1ff}'))
        }
        '\u{34f}' => preceded_by(is_mark) && after.is_some_and(is_mark),
        '\u{ad}' => {
            preceded_by(char::is_alphabetic) && after.is_some_and(char::is_alphabetic) && !between_ascii(before, after)
        }
        _ => false,
    }
}

fn between_ascii(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(|c| c.is_ascii()) && after.is_some_and(|c| c.is_ascii())
}

/// Returns whether emoji are on both sides; the one before may have its selector.
fn joins_emoji(text: &str, at: usize, after: Option<char>) -> bool {
    let mut before = text[..at].chars().rev();
    let nearest = before.next();
    let before = if matches!(nearest, Some('\u{fe0e}' | '\u{fe0f}')) { before.next() } else { nearest };
    before.is_some_and(is_emoji) && after.is_some_and(is_emoji)
}

/// Returns whether a letter or sign of a joining script is on one side, and any letter, sign or digit on the other:
/// Persian suffixes also follow Latin words. A joiner at the end of a word shows the joined form of its last letter.
fn joins_letters(before: Option<char>, after: Option<char>) -> bool {
    let joins = |neighbour: Option<char>| neighbour.is_some_and(joins);
    let hides = |neighbour: Option<char>| neighbour.is_some_and(|c| is_ignorable(c) && !joins(Some(c)));
    (joins(before) || (joins(after) && before.is_some_and(|c| c.is_alphanumeric() || is_mark(c))))
        && !hides(before)
        && !hides(after)
}

fn joins(character: char) -> bool {
    let letter = matches!(
        character.general_category_group(),
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark | GeneralCategoryGroup::Number
    );
    letter
        && matches!(
            character.script(),
            Script::Arabic
                | Script::Syriac
                | Script::Mandaic
                | Script::Nko
                | Script::Mongolian
                | Script::Phags_Pa
                | Script::Manichaean
                | Script::Adlam
                | Script::Hanifi_Rohingya
                | Script::Sogdian
                | Script::Devanagari
                | Script::Bengali
                | Script::Gurmukhi
                | Script::Gujarati
                | Script::Oriya
                | Script::Tamil
                | Script::Telugu
                | Script::Kannada
                | Script::Malayalam
                | Script::Sinhala
                | Script::Khmer
                | Script::Myanmar
                | Script::Tibetan
                | Script::Newa
                | Script::Tirhuta
                | Script::Grantha
                | Script::Modi
                | Script::Chakma
                | Script::Balinese
                | Script::Javanese
                | Script::Meetei_Mayek
                | Script::Siddham
                | Script::Brahmi
                | Script::Kharoshthi
        )
}

/// Returns whether a script has no spaces between words, so that a zero-width space marks a possible line break.
fn breaks_without_blanks(character: char) -> bool {
    matches!(
        character.script(),
        Script::Thai
            | Script::Lao
            | Script::Khmer
            | Script::Myanmar
            | Script::Tibetan
            | Script::Tai_Le
            | Script::New_Tai_Lue
            | Script::Tai_Tham
            | Script::Javanese
            | Script::Balinese
    ) && !is_ignorable(character)
}

/// Returns whether a character is an emoji, a keycap digit, or another symbol with an emoji and a text form.
fn takes_emoji_selector(base: char) -> bool {
    base.is_emoji_char() || (!base.is_ascii() && base.general_category_group() == GeneralCategoryGroup::Symbol)
}

/// Returns whether a character is a base of the standardized variation sequences: ideographs, mathematical symbols,
/// Myanmar, Phags-pa and Mongolian letters, and fullwidth punctuation.
fn takes_variation_selector(base: char) -> bool {
    matches!(
        base.script(),
        Script::Han | Script::Myanmar | Script::Phags_Pa | Script::Mongolian | Script::Egyptian_Hieroglyphs
    ) || (!base.is_ascii() && base.general_category() == GeneralCategory::MathSymbol)
        || matches!(
            base,
            '0' | '\u{3001}' | '\u{3002}' | '\u{ff01}' | '\u{ff0c}' | '\u{ff0e}' | '\u{ff1a}' | '\u{ff1b}' | '\u{ff1f}'
        )
}

/// Returns whether an offset is one of the tags of a flag: the black flag, up to six region tags, and the cancel tag.
fn in_flag(text: &str, at: usize) -> bool {
    let is_tag = |c: &char| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}');
    let mut before = text[..at].chars().rev();
    let tags_before = before.by_ref().take(FLAG_TAGS + 1).take_while(is_tag).count();
    let base = text[..at].chars().rev().nth(tags_before);
    let from = text[at..].chars().take(FLAG_TAGS + 1);
    let tags_from = from.clone().take_while(is_tag).count();
    let ends = text[at..].chars().nth(tags_from) == Some('\u{e007f}');
    base == Some('\u{1f3f4}') && ends && (1..=FLAG_TAGS).contains(&(tags_before + tags_from))
}

fn is_emoji(character: char) -> bool {
    !character.is_ascii() && character.is_emoji_char()
}

fn is_mark(character: char) -> bool {
    character.general_category_group() == GeneralCategoryGroup::Mark && !is_ignorable(character)
}

#[cfg(test)]
mod tests {
    use crate::characters::suspects;

    #[test]
    fn accepts_hidden_characters_with_a_function() {
        let texts = [
            ("a byte order mark", "\u{feff}text"),
            ("an emoji in colour", "⚠\u{fe0f} ❤\u{fe0f} 1\u{fe0f}\u{20e3} ©\u{fe0e} →\u{fe0f}"),
            ("a family", "👩\u{200d}👩\u{200d}👧 🏳\u{fe0f}\u{200d}🌈 🧑🏽\u{200d}🚀 ❤\u{fe0f}\u{200d}🔥"),
            ("the flag of Scotland", "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}"),
            ("Persian", "می\u{200c}خواهم API\u{200c}ها"),
            ("Hindi", "क्\u{200d}ष क्\u{200c}ष"),
            ("Khmer", "ខ្មែរ\u{200b}ភាសា"),
            ("an ideograph", "葛\u{e0100} 塚\u{fe00}"),
            ("Mongolian", "ᠨ\u{180b}ᠠ"),
            ("German", "Straßen\u{ad}überführung"),
            ("odd spaces", "a\u{a0}b\u{2003}c\u{3000}d\u{202f}e"),
        ];
        for (name, text) in texts {
            assert_eq!(suspects(text).hidden, [], "{name}");
        }
    }

    #[test]
    fn finds_hidden_characters_without_a_function() {
        let texts = [
            ("a zero-width space", "pay\u{200b}pal", 1),
            ("joiners in ASCII", "a\u{200d}b\u{200c}c", 2),
            ("a word joiner and a byte order mark", "a\u{2060}b\u{feff}c", 2),
            ("tags", "hi\u{e0068}\u{e0069}\u{e007f}", 3),
            ("too long a flag", "🏴\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e0061}\u{e007f}", 8),
            ("a flag without an end", "🏴\u{e0067}\u{e0062}", 2),
            ("a run of selectors", "😀\u{fe0f}\u{fe01}\u{fe02}\u{e0101}\u{e0102}", 4),
            ("a selector after a letter", "a\u{fe0f}b\u{fe0f}", 2),
            ("Hangul fillers", "a\u{3164}b\u{ffa0}c\u{115f}", 3),
            ("invisible operators", "f\u{2061}x\u{2062}y", 2),
            ("a soft hyphen in ASCII", "ig\u{ad}nore", 1),
            ("annotations", "a\u{fff9}b\u{fffb}", 2),
            ("a joiner at the end", "a\u{200d}", 1),
            ("a run of joiners", "م\u{200c}\u{200d}\u{200b}م", 3),
        ];
        for (name, text, count) in texts {
            let found = suspects(text).hidden;
            assert_eq!(found.len(), count, "{name}: {found:?}");
            assert!(found.iter().all(|&(at, character)| text[at..].starts_with(character)), "{name}");
        }
    }
}
