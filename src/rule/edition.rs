//! Editions: frozen sets of rules and levels, so that an update turns nobody's build red.
//!
//! A rule says which edition took it, and the level that it had then. An edition that changes the level of an older rule
//! says so in [`CHANGES`]: the rule's file stays as it is, and so does every older edition.

use super::{Level, Rule};

/// A frozen set of rules and levels: a repository that names one is not surprised by an update. Editions are ordered by
/// their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edition(pub &'static str);

/// The first edition.
pub const E2026: Edition = Edition("2026");

/// What no edition has taken yet; it comes after all of them.
pub const PREVIEW: Edition = Edition("preview");

/// The editions, oldest first.
pub const EDITIONS: &[Edition] = &[E2026];

/// Another level for a rule that an older edition took; `off` retires it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The edition from which on it holds.
    pub since: Edition,
    /// The id of the rule.
    pub rule: &'static str,
    /// The level.
    pub level: Level,
}

/// What editions changed, oldest first.
pub const CHANGES: &[Change] = &[];

/// Which rules are judged, and at which level, when nobody says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// The edition.
    pub edition: Edition,
    /// Whether the rules that it does not have are judged too, as warnings at most.
    pub preview: bool,
    /// What editions changed, oldest first.
    pub changes: &'static [Change],
}

impl Default for Defaults {
    fn default() -> Self {
        Self { edition: EDITIONS[EDITIONS.len() - 1], preview: false, changes: CHANGES }
    }
}

impl Defaults {
    /// Whether the edition has a rule.
    pub fn has(&self, rule: &Rule) -> bool {
        rule.since <= self.edition
    }

    /// The level of a rule.
    pub fn level(&self, rule: &Rule) -> Level {
        if !self.has(rule) {
            return if self.preview { rule.level.min(Level::Warning) } else { Level::Off };
        }
        let mut changes = self.changes.iter().filter(|change| change.rule == rule.id && change.since <= self.edition);
        changes.next_back().map_or(rule.level, |change| change.level)
    }
}

impl Rule {
    /// Its level in the newest edition; of a rule in preview the level that it has there.
    pub fn usual_level(&self) -> Level {
        Defaults { preview: true, ..Defaults::default() }.level(self)
    }

    /// Whether no edition has taken it yet.
    pub fn is_preview(&self) -> bool {
        self.since == PREVIEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    const E2027: Edition = Edition("2027");
    const MADE_UP: &[Change] = &[
        Change { since: E2027, rule: "empty-body", level: Level::Note },
        Change { since: E2027, rule: "byte-order-mark", level: Level::Off },
        Change { since: Edition("2028"), rule: "empty-body", level: Level::Warning },
    ];

    /// The levels of a rule in three editions, without the rules that they do not have and with them.
    fn levels(rule: &Rule) -> [[Level; 2]; 3] {
        let level = |edition, preview| Defaults { edition, preview, changes: MADE_UP }.level(rule);
        [E2026, E2027, Edition("2028")].map(|edition| [level(edition, false), level(edition, true)])
    }

    #[test]
    fn an_edition_changes_nothing_of_an_older_one() {
        use Level::{Error, Note, Off, Warning};
        let body = rules::empty_body::RULE;
        assert_eq!(levels(&body), [[Error; 2], [Note; 2], [Warning; 2]]);
        assert_eq!(levels(&rules::byte_order_mark::RULE), [[Error; 2], [Off; 2], [Off; 2]]);
        assert_eq!(levels(&Rule { id: "x", since: E2027, ..body }), [[Off, Warning], [Error; 2], [Error; 2]]);
        assert_eq!(levels(&Rule { id: "x", since: PREVIEW, ..body }), [[Off, Warning]; 3]);
        assert_eq!(levels(&Rule { id: "x", since: PREVIEW, level: Note, ..body }), [[Off, Note]; 3]);
    }

    #[test]
    fn every_change_is_of_a_rule_that_was_there_before() {
        assert!(EDITIONS.is_sorted() && EDITIONS.iter().all(|&edition| edition < PREVIEW));
        assert!(CHANGES.is_sorted_by_key(|change| change.since));
        for change in CHANGES {
            let rule = rules::find(change.rule).expect("the rule of a change exists");
            assert!(rule.since < change.since && EDITIONS.contains(&change.since), "{}", change.rule);
        }
        for rule in rules::ALL {
            assert!(rule.is_preview() || EDITIONS.contains(&rule.since), "{}", rule.id);
        }
    }
}
