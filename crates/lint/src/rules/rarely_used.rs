//! What only rarely used runtimes lose: one finding per skills directory.

use std::collections::{BTreeMap, BTreeSet};

use bstr::ByteSlice;

use crate::rule::{Elsewhere, Lost, Outlook, Sink, Subject, titles};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Outcome;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// The edit that leaves out runtimes that are not in use.
pub(super) const HELP: &str = "list the runtimes that you use in `targets`";

/// Places shown after the first.
const SHOWN: usize = 8;
/// Maximum number of skills that a note names.
const NAMED: usize = 20;

/// Reports the skills of each skills directory that only rarely used runtimes lose as one finding, and returns the other losses: those of
/// widely used runtimes and of targets, and a single one in its directory. `fact` states what some runtimes do with some skills.
pub(super) fn report<'a>(
    catalog: &'a Catalog,
    outlook: &'a Outlook<'a>,
    outcome: Outcome,
    sink: &mut Sink,
    fact: impl Fn(&str, &str) -> String,
) -> Vec<Lost<'a>> {
    let mut others = Vec::new();
    let mut rare: BTreeMap<RootId, Vec<Lost<'a>>> = BTreeMap::new();
    for lost in outlook.lost(catalog, outcome) {
        let skill = catalog.skill(lost.skill);
        if catalog.is_step(skill) {
            continue;
        }
        match outlook.is_explicit() || lost.is_known() {
            true => others.push(lost),
            false => rare.entry(skill.root).or_default().push(lost),
        }
    }
    for (root, lost) in rare {
        let skills: BTreeSet<SkillId> = lost.iter().map(|lost| lost.skill).collect();
        match skills.len() {
            1 => others.extend(lost),
            count => report_all(catalog, root, &lost, count, sink, &fact),
        }
    }
    others
}

/// Reports the losses of one skills directory at the first of its skills.
fn report_all(
    catalog: &Catalog,
    root: RootId,
    lost: &[Lost<'_>],
    count: usize,
    sink: &mut Sink,
    fact: impl Fn(&str, &str) -> String,
) {
    let Some((first, others)) = lost.split_first() else { return };
    let profiles = lost.iter().flat_map(|lost| &lost.targets).map(|(target, _)| target.profile);
    let profiles: BTreeMap<&str, &Profile> = profiles.map(|profile| (profile.id.as_str(), profile)).collect();
    let directory = text::lossless(catalog.root(root).path.as_bstr());
    let skills = format!("{} skills of `{directory}`", text::grouped(count));
    let message = fact(&titles(profiles.into_values().collect()), &skills);
    let place = |lost: &Lost<'_>| lost.place(catalog.skill(lost.skill));
    let finding = sink.about(Subject::Root(root)).report(place(first), message);
    // The note names the skills whose files have no place to show.
    for (place, other) in
        others.iter().take(SHOWN).map(|other| (place(other), other)).filter(|(place, _)| !place.is_whole())
    {
        finding.related(place, other.reason.to_string());
    }
    for loss in lost.iter().flat_map(Lost::losses) {
        if finding.losses.iter().all(|known| known.runtime.id != loss.runtime.id) {
            finding.losses.push(loss);
        }
    }
    let mut by_reason: BTreeMap<String, Vec<SkillId>> = BTreeMap::new();
    for lost in lost {
        by_reason.entry(lost.reason.to_string()).or_default().push(lost.skill);
    }
    for (reason, skills) in by_reason {
        finding.note(format!("{reason}: {}", catalog.name_list(&skills, NAMED)));
    }
    finding.extent(count).or_at(Elsewhere::Counted(vec![root])).help(HELP);
}
