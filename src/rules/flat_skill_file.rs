//! A skill that is a file where it should be a directory.

use bstr::ByteSlice;

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::snapshot::Role;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "flat-skill-file",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a Markdown file right in a root has the front matter of a skill",
    why: "a skill is a directory with a SKILL.md: only pi reads such a file, and every other runtime passes it over without a word",
    explanation: include_str!("flat_skill_file.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (id, file) in catalog.files().filter(|(_, file)| file.role == Role::Flat) {
        let path = text::lossless(file.path.as_bstr());
        let directory = path.rsplit_once('.').map_or(&*path, |(stem, _)| stem);
        sink.about(file.root.map_or(Subject::Tree, Subject::Root))
            .report(Place::whole(id), format!("`{path}` has the front matter of a skill and no directory of its own"))
            .help(format!("move it to `{directory}/SKILL.md`"));
    }
}
