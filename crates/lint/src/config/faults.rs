//! Faults in the configuration files. Reading continues after a fault.

use std::ops::Range;

use super::keys::{Key, Value, WHOLE};
use super::{ConfigFault, Error, is_foreign};
use crate::rule::{Level, RuleRef};
use crate::rules::{self, conflicting_caps, invalid_configuration, loosened_policy, unknown_rule, unknown_setting};
use skilltree_front_matter::text::{grouped, nearest};
use skilltree_skills::snapshot::File;

/// Maximum number of paths and patterns in skilltree.toml (ours: 2,000, about 40 MB compiled). Each is matched against
/// every file or every root.
const PATTERNS: usize = 2_000;

/// Maximum number of bytes in all paths and patterns (ours: 200,000, or 100 each): a long pattern costs as much as many
/// short ones.
const PATTERN_BYTES: usize = 200_000;

/// Maximum number of faults with a suggested spelling (ours: 100).
const SUGGESTED: usize = 100;

/// Faults in the configuration files, in reading order.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Number of the file that is being read.
    pub(super) file: usize,
    /// Faults that rules report.
    found: Vec<ConfigFault>,
    /// Values of a wrong type: their intent is unknown, so the run fails.
    fatal: Vec<ConfigFault>,
    /// Number of paths and patterns read so far.
    patterns: usize,
    /// Number of their bytes.
    pattern_bytes: usize,
    /// Whether an entry is read that has no effect after a fault, so that none is fatal.
    in_entry: bool,
    /// Rules that the files define.
    pub(super) own: Vec<RuleRef>,
    /// Whether a policy is read.
    pub(super) in_policy: bool,
    /// The settings of skilltree.toml.
    pub(super) settings: Vec<Key>,
}

impl Faults {
    /// Returns whether the current file has a fault.
    pub(super) fn has_faults_in_file(&self) -> bool {
        self.found.iter().chain(&self.fatal).any(|fault| fault.file == self.file)
    }

    /// Returns the number of faults so far.
    pub(super) fn count(&self) -> usize {
        self.found.len() + self.fatal.len()
    }

    /// Reports an invalid value, which has no effect.
    pub(super) fn invalid(&mut self, range: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let fault = self.fault(&invalid_configuration::RULE, range, message.into(), Some(help.into()));
        self.found.push(fault);
    }

    /// Reports a setting that is looser than the policy that it lies over.
    pub(super) fn loosened(&mut self, range: Range<usize>, message: String, help: &str) {
        let fault = self.fault(&loosened_policy::RULE, range, message, Some(help.to_owned()));
        self.found.push(fault);
    }

    /// Reports an unknown key. `table` names the table in the message.
    pub(super) fn unknown_setting(&mut self, range: Range<usize>, key: &str, table: &str, known: &[&str]) {
        let other = known.contains(&EXCLUDE).then(|| other_name(key)).flatten();
        let suggestion =
            (self.found.len() < SUGGESTED).then(|| nearest(key, known.iter().copied())).flatten().or(other);
        let help = match suggestion {
            Some(word) if table == WHOLE => self.tables_help(word).unwrap_or_else(|| format!("write `{word}`")),
            Some(word) => format!("write `{word}`"),
            None => format!("remove it; the settings are {}", list(known.iter().copied())),
        };
        let message = format!("`{key}` is not a setting of {table}");
        let fault = self.fault(&unknown_setting::RULE, range, message, Some(help));
        self.found.push(fault);
    }

    /// Returns how to write a setting that is an array of tables: its header, and the keys that each table must have.
    pub(super) fn tables_help(&self, name: &str) -> Option<String> {
        let Value::Tables(keys) = self.settings.iter().find(|key| key.name == name)?.value else { return None };
        let required = keys.iter().filter(|key| key.required).map(|key| format!("`{} = …`", key.name));
        Some(format!("write `[[{name}]]`, and below it {}", required.collect::<Vec<_>>().join(", ")))
    }

    /// Returns the rule with an id, or reports that there is none.
    pub(super) fn rule(&mut self, range: Range<usize>, id: &str) -> Option<RuleRef> {
        let rule = rules::find(id).map(RuleRef::from).or_else(|| self.own.iter().find(|rule| rule.id() == id).cloned());
        if rule.is_none() && is_foreign(id, self.own.iter()) {
            let message = format!("`{id}` has no effect: no rule of this run has the id");
            let fault = self.fault(&unknown_rule::RULE, range, message, Some(GIVE_POLICY.to_owned()));
            self.found.push(ConfigFault { ceiling: Level::Note, ..fault });
        } else if rule.is_none() {
            let message = format!("there is no rule `{id}`");
            let help = if self.found.len() < SUGGESTED { rule_help(id) } else { LIST_RULES.to_owned() };
            let fault = self.fault(&unknown_rule::RULE, range, message, Some(help));
            self.found.push(fault);
        }
        rule
    }

    /// Reads an entry that has no effect after a fault.
    pub(super) fn within_entry<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        self.in_entry = true;
        let entry = read(self);
        self.in_entry = false;
        entry
    }

    /// Reports a value of a wrong type. The run fails if it is unknown what has no effect.
    pub(super) fn wrong_type(&mut self, range: Range<usize>, message: String, help: &str) {
        match self.in_entry {
            true => self.invalid(range, message, help),
            false => self.fatal(range, message, help),
        }
    }

    /// Counts a path or a pattern, and returns whether it may be compiled. The first one over the limit fails the run.
    pub(super) fn counts(&mut self, range: &Range<usize>) -> bool {
        let was_within_limits = self.is_within_limits();
        self.patterns += 1;
        self.pattern_bytes += range.len();
        if was_within_limits && !self.is_within_limits() {
            let message = format!(
                "there are more than {} paths and patterns, or they have more than {} bytes",
                grouped(PATTERNS),
                grouped(PATTERN_BYTES)
            );
            self.fatal(
                range.clone(),
                message,
                "write fewer, broader patterns: a directory matches everything below it",
            );
        }
        self.is_within_limits()
    }

    pub(super) fn is_within_limits(&self) -> bool {
        self.patterns <= PATTERNS && self.pattern_bytes <= PATTERN_BYTES
    }

    /// Reports a fault that the run cannot go on with, such as a list over its cap.
    pub(super) fn fatal(&mut self, range: Range<usize>, message: String, help: &str) {
        let fault = self.fault(&invalid_configuration::RULE, range, message, Some(help.to_owned()));
        self.fatal.push(fault);
    }

    /// Reports two caps for the same block. The one in WORKFLOW.md applies, so skilltree.toml, the first file, has no
    /// effect.
    pub(super) fn conflicting_caps(&mut self, range: Range<usize>, asked: u64, cap: u64) {
        let message = format!("`prompt-skills` is {asked}, but `max_skills_in_prompt` in WORKFLOW.md is {cap}");
        let help = format!("write {cap} here, or remove the line: dispatchers use the value in WORKFLOW.md");
        let fault = self.fault(&conflicting_caps::RULE, range, message, Some(help));
        self.found.push(ConfigFault { file: 0, ..fault });
    }

    /// Returns the faults for the rules in file order, or the first value of a wrong type as an error.
    pub(super) fn finish(mut self, files: &[File]) -> Result<Vec<ConfigFault>, Error> {
        let place = |fault: &ConfigFault| (fault.file, fault.range.start, fault.range.end);
        self.found.sort_by_key(place);
        match self.fatal.into_iter().min_by_key(place) {
            None => Ok(self.found),
            Some(fault) => Err(Error::at(files[fault.file].clone(), fault.range, fault.message, fault.help)),
        }
    }

    fn fault(
        &self,
        rule: impl Into<RuleRef>,
        range: Range<usize>,
        message: String,
        help: Option<String>,
    ) -> ConfigFault {
        ConfigFault { rule: rule.into(), file: self.file, range, ceiling: Level::Error, message, help }
    }
}

/// Help for an unknown rule.
const LIST_RULES: &str = "run `skilltree explain` to list the rules";

/// Help for an id that may be of a policy.
pub(crate) const GIVE_POLICY: &str = "pass the policy that defines it with `--policy FILE`, or correct the id";

/// Returns the help for an unknown rule id.
pub fn rule_help(id: &str) -> String {
    match nearest(id, rules::ALL.iter().map(|rule| rule.id())) {
        Some(word) => format!("write `{word}`"),
        None => LIST_RULES.to_owned(),
    }
}

/// Returns the help for an unknown word among known ones.
pub(super) fn word_help<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(word) => format!("write `{word}`"),
        None => format!("write one of {}", list(known)),
    }
}

/// The setting with the paths that are not searched.
const EXCLUDE: &str = "exclude";

/// Returns the setting that has another name in other programs.
fn other_name(key: &str) -> Option<&'static str> {
    let key = key.to_ascii_lowercase();
    (key.starts_with(EXCLUDE) || matches!(key.as_str(), "skip" | "ignore-paths" | "ignore_paths")).then_some(EXCLUDE)
}

/// Words for severities in other programs.
const SEVERITIES: [(&str, &str); 14] = [
    ("disable", "off"),
    ("disabled", "off"),
    ("false", "off"),
    ("fatal", "error"),
    ("high", "error"),
    ("hint", "note"),
    ("ignore", "off"),
    ("info", "note"),
    ("low", "note"),
    ("medium", "warning"),
    ("never", "off"),
    ("none", "off"),
    ("skip", "off"),
    ("warn", "warning"),
];

/// Returns the help for an unknown severity.
pub(super) fn level_help(word: &str) -> String {
    let known = SEVERITIES.iter().find(|(other, _)| other.eq_ignore_ascii_case(word));
    known.map_or_else(|| word_help(word, Level::NAMES.map(|(name, _)| name)), |(_, level)| format!("write `{level}`"))
}

fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
