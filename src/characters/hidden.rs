//! When a character that shows nothing carries something all the same.
//!
//! The excuses are those of Unicode: joiners where a script needs them (UAX 31, section 2.3), sequences of emoji
//! (UTS 51), variation sequences (UAX 44), fillers and selectors beside their own script. An excuse needs the right
//! neighbours; a run of such characters, as used to smuggle text past a reader, has none beyond its first.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};
use unicode_script::{Script, UnicodeScript};

use super::is_ignorable;

/// The longest region of a flag that is made of tags: `gbeng` and its kin, and what CLDR may add.
const FLAG_TAGS: usize = 6;

/// Whether an ignorable character at an offset of a text carries something there.
pub(super) fn is_excused(text: &str, at: usize, character: char) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + character.len_utf8()..].chars().next();
    let behind = |excuse: fn(char) -> bool| before.is_some_and(excuse);
    match character {
        '\u{200d}' => joins_emoji(text, at, after) || joins_letters(before, after),
        '\u{200c}' => joins_letters(before, after),
        '\u{200b}' => behind(breaks_without_blanks) && after.is_some_and(breaks_without_blanks),
        '\u{fe0e}' | '\u{fe0f}' => behind(takes_emoji_selector),
        '\u{fe00}'..='\u{fe0d}' => behind(takes_variation_selector),
        '\u{e0100}'..='\u{e01ef}' => behind(|base| base.script() == Script::Han),
        '\u{e0020}'..='\u{e007f}' => in_flag(text, at),
        '\u{180b}'..='\u{180f}' => behind(|base| matches!(base.script(), Script::Mongolian | Script::Phags_Pa)),
        '\u{115f}' | '\u{1160}' => {
            [before, after].into_iter().flatten().any(|c| matches!(c, '\u{1100}'..='\u{11ff}') && !is_ignorable(c))
        }
        '\u{17b4}' | '\u{17b5}' => behind(|base| base.script() == Script::Khmer && !is_ignorable(base)),
        '\u{1bca0}'..='\u{1bca3}' => behind(|base| base.script() == Script::Duployan),
        '\u{1d173}'..='\u{1d17a}' => {
            behind(|base| matches!(base, '\u{1d100}'..='\u{1d172}' | '\u{1d17b}'..='\u{1d1ff}'))
        }
        '\u{34f}' => behind(is_mark) && after.is_some_and(is_mark),
        '\u{ad}' => {
            behind(char::is_alphabetic) && after.is_some_and(char::is_alphabetic) && !between_ascii(before, after)
        }
        _ => false,
    }
}

fn between_ascii(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(|c| c.is_ascii()) && after.is_some_and(|c| c.is_ascii())
}

/// An emoji on both sides, the one before with or without its selector.
fn joins_emoji(text: &str, at: usize, after: Option<char>) -> bool {
    let mut before = text[..at].chars().rev();
    let nearest = before.next();
    let before = if matches!(nearest, Some('\u{fe0e}' | '\u{fe0f}')) { before.next() } else { nearest };
    before.is_some_and(is_emoji) && after.is_some_and(is_emoji)
}

/// A letter or sign of a script whose letters join on one side, and any letter, sign or digit on the other: Persian
/// suffixes stand behind Latin words too. A joiner at the end of a word shows the joined form of its last letter.
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

/// Scripts that set no blanks between words, so that a zero-width space says where a line may break.
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

/// An emoji, a digit of a keycap, or any other symbol that an author may want in one of its two forms.
fn takes_emoji_selector(base: char) -> bool {
    base.is_emoji_char() || (!base.is_ascii() && base.general_category_group() == GeneralCategoryGroup::Symbol)
}

/// Bases of the standardized variation sequences: ideographs, mathematical symbols, Myanmar, Phags-pa and Mongolian
/// letters, and fullwidth punctuation.
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

/// The black flag, up to six tags that name a region, and the tag that ends them, around an offset that is one of the tags.
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
