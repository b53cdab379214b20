//! Reports skills that are files instead of directories.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Precision, Rule, Sink, Subject, listed};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::profile::files::Visit;
use skilltree_runtimes::profile::{Kind, Profile};
use skilltree_skills::snapshot::Role;

/// Documented on the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "flat-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a Markdown file in a skills directory has the front matter of a skill",
    why: "a skill is a directory that contains SKILL.md; a loader that looks for directories skips the file",
    explanation: include_str!("flat_skill_file.md"),
    check: Check::Catalog(check),
    precision: Precision::High,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Flat) {
        let Some(root) = file.root else { continue };
        let readers: Vec<&Profile> = facts.scope.of(root).filter(|profile| profile.kind == Kind::Runtime).collect();
        let reads = |profile: &&Profile| profile.loads.files.loose == Some(Visit::Read);
        if !readers.is_empty() && readers.iter().all(reads) {
            continue;
        }
        let path = text::lossless(file.path.as_bstr());
        let directory = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
        let finding = sink
            .about(Subject::Root(root))
            .report(Place::whole(id), format!("`{path}` has the front matter of a skill but no skill directory"));
        finding.help(format!("move it to `{directory}/SKILL.md`"));
        let names: Vec<&str> = readers.into_iter().filter(reads).map(Profile::actor).collect();
        if !names.is_empty() {
            finding.note(format!("it is a skill in {}", listed(&names)));
        }
    }
}
