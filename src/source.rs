//! The only readers: a repository's index or tree, a work tree, a directory, standard input, memory.
//!
//! A source is opened once and resolved to object ids; whatever is asked of it later is asked of those.

use std::path::{Path, PathBuf};

use bstr::{BStr, BString};

use crate::front_matter::Bounds;
use crate::roots::{Root, RootSet};
use crate::skill::Parsed;
use crate::snapshot::{File, ObjectId};
use crate::text::FileId;

/// Which state of a repository is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Revision {
    /// The index that git means: `GIT_INDEX_FILE`'s where it is set.
    Index,
    /// A commit, a tag or a tree, by any name that git resolves.
    Tree(String),
    /// The work tree.
    WorkTree,
}

/// What git's own variables say, collected by the caller: nothing here reads the environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `GIT_DIR`.
    pub git_dir: Option<PathBuf>,
    /// `GIT_INDEX_FILE`.
    pub index_file: Option<PathBuf>,
    /// `GIT_OBJECT_DIRECTORY`: where a pre-receive hook finds the pushed objects.
    pub object_directory: Option<PathBuf>,
    /// `GIT_ALTERNATE_OBJECT_DIRECTORIES`.
    pub alternates: Vec<PathBuf>,
    /// `GIT_CEILING_DIRECTORIES`.
    pub ceilings: Vec<PathBuf>,
}
