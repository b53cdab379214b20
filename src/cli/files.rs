//! Atomic writes of output files.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of files")]

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use skilltree_dispatch::prompt::{self, Artifact, Name};

use super::watch::{Step, Watch};
use crate::failure::Failure;
use crate::file::{self, reason};

/// The start of the name of a temporary file.
pub(super) const PREFIX: &str = ".skilltree-";

/// Output files in temporary places. They are renamed together at the end, so a failed run changes none.
pub(super) struct Files<'a> {
    watch: &'a Watch,
    prepared: Vec<Prepared>,
    stale: Vec<PathBuf>,
}

impl<'a> Files<'a> {
    pub(super) fn new(watch: &'a Watch) -> Self {
        Self { watch, prepared: Vec::new(), stale: Vec::new() }
    }

    /// Writes a file to a temporary place next to its path.
    ///
    /// # Errors
    /// When the path is a directory, a symbolic link or another special file, or cannot be written.
    pub(super) fn add(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        let directory = directory(path);
        if self.prepared.last().is_none_or(|before| self::directory(&before.path) != directory) {
            remove_leftovers(directory);
        }
        self.prepared.push(Prepared::new(self.watch, path, write)?);
        Ok(())
    }

    /// Schedules a file for removal, after the others are renamed.
    pub(super) fn remove(&mut self, path: PathBuf) -> Result<(), Failure> {
        refuse_special(&path)?;
        self.stale.push(path);
        Ok(())
    }

    /// Renames every file to its path, and removes stale files. A reader sees the old or the new file, never a part.
    ///
    /// # Errors
    /// When a file cannot be renamed or removed.
    pub(super) fn persist(self) -> Result<(), Failure> {
        let Self { watch, prepared, stale } = self;
        if prepared.is_empty() && stale.is_empty() {
            return Ok(());
        }
        watch.uninterrupted(|| {
            prepared.into_iter().try_for_each(Prepared::persist)?;
            stale.iter().try_for_each(|path| {
                fs::remove_file(path).map_err(|error| {
                    Failure::new(format!("`{}` is stale and cannot be removed: {}", path.display(), reason(&error)))
                        .help("delete it")
                })
            })
        })
    }
}

/// Writes artifacts to their directories. A file that an artifact does not have is removed. Nothing is renamed or removed before
/// everything is written.
pub(super) fn artifacts(watch: &Watch, directories: &[(PathBuf, &Artifact)]) -> Result<(), Failure> {
    watch.step(Step::Write);
    let mut files = Files::new(watch);
    for (directory, artifact) in directories {
        fs::create_dir_all(directory).map_err(|error| {
            Failure::new(format!("`{}` cannot be created: {}", directory.display(), reason(&error)))
                .help("choose a writable directory")
        })?;
        refuse_foreign(directory)?;
        remove_leftovers(directory);
        for name in Name::ALL {
            let path = directory.join(name.as_str());
            match artifact.file(name) {
                // An equal file keeps its inode and its time, so that programs that watch it do not wake up.
                Some(content) if is_current(&path, content) => {}
                Some(content) => files.add(&path, |out| out.write_all(content))?,
                None if path.symlink_metadata().is_ok() => files.remove(path)?,
                None => {}
            }
        }
    }
    files.persist()
}

/// Removes the temporary files of runs that were killed. Younger ones may belong to a run that still writes here.
fn remove_leftovers(directory: &Path) {
    for entry in fs::read_dir(directory).into_iter().flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let is_ours = |random: &str| random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let is_old = |found: &fs::Metadata| {
            let age = found.modified().ok().and_then(|time| time.elapsed().ok());
            found.is_file() && age.is_some_and(|age| age > LEFTOVER)
        };
        if random.is_some_and(is_ours) && entry.metadata().is_ok_and(|found| is_old(&found)) {
            // A leftover that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The age from which a temporary file is a leftover (ours: one hour).
const LEFTOVER: Duration = Duration::from_secs(3_600);

/// The number of random characters in the name of a temporary file.
const RANDOM: usize = 6;

/// Returns whether a regular file has this content already.
fn is_current(path: &Path, content: &[u8]) -> bool {
    let is_equal_in_size =
        fs::symlink_metadata(path).is_ok_and(|found| found.is_file() && found.len() == content.len() as u64);
    is_equal_in_size && file::read(path, content.len() as u64 + 1).is_ok_and(|found| found == content)
}

/// Bytes at the start of an index that contain its schema.
const SCHEMA_BYTES: u64 = 256;

/// Refuses a directory whose index or comment skilltree did not write: it would be overwritten. A killed run never leaves a
/// comment without an index.
fn refuse_foreign(directory: &Path) -> Result<(), Failure> {
    let index = directory.join(Name::Index.as_str());
    // Writing refuses special files later.
    if index.is_symlink() {
        return Ok(());
    }
    let start = match file::read(&index, SCHEMA_BYTES) {
        Ok(start) => Some(start),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => return Ok(()),
    };
    if start.as_deref().is_some_and(prompt::is_index) {
        return Ok(());
    }
    let foreign = match start {
        Some(_) => index,
        None => directory.join(Name::Comment.as_str()),
    };
    if !foreign.is_file() {
        return Ok(());
    }
    Err(Failure::new(format!("`{}` was not written by skilltree and would be overwritten", foreign.display()))
        .help("choose a separate directory, or move the file away"))
}

/// Returns the directory of a file.
fn directory(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A temporary file that waits for its rename. It is closed, so there can be thousands, and it is removed on drop.
pub(super) struct Prepared {
    path: PathBuf,
    pub(super) temporary: tempfile::TempPath,
}

impl Prepared {
    pub(super) fn new(
        watch: &Watch,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Self, Failure> {
        refuse_special(path)?;
        let created = watch.temporary(|| create(directory(path)), |temporary| temporary.path().to_owned());
        let mut temporary = created.map_err(|error| unwritable(path, &error))?;
        let mut buffer = BufWriter::new(temporary.as_file_mut());
        write(&mut buffer).and_then(|()| buffer.flush()).map_err(|error| unwritable(path, &error))?;
        drop(buffer);
        Ok(Self { path: path.to_owned(), temporary: temporary.into_temp_path() })
    }

    pub(super) fn persist(self) -> Result<(), Failure> {
        rename(self.temporary, &self.path).map_err(|error| unwritable(&self.path, &error))
    }
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("`{}` cannot be written: {}", file::shown(path), reason(error)))
        .help("choose an existing, writable directory with free space; an existing file was not changed")
}

/// Describes how the files of a directory differ from an artifact, one line per file.
pub(super) fn differences(path: &Path, artifact: &Artifact) -> Result<Vec<String>, Failure> {
    let mut failure = None;
    let differences = prompt::verify(artifact, |name| {
        let file = path.join(name.as_str());
        // One extra byte is enough to see a difference.
        match file::read(&file, artifact.file(name).map_or(0, <[u8]>::len) as u64 + 1) {
            Ok(content) => Some(content),
            Err(error) => {
                if error.kind() != io::ErrorKind::NotFound {
                    failure = Some(Failure::new(format!("`{}` cannot be read: {}", file.display(), reason(&error))));
                }
                None
            }
        }
    });
    let line = |difference: &prompt::Difference| format!("{}: {}", path.display(), difference.message());
    failure.map_or_else(|| Ok(differences.iter().map(line).collect()), Err)
}

#[cfg(unix)]
fn rename(temporary: tempfile::TempPath, path: &Path) -> io::Result<()> {
    temporary.persist(path).map_err(|error| error.error)
}

/// The rename of the standard library takes long paths, and replaces a file that others have open if they allow that.
#[cfg(not(unix))]
fn rename(temporary: tempfile::TempPath, path: &Path) -> io::Result<()> {
    let temporary = temporary.keep().map_err(|error| error.error)?;
    let renamed = file::retried(|| fs::rename(&temporary, path));
    if renamed.is_err() {
        // The error of the rename is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}

#[cfg(unix)]
fn create(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    // The mode of a new file; the umask applies.
    let permissions = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).permissions(permissions).tempfile_in(directory)
}

#[cfg(not(unix))]
fn create(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM).tempfile_in(directory)
}

pub(super) fn refuse_special(path: &Path) -> Result<(), Failure> {
    let kind = match fs::symlink_metadata(path).map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_symlink() => "a symbolic link, which skilltree never writes through",
        Ok(kind) if kind.is_dir() => "a directory",
        Ok(kind) if !kind.is_file() => "not a regular file",
        Ok(_) => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unwritable(path, &error)),
        Err(_) if ends_with_separator(path) => "a directory name",
        Err(_) => return Ok(()),
    };
    Err(Failure::new(format!("`{}` is {kind}", file::shown(path))).help("choose a regular file or a new path"))
}

/// Returns whether a path ends with `/`, or on Windows with `\`.
fn ends_with_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(char::from(*last)))
}
