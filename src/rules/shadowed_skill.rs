//! A skill that another one of its name hides from runtimes that look into both roots.

use std::collections::BTreeMap;

use crate::catalog::Catalog;
use crate::rule::{Check, E2026, Facts, Group, Level, Rule, Sink, Subject, listed};
use crate::rules::namesakes::{self, Namesakes, Way};
use crate::skill::SkillId;
use crate::text;

/// See the page beside this file.
pub static RULE: Rule = Rule {
    id: "shadowed-skill",
    group: Group::Catalog,
    since: E2026,
    level: Level::Warning,
    unusable: false,
    faults: &[],
    summary: "a skill hides another one of its name",
    why: "the runtime takes the skill of one root and passes over the other, mostly without a word: edits of that one change nothing",
    explanation: include_str!("shadowed_skill.md"),
    check: Check::Catalog(check),
};

fn check(catalog: &Catalog, facts: &Facts<'_>, sink: &mut Sink) {
    // Between skills of one root nothing decides.
    if catalog.parsed.roots.len() < 2 {
        return;
    }
    let groups = catalog.namesakes();
    if groups.is_empty() {
        return;
    }
    let namesakes = Namesakes::new(catalog, facts);
    let is_ordered = |earlier, later| matches!(namesakes.way(earlier, later), Way::Ordered(_));
    for (first, later) in catalog.clashes(&groups, is_ordered) {
        let Way::Ordered(winners) = namesakes.way(first, later) else { continue };
        let mut by_skill: BTreeMap<SkillId, Vec<&str>> = BTreeMap::new();
        for (profile, skill) in winners {
            by_skill.entry(skill).or_default().push(&profile.title);
        }
        let path = |skill| text::lossless(catalog.path(skill));
        let name = text::shortened(catalog.skill(later).name().unwrap_or_default(), 64);
        let finding = sink.about(Subject::Skill(later)).report(
            namesakes::place(catalog.skill(later)),
            format!("`{name}` is the name of `{}` too, and runtimes take one of the two", path(first)),
        );
        finding.related(namesakes::place(catalog.skill(first)), "the other one");
        for (skill, titles) in by_skill {
            let verb = if titles.len() == 1 { "takes" } else { "take" };
            finding.note(format!("{} {verb} `{}`", listed(&titles), path(skill)));
        }
        finding.help("remove the one that is hidden, or give it another name and rename its directory to match");
    }
}
