//! Reports skills that are files instead of directories.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
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
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Flat) {
        let path = text::lossless(file.path.as_bstr());
        let directory = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
        sink.about(file.root.map_or(Subject::Tree, Subject::Root))
            .report(Place::whole(id), format!("`{path}` has the front matter of a skill but no skill directory"))
            .help(format!("move it to `{directory}/SKILL.md`"));
    }
}
