//! Arguments of `hook`.

use std::ffi::OsString;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(in crate::cli) struct Hook {
    #[command(subcommand)]
    pub(in crate::cli) action: HookAction,
}

impl Hook {
    /// Returns the options of `check` that the hook runs with.
    pub(in crate::cli) fn options(&self) -> &[OsString] {
        match &self.action {
            HookAction::Run { options, .. } => options,
            HookAction::Install { .. } | HookAction::Uninstall { .. } => &[],
        }
    }
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum HookAction {
    /// Install hooks that report what a commit or a push adds, or update them; hooks of other programs are not changed
    Install {
        /// The hooks; the default is pre-commit and pre-merge-commit, or pre-receive in a bare repository
        #[arg(value_name = "NAME", value_enum)]
        names: Vec<HookName>,
        /// Options of `check` for the hooks, after `--`; an update keeps those of the installed hook
        #[arg(last = true, value_name = "OPTION", allow_hyphen_values = true)]
        options: Vec<OsString>,
    },
    /// Remove the hooks that skilltree installed
    #[command(alias = "remove")]
    Uninstall {
        /// The hooks; the default is all
        #[arg(value_name = "NAME", value_enum)]
        names: Vec<HookName>,
    },
    /// Run as a Git hook: report what a commit adds to HEAD, or a push to a branch
    Run {
        /// The name of the hook
        #[arg(value_enum)]
        name: HookName,
        /// The arguments that Git passes to the hook
        #[arg(value_name = "ARGUMENT", allow_hyphen_values = true)]
        arguments: Vec<OsString>,
        /// Options of `check`, after `--`; `--all` reports existing findings too
        #[arg(last = true, value_name = "OPTION", allow_hyphen_values = true)]
        options: Vec<OsString>,
    },
}

/// A Git hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum HookName {
    /// Before a commit
    #[value(name = "pre-commit")]
    Commit,
    /// Before a merge commit
    #[value(name = "pre-merge-commit")]
    MergeCommit,
    /// Before a push
    #[value(name = "pre-push")]
    Push,
    /// On a server, before pushed commits are accepted
    #[value(name = "pre-receive")]
    Receive,
}

impl HookName {
    pub(in crate::cli) const ALL: [Self; 4] = [Self::Commit, Self::MergeCommit, Self::Push, Self::Receive];

    /// Returns the file name of the hook.
    pub(in crate::cli) fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "pre-commit",
            Self::MergeCommit => "pre-merge-commit",
            Self::Push => "pre-push",
            Self::Receive => "pre-receive",
        }
    }
}
