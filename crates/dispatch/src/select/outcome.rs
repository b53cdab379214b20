//! Result of a selection: selected and dropped skills, with reasons.

use skilltree_skills::skill::SkillId;

/// Result of a selection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selected {
    /// Selected skills in order.
    pub skills: Vec<SkillId>,
    /// Skills that exceed a cap, in order, then those that the selection does not take.
    pub dropped: Vec<Dropped>,
    /// Skills that lose to an earlier one with the same name, in the order of roots and paths.
    pub shadowed: Vec<Shadowed>,
    /// Bound names without an accepted skill.
    pub missing: Vec<String>,
    /// Skills that were compared with a task, best first.
    pub scores: Vec<Score>,
    /// Refused requests; if there are any, write nothing.
    pub refused: Vec<Refusal>,
}

/// Request that cannot be satisfied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// States the problem.
    pub message: String,
    /// Suggests a fix.
    pub help: Option<String>,
    /// The skill whose errors are the reason.
    pub skill: Option<SkillId>,
}

impl Refusal {
    /// Creates a refusal without help.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: None, skill: None }
    }

    /// Adds help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// How well a skill matches a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The skill.
    pub skill: SkillId,
    /// Rank points, greater is better; 0 means no match.
    pub points: u64,
    /// Source of the points, as text.
    pub reason: String,
}

/// Result of a selection before the caps apply.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    /// Selected skills in order.
    pub(super) skills: Vec<SkillId>,
    /// Skills that the selection does not take.
    pub(super) dropped: Vec<Dropped>,
    /// Names without an accepted skill, if that is not refused.
    pub(super) missing: Vec<String>,
    /// Skills that were compared with a task, best first.
    pub(super) scores: Vec<Score>,
    /// Refused requests.
    pub(super) refused: Vec<Refusal>,
}

/// Accepted skill that is not in the prompt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dropped {
    /// The skill.
    pub skill: SkillId,
    /// Reason.
    pub reason: Reason,
    /// Reason with numbers, as text.
    pub detail: String,
}

/// Reason why an accepted skill is not in the prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The repository's cap on the number of skills is reached.
    Cap,
    /// The block would exceed a size limit of the repository or the runtime.
    Budget,
    /// Its body would end or reopen the block, take the heading of another skill, or contains hidden characters.
    Wrapper,
    /// Its body could not be read again.
    Unread,
    /// Only a person may start it.
    ModelInvocationDisabled,
    /// It is for other roles.
    Role,
    /// It matches the task less well than others, or not at all.
    Score,
    /// The text does not mention it.
    NotMentioned,
    /// It is not bound to the thread.
    NotBound,
}

impl Reason {
    /// Returns the word for it in output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Cap => "cap",
            Self::Budget => "budget",
            Self::Wrapper => "wrapper",
            Self::Unread => "unread",
            Self::ModelInvocationDisabled => "model-invocation-disabled",
            Self::Role => "role",
            Self::Score => "score",
            Self::NotMentioned => "not-mentioned",
            Self::NotBound => "not-bound",
        }
    }

    /// Returns whether the skill was requested, so that its absence must be reported.
    pub fn is_loss(self) -> bool {
        matches!(self, Self::Cap | Self::Budget | Self::Wrapper | Self::Unread)
    }
}

/// Skill that loses to an earlier one with the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shadowed {
    /// The losing skill.
    pub skill: SkillId,
    /// The skill that is kept.
    pub by: SkillId,
}
