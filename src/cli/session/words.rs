//! Words about a run: what was checked, and what was read.

use bstr::ByteSlice;
use skilltree::render::{self, escape};
use skilltree::roots::Root;
use skilltree::snapshot::{File, Origin};

use super::Session;
use crate::cli::failure::Failure;
use crate::cli::paths;

/// Trees that the words about a run name: a pattern may find roots by the thousand.
const SHOWN_TREES: usize = 8;

impl Session {
    /// What was checked, in words: `the index (skills tree 3f2c1ab)`.
    pub(in crate::cli) fn words(&self) -> Result<String, Failure> {
        let words = match self.source.origin() {
            Origin::Index => "the index".to_owned(),
            Origin::Tree { revision, commit: Some(commit) } => {
                let commit = commit.to_string();
                let short = &commit[..commit.len().min(7)];
                if commit.starts_with(revision.as_str()) { short.to_owned() } else { format!("{revision} at {short}") }
            }
            Origin::Tree { revision, commit: None } => revision.clone(),
            Origin::WorkTree => return Ok("the work tree".to_owned()),
            Origin::Directory => return Ok("the directory".to_owned()),
            Origin::StandardInput => return Ok("standard input".to_owned()),
            Origin::Memory => return Ok("memory".to_owned()),
        };
        let trees = self.source.trees(&self.report.catalog.parsed)?;
        let trees: Vec<String> = trees.into_iter().flatten().map(|tree| tree.to_string()[..7].to_owned()).collect();
        Ok(match trees.as_slice() {
            [] => words,
            [tree] => format!("{words} (skills tree {tree})"),
            trees if trees.len() <= SHOWN_TREES => format!("{words} (skills trees {})", trees.join(", ")),
            trees => {
                let (shown, more) = trees.split_at(SHOWN_TREES);
                format!("{words} (skills trees {} and {} more)", shown.join(", "), more.len())
            }
        })
    }

    /// Where skills were looked for, when there are none.
    pub(in crate::cli) fn looked_in(&self) -> Option<String> {
        self.report.catalog.parsed.skills.is_empty().then(|| paths::looked_in(&self.source, &self.config, &self.report))
    }

    /// What was read, for whoever wants to know more.
    pub(in crate::cli) fn details(&self) -> Vec<String> {
        let catalog = &self.report.catalog;
        let read = |config: &File| format!("configuration {}", escape::path(config.path.as_bstr()));
        let mut skills = vec![0; catalog.parsed.roots.len()];
        catalog.parsed.skills.iter().for_each(|skill| skills[skill.root.index()] += 1);
        let root = |(root, skills): (&Root, usize)| {
            let skills = render::count(skills, "skill");
            format!("root {} ({}): {skills}", escape::path(root.path.as_bstr()), escape::text(&root.profile))
        };
        let configuration = self.config.files.iter().map(read);
        configuration.chain(catalog.parsed.roots.iter().zip(skills).map(root)).collect()
    }
}
