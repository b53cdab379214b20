//! What a change loosens: settings of the configuration, and ignores in skills.

use std::collections::BTreeMap;

use super::pairs::Pairs;
use crate::config::{self, Config, Levels};
use crate::lint::Report;
use crate::rule::{Sink, State, Subject, is_own_id};
use crate::rules::{self, loosened_policy};
use skilltree_front_matter::text::{FileId, Place, Spanned, shortened};
use skilltree_skills::skill::{IgnoreComment, Skill};
use skilltree_skills::snapshot::{Body, File, Role};

/// Settings and ignores of a head that are looser than in its base.
#[derive(Clone, Debug, Default)]
pub struct Loosened {
    settings: Vec<config::Loosened>,
    ignores: Vec<(Place, String)>,
}

impl Loosened {
    /// Compares the configurations, each with the files of its side and without the command line, and the ignores in skills.
    pub fn new(configs: Option<(&Config, &Config)>, head: &Report, base: &Report, pairs: &Pairs<'_>) -> Self {
        let settings = configs.map(|(head, base)| config::loosened(head, base)).unwrap_or_default();
        Self { settings, ignores: ignores(head, base, pairs) }
    }

    /// Returns whether nothing is looser.
    pub fn is_empty(&self) -> bool {
        self.settings.is_empty() && self.ignores.is_empty()
    }

    /// Keeps only what is looser than in another base, too.
    pub fn keep(&mut self, other: &Self) {
        self.settings.retain(|change| other.settings.contains(change));
        self.ignores.retain(|change| other.ignores.contains(change));
    }

    /// Adds the findings to the report of the head. `levels` are those of the base: a change cannot turn off the
    /// finding about itself, and no ignore applies. Returns whether there were any.
    pub fn apply(self, head: &mut Report, levels: &Levels) -> bool {
        let mut sink = Sink::new(&loosened_policy::RULE, Subject::Config);
        let help = "undo it, or say in the review why it is needed";
        for change in self.settings {
            let file = config_file(head, change.file);
            sink.report(Place::new(file, change.range), change.message).help(help);
        }
        for (place, message) in self.ignores {
            sink.report(place, message).help(help);
        }
        let mut findings = sink.into_findings();
        for finding in &mut findings {
            finding.set_level(levels.level(&finding.rule, head.path(finding)));
            finding.state = Some(State::New);
        }
        findings.retain(|finding| !finding.is_off);
        let has_findings = !findings.is_empty();
        head.findings.append(&mut findings);
        head.sort();
        has_findings
    }
}

/// Returns the configuration file with a path. One that the change removed is added without a text.
fn config_file(report: &mut Report, path: &str) -> FileId {
    let files = &mut report.catalog.parsed.files;
    // The file of the change itself comes after one from another revision.
    let known = files.iter().rposition(|file| file.role == Role::Config && file.path == path);
    let index = known.unwrap_or_else(|| {
        files.push(File::new(path, Role::Config, None, Body::Absent));
        files.len() - 1
    });
    FileId(index as u32)
}

/// Returns the rules that comments in skills newly ignore, or ignore for longer.
fn ignores(head: &Report, base: &Report, pairs: &Pairs<'_>) -> Vec<(Place, String)> {
    let before: BTreeMap<FileId, &Skill> = base.catalog.parsed.skills.iter().map(|skill| (skill.file, skill)).collect();
    let mut found = Vec::new();
    for skill in head.catalog.parsed.skills.iter().filter(|skill| !skill.ignores.is_empty()) {
        let before = pairs.base_of(skill.file).and_then(|file| before.get(&file));
        let known = before.map(|before| last_days(before)).unwrap_or_default();
        for (comment, rule) in active(skill) {
            let old = known.get(&(comment.context, rule));
            if !old.is_some_and(|&old| config::lasts(old, comment.until)) {
                found.push((comment.place, format!("`{rule}` is ignored here: {}", shortened(&comment.reason, SHOWN))));
            }
        }
    }
    found
}

/// Maximum length of a reason in a message, in code points.
const SHOWN: usize = 80;

/// Returns the ignores of a skill that have an effect in its own revision, by rule.
fn active(skill: &Skill) -> impl Iterator<Item = (&IgnoreComment, &str)> {
    let comments = skill.ignores.iter().filter(|comment| comment.flaw.is_none() && !comment.reason.is_empty());
    let known = |rule: &&Spanned<String>| rules::find(&rule.value).is_some() || is_own_id(&rule.value);
    comments.flat_map(move |comment| comment.rules.iter().filter(known).map(move |rule| (comment, rule.value.as_str())))
}

/// Returns the last day of each ignore, by the text that it covers and by rule.
fn last_days(skill: &Skill) -> BTreeMap<([u8; 16], &str), Option<i64>> {
    let mut days = BTreeMap::new();
    for (comment, rule) in active(skill) {
        let day = days.entry((comment.context, rule)).or_insert(comment.until);
        if config::lasts(comment.until, *day) {
            *day = comment.until;
        }
    }
    days
}
