//! Details of a run for messages.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree_lint::rule::Subject;
use skilltree_report::render::{self, escape};
use skilltree_runtimes::profile::Profiles;
use skilltree_runtimes::profile::loads::Scope;
use skilltree_skills::roots::{self, Root};
use skilltree_skills::snapshot::File;
use skilltree_skills::source::Progress;

use crate::cli::args::external::External;
use crate::cli::environment;
use crate::cli::output::Stderr;
use crate::cli::paths;
use crate::file;
use crate::purpose::Purpose;
use crate::session::Session;

impl Session {
    /// Explains why there are no skills, unless a finding does.
    pub(in crate::cli) fn looked_in(&self) -> Option<String> {
        let is_empty = self.report.catalog.parsed.skills.is_empty();
        is_empty.then(|| paths::looked_in(&self.source, &self.config, &self.report)).flatten()
    }

    /// Names `--user` if a skills directory of the repository is one of the user's, and its path in the repository is another: then
    /// the runtimes that read it are in scope only with the option.
    pub(in crate::cli) fn explain_user(&self, external: &External) -> Option<String> {
        let home = environment::home().filter(|_| !external.user)?;
        let profiles = Profiles::default();
        let profiles = profiles.ids().filter_map(|id| profiles.find(id));
        let of_user: BTreeSet<&str> = profiles
            .flat_map(|profile| &profile.loads.roots)
            .filter(|root| root.scope == Scope::User && !roots::has_wildcard(&root.path))
            .filter_map(|root| root.path.strip_prefix("~/"))
            .collect();
        let is_checked = |below: &&str| {
            let path =
                std::fs::canonicalize(home.join(below)).ok().and_then(|place| self.source.repository_path(&place));
            let roots = &self.report.catalog.parsed.roots;
            path.is_some_and(|path| path != *below && roots.iter().any(|root| root.path == path))
        };
        let below = of_user.into_iter().find(is_checked)?;
        Some(format!("this repository has `~/{below}`: `--user` checks it for the runtimes that read it there"))
    }

    /// Returns the directory that paths in the output are relative to, if the caller is in a directory below it.
    pub(in crate::cli) fn top_above(&self) -> Option<PathBuf> {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        let (top, here) = (real(self.source.top()?)?, real(&self.typed_in)?);
        (here != top && here.starts_with(&top)).then_some(top)
    }

    /// Says what paths in the output are relative to, if it is not the directory of the caller.
    pub(in crate::cli) fn explain_paths(&self) -> Option<String> {
        Some(format!("paths are relative to {}", escape::text(&file::shown(&self.top_above()?))))
    }

    /// Explains why there are no skills, as `check` does, for the commands that run no rules about it.
    pub(in crate::cli) fn explain_empty(&self, stderr: &Stderr) {
        if !self.report.catalog.parsed.skills.is_empty() {
            return;
        }
        if let Some((message, help)) = self.unchecked() {
            stderr.warn(&message, help.as_deref());
        } else if let Some(line) = self.looked_in() {
            stderr.info(&line);
        }
    }

    /// Returns the worst finding of `check` about the tree, with its help.
    fn unchecked(&self) -> Option<(String, Option<String>)> {
        let purpose = Purpose::Check;
        let (roots, bounds) = (purpose.roots(&self.config), self.config.limits.bounds());
        let parsed = purpose.read(&self.source, &roots, bounds, &Progress::default()).ok()?;
        let report = purpose.lint(parsed, &self.config);
        let found = report.active().find(|finding| matches!(finding.subject, Subject::Tree | Subject::Root(_)))?;
        Some((found.message.clone(), found.help.clone()))
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
