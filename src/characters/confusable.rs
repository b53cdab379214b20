//! Texts that look alike: the skeleton of UTS #39, and the characters that make one text look like another.

use std::sync::LazyLock;

use unicode_security::confusable_detection::skeleton as uts39;

/// What a text looks like (UTS #39, section 4): two texts with one skeleton can be taken for each other. It is for
/// comparing alone; nobody is to see it.
pub fn skeleton(text: &str) -> String {
    // The table of a few thousand characters is searched for what is not ASCII only: nearly every name is.
    static ASCII: LazyLock<Vec<String>> = LazyLock::new(|| {
        ('\0'..='\u{7f}').map(|character| uts39(character.encode_utf8(&mut [0; 4])).collect()).collect()
    });
    if text.is_ascii() {
        return text.bytes().map(|byte| ASCII[usize::from(byte)].as_str()).collect();
    }
    uts39(text).collect()
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
    fn ascii_is_looked_up_as_everything_else_is() {
        for character in '\0'..='\u{7f}' {
            let text = format!("a{character}b");
            assert_eq!(skeleton(&text), uts39(&text).collect::<String>());
        }
    }

    #[test]
    fn a_foreign_letter_is_shown_with_what_it_looks_like() {
        assert_eq!(foreign("p\u{430}y-\u{430}l\u{4e2d}"), [('\u{430}', Some('a')), ('\u{4e2d}', None)]);
        assert_eq!(foreign("plain"), []);
    }
}
