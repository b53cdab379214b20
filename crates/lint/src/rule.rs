//! Rules, the facts that they see, and the findings that they report.
//!
//! A rule is a value: the driver, `explain`, docs/rules.md, the SARIF rule table and the tests read the same fields.

mod copies;
mod dropped;
mod edition;
mod facts;
mod finding;
mod limited;
mod loaded;
mod loss;
mod occurrence;
mod outlook;
mod own;
mod precedence;
mod reads;
pub(crate) mod higher;
mod remedy;
mod too_long;

pub use copies::{Copies, Deployment, Mirrors, RootsByPath};
pub use dropped::report_dropped;
pub use edition::{CHANGES, Change, Defaults, E2026, EDITIONS, Edition, PREVIEW};
pub use facts::{Dispatch, Facts, Text, places};
pub use finding::{Edit, Finding, Ignored, IgnoredBy, LineEnding, Sink, State, Subject, Sweep};
pub(crate) use limited::Limited;
pub use limited::{FINDINGS, FINDINGS_PER_FILE};
pub use loaded::{Loaded, Lot};
pub use loss::{Loss, Phrase, Runtime, by_phrase, describe_losses, listed};
pub(crate) use occurrence::and_more;
pub use occurrence::{Elsewhere, Occurrence};
pub(crate) use outlook::titles;
pub use outlook::{Lost, Outlook, Target};
pub use own::{OWN_ID, RuleRef, Texts, is_own_id};
pub(crate) use precedence::choices;
pub use reads::Reads;
pub(crate) use remedy::Remedy;
pub use too_long::report_too_long;

use skilltree_dispatch::accept::Accepted;
use skilltree_front_matter::FaultKind;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::limits::Limits;
use skilltree_skills::skill::Skill;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Advice.
    Note,
    /// A runtime shows or reads the skill wrongly.
    Warning,
    /// A widely used runtime loses the skill, or a cap set by the repository is exceeded.
    Error,
}

impl Severity {
    /// All severities with their names in configuration and output.
    pub const NAMES: [(&'static str, Self); 3] =
        [("note", Self::Note), ("warning", Self::Warning), ("error", Self::Error)];

    /// Returns the name in configuration and output.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// Returns the severity of a name.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|&(_, severity)| severity)
    }
}

/// Setting of a rule: the severity of its findings, or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// The rule does not run.
    Off,
    /// Advice.
    Note,
    /// A runtime shows or reads the skill wrongly.
    Warning,
    /// A widely used runtime loses the skill, or a cap set by the repository is exceeded.
    Error,
}

impl Level {
    /// Names of the levels in configuration and output.
    pub const NAMES: [(&'static str, Self); 4] =
        [("off", Self::Off), ("note", Self::Note), ("warning", Self::Warning), ("error", Self::Error)];

    /// Returns the name in configuration and output.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// Returns the severity of the findings; `None` for a rule that is off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Note => Some(Severity::Note),
            Self::Warning => Some(Severity::Warning),
            Self::Error => Some(Severity::Error),
        }
    }

    /// Returns the level of a name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|&(_, level)| level)
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Note => Self::Note,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// How often a finding of a rule is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// A finding depends on the meaning of a text, which the rule guesses from its words.
    Medium,
    /// A finding depends on a pattern that is rarely anything else.
    High,
    /// A finding is a fact about the files.
    VeryHigh,
}

impl Precision {
    /// Returns the name that SARIF readers know.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Medium => "medium",
            Self::High => "high",
            Self::VeryHigh => "very-high",
        }
    }
}

/// Chapters of the rule catalog.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Fences and encoding.
    Fences,
    /// Fields of the front matter.
    Fields,
    /// Comparisons between skills.
    Catalog,
    /// Locations of files.
    Layout,
    /// The body.
    Body,
    /// Hidden text and prompt breakouts.
    Security,
    /// Threads and knowledge, which agents write next to the skills.
    Records,
    /// The configuration itself.
    Configuration,
    /// Rules that the configuration defines.
    Repository,
}

impl Group {
    /// Chapters in their order, with their titles.
    pub const TITLES: [(Self, &'static str); 9] = [
        (Self::Fences, "Fences and encoding"),
        (Self::Fields, "Fields"),
        (Self::Catalog, "Across skills"),
        (Self::Layout, "Layout"),
        (Self::Body, "Body"),
        (Self::Security, "Security"),
        (Self::Records, "Threads and knowledge"),
        (Self::Configuration, "Configuration"),
        (Self::Repository, "Rules of the repository"),
    ];

    /// Returns whether the rules of the chapter are about what runtimes can load. Errors of all other chapters concern the
    /// repository, whatever its targets are.
    pub(crate) fn is_about_loading(self) -> bool {
        matches!(self, Self::Fences | Self::Fields | Self::Body)
    }

    /// Returns the title of the chapter.
    pub fn title(self) -> &'static str {
        Self::TITLES[self as usize].1
    }
}

/// A rule.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Id of a built-in rule: it names the problem and reads well after "allow". See [`Rule::id()`].
    pub id: &'static str,
    /// Chapter.
    pub group: Group,
    /// First edition that has the rule, or [`PREVIEW`].
    pub since: Edition,
    /// Level in that edition; a rule has one level.
    pub level: Level,
    /// Whether a finding removes the skill from the prompt at any level.
    pub unusable: bool,
    /// The findings that do, as a condition for the page; empty if all of them do.
    pub unusable_if: &'static str,
    /// Faults that the rule reports: the key into a profile's table, so that the runtimes that drop the skill are data.
    pub faults: &'static [FaultKind],
    /// The problem, in half a line. See [`Rule::summary()`].
    pub summary: &'static str,
    /// Why it matters, in one sentence without runtimes: those are data, see [`describe_losses`].
    pub why: &'static str,
    /// The page of the rule, whose examples are also its tests. See [`Rule::explanation()`].
    pub explanation: &'static str,
    /// Check that the rule runs.
    pub check: Check,
    /// Returns whether a finding explains why a runtime drops or changes its skill, beyond [`Rule::faults`].
    pub explains: Option<fn(&Reason, &Limits) -> bool>,
    /// Limits that a finding depends on, by their names in the configuration. A limit that the repository sets keeps the level
    /// of the rule, whatever the targets are.
    pub limits: &'static [&'static str],
    /// Whether an error stays an error whatever the targets are, although its chapter is about loading.
    pub keeps_level: bool,
    /// Whether the rule fires in one kind of source only, such as the index: an ignore that is unused in another kind is fine.
    pub one_source: bool,
    /// What the rule reads: a prompt reads no more than its rules, and its digest covers no more.
    pub reads: Reads,
    /// Whether neither paths nor the lowest severity of the configuration hide a finding: the change can have set them to hide it.
    pub always_shown: bool,
    /// How often a finding is right. Review tools sort alerts by it.
    pub precision: Precision,
    /// Texts of a rule that a repository defines, in place of those above.
    pub own: Option<Box<Texts>>,
}

impl Rule {
    /// Defaults of the optional fields. A rule ends with `..Rule::DEFAULT`.
    pub const DEFAULT: Self = Self {
        id: "",
        group: Group::Fields,
        since: PREVIEW,
        level: Level::Off,
        unusable: false,
        unusable_if: "",
        faults: &[],
        summary: "",
        why: "",
        explanation: "",
        check: Check::Reported,
        explains: None,
        limits: &[],
        keeps_level: false,
        one_source: false,
        reads: Reads::Skill,
        always_shown: false,
        precision: Precision::VeryHigh,
        own: None,
    };

    /// Returns the id.
    pub fn id(&self) -> &str {
        self.own.as_ref().map_or(self.id, |own| &own.id)
    }

    /// Returns the problem, in half a line.
    pub fn summary(&self) -> &str {
        self.own.as_ref().map_or(self.summary, |own| &own.summary)
    }

    /// Returns the page, whose examples are also the tests of the rule.
    pub fn explanation(&self) -> &str {
        self.own.as_ref().map_or(self.explanation, |own| &own.explanation)
    }

    /// Returns the file that defines the rule, if it is not a built-in one: "the policy".
    pub fn definer(&self) -> Option<&'static str> {
        self.own.as_ref().map(|own| own.definer)
    }

    /// Returns whether its errors stay errors only with evidence of a loss, unless the configuration sets its level.
    pub(crate) fn needs_evidence(&self) -> bool {
        self.group.is_about_loading() && !self.keeps_level
    }

    /// Returns whether an error removes the skill from the prompt. Errors about targets do not, because a target is not a
    /// dispatcher, and errors in other files than SKILL.md do not.
    pub fn rejects_skills(&self) -> bool {
        !matches!(self.check, Check::Target(_)) && self.reads != Reads::Directory
    }

    /// Returns whether a finding of the rule can be the reason why a runtime drops or changes a skill.
    pub(crate) fn explains_losses(&self) -> bool {
        !self.faults.is_empty() || self.explains.is_some()
    }

    /// Returns whether a finding of the rule is the reason why a runtime drops or changes its skill.
    pub(crate) fn explains_loss(&self, reason: &Reason, limits: &Limits) -> bool {
        let is_fault = reason.fault().is_some_and(|fault| self.faults.contains(&fault));
        is_fault || self.explains.is_some_and(|explains| explains(reason, limits))
    }
}

/// Check of a rule, by the input that it needs.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Checks each skill separately, in any order, on any thread.
    Skill(fn(&Skill, &Facts<'_>, &mut Sink)),
    /// Checks each skill in this way, and each command of a runtime too, whose text is read in the same way.
    Text(fn(&Skill, &Facts<'_>, &mut Sink)),
    /// Compares all skills: uniqueness, roots, paths.
    Catalog(fn(&Catalog, &Facts<'_>, &mut Sink)),
    /// Checks the accepted skills: caps and the rendered block. It never changes which skills are accepted.
    Set(fn(&Accepted<'_>, &Facts<'_>, &mut Sink)),
    /// Compares the forecasts of the targets with the findings of all other rules. It never changes which skills are
    /// accepted, because a target is not a dispatcher.
    Target(fn(&Catalog, &Facts<'_>, &Outlook<'_>, &mut Sink)),
    /// Reported elsewhere: by the reader of the configuration or by the driver.
    Reported,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;
    use skilltree_runtimes::profile::listing::{Measured, Unit};

    #[test]
    fn explains_a_reason_only_by_rules_about_it() {
        let explaining = |reason: Reason| -> Vec<&str> {
            rules::ALL
                .iter()
                .filter(|rule| rule.explains_loss(&reason, &Limits::default()))
                .map(|rule| rule.id)
                .collect()
        };
        assert_eq!(explaining(Reason::NoFrontMatter(Some(FaultKind::ByteOrderMark))), ["byte-order-mark"]);
        assert_eq!(explaining(Reason::DiffersFromDirectory), ["name-differs-from-directory"]);
        let long = |most| Reason::TooLong { of: Measured::Description, unit: Unit::Chars, length: 1_025, most };
        assert_eq!(explaining(long(1_024)), ["description-too-long"]);
        assert_eq!(explaining(long(60)), [""; 0], "the runtime cuts a description of 1,024 characters too");
        assert_eq!(explaining(Reason::FlowCollection), [""; 0]);
        assert_eq!(explaining(Reason::Missing("name".to_owned())), ["missing-name", "name-not-a-string"]);
    }
}
