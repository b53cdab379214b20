//! The options of the caller.

use std::path::PathBuf;

use serde::Serialize;
use skilltree_git::Revision;
use skilltree_skills::source::Progress;

/// The source to read, and how to check it. Every member is the option of the same name of `skilltree check`.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The revision to read: by default the working tree, and `HEAD` in a bare repository.
    pub revision: Option<Revision>,
    /// What the caller sets in place of the repository.
    pub overrides: Overrides,
    /// More skills directories to check, by their paths in the repository; they are in no prompt block.
    pub directories: Vec<String>,
    /// The profile whose skills directories are read, for a prompt block.
    pub profile: Option<String>,
    /// Severities of rules, each as `RULE=SEVERITY`.
    pub rules: Vec<String>,
    /// Runtimes that the skills must work in, by the ids of their profiles.
    pub targets: Vec<String>,
    /// Whether findings name the affected runtimes outside the scope too.
    pub all_runtimes: bool,
    /// The revision to compare with: findings that its merge base has too are existing.
    pub base: Option<String>,
    /// The home directory, to read the user's and the system's skills too.
    pub home: Option<Home>,
    /// More skills directories outside the repository.
    pub external: Vec<PathBuf>,
    /// A file of the working tree whose text the caller replaces: its path and bytes, such as the buffer of an editor.
    pub typed: Option<(PathBuf, Vec<u8>)>,
}

impl Options {
    /// Returns whether a directory without a repository can be read, as with the options of the same names.
    pub(crate) fn is_for_any_directory(&self) -> bool {
        self.profile.is_some() || self.home.is_some() || !self.external.is_empty()
    }
}

/// What the caller sets in place of the repository. Each row is also a flag of every command that reads skills, with its help; an
/// artifact records it under the name of the flag, unless it is skipped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "cli", derive(clap::Args))]
pub struct Overrides {
    /// Read the configuration from FILE instead of the repository's skilltree.toml
    #[serde(skip)] // It is outside the repository, and an artifact must not depend on the machine.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE", group = "configuration"))]
    pub config: Option<PathBuf>,
    /// Read the configuration from the tree of REV; in `check` and `diff`, `base` is the base of the comparison
    #[cfg_attr(feature = "cli", arg(long, value_name = "REV", value_parser = clap::builder::NonEmptyStringValueParser::new(), group = "configuration", hide_short_help = true))]
    pub config_from: Option<String>,
    /// Ignore all configuration files
    #[cfg_attr(feature = "cli", arg(long, group = "configuration", hide_short_help = true))]
    pub no_config: bool,
    /// Apply the policy FILE, which the configuration may only add to and tighten
    #[serde(skip)] // As `config`.
    #[cfg_attr(feature = "cli", arg(long, value_name = "FILE", hide_short_help = true))]
    pub policy: Option<PathBuf>,
    /// Read the skills directories (their subdirectories are skills) that match GLOB, and search for no others. PROFILE sets the
    /// layout: agentskills (default) or symphony
    #[serde(rename = "root")]
    #[cfg_attr(feature = "cli", arg(long = "root", value_name = "GLOB[=PROFILE]", hide_short_help = true))]
    pub roots: Vec<String>,
    /// Also run preview rules, as warnings at most
    #[cfg_attr(feature = "cli", arg(long, hide_short_help = true))]
    pub preview: bool,
    /// Use DAY (YYYY-MM-DD) as today's date instead of the date of the checked commit
    #[cfg_attr(feature = "cli", arg(long, value_name = "DAY", hide_short_help = true))]
    pub today: Option<String>,
}

/// Whether the user's skills can be read: the system's are read in both cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// The home directory.
    Directory(PathBuf),
    /// No home directory is known.
    Unknown,
}

/// Which skills a prompt block contains, and how it looks. Every member is an option of `skilltree prompt`.
#[derive(Clone, Debug, Default)]
pub struct PromptOptions {
    /// The skills to select.
    pub selection: Selection,
    /// Limits of the block and of each skill; a limit that is not set is the profile's.
    pub budget: Budget,
    /// The path of a template in the repository.
    pub template: Option<String>,
    /// Whether to leave shared knowledge out.
    pub without_knowledge: bool,
    /// Whether to write one JSON message per skill, with its body, instead of a block.
    pub messages: bool,
    /// Whether to add catalog.json to the artifact, from which a dispatcher selects skills without this program.
    pub catalog: CatalogFile,
}

/// The skills that a prompt block contains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All accepted skills.
    #[default]
    All,
    /// The skills that fit a task, best first.
    Task {
        /// The text of the task.
        text: String,
        /// How skills are compared with the task.
        matcher: Matcher,
        /// The maximum number of skills, before the budget applies; `None` for the profile's.
        top: Option<usize>,
        /// Omits skills that name roles, but not this one.
        role: Option<String>,
        /// The id of the task in the shared knowledge.
        id: Option<String>,
    },
    /// The skills that a text mentions as `$NAME`, `@NAME` or `/NAME`, in that order.
    Mention(String),
    /// The skills with these names or directories, in this order.
    Skills(Vec<String>),
    /// The skills that .agent/threads.json binds to a thread.
    Thread(String),
    /// The skills that it binds to the active thread.
    ActiveThread,
}

/// Whether an artifact has a catalog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CatalogFile {
    /// No catalog.
    #[default]
    Absent,
    /// A catalog without the bodies of the skills.
    WithoutBodies,
    /// A catalog with the bodies of the skills.
    WithBodies,
}

/// How skills are compared with a task.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matcher {
    /// By tags if a skill has some, otherwise by BM25.
    #[default]
    Auto,
    /// By tags.
    Tags,
    /// By name, description and body, ranked by BM25.
    Bm25,
}

/// Limits of a prompt block, and of each skill in it. Tokens are estimated as one per four characters (code points).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Skills in the block.
    pub skills: Option<u64>,
    /// Bytes of the block.
    pub bytes: Option<u64>,
    /// Characters of the block.
    pub chars: Option<u64>,
    /// Tokens of the block.
    pub tokens: Option<u64>,
    /// Bytes of one skill.
    pub each_bytes: Option<u64>,
    /// Characters of one skill.
    pub each_chars: Option<u64>,
    /// Tokens of one skill.
    pub each_tokens: Option<u64>,
}

/// Follows a run: draws its progress and shows its warnings.
pub(crate) trait Observer {
    /// Counts the skills that are read.
    fn progress(&self) -> &Progress;
    /// Begins to read the skills.
    fn read(&self) {}
    /// Begins to run the rules.
    fn lint(&self) {}
    /// Shows a warning that changes what the result means, and what to do.
    fn warn(&self, message: &str, help: Option<&str>);
}
