//! Why skills are read: it decides which directories and files are read, and which rules run.

use skilltree_front_matter::Bounds;
use skilltree_lint::Report;
use skilltree_lint::config::Config;
use skilltree_lint::lint;
use skilltree_skills::roots::RootSet;
use skilltree_skills::skill::Parsed;
use skilltree_skills::source::{self, Progress, Source};

/// Returns whether the prompt block contains the skills of discovered directories. A profile, and WORKFLOW.md, name theirs.
pub(crate) fn takes_discovered(config: &Config) -> bool {
    config.block.is_none() && !config.dispatch.workflow
}

/// Why a session reads skills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To report findings: every rule in force runs.
    #[default]
    Check,
    /// To build a prompt: only rules that can keep skills out of it run, on the directories that it can contain.
    Prompt,
    /// To list the skills that can be in a prompt: also those in other directories.
    List,
    /// To bind skills to threads: like a prompt, whether or not the configuration has a prompt block.
    Bind,
    /// To forecast or compare: no rule runs.
    Read,
    /// To measure skills with their reference files: no rule runs.
    Measure,
}

impl Purpose {
    /// Returns whether nothing is read: a configuration without a prompt block opens no skill.
    pub(crate) fn reads_nothing(self, config: &Config) -> bool {
        self == Self::Prompt && !config.dispatch.enabled
    }

    /// Returns whether only skills that a prompt block can contain are read.
    pub(crate) fn is_of_block(self) -> bool {
        matches!(self, Self::Bind | Self::Prompt)
    }

    /// Returns whether faults of settings that are not in force are reported.
    pub(crate) fn reports_settings(self) -> bool {
        !matches!(self, Self::Bind | Self::Prompt)
    }

    /// Returns what is read: a prompt needs less than a report.
    pub(crate) fn roots(self, config: &Config) -> RootSet {
        match self {
            Self::Check => lint::roots(config),
            Self::Read => RootSet { skips_agent_files: false, ..lint::roots_of_prompt(config) },
            Self::Measure => {
                let reference_files = config.roots.reference_files;
                RootSet { reference_files, ..Self::Read.roots(config) }
            }
            Self::List => RootSet { skips_unreadable: true, skips_agent_files: false, ..lint::roots_of_prompt(config) },
            Self::Bind | Self::Prompt => {
                let roots = lint::roots_of_prompt(config);
                let discovery = roots.discovery.filter(|_| takes_discovered(config));
                RootSet { discovery, skips_unreadable: true, ..roots }
            }
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
            Self::Bind | Self::Prompt => source.read_named(roots, bounds, progress),
            Self::Check | Self::List | Self::Measure | Self::Read => source.read_counted(roots, bounds, progress),
        }
    }

    /// Runs the rules.
    pub(crate) fn lint(self, parsed: Parsed, config: &Config) -> Report {
        match self {
            Self::Check => lint(parsed, config),
            Self::Bind | Self::List | Self::Prompt => lint::rejections(parsed, config),
            Self::Measure | Self::Read => lint::without_rules(parsed, config),
        }
    }
}
