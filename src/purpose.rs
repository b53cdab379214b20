//! Why skills are read: it decides which directories and files are read, and which rules run.

use skilltree_front_matter::Bounds;
use skilltree_lint::Report;
use skilltree_lint::config::Config;
use skilltree_lint::lint;
use skilltree_skills::roots::RootSet;
use skilltree_skills::skill::Parsed;
use skilltree_skills::source::{self, Progress, Source};

/// Why a session reads skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To report findings: every rule in force runs.
    #[default]
    Check,
    /// To build a prompt: only rules that can keep skills out of it run, on the directories that it can contain.
    Prompt,
    /// To forecast or compare: no rule runs.
    Read,
}

impl Purpose {
    /// Returns whether nothing is read: a configuration without a prompt block opens no skill.
    pub(crate) fn reads_nothing(self, config: &Config) -> bool {
        self == Self::Prompt && !config.dispatch.enabled
    }

    /// Returns whether faults of settings that are not in force are reported.
    pub(crate) fn reports_settings(self) -> bool {
        self != Self::Prompt
    }

    /// Returns what is read: a prompt needs less than a report.
    pub(crate) fn roots(self, config: &Config) -> RootSet {
        match self {
            Self::Check => lint::roots(config),
            Self::Prompt => lint::roots_of_prompt(config),
            Self::Read => RootSet { skips_agent_files: false, ..lint::roots_of_prompt(config) },
        }
    }

    /// Reads the skills of a source.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub(crate) fn read(
        self,
        source: &Source,
        roots: &RootSet,
        bounds: Bounds,
        progress: &Progress,
    ) -> Result<Parsed, source::Error> {
        match self {
            Self::Prompt => source.read_named(roots, bounds, progress),
            Self::Check | Self::Read => source.read_counted(roots, bounds, progress),
        }
    }

    /// Runs the rules.
    pub(crate) fn lint(self, parsed: Parsed, config: &Config) -> Report {
        match self {
            Self::Check => lint(parsed, config),
            Self::Prompt => lint::rejections(parsed, config),
            Self::Read => lint::without_rules(parsed, config),
        }
    }
}
