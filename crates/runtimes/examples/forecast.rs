//! Prints what each runtime does with one SKILL.md: `cargo run -p skilltree-runtimes --example forecast -- SKILL.md`.
#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "an example reads its argument and prints")]

use std::{env, error::Error, fs};

use skilltree_runtimes::{catalog::Catalog, forecast, profile::Profiles};
use skilltree_skills::limits::Limits;
use skilltree_skills::roots::{RootPattern, RootSet};
use skilltree_skills::snapshot::Origin;
use skilltree_skills::source::{Content, Entry, memory};

fn main() -> Result<(), Box<dyn Error>> {
    let content = Content::File(fs::read(env::args().nth(1).ok_or("usage: forecast SKILL.md")?)?);
    let source = memory(Origin::Memory, vec![Entry { path: "skills/example/SKILL.md".into(), content }]);
    let limits = Limits::default();
    let patterns = vec![RootPattern::configured("skills", "agentskills")];
    let catalog = Catalog::new(source.read(&RootSet { patterns, ..RootSet::within(&limits) }, limits.bounds())?);
    let profiles = Profiles::default();
    for profile in profiles.ids().filter_map(|id| profiles.find(id)) {
        for (id, _) in catalog.skills() {
            let skill = forecast::of_skill(&catalog, id, profile);
            let reason = skill.reason.map(|reason| format!(": {reason}")).unwrap_or_default();
            println!("{:12} {}{reason}", skill.if_read.word(), profile.title);
        }
    }
    Ok(())
}
