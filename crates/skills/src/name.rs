//! Skill names: the grammar of the open standard, the nearest valid name, and names that file systems treat as equal.

use std::borrow::Cow;

use bstr::{BStr, BString, ByteSlice};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The grammar of names as a regular expression, for schemas.
pub const PATTERN: &str = "^[a-z0-9]+(-[a-z0-9]+)*$";

/// Returns whether a name is `[a-z0-9]+(-[a-z0-9]+)*`: words of lowercase letters and digits, joined by single hyphens.
pub fn is_well_formed(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    name.split('-').all(is_word)
}

/// Returns the nearest well-formed name: accents removed, letters lowercased, everything else replaced by hyphens.
/// `None` if nothing would be left, or a letter of another script would be lost.
pub fn slug(text: &str) -> Option<String> {
    let bare: String = text.nfkd().filter(|&character| !is_combining_mark(character)).collect();
    if bare.chars().any(|character| !character.is_ascii() && character.is_alphanumeric()) {
        return None;
    }
    let words: Vec<&str> = bare.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    (!words.is_empty()).then(|| words.join("-").to_ascii_lowercase())
}

/// Returns whether two names differ only in letter case and word separators.
pub fn is_variant(one: &str, other: &str) -> bool {
    let bare = |name: &str| -> String {
        name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    bare(one) == bare(other)
}

/// Returns whether Windows opens a device by this name, in any letter case and with any extension.
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

/// Folds a name as APFS, HFS+ and NTFS compare it: decomposed and without letter case.
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

/// Returns whether HFS+ ignores a character when it compares names (git's utf8.c, `next_hfs_char`).
pub fn is_ignored_by_hfs(character: char) -> bool {
    matches!(character, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// Folds a name as strictly as any macOS or Windows file system: Unicode case folding, without the characters that HFS+
/// ignores, and without the dots, spaces or stream that NTFS drops. Names that a file system treats as equal fold to
/// the same bytes.
pub fn on_disk(name: &BStr) -> BString {
    let Ok(text) = name.to_str() else { return name.to_ascii_lowercase().into() };
    let text = text.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']);
    let seen = text.nfd().filter(|&character| !is_ignored_by_hfs(character));
    // Uppercase first: `ſ` becomes `s` that way, and the Kelvin sign `k`.
    let folded: String = seen.flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfd().collect();
    folded.trim_end_matches(['.', ' ']).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_words_joined_by_single_hyphens() {
        for name in ["a", "7", "pdf", "pdf-2-html"] {
            assert!(is_well_formed(name), "{name}");
        }
        for name in ["", "-", "-a", "a-", "a--b", "A", "a b", "a_b", "é", "a\n"] {
            assert!(!is_well_formed(name), "{name:?}");
        }
    }

    #[test]
    fn pattern_matches_the_grammar() {
        // In JavaScript `$` matches only the end, as `\z` does here.
        let pattern = regex::Regex::new(&PATTERN.replace('$', r"\z")).expect("a regular expression");
        for name in ["a", "7", "pdf-2-html", "", "-", "-a", "a-", "a--b", "A", "a b", "a_b", "é", "a\n"] {
            assert_eq!(pattern.is_match(name), is_well_formed(name), "{name:?}");
        }
    }

    #[test]
    fn slugs_are_well_formed_or_none() {
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
    fn variants_differ_in_case_and_separators_only() {
        assert!(is_variant("PdfTools", "pdf-tools"));
        assert!(!is_variant("pdf-tool", "pdf-tools"));
    }

    #[test]
    fn folds_names_like_file_systems() {
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
