//! The session that a command needs.

use std::path::PathBuf;

use skilltree_git::Revision;

use super::args;
use super::args::external::External;
use super::external;
use crate::options::Options;
use crate::purpose::Purpose;

/// The differences between the commands.
#[derive(Default)]
pub(super) struct Request<'a> {
    /// `--rule ID=LEVEL`.
    pub(super) rules: &'a [String],
    /// `--target PROFILE`.
    pub(super) targets: &'a [String],
    /// `--all`.
    pub(super) all_runtimes: bool,
    /// `prompt --profile PROFILE`.
    pub(super) profile: Option<&'a str>,
    /// Skills to report on; `-` is standard input.
    pub(super) paths: &'a [PathBuf],
    /// Whether to read the working tree by default, even in a hook.
    pub(super) worktree: bool,
    /// Whether to use the current directory if there is no repository.
    pub(super) here: bool,
    /// `--stdin-filename PATH`, and standard input.
    pub(super) typed: Option<&'a (PathBuf, Vec<u8>)>,
    /// `--base REV`.
    pub(super) base: Option<&'a str>,
    /// Directories to read outside the repository.
    pub(super) external: Option<&'a External>,
    /// Why the skills are read.
    pub(super) purpose: Purpose,
}

/// Converts the arguments to options.
pub(super) fn options(arguments: &args::Source, request: &Request<'_>) -> Options {
    let external = request.external.cloned().unwrap_or_default();
    Options {
        revision: explicit(arguments),
        overrides: arguments.overrides.clone(),
        directories: Vec::new(),
        profile: request.profile.map(str::to_owned),
        rules: request.rules.to_vec(),
        targets: request.targets.to_vec(),
        all_runtimes: request.all_runtimes,
        base: request.base.map(str::to_owned),
        home: external.user.then(external::home_directory),
        external: external.directories,
        typed: request.typed.cloned(),
    }
}

pub(super) fn explicit(arguments: &args::Source) -> Option<Revision> {
    if arguments.staged {
        return Some(Revision::Index);
    }
    if arguments.worktree {
        return Some(Revision::WorkTree);
    }
    arguments.rev.clone().map(Revision::Tree)
}
