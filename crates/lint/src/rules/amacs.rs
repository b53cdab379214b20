//! Shared by the rules about AMACS: the skills that a thread can bind, and the budget.

use crate::rule::Facts;
use skilltree_dispatch::prompt::Recipe;

/// The profile of AMACS (IMP-023).
const PROFILE: &str = "amacs";

/// Returns the prompt recipe of AMACS: its roots, its budget and the names that it always includes.
pub(super) fn recipe(facts: &Facts<'_>) -> Option<Recipe> {
    Recipe::of(facts.profiles.find(PROFILE)?, facts.roots)
}
