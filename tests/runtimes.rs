//! Every profile against what its runtime was seen to do: the `[[cases]]` of its file, followed through the profile.
#![allow(clippy::unwrap_used, reason = "a test makes what it judges, and fails by panicking")]

use skilltree::catalog::Catalog;
use skilltree::config::Config;
use skilltree::forecast::{Fate, Shown, forecast};
use skilltree::front_matter::Bounds;
use skilltree::profile::{Case, Profile, Profiles, Said, Seen};
use skilltree::snapshot::Origin;
use skilltree::source::{self, Content, Entry};

const ROOT: &str = ".agent/skills";

#[test]
fn a_profile_says_what_its_runtime_was_seen_to_do() {
    let profiles = Profiles::default();
    let mut differences = Vec::new();
    for profile in profiles.ids().filter_map(|id| profiles.find(id)) {
        assert!(!profile.cases.is_empty(), "{}: no `[[cases]]`: nothing holds the profile to the program", profile.id);
        for case in &profile.cases {
            let told = told(profile, case);
            if !agrees(case, &told) {
                differences.push(format!("{}: {}: {told:?}", profile.id, case.what));
            }
        }
    }
    assert!(differences.is_empty(), "src/profiles says otherwise than its cases:\n{}", differences.join("\n"));
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
        assert!(!agrees(&case, &told(codex, &case)), "{case:?}");
    }
}

/// What the profile makes of the file of a case.
#[derive(Debug)]
struct Told {
    fate: Fate,
    name: Option<String>,
    description: Option<String>,
    said: Option<Said>,
    #[allow(dead_code, reason = "it is shown where a case differs")]
    reason: Option<String>,
}

fn told(profile: &Profile, case: &Case) -> Told {
    let file = |(path, text): (&String, &String)| Entry {
        path: format!("{ROOT}/{path}").into(),
        content: Content::File(text.clone().into_bytes()),
    };
    let mut entries: Vec<Entry> = case.beside.iter().map(file).collect();
    entries.push(file((&case.path, &case.file)));
    let bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16 };
    let parsed = source::memory(Origin::Memory, entries).read(&Config::new().roots, bounds).unwrap();
    let catalog = Catalog::new(parsed);
    let path = format!("{ROOT}/{}", case.path);
    let (id, skill) = catalog.skills().find(|(id, _)| *catalog.path(*id) == *path.as_bytes()).unwrap();
    let forecast = forecast(&catalog, profile);
    let told = forecast.skill(id);
    let text = |shown: &Option<Shown>, key: &str| Some(shown.as_ref()?.text(skill, key).into_owned());
    Told {
        fate: told.fate,
        name: text(&told.name, "name"),
        description: text(&told.description, "description"),
        said: told.said,
        reason: told.reason.as_ref().map(ToString::to_string),
    }
}

/// Whether a profile says what was seen; what was not looked at may be anything.
fn agrees(case: &Case, told: &Told) -> bool {
    let fates: &[Fate] = match case.outcome {
        Seen::Loads => &[Fate::Loads, Fate::Altered],
        Seen::Dropped => &[Fate::Dropped],
    };
    fates.contains(&told.fate)
        && case.name.as_ref().is_none_or(|name| told.name.as_ref() == Some(name))
        && case.description.as_ref().is_none_or(|text| told.description.as_ref() == Some(text))
        && case.said.is_none_or(|said| told.said == Some(said))
}

#[test]
fn the_examples_of_the_page_are_profiles() {
    let page = include_str!("../docs/adding-a-runtime.md");
    let fences: Vec<String> = page.split("```toml\n").skip(1).map(unindented).collect();
    let head = "id = 'x'\ntitle = 'X'\nabout = 'y'\n";
    let codex = Profiles::default().find("codex").unwrap().clone();
    let seen = Profile::parse(&format!("{head}{}", fences[0])).unwrap();
    assert!(agrees(&seen.cases[0], &told(&codex, &seen.cases[0])));
    let whole = Profile::parse(&fences[1]).unwrap();
    assert!(agrees(&whole.cases[0], &told(&whole, &whole.cases[0])));
    assert_eq!(fences.len(), 3, "the third is tried where the budgets are");
}

/// A fence of a page without what stands behind it, and without the blanks of a list.
fn unindented(text: &str) -> String {
    let end = text.find("```").unwrap();
    text[..end].lines().map(|line| format!("{}\n", line.trim_start())).collect()
}
