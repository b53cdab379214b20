//! Read errors with their own messages: the error chains of libraries print absolute paths and raw bytes.

mod objects;

use std::path::PathBuf;

use bstr::{BString, ByteSlice};

pub use self::objects::{BadObject, Damage};
use skilltree_front_matter::{Excess, text};

/// Why nothing can be checked. Names from the tree are raw: the caller escapes the message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// There is no repository.
    #[error("`{}` is not in a Git repository", place.display())]
    NoRepository {
        /// Where the search began.
        place: PathBuf,
    },
    /// The repository belongs to another user.
    #[error("the repository at `{}` belongs to another user", place.display())]
    Untrusted {
        /// Where the search began.
        place: PathBuf,
    },
    /// The repository cannot be opened.
    #[error("the repository at `{}` cannot be opened: {reason}", place.display())]
    Repository {
        /// Where the search began.
        place: PathBuf,
        /// The reason, as far as known.
        reason: String,
    },
    /// The repository has an unknown format.
    #[error("the repository at `{}` has an unknown format: {reason}", place.display())]
    Format {
        /// Where the search began.
        place: PathBuf,
        /// The unknown setting.
        reason: String,
    },
    /// The revision needs a reflog, and the repository stores its reflogs as reftable.
    #[error("`{revision}` needs a reflog, which cannot be read from a reftable")]
    Reflogs {
        /// The revision as requested.
        revision: String,
    },
    /// A temporary directory cannot be created.
    #[error("a temporary directory cannot be created in `{}`: {reason}", place.display())]
    Temporary {
        /// Where.
        place: PathBuf,
        /// The reason, from the system.
        reason: String,
    },
    /// The repository has no working tree.
    #[error("the repository is bare: it has no working tree")]
    NoWorkTree,
    /// The configuration of the repository sets another working tree.
    #[error("`core.worktree` sets another working tree")]
    WorkTreeElsewhere,
    /// The index cannot be read.
    #[error("the index cannot be read: {reason}")]
    Index {
        /// The reason, as far as known.
        reason: &'static str,
    },
    /// The revision does not exist.
    #[error("`{revision}` is not a commit, tag or tree")]
    Revision {
        /// The revision as requested.
        revision: String,
        /// The branches and tags with the most similar names.
        nearest: Vec<String>,
    },
    /// Several references have the name and different values.
    #[error("`{revision}` is the name of {} references: {}", names.len(), quoted(names).join(", "))]
    Ambiguous {
        /// The name as requested.
        revision: String,
        /// The full names of the references; git would take the first.
        names: Vec<String>,
    },
    /// The revision is a search.
    #[error("`{revision}` searches the history, which is not supported")]
    Search {
        /// The revision as requested.
        revision: String,
    },
    /// The revision may be missing because the clone is shallow.
    #[error("`{revision}` is not in this shallow clone")]
    Shallow {
        /// The revision as requested.
        revision: String,
    },
    /// `HEAD` was requested before the first commit.
    #[error("`{revision}` has no commit yet")]
    Unborn {
        /// The revision as requested.
        revision: String,
    },
    /// The repository is bare and has no commit.
    #[error("the repository is bare and has no commit yet")]
    Empty,
    /// Objects are missing or damaged.
    #[error("{}", objects::words(.0))]
    Objects(Vec<BadObject>),
    /// A file or directory cannot be read.
    #[error("`{}` cannot be read: {reason}", text::lossless(path.as_bstr()))]
    Unreadable {
        /// The path, relative to the repository's root if it is in one.
        path: BString,
        /// The reason.
        reason: String,
    },
    /// The named file is not a SKILL.md.
    #[error("`{}` is neither a directory nor a SKILL.md", text::lossless(path.as_bstr()))]
    NotASkill {
        /// The path as it was named.
        path: BString,
    },
    /// The root of the file system, or a skill directly in it, was named.
    #[error("`{}` is the root of the file system, not a skills directory", text::lossless(path.as_bstr()))]
    Top {
        /// The path as it was named.
        path: BString,
    },
    /// A file changed while it was read.
    #[error("`{}` changed while it was read", text::lossless(path.as_bstr()))]
    Changed {
        /// The path.
        path: BString,
    },
    /// There are more entries below a root than the limit.
    #[error("there are more than {} files and directories below {}", text::grouped(limit), root_words(root))]
    TooMany {
        /// The root, or the fixed part of its pattern.
        root: BString,
        /// The limit.
        limit: u64,
    },
    /// The root patterns search more directories than the limit.
    #[error("the root patterns search more than {} directories", text::grouped(limit))]
    TooWide {
        /// The limit, for all patterns together.
        limit: u64,
    },
    /// The search for skills meets more directories than the limit.
    #[error("there are more than {} directories to search for skills", text::grouped(limit))]
    TooManyDirectories {
        /// The limit.
        limit: u64,
    },
    /// The paths that the search for skills meets or finds are longer in total than the limit.
    #[error("the paths to search for skills have more than {} bytes in total", text::grouped(limit))]
    TooLongSearch {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The ignore files in skills directories and packages have more distinct patterns than the limit.
    #[error("the ignore files in skills directories and packages have more than {} patterns", text::grouped(limit))]
    TooManyPatterns {
        /// The limit.
        limit: usize,
    },
    /// The ignore files in skills directories and packages have longer patterns together than the limit.
    #[error(
        "the patterns of the ignore files in skills directories and packages have more than {} bytes in total",
        text::grouped(limit)
    )]
    TooLongPatterns {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A directory with agents, commands or programs has more entries than the limit.
    #[error("`{directory}` has more than {} entries", text::grouped(limit))]
    TooManyAgents {
        /// The directory.
        directory: BString,
        /// The limit.
        limit: usize,
    },
    /// More directories have settings of runtimes than the limit.
    #[error("settings of runtimes are in more than {} directories", text::grouped(limit))]
    TooManySettings {
        /// The limit.
        limit: usize,
    },
    /// The definition of an agent is longer than the limit.
    #[error("`{}` has more than {} bytes", text::lossless(path.as_bstr()), text::grouped(limit))]
    TooLargeAgent {
        /// Its path.
        path: BString,
        /// The limit.
        limit: usize,
    },
    /// The definitions of agents are longer in total than the limit.
    #[error("the agents in `.claude/agents` have more than {} bytes in total", text::grouped(limit))]
    TooLongAgents {
        /// The limit.
        limit: usize,
    },
    /// The commands are longer in total than the limit.
    #[error("the commands of the project and its plugins have more than {} bytes in total", text::grouped(limit))]
    TooLongCommands {
        /// The limit.
        limit: usize,
    },
    /// The front matter of an agent exceeds a limit.
    #[error("the front matter of `{}` {excess}", text::lossless(path.as_bstr()))]
    ComplexAgent {
        /// The path of the agent.
        path: BString,
        /// The limit.
        excess: Excess,
    },
    /// There are more manifests of plugins than the limit.
    #[error("there are more than {} plugin manifests", text::grouped(limit))]
    TooManyManifests {
        /// The limit.
        limit: usize,
    },
    /// The manifests of plugins are longer in total than the limit.
    #[error("the plugin manifests have more than {} bytes in total", text::grouped(limit))]
    TooLongManifests {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The manifests of plugins hold more values than the limit.
    #[error("the plugin manifests hold more than {} values", text::grouped(limit))]
    TooManyValues {
        /// The limit, for all manifests together.
        limit: usize,
    },
    /// The packages hold more skills together than the limit: a skill counts for each package around it.
    #[error("the plugins of all manifests hold more than {} skills together", text::grouped(limit))]
    TooManyPackaged {
        /// The limit.
        limit: usize,
    },
    /// The manifests of plugins name more paths than the limit.
    #[error("the plugin manifests name more than {} paths", text::grouped(limit))]
    TooManyNamed {
        /// The limit, for all manifests together.
        limit: usize,
    },
    /// The paths that the manifests of plugins name are longer in total than the limit.
    #[error("the paths that plugin manifests name have more than {} bytes in total", text::grouped(limit))]
    TooLongNamed {
        /// The limit, in bytes.
        limit: usize,
    },
    /// The marketplaces have more entries than the limit.
    #[error("the marketplaces have more than {} entries", text::grouped(limit))]
    TooManyEntries {
        /// The limit, for all marketplaces together.
        limit: usize,
    },
    /// Settings have more permissions for skills than the limit.
    #[error("the settings have more than {} permissions for skills", text::grouped(limit))]
    TooManyPermissions {
        /// The limit.
        limit: usize,
    },
    /// The skills take more memory than the limit.
    #[error("the skills, their reference files and lists take more than {} MiB of memory", limit >> 20)]
    TooMuchMemory {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A root has more other spellings than the limit.
    #[error("the root `{}` has more than {} spellings that macOS or Windows treat as one path", text::lossless(path.as_bstr()), text::grouped(limit))]
    TooManySpellings {
        /// The path of the root.
        path: BString,
        /// The limit.
        limit: usize,
    },
    /// The search for skills meets a directory that is nested deeper than the limit.
    #[error("`{}` is nested more than {} directories deep", text::lossless(path.as_bstr()), text::grouped(limit))]
    TooDeepSearch {
        /// The directory, or the beginning of its path.
        path: BString,
        /// The limit.
        limit: u64,
    },
    /// There are more entries below all roots than the limit.
    #[error("there are more than {} files and directories below all roots", text::grouped(limit))]
    TooManyTogether {
        /// The limit.
        limit: u64,
    },
    /// The paths are longer in total than the limit: trees that share children produce many paths from a few bytes.
    #[error("the paths below all roots have more than {} bytes", text::grouped(limit))]
    TooLongTogether {
        /// The limit, in bytes.
        limit: usize,
    },
    /// Directories below a root are nested deeper than the limit.
    #[error("`{}` is more than {} directories below its root", text::lossless(path.as_bstr()), text::grouped(limit))]
    TooDeep {
        /// The first directory that is too deep.
        path: BString,
        /// The maximum depth.
        limit: u64,
    },
    /// A root of the repository has the display path of an external directory.
    #[error("the root `{}` has the path of a directory outside the repository", text::lossless(path.as_bstr()))]
    TakenPath {
        /// The path of the root.
        path: BString,
    },
    /// A path is longer than a checkout can hold.
    #[error("a path is longer than {} bytes; it starts with `{}`", text::grouped(limit), text::lossless(path.as_bstr()))]
    TooLong {
        /// The beginning of the path.
        path: BString,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The pattern of a root is not a valid glob.
    #[error("`{pattern}` is not a valid root pattern: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The reason, from the glob library.
        reason: String,
    },
}

/// Describes a root; the fixed part of a pattern may be empty.
fn root_words(root: &BString) -> String {
    if root.is_empty() { "the repository root".to_owned() } else { format!("`{}`", text::lossless(root.as_bstr())) }
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

impl Error {
    /// Returns more lines of the message: the damaged objects, if there are several.
    pub fn details(&self) -> Vec<String> {
        match self {
            Self::Objects(bad) => objects::lines(bad),
            _ => Vec::new(),
        }
    }

    /// Returns what to do next.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoRepository { .. } => {
                "run `git init`, or pass a directory: `skilltree check path/to/skills`".to_owned()
            }
            Self::Untrusted { .. } => {
                "run as the owner of the repository, or add exactly this repository to `safe.directory`".to_owned()
            }
            Self::Repository { .. } => "run `git status` there to see what Git reports".to_owned(),
            Self::Format { .. } => "use a newer release of skilltree, or an older repository format".to_owned(),
            Self::Temporary { .. } => "set `TMPDIR` to a directory that you can write to".to_owned(),
            Self::NoWorkTree => "pass a revision: `--rev HEAD`".to_owned(),
            Self::Index { .. } => "run `git status`, or `git read-tree HEAD` to rebuild the index".to_owned(),
            Self::WorkTreeElsewhere => "set `GIT_WORK_TREE` to it, or check the index: `--staged`".to_owned(),
            Self::Revision { nearest, .. } if !nearest.is_empty() => {
                format!("did you mean {}?", quoted(nearest).join(" or "))
            }
            Self::Ambiguous { names, .. } => format!("write the full name: {}", quoted(names).join(" or ")),
            Self::Search { .. } | Self::Reflogs { .. } => "pass the id that Git finds: `--rev \"$(git rev-parse REV)\"`".to_owned(),
            Self::Revision { revision, .. } => {
                // The suggested command must be safe to paste into a shell.
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/@^~:{}".contains(c);
                let revision = if revision.chars().all(is_plain) { revision } else { "REV" };
                format!(
                    "run `git rev-parse --verify {revision}`; in a shallow clone, fetch all history: `fetch-depth: 0`"
                )
            }
            Self::Shallow { .. } => {
                "fetch all history: `fetch-depth: 0` for `actions/checkout`, or `git fetch --unshallow`; for the merge commit of a pull \
                 request, `fetch-depth: 2` is enough"
                    .to_owned()
            }
            Self::Unborn { .. } => "commit first, or check the index: `--staged`".to_owned(),
            Self::Empty => "push a commit first".to_owned(),
            Self::Objects(bad) => objects::help(bad),
            Self::Unreadable { .. } => "check that it exists and is readable, then run again".to_owned(),
            Self::NotASkill { path } => {
                format!("read it from standard input: `skilltree check - < {}`", text::lossless(path.as_bstr()))
            }
            Self::Top { .. } => "pass the skills directory: `skilltree check path/to/skills`".to_owned(),
            Self::Changed { .. } => "run again when no other program changes it".to_owned(),
            Self::TooManyPatterns { .. } | Self::TooLongPatterns { .. } => {
                "remove patterns that match nothing in these directories".to_owned()
            }
            Self::TooMany { .. } => "raise `limits.root-files`, or use a narrower root".to_owned(),
            Self::TooWide { .. } => "use fewer patterns with `**`, or start them with a fixed directory".to_owned(),
            Self::TooManyDirectories { .. }
            | Self::TooDeepSearch { .. }
            | Self::TooLongSearch { .. }
            | Self::TooManyManifests { .. }
            | Self::TooLongManifests { .. }
            | Self::TooManyValues { .. }
            | Self::TooManyPackaged { .. }
            | Self::TooManyNamed { .. }
            | Self::TooLongNamed { .. }
            | Self::TooManyEntries { .. } => {
                "name the skills directories: `[[root]]` in skilltree.toml, `--root GLOB`, or a path".to_owned()
            }
            Self::TooManyPermissions { .. } => "remove permissions, or use fewer patterns".to_owned(),
            Self::TooManySettings { .. } => "turn off the rule `authority-widened`".to_owned(),
            Self::TooManyAgents { .. } | Self::TooLongAgents { .. } | Self::TooLongCommands { .. } => "move other files out of it".to_owned(),
            Self::TooLargeAgent { .. } | Self::ComplexAgent { .. } => "shorten it".to_owned(),
            Self::TooMuchMemory { .. } => {
                "use fewer or narrower roots, or exclude directories: `exclude` in skilltree.toml".to_owned()
            }
            Self::TooManyTogether { .. } | Self::TooLongTogether { .. } => "use fewer or narrower roots".to_owned(),
            Self::TooDeep { .. } => "raise `limits.root-depth`, or nest directories less deeply".to_owned(),
            Self::TooLong { .. } => "shorten the path: Git cannot check it out".to_owned(),
            Self::TooManySpellings { .. } => "rename or remove the other directories".to_owned(),
            Self::TakenPath { .. } => "rename the directory, or remove `--user` and `--external`".to_owned(),
            Self::Pattern { .. } => "correct the pattern".to_owned(),
        })
    }

    /// Returns the first error, or all damaged objects together if there is no other error.
    pub(super) fn join(errors: Vec<Self>) -> Option<Self> {
        let mut objects = Vec::new();
        for error in errors {
            match error {
                Self::Objects(bad) => objects.extend(bad),
                other => return Some(other),
            }
        }
        objects.sort();
        objects.dedup();
        (!objects.is_empty()).then_some(Self::Objects(objects))
    }

    /// Returns all results, or the joined errors.
    pub(super) fn collect<T>(results: Vec<Result<T, Self>>) -> Result<Vec<T>, Self> {
        let mut errors = Vec::new();
        // In place: the results can be large.
        let values = results.into_iter().filter_map(|result| result.map_err(|error| errors.push(error)).ok()).collect();
        Self::join(errors).map_or(Ok(values), Err)
    }
}
