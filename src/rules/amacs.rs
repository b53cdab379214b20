//! What the rules about AMACS share: which skills a thread can bind, and how much room there is.

use crate::prompt::Recipe;
use crate::rule::Facts;

/// The profile of AMACS (IMP-023).
const PROFILE: &str = "amacs";

/// How AMACS' prompt is made: its roots, its budget, and the names that it always has.
pub(super) fn recipe(facts: &Facts<'_>) -> Option<Recipe> {
    Recipe::of(facts.profiles.find(PROFILE)?, facts.roots)
}
