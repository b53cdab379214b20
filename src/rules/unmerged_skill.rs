//! A skill with conflict stages in the index.

use bstr::ByteSlice;

use crate::catalog::Catalog;
use crate::rule::{self, Check, E2026, Facts, Group, Level, Rule, Sink};
use crate::snapshot::Body;
use crate::text::{self, Place};

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "unmerged-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    faults: &[],
    summary: "a skill is in the middle of a merge conflict",
    why: "the index holds several versions of it and none that would be committed, so there is nothing to judge",
    explanation: include_str!("unmerged_skill.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (subject, id, file) in rule::places(catalog).filter(|(_, _, file)| file.body == Body::Unmerged) {
        let path = text::lossless(file.path.as_bstr());
        sink.about(subject)
            .report(Place::whole(id), format!("`{path}` has conflict stages in the index and no merged version"))
            .help(format!("resolve the conflict, then `git add {path}`"));
    }
}
