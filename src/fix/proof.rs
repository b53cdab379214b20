//! Whether edits do what they say: the report before and the report after, side by side.

use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, BString, ByteSlice};

use super::choice::Group;
use super::fields;
use super::splice::{Spliced, splice};
use super::sweep;
use crate::lint::Report;
use crate::rule::{Check, Finding, Rule};
use crate::skill::Skill;
use crate::text::Place;

/// A file with the edits of a round made.
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

    /// The groups with an edit that a place of the text as it is now touches.
    fn groups_at(&self, place: Place) -> impl Iterator<Item = &Group> {
        let range = place.range();
        let spans = self.spliced.spans.iter();
        let spans = spans.filter(move |span| span.after.start <= range.end && range.start <= span.after.end);
        spans.map(|span| &self.groups[span.group])
    }
}

/// What edits of a file would do that nobody asked for.
#[derive(Clone, Debug)]
pub(super) struct Harm {
    /// In words that follow "the edit".
    pub(super) words: String,
    /// Whether it must have been the edits of this file.
    pub(super) certain: bool,
}

/// The harm that edits would do, by path.
pub(super) fn harm(before: &Report, after: &Report, attempts: &[Attempt]) -> BTreeMap<BString, Harm> {
    let sides = Sides { before: tallies(before), after: tallies(after), attempts, old: skills(before), report: after };
    let new = skills(after);
    let mut harm = BTreeMap::new();
    let certain = |words: String| Harm { words, certain: true };
    for attempt in attempts {
        let skills = (sides.old.get(attempt.path.as_bstr()), new.get(attempt.path.as_bstr()));
        if let (Some(old), Some(new)) = skills
            && old.has_fields()
            && !fields::are_kept(old, new, &attempt.spliced)
        {
            harm.insert(attempt.path.clone(), certain("would change other fields too".to_owned()));
        } else if let Some(rule) = sides.useless(attempt) {
            harm.insert(attempt.path.clone(), certain(format!("would not mend `{}`", rule.id)));
        }
    }
    for (key, tally) in &sides.after {
        let known = sides.before.get(key);
        if known.is_none_or(|known| known.findings.len() < tally.findings.len()) {
            for finding in &tally.findings {
                if !known.is_some_and(|known| known.findings.iter().any(|other| other.message == finding.message)) {
                    sides.blame(finding, &mut harm);
                }
            }
        }
    }
    harm
}

/// What a rule says of a file.
#[derive(Default)]
struct Tally<'a> {
    findings: Vec<&'a Finding>,
    extent: u64,
}

type Tallies<'a> = BTreeMap<(&'a BStr, &'static str), Tally<'a>>;

fn tallies(report: &Report) -> Tallies<'_> {
    let mut tallies = Tallies::new();
    for finding in report.standing() {
        let tally = tallies.entry((report.path(finding), finding.rule.id)).or_default();
        tally.findings.push(finding);
        tally.extent += finding.extent;
    }
    tallies
}

fn skills(report: &Report) -> BTreeMap<&BStr, &Skill> {
    report.catalog.skills().map(|(id, skill)| (report.catalog.path(id), skill)).collect()
}

struct Sides<'a> {
    before: Tallies<'a>,
    after: Tallies<'a>,
    attempts: &'a [Attempt],
    old: BTreeMap<&'a BStr, &'a Skill>,
    report: &'a Report,
}

impl Sides<'_> {
    /// A rule whose finding is still there, edited or not.
    fn useless(&self, attempt: &Attempt) -> Option<&'static Rule> {
        let rules = attempt.groups.iter().map(|group| group.finding.rule);
        rules.into_iter().find(|rule| {
            let key = (attempt.path.as_bstr(), rule.id);
            let (Some(old), Some(new)) = (self.before.get(&key), self.after.get(&key)) else { return false };
            if self.was_dark(attempt) {
                // Another mistake of the same kind may have stood behind the one that is mended, but not at its place.
                let recurs = |finding: &&Finding| {
                    let mut groups = attempt.groups_at(finding.place);
                    groups.any(|group| group.finding.message == finding.message)
                };
                return new.findings.iter().any(recurs);
            }
            let edited = attempt.groups.iter().filter(|group| group.finding.rule.id == rule.id).count();
            new.findings.len() + edited > old.findings.len() && new.extent >= old.extent
        })
    }

    /// Says who brought a finding, unless it was only hidden before.
    fn blame(&self, finding: &Finding, harm: &mut BTreeMap<BString, Harm>) {
        // What is said of the accepted skills together follows from there being more of them, and what a target makes of a
        // skill was only hidden behind what is mended.
        if matches!(finding.rule.check, Check::Set(_) | Check::Target(_)) {
            return;
        }
        let places = std::iter::once(finding.place).chain(finding.related.iter().map(|(place, _)| *place));
        let paths: BTreeSet<&BStr> = places.map(|place| self.report.catalog.file(place.file).path.as_bstr()).collect();
        let concerned = || self.attempts.iter().filter(|attempt| paths.contains(attempt.path.as_bstr()));
        if concerned().any(|attempt| self.was_dark(attempt) || self.is_uncovered(attempt, finding)) {
            return;
        }
        let words = format!("would bring `{}`", finding.rule.id);
        let mut blamed: Vec<&Attempt> = concerned().collect();
        if blamed.is_empty() {
            blamed = self.attempts.iter().collect();
        }
        let certain = blamed.len() == 1;
        for attempt in blamed {
            harm.entry(attempt.path.clone()).or_insert_with(|| Harm { words: words.clone(), certain });
        }
    }

    /// Whether nobody could judge the fields of a file before.
    fn was_dark(&self, attempt: &Attempt) -> bool {
        self.old.get(attempt.path.as_bstr()).is_some_and(|skill| !skill.has_fields())
    }

    /// Whether a finding is about a value that could not be judged before it was mended, and less bad than what was wrong
    /// with it.
    fn is_uncovered(&self, attempt: &Attempt, finding: &Finding) -> bool {
        let is_here = self.report.path(finding) == attempt.path;
        is_here && attempt.groups_at(finding.place).any(|group| finding.level < group.finding.level)
    }
}
