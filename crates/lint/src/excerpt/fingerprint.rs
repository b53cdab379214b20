//! `primaryLocationLineHash`, as computed by the uploader of GitHub code scanning (github/codeql-action,
//! src/fingerprints.ts). If the two differ, the uploader logs a warning for every result.
//!
//! It is a rolling hash of 100 UTF-16 units from the start of the line, without spaces, tabs, and the LF of a CRLF.
//! Equal hashes in a file are numbered in line order.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

/// Number of UTF-16 units in a hash.
pub(super) const WINDOW: usize = 100;
/// Multiplier of the rolling hash.
const MULTIPLIER: i64 = 37;
/// Unit that marks the end of the file.
const END: u16 = u16::MAX;

/// Hash of a line and the text after it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineHash {
    hash: u64,
    occurrence: u32,
}

impl fmt::Display for LineHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}:{}", self.hash, self.occurrence)
    }
}

/// Returns the hashes of some lines of a text, by line number from 1. Stops reading after the last hash.
pub(super) fn of_lines(text: &[u8], lines: &BTreeSet<u32>) -> BTreeMap<u32, LineHash> {
    let mut hasher = Hasher::new(lines);
    for chunk in text.utf8_chunks() {
        let replaced = if chunk.invalid().is_empty() { "" } else { "\u{fffd}" };
        for unit in chunk.valid().encode_utf16().chain(replaced.encode_utf16()) {
            hasher.read(unit);
            if hasher.is_done() {
                return hasher.hashes;
            }
        }
    }
    hasher.read(END);
    for _ in 0..WINDOW {
        hasher.finish_line();
        hasher.push(0);
    }
    hasher.hashes
}

/// Returns the hash of the first line.
pub(super) fn of_text(text: &[u8]) -> LineHash {
    of_lines(text, &BTreeSet::from([1])).remove(&1).unwrap_or_default()
}

struct Hasher<'l> {
    wanted: &'l BTreeSet<u32>,
    hashes: BTreeMap<u32, LineHash>,
    seen: HashMap<u64, u32>,
    units: [u16; WINDOW],
    /// Line that starts at the unit in the same slot; 0 for none.
    lines: [u32; WINDOW],
    slot: usize,
    hash: i64,
    /// Factor of the oldest unit when it leaves the window.
    oldest: i64,
    line: u32,
    at_line_start: bool,
    after_cr: bool,
}

impl<'l> Hasher<'l> {
    fn new(wanted: &'l BTreeSet<u32>) -> Self {
        Self {
            wanted,
            hashes: BTreeMap::new(),
            seen: HashMap::new(),
            units: [0; WINDOW],
            lines: [0; WINDOW],
            slot: 0,
            hash: 0,
            oldest: (0..WINDOW).fold(1, |product: i64, _| product.wrapping_mul(MULTIPLIER)),
            line: 0,
            at_line_start: true,
            after_cr: false,
        }
    }

    fn is_done(&self) -> bool {
        self.hashes.len() == self.wanted.len()
    }

    fn read(&mut self, unit: u16) {
        let (lf, cr) = (u16::from(b'\n'), u16::from(b'\r'));
        let after_cr = std::mem::take(&mut self.after_cr);
        if unit == u16::from(b' ') || unit == u16::from(b'\t') || (after_cr && unit == lf) {
            return;
        }
        self.after_cr = unit == cr;
        let unit = if unit == cr { lf } else { unit };
        self.finish_line();
        if self.at_line_start {
            self.line += 1;
            self.lines[self.slot] = self.line;
        }
        self.at_line_start = unit == lf;
        self.push(unit);
    }

    /// Takes the hash of the line that starts the window, if any.
    fn finish_line(&mut self) {
        let line = std::mem::take(&mut self.lines[self.slot]);
        if line == 0 {
            return;
        }
        let hash = self.hash.cast_unsigned();
        let occurrence = *self.seen.entry(hash).and_modify(|n| *n += 1).or_insert(1);
        if self.wanted.contains(&line) {
            self.hashes.insert(line, LineHash { hash, occurrence });
        }
    }

    fn push(&mut self, unit: u16) {
        let left = i64::from(std::mem::replace(&mut self.units[self.slot], unit));
        self.hash = MULTIPLIER
            .wrapping_mul(self.hash)
            .wrapping_add(i64::from(unit))
            .wrapping_sub(self.oldest.wrapping_mul(left));
        self.slot = (self.slot + 1) % WINDOW;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &[u8]) -> Vec<String> {
        let lines = (1..=20).collect();
        of_lines(text, &lines).values().map(ToString::to_string).collect()
    }

    /// Test vectors of the uploader (github/codeql-action, src/fingerprints.test.ts).
    #[test]
    fn matches_the_vectors_of_the_uploader() {
        assert_eq!(all(b""), ["c129715d7a2bc9a3:1"]);
        assert_eq!(
            all(b" a\nb\n  \t\tc\n d"),
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]
        );
        let greetings = [
            "e9496ae3ebfced30:1",
            "fb7c023a8b9ccb3f:1",
            "ce8ba1a563dcdaca:1",
            "e20e36e16fcb0cc8:1",
            "b3edc88f2938467e:1",
            "c8e28b0b4002a3a0:1",
            "c129715d7a2bc9a3:1",
        ];
        assert_eq!(all(b" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n"), greetings);
        assert_eq!(all(b" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r"), greetings);
        assert_eq!(all(b" hello; \t\r\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n"), greetings);
        let repeated = [
            "a7f2ff13bc495cf2:1",
            "a7f2ff13bc495cf2:2",
            "a7f2ff13bc495cf2:3",
            "a7f2ff13bc495cf2:4",
            "a7f2ff13bc495cf2:5",
            "a7f2ff13bc495cf2:6",
            "a7f2ff1481e87703:1",
            "a9cf91f7bbf1862b:1",
            "55ec222b86bcae53:1",
            "cc97dc7b1d7d8f7b:1",
            "c129715d7a2bc9a3:1",
        ];
        assert_eq!(all("Lorem ipsum dolor sit amet.\n".repeat(10).as_bytes()), repeated);
    }

    /// Test vectors of the same algorithm in JavaScript, which reads UTF-16 units and keeps a byte order mark (BOM).
    #[test]
    fn counts_utf16_units_like_javascript() {
        assert_eq!(
            all("\u{feff}---\r\nname: 😀é\r\n---\r\n".as_bytes()),
            ["2da4b22d7b3cf77f:1", "6511c2eca6a8db13:1", "ee086fff8efa695c:1", "c129715d7a2bc9a3:1"]
        );
        assert_eq!(
            all(b"a\r \nb\r\n"),
            ["818c3a85b988abe4:1", "bf4c4d48992e2ca5:1", "ade70578248be16f:1", "c129715d7a2bc9a3:1"]
        );
        assert_eq!(all(b"a\xff\xe2\x82b\nc"), ["3f12b440b6f11b8d:1", "188ff2f224477a1e:1"]);
        assert_eq!(all(b"ab\nc\xf0\x9f\x98"), ["e95dfbef92f3a2b4:1", "555448ee0ec9fdc7:1"]);
        let long = format!("{}\n{}\nz", "x".repeat(250), "y".repeat(99));
        assert_eq!(all(long.as_bytes()), ["52b56201ffb58620:1", "cadd4b5b9d92c4ad:1", "76dcabf80cb35c79:1"]);
    }

    #[test]
    fn stops_reading_after_the_last_line() {
        let text = "Lorem ipsum dolor sit amet.\n".repeat(10);
        let third = of_lines(text.as_bytes(), &BTreeSet::from([3]));
        assert_eq!(
            third.into_iter().map(|(line, hash)| (line, hash.to_string())).collect::<Vec<_>>(),
            [(3, "a7f2ff13bc495cf2:3".to_string())]
        );
    }
}
