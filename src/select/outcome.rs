//! What a prompt gets, what it does not get, and why.

use crate::skill::SkillId;

/// What a prompt gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// The skills in their order.
    pub skills: Vec<SkillId>,
    /// The skills that were wanted and had no room, in their order, then those that the selection does not take.
    pub dropped: Vec<Dropped>,
    /// The skills that another of the same name stands before, in the order of roots and paths.
    pub shadowed: Vec<Shadowed>,
    /// The names that a thread binds and no accepted skill has.
    pub missing: Vec<String>,
    /// The skills that were compared with a task, the best first.
    pub scores: Vec<Score>,
    /// What was asked for and cannot be had; nothing may be written then.
    pub refused: Vec<Refusal>,
}

/// Something that was asked for and cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The fact.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
}

impl Refusal {
    /// A refusal that says the fact alone.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None }
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// How well a skill fits a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The skill.
    pub skill: SkillId,
    /// What the order goes by: the greater, the better; nothing matches at 0.
    pub points: u64,
    /// Where the points come from, in words.
    pub reason: String,
}

/// What a selection takes when there is room for all of it.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// The skills in their order.
    pub(super) skills: Vec<SkillId>,
    /// The skills that it does not take.
    pub(super) dropped: Vec<Dropped>,
    /// The names that no accepted skill has, where that is no reason to refuse.
    pub(super) missing: Vec<String>,
    /// The skills that were compared with a task, the best first.
    pub(super) scores: Vec<Score>,
    /// What was asked for and cannot be had.
    pub(super) refused: Vec<Refusal>,
}

/// A skill that may enter a prompt and does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The skill.
    pub skill: SkillId,
    /// Why.
    pub reason: Reason,
    /// Why, with the numbers.
    pub detail: String,
}

/// Why a skill that may enter a prompt does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There are as many skills as the repository allows.
    Cap,
    /// The block would be larger than the repository or the runtime allows.
    Budget,
    /// Its body holds a line that surrounds the skills of a block.
    Wrapper,
    /// Its body could not be read again.
    Unread,
    /// It serves other roles.
    Role,
    /// It fits the task less well than others, or not at all.
    Score,
    /// The text does not mention it.
    NotMentioned,
    /// The thread does not bind it.
    NotBound,
}

impl Reason {
    /// The word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cap => "cap",
            Self::Budget => "budget",
            Self::Wrapper => "wrapper",
            Self::Unread => "unread",
            Self::Role => "role",
            Self::Score => "score",
            Self::NotMentioned => "not-mentioned",
            Self::NotBound => "not-bound",
        }
    }

    /// Whether the skill was asked for, so that somebody should hear that it is not there.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::Cap | Self::Budget | Self::Wrapper | Self::Unread)
    }
}

/// A skill that another of the same name stands before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadowed {
    /// The skill.
    pub skill: SkillId,
    /// The one that stays.
    pub by: SkillId,
}
