//! What a rule is, what it sees, and what it may say.
//!
//! A rule is a value: the driver, `explain`, docs/rules.md, the SARIF rule table and the tests read the same fields.

mod cause;
mod copies;
mod dropped;
mod edition;
mod facts;
mod finding;
mod loss;
mod outlook;
mod precedence;
mod too_long;

pub use copies::{Copies, Deployment, Mirrors, RootsByPath};
pub use dropped::report_dropped;
pub use edition::{CHANGES, Change, Defaults, E2026, EDITIONS, Edition, PREVIEW};
pub use facts::{Dispatch, Facts, places};
pub use finding::{Edit, Finding, Ignored, IgnoredBy, LineEnd, Sink, State, Subject, Sweep};
pub use loss::{Loss, Runtime, listed, losses_in_words};
pub use outlook::{Lost, Outlook, Target};
pub use precedence::Precedence;
pub use too_long::report_too_long;

use crate::accept::Accepted;
use crate::catalog::Catalog;
use crate::front_matter::FaultKind;
use crate::skill::Skill;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not judged.
    Off,
    /// Advice.
    Note,
    /// A runtime shows or reads it wrongly.
    Warning,
    /// Some runtime that people use loses the skill, or the repository's own cap is broken.
    Error,
}

impl Level {
    /// The levels by their names in configuration and output.
    pub const NAMES: [(&'static str, Self); 4] =
        [("off", Self::Off), ("note", Self::Note), ("warning", Self::Warning), ("error", Self::Error)];

    /// The word for it.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize].0
    }

    /// The level of that word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(name, _)| *name == word).map(|&(_, level)| level)
    }
}

/// The chapters of the catalogue of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Fences and encoding.
    Fences,
    /// Fields of the front matter.
    Fields,
    /// Skills side by side.
    Catalog,
    /// Where files lie.
    Layout,
    /// The body.
    Body,
    /// What hides or breaks out.
    Security,
    /// What agents write beside the skills.
    Records,
    /// The configuration itself.
    Configuration,
}

impl Group {
    /// The chapters in their order, with their titles.
    pub const TITLES: [(Self, &'static str); 8] = [
        (Self::Fences, "Fences and encoding"),
        (Self::Fields, "Fields"),
        (Self::Catalog, "Side by side"),
        (Self::Layout, "Layout"),
        (Self::Body, "Body"),
        (Self::Security, "Security"),
        (Self::Records, "Threads and knowledge"),
        (Self::Configuration, "Configuration"),
    ];

    /// The title of the chapter.
    pub fn title(self) -> &'static str {
        Self::TITLES[self as usize].1
    }
}

/// A rule.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The id: it names the wrong and reads well after "allow".
    pub id: &'static str,
    /// Its chapter.
    pub group: Group,
    /// The edition that took it, or [`PREVIEW`].
    pub since: Edition,
    /// Its level in that edition; one rule has one level.
    pub level: Level,
    /// Whether it takes a skill out of a prompt at any level.
    pub unusable: bool,
    /// The faults that it says aloud: the key into a profile's table, so that who drops the skill is data.
    pub faults: &'static [FaultKind],
    /// The wrong, in half a line.
    pub summary: &'static str,
    /// Why it matters, in a sentence: who drops the skill, or what breaks.
    pub why: &'static str,
    /// Its page, which is also its test.
    pub explanation: &'static str,
    /// How it judges.
    pub check: Check,
}

impl Rule {
    /// Whether an error of it takes a skill out of a prompt: a target is no dispatcher.
    pub fn takes_skills_out(&self) -> bool {
        !matches!(self.check, Check::Target(_))
    }
}

/// How a rule judges.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Each skill by itself, in any order, on any thread.
    Skill(fn(&Skill, &Facts<'_>, &mut Sink)),
    /// All of them side by side: uniqueness, roots, paths.
    Catalog(fn(&Catalog, &Facts<'_>, &mut Sink)),
    /// The accepted ones: caps and the rendered block. It never changes the set.
    Set(fn(&Accepted<'_>, &Facts<'_>, &mut Sink)),
    /// What the runtimes that the skills must work in make of them, after all else was said. It never changes the set of
    /// accepted skills: a target is no dispatcher.
    Target(fn(&Catalog, &Facts<'_>, &Outlook<'_>, &mut Sink)),
    /// Not here: the configuration's reader or the driver says it.
    Reported,
}
