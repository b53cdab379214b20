//! The same skills and the same recipe give the same bytes from every directory and source.

use std::process::Command;

use serde_json::Value;

use crate::common::{Repository, isolate, program, skilltree};
use crate::seeds::golden;

/// A run: its directory, and the arguments that select the source.
struct Ground<'a> {
    directory: &'a std::path::Path,
    source: &'a [&'a str],
}

#[test]
fn profiles_render_same_bytes_from_every_source() {
    let repository = golden::repository();
    let clone = Repository::new();
    let from = repository.path().to_str().unwrap();
    clone.git(&["clone", "--quiet", from, "inner"]);
    clone.git(&["clone", "--quiet", "--bare", from, "bare.git"]);
    let (inner, bare) = (clone.path().join("inner"), clone.path().join("bare.git"));
    let grounds = [
        Ground { directory: repository.path(), source: &["--rev", "HEAD"] },
        Ground { directory: repository.path(), source: &["--worktree"] },
        Ground { directory: &inner, source: &["--staged"] },
        Ground { directory: &bare, source: &["--rev", "HEAD"] },
    ];
    let task: &[&str] = &["--task", "Review the API schema and the notes of a PDF"];
    let selections = [&[][..], task, &["--matcher", "bm25"], &["--mention", "$notes /core @add-migration"]];
    let profiles = rendering();
    assert_eq!(profiles, ["agentskills", "amacs", "camel", "majordomo", "swarm", "symphony"]);
    let mut blocks = 0;
    for profile in &profiles {
        for selection in selections {
            let selection =
                if selection.first() == Some(&"--matcher") { [task, selection].concat() } else { selection.to_vec() };
            for format in ["block", "json"] {
                let run = |ground: &Ground<'_>, more: &[&str], variables: &[(&str, &str)]| {
                    let words = ["prompt", "--profile", profile, "--format", format];
                    let words = [&words[..], ground.source, &selection[..], more].concat();
                    let run = skilltree(ground.directory, &words, variables);
                    assert_eq!(run.status, 0, "{words:?}: {}", run.stderr);
                    run.stdout
                };
                let first = run(&Ground { directory: repository.path(), source: &["--staged"] }, &["--jobs", "1"], &[]);
                blocks += usize::from(format == "block" && !first.is_empty());
                for ground in &grounds {
                    assert_eq!(
                        run(ground, &["--jobs", "8"], &[]),
                        first,
                        "{profile} {selection:?} {:?}",
                        ground.source
                    );
                }
                let home = clone.path().to_str().unwrap();
                let moved =
                    [("TZ", "Pacific/Kiritimati"), ("LANG", "tr_TR.UTF-8"), ("LC_ALL", "tr_TR.UTF-8"), ("HOME", home)];
                assert_eq!(run(&grounds[0], &[], &moved), first, "{profile} {selection:?}");
            }
        }
    }
    assert!(blocks >= 16, "most of the blocks hold something: {blocks}");
}

/// The profiles that render a prompt, as the program lists them.
fn rendering() -> Vec<String> {
    let output = isolate(&mut Command::new(program())).args(["profiles", "--format", "json"]).output().unwrap();
    let listing: Value = serde_json::from_slice(&output.stdout).unwrap();
    let renders = |profile: &&Value| profile.get("prompt").is_some();
    let id = |profile: &Value| profile["id"].as_str().unwrap().to_owned();
    listing["profiles"].as_array().unwrap().iter().filter(renders).map(id).collect()
}
