//! Places in files, and how long a text is.
//!
//! A place is a pair of byte offsets and a file's number: it borrows nothing, so a finding outlives the text
//! that it is about. Lines and columns are worked out once, where a place is shown.

use std::borrow::Cow;
use std::ops::Range;

use bstr::{BStr, ByteSlice};
use sha2::{Digest, Sha256};

/// The number of a file in [`crate::skill::Parsed::files`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

impl FileId {
    /// The number as an index.
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
    /// A place from a range of byte offsets. Files that are linted are far below 4 GiB, so the offsets fit.
    pub fn new(file: FileId, range: Range<usize>) -> Self {
        let clamp = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Self { file, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The file itself.
    pub fn whole(file: FileId) -> Self {
        Self { file, start: 0, end: 0 }
    }

    /// Whether this is the file itself rather than a place in it.
    pub fn is_whole(self) -> bool {
        self.start == self.end
    }

    /// The byte offsets.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A value and the place where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value after parsing.
    pub value: T,
    /// Where its text stands in the file.
    pub place: Place,
}

/// How long a text is, in the three units that runtimes count in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// Unicode code points: the unit of every limit of ours (Codex and the reference validator count so).
    pub chars: usize,
    /// UTF-16 code units: what JavaScript and C# runtimes count, and SARIF's columns.
    pub utf16: usize,
    /// Bytes of UTF-8.
    pub bytes: usize,
}

/// Measures a text in all three units.
pub fn length(text: &str) -> Length {
    Length { chars: text.chars().count(), utf16: text.chars().map(char::len_utf16).sum(), bytes: text.len() }
}

/// An estimate of a text's tokens: a quarter of its code points, rounded up.
///
/// No public tokenizer has the vocabulary of every model that skills are written for, so the number is said to be
/// an estimate wherever it is shown.
pub fn tokens(chars: usize) -> usize {
    chars.div_ceil(4)
}

/// What tells a text from others: half of the SHA-256 of it without outer white space and without CR, so that other line
/// ends do not make it another text.
pub fn digest(text: &[u8]) -> [u8; 16] {
    let mut digest = Sha256::new();
    text.trim().split(|&byte| byte == b'\r').for_each(|part| digest.update(part));
    let mut half = [0; 16];
    half.copy_from_slice(&digest.finalize()[..16]);
    half
}

/// A text of at most so many code points, and `…` where the rest was: a message stays a line whatever it quotes.
pub fn shortened(text: &str, chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Bytes of the tree as text: what is not UTF-8 becomes `\xNN`, so that two different paths never look alike.
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

/// The last component of a path with `/` between components.
pub fn file_name(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(path, |slash| path[slash + 1..].as_bstr())
}

/// A path without its last component; empty for a path of one component.
pub fn parent(path: &BStr) -> &BStr {
    path.rfind_byte(b'/').map_or(b"".as_bstr(), |slash| path[..slash].as_bstr())
}

/// The known word that was probably meant: near enough that a slip of the fingers explains the difference. `_`, a space
/// and letter case count as `-` and lower case do. A word over 64 bytes is no slip, and comparing it would be slow.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_has_three_lengths() {
        assert_eq!(length("é😀a"), Length { chars: 3, utf16: 4, bytes: 7 });
    }

    #[test]
    fn a_quoted_text_has_an_end() {
        assert_eq!(shortened("éab", 2), "éa…");
        assert_eq!(shortened("éa", 2), "éa");
    }

    #[test]
    fn bytes_that_are_no_text_stay_distinct() {
        assert_eq!(lossless(b"a\xffb".as_bstr()), "a\\xffb");
    }

    #[test]
    fn a_path_splits_at_its_last_slash() {
        assert_eq!(file_name(b"a/b/c".as_bstr()), b"c".as_bstr());
        assert_eq!(parent(b"a/b/c".as_bstr()), b"a/b".as_bstr());
        assert_eq!(parent(b"c".as_bstr()), b"".as_bstr());
    }

    #[test]
    fn a_slip_of_the_fingers_finds_its_word() {
        assert_eq!(nearest("descripton", ["name", "description"]), Some("description"));
        assert_eq!(nearest("Allowed_Tools", ["name", "allowed-tools"]), Some("allowed-tools"));
        assert_eq!(nearest("licence", ["name", "description"]), None);
        assert_eq!(nearest(&"a".repeat(1_000_000), ["a"]), None);
    }
}
