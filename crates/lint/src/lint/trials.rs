//! Trials of the rules of a repository: each runs on its own examples.

use super::lint_with;
use crate::config::require::EXAMPLE;
use crate::config::{Config, Requirement};
use crate::rule::RuleRef;
use skilltree_front_matter::text;
use skilltree_skills::queries::Queries;
use skilltree_skills::roots::RootPattern;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Entry};

/// What an example shows about its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The rule reports what it must, or nothing where it must not.
    Agrees,
    /// The rule does not.
    Disagrees,
    /// The example is missing.
    Missing,
}

/// The trial of a rule of the repository.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The rule.
    pub rule: RuleRef,
    /// Result of the example that the rule must report.
    pub fires: Verdict,
    /// Result of the example that it must not report.
    pub quiet: Verdict,
}

/// Runs the rules of a repository on their examples. `paths` of a rule and severities do not matter.
pub fn try_examples(config: &Config) -> Vec<Trial> {
    let trial = |requirement: &Requirement| {
        let alone = alone(config, requirement);
        let verdict = |files: &[Entry], fires: bool| match reports(files, &alone, requirement.rule.clone()) {
            _ if files.is_empty() => Verdict::Missing,
            Some(reports) if reports == fires => Verdict::Agrees,
            _ => Verdict::Disagrees,
        };
        let (fires, quiet) = (verdict(&requirement.fires, true), verdict(&requirement.quiet, false));
        Trial { rule: requirement.rule.clone(), fires, quiet }
    };
    config.requirements.iter().map(trial).collect()
}

/// Returns a configuration with one rule, which is on, for all skills.
fn alone(config: &Config, requirement: &Requirement) -> Config {
    let mut alone = Config::new();
    alone.roots.patterns =
        vec![RootPattern::configured(text::parent(EXAMPLE.into()).to_string().as_str(), "agentskills")];
    alone.roots.discovery = None;
    alone.roots.queries = Queries::new(vec![requirement.conditions.query.clone()], Vec::new());
    alone.limits = config.limits.clone();
    alone.levels.forced = [(requirement.rule.clone(), crate::rule::Level::Error)].into();
    alone.requirements = vec![Requirement { paths: None, ..requirement.clone() }];
    alone
}

/// Returns whether a rule reports the skill of an example; `None` if the example cannot be read.
fn reports(files: &[Entry], config: &Config, rule: RuleRef) -> Option<bool> {
    let source = source::memory(Origin::Memory, files.to_vec());
    let parsed = source.read(&config.roots, config.limits.bounds()).ok()?;
    let report = lint_with(std::slice::from_ref(&rule), parsed, config);
    Some(report.findings.iter().any(|finding| finding.rule == rule))
}
