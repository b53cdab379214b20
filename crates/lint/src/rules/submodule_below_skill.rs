//! A gitlink in a skill directory.

use bstr::ByteSlice;

use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::nested::kind;
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_runtimes::catalog::components::Owners;
use skilltree_skills::snapshot::{Body, File, Role};

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "submodule-below-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    summary: "a skill directory contains a submodule",
    why: "clones without submodules, the default of Git and of CI systems, have an empty directory there",
    explanation: include_str!("submodule_below_skill.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let is_submodule = |file: &File| file.role == Role::Other && file.body == Body::Submodule;
    let submodules: Vec<_> = catalog.files().filter(|(_, file)| is_submodule(file)).collect();
    if submodules.is_empty() {
        return;
    }
    let owners = Owners::new(catalog);
    for (id, file) in submodules {
        let path = text::lossless(file.path.as_bstr());
        sink.about(owners.owner(file.path.as_bstr()).map_or(Subject::Tree, Subject::Skill))
            .report(Place::whole(id), format!("`{path}` is {}: its files are in another repository", kind(file)))
            .help("copy the files that the skill needs into this repository");
    }
}
