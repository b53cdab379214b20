//! Texts that look alike: the skeleton of UTS #39, and the characters that make one text look like another.

use std::sync::LazyLock;

use unicode_security::confusable_detection;

/// The skeletons of the ASCII characters. That of ASCII text consists of them.
static ASCII: LazyLock<Vec<String>> =
    LazyLock::new(|| (0..128).map(|byte| of_any(&char::from(byte).to_string())).collect());

/// Returns the skeleton of a text (UTS #39, section 4): two texts with the same skeleton are easily mistaken for each
/// other. A skeleton is for comparison only, never for display.
pub fn skeleton(text: &str) -> String {
    match text.is_ascii() {
        true => text.bytes().map(|byte| ASCII[usize::from(byte)].as_str()).collect(),
        false => of_any(text),
    }
}

fn of_any(text: &str) -> String {
    confusable_detection::skeleton(text).collect()
}

/// Returns the distinct non-ASCII characters of a text in order, each with the ASCII character that it looks like.
pub fn foreign(text: &str) -> Vec<(char, Option<char>)> {
    let mut found: Vec<(char, Option<char>)> = Vec::new();
    for character in text.chars().filter(|character| !character.is_ascii()) {
        if !found.iter().any(|&(known, _)| known == character) {
            found.push((character, looks_like(character)));
        }
    }
    found
}

/// Describes a non-ASCII character by its code point and the ASCII character that it looks like.
pub fn described(character: char, alike: Option<char>) -> String {
    let number = format!("`{character}` is U+{:04X}", u32::from(character));
    alike.map_or_else(|| number.clone(), |alike| format!("{number}, which looks like `{alike}`"))
}

/// Returns the ASCII letter or digit that a character looks like. If several look alike, such as `l` and `1`, a
/// lowercase letter is the likeliest in a name.
fn looks_like(character: char) -> Option<char> {
    let alike = skeleton(character.encode_utf8(&mut [0; 4]));
    ('a'..='z').chain('0'..='9').chain('A'..='Z').find(|ascii| skeleton(ascii.encode_utf8(&mut [0; 4])) == alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_lookalikes_the_same_skeleton() {
        for (one, other) in
            [("p\u{430}yments", "payments"), ("modern", "modem"), ("l0", "1O"), ("de\u{200b}ploy", "deploy")]
        {
            assert_eq!(skeleton(one), skeleton(other), "{one} {other}");
        }
        assert_ne!(skeleton("deploy"), skeleton("deploys"));
    }

    #[test]
    fn composes_the_skeletons_of_ascii() {
        let ascii: String = (0..128).map(char::from).collect();
        for text in [&ascii, "modern-l0gic", "a|b`c\u{7f}", ""] {
            assert_eq!(skeleton(text), of_any(text), "{text:?}");
        }
    }

    #[test]
    fn pairs_foreign_letters_with_their_lookalikes() {
        assert_eq!(foreign("p\u{430}y-\u{430}l\u{4e2d}"), [('\u{430}', Some('a')), ('\u{4e2d}', None)]);
        assert_eq!(foreign("plain"), []);
    }
}
