//! Commands that the output proposes. They have the options of this run: without these, they would read something else.

use std::path::{Path, PathBuf};

use bstr::BStr;
use skilltree_front_matter::text::shell_word;
use skilltree_report::render::{Commands, escape};

use super::args::external::External;
use super::args::{Common, Source};
use super::output;
use crate::options::Overrides;
use crate::session::Session;

/// Maximum number of paths in a command (ours: 3): a list of changed files can be long.
const PATHS: usize = 3;

/// The options of a run.
#[derive(Clone, Copy)]
pub(super) struct Again<'a> {
    pub(super) common: &'a Common,
    pub(super) source: &'a Source,
    pub(super) external: Option<&'a External>,
    pub(super) targets: &'a [String],
    pub(super) paths: &'a [PathBuf],
}

impl<'a> Again<'a> {
    /// The options of a command without external directories, targets and paths.
    pub(super) fn of(common: &'a Common, source: &'a Source) -> Self {
        Self { common, source, external: None, targets: &[], paths: &[] }
    }

    /// Returns a command with the options of this run: `skilltree check --rev main`.
    pub(super) fn command(&self, words: &str) -> String {
        let mut command = Words(format!("skilltree {words}"));
        command.path("-C", self.common.directory.as_deref());
        let Source { staged, rev, worktree, overrides } = self.source;
        command.flag("--staged", *staged);
        command.option("--rev", rev.as_deref());
        command.flag("--worktree", *worktree);
        self.rest(command, overrides)
    }

    /// Returns the command that fixes what this run found. It writes to the working tree; for a revision, it prints a patch.
    pub(super) fn fix(&self) -> String {
        let mut command = Words("skilltree fix".to_owned());
        command.path("-C", self.common.directory.as_deref());
        if let Some(revision) = &self.source.rev {
            command.option("--rev", Some(revision));
            command.flag("--diff", true);
        }
        Self { external: None, ..*self }.rest(command, &self.source.overrides)
    }

    /// Returns the command that fixes a skills directory outside the repository. `directory` is a word of the shell.
    pub(super) fn fix_outside(&self, directory: &str) -> String {
        let mut command = Words("skilltree fix".to_owned());
        command.path("-C", self.common.directory.as_deref());
        self.targets.iter().for_each(|target| command.option("--target", Some(target)));
        output::escaped(&format!("{} {directory}", command.0))
    }

    /// Returns the commands that the text of a report proposes. Without targets, only `--all` shows all runtimes.
    pub(super) fn commands(&self, has_targets: bool) -> Commands {
        let forecast = self.command(if has_targets { "forecast" } else { "forecast --all" });
        Commands { fix: self.fix(), forecast }
    }

    fn rest(&self, mut command: Words, overrides: &Overrides) -> String {
        let Overrides { config, config_from, no_config, policy, roots, preview, today } = overrides;
        command.path("--config", config.as_deref());
        command.option("--config-from", config_from.as_deref());
        command.flag("--no-config", *no_config);
        command.path("--policy", policy.as_deref());
        roots.iter().for_each(|root| command.option("--root", Some(root)));
        command.flag("--preview", *preview);
        command.option("--today", today.as_deref());
        if let Some(External { user, directories }) = self.external {
            command.flag("--user", *user);
            directories.iter().for_each(|directory| command.path("--external", Some(directory)));
        }
        self.targets.iter().for_each(|target| command.option("--target", Some(target)));
        self.paths.iter().take(PATHS).for_each(|path| command.word(&path.to_string_lossy()));
        if self.paths.len() > PATHS {
            command.0.push_str(" ...");
        }
        output::escaped(&command.0)
    }
}

/// Returns a command that runs where this one does, for commands without a source: `skilltree check -C DIR`.
pub(super) fn here(common: &Common, external: Option<&External>, words: &str) -> String {
    Again { external, ..Again::of(common, &Source::default()) }.command(words)
}

/// Returns the Git command that adds files of the repository, for example `git -C DIR add`.
pub(super) fn git_add(common: &Common, session: &Session, paths: &[&BStr]) -> String {
    let mut command = Words("git".to_owned());
    command.path("-C", common.directory.as_deref());
    command.word("add");
    // Git takes paths from the current directory.
    let magic = if session.top_above().is_some() { ":/" } else { "" };
    paths.iter().for_each(|path| command.word(&format!("{magic}{}", escape::path(path))));
    command.0
}

/// The words of a command line.
struct Words(String);

impl Words {
    fn word(&mut self, word: &str) {
        self.0.push(' ');
        self.0.push_str(&shell_word(word));
    }

    fn flag(&mut self, name: &str, is_given: bool) {
        if is_given {
            self.word(name);
        }
    }

    fn option(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.word(name);
            self.word(value);
        }
    }

    fn path(&mut self, name: &str, value: Option<&Path>) {
        self.option(name, value.map(Path::to_string_lossy).as_deref());
    }
}
