//! A directory, and Git's environment variables.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use skilltree_git::{Environment, Revision};
use skilltree_skills::source;

use crate::failure::Failure;

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

    /// Returns whether a revision exists. A reference of a repository whose references cannot be read counts as missing.
    pub(crate) fn has(&self, revision: &str) -> Result<bool, Failure> {
        match skilltree_git::open(self, &Revision::Tree(revision.to_owned()), &self.environment) {
            Ok(_) => Ok(true),
            Err(
                source::Error::Unborn { .. }
                | source::Error::Empty
                | source::Error::Revision { .. }
                | source::Error::Shallow { .. }
                | source::Error::Objects(_)
                | source::Error::Reflogs { .. },
            ) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

impl Deref for Place {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.directory
    }
}
