//! Fixes a corpus of public skills.
//!
//! `SKILLTREE_CORPUS` names its directory, which contains skills.jsonl.xz and build_repo.py:
//! `SKILLTREE_CORPUS=DIRECTORY cargo test --test it fix:: -- --ignored`

use std::path::PathBuf;
use std::process::Command;

use skilltree_git::{Environment, Revision};

use crate::fix::proved::proved;

#[test]
#[ignore = "needs a corpus of public skills in SKILLTREE_CORPUS"]
fn fixes_public_skills() {
    fix(false);
}

#[test]
#[ignore = "needs a corpus of public skills in SKILLTREE_CORPUS"]
fn fixes_public_skills_with_unsafe_edits() {
    fix(true);
}

fn fix(unsafe_edits: bool) {
    let corpus = PathBuf::from(std::env::var_os("SKILLTREE_CORPUS").expect("SKILLTREE_CORPUS names the corpus"));
    let data = corpus.join("skills.jsonl.xz");
    let directory = tempfile::tempdir().unwrap();
    let bare: PathBuf = directory.path().join("corpus.git");
    let built = Command::new("python3").arg(corpus.join("build_repo.py")).args([&data, &bare]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let source = skilltree_git::open(&bare, &Revision::Tree("HEAD".into()), &Environment::default()).unwrap();
    let repair = proved(&source, unsafe_edits, &[]).unwrap();
    assert!(repair.fixed.len() > 5, "too few findings were fixed: {}", repair.fixed.len());
}
