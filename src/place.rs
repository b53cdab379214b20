//! A directory, and Git's environment variables.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use skilltree_git::Environment;

/// A directory that relative paths start from, with Git's environment variables.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    directory: PathBuf,
    pub(crate) environment: Environment,
}

impl Place {
    pub(crate) fn new(directory: PathBuf, environment: Environment) -> Self {
        Self { directory, environment }
    }

    /// Returns another directory, which Git's variables do not apply to.
    pub(crate) fn outside(&self, directory: PathBuf) -> Self {
        let temporaries = self.environment.temporaries.clone();
        Self { directory, environment: Environment { temporaries, ..Environment::default() } }
    }
}

impl Deref for Place {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.directory
    }
}
