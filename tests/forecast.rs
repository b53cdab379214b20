//! `forecast`: outcomes of skills that some runtimes load and others do not.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

mod common;

use std::process::{Command, Stdio};

use common::{Repository, good};
use serde_json::Value;
use skilltree_core::catalog::Catalog;
use skilltree_core::config::Config;
use skilltree_core::forecast::forecasts;
use skilltree_core::front_matter::Bounds;
use skilltree_core::profile::Profiles;
use skilltree_core::render::{self, Look};
use skilltree_core::snapshot::Origin;
use skilltree_core::source::{self, Content, Entry};
use snapbox::Data;
use snapbox::assert_data_eq;
use snapbox::file;
use unicode_width::UnicodeWidthStr;

const ROOT: &str = ".agent/skills";

/// Four skills that runtimes load differently, and one that all runtimes load.
fn disputed() -> Repository {
    let repository = Repository::new();
    let skill = |name: &str, text: String| {
        repository.write(&format!("{ROOT}/{name}/SKILL.md"), text);
    };
    let described =
        |name: &str, text: &str| format!("---\nname: {name}\ndescription: {text}\n---\n# {name}\n\nDo it.\n");
    let usual = |name: &str| described(name, &format!("Does {name}. Use when {name} is wanted."));
    skill("bom", format!("\u{feff}{}", usual("bom")));
    skill("colon", described("colon", "Build for AWS: ECS"));
    skill("fence", usual("fence").replacen("---\n", "--- \n", 1));
    skill("good", usual("good"));
    skill("long", described("long", &"a".repeat(1_025)));
    repository
}

fn json(repository: &Repository, arguments: &[&str]) -> Value {
    let run = repository.skilltree(&[&["forecast", "--format", "json"], arguments].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let schema = serde_json::from_str(include_str!("../schema/forecast.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "the output matches the schema");
    document
}

#[test]
fn table_shows_outcome_per_runtime() {
    let run = disputed().skilltree(&["forecast"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 120), "{}", run.stdout);
    assert_data_eq!(run.stdout, file!["forecast/disputed.txt"].raw());
}

#[test]
fn json_matches_schema() {
    let document = json(&disputed(), &[]);
    assert_eq!(document["source"], "the working tree");
    let skills = document["skills"].as_array().unwrap();
    let paths: Vec<&str> = skills.iter().map(|skill| skill["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["bom", "colon", "fence", "good", "long"].map(|name| format!("{ROOT}/{name}/SKILL.md")));
    let profiles = Profiles::default();
    for skill in skills {
        let targets: Vec<&str> =
            skill["forecasts"].as_array().unwrap().iter().map(|listing| listing["target"].as_str().unwrap()).collect();
        assert_eq!(targets, profiles.ids().collect::<Vec<_>>(), "{}", skill["path"]);
    }
    let codex = json(&disputed(), &["--target", "codex"]);
    let colon = &codex["skills"][1]["forecasts"][0];
    assert_eq!(
        colon["reason"].as_str().map(|reason| reason.ends_with("a colon followed by a space in an unquoted value")),
        Some(true)
    );
    assert_eq!(codex["skills"][3]["forecasts"][0]["outcome"], "loads");
}

#[test]
fn defaults_to_configured_targets() {
    let repository = disputed();
    repository.write("skilltree.toml", "targets = ['pi', 'codex']\n");
    let targets = |arguments: &[&str]| -> Vec<String> {
        let document = json(&repository, arguments);
        let listing = document["roots"][0]["targets"].as_array().unwrap().clone();
        listing.iter().map(|listing| listing["target"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(targets(&[]), ["codex", "pi"]);
    assert_eq!(targets(&["--target", "roo"]), ["roo"]);
}

#[test]
fn rejects_unknown_runtime_with_suggestion() {
    let run = disputed().skilltree(&["forecast", "--target", "codecs"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("there is no profile `codecs`") && run.stderr.contains("`codex`"), "{}", run.stderr);
}

#[test]
fn escapes_tree_content_on_terminal() {
    let repository = Repository::new();
    repository.write(&format!("{ROOT}/a\u{202e}b/SKILL.md"), good("a"));
    let run = repository.skilltree(&["forecast"]);
    assert!(run.stdout.contains("a\\u{202e}b") && !run.stdout.contains('\u{202e}'), "{}", run.stdout);
}

/// 343 skills with 142,000 characters of descriptions in all, of 100 to 728 characters each.
fn many() -> Repository {
    const WORDS: [&str; 7] = ["api", "build", "chart", "deploy", "email", "forms", "git"];
    let mut lengths: Vec<usize> = (0..343).map(|number| 100 + number * 7_919 % 629).collect();
    lengths[0] += 142_000 - lengths.iter().sum::<usize>();
    let repository = Repository::new();
    for (number, length) in lengths.into_iter().enumerate() {
        let name = format!("{}-{number:03}", WORDS[number % 7]);
        let description = "Use it when a task asks. ".repeat(50)[..length - 1].trim_end().to_owned();
        let description = format!("{description:.<length$}");
        let text = format!("---\nname: {name}\ndescription: {description}\n---\nDo it.\n");
        repository.write(&format!(".agents/skills/{name}/SKILL.md"), text);
    }
    repository
}

const MANY: [&str; 10] = [
    "--root",
    ".agents/skills",
    "--target",
    "codex",
    "--target",
    "claude-code",
    "--target",
    "copilot-cli",
    "--target",
    "openclaw",
];

#[test]
fn reports_dropped_entries_of_long_listing() {
    let repository = many();
    let run = repository.skilltree(&[&["forecast"], &MANY[..]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let listed = run.stdout.find("listed from").unwrap();
    assert_data_eq!(&run.stdout[listed..], file!["forecast/budgets.txt"].raw());
    // tests/conformance.rs compares the formulae with what the programs showed to their models.
    let expected = [
        ("claude-code", "characters", 8_000, 152_736, [0, 343, 0], [338, 338, 0]),
        ("codex", "tokens", 5_440, 39_762, [0, 343, 0], [0, 298, 137_884]),
        ("copilot-cli", "characters", 15_000, 177_182, [30, 313, 0], [313, 313, 0]),
        ("openclaw", "characters", 18_000, 198_309, [0, 145, 198], [312, 312, 0]),
    ];
    let document = json(&repository, &MANY);
    for (number, (target, unit, budget, wanted, counts, trim)) in expected.into_iter().enumerate() {
        let listing = &document["roots"][0]["targets"][number];
        let lost = listing["lost"].as_array().unwrap().len();
        assert_eq!((&listing["target"], &listing["unit"]), (&target.into(), &unit.into()));
        assert_eq!((&listing["budget"], &listing["wanted"]), (&budget.into(), &wanted.into()), "{target}");
        assert_eq!(
            [&listing["listed"], &listing["shortened"], &lost.into()],
            counts.map(Value::from).each_ref(),
            "{target}"
        );
        let own = ["remove", "instead", "cut"].map(|key| &listing["trim"][key]);
        assert_eq!(own, trim.map(Value::from).each_ref(), "{target}");
    }
}

#[test]
fn listing_fits_after_suggested_cut() {
    let repository = many();
    let codex = ["--root", ".agents/skills", "--target", "codex"];
    let listing = json(&repository, &codex)["roots"][0]["targets"][0].clone();
    let to = listing["trim"]["to"].as_u64().unwrap() as usize;
    for long in listing["trim"]["descriptions"].as_array().unwrap() {
        let path = format!(".agents/skills/{}/SKILL.md", long["name"].as_str().unwrap());
        let text = std::fs::read_to_string(repository.path().join(&path)).unwrap();
        let (before, rest) = text.split_once("description: ").unwrap();
        let (description, rest) = rest.split_once('\n').unwrap();
        repository.write(&path, format!("{before}description: {}\n{rest}", &description[..to]));
    }
    let listing = json(&repository, &codex)["roots"][0]["targets"][0].clone();
    assert_eq!((listing["listed"].as_u64(), &listing["trim"]), (Some(343), &Value::Null));
}

#[test]
fn uses_configured_context_window() {
    let repository = many();
    let page = include_str!("../docs/adding-a-runtime.md");
    let fence = page.split("```toml\n").last().unwrap();
    repository.write("skilltree.toml", &fence[..fence.find("```").unwrap()]);
    let run = repository.skilltree(&["forecast", "--root", ".agents/skills", "--target", "codex"]);
    assert!(run.stdout.contains("of 2,560 tokens (context window: 128,000 tokens)"), "{}", run.stdout);
}

#[test]
fn resolves_duplicate_name_like_runtime() {
    let repository = Repository::new();
    let rules = ["first", "last", "all", "none", "any", "nobody-knows"];
    let mut settings = String::from("[[root]]\npath = 'one/skills'\n[[root]]\npath = 'two/skills'\n");
    for rule in rules {
        let own = format!("\n[profile.{rule}.loads.duplicates]\nloser = {{ outcome = 'dropped', said = 'log' }}\n");
        settings.push_str(&own);
        if rule != "nobody-knows" {
            settings.push_str(&format!("same-root = '{rule}'\nacross-roots = '{rule}'\n"));
        }
        for root in ["one/skills", "two/skills"] {
            settings.push_str(&format!("[[profile.{rule}.loads.roots]]\npath = '{root}'\nscope = 'repository'\n"));
        }
    }
    repository.write("skilltree.toml", settings);
    for (path, name) in
        [("one/skills/a", "twin"), ("one/skills/b", "twin"), ("one/skills/c", "far"), ("two/skills/c", "far")]
    {
        let text = good(name).replacen("Do it.", path, 1);
        repository.write(&format!("{path}/SKILL.md"), text);
    }
    let targets: Vec<&str> = rules.iter().flat_map(|rule| ["--target", rule]).collect();
    let run = repository.skilltree(&[&["forecast"], &targets[..]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_data_eq!(run.stdout, file!["forecast/namesakes.txt"].raw());
}

/// Names that take more columns than characters, fewer, many, and some that mean harm.
const NAMES: [&str; 8] = [
    "pdf",
    "\u{8868}\u{8ba1}\u{7b97}",
    "\u{1f600}-\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "e\u{301}tude",
    "a-name-that-is-longer-than-any-narrow-terminal-has-room-for-in-its-first-column",
    "a\u{202e}b",
    "red\u{1b}[31m",
    "##[error]x",
];

#[test]
fn aligns_table_at_every_width() {
    let texts: Vec<(&str, String)> = NAMES.iter().map(|name| (*name, good(name))).collect();
    for width in [60, 80, 200] {
        let text = table(&texts, width);
        let longest = NAMES.iter().map(|name| name.width()).max().unwrap() + 6;
        assert!(text.lines().all(|line| line.width() <= width.max(longest)), "{width}: {text}");
        assert!(!text.contains(['\u{202e}', '\u{1b}']) && !text.contains("##[error]"), "{width}: {text}");
        for group in text.split("\n\n").take_while(|group| !group.starts_with("+ loads")) {
            assert_straight(group);
        }
        let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/forecast/width-{width}.txt"));
        assert_data_eq!(text, Data::read_from(&place, None).raw());
    }
}

/// Forecast of every runtime for skills with these names and texts, at this width in columns.
fn table(skills: &[(&str, String)], width: usize) -> String {
    let file = |(name, text): &(&str, String)| Entry {
        path: format!("{ROOT}/{name}/SKILL.md").into(),
        content: Content::File(text.clone().into_bytes()),
    };
    let bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16 };
    let entries = skills.iter().map(file).collect();
    let catalog = Catalog::new(source::memory(Origin::Memory, entries).read(&Config::new().roots, bounds).unwrap());
    let profiles = Profiles::default();
    let targets: Vec<_> = profiles.ids().filter_map(|id| profiles.find(id)).collect();
    let mut out = Vec::new();
    let look = Look { width, ..Look::default() };
    render::forecast::write_table(&catalog, &forecasts(&catalog, &targets), look, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn wraps_lines_at_terminal_width() {
    let long = good("long").replace("Does what long says.", &"word ".repeat(400));
    let colon = good("colon").replace("Does what", "Build: does what");
    let none = "---\nname: none\n---\nDo it.\n".to_owned();
    let bom = format!("\u{feff}{}", good("bom"));
    let skills = [("bom", bom), ("colon", colon), ("good", good("good")), ("long", long), ("none", none)];
    for width in [40, 60, 80, 120] {
        let text = table(&skills, width);
        let wide: Vec<&str> = text.lines().filter(|line| line.width() > width).collect();
        assert_eq!(wide, [""; 0], "{width} columns");
        assert!(text.lines().any(|line| line.width() > width - 8), "{width} columns are made use of: {text}");
        text.split("\n\n").take_while(|group| !group.starts_with("+ loads")).for_each(assert_straight);
    }
    let narrow = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/forecast/width-40.txt");
    assert_data_eq!(table(&skills, 40), Data::read_from(&narrow, None).raw());
}

#[test]
fn uses_terminal_width_and_fixed_width_in_files() {
    let repository = disputed();
    let file = repository.skilltree(&["forecast"]).stdout;
    let listing = common::skilltree(repository.path(), &["forecast"], &[("COLUMNS", "40")]);
    assert_eq!(listing.stdout, file, "COLUMNS has no effect without a terminal");
    for columns in [40, 80, 200] {
        let program = common::program();
        let line = format!("stty cols {columns} rows 24; exec '{}' forecast --color=never", program.display());
        let mut command = Command::new("script");
        common::isolate(&mut command).args(["-qec", &line, "/dev/null"]).current_dir(repository.path());
        let output = command.stdin(Stdio::null()).output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap().replace('\r', "");
        let widest = shown.lines().map(UnicodeWidthStr::width).max();
        assert!(widest.is_some_and(|widest| widest <= columns && widest > columns - 24), "{columns}: {shown}");
    }
}

/// Every mark is in the column where a head begins.
fn assert_straight(group: &str) {
    let starts = |line: &str| -> Vec<usize> {
        let characters: Vec<char> = line.chars().collect();
        let is_start = |at: usize| characters[at] != ' ' && (at == 0 || characters[at - 1] == ' ');
        let column = |at: usize| characters[..at].iter().collect::<String>().width();
        (0..characters.len()).filter(|&at| is_start(at)).map(column).collect()
    };
    let heads = starts(group.lines().next().unwrap());
    for line in group.lines().skip(1) {
        let marks = starts(line);
        // A name that is too long is on a separate line.
        let in_columns = marks.iter().rev().zip(heads.iter().rev()).all(|(mark, head)| mark == head);
        assert!(marks.len() == 1 || (marks.len() >= heads.len() && in_columns), "{line}\n{group}");
    }
}
