//! Which finding says why a runtime loses a skill, so that nothing is blamed on a finding that has no part in it.

use super::Rule;
use crate::forecast::{Passed, Reason};
use crate::profile::listing::Measured;

/// Whether a reason is what a rule speaks of.
type Speaks = fn(&Reason) -> bool;

/// The rules that speak of more than the faults that they name themselves, by their ids.
const CAUSES: &[(&str, Speaks)] = &[
    ("body-over-budget", |reason| is_too_long(reason, &[Measured::Body])),
    ("body-too-long", |reason| is_too_long(reason, &[Measured::Body])),
    ("compatibility-too-long", |reason| is_too_long(reason, &[Measured::Compatibility])),
    ("description-not-a-string", |reason| is_of(reason, "description")),
    ("description-too-long", |reason| is_too_long(reason, &[Measured::Description])),
    ("empty-body", |reason| matches!(reason, Reason::EmptyBody)),
    ("invalid-yaml", |reason| matches!(reason, Reason::Yaml(None) | Reason::Mended(None))),
    ("linked-skill", |reason| matches!(reason, Reason::Link)),
    ("broken-skill-link", |reason| matches!(reason, Reason::Link)),
    ("listing-entry-too-long", |reason| is_too_long(reason, &[Measured::Entry])),
    ("malformed-fence", |reason| matches!(reason, Reason::BodyLost)),
    ("malformed-name", |reason| {
        matches!(reason, Reason::Malformed(field) if field == "name") || is_shown_otherwise(reason, "name")
    }),
    ("metadata-not-a-map", |reason| is_of(reason, "metadata")),
    (
        "metadata-value-not-a-string",
        |reason| matches!(reason, Reason::WrongType(field, _) if field.starts_with("metadata.")),
    ),
    ("misnamed-skill-file", |reason| matches!(reason, Reason::FileName)),
    ("missing-description", |reason| is_missing(reason, "description")),
    ("missing-name", |reason| is_missing(reason, "name")),
    ("missing-roles", |reason| is_missing(reason, "roles") || has_no_word(reason, "roles")),
    ("missing-tags", |reason| is_missing(reason, "tags")),
    ("missing-when-to-use", |reason| is_missing(reason, "when_to_use")),
    ("misspelled-key", |reason| matches!(reason, Reason::Missing(_) | Reason::UnknownKey(_))),
    ("name-differs-from-directory", |reason| matches!(reason, Reason::DiffersFromDirectory)),
    ("name-not-a-string", |reason| is_of(reason, "name")),
    ("name-too-long", |reason| is_too_long(reason, &[Measured::Name, Measured::QualifiedName])),
    ("nested-skill", |reason| matches!(reason, Reason::Passed(Passed::BelowSkill))),
    ("prompt-breakout", |reason| is_shown_otherwise(reason, "name") || is_shown_otherwise(reason, "description")),
    ("reserved-name", |reason| matches!(reason, Reason::Reserved)),
    ("short-description-too-long", |reason| is_too_long(reason, &[Measured::ShortDescription])),
    ("skill-file-in-root", |reason| matches!(reason, Reason::Passed(Passed::InRoot))),
    ("skill-file-too-large", |reason| is_too_long(reason, &[Measured::File])),
    ("too-deep-skill", |reason| matches!(reason, Reason::TooDeep(_))),
    ("unknown-key", |reason| matches!(reason, Reason::UnknownKey(_))),
    ("unknown-role", |reason| has_no_word(reason, "roles")),
];

impl Rule {
    /// Whether what the rule says of a skill may be the reason why a runtime loses it.
    pub fn explains_something(&self) -> bool {
        !self.faults.is_empty() || self.cause().is_some()
    }

    /// Whether what the rule says of a skill is the reason why a runtime does not load it as it is written.
    pub fn explains(&self, reason: &Reason) -> bool {
        let is_fault = reason.fault().is_some_and(|fault| self.faults.contains(&fault));
        is_fault || self.cause().is_some_and(|speaks| speaks(reason))
    }

    fn cause(&self) -> Option<Speaks> {
        CAUSES.iter().find(|(rule, _)| *rule == self.id).map(|&(_, speaks)| speaks)
    }
}

fn is_too_long(reason: &Reason, parts: &[Measured]) -> bool {
    matches!(reason, Reason::TooLong { of, .. } if parts.contains(of))
}

fn is_missing(reason: &Reason, key: &str) -> bool {
    matches!(reason, Reason::Missing(field) if field == key)
}

fn has_no_word(reason: &Reason, key: &str) -> bool {
    matches!(reason, Reason::NoKnownWord(field) if field == key)
}

fn is_shown_otherwise(reason: &Reason, key: &str) -> bool {
    matches!(reason, Reason::ShownOtherwise(field) if *field == key)
}

/// Whether a value is of a type that is not taken, which `null` is too, or is shown as another text than is written.
fn is_of(reason: &Reason, key: &str) -> bool {
    let is_type = matches!(reason, Reason::WrongType(field, _) if field == key);
    is_type || is_missing(reason, key) || is_shown_otherwise(reason, key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::front_matter::FaultKind;
    use crate::rules;

    #[test]
    fn every_cause_is_a_rule_and_stands_once() {
        for (number, (rule, _)) in CAUSES.iter().enumerate() {
            assert!(rules::find(rule).is_some(), "{rule}");
            assert!(CAUSES[..number].iter().all(|(other, _)| other != rule), "{rule}");
        }
    }

    #[test]
    fn a_reason_is_explained_by_what_speaks_of_it_alone() {
        let explaining = |reason: Reason| -> Vec<&str> {
            rules::ALL.iter().filter(|rule| rule.explains(&reason)).map(|rule| rule.id).collect()
        };
        assert_eq!(explaining(Reason::NoFrontMatter(Some(FaultKind::ByteOrderMark))), ["byte-order-mark"]);
        assert_eq!(explaining(Reason::DiffersFromDirectory), ["name-differs-from-directory"]);
        assert_eq!(explaining(Reason::FlowCollection), [""; 0]);
        assert_eq!(
            explaining(Reason::Missing("name".to_owned())),
            ["missing-name", "misspelled-key", "name-not-a-string"]
        );
    }
}
