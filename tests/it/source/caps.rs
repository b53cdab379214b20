//! The caps of a search, each at its limit and one more: a tree within it is read, and one over it fails with its name.

use std::collections::BTreeSet;

use skilltree_front_matter::Excess;
use skilltree_skills::roots::{Discovery, RootSet};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Content, Entry, Error};

use crate::source::repository::Repository;
use crate::source::shown::{BOUNDS, roots};
use skilltree_git::Revision;

const SKILL: &str = "---\nname: a\n---\n";

fn file(path: impl Into<String>, text: impl Into<Vec<u8>>) -> Entry {
    Entry { path: path.into().into(), content: Content::File(text.into()) }
}

/// Searches the whole tree, as without `[[root]]`.
fn searched() -> RootSet {
    RootSet { discovery: Some(Discovery::default()), ..roots(&[]) }
}

/// Reads files in memory, and returns the error.
fn failure(files: Vec<Entry>, set: &RootSet) -> Option<Error> {
    source::memory(Origin::Memory, files).read(set, BOUNDS).err()
}

/// A manifest that names this many paths.
fn naming(count: usize) -> String {
    let paths: Vec<String> = (0..count).map(|number| format!("\"./x{number}\"")).collect();
    format!("{{\"name\":\"p\",\"skills\":[{}]}}", paths.join(","))
}

#[test]
fn limits_paths_that_manifests_name_together() {
    let manifests = |counts: [usize; 2]| {
        let paths = ["p/.claude-plugin/plugin.json", "q/.codex-plugin/plugin.json"];
        paths.iter().zip(counts).map(|(path, count)| file(*path, naming(count))).collect()
    };
    // Each path is looked up with its SKILL.md, and each plugin with its usual places: 10 paths.
    assert_eq!(failure(manifests([40_000, 39_995]), &searched()), None);
    assert_eq!(failure(manifests([40_000, 39_996]), &searched()), Some(Error::TooManyNamed { limit: 160_000 }));
}

#[test]
fn limits_bytes_of_paths_that_manifests_name_together() {
    let top = ["d".repeat(200), "d".repeat(200)].join("/");
    let tree = |count: usize| {
        let paths = vec!["\"./x\""; count].join(",");
        let text = format!("{{\"name\":\"p\",\"skills\":[{paths}]}}");
        vec![file(format!("{top}/.claude-plugin/plugin.json"), text), file(format!("{top}/skills/a/SKILL.md"), SKILL)]
    };
    // The directory, four usual places, and two paths for each one that is named.
    let named = |count: usize| 5 * 401 + 7 + 9 + 16 + 9 + count * (2 * 401 + 2 + 11);
    let most = ((8 << 20) - named(0)) / (named(1) - named(0));
    assert_eq!(failure(tree(most), &searched()), None);
    assert_eq!(failure(tree(most + 1), &searched()), Some(Error::TooLongNamed { limit: 8 << 20 }));
}

#[test]
fn limits_entries_of_all_marketplaces() {
    let markets = |counts: [usize; 2]| {
        let text = |count: usize| format!("{{\"name\":\"m\",\"plugins\":[{}]}}", vec!["\"\""; count].join(","));
        let market =
            |(path, count): (&str, usize)| file(format!("{path}/.claude-plugin/marketplace.json"), text(count));
        ["p", "q"].into_iter().zip(counts).map(market).collect()
    };
    assert_eq!(failure(markets([10_000, 10_000]), &searched()), None);
    assert_eq!(failure(markets([10_000, 10_001]), &searched()), Some(Error::TooManyEntries { limit: 20_000 }));
}

#[test]
fn limits_permissions_of_settings() {
    let settings = |count: usize| {
        let each: Vec<String> = (0..count).map(|number| format!("\"a{number}*\": \"deny\"")).collect();
        let text = format!("{{\"permission\": {{\"bash\": \"ask\", \"skill\": {{{}}}}}}}", each.join(","));
        vec![file("opencode.json".to_owned(), text), file("skills/a/SKILL.md".to_owned(), SKILL)]
    };
    assert_eq!(failure(settings(1_000), &searched()), None);
    assert_eq!(failure(settings(1_001), &searched()), Some(Error::TooManyPermissions { limit: 1_000 }));
}

#[test]
fn limits_entries_of_directories_of_agents() {
    let agents = |count: usize| {
        let path = |number: usize| format!(".claude/agents/{}/{number}.md", number % 2);
        (0..count).map(|number| file(path(number), "---\nname: a\nskills: b\n---\n")).collect()
    };
    assert_eq!(failure(agents(9_998), &searched()), None);
    let error = Error::TooManyAgents { directory: ".claude/agents".into(), limit: 10_000 };
    assert_eq!(failure(agents(9_999), &searched()), Some(error));
    let deep = format!(".claude/agents/{}a.md", "d/".repeat(40));
    assert_eq!(failure(vec![file(deep.clone(), "a".repeat(1 << 20))], &searched()), None);
    let error = Error::TooLargeAgent { path: deep.clone().into(), limit: 1 << 20 };
    assert_eq!(failure(vec![file(deep, "a".repeat((1 << 20) + 1))], &searched()), Some(error));
    let long = |count: usize| (0..count).map(|number| file(format!(".claude/agents/{number}.md"), "a".repeat(1 << 20)));
    assert_eq!(failure(long(16).collect(), &searched()), None);
    assert_eq!(failure(long(17).collect(), &searched()), Some(Error::TooLongAgents { limit: 16 << 20 }));
    let text = format!("---\nname: a\nskills: [{}]\n---\n", "a,".repeat(40_000));
    let error = Error::ComplexAgent { path: ".claude/agents/a.md".into(), excess: Excess::Bytes };
    assert_eq!(failure(vec![file(".claude/agents/a.md", text)], &searched()), Some(error));
}

#[test]
fn limits_directories_that_keys_of_plugins_replace() {
    let manifest = || file(".claude-plugin/plugin.json", r#"{"name": "p", "outputStyles": []}"#);
    let long = |count: usize| {
        let style = |number| file(format!("output-styles/{number}.md"), "a".repeat(1 << 20));
        (0..count).map(style).chain([manifest()]).collect()
    };
    assert_eq!(failure(long(16), &searched()), None);
    assert_eq!(failure(long(17), &searched()), Some(Error::TooLongAgents { limit: 16 << 20 }));
    let many = |count: usize| {
        let style = |number: usize| file(format!("output-styles/{}/{number}.md", number % 2), "");
        (0..count).map(style).chain([manifest()]).collect()
    };
    let error = Error::TooManyAgents { directory: "output-styles".into(), limit: 100_000 };
    assert_eq!(failure(many(100_000), &searched()), Some(error));
}

#[test]
fn limits_commands() {
    let long =
        |count: usize| (0..count).map(|number| file(format!(".claude/commands/{number}.md"), "a".repeat(1 << 20)));
    assert_eq!(failure(long(64).collect(), &searched()), None);
    assert_eq!(failure(long(65).collect(), &searched()), Some(Error::TooLongCommands { limit: 64 << 20 }));
    // A directory that several places hold is listed once.
    let named: Vec<String> = (1..200).map(|depth| format!("\"./{}\"", "d/".repeat(depth))).collect();
    let manifest = format!("{{\"name\":\"p\",\"commands\":[{}]}}", named.join(","));
    let deep = |count: usize| {
        let pages = (0..count).map(|number| file(format!("{}{number}.md", "d/".repeat(200)), "a"));
        pages.chain([file(".claude-plugin/plugin.json".to_owned(), manifest.clone())]).collect()
    };
    assert_eq!(failure(deep(2_000), &searched()), None);
}

#[test]
fn limits_directories_with_settings() {
    let nested = |paths: Vec<String>| {
        let files = paths.into_iter().map(|path| file(path, "{}")).collect();
        let (head, base) = (source::memory(Origin::Memory, files), source::memory(Origin::Memory, Vec::new()));
        head.nested(&base, &BTreeSet::from([".claude".into()])).map(|found| found.len())
    };
    let settings = |count: usize| (0..count).map(|number| format!("p{number}/.claude/settings.json")).collect();
    assert_eq!(nested(settings(10_000)), Ok(10_000));
    assert_eq!(nested(settings(10_001)), Err(Error::TooManySettings { limit: 10_000 }));
    assert_eq!(nested(vec![format!("{}a", "d/".repeat(256))]), Ok(0));
    assert!(matches!(nested(vec![format!("{}a", "d/".repeat(257))]), Err(Error::TooDeepSearch { limit: 256, .. })));
}

#[test]
fn limits_values_of_all_manifests() {
    let manifest =
        |values: usize| file(".claude-plugin/plugin.json", format!("{{\"a\":[{}]}}", vec!["0"; values].join(",")));
    assert_eq!(failure(vec![manifest(499_998)], &searched()), None);
    assert_eq!(failure(vec![manifest(499_999)], &searched()), Some(Error::TooManyValues { limit: 500_000 }));
}

#[test]
fn limits_bytes_of_all_manifests() {
    let manifests = |last: usize| {
        let sizes = (0..64).map(|_| 1 << 20).chain([last]);
        let path = |number| format!("p{number}/.claude-plugin/plugin.json");
        (0..).zip(sizes).map(|(number, bytes)| file(path(number), vec![b' '; bytes])).collect()
    };
    assert_eq!(failure(manifests(0), &searched()), None);
    assert_eq!(failure(manifests(1), &searched()), Some(Error::TooLongManifests { limit: 64 << 20 }));
}

#[test]
fn limits_skills_of_all_packages() {
    let tree = |entries: usize| {
        let entry = "{\"name\":\"p\",\"source\":\"./\"}";
        let entries = vec![entry; entries].join(",");
        let market = format!("{{\"name\":\"m\",\"owner\":{{}},\"plugins\":[{entries}]}}");
        let skills = (0..100).map(|number| file(format!("skills/s{number}/SKILL.md"), SKILL));
        skills.chain([file(".claude-plugin/marketplace.json", market)]).collect::<Vec<_>>()
    };
    assert_eq!(failure(tree(2_000), &searched()), None);
    assert_eq!(failure(tree(2_001), &searched()), Some(Error::TooManyPackaged { limit: 200_000 }));
}

#[test]
fn limits_spellings_of_root() {
    // Each letter of `skills` in both cases.
    let spelling = |number: usize| -> String {
        let letter =
            |(bit, letter): (usize, char)| if number >> bit & 1 == 1 { letter.to_ascii_uppercase() } else { letter };
        "skills".chars().enumerate().map(letter).collect()
    };
    let mut files: Vec<Entry> =
        (0..64).map(|number| file(format!(".agent/{}/a/SKILL.md", spelling(number)), SKILL)).collect();
    let set = roots(&[".agent/skills"]);
    assert_eq!(failure(files.clone(), &set), None);
    files.push(file(".Agent/skills/a/SKILL.md", SKILL));
    let error = Error::TooManySpellings { path: ".agent/skills".into(), limit: 64 };
    assert_eq!(failure(files, &set), Some(error));
}

/// A tree with a skill below this many directories, each with a path of 4,090 bytes. They are one object.
fn long_paths(repository: &Repository, count: usize) -> String {
    let blob = repository.git(&["hash-object", "-w", &repository.write("file", SKILL).display().to_string()]);
    let skill = repository.tree(&[("100644", "SKILL.md", &blob)]);
    let names: Vec<String> = (0..count).map(|number| format!("{number:05}")).collect();
    let directories: Vec<_> = names.iter().map(|name| ("40000", name.as_str(), skill.as_str())).collect();
    let long = "d".repeat(254);
    (0..16).fold(repository.tree(&directories), |tree, _| repository.tree(&[("40000", &long, &tree)]))
}

#[test]
fn limits_bytes_of_paths_that_search_finds() {
    let repository = Repository::new();
    // 16 directories of 255 bytes with their slash, five digits and `/SKILL.md`.
    let bytes = 16 * 255 + 5 + 9;
    let most = (128 << 20) / bytes;
    let read = |count| repository.open(&Revision::Tree(long_paths(&repository, count))).read(&searched(), BOUNDS).err();
    assert_eq!(read(most + 1), Some(Error::TooLongSearch { limit: 128 << 20 }));
    // Within it the search ends, and the skills directory has too many files.
    assert_ne!(read(most), Some(Error::TooLongSearch { limit: 128 << 20 }));
}
