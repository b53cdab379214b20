//! Directories among the temporary ones of the system.
#![allow(clippy::disallowed_methods, reason = "it removes what it made")]

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::Starter;

/// Knows the directories that sources made for themselves, which go when they do: whoever ends the program before that
/// removes them by this.
#[derive(Clone, Debug, Default)]
pub struct Temporaries {
    known: Arc<Mutex<Known>>,
    starter: Starter,
}

#[derive(Debug, Default)]
struct Known {
    paths: Vec<PathBuf>,
    is_over: bool,
}

impl Temporaries {
    /// Knows none yet; before there is one the starter is asked for whoever removes it.
    pub fn new(starter: Starter) -> Self {
        Self { starter, ..Self::default() }
    }

    pub(super) fn starter(&self) -> &Starter {
        &self.starter
    }

    /// Makes a directory that nobody else may look into, unless it is too late for that.
    ///
    /// # Errors
    /// When the system gives none, or the program is about to end.
    pub fn directory(&self) -> io::Result<TempDir> {
        self.starter.start();
        let mut known = self.known();
        if known.is_over {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let directory = builder.tempdir()?;
        known.paths.push(directory.path().to_owned());
        Ok(directory)
    }

    /// Removes every directory that is still there. No more are made.
    pub fn remove(&self) {
        let mut known = self.known();
        known.is_over = true;
        for path in known.paths.drain(..) {
            // Most of them went with their sources.
            let _ = fs::remove_dir_all(path);
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // What a panic left behind is still what has to be removed.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
