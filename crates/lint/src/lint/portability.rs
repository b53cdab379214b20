//! Errors that no target depends on. A repository that names its targets is not failed by the rules of other runtimes.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use crate::config::Config;
use crate::rule::{Finding, Level, Rule};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{self, Outcome};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::scope::Scope;
use skilltree_skills::limits::Limits;
use skilltree_skills::parallel;
use skilltree_skills::skill::SkillId;

/// Note of a finding that is lowered.
const NOTE: &str = "portability: no target depends on it";

/// Lowers the errors to notes that neither a target nor a limit of the repository depends on. A level that the
/// configuration sets for a rule stays.
pub(super) fn lower(findings: &mut [Finding], catalog: &Catalog, scope: &Scope<'_>, config: &Config) {
    if !scope.is_explicit() {
        return;
    }
    let mut of_skill: BTreeMap<SkillId, Vec<usize>> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        let path = catalog.file(finding.place.file).path.as_bstr();
        if let Some(skill) = finding.skill(catalog)
            && is_about_loading(&finding.rule, config)
            && config.levels.defaults.level(&finding.rule) == Level::Error
            && config.levels.chosen(&finding.rule, path).is_none()
        {
            of_skill.entry(skill).or_default().push(number);
        }
    }
    let of_skill: Vec<(SkillId, Vec<usize>)> = of_skill.into_iter().collect();
    let idle = parallel::map(&of_skill, |(skill, numbers)| {
        let targets: Vec<&Profile> = scope.of(catalog.skill(*skill).root).collect();
        let is_idle = |rule| targets.iter().all(|target| !depends_on(target, rule, catalog, *skill, &config.limits));
        numbers.iter().copied().filter(|&number| is_idle(&findings[number].rule)).collect::<Vec<_>>()
    });
    for number in idle.into_iter().flatten() {
        findings[number].at_most(Level::Note).note(NOTE);
    }
}

/// Returns whether only the loading of skills depends on a rule: it has no limit that the repository sets, and forecasts
/// know its effect.
fn is_about_loading(rule: &Rule, config: &Config) -> bool {
    let is_limited = rule.limits.iter().any(|limit| config.set_limits.contains(limit));
    rule.group.is_about_loading() && rule.explains_losses() && !rule.keeps_level && !is_limited
}

/// Returns whether a target may load a skill otherwise because of a finding. A runtime gives one reason at a time, so a
/// skill that it drops for another reason, or whose outcome is unknown, keeps its errors.
fn depends_on(target: &Profile, rule: &Rule, catalog: &Catalog, skill: SkillId, limits: &Limits) -> bool {
    let forecast = forecast::of_skill(catalog, skill, target);
    match forecast.if_read {
        Outcome::Loads => false,
        Outcome::Changes => forecast.reason.is_some_and(|reason| rule.explains_loss(&reason, limits)),
        Outcome::Drops | Outcome::Unknown | Outcome::NotRead => true,
    }
}
