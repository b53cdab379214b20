//! The files of a repository's own directory, looked at before anything of it is opened: whoever opens a pipe waits
//! for ever, and a file without end fills the memory.
#![allow(clippy::disallowed_methods, reason = "this looks at the files of the repository")]

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use bstr::ByteSlice;

/// Bytes of `HEAD`, of a reference, and of a file that holds a path (gix: 64 KiB).
pub(super) const LINE_BYTES: u64 = 64 << 10;

/// Bytes of a configuration (ours: 4 MiB; each branch and each remote adds a hundred).
const CONFIG_BYTES: u64 = 4 << 20;

/// Bytes of `info/exclude` and `.gitignore` (ours: 1 MiB; every file that git does not track is matched with every
/// pattern).
pub(in crate::source) const IGNORE_BYTES: u64 = 1 << 20;

/// Bytes of `packed-refs` (ours: 256 MiB, some three million references; it is mapped, not read).
const PACKED_REFERENCES_BYTES: u64 = 256 << 20;

/// Bytes of `shallow` (ours: 16 MiB, some 400,000 commits).
const SHALLOW_BYTES: u64 = 16 << 20;

/// Bytes of the history of a reference (ours: 64 MiB).
pub(super) const LOG_BYTES: u64 = 64 << 20;

/// Directories of objects that alternates may lead to (ours: 100; git follows them to a depth of five).
const ALTERNATES: usize = 100;

/// What is wrong with a file, as the end of a sentence about a repository.
type Reason = String;

/// Looks at what is opened with a repository; gives the directory that linked work trees share.
pub(super) fn look(git_dir: &Path) -> Result<PathBuf, Reason> {
    for name in ["HEAD", "commondir", "gitdir"] {
        look_at(git_dir, name, LINE_BYTES)?;
    }
    look_at(git_dir, "config.worktree", CONFIG_BYTES)?;
    let common = common(git_dir);
    for (name, limit) in [
        ("config", CONFIG_BYTES),
        ("info/exclude", IGNORE_BYTES),
        ("packed-refs", PACKED_REFERENCES_BYTES),
        ("shallow", SHALLOW_BYTES),
    ] {
        look_at(&common, name, limit)?;
    }
    Ok(common)
}

/// The directory that linked work trees share, which for all others is their own.
fn common(git_dir: &Path) -> PathBuf {
    let path = fs::read(git_dir.join("commondir")).ok();
    let path = path.as_deref().map(|path| path.trim_end().as_bstr()).filter(|path| !path.is_empty());
    path.and_then(|path| path.to_path().ok()).map_or_else(|| git_dir.to_owned(), |path| git_dir.join(path))
}

/// The directories of objects that one leads to, itself first, with the packs of each looked at. Relative paths are
/// relative to the directory that names them.
pub(super) fn objects(start: Vec<PathBuf>) -> Result<Vec<PathBuf>, Reason> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut known = Vec::new();
    let mut ahead: Vec<PathBuf> = start.into_iter().rev().collect();
    while let Some(directory) = ahead.pop() {
        let real = fs::canonicalize(&directory).unwrap_or_else(|_| directory.clone());
        if known.contains(&real) {
            continue;
        }
        if known.len() > ALTERNATES {
            return Err(format!("its alternates name more than {ALTERNATES} directories"));
        }
        known.push(real);
        // Like git: an alternate that is not there holds nothing, and what it should hold is missed by name.
        if !found.is_empty() && !directory.is_dir() {
            continue;
        }
        look_at(&directory, "info/alternates", LINE_BYTES)?;
        packs(&directory)?;
        let text = fs::read(directory.join("info/alternates")).unwrap_or_default();
        let paths = gix::odb::alternate::parse(&text).map_err(|_| "`info/alternates` is malformed".to_owned())?;
        ahead.extend(paths.into_iter().rev().map(|path| directory.join(path)));
        found.push(directory);
    }
    Ok(found)
}

/// Looks at the packs of a directory of objects and at their indices: all of them are opened to find one object.
fn packs(objects: &Path) -> Result<(), Reason> {
    let Ok(entries) = fs::read_dir(objects.join("pack")) else { return Ok(()) };
    for entry in entries.filter_map(Result::ok) {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_opened = name.ends_with(".idx") || name.ends_with(".pack") || name == "multi-pack-index";
        if is_opened && !is_file(&entry) {
            return Err(format!("`objects/pack/{name}` is not a regular file"));
        }
    }
    Ok(())
}

/// Whether a file, or what a link leads to, holds bytes.
pub(super) fn is_file(entry: &fs::DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if kind.is_symlink() => entry.path().metadata().is_ok_and(|metadata| metadata.is_file()),
        Ok(kind) => kind.is_file(),
        Err(_) => false,
    }
}

/// Refuses what is no regular file, and what is longer than anybody writes it; nothing is fine. Links are followed, as
/// git does: several tools make a repository out of links.
pub(super) fn look_at(directory: &Path, name: &str, limit: u64) -> Result<(), Reason> {
    match directory.join(name).metadata() {
        Ok(metadata) if !metadata.is_file() => Err(format!("`{name}` is not a regular file")),
        Ok(metadata) if metadata.len() > limit => Err(format!("`{name}` is longer than {limit} bytes")),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(format!("`{name}` cannot be read")),
        _ => Ok(()),
    }
}

/// The directory that a `.git` file names; `None` when it names none.
pub(super) fn linked(file: &Path) -> Option<PathBuf> {
    let mut text = Vec::new();
    fs::File::open(file).ok()?.take(LINE_BYTES).read_to_end(&mut text).ok()?;
    let path = text.strip_prefix(b"gitdir: ")?.trim_end_with(|c| matches!(c, '\r' | '\n'));
    Some(file.parent()?.join(path.to_path().ok()?))
}
