//! Lists of skills and manifests of plugins that are too large to read: what is hidden there must not look checked.

use crate::common::Repository;

const README: &str = "[[listing]]\nfile = 'README.md'\npattern = '`(.*?)`'\n";

fn repository(settings: &str) -> Repository {
    let repository = Repository::new();
    repository.skill("skills", "pdf").write("skilltree.toml", settings);
    repository
}

/// The lines of the concise format about a rule, and the exit status.
fn found(repository: &Repository, rule: &str) -> (i32, Vec<String>) {
    let run = repository.skilltree(&["check", "--format", "concise"]);
    let lines = run.stdout.lines().filter(|line| line.contains(&format!("[{rule}]")));
    (run.status, lines.map(str::to_owned).collect())
}

#[test]
fn rejects_a_manifest_that_padding_makes_too_large() {
    let repository = repository("");
    let manifest =
        r#"{"name": "m", "owner": {"name": "o"}, "plugins": [{"name": "p", "source": "./", "skills": ["./hidden"]}]}"#;
    repository.write(".claude-plugin/marketplace.json", format!("{manifest}{}", " ".repeat(1 << 20)));
    let (status, lines) = found(&repository, "unusable-plugin-manifest");
    let bytes = skilltree_front_matter::text::grouped(manifest.len() + (1 << 20));
    let fact = format!("the manifest has {bytes} bytes; the limit is 1,048,576");
    assert!(status == 1 && lines.len() == 1 && lines[0].ends_with(&fact), "{status} {lines:?}");
}

#[test]
fn rejects_a_list_that_was_not_read() {
    let repository = repository(README);
    repository.write("README.md", format!("`pdf`{}", " ".repeat(2_000_000)));
    let expected = "README.md:1:1: error[unread-listing] `README.md` has 2,000,005 bytes; the limit is 1,048,576";
    assert_eq!(found(&repository, "unread-listing"), (1, vec![expected.to_owned()]));
    repository.write("README.md", "`p` ".repeat(150_000));
    let expected =
        "README.md:1:1: error[unread-listing] the pattern finds 150,000 entries in `README.md`; the limit is 100,000";
    assert_eq!(found(&repository, "unread-listing"), (1, vec![expected.to_owned()]));
    assert_eq!(found(&repository, "unlisted-skill").1, Vec::<String>::new(), "the list was not read");
}

#[test]
fn compares_every_entry_of_a_long_list() {
    let repository = repository(README);
    repository.write("README.md", format!("{}`pdf`", "`p`\n".repeat(30_000)));
    let (status, lines) = found(&repository, "stale-entry");
    assert!(status == 0 && lines.len() == 1 && lines[0].ends_with("and 29,999 more like it"), "{status} {lines:?}");
    assert_eq!(found(&repository, "unlisted-skill").1, Vec::<String>::new());
}

#[test]
fn suggests_the_file_that_was_probably_named() {
    let repository = repository(&README.replace("README.md", "docs/READM.md"));
    repository.write("docs/README.md", "`pdf`\n");
    let run = repository.skilltree(&["check"]);
    assert!(run.status == 1 && run.stdout.contains("`docs/READM.md` does not exist"), "{}", run.stdout);
    assert!(run.stdout.contains("write `file = \"docs/README.md\"` in `[[listing]]`"), "{}", run.stdout);
}

#[test]
fn reports_a_pattern_that_matches_nothing_once() {
    let repository = repository(&README.replace("`(.*?)`", "x(y)"));
    repository.skill("skills", "csv").write("README.md", "`pdf` `csv`\n");
    let (status, lines) = found(&repository, "unlisted-skill");
    let expected =
        "README.md:1:1: warning[unlisted-skill] the pattern matches nothing in `README.md`, so it lists no skill";
    assert_eq!((status, lines), (0, vec![expected.to_owned()]));
}
