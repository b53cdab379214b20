//! `forecast`: outcomes of skills that some runtimes load and others do not.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "a test creates the files that it checks, and fails by panicking"
)]

use std::process::{Command, Stdio};

use crate::common::{self, Repository, good};
use serde_json::Value;
use skilltree_front_matter::Bounds;
use skilltree_lint::config::Config;
use skilltree_report::render::forecast::View;
use skilltree_report::render::{self, Look};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::forecast::forecasts;
use skilltree_runtimes::profile::Profiles;
use skilltree_skills::roots::RootPattern;
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{self, Content, Entry};
use snapbox::Data;
use snapbox::assert_data_eq;
use snapbox::file;
use unicode_width::UnicodeWidthStr;

const ROOT: &str = ".agents/skills";

/// Four skills that runtimes load differently, and one that all runtimes load.
fn disputed() -> Repository {
    let repository = Repository::new();
    repository.write("skilltree.toml", format!("[[root]]\npath = '{ROOT}'\n"));
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
    let schema = serde_json::from_str(include_str!("../../schema/forecast.json")).unwrap();
    let errors: Vec<String> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0], "the output matches the schema");
    document
}

#[test]
fn shows_the_most_used_runtimes_then_the_skills() {
    let run = disputed().skilltree(&["forecast"]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 120), "{}", run.stdout);
    assert_data_eq!(run.stdout, file!["forecast/disputed.txt"].raw());
}

#[test]
fn json_matches_schema() {
    let document = json(&disputed(), &["--all"]);
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
    repository.write("skilltree.toml", format!("targets = ['pi', 'codex']\n[[root]]\npath = '{ROOT}'\n"));
    let targets = |arguments: &[&str]| -> Vec<String> {
        let document = json(&repository, arguments);
        let listing = document["roots"][0]["targets"].as_array().unwrap().clone();
        listing.iter().map(|listing| listing["target"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(targets(&[]), ["codex", "pi"]);
    assert_eq!(targets(&["--target", "roo"]), ["roo"]);
}

#[test]
fn budget_names_the_share_of_bundled_skills() {
    let repository = Repository::new();
    repository.skill(".claude/skills", "notes").skill("packages/a/.claude/skills", "one");
    repository.skill("packages/a/.claude/skills", "two");
    let run = repository.skilltree(&["forecast", "claude-code"]);
    let list = &json(&repository, &["claude-code"])["lists"][1];
    let [own, bundled, wanted] = ["own", "bundled", "wanted"].map(|part| list[part].as_u64().unwrap());
    assert!(own > 0 && bundled > own && own + bundled == wanted && list["limit"] == 30_000, "{list}");
    // The fullest of several lists is shown.
    let [own, bundled, wanted] = [own, bundled, wanted].map(skilltree_front_matter::text::grouped);
    let words = format!("Claude Code (yours {own} + bundled {bundled} = {wanted} of 30,000 characters)");
    assert!(run.stdout.split_whitespace().collect::<Vec<_>>().join(" ").contains(&words), "{words}: {}", run.stdout);
}

#[test]
fn reads_the_skills_of_a_user_outside_git() {
    let home = tempfile::tempdir().unwrap();
    let skill = home.path().join(".claude/skills/notes/SKILL.md");
    std::fs::create_dir_all(skill.parent().unwrap()).unwrap();
    std::fs::write(&skill, good("notes")).unwrap();
    for (place, words) in
        [(".claude/skills", &[][..]), (".claude", &["skills"]), ("", &[]), ("", &[".claude/skills/notes"])]
    {
        let run = common::skilltree(&home.path().join(place), &[&["forecast"], words].concat(), &[]);
        assert!(run.stdout.starts_with("Claude Code      1 of 1 loaded\n"), "{place}: {}{}", run.stdout, run.stderr);
    }
    let run = common::skilltree(&home.path().join(".claude/skills"), &["list"], &[]);
    assert!(run.stdout.starts_with("notes  "), "{}{}", run.stdout, run.stderr);
}

#[test]
fn rejects_unknown_runtime_with_suggestion() {
    let run = disputed().skilltree(&["forecast", "claude"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("no runtime and no path `claude`; did you mean `claude-code` or"), "{}", run.stderr);
    let run = disputed().skilltree(&["forecast", "--target", "codecs"]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("there is no profile `codecs`") && run.stderr.contains("`codex`"), "{}", run.stderr);
}

#[test]
fn escapes_tree_content_on_terminal() {
    let repository = Repository::new();
    repository.write(&format!("{ROOT}/a\u{202e}b/SKILL.md"), good("a").replacen("\n---\n", "\n", 1));
    let run = repository.skilltree(&["forecast", "--root", ROOT]);
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
    // Claude Code does not read the directory; the JSON has its list anyway.
    let listed = run.stdout.find("Codex lists").unwrap();
    assert_data_eq!(&run.stdout[listed..], file!["forecast/budgets.txt"].raw());
    // tests/it/conformance.rs compares the formulae with what the programs showed to their models.
    let expected = [
        ("claude-code", "characters", 30_000, 152_736, [49, 294, 0], [0, 287, 122_792]),
        ("codex", "tokens", 10_000, 39_762, [0, 343, 0], [0, 260, 118_676]),
        ("copilot-cli", "characters", 15_000, 177_182, [30, 313, 0], [313, 313, 0]),
        ("openclaw", "characters", 18_000, 198_309, [0, 145, 198], [312, 312, 0]),
    ];
    let document = json(&repository, &MANY);
    for (number, (target, unit, budget, wanted, counts, trim)) in expected.into_iter().enumerate() {
        let listing = &document["roots"][0]["targets"][number];
        let lost = listing["lost"].as_array().unwrap().len();
        assert_eq!((&listing["target"], &listing["unit"]), (&target.into(), &unit.into()));
        assert_eq!((&listing["limit"], &listing["wanted"]), (&budget.into(), &wanted.into()), "{target}");
        let parts = ["own", "bundled"].map(|part| listing[part].as_u64().unwrap());
        assert_eq!(parts.iter().sum::<u64>(), wanted, "{target}");
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
    let page = include_str!("../../docs/adding-a-runtime.md");
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
        let own = format!("\n[profile.{rule}.loads.duplicates]\nloser = {{ handling = 'drops', reported = 'log' }}\n");
        settings.push_str(&format!("[profile.{rule}.loads.identity]\nby = 'name'\n"));
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

#[test]
fn shows_runtimes_in_scope() {
    let repository = Repository::new();
    repository.write("skilltree.toml", "[[root]]\npath = '.claude/skills'\n[[root]]\npath = '.gemini/skills'\n");
    repository.skill(".claude/skills", "one").skill(".gemini/skills", "two");
    let lines = |arguments: &[&str]| -> Vec<String> {
        let text = repository.skilltree(&[&["forecast"], arguments].concat()).stdout;
        let line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().take_while(|line| !line.is_empty()).map(line).collect()
    };
    // By use, and each reads one of the directories.
    let both = lines(&[]);
    assert_eq!(both.len(), 6, "{both:?}");
    assert_eq!(both[..2], ["Claude Code 1 of 1 loaded", "Cursor 1 of 1 loaded"], "{both:?}");
    assert!(both[5].ends_with(" more load all that they read: skilltree forecast --all"), "{both:?}");
    let every = lines(&["--all"]);
    assert!(every.contains(&"Gemini CLI 1 of 1 loaded".to_owned()), "{every:?}");
    let place = |start: &str| every.iter().position(|line| line.contains(start)).unwrap_or_else(|| panic!("{every:?}"));
    assert!(
        place("Deep Agents 1 of ") < place("Agent Skills 0 of "),
        "the specification follows the programs: {every:?}"
    );
    assert!(every[place(" more read no skill: ")].contains("Codex"), "{every:?}");
    assert_eq!(lines(&["--target", "gemini-cli"]), ["Gemini CLI 1 of 2 loaded: 1 in .claude/skills not read"]);
    // Words are runtimes and paths.
    assert_eq!(lines(&["gemini-cli", "claude-code"]).len(), 2);
    assert_eq!(lines(&["gemini-cli", ".gemini/skills"]), ["Gemini CLI 1 of 1 loaded"]);
    assert_eq!(json(&repository, &[".claude/skills/one"])["skills"].as_array().unwrap().len(), 1);
    let all = json(&repository, &["--all"]);
    assert_eq!(all["skills"][0]["forecasts"].as_array().unwrap().len(), Profiles::default().ids().count());
}

#[test]
fn budget_is_one_for_all_directories_of_a_runtime() {
    let repository = Repository::new();
    let roots = ["[[root]]\npath = '.github/skills'\n", "[[root]]\npath = '.claude/skills'\n"];
    repository.write("skilltree.toml", roots.concat());
    for number in 0..40 {
        let root = [".github/skills", ".claude/skills"][number % 2];
        let long = good(&format!("s{number}")).replace("Does what", &"what it does ".repeat(40));
        repository.write(&format!("{root}/s{number}/SKILL.md"), long);
    }
    let run = repository.skilltree(&["forecast", "--target", "copilot-cli"]);
    assert!(run.stdout.contains("Copilot CLI lists .github/skills and .claude/skills: "), "{}", run.stdout);
    let document = json(&repository, &["--target", "copilot-cli"]);
    assert_eq!(document["lists"][0]["roots"], serde_json::json!([".github/skills", ".claude/skills"]));
    let shortened = |list: &Value| list["shortened"].as_u64().unwrap();
    let one = shortened(&document["roots"][0]["targets"][0]);
    assert!(shortened(&document["lists"][0]) > 2 * one && one < 20, "both are in one list: {document}");
}

#[test]
fn forecast_of_forty_skills_fits_on_two_screens() {
    let repository = Repository::new();
    repository.write("skilltree.toml", format!("[[root]]\npath = '{ROOT}'\n"));
    for number in 0..40 {
        let text = good(&format!("s{number}")).replace("Does what", &"what it does ".repeat(6 + number));
        repository.write(&format!("{ROOT}/s{number}/SKILL.md"), text);
    }
    let table = repository.skilltree(&["forecast"]).stdout;
    assert!(table.lines().count() <= 100, "{table}");
    let text = table.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(table.lines().count() <= 20, "{table}");
    let table = repository.skilltree(&["forecast", "--all"]).stdout;
    let text = text + &table.split_whitespace().collect::<Vec<_>>().join(" ");
    let hermes = "loaded with a truncated description by Hermes Agent: the description has 110 to 619 characters; the limit is 60";
    assert_eq!(text.matches(hermes).count(), 1, "one line for a runtime and a reason: {table}");
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
fn names_are_escaped_and_fit_at_every_width() {
    let unclosed = |name: &'static str| (name, good(name).replacen("\n---\n", "\n", 1));
    let texts: Vec<(&str, String)> = NAMES.into_iter().map(unclosed).collect();
    for width in [40, 60, 80, 200] {
        let text = table(&texts, width);
        let longest = NAMES.iter().map(|name| name.width()).max().unwrap() + ROOT.len() + 2;
        assert!(text.lines().all(|line| line.width() <= width.max(longest)), "{width}: {text}");
        assert!(!text.contains(['\u{202e}', '\u{1b}']) && !text.contains("##[error]"), "{width}: {text}");
        assert!(text.contains("red\\u{1b}[31m"), "{width}: {text}");
    }
}

/// Forecast of every runtime for skills with these names and texts, at this width in columns.
fn table(skills: &[(&str, String)], width: usize) -> String {
    let file = |(name, text): &(&str, String)| Entry {
        path: format!("{ROOT}/{name}/SKILL.md").into(),
        content: Content::File(text.clone().into_bytes()),
    };
    let bounds = Bounds { bytes: 65_536, nodes: 1_000, depth: 16, ..Bounds::NONE };
    let entries = skills.iter().map(file).collect();
    let mut roots = Config::new().roots;
    roots.patterns = vec![RootPattern::configured(ROOT, "agentskills")];
    let catalog = Catalog::new(source::memory(Origin::Memory, entries).read(&roots, bounds).unwrap());
    let profiles = Profiles::default();
    let targets: Vec<_> = profiles.ids().filter_map(|id| profiles.find(id)).collect();
    let mut out = Vec::new();
    let look = Look { width, ..Look::default() };
    let view = View { is_wanted: &|_| true, is_explicit: false, most: None, all: "", verbose: false, look };
    render::forecast::write_text(&catalog, &targets, &forecasts(&catalog, &targets), view, &mut out).unwrap();
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
    }
    let narrow = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/forecast/width-40.txt");
    assert_data_eq!(table(&skills, 40), Data::read_from(&narrow, None).raw());
}

#[test]
fn uses_terminal_width_and_fixed_width_in_files() {
    let repository = disputed();
    let file = repository.skilltree(&["forecast"]).stdout;
    let listing = common::skilltree(repository.path(), &["forecast"], &[("COLUMNS", "40")]);
    assert_eq!(listing.stdout, file, "COLUMNS has no effect without a terminal");
    for columns in [40, 80, 100] {
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

#[test]
fn ignore_files_of_a_skills_directory_hide_tracked_skills() {
    let repository = Repository::new();
    for name in ["gen", "kept", "old-one", "plain"] {
        repository.skill(".agents/skills", name);
    }
    repository.write(".agents/skills/gen/.gitignore", "*\n");
    repository.write(".agents/skills/.ignore", "# Old ones\nold-*/\n/kept/\n");
    repository.write(".agents/skills/.fdignore", "!kept/\n");
    // Above the skills directory, only Git reads it, and Git tracks the files.
    repository.write(".gitignore", "plain\n");
    repository.git(&["add", "--all", "--force"]);
    repository.commit();
    for source in [["--rev", "HEAD"].as_slice(), &["--staged"], &["--worktree"]] {
        let run = repository.skilltree(&[&["forecast", "--target", "pi", "--format", "json"], source].concat());
        let json: Value = serde_json::from_str(&run.stdout).unwrap();
        let skills = json["skills"].as_array().unwrap();
        let outcome = |name: &str| {
            let skill = skills.iter().find(|skill| skill["path"].as_str().unwrap().contains(name)).unwrap();
            skill["forecasts"].as_array().unwrap()[0]["outcome"].as_str().unwrap().to_owned()
        };
        let outcomes = ["gen", "old-one", "kept", "plain"].map(outcome);
        assert_eq!(outcomes, ["drops", "drops", "loads", "loads"], "{source:?}: {}", run.stdout);
    }
}

#[test]
fn says_which_skills_a_session_at_the_top_does_not_list() {
    let repository = Repository::new();
    for (directory, name) in [("", "top"), ("apps/web/", "page"), ("apps/api/", "route"), ("libs/", "part")] {
        repository.write(&format!("{directory}.claude/skills/{name}/SKILL.md"), good(name));
    }
    let text = |arguments: &[&str]| repository.skilltree(&[&["forecast"], arguments].concat()).stdout;
    let claude = text(&["--target", "claude-code"]).replace("\n  ", " ");
    let expected = "listed only in a session that starts there: apps/api/.claude/skills, apps/web/.claude/skills and 1 more \
        (3 skills) in Claude Code (elsewhere once a file next to it is used)";
    assert!(claude.contains(expected), "{claude}");
    assert!(text(&["--target", "copilot-cli"]).replace("\n  ", " ").contains("(3 skills) in Copilot CLI"));
    assert!(!text(&["--target", "claude-code", ".claude/skills/top"]).contains("listed only"));
}
