//! Report of skills over a cap, shared by all caps.

use super::{Elsewhere, Finding, Sink, Subject};
use skilltree_dispatch::accept::Accepted;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Number of skills that are named, and of related places.
const SHOWN: usize = 20;

/// Reports the skills that a dispatcher drops from the block of some roots, at the first of them. `fact` says what
/// exceeds the cap. Reports nothing if no skill is dropped.
pub fn report_dropped<'s>(
    sink: &'s mut Sink,
    accepted: &Accepted<'_>,
    roots: &[RootId],
    dropped: &[SkillId],
    fact: &str,
) -> Option<&'s mut Finding> {
    let [first, others @ ..] = dropped else { return None };
    let place = |id: SkillId| accepted.catalog.skill(id).name_place();
    let names = accepted.catalog.name_list(dropped, SHOWN);
    sink.about(match roots {
        [root] => Subject::Root(*root),
        _ => Subject::Config,
    });
    let finding = sink.report(place(*first), format!("{fact}, so a dispatcher drops {names}"));
    finding.or_at(Elsewhere::Counted(roots.to_vec()));
    for &other in others.iter().take(SHOWN) {
        finding.related(place(other), "also dropped");
    }
    Some(finding)
}
