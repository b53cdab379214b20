//! The tables in the output directory: the state of a fleet.
#![allow(clippy::disallowed_methods, reason = "it reads and writes the output directory")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::json;
use skilltree_report::render;

use crate::cli::files::{Files, unwritable};
use crate::cli::watch::Watch;
use crate::failure::Failure;
use crate::file;
use skilltree_fleet::format::Format;
use skilltree_fleet::part::{Part, Run};
use skilltree_fleet::tables::{Row, Rows, SCHEMA, Table, Value, repository};

/// The file that says what the directory contains.
const MANIFEST: &str = "fleet.json";

/// The limit of a manifest.
const MANIFEST_BYTES: u64 = 1 << 20;

/// The tables of an output directory.
pub(super) struct Tables<'a> {
    watch: &'a Watch,
    out: PathBuf,
    format: Format,
    /// The last row of each repository.
    runs: HashMap<String, Run>,
    /// The repositories of each part, also those whose rows a later part replaces.
    parts: BTreeMap<Part, Vec<String>>,
    /// Keeps other runs out of the directory.
    _lock: fs::File,
}

impl<'a> Tables<'a> {
    /// Opens the output directory, or creates it. Files that a killed run left are removed.
    ///
    /// # Errors
    /// When the directory has other files or another format, another run uses it, or it cannot be written.
    pub(super) fn open(watch: &'a Watch, out: &Path, format: Format) -> Result<Self, Failure> {
        refuse_foreign(out, format)?;
        for table in Table::ALL {
            let directory = out.join(table.name());
            fs::create_dir_all(&directory).map_err(|error| unwritable(&directory, &error))?;
        }
        let lock = lock(out)?;
        write_manifest(watch, out, format)?;
        let (out, runs, parts) = (out.to_owned(), HashMap::new(), BTreeMap::new());
        let mut tables = Self { watch, out, format, runs, parts, _lock: lock };
        tables.load()?;
        Ok(tables)
    }

    /// Returns the row of a repository in the table `runs`.
    pub(super) fn run(&self, repository: &str) -> Option<&Run> {
        self.runs.get(repository)
    }

    /// Removes the rows of all other repositories, and rows that a later part replaced.
    pub(super) fn keep<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> Result<(), Failure> {
        let wanted: HashSet<&str> = names.collect();
        self.runs.retain(|name, _| wanted.contains(name.as_str()));
        let is_current = |part: &Part, name: &String| self.runs.get(name).is_some_and(|run| run.part == *part);
        let stale = self.parts.iter().filter(|(part, names)| !names.iter().all(|name| is_current(part, name)));
        let stale: BTreeSet<Part> = stale.map(|(part, _)| *part).collect();
        self.replace(None, &stale)
    }

    /// Returns the rows of a repository, for another commit with the same tree.
    pub(super) fn rows(&self, name: &str, commit: &Value) -> Result<Rows, Failure> {
        let mut rows = Rows::default();
        let Some(part) = self.runs.get(name).map(|run| run.part) else { return Ok(rows) };
        for table in Table::ALL {
            let position = table.position("commit");
            let mut own = self.read(part, table, Some(name))?;
            own.iter_mut().filter_map(|row| row.get_mut(position)).for_each(|value| *value = commit.clone());
            *rows.table_mut(table) = own;
        }
        Ok(rows)
    }

    /// Adds the rows of repositories as a part, and removes their earlier rows.
    pub(super) fn add(&mut self, mut repositories: Vec<Rows>) -> Result<(), Failure> {
        if repositories.is_empty() {
            return Ok(());
        }
        // So that a group of rows has a range of names, which excludes most others.
        repositories.sort_by(|one, other| one.repository().cmp(&other.repository()));
        let next = self.parts.last_key_value().map_or(0, |(part, _)| part.number + 1);
        let part = Part { number: next, generation: 0 };
        let mut replaced = BTreeSet::new();
        let mut names = Vec::new();
        for row in repositories.iter().flat_map(|rows| rows.table(Table::Runs)) {
            let name = repository(row).to_owned();
            replaced.extend(self.runs.insert(name.clone(), Run::new(part, row.clone())).map(|run| run.part));
            names.push(name);
        }
        self.replace(Some((part, names, &repositories)), &replaced)
    }

    /// Writes a part, and replaces parts by later generations without the rows that are not current. All files are renamed together.
    fn replace(&mut self, new: Option<(Part, Vec<String>, &[Rows])>, stale: &BTreeSet<Part>) -> Result<(), Failure> {
        let mut files = Files::new(self.watch);
        if let Some((part, names, repositories)) = new {
            for table in Table::ALL {
                let rows: Vec<&Row> = repositories.iter().flat_map(|rows| rows.table(table)).collect();
                self.write(&mut files, part, table, &rows)?;
            }
            self.parts.insert(part, names);
        }
        for part in stale {
            let names = self.parts.remove(part).unwrap_or_default();
            let is_current = |name: &String| self.runs.get(name).is_some_and(|run| run.part == *part);
            let (names, removed): (Vec<String>, Vec<String>) = names.into_iter().partition(is_current);
            let next = Part { generation: part.generation + 1, ..*part };
            if !names.is_empty() {
                let removed = removed.iter().map(String::as_str).collect();
                for table in Table::ALL {
                    self.copy(&mut files, (*part, next), table, &removed)?;
                }
                for name in &names {
                    self.runs.entry(name.clone()).and_modify(|run| run.part = next);
                }
                self.parts.insert(next, names);
            }
            for table in Table::ALL.into_iter().rev() {
                files.remove(part.path(&self.out, table, self.format))?;
            }
        }
        files.persist()
    }

    fn write(&self, files: &mut Files<'_>, part: Part, table: Table, rows: &[&Row]) -> Result<(), Failure> {
        files.add(&part.path(&self.out, table, self.format), |out| self.format.write(table, rows, out))
    }

    /// Copies a part to its next generation, without the rows of some repositories.
    fn copy(
        &self,
        files: &mut Files<'_>,
        (part, next): (Part, Part),
        table: Table,
        removed: &BTreeSet<&str>,
    ) -> Result<(), Failure> {
        let source = part.path(&self.out, table, self.format);
        let rest = self.format.without(table, &source, removed).map_err(|error| damaged(&source, &error))?;
        files.add(&next.path(&self.out, table, self.format), |out| out.write_all(&rest))
    }

    fn read(&self, part: Part, table: Table, of: Option<&str>) -> Result<Vec<Row>, Failure> {
        let path = part.path(&self.out, table, self.format);
        self.format.read(table, &path, of).map_err(|error| damaged(&path, &error))
    }

    /// Finds the complete parts, and removes every other file with the name of a part or of a temporary file.
    fn load(&mut self) -> Result<(), Failure> {
        let mut found: Vec<BTreeSet<Part>> = Vec::new();
        for table in Table::ALL {
            found.push(self.parts_of(table)?);
        }
        let mut newest: BTreeMap<u32, Part> = BTreeMap::new();
        for part in found.last().into_iter().flatten().filter(|part| found.iter().all(|table| table.contains(part))) {
            newest.insert(part.number, *part);
        }
        for (table, parts) in Table::ALL.into_iter().zip(&found).rev() {
            for part in parts.iter().filter(|part| newest.get(&part.number) != Some(part)) {
                remove(&part.path(&self.out, table, self.format))?;
            }
        }
        for part in newest.into_values() {
            let rows = self.read(part, Table::Runs, None)?;
            self.parts.insert(part, rows.iter().map(|row| repository(row).to_owned()).collect());
            // Parts are in the order of their numbers: a later row counts.
            self.runs.extend(rows.into_iter().map(|row| (repository(&row).to_owned(), Run::new(part, row))));
        }
        Ok(())
    }

    /// Returns the parts that have a file in the directory of a table, and removes temporary files.
    fn parts_of(&self, table: Table) -> Result<BTreeSet<Part>, Failure> {
        let directory = self.out.join(table.name());
        let mut parts = BTreeSet::new();
        for entry in fs::read_dir(&directory).map_err(|error| damaged(&directory, &error))? {
            let name = entry.map_err(|error| damaged(&directory, &error))?.file_name();
            let name = name.to_string_lossy();
            if name.starts_with(crate::cli::files::PREFIX) {
                remove(&directory.join(&*name))?;
            }
            let Some(part) = Part::parse(&name, self.format) else { continue };
            let path = directory.join(&*name);
            // Of `runs`, the only copy of what was read, it is an error when it is read.
            if table == Table::Runs || self.format.is_complete(&path) {
                parts.insert(part);
            } else {
                remove(&path)?;
            }
        }
        Ok(parts)
    }
}

fn remove(path: &Path) -> Result<(), Failure> {
    fs::remove_file(path).map_err(|error| unwritable(path, &error))
}

fn damaged(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("`{}` cannot be read: {}", path.display(), file::reason(error)))
        .help("delete it, and run again: its repositories are then read again")
}

/// Refuses a directory with other files, and one whose tables have another format.
fn refuse_foreign(out: &Path, format: Format) -> Result<(), Failure> {
    let named = out.display();
    let manifest = match file::read(&out.join(MANIFEST), MANIFEST_BYTES) {
        Ok(text) => serde_json::from_slice::<serde_json::Value>(&text).unwrap_or_default(),
        Err(_) => {
            let entries = fs::read_dir(out).into_iter().flatten().flatten();
            let is_foreign = |name: &str| !name.starts_with('.') && Table::ALL.iter().all(|table| table.name() != name);
            return match entries.map(|entry| entry.file_name()).find(|name| is_foreign(&name.to_string_lossy())) {
                Some(_) => Err(Failure::new(format!("`{named}` has files that skilltree did not write"))
                    .help("choose an empty or new directory: `--out DIR`")),
                None => Ok(()),
            };
        }
    };
    if manifest["schema"] != SCHEMA {
        return Err(
            Failure::new(format!("`{named}` has tables of another schema")).help("choose a new directory: `--out DIR`")
        );
    }
    match manifest["format"].as_str() {
        Some(other) if other != format.name() => {
            Err(Failure::new(format!("`{named}` has tables in the format {other}"))
                .help("choose a new directory, or the same format: `--jsonl` writes JSON Lines"))
        }
        _ => Ok(()),
    }
}

fn write_manifest(watch: &Watch, out: &Path, format: Format) -> Result<(), Failure> {
    let columns = |table: Table| table.columns().iter().map(|column| column.name).collect::<Vec<_>>();
    let tables: serde_json::Map<_, _> =
        Table::ALL.into_iter().map(|table| (table.name().to_owned(), json!(columns(table)))).collect();
    let manifest = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "format": format.name(),
        "tables": tables,
    });
    let mut files = Files::new(watch);
    files.add(&out.join(MANIFEST), |out| render::write_pretty(&manifest, out))?;
    files.persist()
}

/// Locks the output directory until the file is dropped or the process ends.
fn lock(out: &Path) -> Result<fs::File, Failure> {
    let path = out.join(".lock");
    let locked = locked(fs::OpenOptions::new().create(true).append(true), &path);
    locked.map_err(|error| unwritable(&path, &error))?.ok_or_else(|| {
        Failure::new(format!("another run writes to `{}`", out.display()))
            .help("wait until it ends, or choose another directory")
    })
}

/// Opens a file that one process at a time may have open; `None` if another one has it.
#[cfg(unix)]
fn locked(options: &mut fs::OpenOptions, path: &Path) -> io::Result<Option<fs::File>> {
    use rustix::fs::{FlockOperation, flock};
    let file = options.open(path)?;
    Ok(flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok().then_some(file))
}

#[cfg(windows)]
fn locked(options: &mut fs::OpenOptions, path: &Path) -> io::Result<Option<fs::File>> {
    use std::os::windows::fs::OpenOptionsExt;
    match options.share_mode(0).open(path) {
        Err(error) if file::is_in_use(&error) => Ok(None),
        opened => opened.map(Some),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::disallowed_methods, reason = "a test creates the directory")]
mod tests {
    use super::*;

    #[test]
    fn one_run_at_a_time_writes_to_a_directory() {
        let out = tempfile::tempdir().unwrap();
        let first = lock(out.path()).unwrap();
        let second = lock(out.path()).err().map(|failure| failure.to_string()).unwrap_or_default();
        assert!(second.starts_with("another run writes to "), "{second}");
        drop(first);
        assert!(lock(out.path()).is_ok());
    }
}
