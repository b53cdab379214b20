//! What a report needs of which file, and how many files are read together.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Excerpts;
use crate::lint::Report;
use crate::snapshot::File;
use crate::text::{FileId, Place};

/// Bytes of files that are asked for at once, as far as their sizes are known.
const CHUNK_BYTES: usize = 16 << 20;
/// Files that are asked for at once.
const CHUNK_FILES: usize = 256;

/// What is wanted of a file.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// Every place to show, sorted.
    pub(super) places: BTreeSet<Place>,
    /// The findings by rule, then by place.
    pub(super) findings: BTreeSet<(&'static str, Place)>,
}

/// What is wanted of each file.
pub(super) fn wanted(report: &Report) -> BTreeMap<FileId, Wanted> {
    let mut files: BTreeMap<FileId, Wanted> = BTreeMap::new();
    for finding in &report.findings {
        files.entry(finding.place.file).or_default().findings.insert((finding.rule.id, finding.place));
        let related = finding.related.iter().map(|(place, _)| *place);
        let edits = finding.edits.iter().map(|edit| edit.place);
        for place in related.chain(edits).chain([finding.place]) {
            files.entry(place.file).or_default().places.insert(place);
        }
    }
    files
}

/// The sizes of the files that were parsed.
pub(super) fn sizes(report: &Report) -> HashMap<FileId, usize> {
    let skills = report.catalog.parsed.skills.iter();
    skills.filter_map(|skill| Some((skill.file, skill.body.as_ref()?.file_bytes as usize))).collect()
}

/// Files to read together.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    files: Vec<File>,
    wanted: Vec<Wanted>,
    bytes: usize,
}

impl Chunk {
    pub(super) fn is_full(&self, more: usize) -> bool {
        !self.files.is_empty() && (self.files.len() == CHUNK_FILES || self.bytes + more > CHUNK_BYTES)
    }

    pub(super) fn push(&mut self, file: &File, wanted: Wanted, bytes: usize) {
        self.files.push(file.clone());
        self.wanted.push(wanted);
        self.bytes += bytes;
    }

    pub(super) fn read<E>(
        self,
        excerpts: &mut Excerpts,
        read: &mut impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<(), E> {
        if self.files.is_empty() {
            return Ok(());
        }
        let texts = read(&self.files)?;
        for (number, (file, wanted)) in self.files.iter().zip(&self.wanted).enumerate() {
            excerpts.take(file, wanted, Some(texts.get(number).map_or(&[], Vec::as_slice)));
        }
        Ok(())
    }
}
