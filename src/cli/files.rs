//! Files that are written whole or not at all.
#![allow(clippy::disallowed_methods, reason = "this is the one writer of files")]

use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use skilltree::prompt::{self, Artifact, Name};

use super::failure::Failure;
use super::output::reason;
use super::watch::{Step, Watch};

/// Files that are written, and not yet where they belong: they get there together, or none of them does.
pub(super) struct Files<'a> {
    watch: &'a Watch,
    prepared: Vec<Prepared>,
    stale: Vec<PathBuf>,
}

impl<'a> Files<'a> {
    pub(super) fn new(watch: &'a Watch) -> Self {
        Self { watch, prepared: Vec::new(), stale: Vec::new() }
    }

    /// Writes a file beside its place.
    ///
    /// # Errors
    /// When the path is a directory, a symbolic link or no regular file, or the system refuses.
    pub(super) fn add(
        &mut self,
        path: &Path,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Failure> {
        self.prepared.push(Prepared::new(self.watch, path, write)?);
        Ok(())
    }

    /// Takes down that a file has to go.
    fn remove(&mut self, path: PathBuf) -> Result<(), Failure> {
        refuse_odd(&path)?;
        self.stale.push(path);
        Ok(())
    }

    /// Renames every file to its place, and removes those that have to go: a reader sees an old file or a new one, each
    /// whole.
    ///
    /// # Errors
    /// When the system refuses.
    pub(super) fn persist(self) -> Result<(), Failure> {
        let Self { watch, prepared, stale } = self;
        if prepared.is_empty() && stale.is_empty() {
            return Ok(());
        }
        watch.undisturbed(|| {
            prepared.into_iter().try_for_each(Prepared::persist)?;
            stale.iter().try_for_each(|path| {
                fs::remove_file(path).map_err(|error| {
                    Failure::new(format!("`{}` is stale and cannot be removed: {}", path.display(), reason(&error)))
                        .help("remove it: no skill was skipped")
                })
            })
        })
    }
}

/// Writes artifacts to their directories, which hold exactly their files afterwards: one that an artifact does not
/// have is removed. Nothing is renamed or removed before everything is written.
pub(super) fn artifacts(watch: &Watch, directories: &[(PathBuf, &Artifact)]) -> Result<(), Failure> {
    watch.step(Step::Write);
    let mut files = Files::new(watch);
    for (directory, artifact) in directories {
        fs::create_dir_all(directory).map_err(|error| {
            Failure::new(format!("`{}` cannot be made: {}", directory.display(), reason(&error)))
                .help("name a directory that can be written")
        })?;
        refuse_foreign(directory)?;
        for name in Name::ALL {
            let path = directory.join(name.as_str());
            match artifact.file(name) {
                Some(content) => files.add(&path, |out| out.write_all(content))?,
                None if path.symlink_metadata().is_ok() => files.remove(path)?,
                None => {}
            }
        }
    }
    files.persist()
}

/// How far into an index its schema is looked for, in bytes.
const SCHEMA_BYTES: u64 = 256;

/// Refuses a directory in which an index or a comment lies that is not ours: what is written there would be lost. A run that
/// was killed leaves no comment without the index.
fn refuse_foreign(directory: &Path) -> Result<(), Failure> {
    let index = directory.join(Name::Index.as_str());
    // What is no file is refused where it would be written.
    if index.is_symlink() {
        return Ok(());
    }
    let start = match read(&index, SCHEMA_BYTES) {
        Ok(start) => Some(start),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(_) => return Ok(()),
    };
    let is_ours = start.as_deref().is_some_and(prompt::is_index);
    let foreign = match &start {
        _ if is_ours => return Ok(()),
        Some(_) => index,
        None => directory.join(Name::Comment.as_str()),
    };
    if !foreign.is_file() {
        return Ok(());
    }
    Err(Failure::new(format!("`{}` is not of skilltree, and would be lost", foreign.display()))
        .help("name a directory of its own, or move that file away"))
}

/// A file that is written, and not yet where it belongs. It is closed, so that there may be thousands, and it is
/// removed when nobody persists it.
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
        refuse_odd(path)?;
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let created = watch.temporary(|| create(directory), |temporary| temporary.path().to_owned());
        let mut temporary = created.map_err(|error| unwritable(path, &error))?;
        let mut buffer = BufWriter::new(temporary.as_file_mut());
        write(&mut buffer).and_then(|()| buffer.flush()).map_err(|error| unwritable(path, &error))?;
        drop(buffer);
        Ok(Self { path: path.to_owned(), temporary: temporary.into_temp_path() })
    }

    pub(super) fn persist(self) -> Result<(), Failure> {
        self.temporary.persist(&self.path).map_err(|error| unwritable(&self.path, &error.error))
    }
}

pub(super) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::new(format!("`{}` cannot be written: {}", path.display(), reason(error)))
        .help("the old file, if there was one, is untouched; name a path in a directory that exists and has room")
}

/// In what the files of a directory differ from an artifact, a line each.
pub(super) fn differences(path: &Path, artifact: &Artifact) -> Result<Vec<String>, Failure> {
    let mut failure = None;
    let differences = prompt::verify(artifact, |name| {
        let file = path.join(name.as_str());
        // One byte more than there should be is enough to differ.
        match read(&file, artifact.file(name).map_or(0, <[u8]>::len) as u64 + 1) {
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
fn create(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    // Readable as any new file is; the umask takes away what it takes away.
    let permissions = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new().prefix(".skilltree-").permissions(permissions).tempfile_in(directory)
}

#[cfg(not(unix))]
fn create(directory: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new().prefix(".skilltree-").tempfile_in(directory)
}

/// The first bytes of a regular file, up to a limit. Nothing else is opened: a pipe would be waited for, and a device has
/// no end.
pub(super) fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(super) fn refuse_odd(path: &Path) -> Result<(), Failure> {
    let odd = match fs::symlink_metadata(path).map(|metadata| metadata.file_type()) {
        Ok(kind) if kind.is_symlink() => "a symbolic link, and links are never written through",
        Ok(kind) if kind.is_dir() => "a directory",
        Ok(kind) if !kind.is_file() => "not a regular file",
        Ok(_) => return Ok(()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(unwritable(path, &error)),
        Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => "the name of a directory",
        Err(_) => return Ok(()),
    };
    Err(Failure::new(format!("`{}` is {odd}", path.display()))
        .help("name a regular file, or a path where nothing is yet"))
}
