//! Compares single skills: fate, name, label, description, and how a drop is reported.

use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::{Outcome, Shown, SkillForecast, forecast};
use skilltree_runtimes::profile::Profile;
use skilltree_skills::skill::Skill;

use crate::conformance::cases;
use crate::conformance::cells::Cells;
use crate::conformance::observation::{Cell, Observation};

pub(crate) fn compare(profile: &Profile, observation: &Observation, skills: &Catalog, cells: &mut Cells) {
    let forecast = forecast(skills, profile);
    let ids = cases::by_directory(skills);
    assert!(
        ids.keys().eq(observation.skills.keys()),
        "{}: other skills were observed: run `conformance/run --update`",
        observation.runtime
    );
    for (name, &id) in &ids {
        // A profile that does not know the parser leaves the outcome for odd files open.
        if profile.loads.fence.is_none() && forecast.skill(id).if_read == Outcome::Unknown {
            continue;
        }
        let observed = &observation.skills[name];
        let case = format!("skills/{name}");
        compare_skill(&case, skills.skill(id), forecast.skill(id), observed, observation, cells);
    }
}

fn compare_skill(
    case: &str,
    skill: &Skill,
    forecast: &SkillForecast,
    observed: &Cell,
    observation: &Observation,
    cells: &mut Cells,
) {
    let fate = match forecast.if_read {
        // A program that shows only its list does not tell a hidden skill from a dropped one.
        Outcome::Loads | Outcome::Changes
            if !forecast.listed && !observation.sees("hidden") && observed.fate == "drops" =>
        {
            "drops"
        }
        Outcome::Loads | Outcome::Changes if forecast.listed || !observation.sees("hidden") => "loads",
        Outcome::Loads | Outcome::Changes => "hidden",
        Outcome::Drops => "drops",
        Outcome::Unknown | Outcome::NotRead => "unknown",
    };
    // A program that fails drops the skill, and all others.
    let seen = if observed.fate == "fails" { "drops" } else { &observed.fate };
    // The runner looks for a skill in the model's list only if its name is its directory.
    let is_unseen = observed.name.is_some() && observed.fate == "loads" && fate == "hidden";
    let fate = if is_unseen { "loads" } else { fate };
    let reason = forecast.reason.as_ref().map(ToString::to_string).unwrap_or_default();
    cells
        .decide(case, "fate", fate == seen, || format!("the forecast is {fate} ({reason}), observed was {observed:?}"));
    if fate != seen {
        if seen == "drops" && fate != "unknown" {
            cells.is_loss();
        }
        return;
    }
    if observation.sees("reported") && (fate == "drops" || forecast.reported.is_some()) {
        cells.add(case, "reported", &forecast.reported, &Some(observed.reported()));
    }
    if fate == "drops" {
        return;
    }
    let shown = |shown: &Option<Shown>, key: &str| shown.as_ref().map(|shown| shown.text(skill, key).into_owned());
    let name = observed.name.clone().unwrap_or_else(|| skill.directory.to_string());
    cells.add(case, "name", &shown(&forecast.name, "name"), &Some(name));
    cells.add(case, "label", &forecast.label.as_deref(), &observed.label.as_deref());
    if observation.sees("description") && (fate == "loads" || observed.description.is_some()) {
        let ends = |text: String| ends(&text, observed, observation);
        let text = shown(&forecast.description, "description").unwrap_or_default();
        cells.add(case, "description", &ends(text), &ends(observed.description.clone().unwrap_or_default()));
    }
}

/// Returns the start and the end of a text if the observed one contains a path of the runner: the rest is shorter or
/// longer on another machine.
fn ends(text: &str, observed: &Cell, observation: &Observation) -> String {
    const EACH: usize = 300;
    let has_path = observed.description.as_ref().is_some_and(|text| text.contains(&observation.repository));
    if !has_path {
        return text.to_owned();
    }
    let length = text.chars().count();
    let start: String = text.chars().take(EACH).collect();
    start + &text.chars().skip(length.saturating_sub(EACH)).collect::<String>()
}
