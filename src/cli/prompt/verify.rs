//! `--verify` without other options: it takes the options that the index of the artifact records.
//!
//! The index is a file like any other, so its options are read as a command line is: an unknown or invalid one is refused. It can
//! name no file outside the repository.
#![allow(clippy::disallowed_methods, reason = "the caller names the directory")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, Command, FromArgMatches};
use serde::Deserialize;
use skilltree_dispatch::prompt::{Artifact, Name};
use skilltree_report::render::escape;

use super::selection;
use crate::cli::Status;
use crate::cli::args::{Prompt, Source};
use crate::cli::files;
use crate::cli::output::Stderr;
use crate::failure::Failure;
use crate::file::{self, reason};
use crate::options::Overrides;
use crate::recorded;

/// The limit of an index in bytes. Our choice; the index of 10,000 skills has about 10 MB.
const INDEX_BYTES: u64 = 64 << 20;

/// The cap of files and directories that are searched for an index below the directory. Our choice.
const SEARCHED: usize = 10_000;

/// The option that puts an index below the directory.
pub(super) const PER_ROOT: &str = "--per-root";

#[derive(Deserialize)]
struct Index {
    recipe: RecipeRecorded,
}

#[derive(Deserialize)]
struct RecipeRecorded {
    #[serde(default)]
    options: Vec<String>,
}

/// Reports how the files of an artifact differ from a new one.
pub(super) fn report(stderr: &Stderr, directory: &Path, built: &[(PathBuf, &Artifact)]) -> Result<Status, Failure> {
    let mut status = Status::Clean;
    for (directory, artifact) in built {
        for difference in files::differences(directory, artifact)? {
            stderr.line(&escape::text(&difference));
            status = Status::Found;
        }
    }
    if let Status::Found = status {
        let name = escape::text(&directory.display().to_string());
        stderr.info(&format!("run `skilltree prompt --out {name}` with the same options to update it"));
    }
    Ok(status)
}

/// Returns the arguments with the recorded options; `None` if the caller gives options, or none are recorded.
pub(super) fn recorded(given: &Prompt) -> Result<Option<Prompt>, Failure> {
    let Some(directory) = given.verify.as_deref().filter(|_| is_bare(given)) else { return Ok(None) };
    let own = directory.join(Name::Index.as_str());
    let (index, is_below) = match own.symlink_metadata() {
        Ok(_) => (Some(own), false),
        Err(_) => (below(directory), true),
    };
    let Some(index) = index else { return Ok(None) };
    let options = read(&index)?;
    if options.is_empty() || options.iter().any(|option| option == PER_ROOT) != is_below {
        return Ok(None);
    }
    let parsed = parse(directory, &options).ok_or_else(|| invalid(&index, "records options that cannot be used"))?;
    let Source { staged, worktree, rev, .. } = &given.source;
    let source = Source { staged: *staged, worktree: *worktree, rev: rev.clone(), ..parsed.source };
    Ok(Some(Prompt { source, if_changed: given.if_changed.clone(), ..parsed }))
}

/// Returns whether the caller gives only a source and a directory. One more option, and the caller gives the whole recipe.
fn is_bare(given: &Prompt) -> bool {
    let selection = &given.selection;
    let is_all = selection.task.is_none() && selection.mention.is_none() && selection.thread.is_none();
    given.source.overrides == Overrides::default()
        && !given.external.is_wanted()
        && given.profile.is_none()
        && given.template.is_none()
        && !given.bodies
        && !given.per_root
        && given.rules.is_empty()
        && is_all
        && selection.names.is_empty()
        && given.budget.is_empty()
}

fn read(index: &Path) -> Result<Vec<String>, Failure> {
    let content = file::read(index, INDEX_BYTES)
        .map_err(|error| Failure::new(format!("`{}` cannot be read: {}", index.display(), reason(&error))))?;
    let index: Index = serde_json::from_slice(&content).map_err(|_| invalid(index, "is not an index of skills"))?;
    Ok(index.recipe.options)
}

fn invalid(index: &Path, problem: &str) -> Failure {
    Failure::new(format!("`{}` {problem}", index.display()))
        .help("pass the options of the artifact, for example `--profile swarm`, or write it again with `--out`")
}

/// Reads recorded options as arguments of the command.
fn parse(directory: &Path, options: &[String]) -> Option<Prompt> {
    if !options.iter().all(|option| is_allowed(option)) {
        return None;
    }
    let command = Prompt::augment_args(Command::new("prompt").no_binary_name(true));
    let destination = ["--verify".as_ref(), directory.as_os_str()];
    let arguments = destination.into_iter().chain(options.iter().map(AsRef::as_ref));
    let prompt = Prompt::from_arg_matches(&command.try_get_matches_from(arguments).ok()?).ok()?;
    selection::only_for_task(&prompt.selection).is_ok().then_some(prompt)
}

/// Returns whether an option can be recorded. Standard input belongs to the caller.
fn is_allowed(option: &str) -> bool {
    let Some(option) = option.strip_prefix("--") else { return false };
    let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
    let is_known = recorded::is_name(name) || option == &PER_ROOT[2..];
    is_known && !matches!((name, value), ("task" | "mention", Some("-")))
}

/// Returns the first index below a directory, in the order of the paths.
fn below(directory: &Path) -> Option<PathBuf> {
    let mut directories = vec![directory.to_owned()];
    let mut searched = 0;
    while let Some(directory) = directories.pop() {
        let mut entries: Vec<fs::DirEntry> = fs::read_dir(directory).ok()?.collect::<io::Result<_>>().ok()?;
        searched += entries.len();
        if searched > SEARCHED {
            return None;
        }
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.file_name()));
        let is_index = |entry: &&fs::DirEntry| entry.file_name() == Name::Index.as_str();
        if let Some(index) = entries.iter().find(is_index) {
            return Some(index.path());
        }
        let is_directory = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
        directories.extend(entries.iter().filter(|entry| is_directory(entry)).map(fs::DirEntry::path));
    }
    None
}
