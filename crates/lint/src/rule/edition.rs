//! Editions: frozen sets of rules and levels, so that an update does not break existing builds.
//!
//! A rule names its first edition and its level there. An edition that changes the level of an older rule lists the
//! change in [`CHANGES`]: the file of the rule and all older editions stay the same.

use super::{Level, Rule};

/// A frozen set of rules and levels. A repository that pins an edition keeps its findings after an update. Editions are
/// ordered by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edition(pub &'static str);

/// The first edition.
pub const E2026: Edition = Edition("2026");

/// Rules that are not in any edition yet; ordered after all editions.
pub const PREVIEW: Edition = Edition("preview");

/// The editions, oldest first.
pub const EDITIONS: &[Edition] = &[E2026];

/// A new level for a rule of an older edition; `off` retires the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// First edition with this level.
    pub since: Edition,
    /// The id of the rule.
    pub rule: &'static str,
    /// The level.
    pub level: Level,
}

/// Changes made by editions, oldest first.
pub const CHANGES: &[Change] = &[];

/// Rules and levels in force if nothing else is configured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// The edition.
    pub edition: Edition,
    /// Whether rules outside the edition run too, as warnings at most.
    pub preview: bool,
    /// Changes made by editions, oldest first.
    pub changes: &'static [Change],
}

impl Default for Defaults {
    fn default() -> Self {
        Self { edition: EDITIONS[EDITIONS.len() - 1], preview: false, changes: CHANGES }
    }
}

impl Defaults {
    /// Returns whether the edition has a rule.
    pub fn has(&self, rule: &Rule) -> bool {
        rule.since <= self.edition
    }

    /// Returns the level of a rule.
    pub fn level(&self, rule: &Rule) -> Level {
        if !self.has(rule) {
            return if self.preview { rule.level.min(Level::Warning) } else { Level::Off };
        }
        let mut changes = self.changes.iter().filter(|change| change.rule == rule.id() && change.since <= self.edition);
        changes.next_back().map_or(rule.level, |change| change.level)
    }
}

impl Rule {
    /// Returns the level in the newest edition, or the preview level.
    pub fn usual_level(&self) -> Level {
        Defaults { preview: true, ..Defaults::default() }.level(self)
    }

    /// Returns whether the rule is not in any edition yet.
    pub fn is_preview(&self) -> bool {
        self.since == PREVIEW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;

    const E2027: Edition = Edition("2027");
    const SAMPLE_CHANGES: &[Change] = &[
        Change { since: E2027, rule: "empty-body", level: Level::Note },
        Change { since: E2027, rule: "byte-order-mark", level: Level::Off },
        Change { since: Edition("2028"), rule: "empty-body", level: Level::Warning },
    ];

    /// Returns the levels of a rule in three editions, without and with preview rules.
    fn levels(rule: &Rule) -> [[Level; 2]; 3] {
        let level = |edition, preview| Defaults { edition, preview, changes: SAMPLE_CHANGES }.level(rule);
        [E2026, E2027, Edition("2028")].map(|edition| [level(edition, false), level(edition, true)])
    }

    #[test]
    fn keeps_older_editions_unchanged() {
        use Level::{Error, Note, Off, Warning};
        let body = rules::empty_body::RULE.clone();
        assert_eq!(levels(&body), [[Error; 2], [Note; 2], [Warning; 2]]);
        assert_eq!(levels(&rules::byte_order_mark::RULE), [[Error; 2], [Off; 2], [Off; 2]]);
        assert_eq!(levels(&Rule { id: "x", since: E2027, ..body.clone() }), [[Off, Warning], [Error; 2], [Error; 2]]);
        assert_eq!(levels(&Rule { id: "x", since: PREVIEW, ..body.clone() }), [[Off, Warning]; 3]);
        assert_eq!(levels(&Rule { id: "x", since: PREVIEW, level: Note, ..body.clone() }), [[Off, Note]; 3]);
    }

    #[test]
    fn changes_only_rules_of_older_editions() {
        assert!(EDITIONS.is_sorted() && EDITIONS.iter().all(|&edition| edition < PREVIEW));
        assert!(CHANGES.is_sorted_by_key(|change| change.since));
        for change in CHANGES {
            let rule = rules::find(change.rule).expect("the rule of a change exists");
            assert!(rule.since < change.since && EDITIONS.contains(&change.since), "{}", change.rule);
        }
        for rule in rules::ALL {
            assert!(rule.is_preview() || EDITIONS.contains(&rule.since), "{}", rule.id());
        }
    }
}
