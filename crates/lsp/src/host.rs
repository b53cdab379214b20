//! What the server needs from the program: repositories that it can check again and again.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use bstr::BString;
use skilltree_lint::Report;
use skilltree_lint::config::Config;
use skilltree_skills::source::Source;

/// Texts of open files, by path from the top of the repository.
pub type Texts = BTreeMap<BString, Vec<u8>>;

/// Opens repositories.
pub trait Opener: Send {
    /// Opens the repository that contains a directory.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    fn open(&self, directory: &Path) -> Result<Opened, Refusal>;

    /// Opens a directory outside any repository as if it were the top of one.
    fn open_directory(&self, directory: &Path) -> Opened;

    /// Returns the checker of one file without a place: the only text is that of its SKILL.md.
    fn untitled(&self) -> Box<dyn Repository>;
}

/// An opened repository.
pub struct Opened {
    /// Its working tree, to locate paths in it.
    pub source: Source,
    /// What checks it.
    pub repository: Box<dyn Repository>,
}

/// A repository that is checked while its files are edited.
pub trait Repository: Send {
    /// Checks the working tree, with the texts of open files in place of those on disk.
    ///
    /// # Errors
    /// If the configuration is malformed and none was read before, or a file cannot be read.
    fn check(&mut self, texts: &Texts) -> Result<Arc<Checked>, Refusal>;

    /// Forgets what was listed: files on disk may have changed.
    fn forget(&mut self);
}

/// Checks other texts over those of a check.
pub type Relint = dyn Fn(&Checked, &Texts) -> Result<Report, Refusal> + Send + Sync;

/// The result of a check.
pub struct Checked {
    /// The working tree with the texts.
    pub source: Source,
    /// The configuration in force.
    pub config: Config,
    /// The findings.
    pub report: Report,
    /// Why the configuration in the working tree is not in force; an earlier one is.
    pub fault: Option<Refusal>,
    /// Checks an edit.
    pub relint: Box<Relint>,
}

impl Checked {
    /// Checks the repository with other texts in some files.
    ///
    /// # Errors
    /// As [`Repository::check`].
    pub fn relint(&self, texts: &Texts) -> Result<Report, Refusal> {
        (self.relint)(self, texts)
    }
}

/// Why something could not be done.
#[derive(Debug, Default)]
pub struct Refusal {
    /// The fact.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// One finding with its file, for an error in a configuration file.
    pub report: Option<Box<Report>>,
    /// Whether there is no repository.
    pub is_outside: bool,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(formatter, " ({help})"))
    }
}
