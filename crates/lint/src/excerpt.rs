//! Excerpts: line, column and surrounding text of the places in a report.
//!
//! Bodies are dropped after parsing, so files with findings are read again, a few at a time, unless the front matter is
//! enough. Only the position of each place and the lines around it are kept.

mod fingerprint;
mod identity;
mod lines;
mod wanted;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use bstr::ByteSlice;
use sha2::{Digest, Sha256};

pub use fingerprint::LineHash;
pub use lines::{Line, Position};

use crate::lint::Report;
use crate::rule::{Finding, RuleRef};
use lines::Lines;
use skilltree_front_matter::text::{self, FileId, Place};
use skilltree_skills::snapshot::{Body, File, Role};
use skilltree_skills::source::CONFIG_BYTES;
use wanted::{Chunk, Wanted};

/// Maximum number of bytes of lines that are kept. Later places keep only their positions.
const KEPT_BYTES: usize = 64 << 20;

/// Position and text of a place. All places in files without text (links, submodules, directories, missing or unread
/// files) are at 1:1 and have no lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Start of the place.
    pub start: Position,
    /// End of the place, exclusive.
    pub end: Position,
    /// End of the place on its first line: [`Excerpt::end`], or the end of that line if the place continues.
    pub first_end: Position,
    /// Lines of the place, at most six, and one before and after.
    pub lines: Vec<Line>,
    /// Hash of the first line.
    pub line_hash: LineHash,
    /// Content hash of the text.
    pub text: TextHash,
}

/// Content hash: the first 16 bytes of SHA-256 over the trimmed text without CR, so that line endings do not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextHash([u8; 16]);

impl TextHash {
    pub(crate) fn bytes(self) -> [u8; 16] {
        self.0
    }
}

/// Fingerprint of a finding that survives changes elsewhere in the file and a rename of the skill directory: a hash of the rule,
/// the skill and the trimmed text of the line, with a number for each further finding with the same hash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    digest: [u8; 16],
    occurrence: u32,
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digest.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        write!(f, ":{}", self.occurrence)
    }
}

/// Excerpts for all places of a report.
#[derive(Clone, Debug, Default)]
pub struct Excerpts {
    places: HashMap<Place, Excerpt>,
    digests: HashMap<(RuleRef, Place), [u8; 16]>,
    /// By rule and place. Findings with the same rule and place are in report order.
    fingerprints: HashMap<(RuleRef, Place), Vec<(TextHash, Fingerprint)>>,
    kept_bytes: usize,
    unknown: Excerpt,
    omits_line_hashes: bool,
}

impl Excerpts {
    /// Reads the files with places of a report again: findings, related places and edits.
    ///
    /// `read` returns the texts of the files, in their order; a missing text counts as empty.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read`.
    pub fn new<E>(report: &Report, read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>) -> Result<Self, E> {
        Self::default().of(report, read)
    }

    /// Reads like [`Excerpts::new`], but leaves [`Excerpt::line_hash`] empty, which only SARIF has. Then the front matter is enough
    /// for most findings.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read`.
    pub fn without_line_hashes<E>(
        report: &Report,
        read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Self, E> {
        Self { omits_line_hashes: true, ..Self::default() }.of(report, read)
    }

    /// Reads like [`Excerpts::without_line_hashes`], but only for the active findings that a text with this many findings shows: the
    /// most severe ones, and every error. There are no fingerprints.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read`.
    pub fn of_most_severe<E>(
        report: &Report,
        most: usize,
        read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Self, E> {
        Self::of_findings(report, report.most_severe(most), read)
    }

    /// Reads like [`Excerpts::of_most_severe`], but for the findings that the caller chooses.
    ///
    /// # Errors
    ///
    /// Returns the errors of `read`.
    pub fn of_findings<'r, E>(
        report: &'r Report,
        findings: impl IntoIterator<Item = &'r Finding>,
        read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<Self, E> {
        let mut excerpts = Self { omits_line_hashes: true, ..Self::default() };
        excerpts.read(report, wanted::wanted(report, findings), read)?;
        Ok(excerpts)
    }

    fn of<E>(mut self, report: &Report, read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>) -> Result<Self, E> {
        self.read(report, wanted::wanted(report, &report.findings), read)?;
        self.number(report);
        Ok(self)
    }

    /// Reads the files with places again.
    fn read<E>(
        &mut self,
        report: &Report,
        files: BTreeMap<FileId, Wanted>,
        mut read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<(), E> {
        let covered = if self.omits_line_hashes { 0 } else { fingerprint::WINDOW };
        let mut chunk = Chunk::default();
        let (skills, references) = (wanted::skills(report), wanted::references(report));
        for (id, wanted) in files {
            let file = report.catalog.file(id);
            match &file.body {
                Body::Text(text) => self.take(file, &wanted, Some(text)),
                _ if file.has_text()
                    && (matches!(file.role, Role::Skill | Role::Manifest | Role::Config)
                        || references.contains_key(&id)) =>
                {
                    let skill = skills.get(&id);
                    if let Some(header) = skill.and_then(|skill| wanted.header(skill, covered)) {
                        self.take(file, &wanted, Some(header));
                        continue;
                    }
                    let own = skill.and_then(|skill| skill.body.as_ref()).map(|body| body.file_bytes);
                    let bytes = own.or(references.get(&id).copied()).unwrap_or_default() as usize;
                    let bytes =
                        if own.is_none() && !references.contains_key(&id) { CONFIG_BYTES as usize } else { bytes };
                    if chunk.is_full(bytes) {
                        std::mem::take(&mut chunk).read(self, &mut read)?;
                    }
                    chunk.push(file, wanted, bytes);
                }
                _ => self.take(file, &wanted, None),
            }
        }
        chunk.read(self, &mut read)
    }

    /// Returns the excerpt of a place, or one at 1:1 for a place that is not in the report.
    pub fn get(&self, place: Place) -> &Excerpt {
        self.places.get(&place).unwrap_or(&self.unknown)
    }

    /// Returns the fingerprint of a finding of the report, or of one of its places.
    pub fn fingerprint(&self, finding: &Finding) -> Fingerprint {
        let Some(known) = self.fingerprints.get(&(finding.rule.clone(), finding.place)) else {
            return Fingerprint::default();
        };
        let message = TextHash(text::digest(finding.message.as_bytes()));
        let same = known.iter().find(|(of, _)| *of == message).or(known.first());
        same.map(|&(_, fingerprint)| fingerprint).unwrap_or_default()
    }

    /// Extracts the excerpts of a file.
    fn take(&mut self, file: &File, wanted: &Wanted, text: Option<&[u8]>) {
        let Some(text) = text else {
            let line_hash = fingerprint::of_text(&file.path);
            for &place in &wanted.places {
                self.places.insert(place, Excerpt { line_hash, ..Excerpt::default() });
            }
            self.digest(wanted, |_| (0, &[]));
            return;
        };
        let last = wanted.places.iter().map(|place| place.end.max(place.start)).max().unwrap_or_default();
        let lines = Lines::new(text, last);
        let starts: BTreeSet<u32> = wanted.places.iter().map(|place| lines.number(place.start)).collect();
        let hashes = if self.omits_line_hashes { BTreeMap::new() } else { fingerprint::of_lines(text, &starts) };
        let positions = lines.positions(wanted.places.iter().flat_map(|place| [place.start, place.end]));
        for &place in &wanted.places {
            let number = lines.number(place.start);
            let start = positions.at(place.start);
            let end = positions.at(place.end.max(place.start));
            let first_end = if end.line == start.line { end } else { lines.end(number, start) };
            let line_hash = hashes.get(&number).copied().unwrap_or_default();
            let around = if self.kept_bytes < KEPT_BYTES { lines.around(place) } else { Vec::new() };
            self.kept_bytes += around.iter().map(|line| line.text.len()).sum::<usize>();
            let text = TextHash(text::digest(text.get(place.range()).unwrap_or_default()));
            self.places.insert(place, Excerpt { start, end, first_end, lines: around, line_hash, text });
        }
        self.digest(wanted, |place| {
            let number = lines.number(place.start);
            (number, lines.text(number).trim())
        });
    }

    /// Hashes the lines of the findings of a file. Places are visited in order, so each line is hashed once per rule.
    fn digest<'t>(&mut self, wanted: &Wanted, line: impl Fn(Place) -> (u32, &'t [u8])) {
        let mut last: Option<(&RuleRef, u32, [u8; 16])> = None;
        for (rule, place) in &wanted.findings {
            let (number, text) = line(*place);
            let digest = match last {
                Some((same, line, digest)) if same == rule && line == number => digest,
                _ => digest(rule.id(), &wanted.identity, text),
            };
            last = Some((rule, number, digest));
            self.digests.insert((rule.clone(), *place), digest);
        }
    }

    /// Numbers the findings with equal hashes, in report order: every place of every finding has its own fingerprint.
    fn number(&mut self, report: &Report) {
        let mut seen: HashMap<[u8; 16], u32> = HashMap::new();
        for finding in &report.findings {
            for place in finding.places() {
                let key = (finding.rule.clone(), place);
                let Some(&digest) = self.digests.get(&key) else { continue };
                let occurrence = *seen.entry(digest).and_modify(|n| *n += 1).or_insert(1);
                let message = TextHash(text::digest(finding.message.as_bytes()));
                self.fingerprints.entry(key).or_default().push((message, Fingerprint { digest, occurrence }));
            }
        }
    }
}

fn digest(rule: &str, identity: &[u8], line: &[u8]) -> [u8; 16] {
    let mut digest = Sha256::new();
    for part in [rule.as_bytes(), identity, line] {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let mut half = [0; 16];
    half.copy_from_slice(&digest.finalize()[..16]);
    half
}
