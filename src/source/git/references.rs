//! References by their names: followed to the id that they hold, and listed without opening one.
#![allow(clippy::disallowed_methods, reason = "this lists the references of the repository")]

use std::fs;
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use gix::refs::{PartialNameRef, TargetRef};

use super::layout;
use crate::source::Error;
use crate::text;

/// How many references may lead from one to the next (git: 5).
const HOPS: usize = 5;

/// References that are looked through. Servers hold them by the hundred thousand; a suggestion is not worth reading them
/// all.
const LISTED: usize = 10_000;

/// Names that are suggested.
const SUGGESTED: usize = 3;

/// Where a name is looked for, in git's order; `*` stands for the name.
const PLACES: &[&str] = &["*", "refs/*", "refs/tags/*", "refs/heads/*", "refs/remotes/*", "refs/remotes/*/HEAD"];

/// The id that a reference holds in the end; `None` when there is none of that name, or what it leads to is not there.
///
/// Git takes the first of several references of one name, and says so in passing. Whoever may push a tag would choose by
/// that what a branch of its name is read as: here the name is refused.
pub(super) fn find(repository: &gix::Repository, name: &str) -> Result<Option<gix::ObjectId>, Error> {
    // A name that is whole has one meaning, and no push makes `HEAD` or another file beside it.
    if name.starts_with("refs/") {
        return follow(repository, name);
    }
    if !name.contains(|c: char| c.is_ascii_lowercase())
        && let Some(id) = follow(repository, name)?
    {
        return Ok(Some(id));
    }
    let mut found = Vec::new();
    for full in PLACES.iter().map(|place| place.replace('*', name)) {
        if let Some(id) = follow(repository, &full)? {
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

/// The id that a reference of exactly this name holds in the end.
fn follow(repository: &gix::Repository, name: &str) -> Result<Option<gix::ObjectId>, Error> {
    let mut name = name.to_owned();
    for _ in 0..HOPS {
        let Ok(partial) = <&PartialNameRef>::try_from(name.as_str()) else { return Ok(None) };
        look(repository, &name)?;
        let found = repository.try_find_reference(partial).map_err(|_| unreadable(&name, "it is malformed"))?;
        let Some(reference) = found.filter(|found| found.name().as_bstr() == name.as_str()) else { return Ok(None) };
        match reference.target() {
            TargetRef::Object(id) => return Ok(Some(id.to_owned())),
            TargetRef::Symbolic(next) => name = next.as_bstr().to_str_lossy().into_owned(),
        }
    }
    Err(unreadable(&name, "it leads through more than five others"))
}

/// Refuses a reference that is a pipe or a device, wherever one of that name may be.
fn look(repository: &gix::Repository, name: &str) -> Result<(), Error> {
    for place in PLACES {
        let path = place.replace('*', name);
        for directory in directories(repository) {
            if !directory.join(&path).is_dir() {
                layout::look_at(directory, &path, layout::LINE_BYTES).map_err(|_| odd(&path))?;
            }
        }
    }
    Ok(())
}

/// Refuses a repository in which any reference, or the log of one, is a pipe or a device: what is resolved with logs and
/// settings may lead to any of them.
pub(super) fn look_at_all(repository: &gix::Repository) -> Result<(), Error> {
    for directory in directories(repository) {
        layout::look_at(directory, "logs/HEAD", layout::LOG_BYTES).map_err(|_| odd("logs/HEAD"))?;
        for tree in ["refs", "logs/refs"] {
            let files = Files::new(directory, tree, usize::MAX);
            for (name, is_file) in files {
                if !is_file {
                    return Err(odd(&name));
                }
            }
        }
        let top = fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok);
        let mut odd_names = top.filter(|entry| !layout::is_file(entry) && !entry.path().is_dir());
        if let Some(entry) = odd_names.next() {
            return Err(odd(&entry.file_name().to_string_lossy()));
        }
    }
    Ok(())
}

/// Where references lie: a linked work tree has some of its own.
fn directories(repository: &gix::Repository) -> impl Iterator<Item = &Path> {
    let (own, common) = (repository.git_dir(), repository.common_dir());
    std::iter::once(own).chain((common != own).then_some(common))
}

fn odd(name: &str) -> Error {
    unreadable(name, "it is not a regular file, or too large for a reference")
}

fn unreadable(name: &str, reason: &str) -> Error {
    Error::Unreadable { path: name.into(), reason: reason.to_owned() }
}

/// The branches and tags that an unknown name may have been meant for.
pub(super) fn nearest(repository: &gix::Repository, name: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
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
    let mut nearest = Vec::new();
    while nearest.len() < SUGGESTED
        && let Some(found) = text::nearest(name, names.iter().map(String::as_str)).map(str::to_owned)
    {
        names.retain(|name| *name != found);
        nearest.push(found);
    }
    nearest
}

/// The name of a branch or a tag as it is typed.
fn short(name: &str) -> Option<&str> {
    ["refs/heads/", "refs/tags/", "refs/remotes/"].iter().find_map(|prefix| name.strip_prefix(prefix))
}

/// The files below a directory by their paths, with whether they hold bytes; no link to a directory is followed.
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
