//! Texts that look alike: the skeleton of UTS #39, and the characters that make one text look like another.

use std::collections::HashMap;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

use super::is_ignorable;

/// For each character that looks like another text, in the order of their numbers: the character, and that text, in
/// hexadecimal. It is Unicode's confusables.txt, generated from the crate `unicode-security`, whose own table has to be
/// relocated at every start of the program.
static CONFUSABLES: &str = include_str!("confusables.txt");

/// What a text looks like (UTS #39, section 4): two texts with one skeleton can be taken for each other. It is for
/// comparing alone; nobody is to see it.
pub fn skeleton(text: &str) -> String {
    // Nearly every name is ASCII, for which the beginning of the table is enough.
    static ASCII: LazyLock<Vec<String>> = LazyLock::new(|| {
        let looks: HashMap<char, String> = confusables().take_while(|(character, _)| character.is_ascii()).collect();
        let look = |character: char| looks.get(&character).cloned().unwrap_or_else(|| character.into());
        ('\0'..='\u{7f}').map(look).collect()
    });
    static ALL: LazyLock<HashMap<char, String>> = LazyLock::new(|| confusables().collect());
    if text.is_ascii() {
        return text.bytes().map(|byte| ASCII[usize::from(byte)].as_str()).collect();
    }
    let mut alike = String::with_capacity(text.len());
    for character in text.nfd().filter(|&character| !is_ignorable(character)) {
        match ALL.get(&character) {
            Some(look) => alike.push_str(look),
            None => alike.push(character),
        }
    }
    alike.nfd().collect()
}

/// The table, read line by line.
fn confusables() -> impl Iterator<Item = (char, String)> {
    let lines = CONFUSABLES.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let mut characters = line.split(' ').filter_map(|number| char::from_u32(u32::from_str_radix(number, 16).ok()?));
        Some((characters.next()?, characters.collect()))
    })
}

/// The characters of a text that are not ASCII, each once and in order, with what they look like where that is ASCII.
pub fn foreign(text: &str) -> Vec<(char, Option<char>)> {
    let mut found: Vec<(char, Option<char>)> = Vec::new();
    for character in text.chars().filter(|character| !character.is_ascii()) {
        if !found.iter().any(|&(known, _)| known == character) {
            found.push((character, looks_like(character)));
        }
    }
    found
}

/// A character that is not ASCII, in words: by its number, and by what it is taken for.
pub fn described(character: char, alike: Option<char>) -> String {
    let number = format!("`{character}` is U+{:04X}", u32::from(character));
    alike.map_or_else(|| number.clone(), |alike| format!("{number}, which looks like `{alike}`"))
}

/// The ASCII letter or digit that a character is taken for. Of those that look alike themselves, such as `l` and `1`, a
/// small letter is the likelier one in a name.
fn looks_like(character: char) -> Option<char> {
    let alike = skeleton(character.encode_utf8(&mut [0; 4]));
    ('a'..='z').chain('0'..='9').chain('A'..='Z').find(|ascii| skeleton(ascii.encode_utf8(&mut [0; 4])) == alike)
}

#[cfg(test)]
mod tests {
    use unicode_security::confusable_detection::skeleton as uts39;

    use super::*;

    #[test]
    fn texts_that_look_alike_have_one_skeleton() {
        for (one, other) in
            [("p\u{430}yments", "payments"), ("modern", "modem"), ("l0", "1O"), ("de\u{200b}ploy", "deploy")]
        {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        assert_ne!(skeleton("deploy"), skeleton("deploys"));
    }

    #[test]
    fn a_skeleton_is_that_of_the_standard() {
        for character in '\0'..='\u{7f}' {
            assert_eq!(skeleton(&character.to_string()), uts39(&character.to_string()).collect::<String>());
        }
        for character in '\0'..=char::MAX {
            // A mark behind it may change places with one that it is made of.
            for text in [character.to_string(), format!("a{character}\u{323}\u{307}")] {
                assert_eq!(skeleton(&text), uts39(&text).collect::<String>(), "{}", text.escape_unicode());
            }
        }
    }

    #[test]
    fn a_foreign_letter_is_shown_with_what_it_looks_like() {
        assert_eq!(foreign("p\u{430}y-\u{430}l\u{4e2d}"), [('\u{430}', Some('a')), ('\u{4e2d}', None)]);
        assert_eq!(foreign("plain"), []);
    }
}
