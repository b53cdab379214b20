//! Verification of edits: compares the reports before and after them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};

use super::choice::Group;
use super::fields;
use super::splice::{Spliced, splice};
use super::sweep;
use crate::lint::Report;
use crate::rule::{Check, Finding, RuleRef, Severity};
use skilltree_front_matter::text::Place;
use skilltree_skills::skill::Skill;

/// A file after the edits of a round.
pub(super) struct Attempt {
    pub(super) path: BString,
    pub(super) groups: Vec<Group>,
    pub(super) spliced: Spliced,
}

impl Attempt {
    /// Makes the edits.
    pub(super) fn new(text: &[u8], path: BString, mut groups: Vec<Group>) -> Self {
        sweep::complete(text, &mut groups);
        let spliced = splice(text, &groups);
        Self { path, groups, spliced }
    }

    /// Returns the groups with an edit that touches a range of the edited text.
    fn groups_at(&self, range: Range<usize>) -> impl Iterator<Item = &Group> {
        let spans = self.spliced.spans.iter();
        let spans = spans.filter(move |span| span.after.start <= range.end && range.start <= span.after.end);
        spans.map(|span| &self.groups[span.group])
    }
}

/// Why the edits of a file are rejected.
#[derive(Clone, Debug)]
pub(super) struct Rejection {
    /// The text follows "the edit" in messages.
    pub(super) reason: String,
    /// Whether the edits of this file are the only possible cause.
    pub(super) certain: bool,
}

/// Returns the rejected edits, by path.
pub(super) fn rejections(
    before: &Report,
    after: &Report,
    attempts: &[Attempt],
    strict: bool,
) -> BTreeMap<BString, Rejection> {
    let sides = Sides {
        strict,
        before: tallies(before),
        after: tallies(after),
        attempts,
        old: skills(before),
        new: skills(after),
        report: after,
    };
    let mut rejections = BTreeMap::new();
    let certain = |reason: String| Rejection { reason, certain: true };
    for attempt in attempts {
        let skills = (sides.old.get(attempt.path.as_bstr()), sides.new.get(attempt.path.as_bstr()));
        if let (Some(old), Some(new)) = skills
            && old.has_fields()
            && !fields::are_kept(old, new, &attempt.spliced)
        {
            rejections.insert(attempt.path.clone(), certain("would change other fields too".to_owned()));
        } else if let Some(rule) = sides.unfixed_rule(attempt) {
            rejections.insert(attempt.path.clone(), certain(format!("would not fix `{}`", rule.id())));
        }
    }
    for (key, tally) in &sides.after {
        let none = Tally::default();
        let known = sides.before.get(key).unwrap_or(&none);
        for finding in tally.findings.iter().filter(|finding| tally.exceeds(known, finding.severity)) {
            let is_known = |other: &&Finding| other.message == finding.message && other.severity >= finding.severity;
            if !known.findings.iter().any(is_known) {
                sides.blame(finding, &mut rejections);
            }
        }
    }
    rejections
}

/// Counts the errors about several files, by path and rule.
pub(super) fn shared_errors(report: &Report) -> BTreeMap<(BString, RuleRef), usize> {
    let mut counts = BTreeMap::new();
    let is_shared = |finding: &&Finding| finding.related.iter().any(|(place, _)| place.file != finding.place.file);
    let errors = report.active().filter(|finding| finding.severity == Severity::Error);
    for finding in errors.filter(is_shared) {
        *counts.entry((report.path(finding).to_owned(), finding.rule.clone())).or_default() += 1;
    }
    counts
}

/// Findings of a rule in a file.
#[derive(Default)]
struct Tally<'a> {
    findings: Vec<&'a Finding>,
    extent: u64,
}

impl Tally<'_> {
    /// Returns whether it has more findings of a severity or a higher one.
    fn exceeds(&self, other: &Self, least: Severity) -> bool {
        let count = |tally: &Self| tally.findings.iter().filter(|finding| finding.severity >= least).count();
        count(self) > count(other)
    }
}

type Tallies<'a> = BTreeMap<(&'a BStr, &'a str), Tally<'a>>;

fn tallies(report: &Report) -> Tallies<'_> {
    let mut tallies = Tallies::new();
    for finding in report.active() {
        let tally = tallies.entry((report.path(finding), finding.rule.id())).or_default();
        tally.findings.push(finding);
        tally.extent += finding.extent;
    }
    tallies
}

fn skills(report: &Report) -> BTreeMap<&BStr, &Skill> {
    let path = |skill: &Skill| report.catalog.file(skill.file).reported_path().as_bstr();
    report.catalog.skills().map(|(_, skill)| (path(skill), skill)).collect()
}

struct Sides<'a> {
    /// Whether an edit may not add an error about several files, even if it makes its own one readable.
    strict: bool,
    before: Tallies<'a>,
    after: Tallies<'a>,
    attempts: &'a [Attempt],
    old: BTreeMap<&'a BStr, &'a Skill>,
    new: BTreeMap<&'a BStr, &'a Skill>,
    report: &'a Report,
}

impl Sides<'_> {
    /// Returns a rule whose finding is still present after its edit.
    fn unfixed_rule(&self, attempt: &Attempt) -> Option<RuleRef> {
        let rules = attempt.groups.iter().map(|group| group.finding.rule.clone());
        rules.into_iter().find(|rule| {
            let key = (attempt.path.as_bstr(), rule.id());
            let (Some(old), Some(new)) = (self.before.get(&key), self.after.get(&key)) else { return false };
            if self.was_unreadable(attempt) {
                // Fixing an error can uncover another one of the same kind, but not at the same place.
                let recurs = |finding: &&Finding| {
                    let mut groups = attempt.groups_at(finding.place.range());
                    groups.any(|group| group.finding.message == finding.message)
                };
                return new.findings.iter().any(recurs);
            }
            // A target names one reason for a skill that it loses. The next one is about another field.
            if matches!(rule.check, Check::Target(_)) {
                let is_of_rule = |group: &Group| group.finding.rule.id() == rule.id();
                return new.findings.iter().any(|finding| attempt.groups_at(finding.place.range()).any(is_of_rule));
            }
            let edited = attempt.groups.iter().filter(|group| group.finding.rule.id() == rule.id()).count();
            new.findings.len() + edited > old.findings.len() && new.extent >= old.extent
        })
    }

    /// Attributes a new finding to edits, unless it was hidden before.
    fn blame(&self, finding: &Finding, rejections: &mut BTreeMap<BString, Rejection>) {
        // Findings about the accepted set can follow from more accepted skills.
        if matches!(finding.rule.check, Check::Set(_)) {
            return;
        }
        let places = std::iter::once(finding.place).chain(finding.related.iter().map(|(place, _)| *place));
        let paths: BTreeSet<&BStr> = places.map(|place| self.report.catalog.file(place.file).path.as_bstr()).collect();
        let is_worse = |group: &Group| group.finding.severity > finding.severity;
        let concerned = || self.attempts.iter().filter(|attempt| paths.contains(attempt.path.as_bstr()));
        let is_allowed = |attempt: &Attempt| !self.strict || paths.len() == 1 || attempt.groups.iter().any(is_worse);
        let uncovers = |attempt: &Attempt| self.was_unreadable(attempt) && is_allowed(attempt);
        // A target names one reason for a skill that it drops. A later reason is no worse than the fixed one.
        let is_next_reason = |attempt: &Attempt| {
            let is_about_target = matches!(finding.rule.check, Check::Target(_));
            is_about_target && attempt.groups.iter().all(|group| group.finding.severity >= finding.severity)
        };
        let is_excused =
            |attempt: &Attempt| uncovers(attempt) || is_next_reason(attempt) || self.was_hidden(attempt, finding);
        if concerned().any(is_excused) {
            return;
        }
        let reason = format!("would add `{}`", finding.rule.id());
        let mut blamed: Vec<&Attempt> = concerned().collect();
        if blamed.is_empty() {
            blamed = self.attempts.iter().collect();
        }
        let certain = blamed.len() == 1;
        for attempt in blamed {
            rejections.entry(attempt.path.clone()).or_insert_with(|| Rejection { reason: reason.clone(), certain });
        }
    }

    /// Returns whether the front matter was unreadable before.
    fn was_unreadable(&self, attempt: &Attempt) -> bool {
        self.old.get(attempt.path.as_bstr()).is_some_and(|skill| !skill.has_fields())
    }

    /// Returns whether a finding is about a field that could not be checked before its key or value was fixed, at a lower
    /// level than the fixed finding.
    fn was_hidden(&self, attempt: &Attempt, finding: &Finding) -> bool {
        let is_here = self.report.path(finding) == attempt.path;
        let range = self.field_at(attempt, finding.place).unwrap_or(finding.place.range());
        is_here && attempt.groups_at(range).any(|group| finding.severity < group.finding.severity)
    }

    /// Returns the range of the field that contains a place in the edited text.
    fn field_at(&self, attempt: &Attempt, place: Place) -> Option<Range<usize>> {
        let skill = self.new.get(attempt.path.as_bstr())?;
        let ranges = skill.fields().map(|field| field.key.place.range().start..field.value.place.range().end);
        let place = place.range();
        ranges.into_iter().find(|field| field.start <= place.start && place.end <= field.end)
    }
}
