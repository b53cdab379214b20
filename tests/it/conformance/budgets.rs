//! Compares what the model is shown of 40 and of 300 skills.

use std::collections::BTreeMap;

use skilltree_runtimes::forecast::forecast;
use skilltree_runtimes::profile::Profile;
use skilltree_skills::roots::RootId;
use skilltree_skills::skill::SkillId;

use crate::conformance::cases::Cases;
use crate::conformance::cells::Cells;
use crate::conformance::observation::{self, Budget, Observation};

pub(crate) fn compare(profile: &Profile, observation: &Observation, cases: &Cases, cells: &mut Cells) {
    for (count, models) in &observation.budgets {
        for (model, observed) in models {
            let count: usize = count.parse().unwrap();
            let case = format!("budgets/{count} {model}");
            compare_one(&adjusted(profile, observation, model), &case, count, observed, observation, cases, cells);
        }
    }
}

/// Returns the profile with the repository of the observation and, for the model with 200,000 tokens, the smaller context window.
pub(crate) fn adjusted(profile: &Profile, observation: &Observation, model: &str) -> Profile {
    let mut profile = profile.clone();
    if let Some(repository) = &mut profile.loads.listing.repository {
        let is_short = repository.starts_with("~/");
        *repository = if is_short { "~/work/repo".to_owned() } else { observation.repository.clone() };
    }
    if let Some(budget) = profile.loads.budget.as_mut().filter(|_| model == "200k") {
        budget.window = budget.small_window;
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
    let forecast = shown(profile, count, observation, cases);
    let whole = cases.lengths(count);
    for (forecast, observed) in counts(&forecast, &whole).iter().zip(counts(&observed.shown, &whole)) {
        cells.add(case, observed.0, &forecast.1, &observed.1);
    }
    cells.add(case, "shown", &forecast, &observed.shown);
}

/// Returns the forecast of the characters shown of each description, in the order of the skills: -1 for an absent skill.
fn shown(profile: &Profile, count: usize, observation: &Observation, cases: &Cases) -> Vec<i64> {
    let catalog = cases.budget(observation.root.trim_start_matches("~/"), count);
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
    shown.into_values().collect()
}

/// Counts the skills by how much of the description is shown.
fn counts(shown: &[i64], whole: &[i64]) -> [(&'static str, usize); 4] {
    let mut counts = [("whole", 0), ("shortened", 0), ("name", 0), ("absent", 0)];
    for (&chars, &whole) in shown.iter().zip(whole) {
        let kind = match chars {
            -1 => 3,
            0 => 2,
            chars if chars < whole => 1,
            _ => 0,
        };
        counts[kind].1 += 1;
    }
    counts
}

const HEAD: &str = "\
# What models are shown of many skills

Generated from `observed/` and the profiles. To regenerate: `SNAPSHOTS=overwrite cargo test --test it conformance`

The skills are those of `cases/budget.toml`. A description is shown whole or shortened, or the list has the name alone, or the
skill is absent. The characters are those of all shown descriptions.

| program | model | skills | forecast | sent to the model |
| --- | --- | --- | --- | --- |
";

/// Returns a page with the forecast of every budget next to its observation.
pub(crate) fn page(observations: &[Observation], cases: &Cases) -> String {
    let mut page = HEAD.to_owned();
    for observation in observations {
        let Observation { runtime, version, .. } = observation;
        let counts = observation.budgets.iter().map(|(count, models)| (count.parse::<usize>().unwrap(), models));
        for (count, models) in BTreeMap::from_iter(counts) {
            for (model, observed) in models {
                let profile = adjusted(&observation::profile(runtime), observation, model);
                let whole = cases.lengths(count);
                let forecast = words(&shown(&profile, count, observation, cases), &whole);
                let sent = words(&observed.shown, &whole);
                page.push_str(&format!("| {runtime} {version} | {model} | {count} | {forecast} | {sent} |\n"));
            }
        }
    }
    page
}

fn words(shown: &[i64], whole: &[i64]) -> String {
    let counts = counts(shown, whole).into_iter().filter(|(_, count)| *count > 0);
    let kind = |kind| if kind == "name" { "by name" } else { kind };
    let mut words: Vec<String> = counts.map(|(name, count)| format!("{count} {}", kind(name))).collect();
    let characters: i64 = shown.iter().filter(|chars| **chars > 0).sum();
    if characters > 0 {
        words.push(format!("{} characters", thousands(characters)));
    }
    words.join(", ")
}

/// Formats a number below a million with a separator.
fn thousands(number: i64) -> String {
    if number < 1_000 { number.to_string() } else { format!("{},{:03}", number / 1_000, number % 1_000) }
}
