//! Replays the committed inputs of the fuzz targets, with the dependencies that the other tests have built.
#![allow(clippy::disallowed_methods, reason = "a test reads the inputs")]

use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use crate::packed;

#[path = "../../fuzz/src/lib.rs"]
#[allow(
    unreachable_pub,
    clippy::unwrap_used,
    reason = "the library of another package, in which a panic is the result"
)]
mod targets;

use targets::TARGETS;

/// Maximum number of inputs of a target.
const INPUTS: usize = 60;

/// Maximum size of the inputs of a target.
const BYTES: usize = 128 << 10;

fn directory(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz").join(name)
}

/// Returns the names of the files in a directory without their ending, sorted. cargo-fuzz writes directories there.
fn stems(name: &str, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(directory(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let files = entries.map(|entry| entry.expect("it can be listed")).filter(|entry| entry.path().is_file());
    let stem = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().expect("a name is UTF-8");
        name.strip_suffix(ending).unwrap_or_else(|| panic!("{name} does not end in {ending}")).to_owned()
    };
    let mut names: Vec<String> = files.map(stem).collect();
    names.sort();
    names
}

#[test]
fn keeps_invariants_for_every_input() {
    let mut failed = Vec::new();
    for (target, check) in TARGETS {
        let inputs = packed::load(&directory(&format!("corpus/{target}.txt")));
        assert!(!inputs.is_empty(), "corpus/{target}.txt is empty");
        assert!(inputs.len() <= INPUTS, "corpus/{target}.txt has {} inputs; the limit is {INPUTS}", inputs.len());
        let bytes: usize = inputs.iter().map(|(_, data)| data.len()).sum();
        assert!(bytes <= BYTES, "corpus/{target}.txt has {bytes} bytes; the limit is {BYTES}");
        for (name, data) in inputs {
            if catch_unwind(|| check(&data)).is_err() {
                failed.push(format!("{target}/{name}"));
            }
        }
    }
    assert!(failed.is_empty(), "broken invariants: {}", failed.join(", "));
}

#[test]
fn every_target_has_program_and_inputs() {
    let targets: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert!(targets.is_sorted());
    assert_eq!(stems("fuzz_targets", ".rs"), targets, "fuzz_targets/");
    assert_eq!(stems("corpus", ".txt"), targets, "corpus/");
    let manifest = fs::read_to_string(directory("Cargo.toml")).expect("the manifest can be read");
    for target in targets {
        assert!(
            manifest.contains(&format!("path = \"fuzz_targets/{target}.rs\"")),
            "Cargo.toml does not name {target}"
        );
    }
}

/// `FUZZ_TARGET=NAME FUZZ_INPUT=PATH cargo test --test it fuzz::one_input -- --ignored` runs one input, with its panic.
#[test]
#[ignore = "runs one input that the environment names"]
fn one_input() {
    let name = |key| std::env::var(key).unwrap_or_else(|_| panic!("set {key}"));
    let target = name("FUZZ_TARGET");
    let (_, check) = TARGETS.iter().find(|(known, _)| *known == target).expect("a target has this name");
    check(&fs::read(name("FUZZ_INPUT")).expect("the input can be read"));
}
