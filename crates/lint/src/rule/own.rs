//! Rules that the configuration of a repository defines.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{E2026, Group, Level, Rule};

/// Pattern of the id of such a rule. The slash keeps it apart from the ids of all built-in rules, also of those to come.
pub const OWN_ID: &str = "^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$";

/// Maximum length of an id, in bytes.
const ID_BYTES: usize = 64;

/// Returns whether a rule of a repository can have an id.
pub fn is_own_id(id: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    let is_name = |name: &str| name.split('-').all(is_word);
    id.len() <= ID_BYTES && id.split_once('/').is_some_and(|(one, two)| is_name(one) && is_name(two))
}

/// The definition of a rule.
type Definition = (String, Level, String, String);

/// Rules by definition. A rule is known by its address as long as the program runs, so one that was read before is used again:
/// a program that checks many repositories keeps each rule once.
static KNOWN: Mutex<BTreeMap<Definition, &'static Rule>> = Mutex::new(BTreeMap::new());

/// Returns the rule of a repository with this id, level, summary and page. The texts come from the checked tree, so the
/// configuration limits their number and length.
pub(crate) fn own(id: &str, level: Level, summary: &str, page: &str) -> &'static Rule {
    let definition = (id.to_owned(), level, summary.to_owned(), page.to_owned());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(rule) = known.get(&definition) {
        return rule;
    }
    let leaked = |text: &str| -> &'static str { Box::leak(text.into()) };
    let rule: &'static Rule = Box::leak(Box::new(Rule {
        id: leaked(id),
        group: Group::Repository,
        since: E2026,
        level,
        summary: leaked(summary),
        why: "the `skilltree.toml` of the repository requires it",
        explanation: leaked(page),
        ..Rule::DEFAULT
    }));
    known.insert(definition, rule);
    rule
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_one_rule_per_definition() {
        let rule = own("a/b", Level::Note, "a fact", "page");
        assert!(std::ptr::eq(rule, own("a/b", Level::Note, "a fact", "page")));
        assert!(!std::ptr::eq(rule, own("a/b", Level::Error, "a fact", "page")));
    }
}
