//! Rules that a repository defines: `[[require]]` in skilltree.toml.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;

use crate::common::{Repository, good};

/// Ten rules, each with the thread that it comes from.
const TEN: &str = include_str!("own_rules/skilltree.toml");

/// A skill that all ten rules accept.
const GOOD: &str = "---\nname: good\ndescription: Use when a form is due and someone has to fill it in.\nlicense: MIT\nmetadata:\n  author: Ada\n  owner: search\n  version: \"1.2.3\"\n---\n\n## Quality checks\n\nCompare.\n\n## Anti-patterns\n\nDo not guess.\n";

/// A skill that all ten rules report.
const BAD: &str = "---\nname: bad\ndescription: Fills in forms for you. Use when a form is due.\nmetadata:\n  author: 7\n  owner: nobody\n  version: \"1.2\"\n---\n\nAsk gpt-4, see https://wiki.corp.example/x.\n";

fn repository(settings: &str, skills: &[(&str, &str)]) -> Repository {
    let repository = Repository::new();
    repository.write("skilltree.toml", settings);
    for (name, text) in skills {
        repository.write(&format!("skills/{name}/SKILL.md"), text);
    }
    repository
}

fn ten() -> Repository {
    let repository = repository(TEN, &[("good", GOOD), ("bad", BAD)]);
    repository.write("skills/bad/setup.json", "{}").write("skills/bad/assets/a.bin", "eleven byte");
    repository.write("skills/good/assets/a.bin", "ten bytes.").write("skills/good/setup.txt", "");
    repository
}

/// The lines of the concise format about rules of the repository, without the message.
fn places(repository: &Repository, arguments: &[&str]) -> Vec<String> {
    let run = repository.skilltree(&[&["check", "--format", "concise"], arguments].concat());
    let own = run.stdout.lines().filter(|line| line.contains("[acme/"));
    own.map(|line| line.split_once("] ").unwrap().0.to_owned() + "]").collect()
}

#[test]
fn reports_ten_rules_at_their_places() {
    let repository = ten();
    let expected = [
        "skills/bad/SKILL.md:1:1: error[acme/license]",
        "skills/bad/SKILL.md:1:1: warning[acme/sections]",
        "skills/bad/SKILL.md:3:14: warning[acme/prefix]",
        "skills/bad/SKILL.md:5:11: warning[acme/author]",
        "skills/bad/SKILL.md:6:10: warning[acme/owner]",
        "skills/bad/SKILL.md:7:12: warning[acme/version]",
        "skills/bad/SKILL.md:10:5: warning[acme/models]",
        "skills/bad/SKILL.md:10:24: error[acme/hosts]",
        "skills/bad/assets/a.bin:1:1: warning[acme/assets]",
        "skills/bad/setup.json:1:1: warning[acme/setup-json]",
    ];
    let mut expected = expected.to_vec();
    expected.sort_unstable();
    let sorted = |mut lines: Vec<String>| {
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(places(&repository, &[])), expected);
    repository.add().commit();
    assert_eq!(sorted(places(&repository, &["--staged"])), expected);
    assert_eq!(sorted(places(&repository, &["--rev", "HEAD"])), expected);
    assert_eq!(repository.skilltree(&["check"]).status, 1, "two rules are errors");
}

#[test]
fn tests_each_rule_on_its_examples() {
    let run = ten().skilltree(&["check", "--test-rules"]);
    assert_eq!((run.status, run.stdout.matches("ok: acme/").count()), (0, 10), "{}", run.stdout);
    let swapped = TEN.replace("[require.fires]", "[require.x]").replace("[require.quiet]", "[require.fires]");
    let run = repository(&swapped.replace("[require.x]", "[require.quiet]"), &[]).skilltree(&["check", "--test-rules"]);
    assert_eq!((run.status, run.stdout.matches("wrong: acme/").count()), (1, 20), "{}", run.stdout);
    let bare = "[[require]]\nid = 'acme/license'\nkey = { name = 'license', required = true }\n";
    let run = repository(bare, &[]).skilltree(&["check", "--test-rules"]);
    assert_eq!((run.status, run.stdout.matches("missing: acme/license").count()), (1, 2), "{}", run.stdout);
    let run = repository("[[require]]\nid = 'acme/license'\n", &[]).skilltree(&["check", "--test-rules"]);
    assert_eq!(run.status, 2, "a rule without a condition cannot be tested");
}

#[test]
fn treats_own_rules_like_built_in_ones() {
    let repository = ten();
    let status = |arguments: &[&str]| repository.skilltree(&[&["check"], arguments].concat()).status;
    assert_eq!(status(&["--rule", "acme/license=note", "--rule", "acme/hosts=off"]), 0);
    assert_eq!(status(&["--rule", "acme/licence=note"]), 2, "there is no such rule");
    let counts = repository.skilltree(&["check", "--statistics"]).stdout;
    assert!(counts.contains("acme/license"), "{counts}");
    let explained = repository.skilltree(&["explain", "acme/license"]).stdout;
    assert!(explained.starts_with("# acme/license\n\nThe skill does not name its license.\n"), "{explained}");
    let explained_words = repository.skilltree(&["explain", "acme/models"]).stdout;
    assert!(explained_words.contains("the words `"), "{explained_words}");
    for part in ["- has one of `Apache-2.0` and `MIT` in `license`", "error (as `skilltree.toml` sets it)"] {
        assert!(explained.contains(part), "{part}: {explained}");
    }
    let unknown = repository.skilltree(&["explain", "acme/licenses"]);
    assert!(unknown.status == 2 && unknown.stderr.contains("acme/license"), "{}", unknown.stderr);
    let more = "\n[rules]\n\"acme/license\" = \"note\"\n[[override]]\npaths = [\"skills/bad\"]\nrules = { \"acme/hosts\" = \"off\" }\n[[ignore]]\nrule = \"acme/owner\"\npath = \"skills/bad\"\nreason = \"new team\"\n";
    repository.write("skilltree.toml", [TEN, more].concat());
    let commented = BAD.replace("Ask gpt-4", "<!-- skilltree: ignore[acme/models] told so -->\n\nAsk gpt-4");
    repository.write("skills/bad/SKILL.md", commented);
    let own = places(&repository, &[]);
    assert!(own.iter().any(|line| line.ends_with("note[acme/license]")), "{own:?}");
    for ignored in ["acme/hosts", "acme/owner", "acme/models"] {
        assert!(!own.iter().any(|line| line.contains(ignored)), "{ignored}: {own:?}");
    }
    let all = repository.skilltree(&["check", "--format", "concise"]).stdout;
    assert!(!all.contains("unused-ignore") && !all.contains("unknown-rule"), "{all}");
}

#[test]
fn describes_own_rules_in_sarif() {
    let run = ten().skilltree(&["check", "--format", "sarif"]);
    let sarif: Value = serde_json::from_str(&run.stdout).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    let rule = rules.iter().find(|rule| rule["id"] == "acme/license").unwrap();
    assert_eq!(rule["shortDescription"]["text"], "The skill does not name its license.");
    assert_eq!(rule["defaultConfiguration"]["level"], "error");
    assert!(rule["helpUri"].as_str().unwrap().ends_with("/docs/own-rules.md"));
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    for result in results.iter().filter(|result| result["ruleId"].as_str().unwrap().starts_with("acme/")) {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
}

#[test]
fn compares_own_rules_with_a_base() {
    let repository = ten();
    repository.add().commit();
    repository.write("skills/bad/SKILL.md", format!("{BAD}\nAsk claude-2 too.\n"));
    assert_eq!(places(&repository, &["--base", "HEAD"]), ["skills/bad/SKILL.md:12:5: warning[acme/models]"]);
    let looser = TEN.replace("severity = \"error\"\nmessage", "severity = \"note\"\nmessage");
    let looser =
        looser.replace("values = [\"payments\", \"search\"]", "values = [\"payments\", \"search\", \"nobody\"]");
    let looser = looser.replace("acme/version", "acme/release");
    repository.write("skilltree.toml", looser);
    let run = repository.skilltree(&["check", "--base", "HEAD", "--format", "concise"]).stdout;
    for fact in [
        "`acme/license` is note instead of error",
        "the rule `acme/owner` has other conditions",
        "the rule `acme/version` is removed",
    ] {
        assert!(run.contains(fact), "{fact}: {run}");
    }
}

#[test]
fn keeps_rejected_skills_out_of_the_prompt() {
    let repository = ten();
    let prompt = repository.skilltree(&["prompt", "--root", "skills"]).stdout;
    assert!(prompt.contains("good") && !prompt.contains("\n- bad"), "{prompt}");
}

#[test]
fn reports_faults_of_the_table_at_their_places() {
    let cases = [
        ("id = 'license'\nkey = { name = 'a', required = true }", "2:6", "not two words joined by a slash"),
        ("id = 'empty-body'\nkey = { name = 'a', required = true }", "2:6", "not two words joined by a slash"),
        ("id = 'a/b'", "1:1", "the rule has no condition"),
        ("id = 'a/b'\nkey = { name = 'a' }", "3:7", "`key` has no condition"),
        ("id = 'a/b'\nkey = { name = 'a', forbidden = true, values = ['x'] }", "3:7", "`forbidden` and a condition"),
        ("id = 'a/b'\nkey = { name = 'a', type = 'text' }", "3:28", "`text` is not a type"),
        ("id = 'a/b'\ntext = { forbidden = '(' }", "3:22", "not a regular expression"),
        ("id = 'a/b'\ntext = { forbidden = 'a*' }", "3:22", "matches the empty text"),
        ("id = 'a/b'\ntext = { forbidden = '\\b' }", "3:22", "matches the empty text"),
        ("id = 'a/b'\nkey = { name = 'a', min-length = 5, max-length = 2 }", "3:7", "is greater than `max-length`"),
        ("id = 'a/b'\ntext = { forbidden = '(\\w{200}){200}' }", "3:22", "256 KiB"),
        ("id = 'a/b'\ntext = { words = [] }", "3:18", "`words` has 0 words"),
        (
            "id = 'a/b'\nfile = { path = '../x', forbidden = true }",
            "3:17",
            "not a path below the directory of the skill",
        ),
        ("id = 'a/b'\nheadings = 'Steps'", "3:12", "`headings` must be an array, but it is a string"),
        ("id = 'a/b'\nkey = { name = 'a', required = 'yes' }", "3:32", "`required` must be a boolean"),
        ("id = 'a/b'\ntext = { files = '**/*.txt', words = ['x'] }", "3:18", "names no Markdown file"),
        (
            "id = 'a/b'\nheadings = ['x']\nfires = { '../SKILL.md' = '' }",
            "4:11",
            "not a path below the directory of the",
        ),
        ("id = 'a/b'\nmessage = \"a\\u202Eb\"\nheadings = ['x']", "3:11", "hidden or control character"),
        ("id = 'a/b'\nheadings = ['x']\nfires = { 'a.md' = '' }", "4:9", "no SKILL.md"),
        ("id = 'a/b'\nheadings = ['x']\nrequired = true", "4:1", "not a setting of `[[require]]`"),
    ];
    for (entry, place, fact) in cases {
        let repository = repository(&format!("[[require]]\n{entry}\n"), &[("good", GOOD)]);
        let run = repository.skilltree(&["check", "--format", "concise"]).stdout;
        let line = run.lines().find(|line| line.contains(fact)).unwrap_or_else(|| panic!("{entry}: {fact}: {run}"));
        assert!(line.starts_with(&format!("skilltree.toml:{place}: error[")), "{entry}: {line}");
        let is_sole = !run.contains("has no condition") || fact.contains("has no condition");
        assert!(is_sole, "{entry}: a second finding is false: {run}");
    }
    let twice = "[[require]]\nid = 'a/b'\nheadings = ['x']\n".repeat(2);
    let run = repository(&twice, &[("good", GOOD)]).skilltree(&["check", "--format", "concise"]).stdout;
    assert!(run.contains("the id `a/b` is used twice"), "{run}");
    let many: String = (0..101).map(|n| format!("[[require]]\nid = 'a/b{n}'\nheadings = ['x']\n")).collect();
    assert_eq!(repository(&many, &[("good", GOOD)]).skilltree(&["check"]).status, 2);
}

#[test]
fn reports_a_text_that_is_too_long_to_search() {
    let settings = "[limits]\nskill-file-bytes = 4000000\n[[require]]\nid = 'acme/words'\ntext = { words = ['x'] }\n";
    let text = format!("---\nname: good\ndescription: Use when a form is due.\n---\n{}\n", "a b\n".repeat(300_000));
    let run = repository(settings, &[("good", &text)]).skilltree(&["check", "--format", "concise"]).stdout;
    let expected = "warning[acme/words] the text has more than 1 MiB, so it was not searched";
    assert!(run.contains(expected), "{run}");
}

#[test]
fn searches_the_markdown_files_that_a_rule_names() {
    let settings = "[[require]]\nid = 'acme/models'\ntext = { words = ['gpt-4'], files = '**/*.md' }\n\
        [[require]]\nid = 'acme/owner'\ntext = { required = 'Owner: ', files = 'references/*.md' }\n\
        [[require]]\nid = 'acme/title'\nheadings = ['Title']\ntext = { forbidden = 'x', files = 'references/*.md' }\n";
    let skill =
        "---\nname: good\ndescription: Use when a form is due.\n---\n\nRead [it](references/a.md) with gpt-4, x.\n";
    let repository = repository(settings, &[("good", skill)]);
    repository.write("skills/good/references/a.md", "# Title\n\nAsk gpt-4 or x.\n");
    repository.write("skills/good/references/sub/b.md", "Ask x.\n").write("skills/good/c.txt", "gpt-4 x\n");
    let expected = [
        "skills/good/SKILL.md:1:1: warning[acme/owner]",
        "skills/good/SKILL.md:1:1: warning[acme/title]",
        "skills/good/SKILL.md:6:33: warning[acme/models]",
        "skills/good/references/a.md:3:14: warning[acme/title]",
        "skills/good/references/a.md:3:5: warning[acme/models]",
    ];
    let sorted = |mut lines: Vec<String>| {
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(places(&repository, &[])), expected);
    repository.add().commit();
    assert_eq!(sorted(places(&repository, &["--rev", "HEAD"])), expected);
    repository.write("skills/good/references/z.md", "Owner: Ada\n");
    assert!(!places(&repository, &[]).iter().any(|line| line.contains("acme/owner")), "one file has the text");
    let new = places(&repository, &["--base", "HEAD"]);
    assert!(new.is_empty(), "{new:?}");
    repository.write("skills/good/references/z.md", "Owner: Ada, gpt-4\n");
    let new = places(&repository, &["--base", "HEAD"]);
    assert_eq!(new, ["skills/good/references/z.md:1:13: warning[acme/models]"]);
}

#[test]
fn warns_of_paths_without_a_skill() {
    let settings =
        "[[require]]\nid = 'acme/license'\nkey = { name = 'license', required = true }\npaths = ['skill/**']\n";
    let good = good("good");
    let wrong = repository(settings, &[("good", &good)]).skilltree(&["check"]);
    let warning = "the rule acme/license applies to no skill: `paths` is `skill/**`";
    assert!(wrong.status == 0 && wrong.stderr.contains(warning), "{}", wrong.stderr);
    let right = repository(&settings.replace("skill/", "skills/"), &[("good", &good)]).skilltree(&["check"]);
    assert!(!right.stderr.contains("applies to no skill"), "{}", right.stderr);
}

#[test]
fn ends_a_line_before_crlf() {
    let settings = "[[require]]\nid = \"acme/end\"\nseverity = \"error\"\ntext = { forbidden = '(?m)secret$' }\n";
    for end in ["\n", "\r\n"] {
        let text = good("pdf").replace("Do it.\n", &format!("A secret{end}Do it.{end}"));
        let repository = Repository::new();
        repository.write("skilltree.toml", settings).write(".agent/skills/pdf/SKILL.md", text).add();
        let run = repository.skilltree(&["check", "--format", "concise"]);
        assert!(run.status == 1 && run.stdout.contains(":8:3: error[acme/end]"), "{end:?}: {}", run.stdout);
    }
}

#[test]
fn forbids_a_word_and_allows_longer_ones() {
    let settings = "[[require]]\nid = 'acme/models'\ntext = { words = ['gpt-4'] }\n";
    let skill =
        "---\nname: good\ndescription: Use when a form is due.\n---\n\nUse gpt-4.1 or gpt-4-turbo.\nNot gpt-4.\n";
    let repository = repository(settings, &[("good", skill)]);
    assert_eq!(places(&repository, &[]), ["skills/good/SKILL.md:7:5: warning[acme/models]"]);
    let explained = repository.skilltree(&["explain", "acme/models"]).stdout;
    assert!(explained.contains("- does not have the word `gpt-4`\n"), "{explained}");
    let sarif = repository.skilltree(&["check", "--format", "sarif"]).stdout;
    assert!(!sarif.contains("(?i:"), "{sarif}");
}

#[test]
fn lists_own_rules_with_the_built_in_ones() {
    let listed = ten().skilltree(&["explain"]).stdout;
    let (_, own) = listed.split_once("Rules of the repository\n").unwrap_or_else(|| panic!("{listed}"));
    assert_eq!(own.matches("\n  acme/").count() + 1, 10, "{own}");
    assert!(own.contains("acme/license") && own.contains("the skill does not name its license"), "{own}");
    let json: Value = serde_json::from_str(&ten().skilltree(&["explain", "--format", "json"]).stdout).unwrap();
    let ids = json["rules"].as_array().unwrap().iter().filter_map(|rule| rule["id"].as_str());
    assert_eq!(ids.filter(|id| id.starts_with("acme/")).count(), 10);
    let none = repository("", &[("good", GOOD)]).skilltree(&["explain"]).stdout;
    assert!(!none.contains("Rules of the repository") && none.contains("broken-link"), "{none}");
}

#[test]
fn bounds_a_hostile_pattern() {
    let entry = |n| format!("[[require]]\nid = 'a/b{n}'\ntext = {{ forbidden = '(a|aa)+(b|c){{0,50}}$x' }}\n");
    let settings: String = (0..20).map(entry).collect();
    let text = format!("---\nname: good\ndescription: Use when a form is due.\n---\n{}\n", "a".repeat(200_000));
    let repository = repository(&settings, &[("good", &text)]);
    let run = repository.skilltree(&["check", "--max-time", "60s"]);
    assert!(run.status < 2, "{}", run.stderr);
}
