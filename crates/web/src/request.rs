//! What the playground asks: files, and how to check them. A link holds the same.

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};
use skilltree_lint::config::CommandLine;
use skilltree_lint::memory::Files;
use skilltree_skills::date;
use skilltree_skills::source::{Content, Entry};

/// Maximum number of bytes of a request (ours: 16 MiB).
pub const BYTES: usize = 16 << 20;

/// Maximum number of files of a request (ours: 2,000).
pub const FILES: usize = 2_000;

/// A request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The files.
    pub files: Vec<File>,
    /// Files of the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub base: Vec<File>,
    /// Severities, as in `--rule`: `ID=LEVEL`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// Day of the check: `2026-11-20`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub today: Option<String>,
    /// The edits to make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
}

/// The edits to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fix {
    /// Only those that keep the meaning.
    Safe,
    /// Also those that may change the meaning.
    Unsafe,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The path from the top.
    pub path: Bytes,
    /// The content; of a link, its target.
    #[serde(default)]
    pub text: Bytes,
    /// What it is; a regular file if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
}

/// Bytes: as text if they are UTF-8.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(untagged, expecting = "a string, or an object with `base64`")]
pub enum Bytes {
    /// UTF-8.
    Text(String),
    /// Other bytes.
    Base64 {
        /// The bytes in base64.
        base64: String,
    },
}

/// What a path is if it is not a regular file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A file with the executable bit.
    Executable,
    /// A symbolic link.
    Link,
    /// A commit of another repository.
    Submodule,
    /// A directory.
    Directory,
    /// Conflict stages.
    Unmerged,
    /// A file that is not added.
    Untracked,
    /// A file that an ignore file matches.
    Ignored,
}

/// Why a request cannot be answered.
#[derive(Debug, thiserror::Error)]
pub enum Mistake {
    /// It is too large.
    #[error("the files have more than {} MiB", BYTES >> 20)]
    TooLarge,
    /// It has too many files.
    #[error("there are more than {FILES} files")]
    TooManyFiles,
    /// It is not a request.
    #[error("the request is not valid: {0}")]
    Json(#[from] serde_json::Error),
    /// A content is not base64.
    #[error("a file is not valid base64")]
    Base64,
    /// The day does not exist.
    #[error("`{0}` is not a valid date")]
    Day(String),
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// If it is malformed or exceeds a limit.
    pub fn read(json: &str) -> Result<Self, Mistake> {
        if json.len() > BYTES {
            return Err(Mistake::TooLarge);
        }
        let request: Self = serde_json::from_str(json)?;
        match request.files.len() + request.base.len() > FILES {
            true => Err(Mistake::TooManyFiles),
            false => Ok(request),
        }
    }

    /// Returns the request for files.
    pub fn of(files: &Files) -> Self {
        Self {
            files: files.head.iter().map(File::of).collect(),
            base: files.base.iter().map(File::of).collect(),
            rules: files.overrides.rules.clone(),
            today: files.today.map(date::written),
            fix: None,
        }
    }

    /// Returns the files.
    ///
    /// # Errors
    /// If a content or the day is malformed.
    pub fn files(&self) -> Result<Files, Mistake> {
        let today = match &self.today {
            Some(day) => Some(date::parse(day).ok_or_else(|| Mistake::Day(day.clone()))?),
            None => None,
        };
        Ok(Files {
            head: self.files.iter().map(File::entry).collect::<Result<_, _>>()?,
            base: self.base.iter().map(File::entry).collect::<Result<_, _>>()?,
            today,
            overrides: CommandLine { rules: self.rules.clone(), ..CommandLine::default() },
        })
    }
}

impl File {
    fn of(entry: &Entry) -> Self {
        let file = |kind, bytes: &[u8]| Self { path: Bytes::of(&entry.path), text: Bytes::of(bytes), kind };
        match &entry.content {
            Content::File(bytes) => file(None, bytes),
            Content::Executable(bytes) => file(Some(Kind::Executable), bytes),
            Content::Link(target) => file(Some(Kind::Link), target),
            Content::Submodule => file(Some(Kind::Submodule), b""),
            Content::Directory => file(Some(Kind::Directory), b""),
            Content::Unmerged => file(Some(Kind::Unmerged), b""),
            Content::Untracked(bytes) => file(Some(Kind::Untracked), bytes),
            Content::Ignored(bytes) => file(Some(Kind::Ignored), bytes),
        }
    }

    fn entry(&self) -> Result<Entry, Mistake> {
        let bytes = self.text.decoded()?;
        let content = match self.kind {
            None => Content::File(bytes),
            Some(Kind::Executable) => Content::Executable(bytes),
            Some(Kind::Link) => Content::Link(bytes.into()),
            Some(Kind::Submodule) => Content::Submodule,
            Some(Kind::Directory) => Content::Directory,
            Some(Kind::Unmerged) => Content::Unmerged,
            Some(Kind::Untracked) => Content::Untracked(bytes),
            Some(Kind::Ignored) => Content::Ignored(bytes),
        };
        Ok(Entry { path: self.path.decoded()?.into(), content })
    }
}

impl Bytes {
    /// Returns bytes as text, or else in base64.
    pub fn of(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => Self::Base64 { base64: BASE64.encode(bytes) },
        }
    }

    fn decoded(&self) -> Result<Vec<u8>, Mistake> {
        match self {
            Self::Text(text) => Ok(text.clone().into_bytes()),
            Self::Base64 { base64 } => BASE64.decode(base64.as_bytes()).map_err(|_| Mistake::Base64),
        }
    }
}

impl Default for Bytes {
    fn default() -> Self {
        Self::Text(String::new())
    }
}
