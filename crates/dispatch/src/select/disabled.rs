//! Skills that only a person may start.

use super::{Dropped, Reason, Selection};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::keys::DISABLE_MODEL_INVOCATION;
use skilltree_skills::skill::SkillId;

/// Removes the skills that only a person may start, unless a person names the skills: with a mention, by name, or in a thread.
/// From all other blocks a model chooses.
pub(super) fn without_disabled(
    skills: Vec<SkillId>,
    catalog: &Catalog,
    selection: &Selection,
) -> (Vec<SkillId>, Vec<Dropped>) {
    if !matches!(selection, Selection::All | Selection::Task(_)) {
        return (skills, Vec::new());
    }
    let (disabled, enabled) = skills.into_iter().partition(|&id| catalog.skill(id).disables_model_invocation());
    let drop = |skill: SkillId| Dropped {
        skill,
        reason: Reason::ModelInvocationDisabled,
        detail: format!("`{DISABLE_MODEL_INVOCATION}` is true: only a person may start it"),
    };
    let disabled: Vec<SkillId> = disabled;
    (enabled, disabled.into_iter().map(drop).collect())
}
