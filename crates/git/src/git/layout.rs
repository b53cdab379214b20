//! Validation of the files in a repository's directory before anything is opened: opening a pipe blocks forever, and an
//! endless file fills the memory.
#![allow(clippy::disallowed_methods, reason = "this looks at the files of the repository")]

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use bstr::ByteSlice;
use skilltree_front_matter::text;

/// Maximum bytes of `HEAD`, of a reference, and of a file that holds a path (gix: 64 KiB).
pub(super) const LINE_BYTES: u64 = 64 << 10;

/// Maximum bytes of a configuration (ours: 4 MiB; each branch and each remote adds about 100).
const CONFIG_BYTES: u64 = 4 << 20;

/// Maximum bytes of `info/exclude` and `.gitignore` (ours: 1 MiB; every untracked file is matched against every
/// pattern).
pub(crate) const IGNORE_BYTES: u64 = 1 << 20;

/// Maximum bytes of `packed-refs` (ours: 256 MiB, about three million references; it is mapped, not read).
const PACKED_REFERENCES_BYTES: u64 = 256 << 20;

/// Maximum bytes of `shallow` (ours: 16 MiB, about 400,000 commits).
const SHALLOW_BYTES: u64 = 16 << 20;

/// Maximum bytes of a reflog (ours: 64 MiB).
pub(super) const LOG_BYTES: u64 = 64 << 20;

/// Maximum number of alternate object directories (ours: 100; git follows them to a depth of five).
const ALTERNATES: usize = 100;

/// The reason that a repository is invalid, as the end of a sentence.
type Reason = String;

/// Validates the files that gix opens with a repository; returns the directory that linked worktrees share.
pub(super) fn validate(git_dir: &Path) -> Result<PathBuf, Reason> {
    for name in ["HEAD", "commondir", "gitdir"] {
        validate_file(git_dir, name, LINE_BYTES)?;
    }
    validate_file(git_dir, "config.worktree", CONFIG_BYTES)?;
    let common = common(git_dir);
    for (name, limit) in [
        ("config", CONFIG_BYTES),
        ("info/exclude", IGNORE_BYTES),
        ("packed-refs", PACKED_REFERENCES_BYTES),
        ("shallow", SHALLOW_BYTES),
    ] {
        validate_file(&common, name, limit)?;
    }
    Ok(common)
}

/// Returns the directory that linked worktrees share; without one, the git directory itself.
fn common(git_dir: &Path) -> PathBuf {
    let path = fs::read(git_dir.join("commondir")).ok();
    let path = path.as_deref().map(|path| path.trim_end().as_bstr()).filter(|path| !path.is_empty());
    path.and_then(|path| path.to_path().ok()).map_or_else(|| git_dir.to_owned(), |path| git_dir.join(path))
}

/// Returns the object directories reachable from `start`, itself first, after validating their packs. Relative
/// alternates are relative to the directory that names them.
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
            return Err(format!("it has more than {ALTERNATES} alternate object directories"));
        }
        known.push(real);
        // Like git, skip a missing alternate: an object that only it holds is reported as missing.
        if !found.is_empty() && !directory.is_dir() {
            continue;
        }
        validate_file(&directory, "info/alternates", LINE_BYTES)?;
        packs(&directory)?;
        let text = fs::read(directory.join("info/alternates")).unwrap_or_default();
        let paths = gix::odb::alternate::parse(&text).map_err(|_| "`info/alternates` is malformed".to_owned())?;
        ahead.extend(paths.into_iter().rev().map(|path| directory.join(path)));
        found.push(directory);
    }
    Ok(found)
}

/// Validates the packs of an object directory and their indexes: all are opened to find one object.
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

/// Returns whether an entry, or the target of a link, is a regular file.
pub(super) fn is_file(entry: &fs::DirEntry) -> bool {
    match entry.file_type() {
        Ok(kind) if kind.is_symlink() => entry.path().metadata().is_ok_and(|metadata| metadata.is_file()),
        Ok(kind) => kind.is_file(),
        Err(_) => false,
    }
}

/// Rejects a file that is not regular or too large; a missing file is valid. Links are followed, as git does: several
/// tools create repositories from links.
pub(super) fn validate_file(directory: &Path, name: &str, limit: u64) -> Result<(), Reason> {
    match directory.join(name).metadata() {
        Ok(metadata) if !metadata.is_file() => Err(format!("`{name}` is not a regular file")),
        Ok(metadata) if metadata.len() > limit => {
            Err(format!("`{name}` is larger than {} bytes", text::grouped(limit)))
        }
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Err(format!("`{name}` cannot be read")),
        _ => Ok(()),
    }
}

/// Returns the directory that a `.git` file names, if any.
pub(super) fn linked(file: &Path) -> Option<PathBuf> {
    let mut text = Vec::new();
    fs::File::open(file).ok()?.take(LINE_BYTES).read_to_end(&mut text).ok()?;
    let path = text.strip_prefix(b"gitdir: ")?.trim_end_with(|c| matches!(c, '\r' | '\n'));
    Some(file.parent()?.join(path.to_path().ok()?))
}
