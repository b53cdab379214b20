//! Every profile against what its runtime was seen to do: the `[[cases]]` of its file, followed through the profile.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test makes what it judges, and fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};

use skilltree::forecast::Followed;
use skilltree::profile::{Case, Profile, Profiles, Said, Seen};

#[test]
fn a_profile_says_what_its_runtime_was_seen_to_do() {
    let mut differences = Vec::new();
    for profile in files() {
        assert!(!profile.cases.is_empty(), "{}: no `[[cases]]`: nothing holds the profile to the program", profile.id);
        for case in &profile.cases {
            let told = told(&profile, case);
            if !told.agrees(case) {
                differences.push(format!("{}: {}: {told}", profile.id, case.what));
            }
        }
    }
    assert!(differences.is_empty(), "src/profiles says otherwise than its cases:\n{}", differences.join("\n"));
}

/// The profiles as their files stand there: a new one is judged before it is in the list of those that are built in.
fn files() -> Vec<Profile> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/profiles");
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
fn a_case_that_a_profile_does_not_bear_out_is_noticed() {
    let profiles = Profiles::default();
    let codex = profiles.find("codex").unwrap();
    let case = codex.cases.iter().find(|case| case.outcome == Seen::Loads).unwrap();
    let wrong = [
        Case { outcome: Seen::Dropped, ..case.clone() },
        Case { description: Some("Something else.".into()), ..case.clone() },
        Case { name: Some("another".into()), ..case.clone() },
        Case { said: Some(Said::Error), ..case.clone() },
    ];
    for case in wrong {
        assert!(!told(codex, &case).agrees(&case), "{case:?}");
    }
}

fn told(profile: &Profile, case: &Case) -> Followed {
    Followed::new(profile, case).expect("the path is a skill's")
}

#[test]
fn the_examples_of_the_page_are_profiles() {
    let page = include_str!("../docs/adding-a-runtime.md");
    let fences: Vec<String> = page.split("```toml\n").skip(1).map(unindented).collect();
    let head = "id = 'x'\ntitle = 'X'\nabout = 'y'\n";
    let codex = Profiles::default().find("codex").unwrap().clone();
    let seen = Profile::parse(&format!("{head}{}", fences[0])).unwrap();
    assert!(told(&codex, &seen.cases[0]).agrees(&seen.cases[0]));
    let whole = Profile::parse(&fences[1]).unwrap();
    assert!(told(&whole, &whole.cases[0]).agrees(&whole.cases[0]));
    assert_eq!(fences.len(), 3, "the third is tried where the budgets are");
}

/// A fence of a page without what stands behind it, and without the blanks of a list.
fn unindented(text: &str) -> String {
    let end = text.find("```").unwrap();
    text[..end].lines().map(|line| format!("{}\n", line.trim_start())).collect()
}
