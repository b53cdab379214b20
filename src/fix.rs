//! Edits, made and proved: what they leave is judged again, and an edit that does not do what it says is not made.
//!
//! Nothing here reads or writes. The caller gives the bytes of files, judges what would be there if the edits were
//! written, and writes what comes out.

mod choice;
mod fields;
mod obstacle;
mod patch;
mod proof;
mod splice;
mod sweep;

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString};

pub use obstacle::Obstacle;
pub use patch::patch;

use crate::lint::Report;
use crate::rule::{Finding, Level, Rule};
use crate::snapshot::{Body, File, Origin};
use choice::Choice;
use proof::{Attempt, Harm};

/// The bytes of files by their paths.
pub type Texts = BTreeMap<BString, Vec<u8>>;

/// Rounds of edits. An edit may uncover the next, as one mistake of YAML hides those behind it; what is left after so many
/// rounds is left for the next run.
const ROUNDS: usize = 100;
/// Times that the edits of one round are judged, each time without those that did harm before.
const TRIALS: usize = 8;

/// Which edits are made.
pub struct Request<'a> {
    /// Those that somebody should look at too.
    pub unsafe_edits: bool,
    /// Those of skills with a signature beside them too.
    pub signed: bool,
    /// Those of skilltree.toml too: it is the source's own, not named on the command line or taken from another revision.
    pub settings: bool,
    /// Whether a file is one of those that were asked for.
    pub is_wanted: &'a dyn Fn(&BStr) -> bool,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The files that are other ones now, by path.
    pub rewrites: Vec<Rewrite>,
    /// The findings that are mended, in the order in which they were.
    pub mended: Vec<Mended>,
    /// The findings whose edits were not made, in the order of the report.
    pub left: Vec<Left>,
    /// What is found in the files as they are now.
    pub report: Report,
}

/// A file with its edits made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// Its path.
    pub path: BString,
    /// The bytes that were judged.
    pub before: Vec<u8>,
    /// The bytes with the edits made.
    pub after: Vec<u8>,
}

/// A finding that is mended.
#[derive(Clone, Debug)]
pub struct Mended {
    /// The path of its file.
    pub path: BString,
    /// The rule.
    pub rule: &'static Rule,
    /// The level that it had.
    pub level: Level,
    /// The fact as it was.
    pub message: String,
}

/// A finding whose edit was not made.
#[derive(Clone, Debug)]
pub struct Left {
    /// The path of its file.
    pub path: BString,
    /// The rule.
    pub rule: &'static Rule,
    /// Why not.
    pub why: Why,
}

/// Why an edit was not made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Somebody should look at it, and unsafe edits were not asked for.
    Unsafe,
    /// Something stands in the way of any edit of the file.
    Obstacle(Obstacle),
    /// It would do harm, in words that follow "the edit".
    Harm(String),
    /// The rounds were over.
    Unfinished,
}

/// How many findings that stand could be mended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offers {
    /// By safe edits.
    pub safe: usize,
    /// By edits that somebody should look at.
    pub unsafe_edits: usize,
}

/// Counts what could be mended in a work tree that holds what was judged: nothing of what came without a path.
pub fn offers(report: &Report) -> Offers {
    let mut offers = Offers::default();
    if report.catalog.parsed.origin == Origin::StandardInput {
        return offers;
    }
    for finding in report.standing().filter(|finding| offers_edit(finding)) {
        if obstacle::find(report, finding.place.file, true).is_none() {
            *(if is_safe(finding) { &mut offers.safe } else { &mut offers.unsafe_edits }) += 1;
        }
    }
    offers
}

/// Makes the edits of a report, round after round, until there are no more to make.
///
/// `read` gives the bytes of files as they were judged, in their order; `again` judges the source with other bytes in
/// some files.
///
/// # Errors
/// What `read` and `again` fail with.
pub fn repair<E>(
    report: Report,
    request: &Request<'_>,
    mut read: impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
    mut again: impl FnMut(&Texts) -> Result<Report, E>,
) -> Result<Repair, E> {
    let mut work = Work {
        request,
        report,
        before: Texts::new(),
        now: Texts::new(),
        mended: Vec::new(),
        harm: BTreeMap::new(),
        alone: BTreeSet::new(),
    };
    let mut rounds = 0..ROUNDS;
    loop {
        // Safe edits first, so that one that does harm takes none of them with it.
        for unsafe_edits in [false, true].into_iter().take(if request.unsafe_edits { 2 } else { 1 }) {
            while rounds.next().is_some() && work.round(unsafe_edits, &mut read, &mut again)? {}
        }
        // What did harm may do none beside what was mended since: a name may be free now.
        let known = work.harm.len();
        let mended = work.mended.len();
        work.harm.retain(|_, harm| harm.beside == mended);
        if work.harm.len() == known || rounds.is_empty() {
            return Ok(work.finish());
        }
    }
}

/// The harm that edits of a rule would do in a file.
struct HarmDone {
    /// In words that follow "the edit".
    words: String,
    /// How many findings were mended when it was tried.
    beside: usize,
}

/// Edits that are not tried again, by path and rule.
type Refused = BTreeMap<(BString, &'static str), HarmDone>;

/// Edits that are being made.
struct Work<'a> {
    request: &'a Request<'a>,
    report: Report,
    /// The bytes that were judged first, of the files that were read.
    before: Texts,
    /// The bytes of the files that are other ones now.
    now: Texts,
    mended: Vec<Mended>,
    /// What edits would do, by path and rule: they are not tried again.
    harm: Refused,
    /// Files of which one edit is made at a time and no other beside it, because it is not known which of several did harm.
    alone: BTreeSet<BString>,
}

impl Work<'_> {
    /// Makes edits that do not touch each other. `false` when there was nothing left to try.
    fn round<E>(
        &mut self,
        unsafe_edits: bool,
        read: &mut impl FnMut(&[File]) -> Result<Vec<Vec<u8>>, E>,
        again: &mut impl FnMut(&Texts) -> Result<Report, E>,
    ) -> Result<bool, E> {
        let chosen = Choice { request: self.request, harm: &self.harm, alone: &self.alone, unsafe_edits };
        let chosen = chosen.of(&self.report);
        if chosen.is_empty() {
            return Ok(false);
        }
        self.read(chosen.keys(), read)?;
        let text = |path: &BString| self.now.get(path).or_else(|| self.before.get(path)).expect("it was read");
        let mut attempts: Vec<Attempt> =
            chosen.into_iter().map(|(path, groups)| Attempt::new(text(&path), path, groups)).collect();
        for _ in 0..TRIALS {
            if attempts.is_empty() {
                return Ok(true);
            }
            let mut texts = self.now.clone();
            texts.extend(attempts.iter().map(|attempt| (attempt.path.clone(), attempt.spliced.bytes.clone())));
            let report = again(&texts)?;
            let harm = proof::harm(&self.report, &report, &attempts);
            if harm.is_empty() {
                self.accept(report, texts, attempts);
                return Ok(true);
            }
            let (bad, good) = attempts.into_iter().partition(|attempt| harm.contains_key(&attempt.path));
            attempts = good;
            self.refuse(bad, &harm);
        }
        self.refuse(attempts, &BTreeMap::new());
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
        for file in self.report.catalog.parsed.files.iter().filter(|file| unread.remove(&file.path)) {
            match &file.body {
                Body::Text(text) => drop(self.before.insert(file.path.clone(), text.clone())),
                _ => files.push(file.clone()),
            }
        }
        let texts = read(&files)?;
        self.before.extend(files.into_iter().map(|file| file.path).zip(texts));
        Ok(())
    }

    fn accept(&mut self, report: Report, texts: Texts, attempts: Vec<Attempt>) {
        self.report = report;
        self.now = texts;
        for Attempt { path, groups, .. } in attempts {
            let mended = groups.into_iter().map(|group| Mended {
                path: path.clone(),
                rule: group.finding.rule,
                level: group.finding.level,
                message: group.finding.message,
            });
            self.mended.extend(mended);
        }
    }

    /// Leaves out edits that did harm. Where it may have been another one, each is tried again by itself.
    fn refuse(&mut self, attempts: Vec<Attempt>, harm: &BTreeMap<BString, Harm>) {
        for Attempt { path, groups, .. } in attempts {
            match (groups.as_slice(), harm.get(&path)) {
                ([group], Some(Harm { words, certain: true })) => {
                    let beside = self.mended.len();
                    self.harm.insert((path, group.finding.rule.id), HarmDone { words: words.clone(), beside });
                }
                _ => drop(self.alone.insert(path)),
            }
        }
    }

    fn finish(mut self) -> Repair {
        let left = self.left();
        let rewrites = self.now.into_iter().filter_map(|(path, after)| {
            let before = self.before.remove(&path)?;
            (before != after).then_some(Rewrite { path, before, after })
        });
        let rewrites = rewrites.collect();
        self.mended.sort_by(|a, b| (&a.path, a.rule.id).cmp(&(&b.path, b.rule.id)));
        Repair { rewrites, mended: self.mended, left, report: self.report }
    }

    fn left(&self) -> Vec<Left> {
        let why = |finding: &Finding, path: &BString| {
            if let Some(obstacle) = obstacle::find(&self.report, finding.place.file, self.request.settings) {
                let is_asked = matches!(obstacle, Obstacle::Signature(_)) && self.request.signed;
                if !is_asked {
                    return Why::Obstacle(obstacle);
                }
            }
            match self.harm.get(&(path.clone(), finding.rule.id)) {
                Some(harm) => Why::Harm(harm.words.clone()),
                None if !is_safe(finding) && !self.request.unsafe_edits => Why::Unsafe,
                None => Why::Unfinished,
            }
        };
        let findings = self.report.standing().filter(|finding| offers_edit(finding));
        let findings = findings.filter(|finding| (self.request.is_wanted)(self.report.path(finding)));
        findings
            .map(|finding| {
                let path = self.report.path(finding).to_owned();
                Left { rule: finding.rule, why: why(finding, &path), path }
            })
            .collect()
    }
}

/// Whether a finding says how it is mended, in bytes of one file.
fn offers_edit(finding: &Finding) -> bool {
    let is_elsewhere = finding.edits.iter().any(|edit| edit.place.file != finding.place.file);
    finding.line_end.is_some() || (!finding.edits.is_empty() && !is_elsewhere)
}

/// Whether all edits of a finding keep the meaning.
fn is_safe(finding: &Finding) -> bool {
    finding.edits.iter().all(|edit| edit.safe)
}
