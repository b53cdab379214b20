//! The tables: their columns, formats and order, and what a run refuses.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use skilltree::Table;

use super::mirrors::{Mirrors, good, read, text};
use crate::common::{self, skilltree_with_input};

/// A skill with two Markdown files, and what they lead to: line, column, kind, target and state.
fn linked() -> (Vec<(String, String)>, Vec<Value>) {
    let skill =
        common::good("linked") + "[guide](references/guide.md), [gone](gone.md#part) and [up](../../../notes.md)\n";
    let guide = "É [home](../SKILL.md)\n\n```sh\nscripts/run.sh --all\n```\n[web](https://example.com)\n";
    let directory = ".agents/skills/linked";
    let files = [("SKILL.md", &*skill), ("references/guide.md", guide), ("scripts/run.sh", "true\n")];
    let expected = json!([
        ["SKILL.md", 9, 9, "link", format!("{directory}/references/guide.md"), "exists"],
        ["SKILL.md", 9, 38, "link", format!("{directory}/gone.md"), "missing"],
        ["SKILL.md", 9, 61, "link", "notes.md", "unknown"],
        ["references/guide.md", 1, 10, "link", format!("{directory}/SKILL.md"), "exists"],
        ["references/guide.md", 4, 1, "path", format!("{directory}/scripts/run.sh"), "exists"],
    ]);
    let files = files.map(|(path, text)| (format!("{directory}/{path}"), text.to_owned())).to_vec();
    (files, expected.as_array().unwrap().clone())
}

#[test]
fn references_have_their_place_and_state() {
    let (mirrors, (files, expected)) = (Mirrors::new(), linked());
    mirrors.commit("a.git", &files, "2026-11-20");
    assert_eq!(mirrors.fleet(&[]).status, 0);
    let commit = mirrors.git("a.git", &["rev-parse", "main"]);
    let expected: Vec<Value> = expected
        .iter()
        .map(|row| {
            json!({
                "repository": "a.git", "commit": commit, "path": format!(".agents/skills/linked/{}", row[0].as_str().unwrap()),
                "line": row[1], "column": row[2], "kind": row[3], "target": row[4], "state": row[5],
            })
        })
        .collect();
    assert_eq!(read(&mirrors.out(), Table::References), expected);
}

/// A marketplace with a plugin of two skills, one of which is too deep for some runtimes, and a plugin whose manifest is refused.
fn marketplace() -> Vec<(String, String)> {
    let entry = |name: &str| json!({ "name": name, "source": format!("./plugins/{name}") });
    let market = json!({ "name": "shop", "owner": { "name": "A" }, "plugins": [entry("post"), entry("lost")] });
    let lost = json!({ "name": "lost", "skills": ["skills"] });
    [
        (".claude-plugin/marketplace.json", market.to_string()),
        ("plugins/post/.claude-plugin/plugin.json", json!({ "name": "post" }).to_string()),
        ("plugins/post/skills/seek/SKILL.md", common::good("seek")),
        ("plugins/post/skills/more/find/SKILL.md", common::good("find")),
        ("plugins/lost/.claude-plugin/plugin.json", lost.to_string()),
        ("plugins/lost/skills/send/SKILL.md", common::good("send")),
    ]
    .map(|(path, text)| (path.to_owned(), text))
    .to_vec()
}

#[test]
fn packages_have_their_skills_and_names() {
    let mirrors = Mirrors::new();
    mirrors.commit("shop.git", &marketplace(), "2026-11-20");
    let run = mirrors.fleet(&[]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let of_claude = |table| {
        let mut rows = read(&mirrors.out(), table);
        rows.retain(|row| row["runtime"] == "claude-code");
        rows
    };
    let members = |row: &Value, names: &[&str]| -> Value { names.iter().map(|name| row[name].clone()).collect() };
    let columns =
        ["directory", "package", "format", "way", "manifest", "marketplace", "loads", "faults", "skills", "loaded"];
    let rows: Vec<Value> = of_claude(Table::Packages).iter().map(|row| members(row, &columns)).collect();
    let market = ".claude-plugin/marketplace.json";
    let manifest = |name: &str| format!("plugins/{name}/.claude-plugin/plugin.json");
    assert!(
        rows.contains(&json!([
            "plugins/post",
            "post",
            "claude-plugin",
            "entry",
            manifest("post"),
            market,
            true,
            0,
            2,
            1
        ])),
        "{rows:?}"
    );
    let lost = rows.iter().find(|row| row[0] == "plugins/lost").unwrap();
    assert_eq!([&lost[6], &lost[9]], [&json!(false), &json!(0)], "{lost}");
    let columns = ["directory", "path", "outcome", "name", "listed"];
    let skills: Vec<Value> = of_claude(Table::PackagedSkills).iter().map(|row| members(row, &columns)).collect();
    let path = |name: &str| format!("plugins/post/skills/{name}/SKILL.md");
    assert!(skills.contains(&json!(["plugins/post", path("seek"), "loads", "post:seek", true])), "{skills:?}");
    let deep = skills.iter().find(|row| row[1] == path("more/find").as_str()).unwrap();
    assert_eq!(deep[2], "drops", "{deep}");
}

#[test]
fn rows_match_the_schema_in_both_formats() {
    let mirrors = Mirrors::many(20);
    mirrors.commit("linked.git", &linked().0, "2026-11-20");
    mirrors.commit("shop.git", &marketplace(), "2026-11-20");
    assert_eq!(mirrors.fleet(&["--jsonl"]).status, 0);
    let jsonl = mirrors.tables();
    let schema: Value =
        serde_json::from_str(&common::skilltree(mirrors.path(), &["schema", "fleet"], &[]).stdout).unwrap();
    let manifest: Value = serde_json::from_slice(&fs::read(mirrors.out().join("fleet.json")).unwrap()).unwrap();
    for table in Table::ALL {
        let mut definition = schema["$defs"][table.name()].clone();
        // Rows are read without the seconds.
        definition["required"].as_array_mut().unwrap().retain(|name| name != "seconds");
        let validator = jsonschema::validator_for(&definition).unwrap();
        let rows = read(&mirrors.out(), table);
        assert!(rows.len() >= 5, "{} has {} rows", table.name(), rows.len());
        for row in &rows {
            assert!(validator.is_valid(row), "{row}");
            let known = definition["properties"].as_object().unwrap();
            assert!(row.as_object().unwrap().keys().all(|name| known.contains_key(name)), "{row}");
            let mut wrong = row.clone();
            wrong["repository"] = json!(1);
            assert!(!validator.is_valid(&wrong));
        }
        let columns: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        assert_eq!(manifest["tables"][table.name()], json!(columns));
    }
    fs::remove_dir_all(mirrors.out()).unwrap();
    assert_eq!(mirrors.fleet(&[]).status, 0);
    assert_eq!(mirrors.tables(), jsonl);
}

#[test]
fn files_are_equal_with_any_number_of_threads() {
    let mirrors = Mirrors::many(70);
    let files = |jobs: &str| {
        let run = mirrors.fleet(&["--jsonl", "--jobs", jobs]);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let parts = Table::ALL[..6].iter().flat_map(|table| fs::read_dir(mirrors.out().join(table.name())).unwrap());
        let mut files: Vec<_> =
            parts.map(|part| part.unwrap().path()).map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.sort();
        fs::remove_dir_all(mirrors.out()).unwrap();
        files
    };
    let one = files("1");
    assert_eq!(one.len(), 12, "70 repositories are two parts");
    assert!(files("7") == one, "the files differ with seven threads");
}

#[test]
fn reads_lists_from_files_and_standard_input() {
    let mirrors = Mirrors::new();
    for name in ["b.git", "a.git"] {
        mirrors.commit(name, &[good("one")], "2026-11-20");
    }
    fs::create_dir(mirrors.mirror(".hidden")).unwrap();
    fs::write(mirrors.mirror("README"), "x").unwrap();
    let names = |list: &str, input: &str| {
        let run = skilltree_with_input(
            mirrors.path(),
            &["fleet", "--jsonl", "--repos", list, "--out", "out"],
            &[],
            input.as_bytes(),
        );
        assert_eq!(run.status, 0, "{}", run.stderr);
        let mut names: Vec<String> =
            read(&mirrors.out(), Table::Runs).iter().map(|row| text(row, "repository").to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names("mirrors", ""), ["a.git", "b.git"]);
    assert_eq!(names("-", "mirrors/b.git\r\n\nmirrors/b.git\n"), ["mirrors/b.git"]);
    fs::write(mirrors.path().join("list"), "mirrors/a.git\nmirrors/b.git").unwrap();
    assert_eq!(names("list", ""), ["mirrors/a.git", "mirrors/b.git"]);
}

#[test]
fn refuses_lists_and_directories_that_it_cannot_use() {
    let mirrors = Mirrors::many(1);
    fs::create_dir(mirrors.path().join("notes")).unwrap();
    fs::write(mirrors.path().join("notes/todo.txt"), "x").unwrap();
    fs::write(mirrors.path().join("empty"), "\n").unwrap();
    assert_eq!(mirrors.fleet(&["--jsonl"]).status, 0);
    for (repos, out, more, message) in [
        ("missing", "out", "--jsonl", "the list `missing` cannot be read"),
        ("empty", "out", "--jsonl", "`empty` lists no repositories"),
        ("mirrors/r000.git", "out", "--jsonl", "`mirrors/r000.git` is a repository, not a directory of repositories"),
        ("mirrors", "notes", "--jsonl", "notes` has files that skilltree did not write"),
        ("mirrors", "out", "--quiet", "out` has tables in the format jsonl"),
        ("mirrors", "new", "--config=missing.toml", "the configuration `missing.toml` cannot be read"),
        ("mirrors", "new", "--today=tomorrow", "`tomorrow` is not a valid date"),
        ("mirrors", "out", "--target=claude", "there is no profile `claude`"),
        ("mirrors", "out", "--rule=zz=off", "there is no rule `zz`"),
    ] {
        let run = common::skilltree(mirrors.path(), &["fleet", "--repos", repos, "--out", out, more], &[]);
        assert_eq!(run.status, 2, "{message}");
        assert!(run.stderr.contains(message), "{message}: {}", run.stderr);
    }
    assert_eq!(fs::read_dir(mirrors.path().join("notes")).unwrap().count(), 1);
}

#[test]
fn options_change_the_rows() {
    let mirrors = Mirrors::new();
    let misnamed = (".agent/skills/Odd/SKILL.md".to_owned(), common::good("Odd"));
    mirrors.commit("a.git", &[misnamed], "2026-11-20");
    let levels = |more: &[&str]| {
        let run = mirrors.fleet(more);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let rows = read(&mirrors.out(), Table::Findings);
        rows.iter().map(|row| format!("{} {}", text(row, "rule"), text(row, "severity"))).collect::<Vec<_>>()
    };
    let level = |level: &str| format!("malformed-name {level}");
    assert!(levels(&[]).contains(&level("error")));
    assert!(levels(&["--rule", "malformed-name=warning"]).contains(&level("warning")));
    fs::write(mirrors.path().join("own.toml"), "[rules]\nmalformed-name = \"note\"\n").unwrap();
    assert!(levels(&["--config", "own.toml"]).contains(&level("note")));
    // The content of the file counts, not its name.
    fs::write(mirrors.path().join("own.toml"), "[rules]\nmalformed-name = \"warning\"\n").unwrap();
    assert!(levels(&["--config", "own.toml"]).contains(&level("warning")));
    assert!(levels(&[]).contains(&level("error")));
}

#[test]
fn settings_come_from_another_revision_of_each_repository() {
    let mirrors = Mirrors::new();
    let settings = |severity: &str| {
        ("skilltree.toml".to_owned(), format!("[rules]\ndescription-without-trigger = \"{severity}\"\n"))
    };
    let skill_text = "---\nname: one\ndescription: Reads forms.\n---\nDo it.\n";
    let skill = |path: &str| (format!("{path}/one/SKILL.md"), skill_text.to_owned());
    mirrors.commit("a.git", &[skill(".agents/skills"), settings("error")], "2026-11-19");
    mirrors.commit("a.git", &[skill(".agents/skills"), skill("more"), settings("off")], "2026-11-20");
    let paths = |more: &[&str]| -> Vec<String> {
        let _ = fs::remove_dir_all(mirrors.out());
        let run = mirrors.fleet(more);
        assert_eq!(run.status, 0, "{}", run.stderr);
        let findings = read(&mirrors.out(), Table::Findings);
        let of_rule = findings.iter().filter(|row| text(row, "rule") == "description-without-trigger");
        of_rule.map(|row| text(row, "severity").to_owned() + " " + text(row, "path")).collect()
    };
    let skills = |more: &[&str]| -> Vec<String> {
        paths(more);
        read(&mirrors.out(), Table::Skills).iter().map(|row| text(row, "path").to_owned()).collect()
    };
    assert_eq!(paths(&[]), [""; 0]);
    assert_eq!(paths(&["--config-from", "main~1"]), ["error .agents/skills/one/SKILL.md"]);
    assert_eq!(skills(&[]), [".agents/skills/one/SKILL.md"]);
    assert_eq!(skills(&["--root", "more"]), ["more/one/SKILL.md"]);
    let _ = fs::remove_dir_all(mirrors.out());
    let run = mirrors.fleet(&["--config-from", "main~9"]);
    assert!(run.status == 2 && run.stderr.contains("main~9"), "{}", run.stderr);
}

#[test]
#[cfg(target_os = "linux")]
fn terminal_shows_rate_and_time_left() {
    common::require("script", "bsdutils");
    let mirrors = Mirrors::many(2);
    let skills: Vec<_> = (0..3_000).map(|number| good(&format!("skill-{number}"))).collect();
    mirrors.commit("z.git", &skills, "2026-11-20");
    let program = common::program();
    let line = format!("stty cols 80 rows 24; exec '{}' fleet --jobs 1 --repos mirrors --out out", program.display());
    let mut command = Command::new("script");
    common::isolate(&mut command).args(["-qec", &line, "/dev/null"]).env("TERM", "xterm").current_dir(mirrors.path());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut shown = String::new();
    child.stdout.take().unwrap().read_to_string(&mut shown).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{shown}");
    let bar = regex::Regex::new(r"\r\[#* *\] \d+ of 3 repositories, [0-9.]+/s, \d+[sm] left").unwrap();
    assert!(bar.is_match(&shown), "{shown:?}");
    assert!(shown.ends_with("3 repositories: 3 read, 0 unchanged, 0 failed\r\n"), "{shown:?}");
}
