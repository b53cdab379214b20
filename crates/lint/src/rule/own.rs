//! Rules that the configuration of a repository defines.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

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

/// The texts of a rule that a repository defines. They come from the checked tree, so the configuration limits their number
/// and length.
#[derive(Clone, Debug)]
pub struct Texts {
    pub(super) id: String,
    pub(super) summary: String,
    pub(super) explanation: String,
    /// The file that defines the rule, as the object of a sentence.
    pub(super) definer: &'static str,
}

/// A rule that runs: a built-in one, or one of the repository. Two are equal if they have the same id.
#[derive(Clone, Debug)]
pub enum RuleRef {
    /// A built-in rule.
    BuiltIn(&'static Rule),
    /// A rule that the configuration defines.
    Own(Arc<Rule>),
}

impl RuleRef {
    /// Creates the rule of a repository, or of its policy, with this id, level, summary and page.
    pub(crate) fn own(id: &str, level: Level, summary: &str, page: &str, in_policy: bool) -> Self {
        let (id, summary, explanation) = (id.to_owned(), summary.to_owned(), page.to_owned());
        let definer = if in_policy { "the policy" } else { "`skilltree.toml`" };
        let texts = Texts { id, summary, explanation, definer };
        Self::Own(Arc::new(Rule {
            group: Group::Repository,
            since: E2026,
            level,
            why: match in_policy {
                true => "the policy of the repository requires it",
                false => "the `skilltree.toml` of the repository requires it",
            },
            own: Some(Box::new(texts)),
            ..Rule::DEFAULT
        }))
    }
}

impl Deref for RuleRef {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        match self {
            Self::BuiltIn(rule) => rule,
            Self::Own(rule) => rule,
        }
    }
}

impl From<&'static Rule> for RuleRef {
    fn from(rule: &'static Rule) -> Self {
        Self::BuiltIn(rule)
    }
}

impl From<&Self> for RuleRef {
    fn from(rule: &Self) -> Self {
        rule.clone()
    }
}

impl PartialEq for RuleRef {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl Eq for RuleRef {}

impl PartialOrd for RuleRef {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for RuleRef {
    fn cmp(&self, other: &Self) -> Ordering {
        self.id().cmp(other.id())
    }
}

impl Hash for RuleRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id().hash(state);
    }
}

impl Borrow<str> for RuleRef {
    fn borrow(&self) -> &str {
        self.id()
    }
}
