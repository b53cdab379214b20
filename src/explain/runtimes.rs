//! Who loses a skill that a rule is about: the forecast of every runtime for the example of the page.

use std::collections::BTreeSet;

use super::example::Judged;
use crate::forecast::{Fate, forecast};
use crate::profile::{Profile, Profiles, Said};
use crate::rule::{Rule, Subject};
use crate::skill::SkillId;

/// What a runtime makes of the example of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The id of its profile.
    pub profile: String,
    /// Its name.
    pub title: String,
    /// What becomes of the skill: it is dropped, or it is altered.
    pub fate: Fate,
    /// Why, in words; none where the profile does not say.
    pub reason: Option<String>,
    /// How the runtime tells of it; `None` when nobody knows.
    pub said: Option<Said>,
}

/// The runtimes that do not load the skills that a rule found something in, or load them otherwise than they are written:
/// those that drop one first, then by title. What they do with skills in which it finds nothing as well is not its matter.
pub(super) fn losses(fires: &Judged, quiet: &[Judged], rule: &Rule) -> Vec<Loss> {
    let anyway: BTreeSet<(String, String)> = quiet
        .iter()
        .flat_map(|judged| told(judged, &judged.report.catalog.skills().map(|(id, _)| id).collect::<Vec<_>>()))
        .map(|loss| (loss.profile.clone(), loss.reason_without_numbers()))
        .collect();
    let subjects = fires.report.standing().filter(|finding| finding.rule.id == rule.id);
    let skills: Vec<_> = subjects
        .filter_map(|finding| match finding.subject {
            Subject::Skill(skill) => Some(skill),
            _ => None,
        })
        .collect();
    let mut losses = told(fires, &skills);
    losses.retain(|loss| !anyway.contains(&(loss.profile.clone(), loss.reason_without_numbers())));
    losses.sort_by_key(|loss| (std::cmp::Reverse(loss.fate), loss.title.to_lowercase()));
    losses
}

/// The worst that each runtime makes of some skills, where it is not what is written.
fn told(judged: &Judged, skills: &[SkillId]) -> Vec<Loss> {
    if skills.is_empty() {
        return Vec::new();
    }
    let profiles = Profiles::default();
    let loss = |profile: &Profile| {
        let forecast = forecast(&judged.report.catalog, profile);
        let fates = skills.iter().map(|&skill| forecast.skill(skill));
        let worst =
            fates.filter(|told| matches!(told.fate, Fate::Altered | Fate::Dropped)).max_by_key(|told| told.fate)?;
        Some(Loss {
            profile: profile.id.clone(),
            title: profile.title.clone(),
            fate: worst.fate,
            reason: worst.reason.as_ref().map(ToString::to_string),
            said: worst.said,
        })
    };
    profiles.ids().filter_map(|id| loss(profiles.find(id)?)).collect()
}

impl Loss {
    /// What it is known again by in another skill, which is of another length.
    fn reason_without_numbers(&self) -> String {
        self.reason.as_deref().unwrap_or_default().replace(|character: char| character.is_ascii_digit(), "")
    }
}
