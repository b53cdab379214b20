//! Compares every profile with the observed behavior of its runtime: the `[[cases]]` of its file.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use skilltree_runtimes::forecast::{CaseForecast, Outcome};
use skilltree_runtimes::profile::{Case, Observed, Profile, Profiles, Reported};

#[test]
fn profiles_match_observed_cases() {
    let mut differences = Vec::new();
    for profile in files() {
        assert!(
            !profile.cases.is_empty() || profile.loads.is_about_directories_only(),
            "{}: no `[[cases]]`: nothing compares the profile with the runtime",
            profile.id
        );
        for case in &profile.cases {
            let actual = follow(&profile, case);
            if !actual.agrees(case) {
                differences.push(format!("{}: {}: {actual}", profile.id, case.what));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "profiles in crates/runtimes/src/profiles differ from their cases:\n{}",
        differences.join("\n")
    );
}

/// The profile files: a new one is checked before it is in the list of built-in profiles.
fn files() -> Vec<Profile> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/runtimes/src/profiles");
    let paths = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect();
    paths.sort();
    assert!(paths.len() >= Profiles::default().ids().count());
    let parse = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap();
        Profile::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    paths.iter().map(parse).collect()
}

#[test]
fn profile_with_directories_only_forecasts_unknown() {
    let codex = Profiles::default().find("codex").unwrap().clone();
    let valid = codex.cases.iter().find(|case| case.outcome == Observed::Loads).unwrap();
    let profiles: Vec<Profile> =
        files().into_iter().filter(|profile| profile.loads.is_about_directories_only()).collect();
    assert!(profiles.len() >= 5, "{}", profiles.len());
    for profile in profiles {
        let forecast = follow(&profile, valid);
        assert_eq!((forecast.outcome, forecast.name), (Outcome::Unknown, None), "{}", profile.id);
    }
}

#[test]
fn detects_case_that_contradicts_profile() {
    let profiles = Profiles::default();
    let codex = profiles.find("codex").unwrap();
    let case = codex.cases.iter().find(|case| case.outcome == Observed::Loads).unwrap();
    let wrong = [
        Case { outcome: Observed::Drops, ..case.clone() },
        Case { description: Some("Something else.".into()), ..case.clone() },
        Case { name: Some("another".into()), ..case.clone() },
        Case { reported: Some(Reported::Error), ..case.clone() },
    ];
    for case in wrong {
        assert!(!follow(codex, &case).agrees(&case), "{case:?}");
    }
}

fn follow(profile: &Profile, case: &Case) -> CaseForecast {
    CaseForecast::new(profile, case).expect("the path is a skill's")
}

#[test]
fn page_examples_are_valid_profiles() {
    let page = include_str!("../../docs/adding-a-runtime.md");
    let fences: Vec<String> = page.split("```toml\n").skip(1).map(unindented).collect();
    let head = "id = 'x'\ntitle = 'X'\nabout = 'y'\n";
    let codex = Profiles::default().find("codex").unwrap().clone();
    let seen = Profile::parse(&format!("{head}{}", fences[0])).unwrap();
    assert!(follow(&codex, &seen.cases[0]).agrees(&seen.cases[0]));
    let complete = Profile::parse(&fences[1]).unwrap();
    assert!(follow(&complete, &complete.cases[0]).agrees(&complete.cases[0]));
    assert_eq!(fences.len(), 3, "the third is tried where the budgets are");
}

/// A code fence of a page, without the indentation of a list and without the text after it.
fn unindented(text: &str) -> String {
    let end = text.find("```").unwrap();
    text[..end].lines().map(|line| format!("{}\n", line.trim_start())).collect()
}
