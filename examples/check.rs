//! Checks the skills of a repository and prints the prompt block of those that pass, with the library alone:
//!
//! ```console
//! cargo run --example check -- path/to/repository HEAD
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example prints for the user who runs it")]

use std::error::Error;
use std::path::PathBuf;

use skilltree::{ArtifactFile, Options, PromptOptions, Revision};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let repository = PathBuf::from(arguments.next().unwrap_or_else(|| ".".to_owned()));
    let revision = arguments.next().map_or(Revision::WorkTree, Revision::Tree);
    let options = Options { revision: Some(revision), ..Options::default() };

    let skills = skilltree::open(&repository, &options)?;
    let artifact = skills.prompt(&PromptOptions::default())?;
    for finding in skills.check().findings {
        println!("{}:{}:{}: {} ({})", finding.path, finding.line, finding.column, finding.message, finding.rule);
    }
    println!("{}", String::from_utf8_lossy(artifact.block()));
    for skipped in artifact.skipped() {
        println!("skipped {}: {}", skipped.path, skipped.rules.join(", "));
    }
    println!("skills.json has {} bytes", artifact.file(ArtifactFile::Index).map_or(0, <[u8]>::len));
    if let Some(comment) = artifact.file(ArtifactFile::Comment) {
        println!("{}", String::from_utf8_lossy(comment));
    }
    Ok(())
}
