//! Skills with conflict stages in the index.

use bstr::ByteSlice;

use crate::rule::{self, Check, E2026, Facts, Group, Level, Rule, Sink};
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::Body;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "unmerged-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    unusable: true,
    summary: "a skill has an unresolved merge conflict",
    why: "the index has several versions of the file and none that would be committed, so skilltree cannot check it",
    explanation: include_str!("unmerged_skill.md"),
    check: Check::Catalog(check),
    one_source: true,
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, _: &Facts<'_>, sink: &mut Sink) {
    for (subject, id, file) in rule::places(catalog).filter(|(_, _, file)| file.body == Body::Unmerged) {
        let path = text::lossless(file.path.as_bstr());
        sink.about(subject)
            .report(Place::whole(id), format!("`{path}` has conflict stages in the index and no merged version"))
            .help(format!("resolve the conflict, then run `git add {path}`"));
    }
}
