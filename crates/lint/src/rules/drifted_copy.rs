//! Reports copies of a skill that differ, in mirrors and in skills directories of different runtimes.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Elsewhere, Facts, Group, Level, Rule, Sink, Subject, listed};
use crate::rules::namesakes::{self, Namesakes, Way};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::{Catalog, found};
use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::identity::Winner;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "drifted-copy",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    summary: "two copies of a skill differ",
    why: "agents that read one copy follow the old text, and agents that read the other follow the new one",
    explanation: include_str!("drifted_copy.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

/// Places shown after the first.
const SHOWN: usize = 8;

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    check_mirrors(catalog, facts, sink);
    check_runtimes(catalog, facts, sink);
}

fn check_mirrors(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if facts.copies.mirrors.is_empty() {
        return;
    }
    let mirrors = facts.copies.mirrors(facts.roots);
    for namesakes in catalog.namesakes() {
        // The skill of the first root in a set of mirrors is compared with all others.
        let mut originals: BTreeMap<usize, SkillId> = BTreeMap::new();
        for later in namesakes {
            let root = catalog.skill(later).root;
            let sets = mirrors.sets(root);
            let known = sets.iter().filter_map(|set| originals.get(set).copied());
            let drifted = |&first: &SkillId| catalog.skill(first).root != root && !catalog.are_copies(first, later);
            if let Some(first) = known.into_iter().find(drifted) {
                report(catalog, first, later, sink);
            }
            for &set in sets {
                originals.entry(set).or_insert(later);
            }
        }
    }
}

fn report(catalog: &Catalog, first: SkillId, later: SkillId, sink: &mut Sink) {
    let (skill, original) = (catalog.skill(later), catalog.skill(first));
    let path = text::lossless(catalog.path(first));
    let name = text::shortened(skill.name().unwrap_or_default(), 64);
    let what = if skill.header == original.header { "only in the body" } else { "in the front matter" };
    sink.about(Subject::Skill(later))
        .report(skill.name_place(), format!("`{name}` differs from its mirror `{path}`"))
        .related(original.name_place(), "the first mirror")
        .note(format!("they differ {what}"))
        .help("copy the newer version over the older, or replace one skills directory with a link to the other")
        .compared
        .push([original.file, skill.file]);
}

/// Reports the skills of each two directories of different runtimes that differ, as one finding.
fn check_runtimes(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    if catalog.parsed.roots.len() < 2 {
        return;
    }
    let groups = namesakes::groups(catalog);
    if groups.is_empty() {
        return;
    }
    let namesakes = Namesakes::new(catalog, facts);
    let is_drifted = |one, other| matches!(namesakes.way(one, other), Way::Drifted);
    let mut by_roots: BTreeMap<(RootId, RootId), Vec<(SkillId, SkillId)>> = BTreeMap::new();
    for (first, later) in catalog.clashes(facts.scope, &groups, is_drifted) {
        let roots = (catalog.skill(first).root, catalog.skill(later).root);
        by_roots.entry(roots).or_default().push((first, later));
    }
    for (roots, mut pairs) in by_roots {
        pairs.sort_by_key(|&(_, later)| later);
        report_pairs(catalog, facts, roots, &pairs, sink);
    }
}

/// Reports skills of one directory that differ from those of another.
fn report_pairs(
    catalog: &Catalog,
    facts: &Facts<'_>,
    (one, other): (RootId, RootId),
    pairs: &[(SkillId, SkillId)],
    sink: &mut Sink,
) {
    let Some((&(first, later), others)) = pairs.split_first() else { return };
    let root = |root: RootId| text::lossless(catalog.root(root).path.as_bstr());
    let quoted = |root: RootId| found::quoted(&catalog.root(root).path.to_str_lossy());
    let place = |skill: SkillId| namesakes::place(catalog.skill(skill));
    let finding = if others.is_empty() {
        let name = text::shortened(catalog.skill(later).name().unwrap_or_default(), 64);
        let path = text::lossless(catalog.path(first));
        let message = |path: &str| format!("`{name}` differs from its copy `{path}`");
        let elsewhere = Elsewhere::Other {
            subject: Subject::Skill(first),
            place: place(first),
            message: message(&text::lossless(catalog.path(later))),
        };
        let finding = sink.about(Subject::Skill(later)).report(place(later), message(&path));
        finding.or_at(elsewhere).related(place(first), "the other copy")
    } else {
        let count = text::grouped(pairs.len());
        let message = format!("{count} skills of `{}` differ from their copies in `{}`", root(other), root(one));
        let finding = sink.about(Subject::Root(other)).report(place(later), message);
        for &(_, other) in others.iter().take(SHOWN) {
            finding.related(place(other), "also here");
        }
        finding.or_at(Elsewhere::Counted(vec![one, other])).extent(pairs.len())
    };
    if let Some(words) = keeping_one(facts, one, other) {
        finding.note(words);
    }
    finding.compared = pairs.iter().map(|&(a, b)| [catalog.skill(a).file, catalog.skill(b).file]).collect();
    finding
        .note(format!(
            "`mirrors = [[{}, {}]]` in skilltree.toml would declare that the directories are equal",
            quoted(one),
            quoted(other)
        ))
        .help(format!(
            "copy the newer version; or accept the difference: `[[deploy]]` with `from = {}` and `to = {}`",
            quoted(one),
            quoted(other)
        ));
}

/// Names the widely used runtimes that read both directories and keep one of two skills with a name.
fn keeping_one(facts: &Facts<'_>, one: RootId, other: RootId) -> Option<String> {
    let drops = |profile: &&Profile| {
        let winner = profile.loads.duplicates.across_roots;
        profile.is_widely_used() && winner.is_some_and(|winner| winner != Winner::All)
    };
    let mut runtimes: Vec<&Profile> =
        facts.scope.merging(one, other).map(|(profile, ..)| profile).filter(drops).collect();
    runtimes.sort_by_key(|profile| profile.usage_rank.unwrap_or(u32::MAX));
    let titles: Vec<&str> = runtimes.iter().map(|profile| profile.actor()).collect();
    let (read, load) = if titles.len() == 1 { ("reads", "loads") } else { ("read", "load") };
    (!titles.is_empty())
        .then(|| format!("{} {read} both directories and {load} one skill of each name", listed(&titles)))
}
