//! Details of a run for messages.

use bstr::ByteSlice;
use skilltree_report::render::{self, escape};
use skilltree_skills::roots::Root;
use skilltree_skills::snapshot::File;

use crate::cli::paths;
use crate::session::Session;

impl Session {
    /// Explains why there are no skills, unless a finding does.
    pub(in crate::cli) fn looked_in(&self) -> Option<String> {
        let is_empty = self.report.catalog.parsed.skills.is_empty();
        is_empty.then(|| paths::looked_in(&self.source, &self.config, &self.report)).flatten()
    }

    /// Lists the files and directories that were read, for `--verbose`.
    pub(in crate::cli) fn details(&self) -> Vec<String> {
        let catalog = &self.report.catalog;
        let read = |config: &File| format!("configuration {}", escape::path(config.path.as_bstr()));
        let mut skills = vec![0; catalog.parsed.roots.len()];
        catalog.parsed.skills.iter().for_each(|skill| skills[skill.root.index()] += 1);
        let root = |(root, skills): (&Root, usize)| {
            let skills = render::count(skills, "skill");
            format!("skills directory {} ({}): {skills}", escape::path(root.shown_path()), escape::text(&root.profile))
        };
        let configuration = self.config.files.iter().map(read);
        configuration.chain(catalog.parsed.roots.iter().zip(skills).map(root)).collect()
    }
}
