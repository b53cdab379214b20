//! `hook`: which hooks, by the names that git gives them.

use std::ffi::OsString;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
pub(in crate::cli) struct Hook {
    #[command(subcommand)]
    pub(in crate::cli) action: HookAction,
}

#[derive(Debug, Subcommand)]
pub(in crate::cli) enum HookAction {
    /// Write hooks that run this program; one that is there already stays as it is
    Install {
        /// pre-commit and pre-merge-commit if none is named, pre-receive in a bare repository
        #[arg(value_name = "NAME", value_enum)]
        names: Vec<HookName>,
    },
    /// Remove the hooks that this program wrote
    #[command(alias = "remove")]
    Uninstall {
        /// All of them if none is named
        #[arg(value_name = "NAME", value_enum)]
        names: Vec<HookName>,
    },
    /// Judge what git is about to do: the index before a commit, each commit of a push
    Run {
        /// The hook
        #[arg(value_enum)]
        name: HookName,
        /// Options of `check`, behind `--`
        #[arg(last = true, value_name = "OPTION")]
        arguments: Vec<OsString>,
    },
}

/// A hook by the name that git gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum HookName {
    /// Before a commit
    #[value(name = "pre-commit")]
    Commit,
    /// Before a merge becomes a commit
    #[value(name = "pre-merge-commit")]
    MergeCommit,
    /// Before a push
    #[value(name = "pre-push")]
    Push,
    /// On a server, before what is pushed is let in
    #[value(name = "pre-receive")]
    Receive,
}

impl HookName {
    pub(in crate::cli) const ALL: [Self; 4] = [Self::Commit, Self::MergeCommit, Self::Push, Self::Receive];

    /// The name of its file.
    pub(in crate::cli) fn as_str(self) -> &'static str {
        match self {
            Self::Commit => "pre-commit",
            Self::MergeCommit => "pre-merge-commit",
            Self::Push => "pre-push",
            Self::Receive => "pre-receive",
        }
    }
}
