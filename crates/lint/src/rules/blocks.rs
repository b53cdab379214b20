//! Shared by the rules about the default prompt blocks.

use crate::rule::Facts;
use skilltree_dispatch::prompt::Recipe;

/// The profile of the default block.
const PROFILE: &str = "symphony";

/// Returns the recipes of `prompt` without a profile, within the limits of the repository: Symphony's own if WORKFLOW.md has `agent.skills`.
pub(super) fn defaults(facts: &Facts<'_>) -> Vec<Recipe> {
    match facts.profiles.find(PROFILE).filter(|_| facts.dispatch.workflow) {
        Some(profile) => {
            let recipe = Recipe::of(profile, facts.roots);
            recipe.map(|recipe| recipe.limited(facts.limits, facts.dispatch.cap)).into_iter().collect()
        }
        None => Recipe::defaults(facts.roots, facts.limits, facts.dispatch.cap),
    }
}
