//! The description of a skill as runtimes read it: some repair front matter that others cannot read.

use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast;
use skilltree_runtimes::profile::{Outcome, Profile};
use skilltree_skills::skill::SkillId;

/// A description, and the runtimes that read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The names of the runtimes, the most used first.
    pub runtimes: Vec<String>,
    /// The description.
    pub description: String,
}

/// Returns the descriptions that runtimes read, that of the most used runtime first. Without one that loads the skill it is the
/// description as the file has it. A runtime that shortens a description is no reading of its own, nor is one that keeps the white space
/// around it.
pub(super) fn of_skill(catalog: &Catalog, id: SkillId, runtimes: &[&Profile]) -> Vec<Reading> {
    let skill = catalog.skill(id);
    let written = skill.scalar("description");
    // Every runtime reads an ordinary file alike.
    let is_plain = written.is_some() && skill.agreement.plain.is_some();
    let mut runtimes = if is_plain { Vec::new() } else { super::by_use(runtimes) };
    runtimes.retain(|profile| catalog.reads(profile, skill.root));
    let mut readings: Vec<Reading> = Vec::new();
    for profile in runtimes {
        let forecast = forecast::of_skill(catalog, id, profile);
        let is_whole = matches!(forecast.if_read, Outcome::Loads | Outcome::Changes) && forecast.cut_from.is_none();
        let Some(shown) = forecast.description.as_ref().filter(|_| is_whole) else { continue };
        let text = shown.text(skill, "description");
        match readings.iter_mut().find(|reading| reading.description.trim() == text.trim()) {
            Some(reading) => reading.runtimes.push(profile.title.clone()),
            None => readings.push(Reading { runtimes: vec![profile.title.clone()], description: text.into_owned() }),
        }
    }
    if readings.is_empty() {
        readings.push(Reading { runtimes: Vec::new(), description: written.unwrap_or_default().to_owned() });
    }
    readings
}
