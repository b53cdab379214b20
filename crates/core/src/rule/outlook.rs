//! Forecasts for the targets, and the losses that no finding explains.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Check, Facts, Finding, Level, Loss, Rule, Runtime, Subject, listed};
use crate::catalog::Catalog;
use crate::forecast::{self, Fate, Forecast, Reason, SkillForecast};
use crate::limits::Limits;
use crate::profile::Profile;
use crate::profile::listing::Measured;
use crate::roots::RootId;
use crate::select;
use crate::skill::{Skill, SkillId};
use crate::text::Place;

/// Forecasts for the targets, compared with the findings.
#[derive(Debug)]
pub struct Outlook<'a> {
    /// Targets in configured order.
    pub targets: Vec<Target<'a>>,
    limits: &'a Limits,
    reported: BTreeMap<SkillId, Vec<(&'static Rule, Level)>>,
    capped: BTreeSet<RootId>,
}

/// A runtime that the skills must work in.
#[derive(Debug)]
pub struct Target<'a> {
    /// Profile of the runtime.
    pub profile: &'a Profile,
    /// Forecast for the skills.
    pub forecast: Forecast,
    runtime: Arc<Runtime>,
}

/// A skill that some targets lose for a reason that no finding explains.
#[derive(Debug)]
pub struct Lost<'a> {
    /// The skill.
    pub skill: SkillId,
    /// Reason of the loss.
    pub reason: &'a Reason,
    /// Targets that lose the skill, with their forecasts.
    pub targets: Vec<(&'a Target<'a>, &'a SkillForecast)>,
}

impl<'a> Outlook<'a> {
    /// Forecasts the skills for every target. `findings` are those of all other rules, at the levels in force.
    pub fn new<'f>(catalog: &Catalog, facts: &Facts<'a>, findings: impl Iterator<Item = &'f Finding>) -> Self {
        let mut profiles: Vec<&Profile> = Vec::new();
        for profile in facts.targets.iter().filter_map(|id| facts.profiles.find(id)) {
            if profiles.iter().all(|known| known.id != profile.id) {
                profiles.push(profile);
            }
        }
        let forecasts = forecast::forecasts(catalog, &profiles).into_iter();
        let targets = forecasts.zip(profiles);
        let target = |(forecast, profile)| Target { profile, forecast, runtime: Runtime::new(profile) };
        let targets = targets.map(target).collect();
        let mut outlook = Self { targets, limits: facts.limits, reported: BTreeMap::new(), capped: BTreeSet::new() };
        for finding in findings {
            match (finding.subject, &finding.rule.check) {
                (Subject::Skill(skill), _) => {
                    outlook.reported.entry(skill).or_default().push((finding.rule, finding.level));
                }
                (Subject::Root(root), Check::Set(_)) => {
                    outlook.capped.insert(root);
                }
                _ => {}
            }
        }
        outlook
    }

    /// Returns the skills with a given fate in some target whose reason no finding explains. A dropped skill needs a
    /// finding of level error: a warning alone would let the run pass.
    pub fn lost(&'a self, catalog: &'a Catalog, fate: Fate) -> impl Iterator<Item = Lost<'a>> {
        catalog.skills().flat_map(move |(skill, _)| {
            let mut lost: Vec<Lost<'a>> = Vec::new();
            for target in &self.targets {
                let forecast = target.forecast.skill(skill);
                let Some(reason) = forecast.reason.as_ref().filter(|_| forecast.fate == fate) else { continue };
                match lost.iter_mut().find(|known| known.reason == reason) {
                    Some(known) => known.targets.push((target, forecast)),
                    None if self.is_reported(skill, reason, fate) => {}
                    None => lost.push(Lost { skill, reason, targets: vec![(target, forecast)] }),
                }
            }
            lost
        })
    }

    /// Returns whether a finding explains the reason. Duplicate names always count: separate rules report them, because
    /// they know intended copies.
    fn is_reported(&self, skill: SkillId, reason: &Reason, fate: Fate) -> bool {
        if matches!(reason, Reason::Namesake { .. }) {
            return true;
        }
        let least = if fate == Fate::Dropped { Level::Error } else { Level::Note };
        let reported = self.reported.get(&skill).into_iter().flatten();
        reported.into_iter().any(|(rule, level)| *level >= least && rule.explains_loss(reason, self.limits))
    }

    /// Returns whether a finding about the prompt block already reports that a root exceeds its cap.
    pub(crate) fn is_capped(&self, root: RootId) -> bool {
        self.capped.contains(&root)
    }
}

impl Target<'_> {
    /// Returns the evidence for the loss: the version of the runtime and the source of the claim.
    pub fn evidence(&self, reason: &Reason) -> Option<String> {
        let known = reason.evidence(self.profile)?;
        let version = known.version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
        Some(format!("{}{version} ({})", self.profile.title, known.source))
    }
}

impl Lost<'_> {
    /// Lists the runtimes in a sentence.
    pub(crate) fn titles(&self) -> String {
        let titles: Vec<&str> = self.targets.iter().map(|(target, _)| target.profile.actor()).collect();
        listed(&titles)
    }

    /// Returns the losses for a finding.
    pub fn losses(&self) -> Vec<Loss> {
        self.targets.iter().map(|(target, forecast)| Loss::new(&target.runtime, forecast)).collect()
    }

    /// Lists the profile ids as written in the configuration: `"codex"` or `"codex" and "roo"`.
    pub fn words(&self) -> String {
        let ids: Vec<String> = self.targets.iter().map(|(target, _)| format!("`{}`", target.profile.id)).collect();
        listed(&ids)
    }

    /// Returns the place to report.
    pub fn place(&self, skill: &Skill) -> Place {
        let fault = self.reason.fault().and_then(|kind| skill.faults.iter().find(|fault| fault.kind() == kind));
        if let Some(fault) = fault {
            return fault.place;
        }
        let value = |key: &str| skill.field(key.split('.').next().unwrap_or(key)).map(|field| field.value.place);
        let place = match self.reason {
            // A null or empty value counts as missing, but has a place.
            Reason::Missing(key) => value(key).or(Some(skill.opener())),
            Reason::WrongType(key, _) | Reason::Malformed(key) | Reason::NoKnownWord(key) => value(key),
            Reason::ShownDifferently(key) => value(key),
            Reason::UnknownKey(key) | Reason::Unlisted(key) => skill.field(key).map(|field| field.key.place),
            Reason::DiffersFromDirectory | Reason::Reserved => Some(select::name_place(skill)),
            Reason::TooLong { of: Measured::Name | Measured::QualifiedName, .. } => Some(select::name_place(skill)),
            Reason::TooLong { of: Measured::Description | Measured::Entry, .. } => value("description"),
            Reason::TooLong { of: Measured::Compatibility, .. } => value("compatibility"),
            Reason::TooLong { of: Measured::ShortDescription, .. } => value("metadata"),
            _ => None,
        };
        place.unwrap_or(Place::whole(skill.file))
    }
}
