//! Who loses a skill by what a finding says. Only skills with such a finding are forecast, in parallel: a clean repository
//! pays nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use crate::catalog::Catalog;
use crate::config::Config;
use crate::forecast::{self, Fate};
use crate::limits::Limits;
use crate::profile::{Profile, Profiles};
use crate::rule::{Finding, Loss, Runtime, Subject, losses_in_words};
use crate::skill::SkillId;

/// Gives each finding the runtimes that lose its skill by it, and a note that names them.
pub(super) fn tell(findings: &mut [Finding], catalog: &Catalog, config: &Config) {
    let mut of_skill: BTreeMap<SkillId, Vec<usize>> = BTreeMap::new();
    for (number, finding) in findings.iter().enumerate() {
        if let (Subject::Skill(skill), true) = (finding.subject, finding.rule.explains_something()) {
            of_skill.entry(skill).or_default().push(number);
        }
    }
    if !of_skill.is_empty() {
        let runtimes = Runtimes { catalog, limits: &config.limits, all: all(&config.profiles) };
        let losses: Vec<(usize, Loss)> =
            of_skill.par_iter().flat_map_iter(|(&skill, numbers)| runtimes.losses(skill, numbers, findings)).collect();
        for (number, loss) in losses {
            findings[number].losses.push(loss);
        }
    }
    for finding in findings {
        if let Some(words) = losses_in_words(&finding.losses) {
            finding.notes.insert(0, words);
        }
    }
}

/// What findings are set beside.
struct Runtimes<'a> {
    catalog: &'a Catalog,
    limits: &'a Limits,
    all: Vec<(&'a Profile, Arc<Runtime>)>,
}

/// Every runtime that is known. A profile is read when it is first asked for, so they are asked for side by side.
fn all(profiles: &Profiles) -> Vec<(&Profile, Arc<Runtime>)> {
    let ids: Vec<&str> = profiles.ids().collect();
    let found = ids.par_iter().filter_map(|id| profiles.find(id));
    found.map(|profile| (profile, Runtime::new(profile))).collect()
}

impl Runtimes<'_> {
    /// The losses of a skill, each with the number of the finding that explains it.
    fn losses(&self, skill: SkillId, numbers: &[usize], findings: &[Finding]) -> Vec<(usize, Loss)> {
        let mut losses = Vec::new();
        for (profile, runtime) in &self.all {
            let told = forecast::of_skill(self.catalog, skill, profile);
            let is_lost = matches!(told.fate, Fate::Dropped | Fate::Altered);
            let Some(reason) = told.reason.as_ref().filter(|_| is_lost) else { continue };
            let explains = |number: &&usize| findings[**number].rule.explains(reason, self.limits);
            losses.extend(numbers.iter().filter(explains).map(|&number| (number, Loss::new(runtime, &told))));
        }
        losses
    }
}
