//! Replays the committed inputs on stable Rust.
#![allow(clippy::disallowed_methods, reason = "a test reads the inputs")]

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use skilltree_fuzz::TARGETS;

/// Maximum number of inputs of a target.
const FILES: usize = 60;

/// Maximum size of the inputs of a target.
const BYTES: u64 = 128 << 10;

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns the names in a directory, sorted.
fn names(name: &str) -> Vec<String> {
    let entries = fs::read_dir(directory(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let name = |entry: std::io::Result<fs::DirEntry>| {
        entry.expect("it can be listed").file_name().into_string().expect("a name is UTF-8")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn keeps_invariants_for_every_input() {
    let mut failed = Vec::new();
    for (target, check) in TARGETS {
        let inputs = names(&format!("corpus/{target}"));
        assert!(!inputs.is_empty(), "corpus/{target} is empty");
        assert!(inputs.len() <= FILES, "corpus/{target} has {} files; the limit is {FILES}", inputs.len());
        let mut bytes = 0;
        for input in &inputs {
            let data = fs::read(directory(&format!("corpus/{target}/{input}"))).expect("an input can be read");
            bytes += data.len() as u64;
            if catch_unwind(|| check(&data)).is_err() {
                failed.push(format!("{target}/{input}"));
            }
        }
        assert!(bytes <= BYTES, "corpus/{target} has {bytes} bytes; the limit is {BYTES}");
    }
    assert!(failed.is_empty(), "broken invariants: {}", failed.join(", "));
}

#[test]
fn every_target_has_program_and_inputs() {
    let targets: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert!(targets.is_sorted());
    let programs = names("fuzz_targets");
    let programs: Vec<&str> = programs.iter().filter_map(|name| name.strip_suffix(".rs")).collect();
    assert_eq!(programs, targets, "fuzz_targets/");
    assert_eq!(names("corpus"), targets, "corpus/");
    let manifest = fs::read_to_string(directory("Cargo.toml")).expect("the manifest can be read");
    for target in targets {
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")),
            "Cargo.toml does not name {target}"
        );
    }
}

/// `FUZZ_TARGET=NAME FUZZ_INPUT=PATH cargo test --no-default-features -- --ignored` runs one input, with its panic.
#[test]
#[ignore = "runs one input that the environment names"]
fn one_input() {
    let name = |key| std::env::var(key).unwrap_or_else(|_| panic!("set {key}"));
    let target = name("FUZZ_TARGET");
    let (_, check) = TARGETS.iter().find(|(known, _)| *known == target).expect("a target has this name");
    check(&fs::read(name("FUZZ_INPUT")).expect("the input can be read"));
}
