//! Findings that a change hides or lowers, because it loosens the settings or adds an ignore.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use bstr::{BStr, ByteSlice};

use crate::lint::Report;
use crate::rule::{Check, Finding, Severity};
use crate::rules::unused_ignore;
use skilltree_front_matter::text::Place;
use skilltree_skills::snapshot::Role;

/// Findings of one rule that a change hides or lowers.
#[derive(Clone, Debug)]
pub struct Hidden<'a> {
    /// The id of the rule.
    pub rule: &'a str,
    /// Their severity under the settings of the base.
    pub severity: Severity,
    /// Their severity now; `None` if they are hidden.
    pub now: Option<Severity>,
    /// Each place, with its finding.
    pub places: Vec<(Place, &'a Finding)>,
}

/// A rule and a file. A finding about all skills has none: the first skill over a cap is another one under another cap.
type Subject<'a> = (&'a str, Option<&'a BStr>);

/// A place of a finding that counts.
struct Entry<'a> {
    subject: Subject<'a>,
    place: Place,
    finding: &'a Finding,
}

impl Entry<'_> {
    /// Returns what has the same value in both reports.
    fn key(&self) -> (Subject<'_>, u32, u32) {
        (self.subject, self.place.start, self.place.end)
    }
}

/// Compares two reports about the same files: by the settings and ignores of the head, and by those of its base. Each comes with its
/// lowest severity that is shown. Returns what only the base reports, or reports as more severe: the worst first, then by rule.
pub fn hidden<'a>(head: (&'a Report, Severity), base: (&'a Report, Severity)) -> Vec<Hidden<'a>> {
    // Faults of the settings of the base are not of these files, nor is an ignore that hides nothing.
    let is_of_files = |entry: &Entry<'_>| {
        let is_of_settings = base.0.catalog.file(entry.place.file).role == Role::Config;
        !is_of_settings && entry.finding.rule.id() != unused_ignore::RULE.id
    };
    let old: Vec<Entry<'_>> = entries(base).filter(is_of_files).collect();
    let new: Vec<Entry<'_>> = entries(head).collect();
    let known: BTreeMap<_, Severity> = new.iter().map(|entry| (entry.key(), entry.finding.severity)).collect();
    let before: BTreeSet<_> = old.iter().map(Entry::key).collect();
    // The place of what is too long depends on the limit.
    let mut moved: BTreeMap<Subject<'_>, Vec<Severity>> = BTreeMap::new();
    for entry in new.iter().filter(|entry| !before.contains(&entry.key())) {
        moved.entry(entry.subject).or_default().push(entry.finding.severity);
    }
    let mut found: BTreeMap<_, Vec<(Place, &Finding)>> = BTreeMap::new();
    for entry in &old {
        let same = known.get(&entry.key()).copied();
        let now = same.or_else(|| moved.get_mut(&entry.subject)?.pop());
        if now.is_none_or(|now| now < entry.finding.severity) {
            let key = (Reverse(entry.finding.severity), now, entry.finding.rule.id());
            found.entry(key).or_default().push((entry.place, entry.finding));
        }
    }
    let hidden = |((Reverse(severity), now, rule), places)| Hidden { rule, severity, now, places };
    found.into_iter().map(hidden).collect()
}

/// Returns every place of the findings that count and are shown.
fn entries((report, least): (&Report, Severity)) -> impl Iterator<Item = Entry<'_>> {
    let counts =
        move |finding: &&Finding| finding.ignored.is_none() && (finding.severity >= least || finding.rule.always_shown);
    report.findings.iter().filter(counts).flat_map(move |finding| {
        let is_about_all = matches!(finding.rule.check, Check::Set(_) | Check::Target(_));
        finding.places().map(move |place| {
            let path = report.catalog.file(place.file).reported_path().as_bstr();
            Entry { subject: (finding.rule.id(), (!is_about_all).then_some(path)), place, finding }
        })
    })
}
