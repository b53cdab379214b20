//! Compares the forecast of packages with what the programs loaded: conformance/packages.txt.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::Repository;

const OBSERVED: &str = include_str!("../../conformance/packages.txt");

/// Observations that the forecast does not meet, with the reason.
const UNMET: &[(&str, &str, &str)] = &[
    (
        "plugin-links",
        "claude-code, directory plug",
        "which of two links to one skill keeps its name differs between runs",
    ),
    ("plugin-links", "qoder, directory plug", "which of two links to one skill keeps its name differs between runs"),
    ("plugin-faults", "grok, directory .", "its list has skills that it does not load"),
    ("collection", "grok, directory .", "its list has skills that it does not load"),
    ("p-skills-object", "copilot-cli, directory p", "an object with `paths` is not followed"),
    ("g-doubled", "copilot-cli, directory p", "a doubled slash counts as one"),
    ("g-duplicate", "codex, entry", "the last of two equal keys counts"),
    ("g-link", "claude-code, entry", "a manifest that is a link is not followed"),
    ("g-link", "copilot-cli, directory p", "a manifest that is a link is not followed"),
    (
        "m-name-reserved",
        "claude-code, entry",
        "where a repository is published decides whether a reserved name is accepted",
    ),
];

/// A tree, and what programs loaded from it.
struct Case<'a> {
    name: &'a str,
    /// Whether it is a repository, not a directory of the common one.
    is_whole: bool,
    /// Paths, with what follows them.
    files: Vec<(&'a str, &'a str)>,
    loaded: Vec<Loaded<'a>>,
}

/// What a program loaded.
struct Loaded<'a> {
    runtime: &'a str,
    how: &'a str,
    names: BTreeSet<String>,
}

fn cases() -> Vec<Case<'static>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in OBSERVED.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let heading = line.strip_prefix("== ").map(|rest| (true, rest));
        if let Some((is_whole, rest)) = heading.or_else(|| line.strip_prefix("-- ").map(|rest| (false, rest))) {
            let name = rest.split_once(':').unwrap().0;
            cases.push(Case { name, is_whole, files: Vec::new(), loaded: Vec::new() });
            continue;
        }
        let case = cases.last_mut().unwrap();
        if let Some(rest) = line.strip_prefix("> ") {
            let (by, names) = rest.split_once(':').unwrap();
            let (program, how) = by.split_once(", ").unwrap();
            let names = names.split(", ").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
            case.loaded.push(Loaded { runtime: program.split_once(' ').unwrap().0, how, names });
        } else {
            case.files.push(line.split_once(' ').unwrap_or((line, "")));
        }
    }
    cases
}

/// Writes the files of a case below a directory of a repository.
fn write(repository: &Repository, below: &str, case: &Case<'_>) {
    for (path, rest) in &case.files {
        let whole = format!("{below}{path}");
        if let Some(target) = rest.strip_prefix("-> ") {
            let path = repository.path().join(&whole);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(target, path).unwrap();
        } else if rest.is_empty() {
            let name = path.rsplit('/').nth(1).unwrap();
            let about = format!("Sorts mail for {name}. Use when {name} mail arrives.");
            repository.write(&whole, format!("---\nname: {name}\ndescription: {about}\n---\n\nSort it.\n"));
        } else if rest.starts_with('"') {
            repository.write(&whole, serde_json::from_str::<String>(rest).unwrap());
        } else {
            repository.write(&whole, format!("{rest}\n"));
        }
    }
}

fn forecast(repository: &Repository, source: &str) -> Value {
    let run = repository.skilltree(&["forecast", "--all", "--format=json", source]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

/// Returns the names that a runtime loads from the packages below a directory, by the way in which a program was run.
fn names(forecast: &Value, below: &str, top: &str, loaded: &Loaded<'_>) -> BTreeSet<String> {
    let unit = loaded.how.strip_prefix("directory ").map(|unit| match unit {
        "." => below.trim_end_matches('/').to_owned(),
        _ => format!("{below}{unit}"),
    });
    let mut names = BTreeSet::new();
    for package in forecast["packages"].as_array().unwrap() {
        let directory = package["directory"].as_str().unwrap();
        let readers = package["readers"].as_array().unwrap().iter().filter(|reader| reader["target"] == loaded.runtime);
        for reader in readers {
            let way = reader["way"].as_str().unwrap();
            let marketplace = reader["marketplace"].as_str().unwrap_or_default();
            let counts = match (loaded.how, &unit) {
                (_, Some(unit)) => directory == unit,
                ("entry", _) => way == "entry" && marketplace.starts_with(below),
                ("project", _) => matches!(way, "project" | "entry"),
                ("search", _) => way == "installer",
                ("install", _) => reader["format"] == "collection",
                (how, _) => panic!("unknown way: {how}"),
            };
            if counts && (unit.is_none() || reader["format"] != "collection") {
                let own = directory.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(top);
                let flat = reader["flat"].as_array().unwrap().iter().filter_map(|flat| flat["name"].as_str());
                let found =
                    reader["skills"].as_array().unwrap().iter().filter_map(|skill| loaded_name(skill, loaded.runtime));
                let found = found.chain(flat);
                // It qualifies names of the common repository that are in several cases.
                let is_common = !below.is_empty() && loaded.runtime == "copilot-cli";
                let own_name = |name: &'_ str| match name.rsplit_once(':') {
                    Some((_, name)) if is_common => name.to_owned(),
                    _ => name.replace("DIRECTORY", own),
                };
                names.extend(found.map(own_name));
            }
        }
    }
    names
}

/// Returns the name of a skill that a program lists.
fn loaded_name<'a>(skill: &'a Value, runtime: &str) -> Option<&'a str> {
    let is_listed = skill["listed"] == true;
    // These programs list what the model sees; a skill of Claude Code that needs a person is in no list of its own.
    let is_hidden = match runtime {
        "npx-skills" | "qwen-code" => !is_listed,
        _ => !is_listed && skill["description"].is_null(),
    };
    let is_loaded = skill["outcome"] == "loads" || skill["outcome"] == "changes";
    skill["name"].as_str().filter(|_| is_loaded && !is_hidden)
}

/// Compares one case, and returns what is different.
fn compare(forecast: &Value, below: &str, case: &Case<'_>, differences: &mut Vec<String>) {
    for loaded in &case.loaded {
        let names = names(forecast, below, case.name, loaded);
        let by = format!("{}, {}", loaded.runtime, loaded.how);
        let is_unmet = UNMET.iter().any(|(name, unmet, _)| *name == case.name && *unmet == by);
        if (names == loaded.names) == is_unmet {
            differences.push(format!("{}: {by}: {:?}, but the forecast says {names:?}", case.name, loaded.names));
        }
    }
}

#[test]
fn forecast_agrees_with_programs() {
    let cases = cases();
    assert!(cases.len() > 150 && UNMET.len() < 20);
    let mut differences = Vec::new();
    let common = Repository::new();
    for case in &cases {
        if case.is_whole {
            let repository = Repository::new();
            write(&repository, "", case);
            repository.git(&["add", "--all"]);
            compare(&forecast(&repository, "--staged"), "", case, &mut differences);
        } else {
            write(&common, &format!("{}/", case.name), case);
        }
    }
    common.git(&["add", "--all"]);
    let forecast = forecast(&common, "--staged");
    for case in cases.iter().filter(|case| !case.is_whole) {
        compare(&forecast, &format!("{}/", case.name), case, &mut differences);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn packages_of_a_project_share_its_list() {
    let cases = cases();
    let repository = Repository::new();
    write(&repository, "", cases.iter().find(|case| case.name == "project-plugin").unwrap());
    repository.git(&["add", "--all"]);
    let forecast = forecast(&repository, "--staged");
    let lists = forecast["lists"].as_array().unwrap().iter().filter(|list| list["target"] == "claude-code");
    let own: Vec<&Value> = lists.filter(|list| list["package"].is_null() && list["marketplace"].is_null()).collect();
    // Two skills of the project, one of each plugin next to them, and one that the settings enable.
    assert_eq!(own.len(), 1);
    assert_eq!(own[0]["listed"], 5, "{}", own[0]);
}

/// A marketplace of two plugins, whose list of skills may be long, in a project with a skill.
fn shop(settings: &str, count: usize) -> Repository {
    let repository = Repository::new();
    let skill = |name: &str| {
        let about = format!("Sorts mail for {name} {}. Use when {name} mail arrives.", "with care ".repeat(15));
        format!("---\nname: {name}\ndescription: {about}\n---\n\nSort it.\n")
    };
    repository.write(".claude-plugin/marketplace.json", MARKET).write(".claude/settings.json", settings);
    repository.write(".claude/skills/own/SKILL.md", skill("own"));
    for plugin in ["one", "two"] {
        for number in 0..count {
            let name = format!("{plugin}-{number}");
            repository.write(&format!("plugins/{plugin}/skills/{name}/SKILL.md"), skill(&name));
        }
    }
    repository.add();
    repository
}

const MARKET: &str = r#"{"name": "shop", "owner": {"name": "A"}, "plugins": [
  {"name": "one", "source": "./plugins/one"}, {"name": "two", "source": "./plugins/two"}]}
"#;

#[test]
fn project_with_a_marketplace_has_a_list_of_both() {
    let lists = |settings: &str| -> Vec<(bool, u64)> {
        let forecast = forecast(&shop(settings, 2), "--staged");
        let lists = forecast["lists"].as_array().unwrap().iter();
        let of_market = lists.filter(|list| list["target"] == "claude-code" && !list["marketplace"].is_null());
        of_market.map(|list| (list["with_project"].as_bool().unwrap(), list["listed"].as_u64().unwrap())).collect()
    };
    assert_eq!(lists("{}"), [(true, 5), (false, 4)]);
    let enabled = |plugins: &str| {
        let known = r#""extraKnownMarketplaces": {"shop": {"source": {"source": "directory", "path": "."}}}"#;
        format!("{{{known}, \"enabledPlugins\": {{{plugins}}}}}")
    };
    assert_eq!(lists(&enabled(r#""one@shop": true"#)), [(true, 5), (false, 4)], "one of two plugins");
    let both = enabled(r#""one@shop": true, "two@shop": true"#);
    assert_eq!(lists(&both), [(false, 4)], "the list of the project has all plugins");
}

#[test]
fn list_of_a_project_with_a_marketplace_is_no_finding() {
    let repository = shop("{}", 80);
    let run = repository.skilltree(&["forecast", "claude-code"]);
    let list = "plugins/two/skills, with all of .claude-plugin/marketplace.json: ";
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(list), "{}", run.stdout);
    let run = repository.skilltree(&["cost", "claude-code", "--all"]);
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("lists the project with all of .claude-plugin/marketplace.json: 161 skills"), "{words}");
    let run = repository.skilltree(&["check", "--target", "claude-code", "--format", "concise"]);
    assert!(!run.stdout.contains("161 "), "{}", run.stdout);
}

#[test]
fn page_has_a_table_of_packages() {
    let repository = shop("{}", 1);
    repository.write("plugins/two/.claude-plugin/plugin.json", r#"{"name": "<b>", "skills": ["x"]}"#).add();
    let page = repository.skilltree(&["check", "--format", "html", "--staged"]).stdout;
    let table = page.split("<table class=\"packages\">").nth(1).unwrap().split("</table>").next().unwrap();
    let rows: Vec<&str> = table.split("<tr").skip(2).collect();
    let row = |plugin: &str, runtime: &str| {
        let found = rows.iter().find(|row| row.contains(&format!("plugins/{plugin}<")) && row.contains(runtime));
        *found.unwrap_or_else(|| panic!("{plugin} {runtime}: {table}"))
    };
    let one = row("one", "Claude Code");
    assert!(one.contains("<td class=\"number\">1 of 1</td>") && one.contains("<span>one:one-0</span>"), "{one}");
    assert!(one.contains("<span class=\"path\">.claude-plugin/marketplace.json</span>"), "{one}");
    let two = row("two", "Claude Code");
    assert!(two.contains(">0 of 1<") && two.starts_with(" data-problem"), "{two}");
    assert!(two.contains("plugins/two/skills/two-0/SKILL.md") && !table.contains("<b>"), "{two}");
    let without = Repository::new();
    without.skill(".claude/skills", "own").add();
    assert!(!without.skilltree(&["check", "--format", "html"]).stdout.contains("id=\"packages\""));
}

#[test]
fn empty_list_hides_skills_from_those_that_take_it() {
    let repository = Repository::new();
    repository.write(".claude-plugin/plugin.json", r#"{"name": "post", "skills": []}"#).skill("skills", "seek").add();
    let forecast = forecast(&repository, "--staged");
    let readers = forecast["packages"][0]["readers"].as_array().unwrap();
    let outcome = |target: &str| {
        let reader = readers.iter().find(|reader| reader["target"] == target).unwrap_or_else(|| panic!("{target}"));
        reader["skills"][0]["outcome"].as_str().unwrap()
    };
    for (target, expected) in
        [("claude-code", "loads"), ("codex", "loads"), ("grok", "loads"), ("qoder", "loads"), ("copilot-cli", "drops")]
    {
        assert_eq!(outcome(target), expected, "{target}");
    }
}

#[test]
fn every_source_has_the_same_packages() {
    let cases = cases();
    for name in ["plugin-links", "all-manifests", "project-plugin"] {
        let repository = Repository::new();
        write(&repository, "", cases.iter().find(|case| case.name == name).unwrap());
        repository.commit();
        let packages = |repository: &Repository, source| forecast(repository, source)["packages"].take();
        let tree = packages(&repository, "--rev=HEAD");
        assert!(!tree.as_array().unwrap().is_empty());
        assert_eq!(packages(&repository, "--staged"), tree, "{name}: index");
        assert_eq!(packages(&repository, "--worktree"), tree, "{name}: working tree");
        let place = tempfile::tempdir().unwrap();
        let bare = place.path().join("bare.git");
        repository.git(&["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
        let run = crate::common::skilltree(&bare, &["forecast", "--all", "--format=json", "--rev", "main"], &[]);
        let bare: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!(bare["packages"], tree, "{name}: bare repository");
    }
}

/// Returns the runtimes that load the only skill of a repository, by the report of a check.
fn loading(repository: &Repository) -> Vec<String> {
    let run = repository.skilltree(&["check", "--format=json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let runtimes = report["runtimes"].as_array().unwrap().iter().filter(|runtime| runtime["loaded"] == 1);
    runtimes.map(|runtime| runtime["target"].as_str().unwrap().to_owned()).collect()
}

/// A manifest names its readers: nobody installs its skills as those of a collection.
#[test]
fn only_readers_of_the_manifest_load_an_extension() {
    let extension = r#"{"name": "x", "version": "1.0.0"}"#;
    let cases: [(&str, &str, &[&str]); 4] = [
        ("gemini-extension.json", extension, &["gemini-cli", "qwen-code"]),
        ("qwen-extension.json", extension, &["qwen-code"]),
        (".kimi-plugin/plugin.json", r#"{"name": "x", "skills": "./skills"}"#, &["kimi-code"]),
        ("package.json", r#"{"name": "x", "pi": {"skills": ["./skills"]}}"#, &["pi"]),
    ];
    for (manifest, text, readers) in cases {
        let repository = Repository::new();
        repository.write(&format!("ext/{manifest}"), text).skill("ext/skills", "a").add();
        // OpenClaw reads `skills` of its working directory.
        let loading: Vec<String> = loading(&repository).into_iter().filter(|runtime| runtime != "openclaw").collect();
        assert_eq!(loading, readers, "{manifest}");
        let forecast = repository.skilltree(&["forecast"]).stdout;
        assert!(forecast.contains("\npackages:\n  ext: all 1 in "), "{manifest}: {forecast}");
    }
    let repository = Repository::new();
    repository.skill("skills", "a").add();
    assert!(loading(&repository).contains(&"claude-code".to_owned()), "without a manifest, it is a collection");
}

/// The finding about an entry without a manifest, with the severity, the help and the notes.
fn without_manifest(marketplace: (&str, &str), skill: &str, arguments: &[&str]) -> (String, String, String) {
    let repository = Repository::new();
    repository.write(marketplace.0, marketplace.1).write("packs/forms/README.md", "x\n");
    if !skill.is_empty() {
        repository.write(&format!("{skill}/SKILL.md"), crate::common::good("forms"));
    }
    repository.add();
    let run = repository.skilltree(&[&["check", "--format=json"], arguments].concat());
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let finding = findings.iter().find(|finding| finding["rule"] == "unusable-plugin-manifest").unwrap();
    let text = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
    (text("severity"), text("help"), finding["notes"].to_string())
}

#[test]
fn codex_needs_manifests_in_its_own_marketplace() {
    let own =
        r#"{"name": "team", "plugins": [{"name": "forms", "source": {"source": "local", "path": "./packs/forms"}}]}"#;
    let claude =
        r#"{"name": "team", "owner": {"name": "o"}, "plugins": [{"name": "forms", "source": "./packs/forms"}]}"#;
    let (own, claude) = ((".agents/plugins/marketplace.json", own), (".claude-plugin/marketplace.json", claude));
    let loads_it = "the runtime that the format was made for loads it";
    let (severity, help, notes) = without_manifest(own, "packs/forms/skills/forms", &[]);
    assert_eq!((severity.as_str(), help.as_str()), ("error", "add `packs/forms/.codex-plugin/plugin.json`"));
    assert!(!notes.contains(loads_it), "{notes}");
    let (severity, help, notes) = without_manifest(claude, "packs/forms/skills/forms", &[]);
    assert_eq!((severity.as_str(), help.as_str()), ("note", "add `packs/forms/.claude-plugin/plugin.json`"));
    assert!(notes.contains(loads_it), "{notes}");
    let (severity, _, notes) = without_manifest(claude, "", &[]);
    assert!(severity == "note" && !notes.contains(loads_it), "no runtime loads a skill of it: {notes}");
    let (_, help, _) = without_manifest(claude, "packs/forms", &["--target", "codex"]);
    let both = "move the skill to `packs/forms/skills/forms`, and add `packs/forms/.claude-plugin/plugin.json`";
    assert_eq!(help, both);
}

#[test]
fn directory_with_a_manifest_is_still_searched_by_runtimes_that_go_deeper() {
    let repository = Repository::new();
    let skill = |name: &str| format!("---\nname: {name}\ndescription: Use when {name} is wanted.\n---\nBody.\n");
    repository.write(".claude/skills/p/skills/x/SKILL.md", skill("x"));
    repository.write(".claude/skills/q/SKILL.md", skill("q"));
    repository.write(".claude/skills/p/.claude-plugin/plugin.json", "{\"name\": \"p\"}");
    repository.add();
    let loaded = |name: &str| {
        let forecast = repository.skilltree(&["forecast", "--all"]).stdout;
        forecast.lines().find(|line| line.starts_with(name)).map(str::to_owned).unwrap_or_default()
    };
    // Claude Code finds the plugin; opencode and goose search every directory, with or without a manifest.
    for name in ["Claude Code", "opencode", "goose"] {
        assert!(loaded(name).ends_with("2 of 2 loaded"), "{}", loaded(name));
    }
    // Cursor searches one level.
    assert!(loaded("Cursor").ends_with("1 of 1 loaded"), "{}", loaded("Cursor"));
    let broken = "---\nname: x\ndescription: Use when x is wanted.\nmetadata: [a]\n---\nBody.\n";
    repository.write(".claude/skills/p/skills/x/SKILL.md", broken);
    repository.add();
    let run = repository.skilltree(&["check", "--format", "concise"]);
    assert!(run.status == 1 && run.stdout.contains("metadata-not-a-mapping"), "{}", run.stdout);
    assert!(run.stdout.contains("goose"), "{}", run.stdout);
}

/// A manifest may name any file as one with hooks: only JSON is read, and once.
#[test]
fn files_that_are_named_as_hooks_are_read_once() {
    let repository = Repository::new();
    let named = r#"["./skills/a/SKILL.md", "./.claude-plugin/plugin.json", "./hooks/hooks.json", "./inner/more.json", "./gone.json"]"#;
    repository.write(".claude-plugin/plugin.json", format!(r#"{{"name": "p", "hooks": {named}}}"#));
    repository.write("inner/.claude-plugin/plugin.json", r#"{"name": "q", "hooks": "./more.json"}"#);
    let wrong = r#"{"hooks": {"Stop": "x"}}"#;
    repository.write("hooks/hooks.json", wrong).write("inner/more.json", wrong);
    repository.skill("skills", "a").skill("inner/skills", "b").add();
    let run = repository.skilltree(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let found: Vec<(&str, &str)> = findings
        .map(|finding| (finding["rule"].as_str().unwrap(), finding["path"].as_str().unwrap()))
        .filter(|(rule, _)| rule.contains("hook"))
        .collect();
    let expected = ["hooks/hooks.json", "inner/more.json"].map(|path| ("ignored-plugin-hook", path));
    assert_eq!(found, expected, "{}", run.stdout);
}

const KEYS: &str = include_str!("../../conformance/plugin-keys.txt");
const MARKETPLACES: &str = include_str!("../../conformance/marketplaces.txt");

/// Returns the words and objects of a file of observations.
fn observed(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.split_once(' ').unwrap()).collect()
}

/// Returns the numbers of the directories with a manifest that Claude Code cannot use.
fn unusable(repository: &Repository) -> BTreeSet<usize> {
    repository.write("skilltree.toml", "targets = [\"claude-code\"]\n").add();
    let run = repository.skilltree(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let unusable = findings.filter(|finding| finding["rule"] == "unusable-plugin-manifest");
    let number = |finding: &Value| {
        let (directory, _) = finding["path"].as_str().unwrap().split_once('/').unwrap();
        directory[1..].parse().unwrap()
    };
    unusable.map(number).collect()
}

/// Each key of a manifest costs the plugin exactly where it did in the program.
#[test]
fn keys_of_manifests_cost_what_they_cost_in_the_program() {
    let repository = Repository::new();
    let lines = observed(KEYS);
    assert!(lines.len() > 150, "{} lines", lines.len());
    for (number, (_, keys)) in lines.iter().enumerate() {
        let manifest = format!("{{\"name\": \"p{number}\", {}", keys.strip_prefix('{').unwrap());
        repository.write(&format!("p{number}/.claude-plugin/plugin.json"), manifest);
        repository.skill(&format!("p{number}/skills"), "s");
    }
    let lost = unusable(&repository);
    let differs = lines.iter().enumerate().filter(|(number, (seen, _))| lost.contains(number) != (*seen == "lost"));
    let differs: Vec<String> = differs.map(|(_, (seen, keys))| format!("{seen} {keys}")).collect();
    assert_eq!(differs, Vec::<String>::new());
}

/// Each marketplace and each entry costs the plugin exactly where it did in the program.
#[test]
fn keys_of_marketplaces_cost_what_they_cost_in_the_program() {
    let repository = Repository::new();
    let lines = observed(MARKETPLACES);
    assert!(lines.len() > 120, "{} lines", lines.len());
    for (number, (_, keys)) in lines.iter().enumerate() {
        let mut market: Value = serde_json::from_str(r#"{"name": "team", "owner": {"name": "A"}}"#).unwrap();
        let keys: Value = serde_json::from_str(keys).unwrap();
        market.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
        repository.write(&format!("m{number}/.claude-plugin/marketplace.json"), market.to_string());
        repository.write(&format!("m{number}/plugins/mail/.claude-plugin/plugin.json"), r#"{"name": "mail"}"#);
        repository.skill(&format!("m{number}/plugins/mail/skills"), "s");
    }
    let lost = unusable(&repository);
    let is_lost = |seen: &str| matches!(seen, "lost" | "partly");
    let differs = lines
        .iter()
        .enumerate()
        .filter(|(number, (seen, _))| *seen != "empty" && lost.contains(number) != is_lost(seen));
    let differs: Vec<String> = differs.map(|(_, (seen, keys))| format!("{seen} {keys}")).collect();
    assert_eq!(differs, Vec::<String>::new());
}

/// Returns the message and the help of each finding about a marketplace with these entries.
fn proposals(metadata: &str, entries: &str) -> Vec<(String, String)> {
    let repository = Repository::new();
    repository
        .write("p/a/.claude-plugin/plugin.json", "{\"name\": \"a\", \"description\": \"Reads.\"}")
        .skill("p/a/skills", "pdf");
    let marketplace = format!(
        "{{\"name\": \"m\", \"owner\": {{\"name\": \"O\"}}, \"metadata\": {metadata}, \"plugins\": [{entries}]}}"
    );
    repository.write(".claude-plugin/marketplace.json", marketplace).add();
    let check = repository.skilltree(&["check", "--format", "json"]);
    let report: Value = serde_json::from_str(&check.stdout).unwrap_or_else(|_| panic!("{}", check.stderr));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    report["findings"].as_array().unwrap().iter().map(|one| (text(&one["message"]), text(&one["help"]))).collect()
}

#[test]
fn edits_of_sources_fit_plugin_root() {
    let only = |metadata: &str, source: &str| {
        let found = proposals(metadata, &format!("{{\"name\": \"a\", \"source\": \"{source}\"}}"));
        let is_about_path = |(message, _): &&(String, String)| message.contains("Claude Code");
        found.iter().find(is_about_path).unwrap_or_else(|| panic!("{source}: {found:?}")).clone()
    };
    let (message, help) = only("{\"pluginRoot\": \"./p\"}", "p/a");
    assert!(message.ends_with("`p/a` does not exist"), "{message}");
    assert_eq!(help, "write `a`; sources without `./` start at `pluginRoot`");
    let (message, help) = only("{\"pluginRoot\": \"./q\"}", "a");
    assert!(message.ends_with("`a` does not exist below `pluginRoot`"), "{message}");
    assert_eq!(help, "write `./p/a`, and remove `pluginRoot`");
    for source in ["../p/a", "./../p/a", "../../p/a", "../b"] {
        let (message, help) = only("{}", source);
        assert!(message.ends_with(&format!("the source `{source}` leads out of the marketplace")), "{message}");
        assert_eq!(help, "write `./p/a`; sources start at the marketplace", "{source}");
    }
}

/// Returns the manifest after `fix --unsafe`.
fn corrected(repository: &Repository, path: &str) -> String {
    repository.add().skilltree(&["fix", "--unsafe"]);
    std::fs::read_to_string(repository.path().join(path)).unwrap()
}

#[test]
fn proposes_only_plugin_that_no_entry_names() {
    let entry = |name: &str, source: &str| format!("{{\"name\": \"{name}\", \"source\": \"{source}\"}}");
    let help = |others: &[&str], metadata: &str, entries: &str| {
        let repository = Repository::new();
        for name in [&["p", "q"], others].concat() {
            repository.skill(&format!("plugins/{name}/skills"), &format!("skill-{name}"));
        }
        let marketplace =
            format!("{{\"name\": \"m\", \"owner\": {{\"name\": \"O\"}}, {metadata}\"plugins\": [{entries}]}}");
        repository.write(".claude-plugin/marketplace.json", marketplace).add();
        let check = repository.skilltree(&["check", "--format", "json"]);
        let report: Value = serde_json::from_str(&check.stdout).unwrap_or_else(|_| panic!("{}", check.stderr));
        let findings = report["findings"].as_array().unwrap();
        let gone = |one: &&Value| one["message"].as_str().unwrap_or_default().ends_with("does not exist");
        findings.iter().find(gone).unwrap_or_else(|| panic!("{report}"))["help"].as_str().unwrap().to_owned()
    };
    let below = [entry("p", "./plugins/p"), entry("q", "./plugins/x")].join(", ");
    assert_eq!(help(&[], "", &below), "write `./plugins/q`; sources start at the marketplace");
    let unknown = "correct the path, or remove the entry; sources start at the marketplace";
    assert_eq!(help(&["r"], "", &below), unknown);
    let all = [entry("p", "./plugins/p"), entry("q", "./plugins/q"), entry("x", "./plugins/x")].join(", ");
    assert_eq!(help(&[], "", &all), unknown);
    let bare = [entry("p", "p"), entry("q", "qq")].join(", ");
    let root = "\"metadata\": {\"pluginRoot\": \"./plugins\"}, ";
    assert_eq!(help(&[], root, &bare), "write `q`; sources without `./` start at `pluginRoot`");
}

#[test]
fn corrects_letter_case_of_source() {
    let repository = Repository::new();
    repository.skill("p/skills", "pdf").write("p/.claude-plugin/plugin.json", "{\"name\": \"p\"}");
    let marketplace = |source: &str| {
        format!(
            "{{\"name\": \"m\", \"owner\": {{\"name\": \"O\"}}, \"plugins\": [{{\"name\": \"p\", \"source\": \"{source}\"}}]}}"
        )
    };
    repository.write(".claude-plugin/marketplace.json", marketplace("./P"));
    assert_eq!(corrected(&repository, ".claude-plugin/marketplace.json"), marketplace("./p"));
}

#[test]
fn corrects_types_of_values() {
    for (wrong, right) in [
        ("{\"name\": \"p\", \"version\": 1.0}", "{\"name\": \"p\", \"version\": \"1.0\"}"),
        ("{\"name\": \"p\", \"version\": true}", "{\"name\": \"p\", \"version\": \"true\"}"),
        ("{\"name\": \"p\", \"keywords\": \"a, b\"}", "{\"name\": \"p\", \"keywords\": [\"a\", \"b\"]}"),
    ] {
        let repository = Repository::new();
        repository.skill("skills", "pdf").write(".claude-plugin/plugin.json", wrong);
        assert_eq!(corrected(&repository, ".claude-plugin/plugin.json"), right);
    }
    let repository = Repository::new();
    let marketplace = |owner: &str| {
        format!("{{\"name\": \"m\", \"owner\": {owner}, \"plugins\": [{{\"name\": \"p\", \"source\": \"./p\"}}]}}")
    };
    repository.skill("p/skills", "pdf").write("p/.claude-plugin/plugin.json", "{\"name\": \"p\"}");
    repository.write(".claude-plugin/marketplace.json", marketplace("\"O\""));
    assert_eq!(corrected(&repository, ".claude-plugin/marketplace.json"), marketplace("{\"name\": \"O\"}"));
}

#[test]
fn names_usual_file_or_directory_of_component() {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write(".mcp.json", "{\"mcpServers\": {}}");
    repository.write(".claude-plugin/plugin.json", "{\"name\": \"p\", \"mcpServers\": \"./mcp.json\"}");
    assert_eq!(
        corrected(&repository, ".claude-plugin/plugin.json"),
        "{\"name\": \"p\", \"mcpServers\": \"./.mcp.json\"}"
    );
    repository.write(".claude-plugin/plugin.json", "{\"name\": \"p\", \"agents\": \"./agents/\"}").add();
    let check = repository.skilltree(&["check"]);
    assert!(check.stdout.contains("remove it: `agents` is read without it"), "{}", check.stdout);
}

#[test]
fn proposes_one_thing_for_two_entries_of_a_plugin() {
    let found = proposals("{}", "{\"name\": \"x\", \"source\": \"./p/a\"}, {\"name\": \"y\", \"source\": \"./p/a\"}");
    let helps: BTreeSet<&str> = found.iter().map(|(_, help)| help.as_str()).collect();
    assert_eq!(helps, BTreeSet::from(["name one entry `a`, and give each other one a plugin of its own"]), "{found:?}");
}

#[test]
fn compares_no_long_npmignore() {
    for (lines, is_noted) in [(1_000, false), (1_001, true)] {
        let repository = Repository::new();
        repository.write("package.json", r#"{"name": "office", "pi": {"skills": ["./skills"]}}"#);
        repository.write(
            "skills/find/SKILL.md",
            "---\nname: find\ndescription: Finds orders. Use when one is lost.\n---\n\nFind it.\n",
        );
        repository.write(".npmignore", format!("{}skills\n", "#\n".repeat(lines - 1))).add();
        let found = crate::fields::findings(&repository, &[]);
        let of_rule: Vec<&String> = found.iter().filter(|one| one.starts_with("unpublished-skill")).collect();
        assert_eq!(of_rule.len(), 1, "{found:?}");
        assert_eq!(of_rule[0].contains("has 1,001 lines"), is_noted, "{found:?}");
    }
}

#[test]
fn plugins_with_one_name_are_made_for_several_runtimes() {
    let repository = Repository::new();
    for (name, manifest) in [("claude", ".claude-plugin/plugin.json"), ("copilot", ".plugin/plugin.json")] {
        let directory = format!("plugins/{name}");
        repository.skill(&format!("{directory}/skills"), "seek");
        repository.write(&format!("{directory}/{manifest}"), r#"{"name": "mail"}"#);
    }
    repository.add();
    let forecast =
        || repository.skilltree(&["forecast", "--target", "vscode-copilot", "--target", "copilot-cli"]).stdout;
    assert!(!forecast().contains("same name"), "{}", forecast());
    // Two plugins with names of their own clash.
    repository.write("plugins/copilot/.plugin/plugin.json", r#"{"name": "post"}"#).add();
    assert!(forecast().contains("same name"), "{}", forecast());
}

#[test]
fn text_that_is_no_skill_next_to_a_manifest_is_no_error() {
    let repository = Repository::new();
    repository.skill("claw/skills", "seek");
    repository.write("claw/openclaw.plugin.json", r#"{"id": "mail", "skills": ["skills"]}"#);
    repository.write("claw/SKILL.md", "# How to set this plugin up\n\nInstall it.\n").add();
    let found = || repository.skilltree(&["check", "--format", "concise"]).stdout;
    assert!(found().contains("claw/SKILL.md:1:1: warning[missing-front-matter]"), "{}", found());
    // Where skills are looked for, the same file is lost.
    repository.write("claw/skills/setup/SKILL.md", "# How to set this plugin up\n\nInstall it.\n").add();
    assert!(found().contains("claw/skills/setup/SKILL.md:1:1: error[missing-front-matter]"), "{}", found());
}
