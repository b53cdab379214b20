//! Compares the forecast with every observation in `conformance/observed`, cell by cell: what real programs did with the same
//! skills. `conformance/differences.toml` lists the cells that may differ, each with a reason.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "the test reads files and prints how well they agree"
)]

use std::collections::BTreeMap;

use rayon::prelude::*;
use skilltree_runtimes::profile::Profile;
use snapbox::assert_data_eq;
use snapbox::file;

mod agreement;
mod budgets;
mod cases;
mod cells;
mod differences;
mod lists;
mod mutants;
mod observation;
mod roots;
mod skills;
mod trees;
mod uncounted;

use agreement::Agreement;
use cells::Cells;
use observation::Observation;

#[test]
fn forecast_matches_every_observation() {
    let observations = observation::all();
    assert!(observations.len() >= 14, "only {} observations were read", observations.len());
    let cases = cases::Cases::read();
    let compared: Vec<(&Observation, Cells)> = observations
        .par_iter()
        .map(|observation| {
            let profile = observation::profile(&observation.runtime);
            (observation, compare(&profile, observation, &cases))
        })
        .collect();
    let mut faults = differences::unexpected(&compared);
    for (observation, cells) in &compared {
        let (runtime, version) = (&observation.runtime, &observation.version);
        eprintln!(
            "{runtime:12} {version:12} {:5} of {:5} cells agree",
            cells.count - cells.different.len(),
            cells.count
        );
    }
    faults.sort();
    assert!(faults.is_empty(), "{} differences:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn budget_page_is_current() {
    let page = budgets::page(&observation::all(), &cases::Cases::read());
    assert_data_eq!(page, file!["../../conformance/BUDGETS.md"].raw());
}

#[test]
fn fates_and_texts_agree_in_99_percent() {
    let (skills, observed) = agreement::directories();
    let skills = cases::skills(&skills);
    let observations = observation::of(&observed);
    assert!(!observations.is_empty(), "{} has no observation", observed.display());
    let compared: Vec<Agreement> = observations
        .par_iter()
        .map(|observation| {
            let mut cells = Cells::default();
            skills::compare(&observation::profile(&observation.runtime), observation, &skills, &mut cells);
            Agreement::of(observation, cells)
        })
        .collect();
    compared.iter().for_each(Agreement::print);
    let low: Vec<&str> = compared.iter().filter(|one| one.is_low()).map(|one| one.runtime.as_str()).collect();
    assert!(low.is_empty(), "less than 99 % agree, or a skill is lost that the forecast loads: {}", low.join(", "));
}

#[test]
fn profiles_name_their_newest_observation() {
    let newest = |id: &str| {
        let of_runtime = observation::all().into_iter().filter(|observation| observation.runtime == id);
        of_runtime.max_by(|a, b| a.observed.cmp(&b.observed))
    };
    for id in observation::profiles() {
        let observed = observation::profile(&id).observed;
        let newest = newest(&id);
        let at = newest.as_ref().map(|newest| (Some(newest.version.as_str()), newest.observed.as_str()));
        let said = observed.as_ref().map(|at| (at.version.as_deref(), at.date.as_str()));
        assert_eq!(said, at, "{id}: `observed` is not the version and the day of its newest observation");
    }
}

#[test]
fn runtimes_without_a_hiding_key_list_every_skill() {
    let mut count = 0;
    for observation in observation::all() {
        let profile = observation::profile(&observation.runtime);
        if profile.loads.without.iter().any(|cell| cell == "keys.unlists") {
            let fate = &observation.skills["k-disable-true"].fate;
            assert_eq!(fate, "loads", "{}: `keys.unlists` is in `without`", observation.runtime);
            count += 1;
        }
    }
    assert!(count >= 9, "only {count} profiles say so");
}

#[test]
#[ignore = "takes minutes: `conformance/run --mutate` runs it"]
fn cases_catch_mutated_profiles() {
    let wanted = std::env::var("CONFORMANCE_MUTATE").unwrap_or_else(|_| "all".to_owned());
    let is_wanted = |id: &str| wanted == "all" || wanted.split(',').any(|one| one == id);
    let (cases, alternatives) = (cases::Cases::read(), mutants::alternatives());
    let (mut all, mut uncaught) = (0, 0);
    let mut uncounted: BTreeMap<&str, usize> = BTreeMap::new();
    for observation in observation::all().iter().filter(|observation| is_wanted(&observation.runtime)) {
        let count = mutants::count(observation, &cases, &alternatives);
        let missed = count.missed.len();
        eprintln!("{:12} {} of {} mutations are caught", observation.runtime, count.all - missed, count.all);
        count.missed.iter().for_each(|what| eprintln!("  {what}"));
        count.uncounted.iter().for_each(|(why, number)| *uncounted.entry(*why).or_default() += number);
        (all, uncaught) = (all + count.all, uncaught + missed);
    }
    let share = 100.0 * (all - uncaught) as f64 / all.max(1) as f64;
    eprintln!("{} of {all} mutations are caught ({share:.1} %)", all - uncaught);
    eprintln!("not counted:");
    uncounted.iter().for_each(|(why, number)| eprintln!("{number:6} {why}"));
    assert!(share >= 95.0, "less than 95 % of the mutations are caught");
}

#[test]
fn cases_catch_a_changed_limit_and_a_changed_outcome() {
    let observations = observation::all();
    let observation = observations.iter().find(|observation| observation.runtime == "codex").unwrap();
    let cases = cases::Cases::read();
    let baseline = mutants::Baseline::of(&observation::profile("codex"), observation, &cases);
    let (mutations, _) = mutants::of(observation, &mutants::alternatives());
    for wanted in ["loads.depth = ", "loads.fields.description.missing.handling = "] {
        let mutation = mutations.iter().find(|mutation| mutation.what.starts_with(wanted)).unwrap();
        assert!(baseline.catches(mutation, observation, &cases), "{wanted}");
    }
}

fn compare(profile: &Profile, observation: &Observation, cases: &cases::Cases) -> Cells {
    let mut cells = Cells::default();
    skills::compare(profile, observation, &cases.skills, &mut cells);
    trees::compare(profile, observation, cases, &mut cells);
    roots::compare(profile, observation, cases, &mut cells);
    budgets::compare(profile, observation, cases, &mut cells);
    lists::compare(profile, observation, cases, &mut cells);
    cells
}
