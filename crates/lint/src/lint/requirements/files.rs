//! Conditions on the files of a skill.

use std::collections::BTreeMap;

use bstr::{BStr, ByteSlice};

use super::Check;
use crate::config::Requirement;
use crate::config::require::FileCondition;
use skilltree_front_matter::text::{self, FileId, Place, grouped, shortened};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::components::Owners;
use skilltree_skills::queries::Files;
use skilltree_skills::skill::SkillId;
use skilltree_skills::snapshot::Role;

/// Maximum length of a path in a message, in code points.
const SHOWN: usize = 80;

/// Maximum number of files of a skill that one rule reports.
const REPORTED: usize = 20;

/// A file below the directory of a skill, by its path from there.
type Below<'a> = (FileId, &'a BStr);

/// The files below each skill, if a rule is about files.
pub(super) struct FilesBySkill<'a>(BTreeMap<SkillId, Vec<Below<'a>>>);

impl<'a> FilesBySkill<'a> {
    pub(super) fn new(catalog: &'a Catalog, requirements: &[(usize, &Requirement)]) -> Self {
        let mut files: BTreeMap<SkillId, Vec<Below<'a>>> = BTreeMap::new();
        if requirements.iter().all(|(_, requirement)| requirement.conditions.file.is_none()) {
            return Self(files);
        }
        let owners = Owners::new(catalog);
        for (id, file) in catalog.files().filter(|(_, file)| matches!(file.role, Role::Skill | Role::Other)) {
            let path = file.path.as_bstr();
            let Some(owner) = owners.owner(path) else { continue };
            let directory = text::parent(catalog.path(owner));
            let start = if directory.is_empty() { 0 } else { directory.len() + 1 };
            if let Some(below) = path.get(start..) {
                files.entry(owner).or_default().push((id, below.as_bstr()));
            }
        }
        Self(files)
    }

    pub(super) fn of(&self, skill: SkillId) -> &[Below<'a>] {
        self.0.get(&skill).map_or(&[], Vec::as_slice)
    }
}

impl Check<'_> {
    pub(super) fn files(&mut self, named: &Files, condition: &FileCondition, files: &[Below<'_>], catalog: &Catalog) {
        let matching: Vec<&Below<'_>> = files.iter().filter(|(_, path)| named.matches(path)).collect();
        if condition.required && matching.is_empty() {
            self.report(
                self.skill.opener(),
                format!("no file of the skill matches `{}`", shortened(&named.pattern, SHOWN)),
            );
        }
        let size = |id: &FileId| catalog.parsed.sizes.get(id).copied().unwrap_or_default();
        let is_reported =
            |(id, _): &&&Below<'_>| condition.forbidden || condition.max_bytes.is_some_and(|most| size(id) > most);
        let reported: Vec<&Below<'_>> = matching.iter().filter(is_reported).copied().collect();
        for (id, path) in reported.iter().take(REPORTED) {
            let path = text::lossless(path);
            let path = shortened(&path, SHOWN);
            let fact = match condition.max_bytes {
                Some(most) => format!("`{path}` has {} bytes; the limit is {}", grouped(size(id)), grouped(most)),
                None => format!("the file `{path}` is not allowed"),
            };
            self.report(Place::whole(*id), fact);
        }
        if reported.len() > REPORTED {
            let more = grouped(reported.len() - REPORTED);
            self.report(self.skill.opener(), format!("{more} more files are not allowed or too large"));
        }
    }
}
