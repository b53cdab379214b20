//! Compares what the model is shown of 40 and of 300 skills.

use std::collections::BTreeMap;

use skilltree_core::forecast::forecast;
use skilltree_core::profile::Profile;
use skilltree_core::roots::RootId;
use skilltree_core::skill::SkillId;

use crate::cases::Cases;
use crate::cells::Cells;
use crate::observation::{Budget, Observation};

pub(crate) fn compare(profile: &Profile, observation: &Observation, cases: &Cases, cells: &mut Cells) {
    for (count, models) in &observation.budgets {
        for (model, observed) in models {
            let count: usize = count.parse().unwrap();
            let case = format!("budgets/{count} {model}");
            compare_one(&adjusted(profile, observation, model), &case, count, observed, observation, cases, cells);
        }
    }
}

/// Returns the profile with the context window of a model and the repository of the observation.
fn adjusted(profile: &Profile, observation: &Observation, model: &str) -> Profile {
    let mut profile = profile.clone();
    if let Some(repository) = &mut profile.loads.listing.repository {
        let is_short = repository.starts_with("~/");
        *repository = if is_short { "~/work/repo".to_owned() } else { observation.repository.clone() };
    }
    let window = match model {
        "200k" => Some(200_000),
        "1M" => Some(1_000_000),
        _ => None,
    };
    if let (Some(budget), Some(window)) = (&mut profile.loads.budget, window) {
        budget.window = Some(window);
    }
    profile
}

fn compare_one(
    profile: &Profile,
    case: &str,
    count: usize,
    observed: &Budget,
    observation: &Observation,
    cases: &Cases,
    cells: &mut Cells,
) {
    let root = observation.root.trim_start_matches("~/");
    let catalog = cases.budget(root, count);
    let forecast = forecast(&catalog, profile);
    let root = forecast.root(RootId(0));
    let number = |id: SkillId| -> usize {
        let directory = catalog.skill(id).directory.to_string();
        directory.rsplit('-').next().unwrap().parse().unwrap()
    };
    let length = |id: SkillId| {
        let text = forecast.skill(id).description.as_ref();
        text.map_or(0, |text| text.text(catalog.skill(id), "description").chars().count() as i64)
    };
    let listed = root.listed.iter().map(|&id| (number(id), length(id)));
    let shortened = root.shortened.iter().zip(&root.shown_chars).map(|(&id, &chars)| (number(id), chars.cast_signed()));
    let lost = root.lost.iter().map(|&id| (number(id), -1));
    let shown: BTreeMap<usize, i64> = listed.chain(shortened).chain(lost).collect();
    let shown: Vec<i64> = shown.into_values().collect();
    let counts = |shown: &[i64]| {
        let whole: Vec<i64> = catalog.skills().map(|(id, _)| length(id)).collect();
        let whole = |at: usize| whole[catalog.skills().position(|(id, _)| number(id) == at + 1).unwrap()];
        let mut counts = [("whole", 0), ("shortened", 0), ("name", 0), ("absent", 0)];
        for (at, &chars) in shown.iter().enumerate() {
            let kind = match chars {
                -1 => 3,
                0 => 2,
                chars if chars < whole(at) => 1,
                _ => 0,
            };
            counts[kind].1 += 1;
        }
        counts
    };
    for (forecast, observed) in counts(&shown).iter().zip(counts(&observed.shown)) {
        cells.add(case, observed.0, &forecast.1, &observed.1);
    }
    cells.add(case, "shown", &shown, &observed.shown);
}
