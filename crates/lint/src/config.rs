//! Configuration from skilltree.toml, `agent.skills` of WORKFLOW.md and the command line. Faults in it are findings.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use bstr::{BStr, ByteSlice};
use globset::GlobSet;

use crate::rule::{Copies, Defaults, Dispatch, Level, Rule, RuleRef, Severity, is_own_id};
use crate::rules;
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::limits::Limits;
use skilltree_skills::roots::{Exclude, RootSet};
use skilltree_skills::skill::VersionField;
use skilltree_skills::snapshot::File;

mod command_line;
mod copies;
mod entry;
mod exceptions;
mod faults;
pub mod keys;
mod listing;
mod loosened;
mod paths;
mod policy;
mod profiles;
mod read;
pub mod require;
mod roots;
mod routes;
pub mod rows;
mod settings;
mod table;
mod workflow;
mod written;

pub use command_line::CommandLine;
pub use entry::removal;
pub(crate) use faults::GIVE_POLICY;
pub use faults::rule_help;
pub use loosened::Loosened;
pub(crate) use loosened::lasts;
pub use policy::extended;
pub use profiles::faulty;
pub use read::read;
pub use require::Requirement;
pub use routes::Route;
pub use rows::loosened;

use workflow::Workflow;

/// File name of the settings, in the root directory of the repository.
pub const SETTINGS: &str = "skilltree.toml";

/// File name of Symphony's workflow, in the root directory of the repository.
pub const WORKFLOW: &str = "WORKFLOW.md";

/// Configuration in force.
#[derive(Clone, Debug)]
pub struct Config {
    /// Skills directories.
    pub roots: RootSet,
    /// Whether the default skills directories are read.
    pub default_roots: bool,
    /// Whether `--root` names skills directories, so that no others are searched.
    pub root_option: bool,
    /// `agent.skills.path` of WORKFLOW.md, as the pattern of a skills directory.
    pub workflow_path: Option<String>,
    /// Whether a run without skills fails.
    pub error_on_empty: bool,
    /// Limits in force.
    pub limits: Limits,
    /// Names of the limits that the repository sets.
    pub set_limits: BTreeSet<&'static str>,
    /// Targets, by profile name.
    pub targets: Vec<String>,
    /// Whether findings name the affected runtimes outside the scope too.
    pub all_runtimes: bool,
    /// Roots that hold copies of the same skills.
    pub copies: Copies,
    /// What counts for the versions of skills.
    pub versions: Versions,
    /// Levels set by the repository and the command line.
    pub levels: Levels,
    /// Ignores, each with a reason.
    pub ignores: Vec<Ignore>,
    /// Rules that the repository defines.
    pub requirements: Vec<Requirement>,
    /// Tasks with the skills that must rank first, for `check --test-routes`.
    pub routes: Vec<Route>,
    /// Settings of the prompt block.
    pub dispatch: Dispatch,
    /// Profile of the prompt block that is built; `None` without one.
    pub block: Option<String>,
    /// Policy in the same tree, which applies too.
    pub extends: Option<String>,
    /// Lowest severity of the findings that are shown.
    pub min_severity: Option<Severity>,
    /// Default template of the prompt block: a path from the root of the repository.
    pub template: Option<String>,
    /// Text of that template, if it has no fault that is known before it renders a skill.
    pub template_text: Option<String>,
    /// Built-in profiles and those of the repository.
    pub profiles: Profiles,
    /// Configuration files that were read, with their texts.
    pub files: Vec<File>,
    /// Faults in those files.
    pub faults: Vec<ConfigFault>,
}

/// What counts for the versions of skills.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The versions that are compared.
    pub fields: Vec<VersionField>,
    /// Files that may change without a new version, from the directory of a skill.
    pub ignored: Exclude,
}

impl Default for Versions {
    fn default() -> Self {
        Self { fields: VersionField::NAMES.map(|(_, field)| field).into(), ignored: Exclude::default() }
    }
}

/// Levels by rule. Later sources win: edition, repository, path, command line.
#[derive(Clone, Debug, Default)]
pub struct Levels {
    /// Defaults of the edition.
    pub defaults: Defaults,
    /// `[rules]`.
    pub set: BTreeMap<RuleRef, Level>,
    /// `[[override]]`, in the order of the file.
    pub overrides: Vec<Override>,
    /// `--rule ID=LEVEL`.
    pub forced: BTreeMap<RuleRef, Level>,
    /// The levels of a policy, which are the lowest ones.
    pub floor: Option<Box<Self>>,
}

/// Levels for the files that some patterns match.
#[derive(Clone, Debug)]
pub struct Override {
    /// The files.
    pub paths: GlobSet,
    /// Their patterns as written.
    pub patterns: Vec<String>,
    /// Byte range in skilltree.toml.
    pub written: Range<usize>,
    /// Their levels.
    pub levels: BTreeMap<RuleRef, Level>,
}

/// An entry of `[[ignore]]`.
#[derive(Clone, Debug)]
pub struct Ignore {
    /// The rule.
    pub rule: RuleRef,
    /// Matcher of the files: the configured path and everything below it.
    pub path: GlobSet,
    /// Path as written.
    pub pattern: String,
    /// Reason. An ignore with an empty reason has no effect.
    pub reason: String,
    /// Last day on which the ignore applies, in days since 1970-01-01.
    pub until: Option<i64>,
    /// Number of the file in [`Config::files`] and byte range in it. `None` if that file is not checked.
    pub written: Option<(usize, Range<usize>)>,
}

impl Ignore {
    /// Returns whether another ignore is the same, apart from its place.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        let key = |ignore: &Self| (ignore.rule.clone(), ignore.until);
        key(self) == key(other) && (&self.pattern, &self.reason) == (&other.pattern, &other.reason)
    }
}

/// A fault in a configuration file, which a rule reports.
#[derive(Clone, Debug)]
pub struct ConfigFault {
    /// Rule that reports the fault.
    pub rule: RuleRef,
    /// Number of the file in [`Config::files`].
    pub file: usize,
    /// Byte range in the file.
    pub range: Range<usize>,
    /// Highest level of the finding.
    pub ceiling: Level,
    /// The fact.
    pub message: String,
    /// The edit as text.
    pub help: Option<String>,
}

/// Inputs of the configuration.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// Policies with their texts, under their display paths. Each lies over those before it.
    pub policies: Vec<File>,
    /// skilltree.toml with its text, under its display path.
    pub settings: Option<File>,
    /// WORKFLOW.md with its text.
    pub workflow: Option<File>,
    /// Options of the command line.
    pub overrides: CommandLine,
}

/// Error that prevents a configuration: a malformed skilltree.toml, or an unknown name on the command line. Every other
/// fault is a finding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    /// File and byte range; `None` for the command line.
    pub place: Option<Box<(File, Range<usize>)>>,
    /// The fact.
    pub message: String,
    /// The edit as text.
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
    /// Returns the configuration of a repository without configuration files.
    pub fn new() -> Self {
        let mut config = Self::empty();
        config.roots.patterns = roots::defaults(&Workflow::default(), &config.profiles, None);
        roots::discover(&mut config.roots, &config.profiles);
        config.roots.near = roots::near(&config.roots.patterns, &config.targets, &config.profiles);
        config
    }

    /// Returns the defaults without roots.
    fn empty() -> Self {
        let limits = Limits::default();
        Self {
            roots: RootSet::within(&limits),
            default_roots: true,
            root_option: false,
            workflow_path: None,
            error_on_empty: false,
            set_limits: BTreeSet::new(),
            targets: Vec::new(),
            all_runtimes: false,
            copies: Copies::default(),
            versions: Versions::default(),
            levels: Levels::default(),
            ignores: Vec::new(),
            requirements: Vec::new(),
            routes: Vec::new(),
            dispatch: Dispatch { enabled: true, cap: None, workflow: false },
            block: None,
            extends: None,
            min_severity: None,
            template: None,
            template_text: None,
            profiles: Profiles::default(),
            files: Vec::new(),
            faults: Vec::new(),
            limits,
        }
    }
}

impl Config {
    /// Returns the built-in rules and those of the repository.
    pub fn rules(&self) -> impl Iterator<Item = RuleRef> {
        rules::ALL
            .iter()
            .copied()
            .map(RuleRef::from)
            .chain(self.requirements.iter().map(|requirement| requirement.rule.clone()))
    }

    /// Returns whether a policy that this run does not have may define the rule with an id: no rule here has its first word.
    pub(crate) fn may_be_of_policy(&self, id: &str) -> bool {
        is_foreign(id, self.requirements.iter().map(|requirement| &requirement.rule))
    }

    /// Returns the rule with an id, built-in or of the repository.
    pub fn rule(&self, id: &str) -> Option<RuleRef> {
        let mut own = self.requirements.iter().map(|requirement| &requirement.rule);
        rules::find(id).map(RuleRef::from).or_else(|| own.find(|rule| rule.id() == id).cloned())
    }
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

impl Levels {
    /// Returns the level of a rule for a file.
    pub fn level(&self, rule: &Rule, path: &BStr) -> Level {
        self.chosen(rule, path).unwrap_or_else(|| self.defaults.level(rule))
    }

    /// Returns the level that the configuration or the command line sets for a rule and a file.
    pub(crate) fn chosen(&self, rule: &Rule, path: &BStr) -> Option<Level> {
        if let Some(&level) = self.forced.get(rule.id()) {
            return Some(level);
        }
        let overridden = self.overrides.iter().rev().find_map(|entry| {
            let level = entry.levels.get(rule.id())?;
            entry.paths.is_match(&*as_path(path)).then_some(*level)
        });
        let own = overridden.or_else(|| self.set.get(rule.id()).copied());
        own.max(self.floor.as_ref().and_then(|floor| floor.chosen(rule, path)))
    }

    /// Returns the level that files set for a rule apart from overrides, or the default one.
    pub(crate) fn plain(&self, rule: &Rule) -> Level {
        self.least(rule).unwrap_or_else(|| self.defaults.level(rule))
    }

    /// Returns the level that files set for a rule apart from overrides.
    pub fn least(&self, rule: &Rule) -> Option<Level> {
        let floor = self.floor.as_ref().and_then(|floor| floor.least(rule));
        self.set.get(rule.id()).copied().max(floor)
    }

    /// Returns the level that overrides with the same patterns set for a rule.
    pub(crate) fn of_patterns(&self, patterns: &[String], rule: &Rule) -> Option<Level> {
        let floor = self.floor.as_ref().and_then(|floor| floor.of_patterns(patterns, rule));
        let entries = self.overrides.iter().rev().filter(|entry| entry.patterns == patterns);
        entries.filter_map(|entry| entry.levels.get(rule.id()).copied()).next().max(floor)
    }

    /// Returns the highest level that overrides set for a rule.
    fn highest_override(&self, rule: &Rule) -> Option<Level> {
        let floor = self.floor.as_ref().and_then(|floor| floor.highest_override(rule));
        self.overrides.iter().filter_map(|entry| entry.levels.get(rule.id()).copied()).max().max(floor)
    }

    /// Returns the highest level that a finding of the rule can have in some file.
    fn highest(&self, rule: &Rule) -> Level {
        match self.forced.get(rule.id()) {
            Some(&level) => level,
            None => self.highest_override(rule).unwrap_or(Level::Off).max(self.plain(rule)),
        }
    }

    /// Returns whether a finding of the rule can be an error in some file.
    pub fn may_fail(&self, rule: &Rule) -> bool {
        self.highest(rule) == Level::Error
    }

    /// Returns whether any file can have the rule at another level than off.
    pub(crate) fn may_run(&self, rule: &Rule) -> bool {
        self.highest(rule) != Level::Off
    }
}

/// Returns whether an id is of a rule that some policy may define: no known rule has its first word.
fn is_foreign<'r>(id: &str, mut own: impl Iterator<Item = &'r RuleRef>) -> bool {
    is_own_id(id) && !own.any(|rule| first_word(rule.id()) == first_word(id))
}

/// Returns the first word of the id of an own rule: `acme` of `acme/one-owner`.
fn first_word(id: &str) -> Option<&str> {
    id.split_once('/').map(|(first, _)| first)
}

/// Converts a path of the tree for globset, which matches raw bytes.
pub fn as_path(path: &BStr) -> Cow<'_, Path> {
    path.to_path_lossy()
}

#[cfg(test)]
mod tests;
