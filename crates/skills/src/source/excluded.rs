//! Ignore files in skills directories. Some runtimes obey them without Git, for files that Git tracks as well.

use std::collections::BTreeMap;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::store::{Content, Store};
use super::{CONFIG_BYTES, Error, PATH_BYTES, os_path, read};
use crate::roots::{self, Root};
use crate::snapshot::{Body, File, Role};
use skilltree_front_matter::text;

/// Their names, in the order in which they are read: a later pattern overrides an earlier one.
const NAMES: [&str; 3] = [".gitignore", ".ignore", ".fdignore"];

/// Maximum patterns of all distinct files together (ours: 10,000), and bytes (ours: 1 MiB): compiled ones take a hundred times as much.
const PATTERNS: usize = 10_000;
const BYTES: usize = 1 << 20;

/// Marks the skills that ignore files in their skills directory exclude.
pub(super) fn mark(store: &dyn Store, roots: &[Root], files: &mut [File]) -> Result<(), Error> {
    let found = found(store, files)?;
    if found.is_empty() {
        return Ok(());
    }
    for file in files.iter_mut().filter(|file| file.role == Role::Skill) {
        if let Some(root) = file.root {
            file.is_excluded = is_excluded(&found, roots[root.index()].path.as_bstr(), file.path.as_bstr());
        }
    }
    Ok(())
}

/// Reads the ignore files, by their directory.
fn found(store: &dyn Store, files: &[File]) -> Result<BTreeMap<BString, Gitignore>, Error> {
    let mut by_directory: BTreeMap<&BStr, Vec<&File>> = BTreeMap::new();
    let is_read = |file: &&File| file.root.is_some() && file.role == Role::Other && file.body == Body::NotRead;
    for file in files.iter().filter(is_read) {
        let path = file.path.as_bstr();
        if NAMES.iter().any(|name| text::file_name(path) == name) {
            by_directory.entry(text::parent(path)).or_default().push(file);
        }
    }
    // Skills that were generated alike have the same file.
    let mut compiled: BTreeMap<Vec<u8>, Gitignore> = BTreeMap::new();
    let (mut found, mut left, mut reader) = (BTreeMap::new(), (PATTERNS, BYTES), store.reader());
    for (directory, mut files) in by_directory {
        files.sort_by_key(|file| NAMES.iter().position(|name| text::file_name(file.path.as_bstr()) == name));
        let mut lines = Vec::new();
        for file in files {
            match reader.content(&read::spot(file), CONFIG_BYTES)? {
                Content::Bytes { bytes, .. } => lines.extend(bytes),
                Content::TooLarge { .. } => return Err(Error::TooLongPatterns { limit: BYTES }),
            }
            lines.push(b'\n');
        }
        let patterns = match compiled.get(&lines) {
            Some(known) => known.clone(),
            None => {
                let new = patterns(&lines, &mut left)?;
                compiled.insert(lines, new.clone());
                new
            }
        };
        found.insert(directory.to_owned(), patterns);
    }
    Ok(found)
}

fn patterns(lines: &[u8], left: &mut (usize, usize)) -> Result<Gitignore, Error> {
    // Paths are relative to the directory.
    let mut builder = GitignoreBuilder::new("");
    let text = lines.to_str_lossy();
    // A longer pattern matches no path.
    let is_pattern = |line: &&str| !line.trim().is_empty() && !line.starts_with('#') && line.len() <= 2 * PATH_BYTES;
    for line in text.lines().filter(is_pattern) {
        left.0 = left.0.checked_sub(1).ok_or(Error::TooManyPatterns { limit: PATTERNS })?;
        left.1 = left.1.checked_sub(line.len()).ok_or(Error::TooLongPatterns { limit: BYTES })?;
        // A pattern that is none excludes nothing.
        let _ = builder.add_line(None, line);
    }
    Ok(builder.build().unwrap_or_else(|_| Gitignore::empty()))
}

/// Returns whether a file below a skills directory, or a directory above the file, is excluded.
fn is_excluded(found: &BTreeMap<BString, Gitignore>, root: &BStr, path: &BStr) -> bool {
    let start = root.len() + usize::from(!root.is_empty());
    let ends = path[start..].find_iter("/").map(|at| start + at).chain([path.len()]);
    ends.into_iter().any(|end| {
        let (part, is_directory) = (path[..end].as_bstr(), end < path.len());
        let matches = directories(root, text::parent(part)).filter_map(|directory| {
            let below = roots::relative(part, directory)?;
            let found = found.get(directory)?.matched::<&Path>(&os_path(below), is_directory);
            (!found.is_none()).then(|| found.is_ignore())
        });
        matches.last().unwrap_or(false)
    })
}

/// Returns the directories from a skills directory to one inside, the outermost first.
fn directories<'a>(root: &'a BStr, inner: &'a BStr) -> impl Iterator<Item = &'a BStr> {
    let start = root.len();
    let ends = inner[start..].find_iter("/").map(move |at| start + at).filter(move |&end| end > start);
    let all = std::iter::once(start).chain(ends).chain((inner.len() > start).then_some(inner.len()));
    all.map(move |end| inner[..end].as_bstr())
}
