//! The limit of findings per rule and file, applied while they are made.

use std::collections::BTreeMap;

use super::{Finding, RuleRef};
use skilltree_front_matter::text::{self, FileId};

/// Maximum findings of one rule in one file (ours: 100). One more says how many others there are.
pub const FINDINGS_PER_FILE: usize = 100;

/// Maximum findings of a run (ours: 100,000, about 230 MB). A base can have as many. A run with more fails.
pub const FINDINGS: usize = 100_000;

/// Findings, at most [`FINDINGS_PER_FILE`] per rule and file, and one for the others.
#[derive(Debug, Default)]
pub(crate) struct Limited {
    kept: Vec<Finding>,
    counts: BTreeMap<(FileId, RuleRef), Count>,
}

#[derive(Debug, Default)]
struct Count {
    kept: usize,
    /// The first finding over the limit, with the number of all of them as its extent.
    rest: Option<Finding>,
}

impl Limited {
    /// Adds a finding, or only counts it. After the limit of a run it takes no more: the run fails.
    pub(crate) fn add(&mut self, finding: Finding) {
        if self.kept.len() > FINDINGS {
            return;
        }
        let count = self.counts.entry((finding.place.file, finding.rule.clone())).or_default();
        if count.kept < FINDINGS_PER_FILE {
            count.kept += 1;
            self.kept.push(finding);
            return;
        }
        match &mut count.rest {
            Some(rest) => {
                rest.extent += 1;
                rest.rest_fixable = std::array::from_fn(|kind| rest.rest_fixable[kind] + finding.fixable()[kind]);
                rest.unusable |= finding.unusable;
                rest.ceiling = rest.ceiling.max(finding.ceiling);
            }
            None => count.rest = Some(finding.into_rest()),
        }
    }

    /// Returns the findings, those for the others last.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        let mut findings = self.kept;
        findings.extend(self.counts.into_values().filter_map(|count| count.rest).map(|mut rest| {
            let others = if rest.extent == 1 {
                "1 more finding".to_owned()
            } else {
                format!("{} more findings", text::grouped(rest.extent))
            };
            rest.message = format!("{others} of this rule in this file; {FINDINGS_PER_FILE} are listed");
            rest
        }));
        findings
    }
}

impl Extend<Finding> for Limited {
    fn extend<I: IntoIterator<Item = Finding>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.add(finding));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::{Level, Sink, Subject};
    use crate::rules::knowledge_malformed::RULE;
    use skilltree_front_matter::text::Place;

    #[test]
    fn counts_findings_over_the_limit_per_file() {
        let mut sink = Sink::new(&RULE, Subject::Config);
        for number in 0..FINDINGS_PER_FILE as u32 + 3 {
            let place = Place::new(FileId(0), number as usize..number as usize + 1);
            let finding = sink.report(place, "a").at_most(Level::Warning);
            match number % 3 {
                0 => finding.edit(place, ""),
                1 => finding.unsafe_edit(place, ""),
                _ => finding,
            };
            sink.report(Place::new(FileId(number + 1), 0..1), "b");
        }
        let findings = sink.into_findings();
        assert_eq!(findings.len(), 2 * FINDINGS_PER_FILE + 3 + 1);
        let rest = findings.last().expect("there are findings");
        assert_eq!((rest.is_rest, rest.extent, rest.ceiling), (true, 3, Level::Warning));
        assert_eq!(rest.message, "3 more findings of this rule in this file; 100 are listed");
        assert_eq!((rest.rest_fixable, rest.edits.len()), ([1, 1], 0));
        assert_eq!(rest.place, Place::new(FileId(0), 100..101));
        assert_eq!(findings.iter().filter(|finding| finding.is_rest).count(), 1);
    }
}
