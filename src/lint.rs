//! The driver: skills and configuration in, a report out. The only parallel code of the core.
//!
//! The order of its steps is the order of dependence: skills one by one, then side by side, then acceptance, and the
//! rules about the accepted set last, because a cap is about what would enter a prompt.

mod ignores;
mod runtimes;

use std::ops::Range;

use bstr::{BStr, BString, ByteSlice};
use rayon::prelude::*;

use crate::accept::Accepted;
use crate::catalog::Catalog;
use crate::config::{self, Config};
use crate::front_matter::Bounds;
use crate::limits::Limits;
use crate::records::Records;
use crate::rule::{Check, Facts, Finding, Level, Outlook, Rule, Sink, State, Subject};
use crate::rules;
use crate::skill::{Parsed, SkillId};
use crate::snapshot::{File, ObjectId, Origin, Snapshot};
use crate::text::{FileId, Place};
use ignores::{Ignores, Round, Run};

/// The skills, side by side, and what was said of them.
#[derive(Clone, Debug)]
pub struct Report {
    /// The skills.
    pub catalog: Catalog,
    /// What was said, sorted by path, place, rule and message; ignored findings among it.
    pub findings: Vec<Finding>,
    /// What it was compared with.
    pub base: Option<Base>,
    /// How many skills the findings are about, where those of the others were left out.
    pub reported: Option<usize>,
    rejected: Vec<bool>,
}

/// What a report was compared with.
#[derive(Clone, Debug)]
pub struct Base {
    /// The revision as it was asked for.
    pub revision: String,
    /// The commit that was judged: the merge base of the revision and what was checked.
    pub commit: Option<ObjectId>,
    /// The findings of the base that are gone, in their order.
    pub fixed: Vec<Fixed>,
}

/// A finding of a base that is gone.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The rule.
    pub rule: &'static Rule,
    /// The level.
    pub level: Level,
    /// The path of the file in the base.
    pub path: BString,
    /// The fact as it was.
    pub message: String,
}

impl Report {
    /// The skills that may enter a prompt.
    pub fn accepted(&self) -> Accepted<'_> {
        Accepted::new(&self.catalog, &self.rejected)
    }

    /// Leaves the findings of some rules.
    pub fn keep(&mut self, is_wanted: impl Fn(&Rule) -> bool) {
        self.findings.retain(|finding| is_wanted(finding.rule));
        self.base.iter_mut().for_each(|base| base.fixed.retain(|fixed| is_wanted(fixed.rule)));
    }

    /// What stands: the findings that nobody ignored, and that the base does not have already.
    pub fn standing(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.ignored.is_none() && finding.state != Some(State::Unchanged))
    }

    /// How many findings somebody ignored.
    pub fn ignored(&self) -> usize {
        self.findings.iter().filter(|finding| finding.ignored.is_some()).count()
    }

    /// How many findings the base has already, ignored ones left out.
    pub fn unchanged(&self) -> usize {
        self.findings.len() - self.ignored() - self.standing().count()
    }

    /// How many findings of a level stand.
    pub fn count(&self, level: Level) -> usize {
        self.standing().filter(|finding| finding.level == level).count()
    }

    /// The worst level that stands.
    pub fn worst(&self) -> Level {
        self.standing().map(|finding| finding.level).max().unwrap_or(Level::Off)
    }

    /// The path of the file that a finding is about.
    pub fn path(&self, finding: &Finding) -> &BStr {
        self.catalog.file(finding.place.file).path.as_bstr()
    }

    /// Whether a finding keeps its skill out of a prompt: an error that stands, or one that leaves nothing to use.
    pub fn rejects(finding: &Finding) -> bool {
        let is_error = finding.level == Level::Error && finding.ignored.is_none();
        finding.unusable || (is_error && finding.rule.takes_skills_out())
    }
}

/// Judges a snapshot that holds its texts: parsing and [`judge`] in one.
pub fn lint(snapshot: Snapshot, config: &Config) -> Report {
    judge(Parsed::new(snapshot, bounds(&config.limits)), config)
}

/// The report of a configuration that cannot be understood: nothing was judged, and one finding says where and why.
pub fn misconfigured(file: File, range: Range<usize>, error: &config::Error) -> Report {
    // A parser points behind the last character when something is missing there; a reader looks at that character.
    let range = if range.is_empty() { range.start.saturating_sub(1)..range.end.max(1) } else { range };
    let parsed = Parsed {
        origin: Origin::Memory,
        time: None,
        roots: Vec::new(),
        files: vec![file],
        skills: Vec::new(),
        records: Records::default(),
    };
    let mut sink = Sink::new(&UNREADABLE, Subject::Config);
    sink.report(Place::new(FileId(0), range), &*error.message).help.clone_from(&error.help);
    Report {
        catalog: Catalog::new(parsed),
        findings: sink.into_findings(),
        base: None,
        reported: None,
        rejected: Vec::new(),
    }
}

/// Stands in for a rule where no rule can run.
static UNREADABLE: Rule =
    Rule { why: "nothing was judged: the settings are not known", ..rules::invalid_configuration::RULE };

/// The limits that stop parsing, from the limits in force.
pub fn bounds(limits: &Limits) -> Bounds {
    let number = |limit: Option<u64>| limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    Bounds {
        bytes: number(limits.front_matter_bytes),
        nodes: number(limits.front_matter_nodes),
        depth: number(limits.front_matter_depth),
    }
}

/// Judges skills by the rules in force. It cannot fail, reads nothing, and gives the same report on one thread or many.
pub fn judge(parsed: Parsed, config: &Config) -> Report {
    judge_by(&running(config), parsed, config)
}

/// Sets skills side by side and judges none of them: all that is found is wrong with the configuration.
pub fn unjudged(parsed: Parsed, config: &Config) -> Report {
    judge_by(&[], parsed, config)
}

fn judge_by(rules: &[&'static Rule], mut parsed: Parsed, config: &Config) -> Report {
    let first_config = parsed.files.len();
    parsed.files.extend(config.files.iter().cloned());
    let catalog = Catalog::new(parsed);
    let facts = Facts {
        files: &catalog.parsed.files,
        roots: &catalog.parsed.roots,
        limits: &config.limits,
        profiles: &config.profiles,
        dispatch: &config.dispatch,
        targets: &config.targets,
        copies: &config.copies,
    };
    let mut findings = judge_skills(&catalog, &facts, rules);
    findings.extend(judge_catalog(&catalog, &facts, rules));
    findings.extend(configuration_faults(config, first_config));
    let mut ignores = Ignores::new(&catalog, config, first_config);
    settle(&mut findings, &catalog, config, &mut ignores);

    let mut rejected = vec![false; catalog.parsed.skills.len()];
    for finding in &findings {
        if let (Subject::Skill(skill), true) = (finding.subject, Report::rejects(finding)) {
            rejected[skill.index()] = true;
        }
    }
    let mut about_set = judge_set(&Accepted::new(&catalog, &rejected), &facts, rules);
    settle(&mut about_set, &catalog, config, &mut ignores);
    findings.extend(about_set);
    let mut about_targets = judge_targets(&catalog, &facts, rules, &findings);
    settle(&mut about_targets, &catalog, config, &mut ignores);
    findings.extend(about_targets);
    findings.extend(judge_ignores(&mut ignores, &Run { catalog: &catalog, config, rules }));
    sort(&mut findings, &catalog);
    runtimes::tell(&mut findings, &catalog, config);
    Report { catalog, findings, base: None, reported: None, rejected }
}

/// The rules that run: those that are not off everywhere, and those of the edition that acceptance cannot do without.
fn running(config: &Config) -> Vec<&'static Rule> {
    let levels = &config.levels;
    let runs = |rule: &&Rule| levels.may_run(rule) || (rule.unusable && levels.defaults.has(rule));
    rules::ALL.iter().copied().filter(runs).collect()
}

fn judge_skills(catalog: &Catalog, facts: &Facts<'_>, rules: &[&'static Rule]) -> Vec<Finding> {
    let checks: Vec<_> = rules
        .iter()
        .filter_map(|&rule| match rule.check {
            Check::Skill(check) => Some((rule, check)),
            _ => None,
        })
        .collect();
    let skills = &catalog.parsed.skills;
    skills
        .par_iter()
        .enumerate()
        .flat_map_iter(|(number, skill)| {
            let subject = Subject::Skill(SkillId(number as u32));
            checks.iter().flat_map(move |&(rule, check)| {
                let mut sink = Sink::new(rule, subject);
                check(skill, facts, &mut sink);
                sink.into_findings()
            })
        })
        .collect()
}

fn judge_catalog(catalog: &Catalog, facts: &Facts<'_>, rules: &[&'static Rule]) -> Vec<Finding> {
    rules
        .par_iter()
        .flat_map_iter(|&rule| {
            let mut sink = Sink::new(rule, Subject::Tree);
            if let Check::Catalog(check) = rule.check {
                check(catalog, facts, &mut sink);
            }
            sink.into_findings()
        })
        .collect()
}

fn judge_set(accepted: &Accepted<'_>, facts: &Facts<'_>, rules: &[&'static Rule]) -> Vec<Finding> {
    rules
        .iter()
        .flat_map(|&rule| {
            let mut sink = Sink::new(rule, Subject::Tree);
            if let Check::Set(check) = rule.check {
                check(accepted, facts, &mut sink);
            }
            sink.into_findings()
        })
        .collect()
}

/// What the targets make of the skills. Nothing is forecast where there is no target, or nobody wants to know.
fn judge_targets(catalog: &Catalog, facts: &Facts<'_>, rules: &[&'static Rule], findings: &[Finding]) -> Vec<Finding> {
    let checks: Vec<_> = rules
        .iter()
        .filter_map(|&rule| match rule.check {
            Check::Target(check) => Some((rule, check)),
            _ => None,
        })
        .collect();
    if facts.targets.is_empty() || checks.is_empty() {
        return Vec::new();
    }
    let outlook = Outlook::new(catalog, facts, findings.iter());
    let told = checks.into_iter().flat_map(|(rule, check)| {
        let mut sink = Sink::new(rule, Subject::Tree);
        check(catalog, facts, &outlook, &mut sink);
        sink.into_findings()
    });
    told.collect()
}

/// What is wrong with the configuration, said by the rules that own it. The files of the configuration stand behind
/// the files of the snapshot.
fn configuration_faults(config: &Config, first_config: usize) -> Vec<Finding> {
    let mut findings = Vec::new();
    for fault in &config.faults {
        let mut sink = Sink::new(fault.rule, Subject::Config);
        let file = FileId((first_config + fault.file) as u32);
        sink.report(Place::new(file, fault.range.clone()), &*fault.message).help.clone_from(&fault.help);
        findings.extend(sink.into_findings());
    }
    findings
}

/// What is to be said of the ignores, when every finding that they could leave out was laid before them.
fn judge_ignores(ignores: &mut Ignores<'_>, run: &Run<'_>) -> Vec<Finding> {
    let mut findings = ignores.findings(run, Round::First);
    settle(&mut findings, run.catalog, run.config, ignores);
    // Nothing is left that could leave these out.
    let mut last = ignores.findings(run, Round::Second);
    settle(&mut last, run.catalog, run.config, &mut Ignores::default());
    findings.extend(last);
    findings
}

/// Gives findings the levels in force, drops those that are off, and marks those that somebody ignored. A finding
/// that leaves nothing to use is kept at level off for acceptance, and dropped when the report is sorted.
fn settle(findings: &mut Vec<Finding>, catalog: &Catalog, config: &Config, ignores: &mut Ignores<'_>) {
    for finding in findings.iter_mut() {
        let path = catalog.file(finding.place.file).path.as_bstr();
        finding.level = config.levels.level(finding.rule, path);
        // What no edition has taken only warns: it changes no prompt.
        finding.unusable &= config.levels.defaults.has(finding.rule);
        ignores.apply(finding, path);
    }
    findings.retain(|finding| finding.level != Level::Off || finding.unusable);
}

fn sort(findings: &mut Vec<Finding>, catalog: &Catalog) {
    findings.retain(|finding| finding.level != Level::Off);
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| (finding.place.start, finding.place.end, finding.rule.id);
        let path = |finding: &Finding| &catalog.file(finding.place.file).path;
        path(a).cmp(path(b)).then_with(|| key(a).cmp(&key(b))).then_with(|| a.message.cmp(&b.message))
    });
}
