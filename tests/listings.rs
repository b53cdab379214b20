//! Lists of skills and manifests of plugins that are too large to read: what is hidden there must not look checked.

mod common;

use common::Repository;

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
    let bytes = skilltree_core::text::grouped(manifest.len() + (1 << 20));
    let fact = format!("the manifest has {bytes} bytes; the limit is 1,048,576");
    assert!(status == 1 && lines.len() == 1 && lines[0].ends_with(&fact), "{status} {lines:?}");
}
