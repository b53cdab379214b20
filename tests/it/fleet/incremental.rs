//! A further run reads only what changed.

use std::collections::BTreeMap;
use std::fs;
use std::time::SystemTime;

use skilltree::Table;

use super::mirrors::{Mirrors, bad, good, read, text};

/// When each file of the tables was written.
fn written(mirrors: &Mirrors) -> BTreeMap<String, SystemTime> {
    let files = Table::ALL.into_iter().flat_map(|table| fs::read_dir(mirrors.out().join(table.name())).unwrap());
    files
        .map(|file| file.unwrap())
        .map(|file| (file.path().display().to_string(), file.metadata().unwrap().modified().unwrap()))
        .collect()
}

fn summary(mirrors: &Mirrors, more: &[&str]) -> String {
    let run = mirrors.fleet(more);
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.stderr.trim_end().to_owned()
}

#[test]
fn reads_only_repositories_that_changed() {
    let mirrors = Mirrors::many(70);
    assert_eq!(summary(&mirrors, &[]), "70 repositories: 70 read, 0 unchanged, 0 failed");
    let (first, tables) = (written(&mirrors), mirrors.tables());
    // Without blobs, only an unread repository keeps its rows.
    mirrors.remove_blobs("r007.git");
    assert_eq!(summary(&mirrors, &[]), "70 repositories: 0 read, 70 unchanged, 0 failed");
    assert_eq!(written(&mirrors), first);
    mirrors.commit("r003.git", &[good("new")], "2026-11-21");
    mirrors.commit("r069.git", &[bad("worse")], "2026-11-21");
    assert_eq!(summary(&mirrors, &[]), "70 repositories: 2 read, 68 unchanged, 0 failed");
    let changed = mirrors.tables();
    for (before, after) in tables.iter().zip(&changed) {
        let of_others = |rows: &[String]| -> Vec<String> {
            rows.iter().filter(|row| !row.contains("\"r003.git\"") && !row.contains("\"r069.git\"")).cloned().collect()
        };
        assert_eq!(of_others(before), of_others(after));
    }
    let skills: Vec<String> = read(&mirrors.out(), Table::Skills)
        .iter()
        .filter(|row| ["r003.git", "r069.git"].contains(&text(row, "repository")))
        .map(|row| text(row, "path").to_owned())
        .collect();
    assert_eq!(skills, [".agents/skills/new/SKILL.md", ".agents/skills/worse/SKILL.md"]);
    fs::remove_dir_all(mirrors.out()).unwrap();
    fs::remove_dir_all(mirrors.mirror("r007.git")).unwrap();
    mirrors.fleet(&[]);
    let without = |tables: Vec<Vec<String>>| -> Vec<Vec<String>> {
        tables.into_iter().map(|rows| rows.into_iter().filter(|row| !row.contains("\"r007.git\"")).collect()).collect()
    };
    assert_eq!(without(mirrors.tables()), without(changed));
}

#[test]
fn rows_of_equal_trees_get_the_new_commit_unread() {
    let mirrors = Mirrors::many(3);
    summary(&mirrors, &[]);
    let skills: Vec<_> = (0..=2)
        .map(|skill| format!("skill-{}", 14 + skill))
        .map(|name| if name == "skill-16" { bad(&name) } else { good(&name) })
        .collect();
    let tree = mirrors.git("r002.git", &["rev-parse", "main^{tree}"]);
    mirrors.commit("r002.git", &skills, "2026-11-25");
    assert_eq!(mirrors.git("r002.git", &["rev-parse", "main^{tree}"]), tree, "the tree is equal");
    let commit = mirrors.git("r002.git", &["rev-parse", "main"]);
    mirrors.remove_blobs("r002.git");
    assert_eq!(summary(&mirrors, &[]), "3 repositories: 0 read, 3 unchanged, 0 failed");
    for table in [Table::Skills, Table::Findings, Table::Runs] {
        let rows = read(&mirrors.out(), table);
        let mut own = rows.iter().filter(|row| text(row, "repository") == "r002.git").peekable();
        assert!(own.peek().is_some(), "{}", table.name());
        assert!(own.all(|row| text(row, "commit") == commit), "{}", table.name());
    }
}

#[test]
fn day_counts_only_where_an_ignore_ends() {
    let mirrors = Mirrors::new();
    let (path, skill) = bad("one");
    let ignore = |until: &str| {
        format!("[[ignore]]\nrule = \"invalid-yaml\"\npath = \".agents/skills/one\"\nreason = \"later\"\n{until}")
    };
    let files = |until: &str| [(path.clone(), skill.clone()), ("skilltree.toml".to_owned(), ignore(until))];
    for (name, until) in [("always.git", ""), ("until.git", "until = 2026-11-22\n")] {
        mirrors.commit(name, &files(until), "2026-11-20");
    }
    let reported = || {
        let rows = read(&mirrors.out(), Table::Findings);
        let of_rule = rows.iter().filter(|row| text(row, "rule") == "invalid-yaml");
        of_rule.map(|row| text(row, "repository").to_owned()).collect::<Vec<_>>()
    };
    summary(&mirrors, &[]);
    assert_eq!(reported(), [""; 0]);
    for (name, until) in [("always.git", ""), ("until.git", "until = 2026-11-22\n")] {
        mirrors.commit(name, &files(until), "2026-11-23");
    }
    assert_eq!(summary(&mirrors, &[]), "2 repositories: 1 read, 1 unchanged, 0 failed");
    assert_eq!(reported(), ["until.git"]);
}

#[test]
fn day_counts_where_an_ignore_in_a_reference_file_ends() {
    let mirrors = Mirrors::new();
    let ignored = "<!-- skilltree: ignore[broken-link] until=2026-11-22 it comes later -->\n[b](b.md)\n";
    let files = [good("one"), (".agents/skills/one/references/a.md".to_owned(), ignored.to_owned())];
    mirrors.commit("one.git", &files, "2026-11-20");
    summary(&mirrors, &[]);
    mirrors.commit("one.git", &files, "2026-11-23");
    assert_eq!(summary(&mirrors, &[]), "1 repository: 1 read, 0 unchanged, 0 failed");
}

#[test]
fn removes_rows_of_repositories_that_are_not_listed() {
    let mirrors = Mirrors::many(5);
    summary(&mirrors, &["--jsonl"]);
    fs::remove_dir_all(mirrors.mirror("r002.git")).unwrap();
    assert_eq!(summary(&mirrors, &["--jsonl"]), "4 repositories: 0 read, 4 unchanged, 0 failed");
    for rows in mirrors.tables().into_iter().filter(|rows| !rows.is_empty()) {
        assert!(
            rows.iter().any(|row| row.contains("\"r003.git\"")) && !rows.iter().any(|row| row.contains("\"r002.git\""))
        );
    }
}

#[test]
fn part_that_was_cut_is_read_again() {
    for more in [&[][..], &["--jsonl"]] {
        let mirrors = Mirrors::many(3);
        assert_eq!(mirrors.fleet(more).status, 0);
        let skills = fs::read_dir(mirrors.out().join("skills")).unwrap().next().unwrap().unwrap().path();
        let whole = fs::read(&skills).unwrap();
        fs::write(&skills, &whole[..whole.len() / 2]).unwrap();
        assert!(summary(&mirrors, more).contains("3 read, 0 unchanged"), "{}", summary(&mirrors, more));
        let rows: Vec<u8> = fs::read_dir(mirrors.out().join("skills"))
            .unwrap()
            .flat_map(|part| fs::read(part.unwrap().path()).unwrap())
            .collect();
        assert_eq!(rows, whole);
    }
}
