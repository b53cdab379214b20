//! Skills requested by name, in the order of the request.

use std::collections::{BTreeMap, BTreeSet};

use super::outcome::Chosen;
use super::{Dropped, Reason, Refusal, Request};
use crate::accept::Accepted;
use skilltree_front_matter::text::{self, nearest};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::skill::{Skill, SkillId};

/// Selects skills by name or directory, in the order of the request. Refuses a name that is unknown, repeated,
/// reserved, ambiguous or not accepted, because an incomplete prompt would mislead the caller.
pub(super) fn choose(skills: &[SkillId], accepted: &Accepted<'_>, request: &Request<'_>, names: &[String]) -> Chosen {
    let known = Names::new(skills, accepted.catalog, request.by_directory);
    let mut chosen = Chosen::default();
    let mut taken = BTreeSet::new();
    for wanted in names {
        let found = known.find(wanted);
        let refusal = if request.reserved.contains(wanted) {
            Refusal::new(format!("`{wanted}` is reserved: the runtime always includes that skill"))
        } else if let [id] = found {
            if taken.insert(*id) {
                chosen.skills.push(*id);
                continue;
            }
            Refusal::new(format!("`{wanted}` is requested twice"))
        } else if let [first, second, ..] = found {
            let path = |id: &SkillId| text::lossless(accepted.catalog.path(*id));
            Refusal::new(format!("two skills are named `{wanted}`: `{}` and `{}`", path(first), path(second)))
                .help("render each skills directory separately with `--per-root`")
        } else if let Some(id) = not_accepted(accepted, request, wanted) {
            let path = text::lossless(accepted.catalog.path(id));
            let refusal = Refusal::new(format!("`{wanted}` cannot be used: `{path}` has an error"));
            Refusal { skill: Some(id), ..refusal }.help("fix the error, or leave the skill out")
        } else {
            unknown(wanted, &known, accepted.catalog, skills)
        };
        chosen.refused.push(refusal);
    }
    chosen
}

/// Selects the skills bound to a thread, in the order of binding. A bound skill that does not exist is dropped and
/// reported, so that the thread can continue.
pub(super) fn bound(skills: &[SkillId], catalog: &Catalog, request: &Request<'_>, names: &[String]) -> Chosen {
    let known = Names::new(skills, catalog, request.by_directory);
    let mut chosen = Chosen::default();
    let mut taken = BTreeSet::new();
    for wanted in names {
        match known.find(wanted).first() {
            Some(&id) if taken.insert(id) => chosen.skills.push(id),
            Some(_) => {}
            None => chosen.missing.push(wanted.clone()),
        }
    }
    let others = skills.iter().filter(|id| !taken.contains(id));
    let drop = |&skill| Dropped { skill, reason: Reason::NotBound, detail: "the thread does not bind it".into() };
    chosen.dropped = others.map(drop).collect();
    chosen
}

fn unknown(wanted: &str, known: &Names, catalog: &Catalog, skills: &[SkillId]) -> Refusal {
    let refusal = Refusal::new(format!("there is no skill `{wanted}`"));
    if let Some(unread) = catalog.parsed.unread.iter().find(|unread| unread.is_skill(wanted.into())) {
        return Refusal::new(format!("the skill `{wanted}` is skipped: {}", unread.message)).help("make it readable");
    }
    // The runtime may name skills by their directories only.
    if let Some(&id) = skills.iter().find(|id| catalog.skill(**id).name() == Some(wanted)) {
        let directory = text::lossless(catalog.skill(id).directory.as_ref());
        return refusal.help(format!("its name here is that of its directory: `{directory}`"));
    }
    match nearest(wanted, known.by_name.keys().map(String::as_str)) {
        Some(near) => refusal.help(format!("did you mean `{near}`?")),
        None => refusal.help("run `skilltree list` with the same options to see the available skills"),
    }
}

/// Returns the skill with that name or directory that was checked and not accepted.
fn not_accepted(accepted: &Accepted<'_>, request: &Request<'_>, wanted: &str) -> Option<SkillId> {
    let skills = accepted.catalog.skills();
    let mut of_roots = skills.filter(|(_, skill)| request.roots.contains(&skill.root));
    let is_it = |skill: &Skill| skill.known_as(request.by_directory) == wanted;
    of_roots.find(|(_, skill)| is_it(skill) || skill.directory == wanted).map(|(id, _)| id)
}

/// Skills by name and by directory.
struct Names {
    by_name: BTreeMap<String, Vec<SkillId>>,
    by_directory: BTreeMap<String, Vec<SkillId>>,
}

impl Names {
    fn new(skills: &[SkillId], catalog: &Catalog, by_directory: bool) -> Self {
        let mut names = Self { by_name: BTreeMap::new(), by_directory: BTreeMap::new() };
        for &id in skills {
            let skill = catalog.skill(id);
            names.by_name.entry(skill.known_as(by_directory).into_owned()).or_default().push(id);
            names.by_directory.entry(text::lossless(skill.directory.as_ref())).or_default().push(id);
        }
        names
    }

    /// Returns the skills with that name, else those with that directory.
    fn find(&self, wanted: &str) -> &[SkillId] {
        self.by_name.get(wanted).or_else(|| self.by_directory.get(wanted)).map_or(&[], Vec::as_slice)
    }
}
