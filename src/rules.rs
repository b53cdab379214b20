//! The catalogue of rules: two lines a rule, in alphabetical order.

use crate::rule::Rule;

pub mod name_too_long;

/// Every rule, sorted by id.
pub static ALL: &[&Rule] = &[&name_too_long::RULE];

/// The rule of that id.
pub fn find(id: &str) -> Option<&'static Rule> {
    ALL.binary_search_by(|rule| rule.id.cmp(id)).ok().map(|index| ALL[index])
}
