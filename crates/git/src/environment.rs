//! Git's environment variables, read by the caller.

use std::path::PathBuf;

use crate::temporary::Temporaries;

/// Git's environment variables. The caller reads them; this crate does not read the environment.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// `GIT_DIR`.
    pub git_dir: Option<PathBuf>,
    /// `GIT_WORK_TREE`.
    pub work_tree: Option<PathBuf>,
    /// `GIT_INDEX_FILE`.
    pub index_file: Option<PathBuf>,
    /// `GIT_OBJECT_DIRECTORY`: where a pre-receive hook finds the pushed objects.
    pub object_directory: Option<PathBuf>,
    /// `GIT_ALTERNATE_OBJECT_DIRECTORIES`.
    pub alternates: Vec<PathBuf>,
    /// `GIT_CEILING_DIRECTORIES`.
    pub ceilings: Vec<PathBuf>,
    /// The ids in the names `GITHEAD_ID`: the commits that `git merge` brings in. Before the hook `pre-merge-commit` git writes
    /// no `MERGE_HEAD`.
    pub merge_heads: Vec<String>,
    /// Tracks the temporary directories.
    pub temporaries: Temporaries,
}

impl Environment {
    /// Returns whether no variable is set.
    pub fn is_empty(&self) -> bool {
        let Self {
            git_dir,
            work_tree,
            index_file,
            object_directory,
            alternates,
            ceilings,
            merge_heads: _,
            temporaries: _,
        } = self;
        [git_dir, work_tree, index_file, object_directory].iter().all(|path| path.is_none())
            && alternates.is_empty()
            && ceilings.is_empty()
    }
}
