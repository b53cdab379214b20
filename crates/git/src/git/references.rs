//! References by name: followed to their id, and listed without opening one.
#![allow(clippy::disallowed_methods, reason = "this lists the references of the repository")]

use std::fs;
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use gix::refs::{PartialNameRef, TargetRef};
use skilltree_front_matter::text;
use skilltree_skills::source::Error;

use super::layout;
use super::reftable::{Tables, Value};

/// Maximum length of a chain of symbolic references (git: 5).
const HOPS: usize = 5;

/// Maximum number of references searched for a suggestion: servers have hundreds of thousands.
const LISTED: usize = 10_000;

/// Maximum number of suggested names.
const SUGGESTED: usize = 3;

/// Where a name is looked up, in git's order; `*` is the name.
const PLACES: &[&str] = &["*", "refs/*", "refs/tags/*", "refs/heads/*", "refs/remotes/*", "refs/remotes/*/HEAD"];

/// References that are files in every repository.
const FILES: &[&str] = &["FETCH_HEAD", "MERGE_HEAD"];

/// Returns the id of a reference; `None` if it does not exist or is dangling.
///
/// Git takes the first of several references with the same name and prints a warning. A user who may push a tag could
/// then replace a branch, so different values are an error here.
pub(super) fn find(repository: &gix::Repository, name: &str) -> Result<Option<gix::ObjectId>, Error> {
    let references = References::new(repository)?;
    // A full name is unambiguous, and a push cannot create another `HEAD`.
    if name.starts_with("refs/") {
        return references.follow(name);
    }
    if !name.contains(|c: char| c.is_ascii_lowercase())
        && let Some(id) = references.follow(name)?
    {
        return Ok(Some(id));
    }
    let mut found = Vec::new();
    for full in PLACES.iter().map(|place| place.replace('*', name)) {
        if let Some(id) = references.follow(&full)? {
            found.push((full, id));
        }
    }
    let first = found.first().map(|(_, id)| *id);
    if found.iter().any(|(_, id)| Some(*id) != first) {
        let names = found.into_iter().map(|(name, _)| name).collect();
        return Err(Error::Ambiguous { revision: name.to_owned(), names });
    }
    Ok(first)
}

/// Returns the name of the branch that `HEAD` names, also before its first commit; `None` if it names none or cannot be read.
pub(super) fn head_name(repository: &gix::Repository) -> Option<String> {
    match References::new(repository).ok()?.target("HEAD").ok()?? {
        Value::Symbolic(name) => name.to_str().ok().map(str::to_owned),
        Value::Id(_) | Value::Deleted => None,
    }
}

/// The references of a repository: files, or tables.
struct References<'a> {
    repository: &'a gix::Repository,
    tables: Option<Tables>,
}

impl<'a> References<'a> {
    fn new(repository: &'a gix::Repository) -> Result<Self, Error> {
        Ok(Self { repository, tables: Tables::of(repository)? })
    }

    /// Returns the id of the reference with exactly this name.
    fn follow(&self, name: &str) -> Result<Option<gix::ObjectId>, Error> {
        let mut name = name.to_owned();
        for _ in 0..HOPS {
            match self.target(&name)? {
                Some(Value::Id(id)) => return Ok(Some(id)),
                Some(Value::Symbolic(next)) => name = next.to_str_lossy().into_owned(),
                Some(Value::Deleted) | None => return Ok(None),
            }
        }
        Err(unreadable(&name, "it follows more than five other references"))
    }

    /// Returns the value of the reference with exactly this name.
    fn target(&self, name: &str) -> Result<Option<Value>, Error> {
        let Ok(partial) = <&PartialNameRef>::try_from(name) else { return Ok(None) };
        if let Some(tables) = self.tables.as_ref().filter(|_| !FILES.contains(&name)) {
            return tables.get(name);
        }
        validate(self.repository, name)?;
        let found = self.repository.try_find_reference(partial).map_err(|_| unreadable(name, "it is malformed"))?;
        let found = found.filter(|found| found.name().as_bstr() == name);
        Ok(found.map(|reference| match reference.target() {
            TargetRef::Object(id) => Value::Id(id.to_owned()),
            TargetRef::Symbolic(next) => Value::Symbolic(next.as_bstr().to_owned()),
        }))
    }
}

/// Rejects a reference that is a pipe or a device, in any place of a name.
fn validate(repository: &gix::Repository, name: &str) -> Result<(), Error> {
    for place in PLACES {
        let path = place.replace('*', name);
        for directory in directories(repository) {
            if !directory.join(&path).is_dir() {
                layout::validate_file(directory, &path, layout::LINE_BYTES).map_err(|_| irregular(&path))?;
            }
        }
    }
    Ok(())
}

/// Rejects a repository with any reference or reflog that is a pipe or a device: names with reflogs and settings may
/// lead to any of them.
pub(super) fn validate_all(repository: &gix::Repository) -> Result<(), Error> {
    for directory in directories(repository) {
        layout::validate_file(directory, "logs/HEAD", layout::LOG_BYTES).map_err(|_| irregular("logs/HEAD"))?;
        for tree in ["refs", "logs/refs"] {
            let files = Files::new(directory, tree, usize::MAX);
            for (name, is_file) in files {
                if !is_file {
                    return Err(irregular(&name));
                }
            }
        }
        let top = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
        let mut odd_names = top.filter(|entry| !layout::is_file(entry) && !entry.path().is_dir());
        if let Some(entry) = odd_names.next() {
            return Err(irregular(&entry.file_name().to_string_lossy()));
        }
    }
    Ok(())
}

/// Returns the directories of references: a linked worktree has some of its own.
fn directories(repository: &gix::Repository) -> impl Iterator<Item = &Path> {
    let (own, common) = (repository.git_dir(), repository.common_dir());
    std::iter::once(own).chain((common != own).then_some(common))
}

fn irregular(name: &str) -> Error {
    unreadable(name, "it is not a regular file, or too large for a reference")
}

fn unreadable(name: &str, reason: &str) -> Error {
    Error::Unreadable { path: name.into(), reason: reason.to_owned() }
}

/// Returns whether there is any reference besides `HEAD`. References that cannot be listed count as existing.
pub(super) fn exist(repository: &gix::Repository) -> bool {
    match Tables::of(repository) {
        Ok(Some(tables)) => return tables.names(usize::MAX).iter().any(|name| name.starts_with("refs/")),
        Ok(None) => {}
        Err(_) => return true,
    }
    let is_loose = Files::new(repository.common_dir(), "refs", 1).next().is_some();
    let is_packed = match repository.refs.open_packed_buffer() {
        Ok(packed) => packed.is_some_and(|packed| packed.iter().map_or(true, |mut found| found.next().is_some())),
        Err(_) => true,
    };
    is_loose || is_packed
}

/// Returns the branches and tags with the most similar names. A branch that only a remote has is the first.
pub(super) fn nearest(repository: &gix::Repository, name: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    if let Ok(Some(tables)) = Tables::of(repository) {
        names.extend(tables.names(LISTED).iter().filter_map(|name| Some(short(name)?.to_owned())));
    }
    for namespace in ["refs/heads", "refs/tags", "refs/remotes"] {
        let files = Files::new(repository.common_dir(), namespace, LISTED);
        names.extend(files.filter_map(|(name, is_file)| Some(short(&name)?.to_owned()).filter(|_| is_file)));
    }
    let packed = repository.refs.open_packed_buffer().ok().flatten();
    if let Some(packed) = packed.as_ref().and_then(|packed| packed.iter().ok()) {
        let packed = packed.take(LISTED).filter_map(Result::ok);
        names.extend(packed.filter_map(|reference| Some(short(reference.name.as_bstr().to_str().ok()?)?.to_owned())));
    }
    names.sort();
    names.dedup();
    let is_of_remote = |known: &&String| known.strip_suffix(name).is_some_and(|remote| remote.ends_with('/'));
    let mut nearest: Vec<String> = names.iter().filter(is_of_remote).take(SUGGESTED).cloned().collect();
    if !nearest.is_empty() {
        return nearest;
    }
    while nearest.len() < SUGGESTED
        && let Some(found) = text::nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
    {
        names.retain(|name| *name != found);
        nearest.push(found);
    }
    nearest
}

/// Returns the short name of a branch or a tag.
fn short(name: &str) -> Option<&str> {
    ["refs/heads/", "refs/tags/", "refs/remotes/"].iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// The files below a directory by path, and whether they are regular; links to directories are not followed.
struct Files {
    top: PathBuf,
    ahead: Vec<String>,
    found: Vec<(String, bool)>,
    left: usize,
}

impl Files {
    fn new(top: &Path, below: &str, limit: usize) -> Self {
        Self { top: top.to_owned(), ahead: vec![below.to_owned()], found: Vec::new(), left: limit }
    }
}

impl Iterator for Files {
    type Item = (String, bool);

    fn next(&mut self) -> Option<Self::Item> {
        while self.found.is_empty() {
            let directory = self.ahead.pop()?;
            for entry in fs::read_dir(self.top.join(&directory)).into_iter().flatten().filter_map(Result::ok) {
                let path = format!("{directory}/{}", entry.file_name().to_string_lossy());
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => self.ahead.push(path),
                    _ => self.found.push((path, layout::is_file(&entry))),
                }
            }
        }
        self.left = self.left.checked_sub(1)?;
        self.found.pop()
    }
}
