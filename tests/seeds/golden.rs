//! Snapshots of prompt blocks: `golden/NAME.toml` has the arguments of `prompt` for `skills/`, `golden/NAME.md` the output.
//! `SNAPSHOTS=overwrite cargo test --test seeds` updates them; read the diff.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use snapbox::Data;

use crate::common::{Repository, copy};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Golden {
    arguments: Vec<String>,
}

/// A repository with the skills, committed.
pub(crate) fn repository() -> Repository {
    let repository = Repository::new();
    repository.git(&["config", "core.autocrlf", "false"]);
    copy(&directory().join("skills"), repository.path());
    repository.commit();
    repository
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeds")
}

#[test]
fn renderings_match_snapshots() {
    let repository = repository();
    let mut recipes: Vec<PathBuf> =
        fs::read_dir(directory().join("golden")).unwrap().map(|entry| entry.unwrap().path()).collect();
    recipes.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    recipes.sort();
    assert!(recipes.len() >= 10, "the renderings: {recipes:?}");
    for path in recipes {
        let golden: Golden = toml::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        let words: Vec<&str> = golden.arguments.iter().map(String::as_str).collect();
        let run = repository.skilltree(&[&["prompt", "--staged"], &words[..]].concat());
        assert_eq!(run.status, 0, "{}: {}", path.display(), run.stderr);
        let expected = Data::read_from(&path.with_extension("md"), None).raw();
        snapbox::assert_data_eq!(run.stdout, expected);
    }
}

/// Lines of the designs, one skill each. `golden/` has the complete output.
#[test]
fn renderings_contain_bytes_of_designs() {
    let repository = repository();
    let block = |profile: &str, skill: &str| {
        let run = repository.skilltree(&["prompt", "--staged", "--profile", profile, "--skill", skill]);
        assert_eq!(run.status, 0, "{profile}: {}", run.stderr);
        run.stdout
    };
    let symphony = block("symphony", "add-migration");
    assert!(symphony.starts_with("## Available skills\n\n"), "{symphony}");
    let line = "add-migration — Issue mentions schema change, new table, new column, or \"migration\".\n";
    assert!(symphony.ends_with(line), "{symphony}");
    let body = "One sentence, in the imperative.";
    let swarm = format!(
        "--- Agent Skills ---\n### commit-conventions\n{body}\n\n--- End Agent Skills ---\n\
         Apply these skills to your review/implementation.\n"
    );
    assert_eq!(block("swarm", "commit-conventions"), swarm);
    assert_eq!(block("amacs", "commit-conventions"), format!("## Thread Skills\n\n### commit-conventions\n\n{body}\n"));
    assert_eq!(block("majordomo", "commit-conventions"), format!("{body}\n"));
}
