//! What is wrong with the configuration, collected while it is read: nothing stops at the first fault.

use std::ops::Range;

use super::{ConfigFault, Error};
use crate::rule::Rule;
use crate::rules::{self, conflicting_caps, invalid_configuration, unknown_rule, unknown_setting};
use crate::snapshot::File;
use crate::text::nearest;

/// The faults of the configuration files, in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// The number of the file that is being read.
    pub(super) file: usize,
    /// What the rules say.
    found: Vec<ConfigFault>,
    /// Values of a wrong type: after one of them nobody knows what was meant, so the run ends.
    fatal: Vec<ConfigFault>,
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
        let help = match nearest(key, known.iter().copied()) {
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
            let fault = self.fault(&unknown_rule::RULE, range, message, Some(rule_help(id)));
            self.found.push(fault);
        }
        rule
    }

    /// A value of a wrong type.
    pub(super) fn wrong_type(&mut self, range: Range<usize>, message: String, help: &str) {
        let fault = self.fault(&invalid_configuration::RULE, range, message, Some(help.to_owned()));
        self.fatal.push(fault);
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

/// What to do about a rule's id that names no rule.
pub fn rule_help(id: &str) -> String {
    match nearest(id, rules::ALL.iter().map(|rule| rule.id)) {
        Some(word) => format!("write `{word}`"),
        None => "`skilltree explain` lists the rules".to_owned(),
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
