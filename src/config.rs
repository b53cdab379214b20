//! skilltree.toml and WORKFLOW.md's `agent.skills`, as one plain value. It knows every rule's id; its faults are findings.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use bstr::{BStr, ByteSlice};
use globset::GlobSet;

use crate::limits::Limits;
use crate::profile::Profiles;
use crate::roots::RootSet;
use crate::rule::{Copies, Defaults, Dispatch, Level, Rule};
use crate::snapshot::File;

mod command_line;
mod copies;
mod entry;
mod exceptions;
mod faults;
pub mod keys;
mod paths;
mod profiles;
mod read;
mod roots;
mod settings;
mod table;
mod workflow;

pub use command_line::CommandLine;
pub use entry::removal;
pub use faults::rule_help;
pub use profiles::faulty;
pub use read::read;

use workflow::Workflow;

/// The name of our file, at the repository's root.
pub const SETTINGS: &str = "skilltree.toml";

/// The name of Symphony's file, at the repository's root.
pub const WORKFLOW: &str = "WORKFLOW.md";

/// The configuration in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which directories hold skills.
    pub roots: RootSet,
    /// The numbers in force.
    pub limits: Limits,
    /// The runtimes that the skills must work in, by the names of their profiles.
    pub targets: Vec<String>,
    /// Which roots are meant to hold the same skills.
    pub copies: Copies,
    /// The levels that the repository and the command line set.
    pub levels: Levels,
    /// Findings that somebody left out, with a reason.
    pub ignores: Vec<Ignore>,
    /// What decides about the prompt block.
    pub dispatch: Dispatch,
    /// The template that makes the prompt block where the command line does not say otherwise: a path from the root.
    pub template: Option<String>,
    /// The profiles known: ours and the repository's.
    pub profiles: Profiles,
    /// The configuration files that were read, with their texts.
    pub files: Vec<File>,
    /// What is wrong with them.
    pub faults: Vec<ConfigFault>,
}

/// Levels by rule: the edition's, then the repository's, then a path's, then the command line's.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// The edition's.
    pub defaults: Defaults,
    /// `[rules]`.
    pub set: BTreeMap<&'static str, Level>,
    /// `[[override]]`, in the order of the file.
    pub overrides: Vec<Override>,
    /// `--rule ID=LEVEL`.
    pub forced: BTreeMap<&'static str, Level>,
}

/// Levels for the files that some patterns match.
#[derive(Clone, Debug)]
pub struct Override {
    /// The files.
    pub paths: GlobSet,
    /// Their levels.
    pub levels: BTreeMap<&'static str, Level>,
}

/// An entry of `[[ignore]]`.
#[derive(Clone, Debug)]
pub struct Ignore {
    /// The rule.
    pub rule: &'static Rule,
    /// The files: the path that is written, and everything below it.
    pub path: GlobSet,
    /// The path as it is written.
    pub pattern: String,
    /// Why; empty when it does not say, and then it leaves nothing out.
    pub reason: String,
    /// The last day on which it holds, as days since 1970-01-01.
    pub until: Option<i64>,
    /// Where it stands: the number of the file in [`Config::files`], and the bytes of it. `None` when it stands in a file
    /// that is not judged.
    pub written: Option<(usize, Range<usize>)>,
}

impl Ignore {
    /// Whether another one says the same, wherever it stands.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let said = |ignore: &'_ Self| (ignore.rule.id, ignore.until);
        said(self) == said(other) && (&self.pattern, &self.reason) == (&other.pattern, &other.reason)
    }
}

/// Something wrong with a configuration file, that a rule says.
#[derive(Clone, Debug)]
pub struct ConfigFault {
    /// The rule that says it.
    pub rule: &'static Rule,
    /// The number of the file in [`Config::files`].
    pub file: usize,
    /// The bytes of it.
    pub range: Range<usize>,
    /// The fact.
    pub message: String,
    /// The exact edit in words.
    pub help: Option<String>,
}

/// What the configuration is made of.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// skilltree.toml with its text, under the path to show.
    pub settings: Option<File>,
    /// WORKFLOW.md with its text.
    pub workflow: Option<File>,
    /// What the command line says.
    pub overrides: CommandLine,
}

/// Why there is no configuration: a skilltree.toml that cannot be understood, or a word of the command line that names
/// nothing. Everything else that is wrong is a finding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// The file and the bytes of it; `None` when it is the command line.
    pub place: Option<Box<(File, Range<usize>)>>,
    /// The fact.
    pub message: String,
    /// The exact edit in words.
    pub help: Option<String>,
}

impl Error {
    fn at(file: File, range: Range<usize>, message: String, help: Option<String>) -> Self {
        Self { place: Some(Box::new((file, range))), message, help }
    }

    fn usage(message: String, help: String) -> Self {
        Self { place: None, message, help: Some(help) }
    }
}

impl Config {
    /// The configuration of a repository without configuration files.
    pub fn new() -> Self {
        let mut config = Self::empty();
        config.roots.patterns = roots::defaults(&Workflow::default(), &config.profiles, None);
        config.roots.near = roots::near(&config.roots.patterns, &config.targets, &config.profiles);
        config
    }

    /// The defaults, without any root.
    fn empty() -> Self {
        let limits = Limits::default();
        Self {
            roots: roots::bounded(&limits),
            targets: Vec::new(),
            copies: Copies::default(),
            levels: Levels::default(),
            ignores: Vec::new(),
            dispatch: Dispatch { enabled: true, cap: None },
            template: None,
            profiles: Profiles::default(),
            files: Vec::new(),
            faults: Vec::new(),
            limits,
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

impl Levels {
    /// The level of a rule for a file.
    pub fn level(&self, rule: &Rule, path: &BStr) -> Level {
        if let Some(&level) = self.forced.get(rule.id) {
            return level;
        }
        let overridden = self.overrides.iter().rev().find_map(|entry| {
            let level = entry.levels.get(rule.id)?;
            entry.paths.is_match(&*as_path(path)).then_some(*level)
        });
        overridden.or_else(|| self.set.get(rule.id).copied()).unwrap_or_else(|| self.defaults.level(rule))
    }

    /// Whether some file may have this rule at another level than off: a rule that is off everywhere need not run.
    pub fn may_run(&self, rule: &Rule) -> bool {
        if let Some(&level) = self.forced.get(rule.id) {
            return level != Level::Off;
        }
        let base = self.set.get(rule.id).copied().unwrap_or_else(|| self.defaults.level(rule));
        base != Level::Off
            || self.overrides.iter().any(|entry| entry.levels.get(rule.id).is_some_and(|&l| l != Level::Off))
    }
}

/// A path of the tree for globset, which matches raw bytes.
pub fn as_path(path: &BStr) -> Cow<'_, Path> {
    path.to_path_lossy()
}

#[cfg(test)]
mod tests;
