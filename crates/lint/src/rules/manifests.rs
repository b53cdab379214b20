//! What the runtimes make of the manifests of packages, for the rules about them.

use std::collections::{BTreeMap, HashMap};
use std::mem;
use std::ops::Range;

use bstr::BString;

use super::several;
use crate::rule::{Facts, Finding, Occurrence, Sink, Subject, listed};
use skilltree_front_matter::text::Place;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::formats;
use skilltree_runtimes::packages::{Costs, Package, Wrong};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::manifest::Manifest;
use skilltree_skills::manifest::json::Json;

/// Number of faults alike that have a finding each (ours: 3).
const SEPARATE: usize = 3;

/// A fault of a manifest, with the runtimes that lose something.
#[derive(Debug)]
pub(super) struct Fault<'a> {
    pub(super) manifest: &'a Manifest,
    pub(super) range: Range<usize>,
    pub(super) what: Wrong,
    /// Runtimes that load nothing of the package, the one that the format was made for first.
    pub(super) without_package: Vec<&'a Profile>,
    /// Runtimes that lose the skills of a path.
    pub(super) without_entry: Vec<&'a Profile>,
    /// Whether there is a widely used runtime for which no skill of the package is left.
    pub(super) emptied: bool,
    /// Whether a runtime that the format was made for is among them, or a target.
    pub(super) is_meant: bool,
    /// The runtime that the format was made for.
    owner: Option<&'static str>,
    /// The directory of the package.
    pub(super) directory: BString,
}

impl Fault<'_> {
    /// Returns whether the runtime that the format was made for loads a skill of the package.
    pub(super) fn is_loaded(&self, catalog: &Catalog, facts: &Facts<'_>) -> bool {
        let Some(owner) = self.owner.and_then(|owner| facts.profiles.find(owner)) else { return false };
        let packages = catalog.packages(owner);
        let mut same = packages.all.iter().filter(|package| package.directory == self.directory).peekable();
        let loads = |package: &Package| package.skills.iter().any(|member| member.lost.is_none());
        same.peek().is_some() && same.all(|package| !package.is_lost() && loads(package))
    }

    /// Returns its value.
    fn value(&self) -> Option<&Json> {
        self.manifest.content.as_ref().ok()?.find(&self.range)
    }

    fn help(&self) -> String {
        self.value().map_or_else(|| self.what.help(), |value| self.what.help_for(value))
    }

    pub(super) fn place(&self) -> Place {
        match self.range.is_empty() {
            true => Place::whole(self.manifest.file),
            false => Place::new(self.manifest.file, self.range.clone()),
        }
    }
}

/// Returns the titles of runtimes for a sentence.
pub(super) fn titles(profiles: &[&Profile]) -> String {
    listed(&profiles.iter().map(|profile| profile.title.as_str()).collect::<Vec<_>>())
}

/// Returns the runtimes that read packages, the most used first: the targets, or all.
pub(super) fn readers<'a>(facts: &Facts<'a>) -> Vec<&'a Profile> {
    let is_asked = |profile: &Profile| facts.targets.is_empty() || facts.targets.contains(&profile.id);
    let ids = facts.profiles.ids().filter(|id| formats::of(id).is_some());
    let mut profiles: Vec<&Profile> =
        ids.filter_map(|id| facts.profiles.find(id)).filter(|profile| is_asked(profile)).collect();
    profiles.sort_by_key(|profile| profile.usage_rank.unwrap_or_default());
    profiles
}

/// Returns whether a package was made for a runtime, or the runtime is a target.
pub(super) fn is_meant(package: &Package, profile: &Profile, facts: &Facts<'_>) -> bool {
    !facts.targets.is_empty() || package.is_made_for(&profile.id)
}

/// Returns the faults of all manifests, by manifest and place.
pub(super) fn faults<'a>(catalog: &'a Catalog, facts: &Facts<'a>) -> Vec<Fault<'a>> {
    let manifests = &catalog.parsed.manifests.all;
    if manifests.is_empty() {
        return Vec::new();
    }
    let mut found: BTreeMap<(usize, usize, usize, Wrong), Fault<'a>> = BTreeMap::new();
    for profile in readers(facts) {
        // A directory that was made for other programs is this runtime's only if it is a target.
        let is_asked = |package: &&Package| package.is_declared() || !facts.targets.is_empty();
        for package in catalog.packages(profile).all.iter().filter(is_asked) {
            let is_meant = is_meant(package, profile, facts);
            let is_emptied = profile.is_widely_used()
                && package.is_declared()
                && !package.skills.is_empty()
                && package.skills.iter().all(|member| member.lost.is_some());
            // Without its content, the manifest has a finding already.
            let known = package.faults.iter().filter(|fault| {
                let manifest = &manifests[fault.manifest];
                manifest.content.is_ok() || manifest.part.is_some()
            });
            for fault in known {
                let key = (fault.manifest, fault.range.start, fault.range.end, fault.what.clone());
                let found = found.entry(key).or_insert_with(|| Fault {
                    manifest: &manifests[fault.manifest],
                    range: fault.range.clone(),
                    what: fault.what.clone(),
                    without_package: Vec::new(),
                    without_entry: Vec::new(),
                    emptied: false,
                    is_meant: false,
                    owner: package.listed_in.unwrap_or(package.format).owner.as_deref(),
                    directory: package.directory.clone(),
                });
                found.is_meant |= is_meant;
                found.emptied |= is_emptied;
                let losers = match fault.costs {
                    Costs::Package => &mut found.without_package,
                    Costs::Entry => &mut found.without_entry,
                };
                if !losers.iter().any(|known| known.id == profile.id) {
                    losers.push(profile);
                }
            }
        }
    }
    let is_shown = |fault: &Fault<'_>| {
        fault.is_meant
            || fault.without_package.iter().chain(&fault.without_entry).any(|profile| profile.is_widely_used())
    };
    found.into_values().filter(is_shown).collect()
}

/// Returns the faults in groups: more than [`SEPARATE`] paths of one manifest with one fault, for the same runtimes, have one cause.
pub(super) fn alike<'f, 'a>(faults: &'f [Fault<'a>]) -> Vec<Vec<&'f Fault<'a>>> {
    let mut groups: Vec<Vec<&Fault<'a>>> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    for fault in faults {
        if !fault.what.is_about_path() {
            groups.push(vec![fault]);
            continue;
        }
        let kind = mem::discriminant(&fault.what);
        let ids = |profiles: &[&'a Profile]| profiles.iter().map(|profile| profile.id.as_str()).collect::<Vec<_>>();
        let key = (fault.manifest.file, kind, fault.is_meant, ids(&fault.without_package), ids(&fault.without_entry));
        let number = *known.entry(key).or_insert(groups.len());
        match groups.get_mut(number) {
            Some(group) => group.push(fault),
            None => groups.push(vec![fault]),
        }
    }
    let split = |group: Vec<&'f Fault<'a>>| match group.len() > SEPARATE {
        true => vec![group],
        false => group.into_iter().map(|fault| vec![fault]).collect(),
    };
    groups.into_iter().flat_map(split).collect()
}

/// Reports a group of faults as one finding.
pub(super) fn report<'s>(
    group: &[&Fault<'_>],
    message: impl Fn(&Fault<'_>) -> String,
    sink: &'s mut Sink,
) -> Option<&'s mut Finding> {
    let occurrences = group.iter().map(|fault| {
        let message = message(fault);
        let identity = fault.what.to_string();
        Occurrence::new(fault.place(), message, identity.as_bytes()).with_help(fault.help())
    });
    let finding = match group {
        [fault] => {
            let finding = sink.about(Subject::Tree).report(fault.place(), message(fault));
            finding.help(fault.help())
        }
        _ => several::report(sink.about(Subject::Tree), occurrences)?,
    };
    for (fault, value) in group.iter().filter_map(|fault| Some((fault, fault.value()?))) {
        for (range, text) in fault.what.edits(value) {
            finding.unsafe_edit(Place::new(fault.manifest.file, range), text);
        }
    }
    Some(finding)
}
