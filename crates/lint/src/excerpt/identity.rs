//! What identifies a file in fingerprints, so that they survive when the directory of a skill is renamed.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};

use crate::lint::Report;
use skilltree_front_matter::text::{self, FileId};
use skilltree_skills::skill::Skill;

/// The skills of a report by directory.
pub(super) struct Identities<'r> {
    report: &'r Report,
    skills: HashMap<&'r BStr, &'r Skill>,
}

impl<'r> Identities<'r> {
    pub(super) fn new(report: &'r Report) -> Self {
        // A skill directly in its skills directory has no directory that could be renamed.
        let skills = report.catalog.parsed.skills.iter().filter(|skill| skill.depth > 0);
        let directory = |skill: &Skill| text::parent(report.catalog.file(skill.file).path.as_bstr());
        Self { report, skills: skills.map(|skill| (directory(skill), skill)).collect() }
    }

    /// Returns the skills directory, the name of the skill if it has one, and the path in the skill directory; for any other file its
    /// path.
    pub(super) fn of(&self, file: FileId) -> Vec<u8> {
        let path = self.report.catalog.file(file).path.as_bstr();
        let mut directory = text::parent(path);
        while !directory.is_empty() {
            if let Some(skill) = self.skills.get(directory) {
                let root = self.report.catalog.root(skill.root).path.as_bstr();
                let name = skill.name().unwrap_or_default();
                let parts = [root.as_bytes(), name.as_bytes(), &path[directory.len()..]];
                return parts.join(&b'\0');
            }
            directory = text::parent(directory);
        }
        path.to_vec()
    }
}
