//! Places as a reader sees them: line, column, and the text around them.
//!
//! Bodies were dropped after parsing, so the files that findings point into are read once more, a few at a time, unless
//! the front matter tells enough; of each place only its position and the lines around it are kept.

mod fingerprint;
mod lines;
mod wanted;

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use bstr::{BStr, ByteSlice};
use sha2::{Digest, Sha256};

pub use fingerprint::LineHash;
pub use lines::{Line, Position};

use crate::lint::Report;
use crate::rule::Finding;
use crate::snapshot::{Body, File, Role};
use crate::text::{self, Place};
use lines::Lines;
use wanted::{Chunk, Wanted};

/// Bytes of lines that are kept; places beyond keep their positions and lose their lines.
const KEPT_BYTES: usize = 64 << 20;

/// A place as a reader sees it. Files without a text (links, gitlinks, directories, what is absent or was not read)
/// have all their places at 1:1 and no lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// Where it starts.
    pub start: Position,
    /// Where it ends, exclusive.
    pub end: Position,
    /// Where it ends on its first line: [`Excerpt::end`], or the end of that line when the place goes on.
    pub first_end: Position,
    /// The lines of the place, at most six of them, and one before and after.
    pub lines: Vec<Line>,
    /// The hash of the line it starts on.
    pub line_hash: LineHash,
    /// What tells its text from others, wherever it stands.
    pub text: TextHash,
}

/// A digest of a text without outer white space and without CR: other line ends do not make it another text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TextHash([u8; 16]);

/// Our own name for a finding, that survives what happens elsewhere in the file: a digest of the rule, the path and
/// the line's text without outer white space, and a number for each further line of the file with the same text.
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

/// Every place that a report shows.
#[derive(Clone, Debug, Default)]
pub struct Excerpts {
    places: HashMap<Place, Excerpt>,
    fingerprints: HashMap<(&'static str, Place), Fingerprint>,
    kept_bytes: usize,
    unknown: Excerpt,
}

impl Excerpts {
    /// Reads again what the places of a report point into: those of its findings, what is related, and their edits.
    ///
    /// `read` gives the texts of the files it is asked for, in their order; a text that is missing counts as empty.
    ///
    /// # Errors
    /// What `read` fails with.
    pub fn new<E>(report: &Report, mut read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>) -> Result<Self, E> {
        let mut excerpts = Self::default();
        let mut chunk = Chunk::default();
        let skills = wanted::skills(report);
        for (id, wanted) in wanted::wanted(report) {
            let file = report.catalog.file(id);
            match &file.body {
                Body::Text(text) => excerpts.take(file, &wanted, Some(text)),
                Body::NotRead if file.role == Role::Skill => {
                    let skill = skills.get(&id);
                    if let Some(header) = skill.and_then(|skill| wanted.header(skill)) {
                        excerpts.take(file, &wanted, Some(header));
                        continue;
                    }
                    let bytes = skill.and_then(|skill| skill.body.as_ref()).map_or(0, |body| body.file_bytes as usize);
                    if chunk.is_full(bytes) {
                        std::mem::take(&mut chunk).read(&mut excerpts, &mut read)?;
                    }
                    chunk.push(file, wanted, bytes);
                }
                _ => excerpts.take(file, &wanted, None),
            }
        }
        chunk.read(&mut excerpts, &mut read)?;
        Ok(excerpts)
    }

    /// A place of the report; what is not of the report is at 1:1.
    pub fn get(&self, place: Place) -> &Excerpt {
        self.places.get(&place).unwrap_or(&self.unknown)
    }

    /// Our own name for a finding of the report.
    pub fn fingerprint(&self, finding: &Finding) -> Fingerprint {
        self.fingerprints.get(&(finding.rule.id, finding.place)).copied().unwrap_or_default()
    }

    /// Keeps what is needed of a file.
    fn take(&mut self, file: &File, wanted: &Wanted, text: Option<&[u8]>) {
        let Some(text) = text else {
            let line_hash = fingerprint::of_text(&file.path);
            for &place in &wanted.places {
                self.places.insert(place, Excerpt { line_hash, ..Excerpt::default() });
            }
            self.name(file.path.as_bstr(), wanted, |_| (0, &[]));
            return;
        };
        let last = wanted.places.iter().map(|place| place.end.max(place.start)).max().unwrap_or_default();
        let lines = Lines::new(text, last);
        let starts: BTreeSet<u32> = wanted.places.iter().map(|place| lines.number(place.start)).collect();
        let hashes = fingerprint::of_lines(text, &starts);
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
        self.name(file.path.as_bstr(), wanted, |place| {
            let number = lines.number(place.start);
            (number, lines.text(number).trim())
        });
    }

    /// Gives the findings of a file their names. Places are asked for in their order, so each line is digested once
    /// for a rule.
    fn name<'t>(&mut self, path: &BStr, wanted: &Wanted, line: impl Fn(Place) -> (u32, &'t [u8])) {
        let mut seen: HashMap<[u8; 16], u32> = HashMap::new();
        let mut last: Option<(&str, u32, Fingerprint)> = None;
        for &(rule, place) in &wanted.findings {
            let (number, text) = line(place);
            let fingerprint = match last {
                Some((same, line, fingerprint)) if same == rule && line == number => fingerprint,
                _ => {
                    let digest = digest(rule, path, text);
                    let occurrence = seen.entry(digest).and_modify(|n| *n += 1).or_insert(1);
                    Fingerprint { digest, occurrence: *occurrence }
                }
            };
            last = Some((rule, number, fingerprint));
            self.fingerprints.insert((rule, place), fingerprint);
        }
    }
}

fn digest(rule: &str, path: &BStr, line: &[u8]) -> [u8; 16] {
    let mut digest = Sha256::new();
    for part in [rule.as_bytes(), path.as_bytes(), line] {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    let mut half = [0; 16];
    half.copy_from_slice(&digest.finalize()[..16]);
    half
}
