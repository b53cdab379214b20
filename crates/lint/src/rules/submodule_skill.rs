//! A gitlink in place of a skill or a root.

use bstr::ByteSlice;

use crate::rule::{self, Check, E2026, Facts, Group, Level, Rule, Sink, Subject};
use crate::rules::nested::kind;
use skilltree_front_matter::text::{self, Place};
use skilltree_runtimes::catalog::Catalog;
use skilltree_skills::snapshot::Body;

/// See the page next to this file.
pub(crate) static RULE: Rule = Rule {
    id: "submodule-skill",
    group: Group::Layout,
    since: E2026,
    level: Level::Error,
    summary: "a skill directory or a skills directory is a submodule",
    why: "clones without submodules, the default of Git and of CI systems, have an empty directory there",
    explanation: include_str!("submodule_skill.md"),
    check: Check::Catalog(check),
    ..Rule::DEFAULT
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    for (subject, id, file) in rule::places(catalog).filter(|(_, _, file)| file.body == Body::Submodule) {
        let (path, kind) = (text::lossless(file.path.as_bstr()), kind(file));
        let message = match subject {
            Subject::Root(root) if catalog.root(root).path != file.path => {
                let root = text::lossless(catalog.root(root).path.as_bstr());
                format!("`{path}` is {kind}: the skills of `{root}` are in another repository")
            }
            Subject::Root(_) => {
                format!("the skills directory `{path}` is {kind}: its skills are in another repository")
            }
            _ => format!("`{path}` is {kind}: the skill is in another repository"),
        };
        let root = match subject {
            Subject::Root(root) => Some(root),
            _ => file.root,
        };
        let finding = sink.about(subject).report(Place::whole(id), message);
        finding.help("copy the skills into this repository, or check them in the repository that contains them");
        // Nobody asked for a directory that was found, and a submodule is there on purpose.
        if root.is_some_and(|root| catalog.root(root).discovered && !facts.scope.is_dispatched(root)) {
            finding.at_most(Level::Warning);
        }
    }
}
