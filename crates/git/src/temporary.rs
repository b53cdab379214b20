//! Temporary directories.
#![allow(clippy::disallowed_methods, reason = "it removes what it made")]

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

/// Tracks the temporary directories of sources. They are removed with their source; a caller that exits earlier removes
/// them with [`Temporaries::remove`].
#[derive(Clone, Debug, Default)]
pub struct Temporaries {
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    paths: Vec<PathBuf>,
    is_over: bool,
}

impl Temporaries {
    /// Creates a directory that other users cannot read.
    ///
    /// # Errors
    /// If the system cannot create one, or [`Temporaries::remove`] was called.
    pub fn directory(&self) -> io::Result<TempDir> {
        let mut known = self.known();
        if known.is_over {
            return Err(io::ErrorKind::Interrupted.into());
        }
        #[cfg_attr(not(unix), allow(unused_mut, reason = "there are no modes to set"))]
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let directory = builder.tempdir()?;
        known.paths.push(directory.path().to_owned());
        Ok(directory)
    }

    /// Removes all remaining directories. New ones cannot be created afterwards.
    pub fn remove(&self) {
        let mut known = self.known();
        known.is_over = true;
        for path in known.paths.drain(..) {
            // Most were removed with their sources.
            let _ = fs::remove_dir_all(path);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // After a panic the directories still have to be removed.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
