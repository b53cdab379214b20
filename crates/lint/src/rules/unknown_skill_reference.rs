//! Reports names of skills that no skill of the repository has.

use std::collections::BTreeSet;

use bstr::{BStr, ByteSlice};

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text;
use skilltree_runtimes::catalog::{self, Catalog};
use skilltree_skills::keys;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unknown-skill-reference",
    group: Group::Catalog,
    since: E2026,
    level: Level::Off,
    summary: "a skill names another skill that does not exist",
    why: "an agent that looks for the other skill finds none, and continues without it",
    explanation: include_str!("unknown_skill_reference.md"),
    check: Check::Catalog(check),
    reads: Reads::Repository,
    precision: Precision::Medium,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let mut names = None;
    for (id, skill) in catalog.skills() {
        for partner in skill.links().flat_map(|(_, links)| &links.partners) {
            let names = names.get_or_insert_with(|| Names::new(catalog));
            if names.known.contains(&catalog::identity(&partner.name)) {
                continue;
            }
            let shown = text::shortened(&partner.name, 64);
            let finding = sink
                .about(Subject::Skill(id))
                .report(partner.place, format!("the skill `{shown}` does not exist in the repository"));
            match names.skills.iter().find(|known| keys::is_slip(&partner.name, known)) {
                Some(near) => finding.help(format!("change it to `{near}`")).unsafe_edit(partner.place, near.as_str()),
                None => finding.help("correct the name, add the skill, or remove the sentence"),
            };
        }
    }
}

/// What a name in a text can mean.
struct Names {
    /// Names of skills.
    skills: BTreeSet<String>,
    /// Names of skills, and of directories and files below the skills directories, in their comparable form.
    known: BTreeSet<String>,
}

impl Names {
    fn new(catalog: &Catalog) -> Self {
        let skills = catalog.skills().flat_map(|(_, skill)| {
            let directory = std::str::from_utf8(&skill.directory).ok().filter(|name| !name.is_empty());
            [skill.name(), directory].into_iter().flatten().map(str::to_owned)
        });
        let skills: BTreeSet<String> = skills.collect();
        let stem = |name: &BStr| {
            name.rsplit_once_str(".").map_or(name.as_bytes(), |(stem, _)| stem).to_str().ok().map(catalog::identity)
        };
        let components = catalog.files().flat_map(|(_, file)| file.path.split_str("/").map(BStr::new));
        let known = components.filter_map(stem).chain(skills.iter().map(|name| catalog::identity(name))).collect();
        Self { skills, known }
    }
}
