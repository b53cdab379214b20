//! Places in files, and text lengths.
//!
//! A place is a pair of byte offsets and a file number. It borrows nothing, so a finding outlives the text. Lines and
//! columns are computed when a place is shown.

use std::borrow::Cow;
use std::ops::Range;

use bstr::{BStr, ByteSlice};
use sha2::{Digest, Sha256};

/// The number of a file in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

impl FileId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A range of bytes in a file as git holds it. An empty place means the file itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Place {
    /// Creates a place from a range of byte offsets. Linted files are far below 4 GiB, so the offsets fit.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// Returns the place of the file itself.
    pub fn whole(file: FileId) -> Self {
        Self { file, start: 0, end: 0 }
    }

    /// Returns whether this is the file itself rather than a range in it.
    pub fn is_whole(self) -> bool {
        self.start == self.end
    }

    /// Returns the byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns whether another place of the same file is inside this one.
    pub fn contains(self, inner: Self) -> bool {
        self.start <= inner.start && inner.end <= self.end
    }
}

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value after parsing.
    pub value: T,
    /// The place of its text in the file.
    pub place: Place,
}

/// The length of a text in the three units that runtimes use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Unicode code points: the unit of every limit (Codex and the reference validator count so).
    pub chars: usize,
    /// UTF-16 code units: the unit of JavaScript and C# runtimes, and of SARIF's columns.
    pub utf16: usize,
    /// Bytes of UTF-8.
    pub bytes: usize,
}

/// Measures a text in all three units.
pub fn length(text: &str) -> Length {
    Length { chars: text.chars().count(), utf16: text.chars().map(char::len_utf16).sum(), bytes: text.len() }
}

/// Estimates the tokens of a text: a quarter of its code points, rounded up.
///
/// No public tokenizer fits every model, so output labels the number as an estimate.
pub fn tokens(chars: usize) -> usize {
    chars.div_ceil(4)
}

/// Formats a whole number with a comma between groups of three digits: `1,025`.
pub fn grouped(number: impl std::fmt::Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Content hash: the first 16 bytes of SHA-256 over the trimmed text without CR, so that line endings do not change it.
pub fn digest(text: &[u8]) -> [u8; 16] {
    let mut digest = Sha256::new();
    text.trim().split(|&byte| byte == b'\r').for_each(|part| digest.update(part));
    let mut half = [0; 16];
    half.copy_from_slice(&digest.finalize()[..16]);
    half
}

/// Truncates a text to `chars` code points and appends `…`, so that a message stays on one line.
pub fn shortened(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Joins words for a sentence: `a, b and c`.
pub fn joined<T: AsRef<str>>(words: &[T]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Joins the first words for a sentence, with the number of the others: `a, b and 3 more`.
pub fn joined_first(words: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let more = words.len().saturating_sub(most);
    let rest = (more > 0).then(|| format!("{} more", grouped(more)));
    joined(&words.take(most).chain(rest).collect::<Vec<_>>())
}

/// Returns a word of a command line, quoted for a POSIX shell if it has to be.
pub fn shell_word(word: &str) -> Cow<'_, str> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_./:=@%+,".contains(character);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => Cow::Borrowed(word),
        false => Cow::Owned(format!("'{}'", word.replace('\'', r"'\''"))),
    }
}

/// Formats bytes of the tree as text: invalid UTF-8 becomes `\xNN`, so that different paths never look alike.
pub fn lossless(bytes: &BStr) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

/// Returns the last component of a path with `/` between components.
pub fn file_name(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(path, |slash| path[slash + 1..].as_bstr())
}

/// Returns a path without its last component; empty for a path of one component.
pub fn parent(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(b"".as_bstr(), |slash| path[..slash].as_bstr())
}

/// Returns the known word that a word most likely misspells. `_`, spaces and letter case are ignored. Words over 64
/// bytes are skipped, because comparing them would be slow.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let folded = |word: &str| word.to_lowercase().replace(['_', ' '], "-");
    let meant = folded(word);
    let slips = |other: &str| strsim::damerau_levenshtein(&meant, &folded(other));
    let (distance, near) = known.into_iter().map(|other| (slips(other), other)).min()?;
    (distance <= 1.max(word.chars().count() / 3)).then_some(near)
}

/// Returns the known word that differs from a word in one letter: one too many, one missing, one replaced or two swapped. Words over
/// 64 bytes are skipped.
pub fn one_letter_off<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // A path over 64 bytes would be slow to compare.
    let near = known.into_iter().filter(|other| word.len() <= 64 && other.len().abs_diff(word.len()) <= 4);
    near.filter(|other| strsim::damerau_levenshtein(word, other) == 1).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_three_lengths() {
        assert_eq!(length("é😀a"), Length { chars: 3, utf16: 4, bytes: 7 });
    }

    #[test]
    fn separates_thousands_with_commas() {
        assert_eq!([7, 1_024, 272_000].map(grouped), ["7", "1,024", "272,000"]);
    }

    #[test]
    fn truncates_long_text() {
        assert_eq!(shortened("éab", 2), "éa…");
        assert_eq!(shortened("éa", 2), "éa");
    }

    #[test]
    fn joins_words_for_a_sentence() {
        assert_eq!(joined(&["a", "b", "c"]), "a, b and c");
        assert_eq!([joined(&["a", "b"]), joined(&["a"]), joined::<&str>(&[])], ["a and b", "a", ""]);
    }

    #[test]
    fn keeps_invalid_bytes_distinct() {
        assert_eq!(lossless(b"a\xffb".as_bstr()), "a\\xffb");
    }

    #[test]
    fn splits_paths_at_the_last_slash() {
        assert_eq!(file_name(b"a/b/c".as_bstr()), b"c".as_bstr());
        assert_eq!(parent(b"a/b/c".as_bstr()), b"a/b".as_bstr());
        assert_eq!(parent(b"c".as_bstr()), b"".as_bstr());
    }

    #[test]
    fn finds_nearest_word_for_typos() {
        assert_eq!(nearest("descripton", ["name", "description"]), Some("description"));
        assert_eq!(nearest("Allowed_Tools", ["name", "allowed-tools"]), Some("allowed-tools"));
        assert_eq!(nearest("licence", ["name", "description"]), None);
        assert_eq!(nearest(&"a".repeat(1_000_000), ["a"]), None);
    }

    #[test]
    fn skips_words_over_64_bytes() {
        let (longest, long) = ("a".repeat(64), "a".repeat(65));
        assert_eq!(nearest(&longest, [longest.as_str()]), Some(longest.as_str()));
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
