//! Which finding says why a runtime loses a skill, so that nothing is blamed on a finding that has no part in it.

use super::Rule;
use crate::forecast::{Passed, Reason};
use crate::limits::Limits;
use crate::profile::listing::Measured;

/// Whether a reason is what a rule speaks of.
type Speaks = fn(&Reason, &Limits) -> bool;

/// The rules that speak of more than the faults that they name themselves, by their ids.
const CAUSES: &[(&str, Speaks)] = &[
    ("body-over-budget", |reason, _| is_too_long(reason, &[Measured::Body], None)),
    ("body-too-long", |reason, _| is_too_long(reason, &[Measured::Body], None)),
    ("compatibility-too-long", |reason, limits| {
        is_too_long(reason, &[Measured::Compatibility], limits.compatibility_chars)
    }),
    ("description-not-a-string", |reason, _| is_of(reason, "description")),
    ("description-too-long", |reason, limits| is_too_long(reason, &[Measured::Description], limits.description_chars)),
    ("empty-body", |reason, _| matches!(reason, Reason::EmptyBody)),
    ("invalid-yaml", |reason, _| matches!(reason, Reason::Yaml(None) | Reason::Mended(None))),
    ("linked-skill", |reason, _| matches!(reason, Reason::Link)),
    ("broken-skill-link", |reason, _| matches!(reason, Reason::Link)),
    ("listing-entry-too-long", |reason, limits| is_too_long(reason, &[Measured::Entry], limits.listing_entry_chars)),
    ("malformed-fence", |reason, _| matches!(reason, Reason::BodyLost)),
    ("malformed-name", |reason, _| {
        matches!(reason, Reason::Malformed(field) if field == "name") || is_shown_otherwise(reason, "name")
    }),
    ("metadata-not-a-map", |reason, _| is_of(reason, "metadata")),
    (
        "metadata-value-not-a-string",
        |reason, _| matches!(reason, Reason::WrongType(field, _) if field.starts_with("metadata.")),
    ),
    ("misnamed-skill-file", |reason, _| matches!(reason, Reason::FileName)),
    ("missing-description", |reason, _| is_missing(reason, "description")),
    ("missing-name", |reason, _| is_missing(reason, "name")),
    ("missing-roles", |reason, _| is_missing(reason, "roles") || has_no_word(reason, "roles")),
    ("missing-tags", |reason, _| is_missing(reason, "tags")),
    ("missing-when-to-use", |reason, _| is_missing(reason, "when_to_use")),
    // `roles` and `tags` are none of the keys that the rule knows.
    ("misspelled-key", |reason, _| match reason {
        Reason::Missing(field) => !matches!(field.as_str(), "roles" | "tags"),
        reason => matches!(reason, Reason::UnknownKey(_)),
    }),
    ("name-differs-from-directory", |reason, _| matches!(reason, Reason::DiffersFromDirectory)),
    ("name-not-a-string", |reason, _| is_of(reason, "name")),
    ("name-too-long", |reason, limits| {
        is_too_long(reason, &[Measured::Name, Measured::QualifiedName], limits.name_chars)
    }),
    ("nested-skill", |reason, _| matches!(reason, Reason::Passed(Passed::BelowSkill))),
    ("prompt-breakout", |reason, _| is_shown_otherwise(reason, "name") || is_shown_otherwise(reason, "description")),
    ("reserved-name", |reason, _| matches!(reason, Reason::Reserved)),
    ("short-description-too-long", |reason, limits| {
        is_too_long(reason, &[Measured::ShortDescription], limits.short_description_chars)
    }),
    ("skill-file-in-root", |reason, _| matches!(reason, Reason::Passed(Passed::InRoot))),
    ("skill-file-too-large", |reason, limits| is_too_long(reason, &[Measured::File], limits.skill_file_bytes)),
    ("too-deep-skill", |reason, _| matches!(reason, Reason::TooDeep(_))),
    ("unknown-key", |reason, _| matches!(reason, Reason::UnknownKey(_))),
    ("unknown-role", |reason, _| has_no_word(reason, "roles")),
];

impl Rule {
    /// Whether what the rule says of a skill may be the reason why a runtime loses it.
    pub fn explains_something(&self) -> bool {
        !self.faults.is_empty() || self.cause().is_some()
    }

    /// Whether what the rule says of a skill is the reason why a runtime does not load it as it is written.
    /// A text that fits the limit of the rule and not that of a runtime is cut there whatever is done about the finding.
    pub fn explains(&self, reason: &Reason, limits: &Limits) -> bool {
        let is_fault = reason.fault().is_some_and(|fault| self.faults.contains(&fault));
        is_fault || self.cause().is_some_and(|speaks| speaks(reason, limits))
    }

    fn cause(&self) -> Option<Speaks> {
        CAUSES.iter().find(|(rule, _)| *rule == self.id).map(|&(_, speaks)| speaks)
    }
}

/// Whether a part is over a limit that it would keep if it kept the rule's.
fn is_too_long(reason: &Reason, parts: &[Measured], limit: Option<u64>) -> bool {
    matches!(reason, Reason::TooLong { of, most, .. } if parts.contains(of) && limit.is_none_or(|limit| limit <= *most))
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
    use crate::profile::listing::Unit;
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
            rules::ALL.iter().filter(|rule| rule.explains(&reason, &Limits::default())).map(|rule| rule.id).collect()
        };
        assert_eq!(explaining(Reason::NoFrontMatter(Some(FaultKind::ByteOrderMark))), ["byte-order-mark"]);
        assert_eq!(explaining(Reason::DiffersFromDirectory), ["name-differs-from-directory"]);
        let long = |most| Reason::TooLong { of: Measured::Description, unit: Unit::Chars, length: 1_025, most };
        assert_eq!(explaining(long(1_024)), ["description-too-long"]);
        assert_eq!(explaining(long(60)), [""; 0], "a description of 1,024 characters is cut as well");
        assert_eq!(explaining(Reason::FlowCollection), [""; 0]);
        assert_eq!(
            explaining(Reason::Missing("name".to_owned())),
            ["missing-name", "misspelled-key", "name-not-a-string"]
        );
    }
}
