//! Real skills, where they are at hand: `../shared/corpus` beside the checkout.

use std::path::{Path, PathBuf};
use std::process::Command;

use skilltree::source::{self, Environment, Revision};

use crate::proved::proved;

#[test]
fn real_skills_are_mended_without_harm() {
    mend(false);
}

#[test]
fn real_skills_are_mended_without_harm_by_unsafe_edits_too() {
    mend(true);
}

fn mend(unsafe_edits: bool) {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let data = corpus.join("skills.jsonl.xz");
    if !data.exists() {
        eprintln!("SKIPPED: real skills are not at hand ({} is not there)", data.display());
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let bare: PathBuf = directory.path().join("corpus.git");
    let built = Command::new("python3").arg(corpus.join("build_repo.py")).args([&data, &bare]).output().unwrap();
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let source = source::open(&bare, &Revision::Tree("HEAD".into()), &Environment::default()).unwrap();
    let repair = proved(&source, unsafe_edits, &[]).unwrap();
    assert!(repair.mended.len() > 5, "real skills have edits to make: {}", repair.mended.len());
    eprintln!("{} findings mended, {} edits left", repair.mended.len(), repair.left.len());
}
