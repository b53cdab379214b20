//! Which skills a prompt gets, and how much of them.

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(in crate::cli) struct Selection {
    /// Take the skills that fit TEXT, the best first; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", group = "selection")]
    pub(in crate::cli) task: Option<String>,
    /// Leave out the skills that serve other roles than ROLE
    #[arg(long, value_name = "ROLE", requires = "task")]
    pub(in crate::cli) role: Option<String>,
    /// Take at most N of the skills that fit, before the budget is looked at
    #[arg(long, value_name = "N", requires = "task")]
    pub(in crate::cli) top: Option<usize>,
    /// What is compared with the task
    #[arg(long, value_name = "MATCHER", value_enum, default_value_t = Matcher::Tags, requires = "task")]
    pub(in crate::cli) matcher: Matcher,
    /// Take what agents learned about the task ID too, where the block takes shared knowledge
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new(), requires = "task")]
    pub(in crate::cli) task_id: Option<String>,
    /// Take the skills that TEXT mentions as $NAME, @NAME or /NAME, in that order; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", group = "selection")]
    pub(in crate::cli) mention: Option<String>,
    /// Take the skill of that name or directory; given several times, in that order
    #[arg(long = "skill", value_name = "NAME", group = "selection")]
    pub(in crate::cli) names: Vec<String>,
    /// Take the skills that the thread ID binds in .agent/threads.json, the last one bound first
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new(), group = "selection")]
    pub(in crate::cli) thread: Option<String>,
    /// Print how well each skill fits the task, instead of a block
    #[arg(long, requires = "task", conflicts_with_all = ["destination", "format"])]
    pub(in crate::cli) explain: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Matcher {
    /// The tags of a skill
    Tags,
    /// Its name, description and body, ranked by BM25
    Bm25,
    /// The same, by the program `qmd`, which must be installed; other versions of it may give other skills
    Qmd,
}

/// What there is room for; what is not given is as the profile says.
#[derive(Debug, Args)]
#[command(next_help_heading = "Budget")]
pub(in crate::cli) struct Budget {
    /// Skills of the block
    #[arg(long = "budget-skills", value_name = "N")]
    pub(in crate::cli) skills: Option<u64>,
    /// Bytes of the block
    #[arg(long = "budget-bytes", value_name = "N")]
    pub(in crate::cli) bytes: Option<u64>,
    /// Characters of the block
    #[arg(long = "budget-chars", value_name = "N")]
    pub(in crate::cli) chars: Option<u64>,
    /// Tokens of the block, estimated as a quarter of its characters
    #[arg(long = "budget-tokens", value_name = "N")]
    pub(in crate::cli) tokens: Option<u64>,
    /// Bytes of one skill in the block
    #[arg(long = "each-bytes", value_name = "N")]
    pub(in crate::cli) each_bytes: Option<u64>,
    /// Characters of one skill in the block
    #[arg(long = "each-chars", value_name = "N")]
    pub(in crate::cli) each_chars: Option<u64>,
    /// Tokens of one skill in the block, estimated as a quarter of its characters
    #[arg(long = "each-tokens", value_name = "N")]
    pub(in crate::cli) each_tokens: Option<u64>,
}
