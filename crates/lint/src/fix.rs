//! Edits, checked before they are written: the result is linted again, and an edit that fails the check is skipped.
//!
//! This module performs no input or output. The caller provides the bytes of files, lints edited texts, and writes the
//! result.

mod choice;
mod fields;
mod obstacle;
mod offers;
mod patch;
mod verify;
mod splice;
mod sweep;

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

pub use obstacle::Obstacle;
pub use offers::{Offers, fixable, offers, offers_outside};
pub use patch::patch;

use crate::lint::Report;
use crate::rule::{Finding, RuleRef, Severity};
use choice::Choice;
use skilltree_skills::snapshot::{Body, File};
use verify::{Attempt, Rejection};

/// Bytes of files by path.
pub type Texts = BTreeMap<BString, Vec<u8>>;

/// Maximum number of rounds. An edit can uncover the next one, because one YAML error hides those after it. Later edits
/// are left for the next run.
const ROUNDS: usize = 100;
/// Maximum number of attempts in a round, each without the edits that failed before.
const TRIALS: usize = 8;

/// Edits to make.
pub struct Request<'a> {
    /// Whether to make edits that may change the meaning.
    pub unsafe_edits: bool,
    /// Whether to edit skills next to a signature file.
    pub signed: bool,
    /// Whether to edit skilltree.toml: it must come from the source itself, not from the command line or another
    /// revision.
    pub settings: bool,
    /// Returns whether the finding at a path is selected.
    pub is_wanted: &'a dyn Fn(&Finding, &BStr) -> bool,
}

/// Result of a fix.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Changed files, by path.
    pub rewrites: Vec<Rewrite>,
    /// Fixed findings, by path and rule.
    pub fixed: Vec<FixedFinding>,
    /// Findings whose edits were skipped, in report order.
    pub skipped: Vec<SkippedFinding>,
    /// Report on the files after the edits.
    pub report: Report,
}

/// A file after its edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// Its path.
    pub path: BString,
    /// Bytes that were linted.
    pub before: Vec<u8>,
    /// Bytes after the edits.
    pub after: Vec<u8>,
}

/// A fixed finding.
#[derive(Clone, Debug)]
pub struct FixedFinding {
    /// Path of its file.
    pub path: BString,
    /// The rule.
    pub rule: RuleRef,
    /// Severity before the fix.
    pub severity: Severity,
    /// The fact before the fix.
    pub message: String,
}

/// A finding whose edit was skipped.
#[derive(Clone, Debug)]
pub struct SkippedFinding {
    /// Path of its file.
    pub path: BString,
    /// The rule.
    pub rule: RuleRef,
    /// Why the edit was skipped.
    pub why: Why,
}

/// Why an edit was skipped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The edit may change the meaning, and unsafe edits were not requested.
    Unsafe,
    /// An obstacle prevents every edit of the file.
    Obstacle(Obstacle),
    /// The edit failed the check. The text follows "the edit" in messages.
    Rejected(String),
    /// The maximum number of rounds was reached.
    Unfinished,
}

/// Makes the edits of a report, in rounds, until none are left.
///
/// `read` returns the linted bytes of files, in their order; `relint` lints the source with other bytes in some files.
///
/// # Errors
///
/// Returns the errors of `read` and `relint`.
pub fn apply<E>(
    report: Report,
    request: &Request<'_>,
    mut read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    mut relint: impl FnMut(&Texts) -> Result<Report, E>,
) -> Result<Outcome, E> {
    let known = verify::shared_errors(&report);
    let outcome = run(report, (request, false), &mut read, &mut relint)?;
    let is_new = |(key, count): (_, usize)| known.get(&key).is_none_or(|known| *known < count);
    // The name of a skill that is readable now may be taken, and no later edit changed it.
    if outcome.rewrites.is_empty() || !verify::shared_errors(&outcome.report).into_iter().any(is_new) {
        return Ok(outcome);
    }
    run(relint(&Texts::new())?, (request, true), &mut read, &mut relint)
}

/// Makes the edits. `strict` rejects a new error about several files also if a later edit could fix it.
fn run<E>(
    report: Report,
    (request, strict): (&Request<'_>, bool),
    read: &mut impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    relint: &mut impl FnMut(&Texts) -> Result<Report, E>,
) -> Result<Outcome, E> {
    let mut work = Work {
        request,
        strict,
        report,
        before: Texts::new(),
        after: Texts::new(),
        fixed: Vec::new(),
        rejected: BTreeMap::new(),
        alone: BTreeSet::new(),
    };
    let mut rounds = 0..ROUNDS;
    loop {
        // Make safe edits first, so that a failing unsafe edit does not block them.
        for unsafe_edits in [false, true].into_iter().take(if request.unsafe_edits { 2 } else { 1 }) {
            while rounds.next().is_some() && work.round(unsafe_edits, read, relint)? {}
        }
        // Retry failed edits if other findings were fixed since: a name may be free now.
        let known = work.rejected.len();
        let fixed = work.fixed.len();
        work.rejected.retain(|_, edit| edit.fixed_before == fixed);
        if work.rejected.len() == known || rounds.is_empty() {
            return Ok(work.finish());
        }
    }
}

/// A failed edit of a rule in a file.
struct RejectedEdit {
    /// The text follows "the edit" in messages.
    reason: String,
    /// Number of fixed findings when the edit failed.
    fixed_before: usize,
}

/// Failed edits, by path, rule and message: another finding of the rule in the file may have an edit that works.
type RejectedEdits = BTreeMap<(BString, RuleRef, String), RejectedEdit>;

fn key(path: &BStr, finding: &Finding) -> (BString, RuleRef, String) {
    (path.to_owned(), finding.rule.clone(), finding.message.clone())
}

/// State of a fix.
struct Work<'a> {
    request: &'a Request<'a>,
    strict: bool,
    report: Report,
    /// Linted bytes of the files that were read.
    before: Texts,
    /// Bytes of the changed files.
    after: Texts,
    fixed: Vec<FixedFinding>,
    /// Failed edits, which are not retried.
    rejected: RejectedEdits,
    /// Files that get one edit per round, because it is unknown which of several edits failed.
    alone: BTreeSet<BString>,
}

impl Work<'_> {
    /// Makes edits that do not touch each other. Returns `false` if no edit was left to try.
    fn round<E>(
        &mut self,
        unsafe_edits: bool,
        read: &mut impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
        relint: &mut impl FnMut(&Texts) -> Result<Report, E>,
    ) -> Result<bool, E> {
        let chosen = Choice { request: self.request, rejected: &self.rejected, alone: &self.alone, unsafe_edits };
        let chosen = chosen.of(&self.report);
        if chosen.is_empty() {
            return Ok(false);
        }
        self.read(chosen.keys(), read)?;
        let text = |path: &BString| self.after.get(path).or_else(|| self.before.get(path)).expect("it was read");
        let mut attempts: Vec<Attempt> =
            chosen.into_iter().map(|(path, groups)| Attempt::new(text(&path), path, groups)).collect();
        for _ in 0..TRIALS {
            if attempts.is_empty() {
                return Ok(true);
            }
            let mut texts = self.after.clone();
            texts.extend(attempts.iter().map(|attempt| (attempt.path.clone(), attempt.spliced.bytes.clone())));
            let report = relint(&texts)?;
            let rejections = verify::rejections(&self.report, &report, &attempts, self.strict);
            if rejections.is_empty() {
                self.accept(report, texts, attempts);
                return Ok(true);
            }
            let (bad, good) = attempts.into_iter().partition(|attempt| rejections.contains_key(&attempt.path));
            attempts = good;
            self.reject(bad, &rejections);
        }
        self.reject(attempts, &BTreeMap::new());
        Ok(true)
    }

    /// Reads the files that were not read before.
    fn read<'p, E>(
        &mut self,
        paths: impl Iterator<Item = &'p BString>,
        read: &mut impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    ) -> Result<(), E> {
        let mut unread: BTreeSet<&BString> = paths.filter(|path| !self.before.contains_key(*path)).collect();
        let mut files = Vec::new();
        for file in self.report.catalog.parsed.files.iter().filter(|file| unread.remove(file.reported_path())) {
            match &file.body {
                Body::Text(text) => drop(self.before.insert(file.reported_path().clone(), text.clone())),
                _ => files.push(file.clone()),
            }
        }
        let texts = read(&files)?;
        self.before.extend(files.iter().map(|file| file.reported_path().clone()).zip(texts));
        Ok(())
    }

    fn accept(&mut self, report: Report, texts: Texts, attempts: Vec<Attempt>) {
        self.report = report;
        self.after = texts;
        for Attempt { path, groups, .. } in attempts {
            let fixed = groups.into_iter().map(|group| FixedFinding {
                path: path.clone(),
                rule: group.finding.rule,
                severity: group.finding.severity,
                message: group.finding.message,
            });
            self.fixed.extend(fixed);
        }
    }

    /// Drops edits that failed. If several edits are suspects, each is retried separately.
    fn reject(&mut self, attempts: Vec<Attempt>, rejections: &BTreeMap<BString, Rejection>) {
        for Attempt { path, groups, .. } in attempts {
            match (groups.as_slice(), rejections.get(&path)) {
                ([group], Some(Rejection { reason, certain: true })) => {
                    let fixed_before = self.fixed.len();
                    let edit = RejectedEdit { reason: reason.clone(), fixed_before };
                    self.rejected.insert(key(path.as_bstr(), &group.finding), edit);
                }
                _ => drop(self.alone.insert(path)),
            }
        }
    }

    fn finish(mut self) -> Outcome {
        let skipped = self.skipped();
        let rewrites = self.after.into_iter().filter_map(|(path, after)| {
            let before = self.before.remove(&path)?;
            (before != after).then_some(Rewrite { path, before, after })
        });
        let rewrites = rewrites.collect();
        self.fixed.sort_by(|a, b| (&a.path, a.rule.id()).cmp(&(&b.path, b.rule.id())));
        Outcome { rewrites, fixed: self.fixed, skipped, report: self.report }
    }

    fn skipped(&self) -> Vec<SkippedFinding> {
        let why = |finding: &Finding, path: &BString| {
            if let Some(obstacle) = obstacle::find(&self.report, finding.place.file, self.request.settings) {
                let is_asked = matches!(obstacle, Obstacle::Signature(_)) && self.request.signed;
                if !is_asked {
                    return Why::Obstacle(obstacle);
                }
            }
            match self.rejected.get(&key(path.as_bstr(), finding)) {
                Some(rejected) => Why::Rejected(rejected.reason.clone()),
                None if !finding.is_safe() && !self.request.unsafe_edits => Why::Unsafe,
                None => Why::Unfinished,
            }
        };
        let findings = self.report.active().filter(|finding| finding.offers_edit());
        let findings = findings.filter(|finding| (self.request.is_wanted)(finding, self.report.path(finding)));
        findings
            .map(|finding| {
                let path = self.report.path(finding).to_owned();
                SkippedFinding { rule: finding.rule.clone(), why: why(finding, &path), path }
            })
            .collect()
    }
}
