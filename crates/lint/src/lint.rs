//! The driver: turns skills and configuration into a report.
//!
//! The steps are in the order of their dependence: each skill, comparisons between skills, acceptance, and then the
//! rules about the accepted set, because a cap applies to the skills that would enter a prompt.

mod base;
mod causes;
mod commands;
mod ignores;
mod linked;
mod order;
mod requirements;
mod runtimes;
mod severity;
mod template;
mod trials;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use bstr::{BStr, BString, ByteSlice};

use crate::config::{self, Config, ConfigFault};
use crate::rule::{
    self, Check, Facts, Finding, Limited, Loaded, Outlook, Rule, RuleRef, Severity, Sink, State, Subject, Text,
};
use crate::rules;
use ignores::{Ignores, Round, Run};
use skilltree_dispatch::accept::Accepted;
use skilltree_front_matter::text::{FileId, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::scope::Scope;
use skilltree_skills::manifest::Manifests;
use skilltree_skills::parallel;
use skilltree_skills::records::Records;
use skilltree_skills::roots::RootSet;
use skilltree_skills::skill::{Parsed, Skill, SkillId};
use skilltree_skills::snapshot::{File, ObjectId, Origin};

pub use trials::{Trial, Verdict, try_examples};

/// The skills and their findings.
#[derive(Clone, Debug)]
pub struct Report {
    /// The skills.
    pub catalog: Catalog,
    /// Findings, including ignored ones: by severity, security, what runtimes lose, path, place, rule and message.
    pub findings: Vec<Finding>,
    /// Base of the comparison.
    pub base: Option<Base>,
    /// Warnings about the run.
    pub warnings: Vec<Warning>,
    /// Number of skills that the findings are about, if those of other skills were filtered out.
    pub reported: Option<usize>,
    /// What the runtimes in scope load, the most used runtime first. Empty if no rule about runtimes runs.
    pub loaded: Vec<Loaded>,
    /// Whether there were more than [`rule::FINDINGS`] findings. Then the report lacks some, and nothing may rely on it.
    pub is_incomplete: bool,
    rejected: Vec<bool>,
}

/// Base of a comparison.
#[derive(Clone, Debug)]
pub struct Base {
    /// Revision as given by the user.
    pub revision: String,
    /// Commit that was checked: the merge base of the revision and the checked source.
    pub commit: Option<ObjectId>,
    /// Findings of the base that are fixed, in their order.
    pub fixed: Vec<Fixed>,
    /// Why the base could not be compared with, so that every finding counts; `None` if it was.
    pub missing: Option<String>,
}

/// Warning about a run: the result means less than it seems to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The fact, in one line.
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// Whether it fails the run, as a finding does.
    pub fails: bool,
}

/// A finding of a base that is fixed.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The rule.
    pub rule: RuleRef,
    /// The severity.
    pub severity: Severity,
    /// Path of the file in the base.
    pub path: BString,
    /// The fact in the base.
    pub message: String,
}

impl Fixed {
    /// Returns what identifies it among the fixed findings of several bases.
    pub(crate) fn key(&self) -> (&str, &BStr, &str) {
        (self.rule.id(), self.path.as_bstr(), &self.message)
    }
}

impl Report {
    /// Restores the order of the findings after they changed.
    pub fn sort(&mut self) {
        order::sort(&mut self.findings, &self.catalog);
    }

    /// Returns the skills that may enter a prompt.
    pub fn accepted(&self) -> Accepted<'_> {
        Accepted::new(&self.catalog, &self.rejected)
    }

    /// Returns the base if the findings were compared with it.
    pub fn compared(&self) -> Option<&Base> {
        self.base.as_ref().filter(|base| base.missing.is_none())
    }

    /// Keeps only the findings of some rules.
    pub fn keep(&mut self, is_wanted: impl Fn(&Rule) -> bool) {
        self.findings.retain(|finding| is_wanted(&finding.rule));
        self.base.iter_mut().for_each(|base| base.fixed.retain(|fixed| is_wanted(&fixed.rule)));
    }

    /// Keeps only the findings of a severity or higher, and those of the rules that the caller always wants.
    pub fn keep_from(&mut self, least: Severity, is_wanted: impl Fn(&Rule) -> bool) {
        self.findings.retain(|finding| finding.severity >= least || is_wanted(&finding.rule));
        self.base.iter_mut().for_each(|base| base.fixed.retain(|fixed| fixed.severity >= least));
    }

    /// Returns the findings that are neither ignored nor existing.
    pub fn active(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.ignored.is_none() && finding.state != Some(State::Unchanged))
    }

    /// Returns the active findings that a text with this many findings shows, the most severe first: no limit applies to errors.
    pub fn most_severe(&self, most: usize) -> Vec<&Finding> {
        let mut findings: Vec<&Finding> = self.active().collect();
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        findings.truncate(most.max(self.count(Severity::Error)));
        findings
    }

    /// Returns the number of ignored findings.
    pub fn ignored(&self) -> usize {
        self.findings.iter().filter(|finding| finding.ignored.is_some()).count()
    }

    /// Returns the number of existing findings, without ignored ones.
    pub fn existing(&self) -> usize {
        self.findings.len() - self.ignored() - self.active().count()
    }

    /// Returns the number of active findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.active().filter(|finding| finding.severity == severity).count()
    }

    /// Returns the highest severity of the active findings.
    pub fn worst(&self) -> Option<Severity> {
        self.active().map(|finding| finding.severity).max()
    }

    /// Returns the path of the file that a finding is about.
    pub fn path(&self, finding: &Finding) -> &BStr {
        self.catalog.file(finding.place.file).reported_path().as_bstr()
    }

    /// Returns the path of the file with the text at the place of a finding: the target of a linked SKILL.md.
    pub fn text_path(&self, finding: &Finding) -> &BStr {
        let file = self.catalog.file(finding.place.file);
        if finding.place.is_whole() { file.reported_path() } else { file.shown_path() }.as_bstr()
    }

    /// Returns the findings that keep their skills out of a prompt.
    pub fn rejecting(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| rejects(finding, &self.catalog))
    }
}

/// Returns whether a finding keeps its skill out of a prompt: an error that is not ignored, or a finding that makes the
/// skill unusable. Errors inside of other files do not, because a prompt reads SKILL.md and the names of the others.
fn rejects(finding: &Finding, catalog: &Catalog) -> bool {
    let is_error = finding.severity == Severity::Error && finding.ignored.is_none();
    let is_read = match finding.subject {
        Subject::Skill(skill) => finding.place.file == catalog.skill(skill).file || finding.place.is_whole(),
        _ => true,
    };
    finding.unusable || (is_error && is_read && finding.rule.rejects_skills())
}

/// Returns the report of a malformed configuration: one finding with its place, and no checks.
pub fn misconfigured(file: File, range: Range<usize>, error: &config::Error) -> Report {
    // A parser reports a missing token after the last character. Show the place at that character instead.
    let range = if range.is_empty() { range.start.saturating_sub(1)..range.end.max(1) } else { range };
    let parsed = Parsed {
        origin: Origin::Memory,
        time: None,
        roots: Vec::new(),
        files: vec![file],
        skills: Vec::new(),
        flat: Vec::new(),
        misnamed: Vec::new(),
        records: Records::default(),
        agents: Default::default(),
        definitions: Vec::new(),
        commands: Vec::new(),
        manifests: Manifests::default(),
        settings: Vec::new(),
        unsearched: None,
        unread: Vec::new(),
        edited: Vec::new(),
        gains: Vec::new(),
        sizes: BTreeMap::new(),
        lists: Vec::new(),
    };
    let mut sink = Sink::new(&rules::invalid_configuration::UNREADABLE, Subject::Config);
    sink.report(Place::new(FileId(0), range), &*error.message).help.clone_from(&error.help);
    Report {
        catalog: Catalog::new(parsed),
        findings: sink.into_findings(),
        base: None,
        warnings: Vec::new(),
        reported: None,
        loaded: Vec::new(),
        is_incomplete: false,
        rejected: Vec::new(),
    }
}

/// Returns the roots to read for the rules in force.
pub fn roots(config: &Config) -> RootSet {
    let finds_unreferenced = config.levels.may_run(&rules::unreferenced_file::RULE);
    RootSet { finds_unreferenced, ..config.roots.clone() }
}

/// Returns the roots to read for a prompt: only what the rules that can keep skills out of it look at.
pub fn roots_of_prompt(config: &Config) -> RootSet {
    let follows_links = config.rules().any(|rule| rule.reads.follows_links() && config.levels.may_fail(&rule));
    RootSet { reference_files: 0, follows_links, skips_agent_files: true, ..config.roots.clone() }
}

/// Returns whether the skills that a prompt can contain depend on more than the skills directories and the settings.
pub fn leaves_skills_directories(config: &Config) -> bool {
    config.rules().any(|rule| rule.reads.leaves_skills_directories() && config.levels.may_fail(&rule))
}

/// Returns whether the sections of Markdown files decide about findings, as links name them.
pub fn looks_for_anchors(config: &Config) -> bool {
    config.levels.may_run(&rules::broken_anchor::RULE)
}

/// Returns whether rules compare or sum up more of skills than names and descriptions, so that an edit of a body concerns other skills.
pub fn compares_bodies(config: &Config) -> bool {
    !config.copies.mirrors.is_empty()
        || !config.copies.deployments.is_empty()
        || config.limits.root_bytes.is_some()
        || config.levels.may_run(&rules::unknown_skill_reference::RULE)
}

/// Returns whether a file that exists outside a skill can be a finding of the skill that links it. For the other rules, a new file only
/// makes links valid.
pub fn reports_leaving_links(config: &Config) -> bool {
    config.levels.may_run(&rules::link_leaves_skill::RULE)
}

/// Lints skills by the rules in force. It cannot fail, performs no input or output, and returns the same report on any
/// number of threads.
pub fn lint(parsed: Parsed, config: &Config) -> Report {
    lint_with(&enabled_rules(config), parsed, config)
}

/// Catalogs the skills without running rules. All findings are about the configuration.
pub fn without_rules(parsed: Parsed, config: &Config) -> Report {
    lint_with(&[], parsed, config)
}

/// Lints skills for a prompt: only the findings that keep skills out of it, and only the rules that can have any.
pub fn rejections(parsed: Parsed, config: &Config) -> Report {
    let can_reject = |rule: &RuleRef| {
        rule.rejects_skills() && (config.levels.may_fail(rule) || (rule.unusable && config.levels.defaults.has(rule)))
    };
    let rules: Vec<RuleRef> = config.rules().filter(can_reject).collect();
    run(&rules, parsed, config, Purpose::Prompt)
}

/// Why skills are linted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Report,
    Prompt,
}

fn lint_with(rules: &[RuleRef], parsed: Parsed, config: &Config) -> Report {
    run(rules, parsed, config, Purpose::Report)
}

fn run(rules: &[RuleRef], mut parsed: Parsed, config: &Config, purpose: Purpose) -> Report {
    let first_config = parsed.files.len();
    parsed.files.extend(config.files.iter().cloned());
    let catalog = Catalog::new(parsed);
    let scope = match rules {
        [] => Scope::empty(&catalog.parsed.roots),
        _ => {
            let packages = |profile: &skilltree_runtimes::profile::Profile| catalog.packages(profile);
            Scope::with(&catalog.parsed.roots, &config.targets, &config.profiles, &packages, catalog.published())
        }
    };
    let facts = Facts {
        files: &catalog.parsed.files,
        roots: &catalog.parsed.roots,
        limits: &config.limits,
        profiles: &config.profiles,
        dispatch: &config.dispatch,
        targets: &config.targets,
        scope: &scope,
        copies: &config.copies,
        root_option: config.root_option,
        text: Text::Skill,
    };
    let tally = Tally::default();
    let mut findings = lint_skills(&catalog, &facts, rules, &tally);
    findings.extend(tally.admit(commands::lint(&catalog, &facts, rules)));
    findings.extend(lint_catalog(&catalog, &facts, rules, &tally));
    findings.extend(requirements::findings(&catalog, config, rules, &tally));
    findings.extend(tally.admit(configuration_faults(&config.faults, first_config)));
    severity::lower(&mut findings, &catalog, &scope, config);
    let mut ignores = Ignores::new(&catalog, config, first_config);
    apply_levels(&mut findings, &catalog, config, &mut ignores);

    let mut rejected = vec![false; catalog.parsed.skills.len()];
    for finding in &findings {
        if let (Subject::Skill(skill), true) = (finding.subject, rejects(finding, &catalog)) {
            rejected[skill.index()] = true;
        }
    }
    if purpose == Purpose::Prompt {
        findings.retain(|finding| rejects(finding, &catalog));
        causes::keep_one_each(&mut findings);
        order::sort(&mut findings, &catalog);
        linked::merge(&mut findings, &catalog);
        let is_incomplete = tally.is_exceeded();
        let (base, warnings, reported, loaded) = (None, Vec::new(), None, Vec::new());
        return Report { catalog, findings, base, warnings, reported, loaded, is_incomplete, rejected };
    }
    let accepted = Accepted::new(&catalog, &rejected);
    let mut about_set = lint_set(&accepted, &facts, rules);
    let fault = if rules.is_empty() { None } else { template::fault(&accepted, config) };
    about_set.extend(configuration_faults(&fault, first_config));
    apply_levels(&mut about_set, &catalog, config, &mut ignores);
    findings.extend(tally.admit(about_set));
    let (mut about_targets, loaded) = lint_targets(&catalog, &facts, rules, &findings);
    severity::lower_losses(&mut about_targets, &scope);
    apply_levels(&mut about_targets, &catalog, config, &mut ignores);
    findings.extend(tally.admit(about_targets));
    causes::keep_one_each(&mut findings);
    findings.extend(tally.admit(lint_ignores(&mut ignores, &Run { catalog: &catalog, config, rules })));
    runtimes::add_losses(&mut findings, &catalog, &scope, config);
    order::sort(&mut findings, &catalog);
    linked::merge(&mut findings, &catalog);
    let warnings = if rules.is_empty() { Vec::new() } else { requirements::without_skills(&catalog, config) };
    let is_incomplete = tally.is_exceeded();
    Report { catalog, findings, base: None, warnings, reported: None, loaded, is_incomplete, rejected }
}

/// Counts the findings of a run on all threads. After the limit it admits no more: the run fails.
#[derive(Default)]
struct Tally(AtomicUsize);

impl Tally {
    fn admit(&self, findings: Vec<Finding>) -> Vec<Finding> {
        let before = self.0.fetch_add(findings.len(), Ordering::Relaxed);
        if before + findings.len() > rule::FINDINGS { Vec::new() } else { findings }
    }

    fn is_exceeded(&self) -> bool {
        self.0.load(Ordering::Relaxed) > rule::FINDINGS
    }
}

/// Returns the rules to run: those that are not off everywhere, and those of the edition that decide about acceptance.
fn enabled_rules(config: &Config) -> Vec<RuleRef> {
    let levels = &config.levels;
    let runs = |rule: &RuleRef| levels.may_run(rule) || (rule.unusable && levels.defaults.has(rule));
    config.rules().filter(runs).collect()
}

fn lint_skills(catalog: &Catalog, facts: &Facts<'_>, rules: &[RuleRef], tally: &Tally) -> Vec<Finding> {
    let checks: Vec<_> = rules
        .iter()
        .filter_map(|rule| match rule.check {
            Check::Skill(check) | Check::Text(check) => Some((rule, check)),
            _ => None,
        })
        .collect();
    let skills: Vec<(SkillId, &Skill)> = (0..).map(SkillId).zip(&catalog.parsed.skills).collect();
    let found = parallel::map(&skills, |&(id, skill)| {
        let findings = checks.iter().flat_map(|(rule, check)| {
            let mut sink = Sink::new(*rule, Subject::Skill(id));
            check(skill, facts, &mut sink);
            sink.into_findings()
        });
        tally.admit(findings.collect())
    });
    found.into_iter().flatten().collect()
}

fn lint_catalog(catalog: &Catalog, facts: &Facts<'_>, rules: &[RuleRef], tally: &Tally) -> Vec<Finding> {
    let found = parallel::map(rules, |rule| {
        let mut sink = Sink::new(rule, Subject::Tree);
        if let Check::Catalog(check) = rule.check {
            check(catalog, facts, &mut sink);
        }
        tally.admit(sink.into_findings())
    });
    found.into_iter().flatten().collect()
}

fn lint_set(accepted: &Accepted<'_>, facts: &Facts<'_>, rules: &[RuleRef]) -> Vec<Finding> {
    rules
        .iter()
        .flat_map(|rule| {
            let mut sink = Sink::new(rule, Subject::Tree);
            if let Check::Set(check) = rule.check {
                check(accepted, facts, &mut sink);
            }
            sink.into_findings()
        })
        .collect()
}

/// Runs the rules about the runtimes in scope, and returns what these load, too. Skips the forecasts if there are no such rules.
fn lint_targets(
    catalog: &Catalog,
    facts: &Facts<'_>,
    rules: &[RuleRef],
    findings: &[Finding],
) -> (Vec<Finding>, Vec<Loaded>) {
    let checks: Vec<_> = rules
        .iter()
        .filter_map(|rule| match rule.check {
            Check::Target(check) => Some((rule, check)),
            _ => None,
        })
        .collect();
    if checks.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let outlook = Outlook::new(catalog, facts, findings.iter());
    let findings = checks.into_iter().flat_map(|(rule, check)| {
        let mut sink = Sink::new(rule, Subject::Tree);
        check(catalog, facts, &outlook, &mut sink);
        sink.into_findings()
    });
    (findings.collect(), Loaded::of(catalog, facts.scope, &outlook.targets))
}

/// Converts configuration faults into findings. The configuration files follow the files of the snapshot.
fn configuration_faults<'f>(faults: impl IntoIterator<Item = &'f ConfigFault>, first_config: usize) -> Vec<Finding> {
    let mut findings = Limited::default();
    for fault in faults {
        let mut sink = Sink::new(fault.rule.clone(), Subject::Config);
        let file = FileId((first_config + fault.file) as u32);
        let finding = sink.report(Place::new(file, fault.range.clone()), &*fault.message).at_most(fault.ceiling);
        finding.help.clone_from(&fault.help);
        findings.extend(sink.into_findings());
    }
    findings.into_findings()
}

/// Reports problems of the ignores, after all other findings were matched against them.
fn lint_ignores(ignores: &mut Ignores<'_>, run: &Run<'_>) -> Vec<Finding> {
    let mut findings = ignores.findings(run, Round::First);
    apply_levels(&mut findings, run.catalog, run.config, ignores);
    // No ignore applies to these findings.
    let mut last = ignores.findings(run, Round::Second);
    apply_levels(&mut last, run.catalog, run.config, &mut Ignores::default());
    findings.extend(last);
    findings
}

/// Sets the levels in force, drops findings that are off, and marks ignored ones. A finding that makes a skill unusable
/// is kept at level off for acceptance, and dropped when the report is sorted.
fn apply_levels(findings: &mut Vec<Finding>, catalog: &Catalog, config: &Config, ignores: &mut Ignores<'_>) {
    let mut rest = Vec::new();
    for finding in findings.iter_mut() {
        let path = catalog.file(finding.place.file).path.as_bstr();
        let level = |rule| config.levels.defaults.level(rule).min(finding.ceiling);
        finding.set_level(config.levels.chosen(&finding.rule, path).unwrap_or_else(|| level(&finding.rule)));
        // A preview rule only warns: it never changes a prompt.
        finding.unusable &= config.levels.defaults.has(&finding.rule);
        rest.extend(ignores.apply(finding, path));
    }
    findings.extend(rest);
    findings.retain(|finding| !finding.is_off || finding.unusable);
}
