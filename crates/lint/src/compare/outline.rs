//! Outline of a text, used to find its counterpart: hashes of its lines.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use bstr::ByteSlice;

use skilltree_front_matter::text::FileId;
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::{Body, File};

/// Number of files read together: at most 16 MB with the default limit of 256,000 bytes per file.
const CHUNK_FILES: usize = 64;
/// Maximum number of lines that are compared.
const LINES: usize = 2_000;

/// Outlines of some files of a catalog.
#[derive(Clone, Debug, Default)]
pub struct Outlines(BTreeMap<FileId, Outline>);

/// Outline of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Outline {
    /// The lines that contain text, sorted by hash, without duplicates: the hash and the bytes of each.
    pub(super) lines: Vec<(u64, usize)>,
}

impl Outlines {
    /// Reads skills of a catalog again. Files that are not text have no outline.
    ///
    /// `read` returns the texts of the files, in their order.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read`.
    pub fn new<E>(
        catalog: &Catalog,
        files: &[FileId],
        mut read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Self, E> {
        let skills = catalog.parsed.skills.iter().filter(|skill| skill.body.is_some());
        let skills: BTreeSet<FileId> = skills.map(|skill| skill.file).collect();
        let is_text = |file: &FileId| skills.contains(file) && catalog.file(*file).body == Body::NotRead;
        let texts: Vec<FileId> = files.iter().copied().filter(is_text).collect();
        let mut outlines = Self::default();
        for chunk in texts.chunks(CHUNK_FILES) {
            let files: Vec<File> = chunk.iter().map(|&id| catalog.file(id).clone()).collect();
            for (&id, text) in chunk.iter().zip(read(&files)?) {
                outlines.0.insert(id, Outline::new(&text));
            }
        }
        Ok(outlines)
    }

    pub(super) fn get(&self, file: FileId) -> Option<&Outline> {
        self.0.get(&file)
    }
}

impl Outline {
    pub(super) fn new(text: &[u8]) -> Self {
        let lines = text.lines().map(<[u8]>::trim).filter(|line| has_text(line));
        let mut lines: Vec<(u64, usize)> = lines.take(LINES).map(|line| (hash(line), line.len())).collect();
        lines.sort_unstable();
        lines.dedup();
        Self { lines }
    }

    /// Returns the bytes in common lines, and the bytes in the lines of the longer text.
    pub(super) fn common(&self, other: &Self) -> (usize, usize) {
        let (mut one, mut two) = (self.lines.as_slice(), other.lines.as_slice());
        let mut common = 0;
        while let ([a, rest_of_one @ ..], [b, rest_of_two @ ..]) = (one, two) {
            common += if a == b { a.1 } else { 0 };
            one = if a <= b { rest_of_one } else { one };
            two = if b <= a { rest_of_two } else { two };
        }
        (common, self.bytes().max(other.bytes()))
    }

    fn bytes(&self) -> usize {
        self.lines.iter().map(|(_, bytes)| bytes).sum()
    }
}

/// Returns whether a line has letters or digits, unlike a fence, a rule or a bracket, which most texts have.
fn has_text(line: &[u8]) -> bool {
    line.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// Hashes a text with fixed keys: the pairing must be the same on every machine.
fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
