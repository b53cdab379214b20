//! What a cap leaves out, said alike by every cap.

use super::{Finding, Sink, Subject};
use crate::accept::Accepted;
use crate::prompt;
use crate::roots::RootId;
use crate::select;
use crate::skill::SkillId;

/// Skills that are named, and skills whose places are shown.
const SHOWN: usize = 20;

/// Reports the skills that a dispatcher drops from the block of some roots, at the first of them. `fact` is what is over
/// the cap. Nothing is over it when no skill is dropped.
pub fn report_dropped<'s>(
    sink: &'s mut Sink,
    accepted: &Accepted<'_>,
    roots: &[RootId],
    dropped: &[SkillId],
    fact: &str,
) -> Option<&'s mut Finding> {
    let [first, others @ ..] = dropped else { return None };
    let place = |id: SkillId| select::name_place(accepted.catalog.skill(id));
    let names = prompt::named(accepted.catalog, dropped, SHOWN);
    sink.about(match roots {
        [root] => Subject::Root(*root),
        _ => Subject::Config,
    });
    let finding = sink.report(place(*first), format!("{fact}: a dispatcher drops {names}"));
    for &other in others.iter().take(SHOWN) {
        finding.related(place(other), "dropped too");
    }
    Some(finding)
}
