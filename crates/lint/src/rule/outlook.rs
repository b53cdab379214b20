//! Forecasts for the runtimes in scope, and the losses that no finding explains.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bstr::ByteSlice;

use super::{Check, Facts, Finding, Group, Loss, Rule, RuleRef, Runtime, Severity, Subject, listed};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{self, ListForecast, Losses, Namesake, Outcome, Reason, SkillForecast};
use skilltree_runtimes::packages::Package;
use skilltree_runtimes::profile::listing::Measured;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_runtimes::scope::{self, Scope};
use skilltree_skills::limits::Limits;
use skilltree_skills::roots::{Root, RootId};
use skilltree_skills::skill::{Skill, SkillId};

/// Maximum number of runtimes that a message names, if it must omit some.
const NAMED: usize = 2;

/// Forecasts for the runtimes in scope, compared with the findings.
#[derive(Debug)]
pub struct Outlook<'a> {
    /// Runtimes in scope of any root, sorted by profile id.
    pub targets: Vec<Target<'a>>,
    scope: &'a Scope<'a>,
    limits: &'a Limits,
    reported: BTreeMap<SkillId, Vec<(RuleRef, Severity)>>,
    /// Findings about all skills of a skills directory.
    reported_of_root: BTreeMap<RootId, Vec<(RuleRef, Severity)>>,
    /// Finding about links in a skills directory: they are one, wherever the skills are to which they lead.
    reported_of_links: Option<(RuleRef, Severity)>,
    capped: BTreeSet<RootId>,
}

/// A runtime that has to load skills.
#[derive(Debug)]
pub struct Target<'a> {
    /// Profile of the runtime.
    pub profile: &'a Profile,
    /// Lists that omit skills or parts of their descriptions.
    pub lists: Vec<ListForecast>,
    /// Forecasts for the skills in scope that it drops or changes.
    lost: BTreeMap<SkillId, SkillForecast>,
    unknown: Vec<SkillId>,
    /// Skills that it does not come to, although it reads others of their skills directory.
    not_read: Vec<SkillId>,
    /// Skills that load, with what keeps each from the model.
    hidden: Vec<(SkillId, Reason)>,
    /// Skills that are the same file as another one, whose fate counts.
    repeated: BTreeSet<SkillId>,
    runtime: Arc<Runtime>,
}

/// A skill that some runtimes lose for a reason that no finding explains.
#[derive(Debug)]
pub struct Lost<'a> {
    /// The skill.
    pub skill: SkillId,
    /// Reason of the loss.
    pub reason: &'a Reason,
    /// Runtimes that lose the skill, with their forecasts.
    pub targets: Vec<(&'a Target<'a>, &'a SkillForecast)>,
    /// Whether the loss can be evidence for an error: see [`is_of_collection`].
    can_be_evidence: bool,
}

impl<'a> Outlook<'a> {
    /// Forecasts the skills for every runtime in scope. `findings` are those of all other rules, at the levels in force.
    pub fn new<'f>(catalog: &Catalog, facts: &Facts<'a>, findings: impl Iterator<Item = &'f Finding>) -> Self {
        let roots: BTreeSet<RootId> = catalog.parsed.skills.iter().map(|skill| skill.root).collect();
        let shared = forecast::Shared::new(catalog);
        // One runtime after another: the forecasts of all of them would need much memory.
        let profiles = facts.scope.profiles(roots).into_iter();
        let targets = profiles.map(|profile| Target::new(catalog, facts.scope, profile, &shared));
        let (targets, scope, limits) = (targets.collect(), facts.scope, facts.limits);
        let (reported, reported_of_root, reported_of_links, capped) = Default::default();
        let mut outlook = Self { targets, scope, limits, reported, reported_of_root, reported_of_links, capped };
        for finding in findings.filter(|finding| !finding.is_off) {
            match (finding.subject, &finding.rule.check) {
                (Subject::Skill(skill), _) => {
                    outlook.reported.entry(skill).or_default().push((finding.rule.clone(), finding.severity));
                }
                (Subject::Root(root), Check::Set(_)) => {
                    outlook.capped.insert(root);
                }
                (Subject::Root(root), _) => {
                    if outlook.reported_of_links.is_none() && finding.rule.explains_loss(&Reason::Link, limits) {
                        outlook.reported_of_links = Some((finding.rule.clone(), finding.severity));
                    }
                    outlook.reported_of_root.entry(root).or_default().push((finding.rule.clone(), finding.severity));
                }
                _ => {}
            }
        }
        outlook
    }

    /// Returns whether `targets` names the runtimes. Otherwise they read the directory, but may not be in use.
    pub(crate) fn is_explicit(&self) -> bool {
        self.scope.is_explicit()
    }

    /// Returns the skills with a given outcome in a runtime in scope whose reason no finding explains.
    pub fn lost(&'a self, catalog: &'a Catalog, outcome: Outcome) -> impl Iterator<Item = Lost<'a>> {
        let lost = self.targets.iter().flat_map(|target| target.lost.keys());
        let skills: BTreeSet<SkillId> = lost.map(|&skill| catalog.original(skill)).collect();
        skills.into_iter().flat_map(move |skill| {
            let root = catalog.skill(skill).root;
            let mut lost: Vec<Lost<'a>> = Vec::new();
            for target in &self.targets {
                let forecast = target.loss(catalog, skill).filter(|forecast| forecast.if_read == outcome);
                let Some(forecast) = forecast else { continue };
                let is_packaged = is_packaged(catalog, target.profile, skill);
                let is_unlikely = scope::is_unlikely(target.profile, catalog.root(root)) && !self.is_explicit();
                let can_be_evidence = |reason: &Reason| {
                    // The runtimes for which a skill was linked follow the link.
                    *reason != Reason::Link
                        && (is_packaged || !is_unlikely && !is_of_collection(catalog.root(root), reason))
                };
                for reason in forecast.reason.iter().chain(&forecast.also) {
                    if self.is_left_to_other_rules(target, reason, outcome) {
                        continue;
                    }
                    let can_be_evidence = can_be_evidence(reason);
                    let counts = self.is_explicit() || target.profile.is_evidence() && can_be_evidence;
                    match lost.iter_mut().find(|known| known.reason.has_same_cause(reason)) {
                        Some(known) => {
                            known.can_be_evidence |= can_be_evidence;
                            known.add(target, forecast, reason);
                        }
                        None if self.is_reported(catalog, skill, reason, outcome, counts) => {}
                        None => lost.push(Lost { skill, reason, targets: vec![(target, forecast)], can_be_evidence }),
                    }
                }
            }
            lost
        })
    }

    /// Returns whether only rules of their own report a loss, unless `targets` asks for the runtime. A specification loads
    /// no skills, and its rules have a severity each. A limit on what a runtime shows is its design.
    fn is_left_to_other_rules(&self, target: &Target<'_>, reason: &Reason, outcome: Outcome) -> bool {
        let is_strict =
            matches!(target.profile.kind, Kind::Specification | Kind::Installer) && outcome == Outcome::Drops;
        let is_cut = outcome == Outcome::Changes && matches!(reason, Reason::TooLong { .. });
        // What a package loses has one cause, which the rules about manifests report.
        let is_of_package = matches!(reason, Reason::Package(_) | Reason::NotInstalled);
        // The rules about settings and agents report the file at fault.
        let is_stopped = matches!(reason, Reason::NotStarted(_));
        // The author keeps it from the model, and other rules say whether that is a mistake.
        let is_hidden = outcome == Outcome::Changes && reason.hides().is_some();
        is_of_package || is_stopped || is_hidden || !self.is_explicit() && (is_strict || is_cut)
    }

    /// Returns whether a finding explains the reason. Duplicate names always count: separate rules report them, because
    /// they know intended copies; only those of one package in two directories are left. A skill that a target or a widely used
    /// runtime drops needs a finding of level error: a warning alone would let the run pass. Without targets, a rule about the
    /// layout has its own level.
    fn is_reported(&self, catalog: &Catalog, skill: SkillId, reason: &Reason, outcome: Outcome, counts: bool) -> bool {
        if matches!(reason, Reason::Namesake { rule, copy, .. } if *copy || *rule != Namesake::FirstOfPackage) {
            return true;
        }
        let is_error = outcome == Outcome::Drops && counts;
        let least = if is_error { Severity::Error } else { Severity::Note };
        let least_said = if is_error { Severity::Error } else { Severity::Warning };
        let root = catalog.skill(skill).root;
        let of_skill = std::iter::once(&skill).chain(catalog.same(skill)).filter_map(|skill| self.reported.get(skill));
        let of_links = self.reported_of_links.as_ref().filter(|_| *reason == Reason::Link);
        let reported = of_skill.chain(self.reported_of_root.get(&root)).flatten().chain(of_links);
        // Without targets, one problem with the file is enough: each runtime that reads the directory reacts differently to it. What a
        // widely used runtime makes of one field is a problem of its own.
        let is_enough = !self.is_explicit() && (!counts || !catalog.skill(skill).has_fields());
        let is_said = |rule: &Rule, severity: Severity| {
            is_enough && severity >= least_said && (rule.explains_losses() || rule.group.is_about_loading())
        };
        reported.into_iter().any(|(rule, severity)| {
            if matches!(reason, Reason::Namesake { .. }) {
                return rule.group == Group::Catalog;
            }
            let is_placed = !self.is_explicit() && rule.group == Group::Layout;
            is_said(rule, *severity) || (*severity >= least || is_placed) && rule.explains_loss(reason, self.limits)
        })
    }

    /// Returns whether a finding about the prompt block already reports that a root exceeds its cap.
    pub(crate) fn is_capped(&self, root: RootId) -> bool {
        self.capped.contains(&root)
    }
}

impl<'a> Target<'a> {
    fn new(catalog: &Catalog, scope: &Scope<'_>, profile: &'a Profile, shared: &forecast::Shared<'_>) -> Self {
        let losses = forecast::losses(catalog, profile, shared, |root| scope.contains(root, &profile.id));
        let Losses { skills: lost, unknown, not_read, hidden, lists, repeated } = losses;
        Self { profile, lists, lost, unknown, not_read, hidden, repeated, runtime: Runtime::new(profile) }
    }
}

/// Returns the place of a text in a value; that of the value if it is written in another form.
fn inside(skill: &Skill, value: Place, text: &str) -> Place {
    let at = skill.source(value).find(text).map(|at| value.range().start + at);
    at.map_or(value, |start| Place::new(skill.file, start..start + text.len()))
}

impl Target<'_> {
    /// Returns the forecast for a skill that it drops or changes at the best of its paths.
    fn loss(&self, catalog: &Catalog, skill: SkillId) -> Option<&SkillForecast> {
        std::iter::once(&skill).chain(catalog.same(skill)).find_map(|skill| self.lost.get(skill))
    }

    /// Returns the runtime as it appears in findings.
    pub(super) fn runtime(&self) -> &Arc<Runtime> {
        &self.runtime
    }

    /// Returns the forecasts for the skills in scope that it drops or changes.
    pub(super) fn forecasts(&self) -> impl Iterator<Item = (&SkillId, &SkillForecast)> {
        self.lost.iter()
    }

    /// Returns the skills that it does not come to, although it reads others of their skills directory.
    pub(super) fn not_read(&self) -> &[SkillId] {
        &self.not_read
    }

    /// Returns the skills that are the same file as another one, whose fate counts.
    pub(super) fn repeated(&self) -> &BTreeSet<SkillId> {
        &self.repeated
    }

    /// Returns the skills that load, with what keeps each from the model.
    pub(super) fn hidden(&self) -> &[(SkillId, Reason)] {
        &self.hidden
    }

    /// Returns the skills in scope whose outcome is unknown.
    pub(super) fn unknown(&self) -> &[SkillId] {
        &self.unknown
    }

    /// Returns the evidence for the loss: the version of the runtime and the source of the claim.
    pub fn evidence(&self, reason: &Reason) -> Option<String> {
        let known = reason.evidence(self.profile)?;
        let version = known.version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
        Some(format!("{}{version} ({})", self.profile.title, known.source))
    }
}

impl<'a> Lost<'a> {
    /// Adds a runtime that loses the skill for the same cause.
    fn add(&mut self, target: &'a Target<'a>, forecast: &'a SkillForecast, reason: &'a Reason) {
        self.targets.push((target, forecast));
        // A skill that is deeper than the greatest limit is deeper than all of them.
        if let (Reason::TooDeep(known), Reason::TooDeep(depth)) = (self.reason, reason)
            && depth > known
        {
            self.reason = reason;
        }
    }

    /// Lists the runtimes in a sentence.
    pub(crate) fn titles(&self) -> String {
        titles(self.targets.iter().map(|(target, _)| target.profile).collect())
    }

    /// Returns whether a widely used runtime is known to lose the skill.
    pub(crate) fn is_known(&self) -> bool {
        self.can_be_evidence && self.targets.iter().any(|(target, _)| target.profile.is_evidence())
    }

    /// Returns the losses for a finding.
    pub fn losses(&self) -> Vec<Loss> {
        let losses = self.targets.iter().map(|(target, forecast)| Loss::new(&target.runtime, forecast));
        losses.map(|loss| Loss { is_evidence: loss.is_evidence && self.can_be_evidence, ..loss }).collect()
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
            Reason::Forbidden(key, found) => skill.field(key).map(|field| inside(skill, field.value.place, found)),
            Reason::ShownDifferently(key) => value(key),
            Reason::Namesake { .. } => value("name"),
            Reason::UnknownKey(key) | Reason::Unlisted(key) | Reason::NoEffect { field: key, .. } => {
                skill.field(key).map(|field| field.key.place)
            }
            Reason::DiffersFromDirectory | Reason::Reserved => Some(skill.name_place()),
            Reason::TooLong { of: Measured::Name | Measured::QualifiedName, .. } => Some(skill.name_place()),
            Reason::TooLong { of: Measured::Description | Measured::Entry, .. } => value("description"),
            Reason::TooLong { of: Measured::Compatibility, .. } => value("compatibility"),
            Reason::TooLong { of: Measured::ShortDescription, .. } => value("metadata"),
            _ => None,
        };
        place.unwrap_or(Place::whole(skill.file))
    }
}

/// Returns whether a loss only says that a collection is arranged otherwise than a runtime searches: skills of a directory without a
/// hidden component are published, and an installer puts them where the runtime finds them.
fn is_of_collection(root: &Root, reason: &Reason) -> bool {
    let is_hidden = root.paths().any(|path| path.split_str("/").any(|name| name.starts_with(b".")));
    matches!(reason, Reason::TooDeep(_) | Reason::SkippedDirectory(_)) && !is_hidden
}

/// Returns whether a skill is in a package whose format was made for a runtime: its directory is where that runtime searches.
fn is_packaged(catalog: &Catalog, profile: &Profile, skill: SkillId) -> bool {
    let packages = catalog.packages(profile);
    let is_owned = |package: &Package| package.is_declared() && package.is_owned_by(&profile.id);
    packages.of_skill(skill).any(|(number, _)| is_owned(&packages.all[number]))
}

/// Lists runtimes in a sentence; of many, the most used ones. A note names more.
pub(crate) fn titles(mut profiles: Vec<&Profile>) -> String {
    if profiles.len() > NAMED + 1 {
        profiles.sort_by_key(|profile| profile.usage_rank);
        let more = text::grouped(profiles.len() - NAMED);
        let named: Vec<&str> = profiles[..NAMED].iter().map(|profile| profile.actor()).collect();
        return format!("{} and {more} more", named.join(", "));
    }
    listed(&profiles.iter().map(|profile| profile.actor()).collect::<Vec<_>>())
}
