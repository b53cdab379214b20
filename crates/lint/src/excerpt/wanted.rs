//! Places that a report needs from each file, and batches of files to read.

use crate::rule::{Finding, RuleRef};
use std::collections::{BTreeMap, BTreeSet, HashMap};

use bstr::ByteSlice;

use super::Excerpts;
use super::identity::Identities;
use crate::lint::Report;
use skilltree_front_matter::text::{FileId, Place};
use skilltree_skills::skill::Skill;
use skilltree_skills::snapshot::File;

/// Maximum number of bytes requested at once, if the sizes are known.
const CHUNK_BYTES: usize = 16 << 20;
/// Maximum number of files requested at once.
const CHUNK_FILES: usize = 256;

/// Places needed from a file.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// All places to show, sorted.
    pub(super) places: BTreeSet<Place>,
    /// Findings by rule, then by place.
    pub(super) findings: BTreeSet<(RuleRef, Place)>,
    /// What identifies the file in fingerprints.
    pub(super) identity: Vec<u8>,
}

/// Returns the places that some findings need from each file.
pub(super) fn wanted<'r>(
    report: &'r Report,
    findings: impl IntoIterator<Item = &'r Finding>,
) -> BTreeMap<FileId, Wanted> {
    let mut files: BTreeMap<FileId, Wanted> = BTreeMap::new();
    for finding in findings {
        for place in finding.places() {
            files.entry(place.file).or_default().findings.insert((finding.rule.clone(), place));
        }
        let related = finding.related.iter().map(|(place, _)| *place);
        let edits = finding.edits.iter().map(|edit| edit.place);
        for place in related.chain(edits).chain(finding.places()) {
            files.entry(place.file).or_default().places.insert(place);
        }
    }
    let identities = Identities::new(report);
    for (&file, wanted) in &mut files {
        wanted.identity = identities.of(file);
    }
    files
}

/// Returns the skills by file.
pub(super) fn skills(report: &Report) -> HashMap<FileId, &Skill> {
    report.catalog.parsed.skills.iter().map(|skill| (skill.file, skill)).collect()
}

/// Returns the sizes of the reference files, scripts and other files of skills that were read.
pub(super) fn references(report: &Report) -> HashMap<FileId, u32> {
    let skills = || report.catalog.parsed.skills.iter().map(|skill| &skill.references);
    let references = skills().flat_map(|skill| &skill.read).map(|reference| (reference.file, reference.bytes));
    let scripts = skills().flat_map(|skill| &skill.scripts).map(|script| (script.file, script.bytes));
    let agent_files = skills().filter_map(|skill| skill.agent_file.as_ref()).map(|file| (file.file, file.bytes));
    references.chain(scripts).chain(agent_files).collect()
}

impl Wanted {
    /// Returns the header of a skill if it is enough, so that the file need not be read again. It must contain the line
    /// after the last place, and the text that the hash of the last line covers: `covered` UTF-16 units.
    pub(super) fn header<'s>(&self, skill: &'s Skill, covered: usize) -> Option<&'s [u8]> {
        let last = self.places.iter().map(|place| place.range().end.max(place.range().start)).max()?;
        let tail = skill.header.get(last..)?;
        let units = tail.iter().filter(|byte| !byte.is_ascii_whitespace() && **byte & 0b1100_0000 != 0b1000_0000);
        let is_complete = tail.find_iter("\n").nth(1).is_some() && (covered == 0 || units.count() > covered);
        is_complete.then_some(skill.header.as_slice())
    }
}

/// Batches of files.
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

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::config::Config;
    use crate::lint::{lint, roots};
    use skilltree_skills::snapshot::Origin;
    use skilltree_skills::source::{self, Content, Entry};

    /// Returns the report on a skill, its excerpts, and the number of times its file was read again.
    fn shown(text: &str) -> (Report, Excerpts, usize) {
        let config = Config::new();
        let file = Entry { path: ".agent/skills/other/SKILL.md".into(), content: Content::File(text.into()) };
        let source = source::memory(Origin::Memory, vec![file]);
        let parsed = source.read(&roots(&config), config.limits.bounds()).expect("a file in memory can be read");
        let report = lint(parsed, &config);
        let mut reads = 0;
        let excerpts = Excerpts::new(&report, |files| {
            reads += files.len();
            Ok::<_, Infallible>(vec![text.as_bytes().to_vec(); files.len()])
        });
        let excerpts = excerpts.unwrap_or_default();
        (report, excerpts, reads)
    }

    #[test]
    fn skips_rereading_if_the_front_matter_is_enough() {
        let long = "Reads PDF files and says what is in them. Use when a PDF file has to be read, whoever made it.";
        for (description, line_ending, expected) in [
            (long, "\n", 0),
            ("\u{e9}".repeat(55).as_str(), "\n", 1),
            ("Reads PDF files.", "\n", 1),
            (long, "\r\n", 0),
            (long, "\r", 1),
        ] {
            let lines = [
                "---",
                "name: pdf",
                &format!("description: {description}"),
                "license: MIT, see LICENSE",
                "---",
                "Read it.",
                "",
            ];
            let text = lines.join(line_ending);
            let (report, excerpts, reads) = shown(&text);
            assert!(!report.findings.is_empty() && (reads > 0) == (expected > 0), "{text:?}: {reads}");
            for (file, wanted) in wanted(&report, &report.findings) {
                let mut whole = Excerpts::default();
                whole.take(report.catalog.file(file), &wanted, Some(text.as_bytes()));
                for place in wanted.places {
                    assert_eq!(excerpts.get(place), whole.get(place), "{text:?}");
                }
            }
        }
    }
}
