//! References in the reftable format: a stack of tables, where the newest one with a name decides.
//!
//! gix has no reader of it. Git's documentation describes the format in `technical/reftable`.
#![allow(clippy::disallowed_methods, reason = "tables are files of the repository")]

mod block;
mod table;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use skilltree_front_matter::text;
use skilltree_skills::source::Error;

use self::table::Table;
pub(super) use self::table::Value;
use super::layout;

/// The directory of the tables.
const DIRECTORY: &str = "reftable";

/// The names of the tables, the oldest first.
const LIST: &str = "reftable/tables.list";

/// Maximum number of tables (ours: 1,000; Git merges tables, so that there are about as many as the number of references has
/// binary digits).
const TABLES: usize = 1_000;

/// Maximum bytes of all tables of a stack (ours: 256 MiB, the same as for `packed-refs`).
const BYTES: u64 = 256 << 20;

/// How often a list is read that another program replaces at the same time.
const TRIES: usize = 8;

/// The tables of a repository. A linked worktree has a stack for its own references.
pub(super) struct Tables {
    own: Stack,
    common: Option<Stack>,
}

impl Tables {
    /// Returns whether a repository stores its references in tables.
    pub(super) fn are_used(repository: &gix::Repository) -> bool {
        let format = repository.config_snapshot().string("extensions.refStorage");
        format.is_some_and(|format| format.as_bstr() == "reftable")
    }

    /// Reads the tables of a repository; `None` if it stores each reference in a file.
    pub(super) fn of(repository: &gix::Repository) -> Result<Option<Self>, Error> {
        if !Self::are_used(repository) {
            return Ok(None);
        }
        let (own, common, hash) = (repository.git_dir(), repository.common_dir(), repository.object_hash());
        let common = if common == own { None } else { Some(Stack::new(common, hash)?) };
        Ok(Some(Self { own: Stack::new(own, hash)?, common }))
    }

    /// Returns the value of a reference; `None` if it does not exist.
    pub(super) fn get(&self, name: &str) -> Result<Option<Value>, Error> {
        let of_worktree = ["refs/worktree/", "refs/bisect/", "refs/rewritten/"];
        let is_own = !name.starts_with("refs/") || of_worktree.iter().any(|prefix| name.starts_with(prefix));
        let stack = self.common.as_ref().filter(|_| !is_own).unwrap_or(&self.own);
        stack.get(BStr::new(name))
    }

    /// Returns the names of at most `limit` references, sorted; tables that cannot be read have none.
    pub(super) fn names(&self, limit: usize) -> Vec<String> {
        let mut known: BTreeMap<BString, bool> = BTreeMap::new();
        for table in self.common.as_ref().unwrap_or(&self.own).tables.iter().rev() {
            let _ = table.table.visit(|name, value| {
                known.entry(name.to_owned()).or_insert(value != Value::Deleted);
                known.len() < limit
            });
        }
        known.into_iter().filter(|(_, exists)| *exists).map(|(name, _)| name.to_str_lossy().into_owned()).collect()
    }
}

/// A table and the path of its file.
struct Named {
    path: String,
    table: Table,
}

/// Tables, the oldest first.
struct Stack {
    tables: Vec<Named>,
}

impl Stack {
    fn new(git_dir: &Path, hash: gix::hash::Kind) -> Result<Self, Error> {
        let mut tries = TRIES;
        loop {
            let names = list(git_dir)?;
            tries -= 1;
            match names.iter().try_fold((Vec::new(), BYTES), |loaded, name| load(git_dir, name, hash, loaded)) {
                Ok((tables, _)) => return Ok(Self { tables }),
                // Another program merged tables after the list was read.
                Err(_) if tries > 0 && list(git_dir)? != names => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn get(&self, name: &BStr) -> Result<Option<Value>, Error> {
        for Named { path, table } in self.tables.iter().rev() {
            match table.get(name).map_err(|fault| unreadable(path, fault))? {
                Some(Value::Deleted) => return Ok(None),
                Some(value) => return Ok(Some(value)),
                None => {}
            }
        }
        Ok(None)
    }
}

/// Returns the names of the tables.
fn list(git_dir: &Path) -> Result<Vec<String>, Error> {
    let bytes = read(git_dir, LIST, layout::LINE_BYTES)?;
    let names = bytes.lines().map(|line| {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let is_name = line.iter().all(is_plain) && !line.is_empty() && !line.starts_with(b".");
        let name = line.to_str().ok().filter(|_| is_name);
        name.map(str::to_owned).ok_or_else(|| unreadable(LIST, "it contains a malformed name"))
    });
    let names: Vec<String> = names.collect::<Result<_, _>>()?;
    if names.len() > TABLES {
        return Err(unreadable(LIST, format!("it names more than {} tables", text::grouped(TABLES))));
    }
    Ok(names)
}

/// Adds a table to those that were loaded; the number is how many bytes may follow.
fn load(
    git_dir: &Path,
    name: &str,
    hash: gix::hash::Kind,
    (mut tables, left): (Vec<Named>, u64),
) -> Result<(Vec<Named>, u64), Error> {
    let path = format!("{DIRECTORY}/{name}");
    let bytes = read(git_dir, &path, left)?;
    let left = left.saturating_sub(bytes.len() as u64);
    let table = Table::new(bytes, hash).map_err(|fault| unreadable(&path, fault))?;
    tables.push(Named { path, table });
    Ok((tables, left))
}

/// Reads a regular file of at most `limit` bytes.
fn read(git_dir: &Path, path: &str, limit: u64) -> Result<Vec<u8>, Error> {
    layout::validate_file(git_dir, path, limit)
        .map_err(|_| unreadable(path, "it is not a regular file, or too large for references"))?;
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => unreadable(path, "it is missing"),
        _ => unreadable(path, error.to_string()),
    };
    let mut bytes = Vec::new();
    let file = File::open(git_dir.join(path)).map_err(failed)?;
    file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit {
        return Err(unreadable(path, "it is too large for references"));
    }
    Ok(bytes)
}

fn unreadable(path: &str, reason: impl Into<String>) -> Error {
    Error::Unreadable { path: path.into(), reason: reason.into() }
}
