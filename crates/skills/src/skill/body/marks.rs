//! Characters that a text should not contain, and what identifies each in a comparison.

use sha2::{Digest, Sha256};

use crate::skill::{Mark, Marks};
use skilltree_front_matter::text::{FileId, Place};

/// Marks characters, in their order. A character alone says nothing, so these identify it: its line without marked characters, its
/// offset in that line, and the marked characters next to it, each once. So a changed text is new, and a removed character is not.
pub(super) fn marks(file: FileId, text: &str, found: &[(usize, char)]) -> Marks {
    let mut marks = Marks::default();
    let mut rest = found;
    while let Some(&(first, _)) = rest.first() {
        let start = text[..first].rfind(['\n', '\r']).map_or(0, |before| before + 1);
        let end = text[first..].find(['\n', '\r']).map_or(text.len(), |after| first + after);
        let (line, after) = rest.split_at(rest.partition_point(|&(at, _)| at < end.max(first + 1)));
        rest = after;
        let visible = visible(text, start, end, line);
        let mut marked_before = 0;
        for run in line.chunk_by(|one, next| one.0 + one.1.len_utf8() == next.0) {
            let identity = identity(&visible, run[0].0 - start - marked_before, run);
            for &(at, value) in run {
                marks.add(Mark { value, place: Place::new(file, at..at + value.len_utf8()), identity });
                marked_before += value.len_utf8();
            }
        }
    }
    marks
}

/// Returns the hash of a line without its marked characters.
fn visible(text: &str, start: usize, end: usize, marked: &[(usize, char)]) -> Sha256 {
    let mut digest = Sha256::new();
    let mut from = start;
    for &(at, character) in marked {
        digest.update(&text[from..at]);
        from = at + character.len_utf8();
    }
    digest.update(text[from.min(end)..end].trim_end());
    digest
}

fn identity(visible: &Sha256, offset: usize, run: &[(usize, char)]) -> [u8; 16] {
    let mut digest = visible.clone();
    digest.update(offset.to_le_bytes());
    for same in run.chunk_by(|one, next| one.1 == next.1) {
        digest.update(u32::from(same[0].1).to_le_bytes());
    }
    let mut half = [0; 16];
    half.copy_from_slice(&digest.finalize()[..16]);
    half
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identities(text: &str) -> Vec<[u8; 16]> {
        let found: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !c.is_ascii()).collect();
        marks(FileId(0), text, &found).first.iter().map(|mark| mark.identity).collect()
    }

    #[test]
    fn identifies_characters_by_visible_text_and_neighbors() {
        let before = identities("a\na\u{202e} one\u{200b}\u{200b}\n");
        assert_eq!(before[1], before[2]);
        assert_ne!(before[0], before[1]);
        assert_eq!(identities("moved\n\na\u{202e} one\u{200b}\n"), before[..2], "a removed and a moved character");
        assert_eq!(identities("a one\u{200b}"), before[1..2]);
        assert_ne!(identities("a\u{202e} two"), identities("a\u{202e} one"), "another text");
        assert_ne!(identities("a\u{e0061}\u{e0062}"), identities("a\u{e0062}\u{e0061}"), "another hidden text");
        assert_ne!(identities("a\u{202e}bc"), identities("ab\u{202e}c"), "another place");
    }

    #[test]
    fn marks_many_characters_in_linear_time() {
        let text = "\u{200b}a".repeat(100_000);
        let found: Vec<(usize, char)> = text.char_indices().filter(|(_, c)| !c.is_ascii()).collect();
        assert_eq!(marks(FileId(0), &text, &found).count, 100_000);
    }
}
