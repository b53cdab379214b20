//! What the runtimes that the skills must work in make of them, and what of it no finding has said.

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

/// What the targets make of the skills, beside what was said of them.
#[derive(Debug)]
pub struct Outlook<'a> {
    /// The targets, in the order in which they were named.
    pub targets: Vec<Target<'a>>,
    limits: &'a Limits,
    said: BTreeMap<SkillId, Vec<(&'static Rule, Level)>>,
    capped: BTreeSet<RootId>,
}

/// A runtime that the skills must work in.
#[derive(Debug)]
pub struct Target<'a> {
    /// What is known of it.
    pub profile: &'a Profile,
    /// What it makes of the skills.
    pub forecast: Forecast,
    runtime: Arc<Runtime>,
}

/// A skill that some targets lose by one reason, of which no finding speaks.
#[derive(Debug)]
pub struct Lost<'a> {
    /// The skill.
    pub skill: SkillId,
    /// Why.
    pub reason: &'a Reason,
    /// Who, each with what it makes of the skill.
    pub targets: Vec<(&'a Target<'a>, &'a SkillForecast)>,
}

impl<'a> Outlook<'a> {
    /// Forecasts for every target. The findings are those of all other rules, at the levels in force.
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
        let mut outlook = Self { targets, limits: facts.limits, said: BTreeMap::new(), capped: BTreeSet::new() };
        for finding in findings {
            match (finding.subject, &finding.rule.check) {
                (Subject::Skill(skill), _) => {
                    outlook.said.entry(skill).or_default().push((finding.rule, finding.level));
                }
                (Subject::Root(root), Check::Set(_)) => {
                    outlook.capped.insert(root);
                }
                _ => {}
            }
        }
        outlook
    }

    /// The skills of a fate in some target, and whose reason no finding speaks of. Only an error speaks for a skill that
    /// is dropped: what merely warns would let a run pass that must not.
    pub fn lost(&'a self, catalog: &'a Catalog, fate: Fate) -> impl Iterator<Item = Lost<'a>> {
        catalog.skills().flat_map(move |(skill, _)| {
            let mut lost: Vec<Lost<'a>> = Vec::new();
            for target in &self.targets {
                let told = target.forecast.skill(skill);
                let Some(reason) = told.reason.as_ref().filter(|_| told.fate == fate) else { continue };
                match lost.iter_mut().find(|known| known.reason == reason) {
                    Some(known) => known.targets.push((target, told)),
                    None if self.is_said(skill, reason, fate) => {}
                    None => lost.push(Lost { skill, reason, targets: vec![(target, told)] }),
                }
            }
            lost
        })
    }

    /// Skills of one name are compared by rules of their own, which know copies that are meant.
    fn is_said(&self, skill: SkillId, reason: &Reason, fate: Fate) -> bool {
        if matches!(reason, Reason::Namesake { .. }) {
            return true;
        }
        let least = if fate == Fate::Dropped { Level::Error } else { Level::Note };
        let said = self.said.get(&skill).into_iter().flatten();
        said.into_iter().any(|(rule, level)| *level >= least && rule.explains(reason, self.limits))
    }

    /// Whether a finding about the prompt block says already that not every skill of a root fits.
    pub fn is_capped(&self, root: RootId) -> bool {
        self.capped.contains(&root)
    }
}

impl Target<'_> {
    /// Where it is known from why it loses a skill: its version, and the source that was read.
    pub fn evidence(&self, reason: &Reason) -> Option<String> {
        let known = reason.evidence(self.profile)?;
        let version = known.version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
        Some(format!("{}{version}, by {}", self.profile.title, known.source))
    }
}

impl Lost<'_> {
    /// The runtimes in a sentence.
    pub fn titles(&self) -> String {
        let titles: Vec<&str> = self.targets.iter().map(|(target, _)| target.profile.title.as_str()).collect();
        listed(&titles)
    }

    /// The losses that a finding is made of.
    pub fn losses(&self) -> Vec<Loss> {
        self.targets.iter().map(|(target, told)| Loss::new(&target.runtime, told)).collect()
    }

    /// The setting that makes targets of them: `"codex"` or `"codex" and "roo"`.
    pub fn words(&self) -> String {
        let ids: Vec<String> = self.targets.iter().map(|(target, _)| format!("`{}`", target.profile.id)).collect();
        listed(&ids)
    }

    /// The place that the reason is about.
    pub fn place(&self, skill: &Skill) -> Place {
        let fault = self.reason.fault().and_then(|kind| skill.faults.iter().find(|fault| fault.kind() == kind));
        if let Some(fault) = fault {
            return fault.place;
        }
        let value = |key: &str| skill.field(key.split('.').next().unwrap_or(key)).map(|field| field.value.place);
        let place = match self.reason {
            // What is null or blank is missing as well, and stands somewhere.
            Reason::Missing(key) => value(key).or(Some(skill.opener())),
            Reason::WrongType(key, _) | Reason::Malformed(key) | Reason::NoKnownWord(key) => value(key),
            Reason::ShownOtherwise(key) => value(key),
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
