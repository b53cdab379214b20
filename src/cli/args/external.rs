//! Directories to read outside the repository.

use std::path::PathBuf;

use clap::Args;

/// Directories to read outside the repository. A run reads them only on request.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Source")]
pub(in crate::cli) struct External {
    /// Also read the skills of the user, after the repository's: those in the directories that runtimes search in the home
    /// directory, and enabled plugins of Claude Code and Codex. For a prompt, those that its profile reads, with the system's
    #[arg(long, hide_short_help = true)]
    pub(in crate::cli) user: bool,
    /// Also read the skills in DIR, after all others; can be repeated
    #[arg(long = "external", value_name = "DIR", hide_short_help = true)]
    pub(in crate::cli) directories: Vec<PathBuf>,
}

impl External {
    /// Returns whether any directory is named: then a repository is not needed.
    pub(in crate::cli) fn is_wanted(&self) -> bool {
        self.user || !self.directories.is_empty()
    }
}
