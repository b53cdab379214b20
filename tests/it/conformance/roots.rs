//! Compares which directories are read, and which of two skills with the same name wins.

use skilltree_runtimes::profile::Profile;
use skilltree_runtimes::profile::identity::Winner;
use skilltree_runtimes::profile::loads::{Root, Scope, Start};

use crate::conformance::cases::Cases;
use crate::conformance::cells::Cells;
use crate::conformance::observation::Observation;

pub(crate) fn compare(profile: &Profile, observation: &Observation, cases: &Cases, cells: &mut Cells) {
    let Some(observed) = &observation.roots else { return };
    let read = |candidates: &[String], scope: Scope, from: &[Start], otherwise: bool| -> Vec<String> {
        let is_read = |path: &&String| {
            let reads = |root: &&Root| root.path == **path && root.scope == scope && from.contains(&root.from);
            profile.loads.roots.iter().filter(reads).any(|root| root.otherwise == otherwise && root.when.is_none())
        };
        candidates.iter().filter(is_read).cloned().collect()
    };
    let all = [Start::Top, Start::WorkingDirectory, Start::Upwards, Start::Anywhere];
    let repository = |from: &[Start]| read(&cases.roots.repository, Scope::Repository, from, false);
    let otherwise = read(&cases.roots.repository, Scope::Repository, &all, true);
    let mut add = |cell: &str, forecast: &Vec<String>, observed: &Vec<String>| {
        let sorted = |list: &Vec<String>| {
            let mut list = list.clone();
            list.sort();
            list
        };
        cells.add("roots", cell, &sorted(forecast), &sorted(observed));
    };
    add("repository", &repository(&all), &observed.repository);
    add("repository-otherwise", &otherwise, &observed.repository_otherwise);
    add("user", &read(&cases.roots.user, Scope::User, &all, false), &observed.user);
    add("user-otherwise", &read(&cases.roots.user, Scope::User, &all, true), &observed.user_otherwise);
    let levels: [(&str, &[Start]); 4] = [
        ("working-directory", &[Start::WorkingDirectory, Start::Upwards, Start::Anywhere]),
        ("between", &[Start::Upwards, Start::Anywhere]),
        ("top", &[Start::Top, Start::Upwards, Start::Anywhere]),
        ("above", &[]),
    ];
    for (level, from) in levels {
        add(level, &repository(from), &observed.from_a_subdirectory[level]);
    }
    add("below-the-working-directory", &repository(&[Start::Anywhere]), &observed.below_the_working_directory);
    precedence(profile, observation, cells);
}

fn precedence(profile: &Profile, observation: &Observation, cells: &mut Cells) {
    for [first, second, which] in &observation.precedence {
        let expected = expected(profile, first, second);
        cells.decide("precedence", &format!("{first} {second}"), expected == which, || {
            format!("the forecast is {expected}, observed was {which}")
        });
    }
}

/// Returns which of two skills wins, the first in the first directory and the second in the second.
fn expected(profile: &Profile, first: &str, second: &str) -> &'static str {
    let duplicates = &profile.loads.duplicates;
    let place = |path: &str| profile.loads.roots.iter().position(|root| root.path == path);
    let (winner, is_in_order) = if first.starts_with("packages/") {
        // The directory nearest to the working directory comes first.
        (duplicates.upwards, true)
    } else {
        (duplicates.across_roots, place(first) < place(second))
    };
    match winner {
        Some(Winner::First) if is_in_order => "first",
        Some(Winner::First) => "second",
        Some(Winner::Last) if is_in_order => "second",
        Some(Winner::Last) => "first",
        Some(Winner::All) => "both",
        Some(Winner::None) => "neither",
        Some(Winner::Any) => "varies",
        None => "unknown",
    }
}
