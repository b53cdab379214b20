//! Skills that are found twice, themselves and through a link: each finding is kept once, with the path that is in the tree.

use std::collections::BTreeMap;

use crate::rule::{Finding, Subject, describe_losses};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::SkillId;

/// Merges each finding about a linked skill into the same finding about the skill itself.
pub(super) fn merge(findings: &mut Vec<Finding>, catalog: &Catalog) {
    let of_links = originals(catalog);
    if of_links.is_empty() {
        return;
    }
    let key = |finding: &Finding, skill| (skill, finding.rule.clone(), (finding.place.start, finding.place.end));
    let mut known: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        if let Subject::Skill(skill) = finding.subject {
            known.entry(key(finding, skill)).or_default().push(number);
        }
    }
    let mut merged = vec![false; findings.len()];
    for number in 0..findings.len() {
        let Subject::Skill(skill) = findings[number].subject else { continue };
        let Some(&original) = of_links.get(&skill) else { continue };
        let same = known.get(&key(&findings[number], original)).into_iter().flatten();
        let kept = same.copied().find(|&kept| findings[kept].message == findings[number].message);
        if let Some(kept) = kept {
            merged[number] = true;
            let linked = findings[number].clone();
            take(&mut findings[kept], linked);
        }
    }
    let mut merged = merged.into_iter();
    findings.retain(|_| !merged.next().unwrap_or_default());
}

/// Returns the skills that are read through a link, each with the skill that it leads to.
fn originals(catalog: &Catalog) -> BTreeMap<SkillId, SkillId> {
    let original = |(id, _)| (id, catalog.original(id));
    catalog.skills().map(original).filter(|(id, original)| id != original).collect()
}

/// Adds the runtimes and the severity of a finding to another one.
fn take(kept: &mut Finding, linked: Finding) {
    kept.severity = kept.severity.max(linked.severity);
    let before = describe_losses(&kept.losses);
    let known = kept.losses.len();
    for loss in linked.losses {
        if kept.losses.iter().all(|known| known.runtime.id != loss.runtime.id) {
            kept.losses.push(loss);
        }
    }
    if kept.losses.len() > known {
        if before.is_some() && kept.notes.first() == before.as_ref() {
            kept.notes.remove(0);
        }
        kept.notes.splice(0..0, describe_losses(&kept.losses));
    }
}
