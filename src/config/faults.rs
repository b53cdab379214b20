//! What is wrong with the configuration, collected while it is read: nothing stops at the first fault.

use std::ops::Range;

use super::{ConfigFault, Error};
use crate::rule::Rule;
use crate::rules::{self, conflicting_caps, invalid_configuration, unknown_rule, unknown_setting};
use crate::snapshot::File;
use crate::text::nearest;

/// Paths and patterns that skilltree.toml may hold, in all of its tables together (ours: 2,000, some 40 MB when they are
/// compiled). Each of them is held against every file or every root.
const PATTERNS: usize = 2_000;

/// Bytes of all of them together (ours: 200,000, a hundred each): a long pattern is as dear as many short ones.
const PATTERN_BYTES: usize = 200_000;

/// Faults for which the word is looked for that was meant (ours: 100). Nobody reads more of them.
const SUGGESTED: usize = 100;

/// The faults of the configuration files, in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// The number of the file that is being read.
    pub(super) file: usize,
    /// What the rules say.
    found: Vec<ConfigFault>,
    /// Values of a wrong type: after one of them nobody knows what was meant, so the run ends.
    fatal: Vec<ConfigFault>,
    /// Paths and patterns that were met so far.
    patterns: usize,
    /// Their bytes.
    pattern_bytes: usize,
}

impl Faults {
    /// Whether something is wrong with the file that is being read.
    pub(super) fn has_some_here(&self) -> bool {
        self.found.iter().chain(&self.fatal).any(|fault| fault.file == self.file)
    }

    /// A value that means nothing: its setting keeps the default.
    pub(super) fn invalid(&mut self, range: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        let fault = self.fault(&invalid_configuration::RULE, range, message.into(), Some(help.into()));
        self.found.push(fault);
    }

    /// A key that no table of ours has. `table` is how the reader knows the table.
    pub(super) fn unknown_setting(&mut self, range: Range<usize>, key: &str, table: &str, known: &[&str]) {
        let meant = (self.found.len() < SUGGESTED).then(|| nearest(key, known.iter().copied())).flatten();
        let help = match meant {
            Some(word) => format!("write `{word}`"),
            None => format!("remove it; the settings here are {}", list(known.iter().copied())),
        };
        let message = format!("`{key}` is no setting of {table}");
        let fault = self.fault(&unknown_setting::RULE, range, message, Some(help));
        self.found.push(fault);
    }

    /// The rule of that id, or the fault that there is none.
    pub(super) fn rule(&mut self, range: Range<usize>, id: &str) -> Option<&'static Rule> {
        let rule = rules::find(id);
        if rule.is_none() {
            let message = format!("there is no rule `{id}`");
            let help = if self.found.len() < SUGGESTED { rule_help(id) } else { LISTED.to_owned() };
            let fault = self.fault(&unknown_rule::RULE, range, message, Some(help));
            self.found.push(fault);
        }
        rule
    }

    /// A value of a wrong type.
    pub(super) fn wrong_type(&mut self, range: Range<usize>, message: String, help: &str) {
        let fault = self.fault(&invalid_configuration::RULE, range, message, Some(help.to_owned()));
        self.fatal.push(fault);
    }

    /// Counts a path or a pattern, and says whether it may be compiled: behind too many of them the run ends.
    pub(super) fn counts(&mut self, range: &Range<usize>) -> bool {
        let was_within = self.has_room();
        self.patterns += 1;
        self.pattern_bytes += range.len();
        if was_within && !self.has_room() {
            let message = format!("more than {PATTERNS} paths and patterns, or than {PATTERN_BYTES} bytes of them");
            self.too_many(
                range.clone(),
                message,
                "write fewer that match more: a directory stands for everything below it",
            );
        }
        self.has_room()
    }

    fn has_room(&self) -> bool {
        self.patterns <= PATTERNS && self.pattern_bytes <= PATTERN_BYTES
    }

    /// More of something than is read.
    pub(super) fn too_many(&mut self, range: Range<usize>, message: String, help: &str) {
        self.wrong_type(range, message, help);
    }

    /// Two caps of one block. WORKFLOW.md's decides, so what skilltree.toml, the first file, says is said in vain.
    pub(super) fn conflicting_caps(&mut self, range: Range<usize>, asked: u64, cap: u64) {
        let message = format!("`prompt-skills` is {asked}, but `max_skills_in_prompt` in WORKFLOW.md is {cap}");
        let help = format!("write {cap} here, or remove the line: a dispatcher obeys WORKFLOW.md");
        let fault = self.fault(&conflicting_caps::RULE, range, message, Some(help));
        self.found.push(ConfigFault { file: 0, ..fault });
    }

    /// The faults for the rules to say, in the order of the files; or the first value of a wrong type.
    pub(super) fn finish(mut self, files: &[File]) -> Result<Vec<ConfigFault>, Error> {
        let place = |fault: &ConfigFault| (fault.file, fault.range.start, fault.range.end);
        self.found.sort_by_key(place);
        match self.fatal.into_iter().min_by_key(place) {
            None => Ok(self.found),
            Some(fault) => Err(Error::at(files[fault.file].clone(), fault.range, fault.message, fault.help)),
        }
    }

    fn fault(&self, rule: &'static Rule, range: Range<usize>, message: String, help: Option<String>) -> ConfigFault {
        ConfigFault { rule, file: self.file, range, message, help }
    }
}

/// What to do about a rule that nobody knows.
const LISTED: &str = "`skilltree explain` lists the rules";

/// What to do about a rule's id that names no rule.
pub fn rule_help(id: &str) -> String {
    match nearest(id, rules::ALL.iter().map(|rule| rule.id)) {
        Some(word) => format!("write `{word}`"),
        None => LISTED.to_owned(),
    }
}

/// What to do about a word that is none of a few known ones.
pub(super) fn word_help<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(word) => format!("write `{word}`"),
        None => format!("write one of {}", list(known)),
    }
}

fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
