//! The skills that a prompt block contains, and its budget.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use super::number;

#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(in crate::cli) struct Selection {
    /// Select the skills that fit TEXT, best first
    ///
    /// `-` reads TEXT from standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, group = "selection")]
    pub(in crate::cli) task: Option<String>,
    /// With `--task`: omit skills that name roles, but not ROLE
    ///
    /// With `--profile swarm`, also omits skills without roles.
    #[arg(long, value_name = "ROLE")]
    pub(in crate::cli) role: Option<String>,
    /// With `--task`: select at most N of the skills that fit, before the budget applies
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true)]
    pub(in crate::cli) top: Option<usize>,
    /// How to compare skills with the task; the default is tags if a skill has tags, else bm25
    #[arg(long, value_name = "MATCHER", value_enum)]
    pub(in crate::cli) matcher: Option<Matcher>,
    /// Also include what agents learned about the task ID, if the block contains shared knowledge
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new(), requires = "task", hide_short_help = true)]
    pub(in crate::cli) task_id: Option<String>,
    /// Select the skills that TEXT mentions as $NAME, @NAME or /NAME
    ///
    /// They keep the order of the mentions. `-` reads TEXT from standard input.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, group = "selection")]
    pub(in crate::cli) mention: Option<String>,
    /// Select the skill with this name or directory; can be repeated, in order
    #[arg(long = "skill", value_name = "NAME", group = "selection")]
    pub(in crate::cli) names: Vec<String>,
    /// Select the skills of the thread ID, or of the active thread
    ///
    /// .agent/threads.json binds them. The last one bound is first.
    #[arg(long, value_name = "ID", num_args = 0..=1, value_parser = NonEmptyStringValueParser::new(), group = "selection")]
    pub(in crate::cli) thread: Option<Option<String>>,
    /// Leave out what agents learned
    #[arg(long, requires = "task", conflicts_with = "task_id", hide_short_help = true)]
    pub(in crate::cli) no_knowledge: bool,
    /// Print how well each skill fits the task instead of a block
    #[arg(long, requires = "task", conflicts_with_all = ["destination", "format"])]
    pub(in crate::cli) explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Matcher {
    /// By tags
    Tags,
    /// By name, description and body, ranked by BM25
    Bm25,
}

/// Limits of the block and of each skill; the profile sets the others.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budget")]
pub(in crate::cli) struct Budget {
    /// Maximum number of skills in the block
    #[arg(long = "budget-skills", value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(in crate::cli) skills: Option<u64>,
    /// Maximum bytes of the block
    #[arg(long = "budget-bytes", value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(in crate::cli) bytes: Option<u64>,
    /// Maximum characters of the block
    #[arg(long = "budget-chars", value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(in crate::cli) chars: Option<u64>,
    /// Maximum tokens of the block, estimated as one per four characters
    #[arg(long = "budget-tokens", value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(in crate::cli) tokens: Option<u64>,
    /// Maximum bytes of one skill in the block
    #[arg(long = "each-bytes", value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(in crate::cli) each_bytes: Option<u64>,
    /// Maximum characters of one skill in the block
    #[arg(long = "each-chars", value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(in crate::cli) each_chars: Option<u64>,
    /// Maximum tokens of one skill in the block, estimated as one per four characters
    #[arg(long = "each-tokens", value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(in crate::cli) each_tokens: Option<u64>,
}

impl Budget {
    /// Returns whether no limit is given.
    pub(in crate::cli) fn is_empty(&self) -> bool {
        let sizes = [self.bytes, self.chars, self.tokens, self.each_bytes, self.each_chars, self.each_tokens];
        self.skills.or_else(|| sizes.into_iter().flatten().next()).is_none()
    }
}
