//! Reports installed skills that differ from what skills-lock.json records.

use crate::rule::{Check, E2026, Facts, Group, Level, Reads, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place, shortened};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::manifest::Drifted;
use skilltree_skills::roots;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "locked-skill-changed",
    group: Group::Catalog,
    since: E2026,
    level: Level::Note,
    summary: "an installed skill differs from the one that skills-lock.json records",
    why: "the next installation overwrites a local edit, and an older copy lacks what the lock file promises",
    explanation: include_str!("locked_skill_changed.md"),
    check: Check::Catalog(check),
    reads: Reads::Surroundings,
    ..Rule::DEFAULT
};

/// Maximum length of a name in a message, in code points.
const SHOWN: usize = 64;

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let manifests = &catalog.parsed.manifests;
    for drifted in &manifests.drifted {
        let Some(lock) = manifests.all.get(drifted.manifest) else { continue };
        let directory = text::lossless(drifted.directory.as_ref());
        let message = format!("`{}` differs from the skill that this hash records", shortened(&directory, SHOWN));
        sink.about(Subject::Tree).report(Place::new(lock.file, drifted.range.clone()), message).help(help(drifted));
    }
    let lock = manifests.all.iter().find(|manifest| manifest.name == roots::LOCK);
    if let Some(lock) = lock.filter(|_| manifests.uncompared > 0) {
        let message = format!("{} installed skills were not compared", text::grouped(manifests.uncompared));
        let finding = sink.about(Subject::Tree).report(Place::whole(lock.file), message);
        finding.note("they have links, over 1,000 files or over 25 MiB, or all have over 256 MiB");
    }
}

/// Returns the command that installs the recorded skill again. It names nothing that a shell could take for more.
fn help(drifted: &Drifted) -> String {
    let is_plain = |word: &&String| {
        let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"._/-".contains(&byte);
        !word.starts_with('-') && word.len() <= SHOWN && word.bytes().all(is_known)
    };
    match (drifted.from.as_ref().filter(is_plain), Some(&drifted.name).filter(is_plain)) {
        (Some(from), Some(name)) => format!("run `npx skills add {from} --skill {name}`, or move the edit upstream"),
        _ => "run `npx skills experimental_install`, or move the edit upstream".to_owned(),
    }
}
