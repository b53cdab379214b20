//! What a skill may be called: the grammar of the open standard, the nearest name that keeps to it, and the names that
//! file systems take for one.

use std::borrow::Cow;

use bstr::{BStr, BString, ByteSlice};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The grammar of names as a regular expression, for schemas.
pub const PATTERN: &str = "^[a-z0-9]+(-[a-z0-9]+)*$";

/// Whether a name is `[a-z0-9]+(-[a-z0-9]+)*`: words of small letters and digits, joined by single hyphens.
pub fn is_well_formed(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.split('-').all(is_word)
}

/// The well-formed name nearest to a text: accents dropped, capitals made small, everything else a hyphen. `None` when
/// nothing would be left, or a letter of another script would be lost.
pub fn slug(text: &str) -> Option<String> {
    let bare: String = text.nfkd().filter(|&character| !is_combining_mark(character)).collect();
    if bare.chars().any(|character| !character.is_ascii() && character.is_alphanumeric()) {
        return None;
    }
    let words: Vec<&str> = bare.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join("-").to_ascii_lowercase())
}

/// Whether two names have the same letters and digits in the same order, whatever their case and what joins them.
pub fn is_kin(one: &str, other: &str) -> bool {
    let bare = |name: &str| -> String {
        name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    bare(one) == bare(other)
}

/// Whether Windows opens a device by this name, whatever its letter case and its extension.
pub fn is_device(name: &str) -> bool {
    const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    let stem = name.split('.').next().unwrap_or_default().trim_end();
    if DEVICES.iter().any(|device| stem.eq_ignore_ascii_case(device)) {
        return true;
    }
    let Some((port, number)) = stem.char_indices().nth(3).map(|(end, _)| stem.split_at(end)) else { return false };
    let is_port = ["COM", "LPT"].iter().any(|prefix| port.eq_ignore_ascii_case(prefix));
    is_port && matches!(number, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³")
}

/// A name as APFS, HFS+ and NTFS compare it: decomposed and without letter case.
pub fn folded(name: &BStr) -> Cow<'_, BStr> {
    match name.to_str() {
        Ok(text) if !text.is_ascii() => {
            let folded: String = text.nfd().flat_map(char::to_lowercase).nfd().collect();
            Cow::Owned(folded.into())
        }
        _ if name.iter().any(u8::is_ascii_uppercase) => Cow::Owned(name.to_ascii_lowercase().into()),
        _ => Cow::Borrowed(name),
    }
}

/// The characters that HFS+ leaves out when it compares names (git's utf8.c, `next_hfs_char`).
pub fn is_ignored_by_hfs(character: char) -> bool {
    matches!(character, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// A name as any disk of macOS or Windows may compare it, so that none takes two for one that differ here: folded as Unicode
/// folds letters, without what HFS+ ignores, and without the dots, blanks or stream that NTFS drops.
pub fn on_disk(name: &BStr) -> BString {
    let Ok(text) = name.to_str() else { return name.to_ascii_lowercase().into() };
    let text = text.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let seen = text.nfd().filter(|&character| !is_ignored_by_hfs(character));
    // A letter is small again after it was a capital: `ſ` is `s` then, and the Kelvin sign `k`.
    let folded: String = seen.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfd().collect();
    folded.trim_end_matches(['.', ' ']).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_words_joined_by_single_hyphens() {
        for name in ["a", "7", "pdf", "pdf-2-html"] {
            assert!(is_well_formed(name), "{name}");
        }
        for name in ["", "-", "-a", "a-", "a--b", "A", "a b", "a_b", "é", "a\n"] {
            assert!(!is_well_formed(name), "{name:?}");
        }
    }

    #[test]
    fn the_pattern_says_what_the_grammar_says() {
        // In a regular expression of JavaScript `$` is the end alone, as `\z` is here.
        let pattern = regex::Regex::new(&PATTERN.replace('$', r"\z")).expect("a regular expression");
        for name in ["a", "7", "pdf-2-html", "", "-", "-a", "a-", "a--b", "A", "a b", "a_b", "é", "a\n"] {
            assert_eq!(pattern.is_match(name), is_well_formed(name), "{name:?}");
        }
    }

    #[test]
    fn a_slug_is_well_formed_or_nothing() {
        for (text, expected) in [
            ("PDF Tools", Some("pdf-tools")),
            ("--a__b--", Some("a-b")),
            ("Résumé", Some("resume")),
            ("ns:tool/2.0", Some("ns-tool-2-0")),
            ("中文", None),
            ("***", None),
            ("", None),
        ] {
            assert_eq!(slug(text).as_deref(), expected, "{text}");
            assert!(slug(text).is_none_or(|slug| is_well_formed(&slug)), "{text}");
        }
    }

    #[test]
    fn kin_differ_in_case_and_joints_only() {
        assert!(is_kin("PdfTools", "pdf-tools"));
        assert!(!is_kin("pdf-tool", "pdf-tools"));
    }

    #[test]
    fn names_fold_as_file_systems_fold_them() {
        let cases = [
            ("Security.md", "security.md", true),
            ("\u{e9}", "e\u{301}", true),
            ("\u{c9}", "e\u{301}", true),
            ("\u{e9}", "e", false),
            ("a-b", "a_b", false),
        ];
        for (one, other, equal) in cases {
            assert_eq!(folded(one.into()) == folded(other.into()), equal, "{one} {other}");
            assert_eq!(on_disk(one.into()) == on_disk(other.into()), equal, "{one} {other}");
        }
        let twins =
            [".Agent", ".agent.", ".agent. .", ".ag\u{200c}ent", ".agent::$INDEX_ALLOCATION", ".agent \u{feff}"];
        for twin in twins {
            assert_eq!(on_disk(twin.into()), ".agent", "{twin}");
        }
        assert_eq!(on_disk("\u{17f}\u{212a}ills".into()), "skills");
        assert_eq!(on_disk(b".Agent\xff".into()), b".agent\xff".as_bstr());
    }
}
