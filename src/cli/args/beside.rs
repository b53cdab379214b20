//! Which directories are read beside the repository.

use std::path::PathBuf;

use clap::Args;

/// Which directories are read beside the repository, so that a run reads them only where somebody says so.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Source")]
pub(in crate::cli) struct Beside {
    /// Read the skills of the user and of the machine too, behind the repository's: ~/.agent/skills, ~/.camel/skills,
    /// /etc/camel/skills, or those of them that the profile takes
    #[arg(long)]
    pub(in crate::cli) user_roots: bool,
    /// Read the skills of DIR too, behind all others; can be given several times
    #[arg(long = "external", value_name = "DIR")]
    pub(in crate::cli) external: Vec<PathBuf>,
}
