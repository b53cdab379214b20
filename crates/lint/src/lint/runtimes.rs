//! Runtimes that lose a skill because of a finding. Only skills with such a finding are forecast, in parallel, so a
//! clean repository costs nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::config::Config;
use crate::rule::{Finding, Loss, Runtime, describe_losses};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{self, Outcome};
use skilltree_runtimes::profile::{Profile, Profiles};
use skilltree_runtimes::scope::Scope;
use skilltree_skills::limits::Limits;
use skilltree_skills::parallel;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Adds to each finding the runtimes in scope that lose its skill, or all runtimes if the caller asks for them, and a note
/// that names them.
pub(super) fn add_losses(findings: &mut [Finding], catalog: &Catalog, scope: &Scope<'_>, config: &Config) {
    let mut of_skill: BTreeMap<SkillId, Vec<usize>> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        if let Some(skill) = finding.skill(catalog).filter(|_| finding.rule.explains_losses()) {
            of_skill.entry(skill).or_default().push(number);
        }
    }
    if !of_skill.is_empty() {
        let roots: BTreeSet<RootId> = of_skill.keys().map(|&skill| catalog.skill(skill).root).collect();
        let profiles = if config.all_runtimes { all(&config.profiles) } else { scope.profiles(roots) };
        let known = profiles.into_iter().map(|profile| (profile, Runtime::new(profile))).collect();
        let scope = (!config.all_runtimes).then_some(scope);
        let runtimes = Runtimes { catalog, limits: &config.limits, scope, known };
        let of_skill: Vec<(SkillId, Vec<usize>)> = of_skill.into_iter().collect();
        let losses = parallel::map(&of_skill, |(skill, numbers)| runtimes.losses(*skill, numbers, findings));
        for (number, loss) in losses.into_iter().flatten() {
            findings[number].losses.push(loss);
        }
    }
    for finding in findings {
        if let Some(note) = describe_losses(&finding.losses) {
            finding.notes.insert(0, note);
        }
    }
}

/// Inputs of the forecasts.
struct Runtimes<'a> {
    catalog: &'a Catalog,
    limits: &'a Limits,
    /// Scope of the notes; `None` for all runtimes.
    scope: Option<&'a Scope<'a>>,
    known: Vec<(&'a Profile, Arc<Runtime>)>,
}

/// Returns every known runtime. Profiles are parsed on first use, so this loads them in parallel.
fn all(profiles: &Profiles) -> Vec<&Profile> {
    let ids: Vec<&str> = profiles.ids().collect();
    parallel::map(&ids, |id| profiles.find(id)).into_iter().flatten().collect()
}

impl Runtimes<'_> {
    /// Returns the losses of a skill, each with the number of the finding that explains it.
    fn losses(&self, skill: SkillId, numbers: &[usize], findings: &[Finding]) -> Vec<(usize, Loss)> {
        let mut losses = Vec::new();
        let root = self.catalog.skill(skill).root;
        let is_in = |profile: &Profile| self.scope.is_none_or(|scope| scope.contains(root, &profile.id));
        for (profile, runtime) in self.known.iter().filter(|(profile, _)| is_in(profile)) {
            let forecast = forecast::of_skill(self.catalog, skill, profile);
            let is_lost = matches!(forecast.if_read, Outcome::Drops | Outcome::Changes);
            let Some(reason) = forecast.reason.as_ref().filter(|_| is_lost) else { continue };
            let explains = |number: &&usize| findings[**number].rule.explains_loss(reason, self.limits);
            losses.extend(numbers.iter().filter(explains).map(|&number| (number, Loss::new(runtime, &forecast))));
        }
        losses
    }
}
