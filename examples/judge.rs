//! Judges the skills of a repository and builds the prompt block, with the library alone:
//!
//! ```console
//! cargo run --example judge -- path/to/repository HEAD
//! ```
#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example talks to whoever runs it")]

use std::error::Error;
use std::path::PathBuf;

use skilltree::config::{self, Config, Inputs};
use skilltree::prompt::{self, Material, Name, Recipe};
use skilltree::source::{self, Environment, Revision};
use skilltree::{judge, lint};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let place = PathBuf::from(words.next().unwrap_or_else(|| ".".to_owned()));
    let revision = words.next().map_or(Revision::WorkTree, Revision::Tree);

    // What is judged, and by which configuration: both come from the same tree.
    let source = source::open(&place, &revision, &Environment::default())?;
    let settings = source.file(config::SETTINGS.into())?;
    let workflow = source.file(config::WORKFLOW.into())?;
    let config: Config = config::read(Inputs { settings, workflow, ..Inputs::default() })?;

    // Reading may fail; from here on nothing does.
    let parsed = source.read(&config.roots, lint::bounds(&config.limits))?;
    let report = judge(parsed, &config);
    for finding in report.standing() {
        println!("{}: {} ({})", report.path(finding), finding.message, finding.rule.id);
    }

    // A block is built of the skills that were accepted, and of no others.
    let accepted = report.accepted();
    let recipe = Recipe::everywhere(&report.catalog.parsed.roots).limited(&config.limits, config.dispatch.cap);
    let wanted = prompt::wanted(&accepted, &recipe);
    let files: Vec<_> = wanted.iter().map(|&file| report.catalog.file(file).clone()).collect();
    let material = Material {
        contents: wanted.into_iter().zip(source.bodies(&files)?).collect(),
        trees: source.trees(&report.catalog.parsed)?,
        ..Material::default()
    };
    let artifact = prompt::build(&accepted, &recipe, &material);
    println!("{}", String::from_utf8_lossy(artifact.block()));
    println!("{} bytes of {}", artifact.file(Name::Index).map_or(0, <[u8]>::len), Name::Index.as_str());
    Ok(())
}
