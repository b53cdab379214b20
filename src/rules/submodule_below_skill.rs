//! A gitlink below a skill.

use bstr::ByteSlice;

use crate::catalog::Catalog;
use crate::catalog::components::Owners;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::snapshot::{Body, File, Role};
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "submodule-below-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a submodule lies beside the files of a skill",
    why: "a clone without submodules, which is what dispatchers and CI make, has an empty directory there",
    explanation: include_str!("submodule_below_skill.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    let is_submodule = |file: &File| file.role == Role::Beside && file.body == Body::Submodule;
    let submodules: Vec<_> = catalog.files().filter(|(_, file)| is_submodule(file)).collect();
    if submodules.is_empty() {
        return;
    }
    let owners = Owners::new(catalog);
    for (id, file) in submodules {
        let path = text::lossless(file.path.as_bstr());
        sink.about(owners.owner(file.path.as_bstr()).map_or(Subject::Tree, Subject::Skill))
            .report(Place::whole(id), format!("`{path}` is a submodule: its files are in another repository"))
            .help("copy the files that the skill needs into this repository");
    }
}
