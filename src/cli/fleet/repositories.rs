//! The list of repositories.
#![allow(clippy::disallowed_methods, reason = "the caller names the list")]

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use skilltree_front_matter::text;
use skilltree_skills::source::os_path;

use crate::cli::session;
use crate::failure::Failure;
use crate::file;

/// The limit of a list: 64 MiB, as of standard input.
const LIST_BYTES: u64 = 64 << 20;

/// A repository of the list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Repository {
    /// The line of the list, or the name in the directory.
    pub(super) name: String,
    pub(super) path: PathBuf,
}

/// Returns the repositories that a file, a directory or standard input lists, without duplicates.
///
/// # Errors
/// When the list cannot be read, or is empty.
pub(super) fn list(place: &Path, named: &Path) -> Result<Vec<Repository>, Failure> {
    let mut repositories = if named.as_os_str() == "-" {
        lines(place, &session::standard_input()?)
    } else if place.join(named).is_dir() {
        children(&place.join(named), named)?
    } else {
        let text = file::read(&place.join(named), LIST_BYTES).map_err(|error| unreadable(named, &error))?;
        lines(place, &text)
    };
    repositories = distinct(repositories)?;
    if repositories.is_empty() {
        return Err(Failure::new(format!("`{}` lists no repositories", named.display()))
            .help("pass a file with one path per line, or a directory of repositories: `--repos DIR`"));
    }
    Ok(repositories)
}

/// Removes duplicates.
///
/// # Errors
/// When two paths have the same name in the tables: a byte that is not UTF-8, and its escape.
fn distinct(repositories: Vec<Repository>) -> Result<Vec<Repository>, Failure> {
    let mut known: HashMap<String, PathBuf> = HashMap::new();
    let mut distinct = Vec::new();
    for repository in repositories {
        match known.insert(repository.name.clone(), repository.path.clone()) {
            None => distinct.push(repository),
            Some(path) if path == repository.path => {}
            Some(_) => {
                return Err(Failure::new(format!("two repositories are called `{}` in the tables", repository.name))
                    .help("rename one of them: a byte that is not UTF-8 is written as an escape, and the other has the escape"));
            }
        }
    }
    Ok(distinct)
}

fn lines(place: &Path, text: &[u8]) -> Vec<Repository> {
    let lines = text.lines().filter(|line| !line.trim_ascii().is_empty());
    let repository =
        |line: &[u8]| Repository { name: text::lossless(BStr::new(line)), path: place.join(os_path(BStr::new(line))) };
    lines.map(repository).collect()
}

/// Returns the directories in a directory, without hidden ones.
fn children(directory: &Path, named: &Path) -> Result<Vec<Repository>, Failure> {
    if ["HEAD", ".git"].iter().any(|name| directory.join(name).exists()) {
        return Err(Failure::new(format!("`{}` is a repository, not a directory of repositories", named.display()))
            .help(format!(
                "name the directory above it, or list it: `echo {} | skilltree fleet --repos -`",
                named.display()
            )));
    }
    let mut repositories = Vec::new();
    for entry in fs::read_dir(directory).map_err(|error| unreadable(named, &error))? {
        let entry = entry.map_err(|error| unreadable(named, &error))?;
        let name = text::lossless(BStr::new(entry.file_name().as_encoded_bytes()));
        // A link that leads nowhere is a repository that cannot be read.
        let is_repository = entry.path().is_dir() || (entry.path().is_symlink() && !entry.path().exists());
        if !name.starts_with('.') && is_repository {
            repositories.push(Repository { name, path: entry.path() });
        }
    }
    repositories.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(repositories)
}

fn unreadable(named: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("the list `{}` cannot be read: {}", named.display(), file::reason(error)))
        .help("pass a file with one path per line, or a directory of repositories: `--repos DIR`")
}
