//! Snapshots of prompt blocks: `golden/NAME.toml` has the arguments of `prompt` for `skills/`, `golden/NAME.md` the output.
//! `SNAPSHOTS=overwrite cargo test --test it seeds::` updates them; read the diff.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use snapbox::Data;

use crate::common::{Repository, copy, inner};

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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/seeds")
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

/// Headings, rules, fences and front matter in fences: the bytes after the closing fence are the bytes in the block, without the blank
/// lines around them.
#[test]
fn bodies_equal_their_files() {
    let repository = repository();
    let crlf =
        "---\r\nname: crlf\r\ndescription: Has CRLF. Use when asked.\r\n---\r\n\r\n# A\r\n\r\n---\r\n\r\nEnd\r\n\r\n";
    repository.write(".agent/skills/crlf/SKILL.md", crlf).add();
    for profile in ["swarm", "amacs", "majordomo"] {
        let out = repository.path().join("out");
        let words = ["prompt", "--staged", "--profile", profile, "--out", out.to_str().unwrap()];
        let skills = ["--skill", "spec-consistency", "--skill", "security-review", "--skill", "crlf"];
        let run = repository.skilltree(&[&words[..], &skills].concat());
        assert_eq!(run.status, 0, "{profile}: {}", run.stderr);
        let block = fs::read_to_string(out.join("available-skills.md")).unwrap();
        let index: serde_json::Value = serde_json::from_slice(&fs::read(out.join("skills.json")).unwrap()).unwrap();
        let listed = index["skills"].as_array().unwrap();
        assert_eq!(listed.len(), 3, "{profile}: {}", index["dropped"]);
        for skill in listed {
            let edge = |key: &str| skill["body_range"][key].as_u64().unwrap() as usize;
            let path = skill["body_path"].as_str().unwrap();
            let file = fs::read_to_string(repository.path().join(path)).unwrap().replace("\r\n", "\n");
            let (_, body) = file.split_once("\n---\n").unwrap();
            assert_eq!(&block[edge("start")..edge("end")], inner(body), "{profile}: {path}");
        }
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
