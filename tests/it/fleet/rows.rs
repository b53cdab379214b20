//! The rows of one repository, compared with what `check`, `list`, `forecast` and Git say.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde_json::Value as Json;
use skilltree::{Options, Row, Rows, Table, Value, rows};

use crate::common::{Repository, good};

fn repository() -> Repository {
    let repository = Repository::new();
    repository.write(".agents/skills/one/SKILL.md", good("one"));
    repository.write(".agents/skills/one/scripts/run.sh", "echo\n");
    repository.write(".agents/skills/bad/SKILL.md", "---\nname: bad\ndescription: Use when: x\n---\nDo it.\n");
    repository.write(".claude/skills/Odd/SKILL.md", "---\nname: Odd\ndescription: Does odd things.\n---\nDo.\n");
    repository.commit();
    repository
}

fn read(repository: &Repository) -> Rows {
    rows("team/api", repository.path(), &Options::default(), None)
}

fn get<'r>(table: Table, row: &'r Row, column: &str) -> &'r Value {
    &row[table.columns().iter().position(|known| known.name == column).expect("the column exists")]
}

fn text(table: Table, row: &Row, column: &str) -> String {
    match get(table, row, column) {
        Value::Text(text) => text.to_string(),
        other => panic!("{column} is {other:?}"),
    }
}

fn json(repository: &Repository, arguments: &[&str]) -> Json {
    let run = repository.skilltree(arguments);
    assert!(run.status < 2, "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn findings_equal_those_of_check() {
    let repository = repository();
    let report = json(&repository, &["check", "--rev", "HEAD", "--format", "json"]);
    let expected: Vec<[String; 7]> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| {
            let text = |value: &Json| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let start = &finding["range"]["start"];
            [
                &finding["path"],
                &finding["rule"],
                &finding["severity"],
                &finding["message"],
                &start["line"],
                &start["column"],
                &finding["fingerprint"],
            ]
            .map(text)
        })
        .collect();
    let table = Table::Findings;
    let found: Vec<[String; 7]> = read(&repository)
        .table(table)
        .iter()
        .map(|row| {
            ["path", "rule", "severity", "message", "line", "column", "fingerprint"].map(|column| {
                match get(table, row, column) {
                    Value::Integer(number) => number.to_string(),
                    _ => text(table, row, column),
                }
            })
        })
        .collect();
    assert!(expected.len() >= 2, "{expected:?}");
    assert_eq!(found, expected);
}

#[test]
fn skills_equal_git_and_list() {
    let repository = repository();
    let (rows, table) = (read(&repository), Table::Skills);
    let listed = json(&repository, &["list", "--format", "json"]);
    let accepted: Vec<&str> =
        listed["skills"].as_array().unwrap().iter().map(|skill| skill["path"].as_str().unwrap()).collect();
    assert_eq!(rows.table(table).len(), 3);
    for row in rows.table(table) {
        let path = text(table, row, "path");
        assert_eq!(text(table, row, "blob"), repository.git(&["rev-parse", &format!("HEAD:{path}")]));
        assert_eq!(text(table, row, "commit"), repository.git(&["rev-parse", "HEAD"]));
        assert_eq!(text(table, row, "repository"), "team/api");
        assert_eq!(*get(table, row, "accepted"), Value::Boolean(accepted.contains(&path.as_str())), "{path}");
        let body = repository.git(&["show", &format!("HEAD:{path}")]).split("\n---\n").nth(1).unwrap().len() + 1;
        assert_eq!(*get(table, row, "tokens"), Value::Integer(body.div_ceil(4) as i64), "{path}");
    }
    let run = &rows.table(Table::Runs)[0];
    assert_eq!(text(Table::Runs, run, "tree"), repository.git(&["rev-parse", "HEAD^{tree}"]));
    assert_eq!(text(Table::Runs, run, "status"), "read");
    assert!(rows.is_read());
}

#[test]
fn forecast_equals_that_of_forecast() {
    let repository = repository();
    let printed = json(&repository, &["forecast", "--rev", "HEAD", "--format", "json"]);
    let mut expected = Vec::new();
    for skill in printed["skills"].as_array().unwrap() {
        for outcome in skill["forecasts"].as_array().unwrap().iter().filter(|each| each["outcome"] != "not-read") {
            let words = [&skill["path"], &outcome["target"], &outcome["outcome"]];
            expected.push(words.map(|value| value.as_str().unwrap()).join(" "));
        }
    }
    let (rows, table) = (read(&repository), Table::Forecast);
    let columns = ["path", "runtime", "outcome"];
    let mut found: Vec<String> =
        rows.table(table).iter().map(|row| columns.map(|column| text(table, row, column)).join(" ")).collect();
    expected.sort();
    found.sort();
    assert!(found.len() > 6, "{found:?}");
    assert_eq!(found, expected);
}

/// The words are the same in the tables, the report and the forecast: rows join without a translation.
#[test]
fn tables_join_with_report_and_forecast() {
    let repository = repository();
    let all = Options { all_runtimes: true, ..Options::default() };
    let rows = rows("team/api", repository.path(), &all, None);
    let mut outcomes = BTreeMap::new();
    for row in rows.table(Table::Forecast) {
        let [path, runtime, outcome] = ["path", "runtime", "outcome"].map(|column| text(Table::Forecast, row, column));
        outcomes.insert((path, runtime), outcome);
    }
    let word = |value: &Json| value.as_str().unwrap().to_owned();
    let printed = json(&repository, &["forecast", "--all", "--rev", "HEAD", "--format", "json"]);
    let mut unread = 0;
    for skill in printed["skills"].as_array().unwrap() {
        for cell in skill["forecasts"].as_array().unwrap() {
            match outcomes.get(&(word(&skill["path"]), word(&cell["target"]))) {
                Some(outcome) => assert_eq!(cell["outcome"], *outcome, "{cell}"),
                None => {
                    assert_eq!(
                        (&cell["outcome"], &cell["reason"], &cell["name"]),
                        (&"not-read".into(), &Json::Null, &Json::Null)
                    );
                    unread += 1;
                }
            }
        }
    }
    assert!(unread > 0 && outcomes.len() > 6, "{unread} {outcomes:?}");
    let report = json(&repository, &["check", "--rev", "HEAD", "--format", "json"]);
    let mut joined = 0;
    for finding in report["findings"].as_array().unwrap() {
        for runtime in finding["runtimes"].as_array().unwrap() {
            let outcome = outcomes.get(&(word(&finding["path"]), word(&runtime["target"])));
            assert_eq!(outcome, Some(&word(&runtime["outcome"])), "{runtime}");
            joined += 1;
        }
    }
    assert!(joined > 1, "{report}");
    let severities: BTreeSet<String> =
        rows.table(Table::Findings).iter().map(|row| text(Table::Findings, row, "severity")).collect();
    let printed: BTreeSet<String> =
        report["findings"].as_array().unwrap().iter().map(|finding| word(&finding["severity"])).collect();
    assert_eq!(severities, printed);
}

#[test]
fn digest_covers_every_file_of_a_skill_and_nothing_else() {
    let digest = |change: &dyn Fn(&Repository)| {
        let repository = Repository::new();
        repository.write(".claude/skills/one/SKILL.md", good("one")).write(".claude/skills/one/a.txt", "a\n");
        change(&repository);
        repository.commit();
        let rows = read(&repository);
        let row =
            rows.table(Table::Skills).iter().find(|row| text(Table::Skills, row, "path").contains("/one/")).unwrap();
        text(Table::Skills, row, "digest")
    };
    let first = digest(&|_| {});
    assert_eq!(digest(&|repository| _ = repository.write("README.md", "x").skill(".claude/skills", "two")), first);
    assert_ne!(digest(&|repository| _ = repository.write(".claude/skills/one/a.txt", "b\n")), first);
    assert_ne!(digest(&|repository| _ = repository.write(".claude/skills/one/b.txt", "a\n")), first);
}

#[test]
fn redacts_secrets_and_names_no_path_of_the_machine() {
    let repository = Repository::new();
    let secret = format!("ghp_{}", "0123456789abcdefABCDEF0123456789abcdefAB");
    repository.write(
        ".agents/skills/one/SKILL.md",
        format!("---\nname: one\ndescription: 'Uses {secret}. Use when asked.'\n---\nDo.\n"),
    );
    repository.commit();
    let rows = read(&repository);
    assert_eq!(text(Table::Skills, &rows.table(Table::Skills)[0], "description"), "Uses [redacted]. Use when asked.");
    assert!(!format!("{rows:?}").contains(&secret));
    let missing = rows_of(&repository.path().join("missing"));
    assert_eq!(text(Table::Runs, &missing.table(Table::Runs)[0], "error"), "`team/api` does not exist");
}

fn rows_of(path: &Path) -> Rows {
    rows("team/api", path, &Options::default(), Some(Duration::from_secs(60)))
}

#[test]
fn opens_no_repository_around_a_path() {
    let repository = repository();
    repository.write("mirrors/broken.git/config", "[core]\n\tbare = true\n");
    let found = rows_of(&repository.path().join("mirrors/broken.git"));
    assert!(!found.is_read());
    assert!(found.table(Table::Skills).is_empty());
}
