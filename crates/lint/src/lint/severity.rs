//! Severity by evidence: what the runtimes in scope lose decides whether an error stays an error.
//!
//! With `targets`, an error that no target depends on is a note. Without, it is a warning unless a widely used runtime that
//! reads the skills directory is known to lose the skill. Where a dispatcher reads, its design decides, and errors stay.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use crate::config::{Config, Requirement};
use crate::rule::{Finding, Group, Level, Rule};
use skilltree_front_matter::{FaultKind, YamlKind};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{self, Outcome, Reason, SkillForecast};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::scope::{self, Scope};
use skilltree_skills::limits::Limits;
use skilltree_skills::parallel;
use skilltree_skills::skill::SkillId;

/// Note of a finding that no target depends on.
const NOTE: &str = "portability: no target depends on it";

/// Lowers the errors about loading for which there is no evidence. An error about a limit of the repository stays, and so does a
/// level that the configuration sets for a rule.
pub(super) fn lower(findings: &mut [Finding], catalog: &Catalog, scope: &Scope<'_>, config: &Config) {
    let mut of_skill: BTreeMap<SkillId, Vec<usize>> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        let path = catalog.file(finding.place.file).path.as_bstr();
        if is_about_loading(&finding.rule, scope, config)
            && config.levels.defaults.level(&finding.rule) == Level::Error
            && config.levels.chosen(&finding.rule, path).is_none()
            && let Some(skill) = finding.skill(catalog)
            && !keeps_level(finding, catalog, scope, skill)
            && !hides_own_rule(catalog, config, skill)
        {
            of_skill.entry(skill).or_default().push(number);
        }
    }
    let of_skill: Vec<(SkillId, Vec<usize>)> = of_skill.into_iter().collect();
    let idle = parallel::map(&of_skill, |(skill, numbers)| {
        let evidence = Evidence::new(catalog, scope, *skill, &config.limits);
        numbers.iter().copied().filter(|&number| !evidence.supports(&findings[number])).collect::<Vec<_>>()
    });
    for number in idle.into_iter().flatten() {
        if scope.is_explicit() {
            findings[number].at_most(Level::Note).note(NOTE);
        } else {
            findings[number].at_most(Level::Warning);
        }
    }
}

/// Lowers the errors about runtimes in scope that only rarely used runtimes have. A target is in use.
pub(super) fn lower_losses(findings: &mut [Finding], scope: &Scope<'_>) {
    if scope.is_explicit() {
        return;
    }
    for finding in findings {
        let mut losses = finding.losses.iter();
        if !losses.any(|loss| loss.outcome == Outcome::Drops && loss.is_evidence) {
            finding.at_most(Level::Warning);
        }
    }
}

/// Returns whether only the loading of skills depends on a rule: it has no limit that the repository sets, and forecasts know its
/// effect. Without targets, an effect that no forecast knows is no evidence.
fn is_about_loading(rule: &Rule, scope: &Scope<'_>, config: &Config) -> bool {
    let is_limited = rule.limits.iter().any(|limit| config.set_limits.contains(limit));
    let is_known = !scope.is_explicit() || rule.explains_losses();
    rule.needs_evidence() && is_known && !is_limited
}

/// Returns whether a finding about an unusable file is about front matter that cannot be read.
fn is_unreadable(finding: &Finding) -> bool {
    finding.rule.group == Group::Fences
}

/// Returns whether an error stays one without evidence: the file has conflict markers, or, without targets, a dispatcher reads it.
fn keeps_level(finding: &Finding, catalog: &Catalog, scope: &Scope<'_>, skill: SkillId) -> bool {
    let skill = catalog.skill(skill);
    let conflict = FaultKind::Yaml(YamlKind::ConflictMarker);
    let is_damaged = skill.faults.iter().any(|fault| fault.kind() == conflict && fault.place == finding.place);
    is_damaged || !scope.is_explicit() && scope.is_dispatched(skill.root)
}

/// Returns whether a rule of the repository that is an error could not be applied to a skill: a runtime may read the front matter that
/// skilltree cannot.
fn hides_own_rule(catalog: &Catalog, config: &Config, skill: SkillId) -> bool {
    let (path, skill) = (catalog.path(skill).as_bstr(), catalog.skill(skill));
    let is_skipped = |one: &Requirement| {
        let is_about_keys = one.conditions.key.is_some() || !one.conditions.allowed_keys.is_empty();
        skill.body.is_none() || is_about_keys && !skill.has_fields()
    };
    let is_error = |one: &Requirement| config.levels.level(&one.rule, path) == Level::Error;
    config.requirements.iter().any(|one| is_skipped(one) && one.applies_to(path) && is_error(one))
}

/// What the runtimes that count do with a skill.
struct Evidence<'a> {
    /// Forecasts of the targets; without targets, of the widely used runtimes in scope.
    forecasts: Vec<SkillForecast>,
    limits: &'a Limits,
    is_explicit: bool,
    /// Whether the only such runtimes would have to be started in a directory below the top.
    is_unlikely: bool,
}

impl<'a> Evidence<'a> {
    fn new(catalog: &Catalog, scope: &Scope<'_>, skill: SkillId, limits: &'a Limits) -> Self {
        let is_explicit = scope.is_explicit();
        let id = catalog.skill(skill).root;
        let root = &catalog.parsed.roots[id.index()];
        let profiles = scope.of(id).filter(|profile| is_explicit || profile.is_evidence());
        let is_likely = |profile: &&Profile| {
            is_explicit
                || !scope::is_unlikely(profile, root)
                || catalog.packages(profile).reads(id)
                || catalog.published()[id.index()]
        };
        let (likely, unlikely): (Vec<&Profile>, Vec<&Profile>) = profiles.partition(is_likely);
        let is_unlikely = likely.is_empty() && !unlikely.is_empty();
        let forecasts = likely.into_iter().map(|profile| forecast::of_skill(catalog, skill, profile)).collect();
        Self { forecasts, limits, is_explicit, is_unlikely }
    }

    /// Returns whether a runtime loses the skill because of a finding, or, with targets, may load it otherwise.
    fn supports(&self, finding: &Finding) -> bool {
        let mut forecasts = self.forecasts.iter();
        if self.is_explicit {
            return forecasts.any(|forecast| self.depends_on(forecast, &finding.rule));
        }
        // A file that cannot be used is lost if no runtime is known to load it, and one whose front matter cannot be read in any case.
        let is_loaded = || self.forecasts.iter().any(|forecast| forecast.if_read == Outcome::Loads);
        forecasts.any(|forecast| self.loses(forecast, finding))
            || finding.unusable && (is_unreadable(finding) || !is_loaded()) && !self.is_elsewhere()
    }

    /// Returns whether the file is where none of the runtimes looks for a skill, so that correcting it changes nothing.
    fn is_elsewhere(&self) -> bool {
        let is_out = |forecast: &SkillForecast| forecast.reason.as_ref().is_some_and(Reason::is_about_place);
        self.is_unlikely || !self.forecasts.is_empty() && self.forecasts.iter().all(is_out)
    }

    /// Returns whether a target may load a skill otherwise because of a finding. A runtime gives one reason at a time, so a
    /// skill that it drops for another reason, or whose outcome is unknown, keeps its errors.
    fn depends_on(&self, forecast: &SkillForecast, rule: &Rule) -> bool {
        match forecast.if_read {
            Outcome::Loads => false,
            Outcome::Changes => self.explains(forecast, rule),
            Outcome::Drops | Outcome::Unknown | Outcome::NotRead => true,
        }
    }

    /// Returns whether a runtime is known to lose a skill because of a finding. Front matter that cannot be used is lost even if
    /// something takes its place.
    fn loses(&self, forecast: &SkillForecast, finding: &Finding) -> bool {
        let is_lost = match forecast.if_read {
            Outcome::Drops => true,
            Outcome::Changes => finding.unusable,
            Outcome::Loads | Outcome::Unknown | Outcome::NotRead => false,
        };
        is_lost && self.explains(forecast, &finding.rule)
    }

    fn explains(&self, forecast: &SkillForecast, rule: &Rule) -> bool {
        forecast.reason.as_ref().is_some_and(|reason| rule.explains_loss(reason, self.limits))
    }
}
