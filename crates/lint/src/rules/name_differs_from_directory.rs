//! Reports names that differ from the skill directory.

use std::collections::BTreeMap;

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::Reason;
use skilltree_skills::limits;
use skilltree_skills::name;
use skilltree_skills::quote;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::{Skill, SkillId};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "name-differs-from-directory",
    group: Group::Fields,
    since: E2026,
    level: Level::Error,
    summary: "a name differs from its skill directory",
    why: "some runtimes identify a skill by name and others by directory; strict ones drop it if the two differ",
    explanation: include_str!("name_differs_from_directory.md"),
    check: Check::Catalog(check),
    explains: Some(|reason, _| matches!(reason, Reason::DiffersFromDirectory)),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    let mut skills: BTreeMap<RootId, Vec<SkillId>> = BTreeMap::new();
    for (id, skill) in catalog.skills().filter(|(_, skill)| facts.is_named_by_directory(skill)) {
        skills.entry(skill.root).or_default().push(id);
    }
    for (root, skills) in skills {
        if let Some(prefix) = common_prefix(catalog, &skills) {
            report_prefix(catalog, root, &skills, prefix, sink);
            continue;
        }
        for id in skills {
            sink.about(Subject::Skill(id));
            check_skill(catalog, catalog.skill(id), facts, sink);
        }
    }
}

fn check_skill(catalog: &Catalog, skill: &Skill, facts: &Facts<'_>, sink: &mut Sink) {
    let Some(name) = skill.text("name").filter(|name| name::is_well_formed(name.value)) else { return };
    if facts.is_valid_name(skill, name.value) {
        return;
    }
    let directory = text::lossless(skill.directory.as_ref());
    let shown = text::shortened(name.value, 64);
    let real = catalog.file(skill.file).through.as_ref().map(|real| text::file_name(text::parent(real.as_bstr())));
    if real.is_some_and(|real| real == name.value) {
        let message = format!("the name is `{shown}`, but a link to its directory is named `{directory}`");
        sink.report(name.place, message).help(format!("rename the link to `{shown}`"));
        return;
    }
    let finding = sink.report(name.place, format!("the name is `{shown}`, but the directory is `{directory}`"));
    match facts.directory_name(skill).filter(|directory| !limits::over(facts.limits.name_chars, directory.len())) {
        Some(directory) => finding
            .help(format!("write `name: {directory}`, or rename the directory to `{shown}`"))
            .unsafe_edit(name.place, quote::name(directory)),
        None => finding.help(format!("rename the directory to `{shown}`")),
    };
}

/// Returns the prefix with its hyphen that all names of a skills directory add to their directories. A directory may
/// already begin with it. Fewer than two additions are no convention.
fn common_prefix<'a>(catalog: &'a Catalog, skills: &[SkillId]) -> Option<&'a str> {
    let found = skills.iter().find_map(|&id| added(catalog.skill(id)))?;
    let follows = |skill: &Skill| {
        let same = skill.text("name").is_some_and(|name| {
            let begins = name.value.starts_with(found) || found.strip_suffix('-') == Some(name.value);
            begins && skill.directory == name.value
        });
        same || added(skill) == Some(found)
    };
    let count = skills.iter().filter(|&&id| added(catalog.skill(id)).is_some()).count();
    (count > 1 && skills.iter().all(|&id| follows(catalog.skill(id)))).then_some(found)
}

/// Returns the text that a name adds before its directory, with the hyphen at its end.
fn added(skill: &Skill) -> Option<&str> {
    let name = skill.text("name").filter(|name| name::is_well_formed(name.value))?.value;
    let before = name.strip_suffix(skill.directory.to_str().ok()?)?;
    (before.len() > 1 && before.ends_with('-')).then_some(before)
}

/// Reports one finding for all names of a skills directory, at the first name that differs.
fn report_prefix(catalog: &Catalog, root: RootId, skills: &[SkillId], prefix: &str, sink: &mut Sink) {
    let places = skills.iter().map(|&id| catalog.skill(id)).filter_map(|skill| {
        let name = skill.text("name")?;
        (name.value.as_bytes() != skill.directory).then_some(name.place)
    });
    let places: Vec<Place> = places.collect();
    let Some((first, others)) = places.split_first() else { return };
    let (shown, count) = (text::shortened(prefix, 64), text::grouped(places.len()));
    let directory = text::lossless(catalog.root(root).path.as_bstr());
    let message = format!("{count} names in `{directory}` add `{shown}` to their directories");
    let finding = sink.about(Subject::Root(root)).report(*first, message);
    for &other in others.iter().take(SHOWN) {
        finding.related(other, "also here");
    }
    finding.extent(places.len()).help(format!("add `{shown}` to the directories, or remove it from the names"));
}

/// Names shown after the first.
const SHOWN: usize = 8;
