//! Why a source could not be read, in our own words: a library's chain of causes prints absolute paths and raw bytes.

mod objects;

use std::path::PathBuf;

use bstr::{BString, ByteSlice};

pub use self::objects::{BadObject, Damage};
use crate::text;

/// Why nothing can be judged. Names from the tree are raw: whoever prints the message escapes it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// There is no repository.
    #[error("`{}` is in no git repository", place.display())]
    NoRepository {
        /// Where the search began.
        place: PathBuf,
    },
    /// The repository belongs to somebody else.
    #[error("the repository at `{}` belongs to another user", place.display())]
    Untrusted {
        /// Where the search began.
        place: PathBuf,
    },
    /// The repository is there and cannot be opened.
    #[error("the repository at `{}` cannot be opened: {reason}", place.display())]
    Repository {
        /// Where the search began.
        place: PathBuf,
        /// What is wrong, as far as it is known.
        reason: String,
    },
    /// The repository is of a format that is not known.
    #[error("the repository at `{}` is of an unknown format: {reason}", place.display())]
    Format {
        /// Where the search began.
        place: PathBuf,
        /// The setting that is not known.
        reason: String,
    },
    /// The repository stores its references in a way that cannot be read.
    #[error("the repository stores its references as reftable, which cannot be read yet")]
    References,
    /// The repository has no work tree.
    #[error("the repository is bare: it has no work tree")]
    NoWorkTree,
    /// The configuration of the repository puts its work tree elsewhere.
    #[error("`core.worktree` puts the work tree of the repository elsewhere")]
    WorkTreeElsewhere,
    /// The index cannot be read.
    #[error("the index cannot be read: {reason}")]
    Index {
        /// What is wrong, as far as it is known.
        reason: &'static str,
    },
    /// The revision names nothing.
    #[error("`{revision}` names no commit, tag or tree")]
    Revision {
        /// The revision as it was asked for.
        revision: String,
        /// The branches and tags with the most similar names.
        nearest: Vec<String>,
    },
    /// Several references have the name, and hold different objects.
    #[error("`{revision}` is the name of {} references: {}", names.len(), quoted(names).join(", "))]
    Ambiguous {
        /// The name as it was asked for.
        revision: String,
        /// The whole names of the references, the one that git would take first.
        names: Vec<String>,
    },
    /// The revision is a search.
    #[error("`{revision}` searches the history, which is left to git")]
    Search {
        /// The revision as it was asked for.
        revision: String,
    },
    /// The revision may be one that a shallow clone left out.
    #[error("`{revision}` is not in this shallow clone")]
    Shallow {
        /// The revision as it was asked for.
        revision: String,
    },
    /// `HEAD` was asked for, and nothing was committed yet.
    #[error("`{revision}` has no commit yet")]
    Unborn {
        /// The revision as it was asked for.
        revision: String,
    },
    /// Objects are missing or damaged.
    #[error("{}", objects::words(.0))]
    Objects(Vec<BadObject>),
    /// A file or directory of the disk cannot be read.
    #[error("`{}` cannot be read: {reason}", text::lossless(path.as_bstr()))]
    Unreadable {
        /// The path, from the repository's root where it lies in one.
        path: BString,
        /// The reason in words.
        reason: String,
    },
    /// A file was named that is no skill.
    #[error("`{}` is neither a directory nor a SKILL.md", text::lossless(path.as_bstr()))]
    NotASkill {
        /// The path as it was named.
        path: BString,
    },
    /// The top of the disk was named, or a skill in it.
    #[error("`{}` is the top of the disk, which is no directory of skills", text::lossless(path.as_bstr()))]
    Top {
        /// The path as it was named.
        path: BString,
    },
    /// A file of the disk is not the one that was judged.
    #[error("`{}` changed while it was read", text::lossless(path.as_bstr()))]
    Changed {
        /// The path.
        path: BString,
    },
    /// There is more below a root than may be listed.
    #[error("more than {limit} files and directories below {}", root_words(root))]
    TooMany {
        /// The root, or the fixed part of its pattern.
        root: BString,
        /// How many may be listed.
        limit: u64,
    },
    /// The patterns of the roots lead through more than may be searched.
    #[error("the patterns of the roots lead through more than {limit} directories")]
    TooWide {
        /// How many all patterns together may lead through.
        limit: u64,
    },
    /// There is more below all roots than may be listed.
    #[error("more than {limit} files and directories below all roots together")]
    TooManyTogether {
        /// How many may be listed.
        limit: u64,
    },
    /// Trees that share their children make more paths out of a few bytes than there is memory.
    #[error("the paths that the roots lead to are longer than {limit} bytes together")]
    TooLongTogether {
        /// How many bytes they may have.
        limit: usize,
    },
    /// Directories below a root are nested deeper than may be entered.
    #[error("`{}` lies more than {limit} directories below its root", text::lossless(path.as_bstr()))]
    TooDeep {
        /// The first directory that is too deep.
        path: BString,
        /// How deep it may lie.
        limit: u64,
    },
    /// A root of the repository has the path that a directory beside it is shown by.
    #[error("the root `{}` has the path of a directory that is read beside the repository", text::lossless(path.as_bstr()))]
    TakenPath {
        /// The path of the root.
        path: BString,
    },
    /// A path is longer than any checkout could hold.
    #[error("a path is longer than {limit} bytes; it begins with `{}`", text::lossless(path.as_bstr()))]
    TooLong {
        /// The beginning of the path.
        path: BString,
        /// How many bytes it may have.
        limit: usize,
    },
    /// The pattern of a root is no glob.
    #[error("`{pattern}` is no valid pattern of roots: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The reason, in the words of the matcher.
        reason: String,
    },
}

/// A root in words; the fixed part of a pattern may be the top of everything.
fn root_words(root: &BString) -> String {
    if root.is_empty() { "the top".to_owned() } else { format!("`{}`", text::lossless(root.as_bstr())) }
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

impl Error {
    /// What to do next.
    pub fn help(&self) -> Option<String> {
        Some(match self {
            Self::NoRepository { .. } => {
                "run `git init`, or pass a directory: `skilltree check path/to/skills`".to_owned()
            }
            Self::Untrusted { .. } => {
                "run as the owner of the repository, or let `safe.directory` name exactly this repository".to_owned()
            }
            Self::Repository { .. } => "run `git status` there to see what git says of it".to_owned(),
            Self::Format { .. } => "use a newer release, or a repository that older programs can read".to_owned(),
            Self::References => "pass the full id of a commit: `--rev \"$(git rev-parse HEAD)\"`".to_owned(),
            Self::NoWorkTree => "name a revision: `--rev HEAD`".to_owned(),
            Self::Index { .. } => "run `git status`; `git read-tree HEAD` makes a new index".to_owned(),
            Self::WorkTreeElsewhere => "let `GIT_WORK_TREE` name it, or check the index: `--staged`".to_owned(),
            Self::Revision { nearest, .. } if !nearest.is_empty() => {
                format!("did you mean {}?", quoted(nearest).join(" or "))
            }
            Self::Ambiguous { names, .. } => {
                format!("write the whole name: {}", quoted(names).join(" or "))
            }
            Self::Search { .. } => "pass the id that git finds: `--rev \"$(git rev-parse REV)\"`".to_owned(),
            Self::Revision { revision, .. } => {
                // Whoever pastes the command into a shell must run nothing else.
                let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/@^~:{}".contains(c);
                let revision = if revision.chars().all(is_plain) { revision } else { "REV" };
                format!(
                    "`git rev-parse --verify {revision}` shows what git makes of it; a shallow clone may lack it: `fetch-depth: 0`"
                )
            }
            Self::Shallow { .. } => {
                "fetch what is missing: `fetch-depth: 2` for `actions/checkout`, or `git fetch --deepen=1`".to_owned()
            }
            Self::Unborn { .. } => "commit first, or check the index: `--staged`".to_owned(),
            Self::Objects(bad) if bad.iter().any(|object| object.damage == Damage::NotFetched) => {
                "run `git fetch --refetch --no-filter`: this is a partial clone".to_owned()
            }
            Self::Objects(_) => "run `git fsck`".to_owned(),
            Self::Unreadable { .. } => "check the permissions, then run again".to_owned(),
            Self::NotASkill { path } => {
                format!("read it from standard input: `skilltree check - < {}`", text::lossless(path.as_bstr()))
            }
            Self::Top { .. } => {
                "name the directory that the skills lie in: `skilltree check path/to/skills`".to_owned()
            }
            Self::Changed { .. } => "run again when nothing writes there".to_owned(),
            Self::TooMany { .. } => "raise `limits.root-files`, or name a narrower root".to_owned(),
            Self::TooWide { .. } => {
                "write fewer patterns with `**`, or let them begin with a fixed directory".to_owned()
            }
            Self::TooManyTogether { .. } | Self::TooLongTogether { .. } => "name fewer or narrower roots".to_owned(),
            Self::TooDeep { .. } => "raise `limits.root-depth`, or nest less".to_owned(),
            Self::TooLong { .. } => "rename what it names: git could not check it out".to_owned(),
            Self::TakenPath { .. } => "rename the directory, or leave out `--user-roots` and `--external`".to_owned(),
            Self::Pattern { .. } => "correct the pattern".to_owned(),
        })
    }

    /// The first error, or all damaged objects together when nothing worse happened.
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

    /// Every result, or what went wrong in all of them.
    pub(super) fn collect<T>(results: Vec<Result<T, Self>>) -> Result<Vec<T>, Self> {
        let mut values = Vec::with_capacity(results.len());
        let mut errors = Vec::new();
        for result in results {
            match result {
                Ok(value) => values.push(value),
                Err(error) => errors.push(error),
            }
        }
        Self::join(errors).map_or(Ok(values), Err)
    }
}
