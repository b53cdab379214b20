//! Runtimes that lose a skill with a finding: forecasts for the example of the page.

use std::collections::BTreeSet;

use super::example::Linted;
use skilltree_lint::rule::{Phrase, Rule, Subject};
use skilltree_runtimes::forecast::{Outcome, forecast};
use skilltree_runtimes::profile::{Profile, Profiles, Reported};
use skilltree_skills::skill::SkillId;

/// Effect of a runtime on the example of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Profile id.
    pub profile: String,
    /// Name.
    pub title: String,
    /// Outcome of the skill: dropped or altered.
    pub outcome: Outcome,
    /// Reason; `None` if the profile does not give one.
    pub reason: Option<String>,
    /// How the runtime reports the loss; `None` if unknown.
    pub reported: Option<Reported>,
    /// Name as the subject of a sentence.
    pub actor: String,
    /// Phrase for the effect on the skill.
    pub phrase: Phrase,
}

/// Returns the runtimes that drop or change the skills with findings, dropping ones first, then by title. Effects that
/// also occur in examples without findings are excluded.
pub(super) fn losses(fires: &Linted, quiet: &[Linted], rule: &Rule) -> Vec<Loss> {
    let also_quiet: BTreeSet<(String, String)> = quiet
        .iter()
        .flat_map(|linted| {
            worst_outcomes(linted, &linted.report.catalog.skills().map(|(id, _)| id).collect::<Vec<_>>())
        })
        .map(|loss| (loss.profile.clone(), loss.reason_without_numbers()))
        .collect();
    let subjects = fires.report.active().filter(|finding| finding.rule.id() == rule.id());
    let skills: Vec<_> = subjects
        .filter_map(|finding| match finding.subject {
            Subject::Skill(skill) => Some(skill),
            _ => None,
        })
        .collect();
    let mut losses = worst_outcomes(fires, &skills);
    losses.retain(|loss| !also_quiet.contains(&(loss.profile.clone(), loss.reason_without_numbers())));
    losses.sort_by_key(|loss| (std::cmp::Reverse(loss.outcome), loss.title.to_lowercase()));
    losses
}

/// Returns the worst effect of each runtime on some skills, if any is not loaded unchanged.
fn worst_outcomes(linted: &Linted, skills: &[SkillId]) -> Vec<Loss> {
    if skills.is_empty() {
        return Vec::new();
    }
    let profiles = Profiles::default();
    let loss = |profile: &Profile| {
        let forecast = forecast(&linted.report.catalog, profile);
        let forecasts = skills.iter().map(|&skill| forecast.skill(skill));
        let worst = forecasts
            .filter(|forecast| matches!(forecast.if_read, Outcome::Changes | Outcome::Drops))
            .max_by_key(|forecast| forecast.if_read)?;
        Some(Loss {
            profile: profile.id.clone(),
            title: profile.title.clone(),
            outcome: worst.if_read,
            reason: worst.reason.as_ref().map(ToString::to_string),
            reported: worst.reported,
            actor: profile.actor().to_owned(),
            phrase: Phrase::new(worst),
        })
    };
    profiles.ids().filter_map(|id| loss(profiles.find(id)?)).collect()
}

impl Loss {
    /// Returns the reason without numbers, to compare skills of different lengths.
    fn reason_without_numbers(&self) -> String {
        self.reason
            .as_deref()
            .unwrap_or_default()
            .replace(|character: char| character.is_ascii_digit() || character == ',', "")
    }
}
