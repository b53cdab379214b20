//! Where a command stands.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use skilltree::source::Environment;

use super::args::Common;
use super::environment;
use super::failure::Failure;

/// The directory that paths of the command line are relative to, and what git's variables say there.
#[derive(Clone, Debug)]
pub(super) struct Place {
    directory: PathBuf,
    pub(super) environment: Environment,
}

impl Place {
    /// Where the command line was typed.
    ///
    /// # Errors
    /// When `-C` names no directory.
    pub(super) fn typed_in(common: &Common) -> Result<Self, Failure> {
        let mut directory = environment::current_directory();
        if let Some(named) = &common.directory {
            directory.push(named);
            if !directory.is_dir() {
                return Err(Failure::new(format!("`{}` is not a directory", named.display()))
                    .help("name a directory that exists: `-C DIR`"));
            }
        }
        Ok(Self { directory, environment: environment::git(common.watch.directories()) })
    }

    /// Another directory, which git's variables do not mean.
    pub(super) fn elsewhere(&self, directory: PathBuf) -> Self {
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
