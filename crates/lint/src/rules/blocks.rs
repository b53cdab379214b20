//! Shared by the rules about the default prompt blocks.

use crate::rule::Facts;
use skilltree_dispatch::prompt::Recipe;

/// The profile of the default block.
const PROFILE: &str = "symphony";

/// Returns the recipes of `prompt` without a profile: Symphony's own if WORKFLOW.md has `agent.skills`.
pub(super) fn defaults(facts: &Facts<'_>) -> Vec<Recipe> {
    match facts.profiles.find(PROFILE).filter(|_| facts.dispatch.workflow) {
        Some(profile) => Recipe::of(profile, facts.roots).into_iter().collect(),
        None => Recipe::defaults(facts.roots),
    }
}
