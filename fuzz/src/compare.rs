//! Comparison with a base: nothing is new or fixed against itself, and what is new in one direction is fixed in the other.

use std::collections::BTreeSet;

use skilltree_front_matter::text::FileId;
use skilltree_lint::compare::{Outlines, Pairs, Side, compare as compare_sides};
use skilltree_lint::rule::{Check, Finding, Rule};

use super::files::{Linted, parts, skills};

/// Compares two states of a skills directory. The first part has the number of skills of the base.
pub fn compare(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let parts = parts(rest, 6);
    let (base, head) = parts.split_at(parts.len().min(usize::from(first % 4)));
    let [base, head] = [base, head].map(|parts| Linted::new(&skills(parts)).expect("no configuration is valid"));
    let graded = graded(&[&base, &head]);
    for side in [&base, &head] {
        let same = Compared::new(side, side, &BTreeSet::new());
        assert_eq!((same.new, same.fixed), (Vec::new(), Vec::new()), "a state differs from itself");
    }
    let (forward, backward) = (Compared::new(&head, &base, &graded), Compared::new(&base, &head, &graded));
    for (one, new, fixed) in [("forward", &forward.new, &backward.fixed), ("backward", &backward.new, &forward.fixed)] {
        assert_eq!(new, fixed, "{one}: new, and fixed the other way");
    }
    let again = Compared::new(&head, &base, &graded);
    assert_eq!((again.new, again.fixed), (forward.new, forward.fixed), "the second comparison differs");
}

/// Returns the rules whose findings have a size, or merge several places: a larger finding is new, and a smaller one is not fixed.
fn graded<'r>(sides: &[&'r Linted]) -> BTreeSet<&'r str> {
    let findings = sides.iter().flat_map(|side| &side.report.findings);
    findings.filter(|one| one.extent > 0 || !one.occurrences.is_empty()).map(|one| one.rule.id()).collect()
}

/// New and fixed findings, as rule and path, sorted.
struct Compared {
    new: Vec<String>,
    fixed: Vec<String>,
}

impl Compared {
    /// Compares two states, without the findings of some rules.
    fn new(head: &Linted, base: &Linted, graded: &BTreeSet<&str>) -> Self {
        let mut pairs = Pairs::new(&head.report, &base.report);
        let (heads, bases) = pairs.unpaired();
        let (heads, bases) = (outlines(head, heads), outlines(base, bases));
        pairs.pair_similar(&heads, &bases);
        let (ours, theirs) = (head.excerpts(), base.excerpts());
        let comparison = compare_sides(
            Side { report: &head.report, excerpts: &ours },
            Side { report: &base.report, excerpts: &theirs },
            &pairs,
        );
        let mut report = head.report.clone();
        comparison.apply(&mut report, &base.report);
        let is_counted = |rule: &Rule| matches!(rule.check, Check::Skill(_)) && !graded.contains(rule.id());
        let path = |finding: &Finding| format!("{} {}", finding.rule.id(), report.path(finding));
        let mut new: Vec<String> = report.active().filter(|one| is_counted(&one.rule)).map(path).collect();
        let fixed = report.base.as_ref().expect("it was compared").fixed.iter();
        let fixed = fixed.filter(|one| is_counted(&one.rule)).map(|one| format!("{} {}", one.rule.id(), one.path));
        let mut fixed: Vec<String> = fixed.collect();
        new.sort();
        fixed.sort();
        Self { new, fixed }
    }
}

fn outlines(linted: &Linted, files: &[FileId]) -> Outlines {
    Outlines::new(&linted.report.catalog, files, |files| linted.source.bodies(files)).expect("memory can be read")
}
