//! Skills that are asked for by name, in the order of asking.

use std::collections::{BTreeMap, BTreeSet};

use super::outcome::Chosen;
use super::{Dropped, Reason, Refusal, Request, name};
use crate::accept::Accepted;
use crate::catalog::Catalog;
use crate::skill::SkillId;
use crate::text::{self, nearest};

/// Takes the skills of some names or directories, in that order. A name that is unknown, repeated, reserved, ambiguous or
/// not accepted is refused: a prompt that lacks what was asked for by name is no prompt.
pub(super) fn choose(skills: &[SkillId], accepted: &Accepted<'_>, request: &Request<'_>, names: &[String]) -> Chosen {
    let known = Names::new(skills, accepted.catalog);
    let mut chosen = Chosen::default();
    let mut taken = BTreeSet::new();
    for wanted in names {
        let found = known.find(wanted);
        let refusal = if request.reserved.contains(wanted) {
            Refusal::new(format!("`{wanted}` is reserved: the runtime always has that skill"))
        } else if let [id] = found {
            if taken.insert(*id) {
                chosen.skills.push(*id);
                continue;
            }
            Refusal::new(format!("`{wanted}` is asked for twice"))
        } else if let [first, second, ..] = found {
            let path = |id: &SkillId| text::lossless(accepted.catalog.path(*id));
            Refusal::new(format!("`{wanted}` is the name of two skills, `{}` and `{}`", path(first), path(second)))
                .help("render their roots apart: `--per-root`")
        } else if let Some(id) = not_accepted(accepted, request, wanted) {
            let path = text::lossless(accepted.catalog.path(id));
            Refusal::new(format!("`{wanted}` may not enter a prompt: `{path}` has an error"))
                .help("`skilltree check` says which")
        } else {
            unknown(wanted, &known)
        };
        chosen.refused.push(refusal);
    }
    chosen
}

/// Takes the skills that are bound to a thread, in the order of binding. What is bound and is not there is left out, and
/// told: a thread goes on without it.
pub(super) fn bound(skills: &[SkillId], catalog: &Catalog, names: &[String]) -> Chosen {
    let known = Names::new(skills, catalog);
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

fn unknown(wanted: &str, known: &Names) -> Refusal {
    let refusal = Refusal::new(format!("there is no skill `{wanted}`"));
    match nearest(wanted, known.by_name.keys().map(String::as_str)) {
        Some(near) => refusal.help(format!("did you mean `{near}`?")),
        None => refusal.help("`skilltree list` names the skills that there are"),
    }
}

/// The skill of that name or directory that was judged and not accepted.
fn not_accepted(accepted: &Accepted<'_>, request: &Request<'_>, wanted: &str) -> Option<SkillId> {
    let skills = accepted.catalog.skills();
    let mut of_roots = skills.filter(|(_, skill)| request.roots.contains(&skill.root));
    of_roots.find(|(_, skill)| name(skill) == wanted || skill.directory == wanted).map(|(id, _)| id)
}

/// Skills by what they may be called.
struct Names {
    by_name: BTreeMap<String, Vec<SkillId>>,
    by_directory: BTreeMap<String, Vec<SkillId>>,
}

impl Names {
    fn new(skills: &[SkillId], catalog: &Catalog) -> Self {
        let mut names = Self { by_name: BTreeMap::new(), by_directory: BTreeMap::new() };
        for &id in skills {
            let skill = catalog.skill(id);
            names.by_name.entry(name(skill).into_owned()).or_default().push(id);
            names.by_directory.entry(text::lossless(skill.directory.as_ref())).or_default().push(id);
        }
        names
    }

    /// The skills of that name, else those of that directory.
    fn find(&self, wanted: &str) -> &[SkillId] {
        self.by_name.get(wanted).or_else(|| self.by_directory.get(wanted)).map_or(&[], Vec::as_slice)
    }
}
